// writes: KNOWS
// returns: src (person), dst (directory), authored and reviewed (pull requests), commits, last_at, at
// Who changed or reviewed something in which directory, the directories above included.
MATCH (p:Person)-[w:AUTHORED|REVIEWED]->(x:Entity)
WHERE x.gone IS NULL AND x.access IN $labels AND coalesce(p.bot, false) = false
  AND (x:PullRequest OR (x:Commit AND coalesce(x.on_default, true) AND coalesce(x.merge, false) = false))
WITH p, x, max(coalesce(w.at, x.at)) AS at, sum(CASE WHEN type(w) = 'AUTHORED' THEN 1 ELSE 0 END) AS wrote
MATCH (x)-[t:TOUCHED]->(f:File)-[i:IN_DIR*1..12]->(d:Directory) WHERE coalesce(x.n_files, 0) <= 100 AND f.access IN $labels AND endNode(i).access IN $labels
WITH DISTINCT p, x, at, wrote, d
WITH p, d, sum(CASE WHEN wrote > 0 AND x:PullRequest THEN 1 ELSE 0 END) AS authored, sum(CASE WHEN wrote = 0 THEN 1 ELSE 0 END) AS reviewed,
  sum(CASE WHEN x:Commit THEN 1 ELSE 0 END) AS commits, max(at) AS last_at
RETURN p.key AS src, d.key AS dst, toInteger(authored) AS authored, toInteger(reviewed) AS reviewed, toInteger(commits) AS commits,
  last_at, last_at AS at
ORDER BY src, dst
