// writes: CODE_IN
// returns: src (service), dst (the directory or repository), at
// Where the code of a service lies: the directory or repository it is part of, else the directory and repository that it names, else
// the repository called like it. The nearest place counts.
MATCH (s:Service) WHERE s.access IN $labels
OPTIONAL MATCH (s)-[p:PART_OF]->(d) WHERE (d:Directory OR d:Repo) AND d.access IN $labels AND coalesce(p.access, 'open') IN $labels
WITH s, collect(d) AS told
OPTIONAL MATCH (f:Entity:Directory {key: 'dir:' + s.repo + '/' + s.path}) WHERE f.access IN $labels
OPTIONAL MATCH (g:Entity:Repo {key: 'repo:' + s.repo}) WHERE g.access IN $labels
WITH s, CASE WHEN any(d IN told WHERE d:Directory) THEN [d IN told WHERE d:Directory] WHEN f IS NOT NULL THEN [f]
  WHEN size(told) > 0 THEN told WHEN g IS NOT NULL THEN [g] ELSE [] END AS places
OPTIONAL MATCH (h:Repo) WHERE h.access IN $labels AND size(places) = 0 AND toLower(h.short) = toLower(s.name)
WITH s, places, collect(h) AS named
UNWIND places + named AS d
RETURN DISTINCT s.key AS src, d.key AS dst, 0 AS at
ORDER BY src, dst
