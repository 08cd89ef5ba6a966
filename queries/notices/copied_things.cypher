// kind: internal
// params: after: str = "", k: int = 2000
// returns: key, props
// What a copy of the rules needs, a page at a time: the rules, the documents and messages that state or replace them, and whom
// they can bind; asked at the end of time.
MATCH (x:Entity)
WHERE visible(x) AND NOT x:Chunk AND x.key > $after
  AND (x:Rule OR x:Team OR x:Role OR x:Person OR x:Service OR x:System OR x:Domain OR x:Module OR x:Project OR x:Api OR x:Resource OR x:Channel)
RETURN x.key AS key, properties(x) AS props
ORDER BY key LIMIT $k
