// kind: internal
// params: names: list[str], labels: list[str]
// example: {names: ["event-bus"], labels: ["Service"]}
// returns: key, label, how (name or alias)
// Things of these labels that are called so, in lower case: by name, title, login, short name, path, fingerprint or alias.
CALL {
  MATCH (x:Service) WHERE 'Service' IN $labels AND visible(x)
  RETURN x
  UNION ALL
  MATCH (x:System) WHERE 'System' IN $labels AND visible(x)
  RETURN x
  UNION ALL
  MATCH (x:Api) WHERE 'Api' IN $labels AND visible(x)
  RETURN x
  UNION ALL
  MATCH (x:Resource) WHERE 'Resource' IN $labels AND visible(x)
  RETURN x
  UNION ALL
  MATCH (x:Module) WHERE 'Module' IN $labels AND visible(x)
  RETURN x
  UNION ALL
  MATCH (x:Project) WHERE 'Project' IN $labels AND visible(x)
  RETURN x
  UNION ALL
  MATCH (x:Team) WHERE 'Team' IN $labels AND visible(x)
  RETURN x
  UNION ALL
  MATCH (x:Domain) WHERE 'Domain' IN $labels AND visible(x)
  RETURN x
  UNION ALL
  MATCH (x:Repo) WHERE 'Repo' IN $labels AND visible(x)
  RETURN x
  UNION ALL
  MATCH (x:Doc) WHERE 'Doc' IN $labels AND visible(x)
  RETURN x
  UNION ALL
  MATCH (x:Decision) WHERE 'Decision' IN $labels AND visible(x)
  RETURN x
  UNION ALL
  MATCH (x:Rule) WHERE 'Rule' IN $labels AND visible(x)
  RETURN x
  UNION ALL
  MATCH (x:Ticket) WHERE 'Ticket' IN $labels AND visible(x)
  RETURN x
  UNION ALL
  MATCH (x:Alert) WHERE 'Alert' IN $labels AND visible(x)
  RETURN x
  UNION ALL
  MATCH (x:Incident) WHERE 'Incident' IN $labels AND visible(x)
  RETURN x
  UNION ALL
  MATCH (x:Deploy) WHERE 'Deploy' IN $labels AND visible(x)
  RETURN x
  UNION ALL
  MATCH (x:Role) WHERE 'Role' IN $labels AND visible(x)
  RETURN x
  UNION ALL
  MATCH (x:Channel) WHERE 'Channel' IN $labels AND visible(x)
  RETURN x
  UNION ALL
  MATCH (x:Person) WHERE 'Person' IN $labels AND visible(x)
  RETURN x
}
WITH x, CASE
  WHEN any(n IN [x.name, x.title, x.login, x.short, x.path, x.fingerprint, x.slot] WHERE toLower(n) IN $names) THEN 'name'
  WHEN any(n IN coalesce(x.aliases, x.names, []) WHERE toLower(n) IN $names) THEN 'alias'
  END AS how
WHERE how IS NOT NULL
RETURN x.key AS key, [l IN labels(x) WHERE l <> 'Entity'][0] AS label, how
ORDER BY how DESC, key LIMIT 200
