// kind: fragment
// params: ft: str
// Those with a passage that holds all the words; `ft` is prepared by us.
CALL db.idx.fulltext.queryNodes('Chunk', $ft) YIELD node AS c, score
WITH c, score WHERE visible(c) AND c.src_label = 'PullRequest'
WITH DISTINCT c.src AS src
MATCH (x:Entity:PullRequest {key: src}) WHERE visible(x)
