// kind: fragment
// params: files: list[str] = [], under: list[str]
// Every change to something below one of the directories, or to one of the files.
MATCH (f:File) WHERE visible(f) AND (f.key IN $files OR any(q IN $under WHERE f.key STARTS WITH q OR any(v IN f.earlier_names WHERE ('file:' + f.repo + '/' + v) STARTS WITH q)))
WITH collect(f) AS places
