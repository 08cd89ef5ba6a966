// kind: internal
// params: keys: list[str], besides: str = ""
// example: {keys: ["person:ilse-v"]}
// returns: key, name, open (tickets assigned to them now that are not closed), departed_at, bot, real (no name made up, or of whom nothing is known)
// People with what they have to do already, one ticket left out: whether they can be asked, and how much waits for them.
MATCH (p:Entity:Person) WHERE p.key IN $keys AND visible(p)
OPTIONAL MATCH (x:Ticket)-[r:ASSIGNED_TO]->(p) WHERE visible(x) AND visible(p) AND current(r) AND x.key <> $besides
  AND coalesce(x.closed_at, x.ended_at, CASE WHEN toLower(coalesce(x.state, x.status, '')) IN ['done', 'closed', 'resolved', 'fixed', 'solved', 'completed', 'cancelled', 'canceled', 'declined'] THEN 0 ELSE 9999999999 END) > $as_of
WITH p, x ORDER BY x.key
WITH p, collect(DISTINCT x) AS xs
RETURN p.key AS key, p.name AS name, size(xs) AS open, p.departed_at AS departed_at, coalesce(p.bot, false) AS bot,
  NOT (coalesce(p.generated, false) OR coalesce(p.unknown, false)) AS real, p
ORDER BY key LIMIT 500
