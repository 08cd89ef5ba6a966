// kind: fragment
// params: files: list[str]
// Pull requests, and commits of the default branch, that change one of the files under any name it had.
MATCH (f:Entity:File) WHERE f.key IN $files AND visible(f)
MATCH (x)-[t:TOUCHED]->(f) WHERE visible(x) AND (x:PullRequest OR (x:Commit AND coalesce(x.on_default, true)))
WITH DISTINCT x
