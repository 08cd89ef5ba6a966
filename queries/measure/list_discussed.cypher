// kind: fragment
// takes: x
// params: limit: int = 50
// The items by how many comments they have, with how many there are in all.
WITH x, max(t) AS at
OPTIONAL MATCH (p:Person)-[said:COMMENTED_ON]->(x) WHERE visible(p) AND current(said)
WITH x, at, count(said) AS n ORDER BY n DESC, x.key
WITH collect([x, at, n]) AS found
WITH found[..$limit] AS some, size(found) AS total
UNWIND some AS hit
WITH hit[0] AS x, hit[1] AS at, hit[2] AS n, total
OPTIONAL MATCH (a:Person)-[w:AUTHORED|OPENED]->(x) WHERE visible(a) AND current(w) AND coalesce(w.co, false) = false
WITH x, at, n, total, collect(a) AS authors, collect(w) AS wrote
RETURN x.key AS key, coalesce(x.title, x.subject, x.name) AS name, [l IN labels(x) WHERE l <> 'Entity'][0] AS label, x.repo AS repo,
  CASE WHEN x.created_at IS NULL THEN null WHEN x.merged_at <= $as_of THEN 'merged' WHEN x.closed_at <= $as_of THEN 'closed' ELSE 'open' END AS state,
  authors[0].key AS author, at, n, total, x, authors, wrote
ORDER BY n DESC, key LIMIT 10000
