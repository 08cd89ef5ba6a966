// kind: internal
// params: deploys: list[str], until: int, quiet: int = 3600, per: int = 5
// example: {deploys: ["deploy:threshold-watch-20261014-0249"], until: 1791946200}
// returns: deploy, key, name, on, env, at, alerts, same (whether it is of the same service and environment)
// Where the same version was deployed too: before it in the same place, or elsewhere (the latest `per` of both), and how many alerts
// went off there within an hour: the same change, healthy elsewhere.
UNWIND $deploys AS wanted
MATCH (d:Entity:Deploy {key: wanted})-[t:DEPLOYED_TO]->(s) WHERE visible(d) AND visible(s) AND current(t)
MATCH (e:Deploy)-[u:DEPLOYED_TO]->(o) WHERE visible(e) AND visible(o) AND current(u) AND e.key <> d.key AND e.at <= $until AND e.repo = d.repo AND
  ((coalesce(d.sha, '') <> '' AND e.sha = d.sha) OR (coalesce(d.sha, '') = '' AND coalesce(d.version, '') <> '' AND e.version = d.version))
  AND NOT coalesce(e.status, '') IN ['failure', 'failed', 'error']
WITH d, s, e, o, o.key = s.key AND coalesce(e.env, '') = coalesce(d.env, '') AS same
WHERE NOT same OR e.at < d.at
OPTIONAL MATCH (a:Alert)-[f:FIRED_ON]->(o) WHERE visible(a) AND visible(o) AND current(f) AND a.at >= e.at AND a.at <= e.at + $quiet
WITH d, e, o, same, count(a) AS alerts ORDER BY same DESC, e.at DESC, e.key
WITH d, same, collect([e, o, alerts])[..$per] AS some
UNWIND some AS one
WITH d, same, one[0] AS e, one[1] AS o, one[2] AS alerts
RETURN d.key AS deploy, e.key AS key, e.name AS name, o.key AS on, e.env AS env, e.at AS at, alerts, same, d, e, o
ORDER BY deploy, same DESC, at DESC, key LIMIT 1000
