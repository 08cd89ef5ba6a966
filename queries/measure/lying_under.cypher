// kind: fragment
// takes: x
// params: files: list[str] = [], under: list[str] = []
// Keeps the files named, and those below one of the directories.
WITH * WHERE x.key IN $files OR any(q IN $under WHERE x.key STARTS WITH q)
