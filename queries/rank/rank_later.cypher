// kind: internal
// params: by: reviewers|bridges|clusters, since: int
// example: {by: reviewers, since: 0}
// returns: n
// How many of the relationships that a ranking rests on tell of something that happened after an instant.
CALL {
  MATCH (a:Person)-[r:REVIEWS_FOR]->(b:Person)
  WHERE $by = 'reviewers' AND r.at > $since AND visible(a) AND visible(b) AND current(r) AND counted(r)
  RETURN count(r) AS later
  UNION ALL
  MATCH (a:Person)-[r:CONTRIBUTES_TO]->(b:Repo)
  WHERE $by = 'bridges' AND r.at > $since AND visible(a) AND visible(b) AND current(r) AND counted(r)
  RETURN count(r) AS later
  UNION ALL
  MATCH (a:File)-[r:CO_CHANGES]->(b:File)
  WHERE $by = 'clusters' AND r.at > $since AND visible(a) AND visible(b) AND current(r) AND counted(r)
  RETURN count(r) AS later
}
RETURN sum(later) AS n LIMIT 1
