// writes: EXPERT_IN
// returns: src (person), dst (service or module), score (tickets handled), last_at, at
// Who handled tickets of a service or module, by chat or by the ticket itself, two of them at least.
MATCH (t:Ticket)-[h:HANDLED_BY]->(p:Person)
WHERE t.gone IS NULL AND t.access IN $labels AND h.state = 'approved' AND h.access IN $labels
  AND h.valid_to IS NULL AND coalesce(p.bot, false) = false
WITH t, p, max(CASE WHEN h.recorded_at > 0 THEN h.recorded_at ELSE coalesce(t.closed_at, t.at, 0) END) AS at
MATCH (t)-[a:ABOUT]->(s) WHERE s:Service OR s:Module
WITH p, s, count(DISTINCT t) AS score, max(at) AS last_at WHERE score > 1
RETURN p.key AS src, s.key AS dst, score, last_at, last_at AS at
ORDER BY src, dst
