// kind: internal
// params: bases: list[str]
// returns: key, path, repo, earlier, exists
// Files whose last path part, in lower case, is one of these; earlier names are found by files_renamed.
UNWIND $bases AS b
MATCH (n:File {base: b}) WHERE visible(n)
RETURN n.key AS key, n.path AS path, n.repo AS repo, n.earlier_names AS earlier, coalesce(n.exists, true) AS exists
ORDER BY exists DESC, size(path), key LIMIT 500
