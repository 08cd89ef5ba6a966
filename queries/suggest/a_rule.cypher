// kind: internal
// returns: key, title, n
// The rule that was stated most often, for suggestions and measurements: its latest statement, and how many there are.
MATCH (r:Rule) WHERE visible(r) AND r.slot IS NOT NULL
WITH r ORDER BY coalesce(r.at, 0) DESC, r.key
WITH r.slot AS slot, collect(r) AS stated
RETURN stated[0].key AS key, stated[0].title AS title, size(stated) AS n
ORDER BY n DESC, key LIMIT 1
