// kind: fragment
// takes: x, p, e
// params: limit: int = 50
// The reviews or comments in order, with how many there are in all.
WITH p, e, x, t AS at ORDER BY at, x.key, p.key, e.id
WITH collect([p, e, x, at]) AS found
WITH found[..$limit] AS some, size(found) AS total
UNWIND some AS hit
WITH hit[0] AS p, hit[1] AS e, hit[2] AS x, hit[3] AS at, total
RETURN x.key AS key, coalesce(x.title, x.name) AS name, [l IN labels(x) WHERE l <> 'Entity'][0] AS label, x.repo AS repo,
  e.state AS state, p.key AS person, at, total, x, p, e
ORDER BY at, key, person, e.id LIMIT 10000
