// kind: internal
// returns: key, title
// The latest rule, for measurements.
MATCH (r:Rule) WHERE visible(r)
RETURN r.key AS key, r.title AS title
ORDER BY coalesce(r.at, 0) DESC, key LIMIT 1
