// kind: internal
// params: deploys: list[str], until: int, quiet: int = 3600, k: int = 200
// example: {deploys: ["deploy:threshold-watch-20261014-0249"], until: 1791946200}
// returns: deploy, key, name, on, env, at, alerts, same (whether it is of the same service and environment)
// Where else the same version was deployed before, and how many alerts went off there within an hour: the same change, healthy elsewhere.
UNWIND $deploys AS wanted
MATCH (d:Entity:Deploy {key: wanted})-[t:DEPLOYED_TO]->(s) WHERE visible(d) AND visible(s) AND current(t)
MATCH (e:Deploy)-[u:DEPLOYED_TO]->(o) WHERE visible(e) AND visible(o) AND current(u) AND e.key <> d.key AND e.at <= $until AND e.repo = d.repo AND
  ((coalesce(d.sha, '') <> '' AND e.sha = d.sha) OR (coalesce(d.sha, '') = '' AND coalesce(d.version, '') <> '' AND e.version = d.version))
  AND NOT coalesce(e.status, '') IN ['failure', 'failed', 'error']
WITH d, s, e, o
OPTIONAL MATCH (a:Alert)-[f:FIRED_ON]->(o) WHERE visible(a) AND visible(o) AND current(f) AND a.at >= e.at AND a.at <= e.at + $quiet
WITH d, s, e, o, count(a) AS alerts
RETURN d.key AS deploy, e.key AS key, e.name AS name, o.key AS on, e.env AS env, e.at AS at, alerts,
  o.key = s.key AND coalesce(e.env, '') = coalesce(d.env, '') AS same, d, e, o
ORDER BY deploy, at DESC, key LIMIT $k
