// kind: internal
// params: keys: list[str], after: str = "", k: int = 1000
// returns: key, src, and what else the passage has but its vector
// The passages of these sources, a page at a time.
MATCH (c:Chunk)-[p:PART_OF]->(x:Entity) WHERE x.key IN $keys AND visible(x) AND visible(c) AND current(p) AND c.key > $after AND NOT x:Chunk
RETURN c.key AS key, c.name AS name, c.source AS source, c.text AS text, c.ft AS ft, c.src AS src, c.src_label AS src_label, c.title AS title,
  c.line AS line, c.line_end AS line_end, c.n AS n, c.hash AS hash, c.at AS at, c.part AS part, c.access AS access, c.aud AS aud
ORDER BY key LIMIT $k
