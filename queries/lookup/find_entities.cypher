// params: names: list[str] = [], prefix: str = "", labels: list[str] = [], k: int = 20
// example: {names: ["gatekeeper"]}
// returns: key, name, label, repo, how (key, name, alias or prefix)
// Entities that carry one of the names (as name, login, short name, path, tag, title or alias, case ignored), or whose
// name begins with the prefix. Commits and passages are not looked through.
CALL {
  MATCH (x:Person) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:Repo) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:Team) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:Service) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:Module) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:Project) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:System) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:Concept) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:Release) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:Directory) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:File) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:PullRequest) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:Issue) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:Doc) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:Api) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:Resource) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:Domain) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:Role) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:Channel) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:Decision) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:Rule) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:Ticket) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:Deploy) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:Alert) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  MATCH (x:Incident) WHERE visible(x)
  RETURN x, false AS called
  UNION ALL
  UNWIND $names AS n
  UNWIND ['team', 'service', 'module', 'project', 'system', 'domain', 'api', 'resource', 'role', 'channel', 'ticket', 'deploy', 'alert', 'incident'] AS kind
  UNWIND [n, toLower(n), toUpper(n)] AS form
  MATCH (x:Entity {key: kind + ':' + form}) WHERE visible(x) AND NOT x:Chunk
  RETURN x, true AS called
}
WITH x, called WHERE size($labels) = 0 OR any(l IN labels(x) WHERE l IN $labels)
WITH x, called, [n IN $names WHERE trim(n) <> '' | toLower(n)] AS names, toLower($prefix) AS prefix
WITH x, called, prefix, names, toLower(x.name) AS name, toLower(coalesce(x.login, x.short, x.tag, x.base, x.fingerprint, x.slot, '')) AS short
WITH DISTINCT x, CASE
  WHEN name IN names OR short IN names OR toLower(x.path) IN names OR toLower(x.title) IN names THEN 'name'
  WHEN any(v IN coalesce(x.aliases, x.names, x.terms, x.earlier_names, []) WHERE toLower(v) IN names) THEN 'alias'
  WHEN called OR toLower(x.key) IN names THEN 'key'
  WHEN prefix <> '' AND (name STARTS WITH prefix OR short STARTS WITH prefix) THEN 'prefix'
  END AS how
WHERE how IS NOT NULL
WITH x, min(CASE how WHEN 'name' THEN 0 WHEN 'alias' THEN 1 WHEN 'key' THEN 2 ELSE 3 END) AS rank
WITH x, ['name', 'alias', 'key', 'prefix'][rank] AS how
RETURN x.key AS key, x.name AS name, [l IN labels(x) WHERE l <> 'Entity'][0] AS label, x.repo AS repo, how, x
ORDER BY how = 'prefix', how = 'alias', how = 'name', size(x.name), key LIMIT $k
