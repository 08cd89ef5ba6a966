// kind: internal
// returns: src (who reviewed), dst (whose change it was, null for who reviewed nobody's), n, bot
// Everybody, with whose changes they reviewed and how often.
MATCH (p:Person) WHERE visible(p)
OPTIONAL MATCH (p)-[r:REVIEWS_FOR]->(a:Person) WHERE visible(a) AND current(r) AND counted(r)
RETURN p.key AS src, a.key AS dst, r.n AS n, coalesce(p.bot, false) AS bot
ORDER BY src, dst LIMIT 1000000
