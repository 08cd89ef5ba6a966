// kind: internal
// returns: src, dst, n
// Which files change together, and how often.
MATCH (f:File)-[r:CO_CHANGES]->(o:File) WHERE visible(f) AND visible(o) AND current(r) AND counted(r)
RETURN f.key AS src, o.key AS dst, r.n AS n
ORDER BY src, dst LIMIT 1000000
