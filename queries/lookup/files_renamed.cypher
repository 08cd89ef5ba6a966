// kind: internal
// params: tails: list[str]
// returns: key, path, repo, earlier
// Files that once had a name that is or ends in one of these lower-case tails.
UNWIND $tails AS t
MATCH (n:File) WHERE visible(n) AND n.earlier_names IS NOT NULL
UNWIND n.earlier_names AS e
WITH n, t, toLower(e) AS was
WHERE was = t OR was ENDS WITH ('/' + t)
RETURN DISTINCT n.key AS key, n.path AS path, n.repo AS repo, n.earlier_names AS earlier
ORDER BY key LIMIT 200
