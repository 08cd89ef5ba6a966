// kind: internal
// params: deploys: list[str], until: int? = null
// example: {deploys: ["deploy:event-bus-20261014-0111"]}
// returns: deploy, name, kind, repo, version, env, at, on, on_name, how, home, commit, commit_at, commit_default, before, before_name, before_at,
// returns: before_commit_at, before_default, said, siblings, again
// What ties each deployment (or change of a flag) to what it went to: how that is known, whether the code of that lies in its repository
// (`home`), the commit deployed, the deployment before it to the same place with its commit, what its text names, the other services out
// of the same repository, and the other deployments of the same commit, or of the same version where no commit is told, before `until`.
UNWIND $deploys AS wanted
MATCH (d:Entity:Deploy {key: wanted})-[t:DEPLOYED_TO|MODIFIES]->(s) WHERE visible(d) AND current(t) AND visible(s)
OPTIONAL MATCH (d)-[i:INCLUDES]->(c:Commit) WHERE visible(d) AND visible(c) AND current(i)
WITH d, t, s, c ORDER BY c.at DESC, c.key
WITH d, t, s, collect(c)[..1] AS own
OPTIONAL MATCH (e:Deploy)-[u:DEPLOYED_TO]->(s) WHERE visible(e) AND visible(s) AND current(u) AND e.at < d.at AND coalesce(e.env, '') = coalesce(d.env, '')
  AND coalesce(e.kind, '') <> 'flag' AND coalesce(d.kind, '') <> 'flag' AND NOT coalesce(e.status, '') IN ['failure', 'failed', 'error', 'cancelled', 'inactive']
WITH d, t, s, own, e ORDER BY e.at DESC, e.key
WITH d, t, s, own, collect(e)[..1] AS earlier
UNWIND CASE WHEN size(earlier) = 0 THEN [null] ELSE earlier END AS e
OPTIONAL MATCH (e)-[j:INCLUDES]->(b:Commit) WHERE visible(e) AND visible(b) AND current(j)
WITH d, t, s, own, e, b ORDER BY b.at DESC, b.key
WITH d, t, s, own, e, collect(b)[..1] AS prior
OPTIONAL MATCH (d)-[n:REFERENCES]->(x) WHERE visible(d) AND visible(x) AND NOT x:Chunk AND NOT x:Deploy AND current(n)
WITH d, t, s, own, e, prior, x, n ORDER BY x.key
WITH d, t, s, own, e, prior, collect(x)[..10] AS said, collect(n)[..10] AS saying
OPTIONAL MATCH (o:Service)-[w:CODE_IN]->(y) WHERE visible(o) AND visible(y) AND current(w) AND counted(w) AND d.repo IS NOT NULL
  AND (y.key = 'repo:' + d.repo OR (y:Directory AND y.repo = d.repo))
WITH d, t, s, own, e, prior, said, saying, o, w, y ORDER BY o.key, y.key
WITH d, t, s, own, e, prior, said, saying, collect(DISTINCT o) AS homes, collect(w)[..20] AS lies
OPTIONAL MATCH (f:Deploy) WHERE visible(f) AND f.key <> d.key AND f.repo = d.repo AND f.at < coalesce($until, 9999999999)
  AND CASE WHEN d.sha IS NULL THEN f.sha IS NULL AND f.version = d.version ELSE f.sha = d.sha END
WITH d, t, s, own, e, prior, said, saying, homes, lies, f ORDER BY f.at DESC, f.key
WITH d, t, s, own, e, prior, said, saying, homes, lies, collect(f)[..10] AS same
WITH d, t, s, e, own, prior, said, saying, homes, lies, same, own[0] AS c, prior[0] AS b
RETURN d.key AS deploy, d.name AS name, d.kind AS kind, d.repo AS repo, d.version AS version, d.env AS env, d.at AS at, s.key AS on, s.name AS on_name, t.how AS how,
  s IN homes AS home, c.key AS commit, c.at AS commit_at, c.on_default AS commit_default, e.key AS before, e.name AS before_name, e.at AS before_at,
  b.at AS before_commit_at, b.on_default AS before_default, [x IN said | x.key] AS said, [o IN homes WHERE o.key <> s.key | o.key] AS siblings,
  [f IN same | f.key] AS again, d, t, s, e, own, prior, said AS named, saying, homes, lies, same
ORDER BY deploy, on LIMIT 400
