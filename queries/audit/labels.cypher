// kind: audit
// returns: label, access, n
// How many things of each type carry each access label, and how many carry none (access is null). What waits for a person's decision
// counts under the label that it waits for.
MATCH (x:Entity) WHERE coalesce(x.at, 0) <= $as_of AND coalesce(x.gone, 9999999999) > $as_of
UNWIND labels(x) AS label
WITH label, coalesce(x.access, x.waits) AS access, count(x) AS n WHERE label <> 'Entity'
RETURN label, access, n
ORDER BY label, access LIMIT 500
