// writes: KNOWS
// returns: src (person), dst (service), authored and reviewed (pull requests), commits, last_at, at
// Who changed or reviewed the code of which service: KNOWS of the places where its code lies.
MATCH (p:Person)-[k:KNOWS]->(d)<-[c:CODE_IN]-(s:Service) WHERE counted(k) AND counted(c) AND s.access IN $labels
RETURN p.key AS src, s.key AS dst, toInteger(sum(k.authored)) AS authored, toInteger(sum(k.reviewed)) AS reviewed,
  toInteger(sum(k.commits)) AS commits, max(k.last_at) AS last_at, max(k.last_at) AS at
ORDER BY src, dst
