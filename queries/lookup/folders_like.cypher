// kind: internal
// params: path: str, repos: list[str] = []
// example: {path: "docs"}
// returns: repo, path, n
// Directories that hold files, or held them, also where no directory of that name is left; case ignored. `path` comes in
// lower case and without slashes at its ends.
MATCH (f:File) WHERE visible(f) AND (size($repos) = 0 OR f.repo IN $repos)
WITH f, [v IN coalesce(f.earlier_names, []) + [f.path] WHERE toLower(v) STARTS WITH ($path + '/')] AS held
WHERE size(held) > 0
RETURN f.repo AS repo, substring(held[0], 0, size($path)) AS path, count(f) AS n
ORDER BY repo, path LIMIT 100
