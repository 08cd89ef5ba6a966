// kind: internal
// params: names: list[str]
// returns: key, label, forms, at
// Tickets, deployments, alerts and incidents that bear one of these names: the rest of their key, a fingerprint or a title,
// all in lower case; the latest first.
MATCH (n:Entity:Ticket) WHERE visible(n)
WITH n, [f IN [toLower(substring(n.key, 7))] WHERE f IN $names] AS forms
WHERE size(forms) > 0
RETURN n.key AS key, 'Ticket' AS label, forms, n.at AS at
ORDER BY at DESC, key LIMIT 50
UNION ALL
MATCH (n:Entity:Deploy) WHERE visible(n)
WITH n, [f IN [toLower(substring(n.key, 7))] WHERE f IN $names] AS forms
WHERE size(forms) > 0
RETURN n.key AS key, 'Deploy' AS label, forms, n.at AS at
ORDER BY at DESC, key LIMIT 50
UNION ALL
MATCH (n:Entity:Incident) WHERE visible(n)
WITH n, [f IN [toLower(substring(n.key, 9)), toLower(n.title), toLower(n.name)] WHERE f IN $names] AS forms
WHERE size(forms) > 0
RETURN n.key AS key, 'Incident' AS label, forms, n.at AS at
ORDER BY at DESC, key LIMIT 50
UNION ALL
MATCH (n:Entity:Alert) WHERE visible(n)
WITH n, [f IN [toLower(substring(n.key, 6)), toLower(n.fingerprint), toLower(n.title), toLower(n.name)] WHERE f IN $names] AS forms
WHERE size(forms) > 0
RETURN n.key AS key, 'Alert' AS label, forms, n.at AS at
ORDER BY at DESC, key LIMIT 50
