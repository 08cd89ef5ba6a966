// params: role: str = "reviewer", since: int = 0, until: int? = null, k: int = 10, least: int = 1
// example: {role: "reviewer"}
// returns: key, name, n, repos
// People by the number of repositories in which they reviewed other people's pull requests, or had pull requests merged;
// only people in at least so many.
MATCH (p:Entity:Person)-[r:REVIEWED|AUTHORED]->(x:PullRequest)
WHERE visible(p) AND visible(x) AND current(r) AND coalesce(p.bot, false) = false
  AND ((type(r) = 'REVIEWED' AND $role = 'reviewer' AND r.at >= $since AND r.at < coalesce($until, 9999999999)
        AND toLower(coalesce(x.author, '')) <> toLower(coalesce(p.login, '?')))
    OR (type(r) = 'AUTHORED' AND $role = 'author' AND x.merged_at <= $as_of AND x.merged_at >= $since AND x.merged_at < coalesce($until, 9999999999)))
WITH p, collect(DISTINCT x.repo) AS repos
WITH p, repos WHERE size(repos) >= $least
RETURN p.key AS key, p.name AS name, size(repos) AS n, repos, p
ORDER BY n DESC, key LIMIT $k
