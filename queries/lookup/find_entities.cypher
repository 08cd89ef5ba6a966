// params: names: list[str] = [], prefix: str = "", labels: list[str] = [], k: int = 20
// example: {names: ["base-drafts"]}
// returns: key, name, label, repo, how (key, name, alias or prefix)
// Entities that carry one of the names (as name, login, short name, path, tag, title or alias, case ignored), or whose
// name begins with the prefix. Commits and passages are not looked through.
WITH [n IN $names | toLower(n)] AS names, toLower($prefix) AS prefix
MATCH (x:Entity)
WHERE NOT x:Chunk AND NOT x:Commit AND visible(x) AND (size($labels) = 0 OR any(l IN labels(x) WHERE l IN $labels))
WITH x, prefix, CASE
  WHEN toLower(x.key) IN names THEN 'key'
  WHEN toLower(x.name) IN names OR toLower(x.login) IN names OR toLower(x.short) IN names OR toLower(x.tag) IN names THEN 'name'
  WHEN toLower(x.path) IN names OR toLower(x.base) IN names THEN 'name'
  WHEN any(v IN x.aliases WHERE toLower(v) IN names) OR any(v IN x.names WHERE toLower(v) IN names) THEN 'alias'
  WHEN any(v IN x.terms WHERE toLower(v) IN names) OR any(v IN x.earlier_names WHERE toLower(v) IN names) THEN 'alias'
  WHEN prefix <> '' AND (toLower(x.name) STARTS WITH prefix OR toLower(x.login) STARTS WITH prefix
    OR toLower(x.short) STARTS WITH prefix OR toLower(x.base) STARTS WITH prefix) THEN 'prefix'
  END AS how
WHERE how IS NOT NULL
RETURN x.key AS key, x.name AS name, [l IN labels(x) WHERE l <> 'Entity'][0] AS label, x.repo AS repo, how, x
ORDER BY how = 'prefix', how = 'alias', how = 'name', size(x.name), key LIMIT $k
