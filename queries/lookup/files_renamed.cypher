// kind: internal
// params: tails: list[str]
// returns: key, path, repo, earlier
// Files that once had a name ending in one of these lower-case tails.
MATCH (n:File) WHERE visible(n) AND n.earlier_names IS NOT NULL AND size(n.earlier_names) > 0
AND any(e IN n.earlier_names WHERE any(t IN $tails WHERE toLower(e) = t OR toLower(e) ENDS WITH ('/' + t)))
RETURN n.key AS key, n.path AS path, n.repo AS repo, n.earlier_names AS earlier
ORDER BY key LIMIT 200
