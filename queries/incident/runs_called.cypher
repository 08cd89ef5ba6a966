// kind: internal
// params: names: list[str]
// example: {names: ["event bus"]}
// returns: key, name, label, forms, known
// Services and resources that are called so, in lower case and with a space for every hyphen and underscore: by name, by the rest of
// the key or by an alias; `forms` are those of the names that fit, `known` whether some source describes the thing.
MATCH (s:Entity) WHERE visible(s) AND (s:Service OR s:Resource)
WITH s, [f IN [s.name, split(s.key, ':')[1]] + coalesce(s.aliases, []) | replace(replace(toLower(f), '-', ' '), '_', ' ')] AS all_
WITH s, [f IN all_ WHERE f IN $names] AS forms WHERE size(forms) > 0
RETURN s.key AS key, s.name AS name, CASE WHEN s:Service THEN 'Service' ELSE 'Resource' END AS label, forms, s.unknown IS NULL AS known, s
ORDER BY label DESC, key LIMIT 5000
