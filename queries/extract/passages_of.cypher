// kind: internal
// params: keys: list[str]
// example: {keys: ["issue:merefold/gatekeeper#2"]}
// returns: src, part, n, title, text, line, line_end, at, author, repo, access, aud, chunk
// Every passage of these sources that the viewer may read, with whom it is open to.
MATCH (s:Entity) WHERE s.key IN $keys AND visible(s) AND NOT s:Chunk
MATCH (c:Chunk)-[r:PART_OF]->(s) WHERE visible(c) AND current(r)
RETURN c.src AS src, c.part AS part, c.n AS n, c.title AS title, c.text AS text, c.line AS line, c.line_end AS line_end, c.at AS at,
  c.author AS author, c.repo AS repo, c.access AS access, c.aud AS aud, c.key AS chunk
ORDER BY src, at, part, n, chunk LIMIT 20000
