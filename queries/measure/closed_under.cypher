// kind: fragment
// takes: x
// params: files: list[str] = [], under: list[str] = []
// Keeps issues closed by a change to one of the files, or to something below one of the directories.
MATCH (y:PullRequest)-[cl:CLOSES]->(x) WHERE visible(y) AND current(cl)
MATCH (y)-[tf:TOUCHED]->(f:File)
WHERE visible(f) AND (f.key IN $files OR any(q IN $under WHERE f.key STARTS WITH q OR ('file:' + y.repo + '/' + tf.path) STARTS WITH q))
WITH DISTINCT x
