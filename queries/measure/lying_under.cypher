// kind: fragment
// takes: x
// params: files: list[str] = [], under: list[str] = []
// The files named, and those below one of the directories.
  AND (x.key IN $files OR any(q IN $under WHERE x.key STARTS WITH q))
