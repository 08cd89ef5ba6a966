// kind: internal
// params: after: str = "", k: int = 1000
// example: {}
// returns: key, name, kind, path
// Documents, requests, issues and tickets the viewer may read, by key.
MATCH (s:Entity) WHERE (s:Doc OR s:PullRequest OR s:Issue OR s:Ticket) AND visible(s) AND s.key > $after
RETURN s.key AS key, s.name AS name, s.kind AS kind, s.path AS path
ORDER BY key LIMIT $k
