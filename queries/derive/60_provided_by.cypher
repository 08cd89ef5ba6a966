// writes: PROVIDED_BY
// returns: src (interface), dst (the service that provides it), at
// Which service an interface comes from: PROVIDES the other way round, so that what is needed can be followed in one direction.
MATCH (s:Service)-[r:PROVIDES]->(a:Api) WHERE coalesce(r.access, 'open') IN $labels AND s.access IN $labels AND a.access IN $labels
RETURN a.key AS src, s.key AS dst, max(coalesce(r.at, 0)) AS at
ORDER BY src, dst
