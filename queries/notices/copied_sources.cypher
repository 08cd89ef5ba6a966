// kind: internal
// params: after: str = "", k: int = 2000
// returns: key, props
// The documents and messages that state rules, or replace such documents, a page at a time; asked at the end of time.
CALL {
  MATCH (u:Rule) WHERE visible(u)
  MATCH (x:Entity {key: u.doc}) WHERE visible(x) AND NOT x:Chunk
  RETURN x
  UNION
  MATCH (x:Doc)-[s:SUPERSEDES]->(d:Doc) WHERE visible(x) AND visible(d) AND stated(s)
  RETURN x
  UNION
  MATCH (y:Doc)-[s:SUPERSEDES]->(x:Doc) WHERE visible(x) AND visible(y) AND stated(s)
  RETURN x
}
WITH x WHERE x.key > $after
WITH DISTINCT x ORDER BY x.key
WITH collect(x)[..$k] AS page
UNWIND page AS x
RETURN x.key AS key, properties(x) AS props
ORDER BY key LIMIT 5000
