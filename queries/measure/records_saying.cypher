// kind: fragment
// params: ft: str, label: str
// Records of one kind with a passage that holds all the words, in a text of their own or of the document they stand in; `ft` is
// prepared by us.
CALL db.idx.fulltext.queryNodes('Chunk', $ft) YIELD node AS c, score
WITH c, score WHERE visible(c)
WITH DISTINCT c.src AS src
MATCH (x:Entity) WHERE x.key = src AND $label IN labels(x) AND NOT x:Chunk AND visible(x)
  AND NOT ('Deploy' IN labels(x) AND coalesce(x.kind, '') = 'flag')
