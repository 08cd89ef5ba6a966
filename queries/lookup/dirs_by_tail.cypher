// kind: internal
// params: tails: list[str]
// returns: key, path, repo
// Directories whose path, in lower case, is or ends in one of these.
MATCH (n:Directory) WHERE visible(n)
WITH n, toLower(coalesce(n.path, '')) AS p
WHERE any(t IN $tails WHERE p = t OR p ENDS WITH ('/' + t))
RETURN n.key AS key, n.path AS path, n.repo AS repo
ORDER BY size(path), key LIMIT 200
