// kind: internal
// returns: key, title
// The latest decision, for measurements.
MATCH (d:Decision) WHERE visible(d)
RETURN d.key AS key, d.title AS title
ORDER BY coalesce(d.at, 0) DESC, key LIMIT 1
