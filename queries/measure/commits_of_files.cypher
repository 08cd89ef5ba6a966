// kind: fragment
// params: files: list[str]
// Those that change one of the files, under any name it had; a change of several of them comes several times.
MATCH (f:Entity:File) WHERE f.key IN $files AND visible(f)
MATCH (x:Commit)-[tf:TOUCHED]->(f) WHERE visible(x)
