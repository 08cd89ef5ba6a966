// writes: PROVIDED_BY
// returns: src (interface), dst (the service that provides it), at, access
// Which service an interface comes from: PROVIDES the other way round, so that what is needed can be followed in one direction.
MATCH (s:Service)-[r:PROVIDES]->(a:Api)
RETURN a.key AS src, s.key AS dst, max(coalesce(r.at, 0)) AS at, 'open' AS access
ORDER BY src, dst
