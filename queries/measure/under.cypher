// kind: fragment
// takes: x
// params: files: list[str] = [], under: list[str] = []
// Keeps what changes one of the files, or something below one of the directories, by today's path or the path at that time. `under` are the beginnings of file keys.
MATCH (x)-[tf:TOUCHED]->(f:File)
WHERE visible(f) AND (f.key IN $files OR any(q IN $under WHERE f.key STARTS WITH q OR ('file:' + x.repo + '/' + tf.path) STARTS WITH q))
WITH DISTINCT x
