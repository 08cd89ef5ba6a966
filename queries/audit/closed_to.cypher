// kind: audit
// params: keys: list[str], labels: list[str] = [], groups: list[str] = []
// returns: key, aud
// Which of these things somebody may not read who may read those access labels and is in those groups, whatever the instant; and
// the groups that may.
UNWIND $keys AS k
MATCH (x:Entity {key: k}) WHERE NOT coalesce(x.access IN $labels OR any(g IN x.aud WHERE g IN $groups), false)
RETURN DISTINCT x.key AS key, x.aud AS aud
ORDER BY key LIMIT 100000
