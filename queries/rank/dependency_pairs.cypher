// kind: internal
// returns: src, dst
// Every dependency between services that holds, each pair once, and every service beside them (dst is null).
MATCH (s:Service) WHERE visible(s)
OPTIONAL MATCH (s)-[r:DEPENDS_ON]->(t:Service) WHERE current(r) AND visible(t)
RETURN DISTINCT s.key AS src, t.key AS dst
ORDER BY src, dst LIMIT 1000000
