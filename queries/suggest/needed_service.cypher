// kind: internal
// returns: key, name, n
// The service that most others need directly, for suggestions and measurements.
MATCH (s:Service)<-[d:DEPENDS_ON]-(o:Service) WHERE visible(s) AND visible(o) AND current(d)
RETURN s.key AS key, s.name AS name, count(DISTINCT o) AS n
ORDER BY n DESC, key LIMIT 1
