// kind: internal
// returns: src (person), dst (repository), bot
// Who had changes accepted in which repository.
MATCH (p:Person)-[r:CONTRIBUTES_TO]->(o:Repo) WHERE visible(p) AND visible(o) AND current(r) AND counted(r)
RETURN p.key AS src, o.key AS dst, coalesce(p.bot, false) AS bot
ORDER BY src, dst LIMIT 1000000
