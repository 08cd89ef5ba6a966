// kind: internal
// params: key: str, k: int = 50
// example: {key: "issue:merefold/gatekeeper#2"}
// returns: chunk, src, src_label, title, text, line, line_end, at, author, repo, url, part
// The passages of one source in reading order.
MATCH (s:Entity {key: $key}) WHERE visible(s) AND NOT s:Chunk
MATCH (c:Chunk)-[r:PART_OF]->(s) WHERE visible(c) AND current(r)
RETURN c.key AS chunk, c.src AS src, c.src_label AS src_label, c.title AS title, c.text AS text, c.line AS line,
  c.line_end AS line_end, c.at AS at, c.author AS author, c.repo AS repo, c.url AS url, c.part AS part, s
ORDER BY c.n, chunk LIMIT $k
