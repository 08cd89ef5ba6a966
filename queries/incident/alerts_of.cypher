// kind: internal
// params: words: str = "", things: list[str] = [], k: int = 50
// example: {words: "", k: 20}
// returns: key, name, title, severity, at, ended_at, on, on_name
// The latest alerts, those still firing first; of `things` alone where any are given, and of those that the words are in.
MATCH (a:Alert)-[f:FIRED_ON]->(s) WHERE visible(a) AND visible(s) AND current(f) AND (size($things) = 0 OR s.key IN $things)
  AND ($words = '' OR toLower(a.name) CONTAINS $words OR toLower(coalesce(a.title, '')) CONTAINS $words OR toLower(s.name) CONTAINS $words OR a.key CONTAINS $words)
WITH a, collect(s)[0] AS s
WITH a, s, CASE WHEN a.ended_at <= $as_of THEN a.ended_at END AS ended_at
RETURN a.key AS key, a.name AS name, a.title AS title, a.severity AS severity, a.at AS at, ended_at, s.key AS on, s.name AS on_name, a, s
ORDER BY ended_at IS NOT NULL, at DESC, key LIMIT $k
