// kind: internal
// params: after: str = "", k: int = 500
// returns: chunk, key, name, label, path, line, text
// Passages of documents that link to something, a page at a time.
MATCH (c:Chunk {src_label: 'Doc'})-[p:PART_OF]->(d:Doc) WHERE visible(c) AND visible(d) AND current(p) AND c.key > $after AND c.text CONTAINS ']'
WITH c, d ORDER BY c.key
WITH collect([c, d])[..$k] AS found
UNWIND found AS hit
WITH hit[0] AS c, hit[1] AS d
RETURN c.key AS chunk, d.key AS key, d.name AS name, 'Doc' AS label, d.path AS path, c.line AS line, c.text AS text
ORDER BY chunk LIMIT 5000
