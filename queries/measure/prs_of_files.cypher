// kind: fragment
// params: files: list[str]
// Pull requests that change one of the files, under any name it had.
MATCH (f:Entity:File) WHERE f.key IN $files AND visible(f)
MATCH (x:PullRequest)-[t:TOUCHED]->(f) WHERE visible(x)
WITH DISTINCT x
