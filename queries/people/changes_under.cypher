// kind: fragment
// params: files: list[str] = [], under: list[str]
// Pull requests, and commits of the default branch, that change something below one of the directories, by today's path or
// the path at that time. `under` are the beginnings of file keys.
MATCH (x)-[t:TOUCHED]->(f:File)
WHERE visible(x) AND visible(f) AND (x:PullRequest OR (x:Commit AND coalesce(x.on_default, true)))
  AND (f.key IN $files OR any(q IN $under WHERE f.key STARTS WITH q OR ('file:' + x.repo + '/' + t.path) STARTS WITH q))
WITH DISTINCT x
