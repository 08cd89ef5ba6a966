// kind: internal
// params: tails: list[str]
// returns: key, path, repo
// Directories whose path, in lower case, is or ends in one of these.
UNWIND $tails AS t
MATCH (n:Directory) WHERE visible(n) AND n.path <> '' AND (toLower(n.path) = t OR toLower(n.path) ENDS WITH ('/' + t))
RETURN DISTINCT n.key AS key, n.path AS path, n.repo AS repo
ORDER BY size(path), key LIMIT 200
