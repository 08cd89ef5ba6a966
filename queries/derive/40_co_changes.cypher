// writes: CO_CHANGES
// returns: src, dst (files, in the order of their keys), n (changes that touched both), last_at, at
// Which files change together: in at least two pull requests, or commits that belong to none, of at most thirty files.
MATCH (x:Entity)-[t:TOUCHED]->(f:File)
WHERE x.gone IS NULL AND x.access IN $labels AND f.access IN $labels AND (x:PullRequest OR (x:Commit AND coalesce(x.on_default, true) AND coalesce(x.merge, false) = false))
WITH x, collect(DISTINCT f) AS files WHERE size(files) > 1 AND size(files) <= 30
OPTIONAL MATCH (w:PullRequest)-[i:INCLUDES]->(x) WHERE w.gone IS NULL AND w.access IN $labels
WITH x, files, count(i) AS inside WHERE inside = 0
UNWIND files AS a
UNWIND files AS b
WITH x, a, b WHERE a.key < b.key
WITH a, b, count(x) AS n, max(coalesce(x.merged_at, x.at)) AS last_at
WHERE n >= 2
RETURN a.key AS src, b.key AS dst, n, last_at, last_at AS at
ORDER BY src, dst
