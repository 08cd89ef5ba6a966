// kind: internal
// returns: key, label, names, number
// Everything of a company that has a name of its own, with all its names, for the entity linker; tickets, deployments,
// alerts and incidents are many and are found by things_named.
MATCH (n:Entity:Team) WHERE visible(n)
RETURN n.key AS key, 'Team' AS label, [n.name] + coalesce(n.aliases, []) AS names, null AS number
ORDER BY key LIMIT 20000
UNION ALL
MATCH (n:Entity:Service) WHERE visible(n)
RETURN n.key AS key, 'Service' AS label, [n.name] + coalesce(n.aliases, []) AS names, null AS number
ORDER BY key LIMIT 20000
UNION ALL
MATCH (n:Entity:Module) WHERE visible(n)
RETURN n.key AS key, 'Module' AS label, [n.name] + coalesce(n.aliases, []) AS names, null AS number
ORDER BY key LIMIT 20000
UNION ALL
MATCH (n:Entity:Project) WHERE visible(n)
RETURN n.key AS key, 'Project' AS label, [n.name] + coalesce(n.aliases, []) AS names, null AS number
ORDER BY key LIMIT 20000
UNION ALL
MATCH (n:Entity:System) WHERE visible(n)
RETURN n.key AS key, 'System' AS label, [n.name] + coalesce(n.aliases, []) AS names, null AS number
ORDER BY key LIMIT 20000
UNION ALL
MATCH (n:Entity:Domain) WHERE visible(n)
RETURN n.key AS key, 'Domain' AS label, [n.name] + coalesce(n.aliases, []) AS names, null AS number
ORDER BY key LIMIT 20000
UNION ALL
MATCH (n:Entity:Api) WHERE visible(n)
RETURN n.key AS key, 'Api' AS label, [n.name] + coalesce(n.aliases, []) AS names, null AS number
ORDER BY key LIMIT 20000
UNION ALL
MATCH (n:Entity:Resource) WHERE visible(n)
RETURN n.key AS key, 'Resource' AS label, [n.name] + coalesce(n.aliases, []) AS names, null AS number
ORDER BY key LIMIT 20000
UNION ALL
MATCH (n:Entity:Role) WHERE visible(n)
RETURN n.key AS key, 'Role' AS label, [n.name] + coalesce(n.aliases, []) AS names, null AS number
ORDER BY key LIMIT 20000
UNION ALL
MATCH (n:Entity:Channel) WHERE visible(n)
RETURN n.key AS key, 'Channel' AS label, [n.name] + coalesce(n.aliases, []) AS names, null AS number
ORDER BY key LIMIT 20000
UNION ALL
MATCH (n:Entity:Doc) WHERE visible(n)
RETURN n.key AS key, 'Doc' AS label, [n.name, n.title, n.path] + coalesce(n.aliases, []) AS names, null AS number
ORDER BY key LIMIT 50000
UNION ALL
MATCH (n:Entity:Decision) WHERE visible(n)
RETURN n.key AS key, 'Decision' AS label, [n.name, n.title] AS names, n.number AS number
ORDER BY key LIMIT 20000
UNION ALL
MATCH (n:Entity:Rule) WHERE visible(n)
RETURN n.key AS key, 'Rule' AS label, [n.name, n.title, n.slot] AS names, null AS number
ORDER BY key LIMIT 20000
