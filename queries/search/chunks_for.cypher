// kind: internal
// params: keys: list[str], per: int = 3
// example: {keys: ["issue:merefold/gatekeeper#2"]}
// returns: chunk, src, src_label, title, text, line, line_end, at, author, repo, url, part
// The first passages of several sources, each in reading order.
MATCH (s:Entity) WHERE s.key IN $keys AND visible(s) AND NOT s:Chunk
MATCH (c:Chunk)-[r:PART_OF]->(s) WHERE visible(c) AND current(r)
WITH s, c ORDER BY c.n, c.key
WITH s, collect(c)[..$per] AS some
UNWIND some AS c
RETURN c.key AS chunk, c.src AS src, c.src_label AS src_label, c.title AS title, c.text AS text, c.line AS line,
  c.line_end AS line_end, c.at AS at, c.author AS author, c.repo AS repo, c.url AS url, c.part AS part, s
ORDER BY src, c.n, chunk, s.key LIMIT 1000
