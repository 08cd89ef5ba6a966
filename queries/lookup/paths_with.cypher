// kind: internal
// params: word: str, repos: list[str] = [], k: int = 40
// example: {word: "modbus"}
// returns: key, label, repo, path
// Directories and files with the word in their own name, the shortest paths first; case ignored. `word` comes in lower case.
CALL {
  MATCH (x:Directory) WHERE visible(x) AND x.path <> ''
  RETURN x
  UNION ALL
  MATCH (x:File) WHERE visible(x)
  RETURN x
}
WITH x WHERE (size($repos) = 0 OR x.repo IN $repos) AND toLower(split(x.path, '/')[-1]) CONTAINS $word
RETURN x.key AS key, [l IN labels(x) WHERE l <> 'Entity'][0] AS label, x.repo AS repo, x.path AS path, x
ORDER BY size(x.path), key LIMIT $k
