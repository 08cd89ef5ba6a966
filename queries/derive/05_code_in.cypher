// writes: CODE_IN
// returns: src (service), dst (the directory or repository), at, access
// Where the code of a service lies: the directory or repository it is part of, else the one its `repo` names (a path behind the
// repository is a directory), else the repository called like it. The nearest place counts.
MATCH (s:Service)
OPTIONAL MATCH (s)-[p:PART_OF]->(d) WHERE d:Directory OR d:Repo
WITH s, collect(d) AS told
WITH s, told, split(coalesce(s.repo, ''), '/') AS parts
OPTIONAL MATCH (f:Entity:Directory {key: 'dir:' + s.repo}) WHERE size(parts) > 2
OPTIONAL MATCH (g:Entity:Repo {key: 'repo:' + parts[0] + '/' + parts[1]})
WITH s, CASE WHEN any(d IN told WHERE d:Directory) THEN [d IN told WHERE d:Directory] WHEN size(told) > 0 THEN told
  WHEN f IS NOT NULL THEN [f] WHEN g IS NOT NULL THEN [g] ELSE [] END AS places
OPTIONAL MATCH (h:Repo) WHERE size(places) = 0 AND toLower(h.short) = toLower(s.name)
WITH s, places, collect(h) AS named
UNWIND places + named AS d
RETURN DISTINCT s.key AS src, d.key AS dst, 0 AS at, 'open' AS access
ORDER BY src, dst
