// writes: HAS_CONTRIBUTOR
// returns: src (repository), dst (person), prs, commits, reviews, first_at, last_at, at
// The reverse of CONTRIBUTES_TO, so that ways run both directions through a repository.
MATCH (p:Person)-[r:CONTRIBUTES_TO]->(d:Repo) WHERE counted(r)
RETURN d.key AS src, p.key AS dst, r.prs AS prs, r.commits AS commits, r.reviews AS reviews, r.first_at AS first_at,
  r.last_at AS last_at, r.at AS at
ORDER BY src, dst
