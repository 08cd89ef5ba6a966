// kind: internal
// params: words: str, k: int = 20
// returns: key, name, label
// Things the viewer may read whose name or key holds the words (in lower case): those called exactly so first, then the shortest names.
MATCH (x:Entity) WHERE visible(x) AND NOT x:Chunk AND (toLower(x.name) CONTAINS $words OR toLower(x.key) CONTAINS $words)
WITH x.key AS key, x.name AS name, labels(x) AS label, CASE WHEN toLower(x.name) = $words THEN 0 ELSE 1 END AS other, size(x.name) AS long
RETURN key, name, label
ORDER BY other, long, key LIMIT $k
