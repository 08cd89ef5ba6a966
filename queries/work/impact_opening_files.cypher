// kind: fragment
// params: files: list[str]
// Every change to one of the files.
MATCH (f:Entity:File) WHERE f.key IN $files AND visible(f)
WITH collect(f) AS places
