// kind: internal
// params: path: str, repos: list[str] = []
// example: {path: "readme.md"}
// returns: key, label, repo, path, how (path, earlier or tail)
// Files and directories that are called this, or were, or whose path ends in it; case ignored. `path` comes in lower case.
CALL {
  MATCH (x:File) WHERE visible(x)
  RETURN x
  UNION ALL
  MATCH (x:Directory) WHERE visible(x)
  RETURN x
}
WITH x WHERE size($repos) = 0 OR x.repo IN $repos
WITH x, CASE
  WHEN toLower(x.path) = $path THEN 'path'
  WHEN any(v IN x.earlier_names WHERE toLower(v) = $path) THEN 'earlier'
  WHEN toLower(x.path) ENDS WITH ('/' + $path) THEN 'tail'
  WHEN any(v IN x.earlier_names WHERE toLower(v) ENDS WITH ('/' + $path)) THEN 'tail'
  END AS how
WHERE how IS NOT NULL
RETURN x.key AS key, [l IN labels(x) WHERE l <> 'Entity'][0] AS label, x.repo AS repo, x.path AS path, how, x
ORDER BY how, size(x.path), key LIMIT 500
