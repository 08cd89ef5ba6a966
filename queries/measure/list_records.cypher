// kind: fragment
// takes: x
// params: limit: int = 50, order: newest|oldest|key = newest
// The records in order, with how many there are in all.
WITH x, max(t) AS at
WITH x, at, CASE $order WHEN 'oldest' THEN at WHEN 'newest' THEN -at ELSE 0 END AS turn
ORDER BY turn, x.key
WITH collect([x, at, turn]) AS found
WITH found[..$limit] AS some, size(found) AS total
UNWIND some AS hit
WITH hit[0] AS x, hit[1] AS at, hit[2] AS turn, total
OPTIONAL MATCH (x)-[w:ASSIGNED_TO]->(a) WHERE visible(x) AND visible(a) AND NOT a:Chunk AND current(w)
WITH x, at, turn, total, a, w ORDER BY a.key
WITH x, at, turn, total, collect(a) AS assigned, collect(w) AS assignments
OPTIONAL MATCH (a)-[w:OPENED|WROTE|DECIDED]->(x) WHERE visible(x) AND visible(a) AND NOT a:Chunk AND current(w)
WITH x, at, turn, total, assigned, assignments, a, w ORDER BY type(w) = 'DECIDED', a.key
WITH x, at, turn, total, assigned, assignments, collect(a) AS authors, collect(w) AS wrote
OPTIONAL MATCH (x)-[b:ABOUT|FIRED_ON|DEPLOYED_TO|APPLIES_TO]->(y) WHERE visible(x) AND visible(y) AND current(b) AND (y:Service OR y:Module OR y:Resource OR y:Team)
WITH x, at, turn, total, assigned, assignments, authors, wrote, y, b ORDER BY y.key
WITH x, at, turn, total, assigned, assignments, authors, wrote, collect(y) AS things, collect(b) AS about
RETURN x.key AS key, coalesce(x.title, x.name) AS name, [l IN labels(x) WHERE l <> 'Entity'][0] AS label,
  CASE WHEN coalesce(x.closed_at, x.ended_at) > $as_of THEN 'open' ELSE coalesce(x.status, x.state, x.stated) END AS state,
  coalesce(authors[0].key, x.author) AS author, assigned[0].key AS assignee, things[0].key AS about, coalesce(x.priority, x.severity) AS priority, x.kind AS type,
  at, total, turn, x, authors, wrote, assigned, assignments, things, about AS abouts
ORDER BY turn, key LIMIT 10000
