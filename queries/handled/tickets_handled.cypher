// kind: internal
// params: key: str, since: int = 0, half_life_days: float = 180, k: int = 10
// example: {key: "service:map-tiles"}
// returns: key, name, tickets, verified, fixed, last_at, score, departed, systems, examples (keys of the newest), people (in all)
// Who handled the tickets about something, of a team the tickets about what it owns, of a system those about its parts, of a ticket
// that ticket: people by how many, each counting half after every half-life; by what chat and the tickets themselves say.
MATCH (x:Entity {key: $key}) WHERE visible(x) AND NOT x:Chunk
CALL {
  WITH x
  MATCH (t:Ticket)-[a:ABOUT|MODIFIES]->(x) WHERE visible(t) AND visible(x) AND current(a)
  RETURN t, collect(a)[..1] AS links, [] AS between
  UNION ALL
  WITH x
  MATCH (t:Entity {key: x.key}) WHERE visible(t) AND NOT t:Chunk AND (t:Ticket OR t:Incident OR t:Alert)
  RETURN t, [] AS links, [] AS between
  UNION ALL
  WITH x
  MATCH (x)-[o:OWNS]->(s:Entity)<-[a:ABOUT]-(t:Ticket) WHERE visible(t) AND visible(s) AND visible(x) AND current(o) AND current(a) AND NOT s:Chunk AND x:Team
  RETURN t, collect(a)[..1] + collect(o)[..1] AS links, collect(s)[..1] AS between
  UNION ALL
  WITH x
  MATCH (x)<-[o:PART_OF]-(s:Service)<-[a:ABOUT]-(t:Ticket) WHERE visible(t) AND visible(s) AND visible(x) AND current(o) AND current(a) AND x:System
  RETURN t, collect(a)[..1] AS links, collect(s)[..1] AS between
}
WITH DISTINCT x, t, links, between
MATCH (t)-[h:HANDLED_BY]->(p:Person) WHERE visible(t) AND visible(p) AND current(h) AND coalesce(p.bot, false) = false
WITH x, p, t, links, between, h.what AS what, h,
  CASE WHEN h.recorded_at > 0 THEN h.recorded_at WHEN t.closed_at <= $as_of THEN t.closed_at ELSE coalesce(t.created_at, t.at, 0) END AS at
WHERE at >= $since
WITH x, p, t, max(at) AS at, collect(what) AS whats, collect(h)[0] AS h, collect(links)[0] AS links, collect(between)[0] AS between
WITH x, p, t, at, whats, h, links, between ORDER BY at DESC, t.key
WITH x, p, count(t) AS tickets, max(at) AS last_at, sum(exp(-0.693147 * ($as_of - at) / (86400.0 * $half_life_days))) AS score,
  toInteger(sum(CASE WHEN any(w IN whats WHERE w = 'verified') THEN 1 ELSE 0 END)) AS verified,
  toInteger(sum(CASE WHEN any(w IN whats WHERE w IN ['fixed', 'resolved', 'closed']) THEN 1 ELSE 0 END)) AS fixed,
  collect(DISTINCT t.system) AS systems, collect(t)[..3] AS newest, collect(h)[..3] AS handled, collect(links)[..3] AS links, collect(between)[..3] AS between
ORDER BY score DESC, p.key
WITH x, collect([p, tickets, last_at, score, verified, fixed, systems, newest, handled, links, between]) AS found
WITH x, found[..$k] AS best, size(found) AS people
UNWIND best AS row
WITH x, people, row[0] AS p, row[1] AS tickets, row[2] AS last_at, row[3] AS score, row[4] AS verified, row[5] AS fixed, row[6] AS systems,
  row[7] AS newest, row[8] AS handled, row[9] AS links, row[10] AS between
RETURN p.key AS key, p.name AS name, tickets, verified, fixed, last_at, score, coalesce(p.departed_at, 9999999999) <= $as_of AS departed, systems,
  [t IN newest | t.key] AS examples, people, x, p, newest, handled, links, between
ORDER BY score DESC, key LIMIT 1000
