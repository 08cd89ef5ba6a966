// kind: internal
// params: alert: str, changes: list[str]
// example: {alert: "alert:0e06d5f413d88dc9", changes: ["deploy:event-bus-20261014-0111"]}
// returns: role (start or end), key, change, via (the deployment it went out with, when it is no deployment itself), rels
// Where an alert fired, and what each change was deployed to or alters: the ends of a causal path.
CALL {
  MATCH (a:Entity:Alert {key: $alert}) WHERE visible(a)
  MATCH (a)-[f:FIRED_ON]->(s) WHERE visible(a) AND visible(s) AND current(f) AND (s:Service OR s:Resource)
  RETURN 'start' AS role, s, null AS c, null AS d, [f] AS links, [] AS via, [] AS rels
  UNION ALL
  UNWIND $changes AS key
  MATCH (c:Entity {key: key}) WHERE visible(c) AND NOT c:Chunk
  MATCH (c)-[t:DEPLOYED_TO|MODIFIES]->(s) WHERE visible(c) AND visible(s) AND current(t) AND (s:Service OR s:Resource OR s:Module)
  RETURN 'end' AS role, s, c, null AS d, [t] AS links, [] AS via, [type(t)] AS rels
  UNION ALL
  UNWIND $changes AS key
  MATCH (c:Entity {key: key}) WHERE visible(c) AND NOT c:Chunk AND NOT c:Deploy
  MATCH (d:Deploy)-[i:INCLUDES]->(c) WHERE visible(d) AND visible(c) AND current(i)
  MATCH (d)-[t:DEPLOYED_TO]->(s) WHERE visible(d) AND visible(s) AND current(t)
  RETURN 'end' AS role, s, c, d, [i, t] AS links, [d.key] AS via, ['DEPLOYED_TO', 'INCLUDES'] AS rels
  UNION ALL
  UNWIND $changes AS key
  MATCH (c:Entity:PullRequest {key: key})-[t:TOUCHED]->(f:File) WHERE visible(c) AND visible(f) AND current(t)
  MATCH (s:Service)-[i:CODE_IN]->(x:Directory)
  WHERE visible(s) AND visible(x) AND current(i) AND counted(i) AND f.key STARTS WITH ('file:' + substring(x.key, 4) + '/')
  WITH c, s, x, collect(i)[0] AS i, f, t ORDER BY size(f.key), f.key
  WITH c, s, x, i, collect(f)[0] AS f, collect(t)[0] AS t
  RETURN 'end' AS role, s, c, null AS d, [i, t] AS links, [x.key, f.key] AS via, ['CODE_IN', 'IN_DIR', 'TOUCHED'] AS rels
  UNION ALL
  UNWIND $changes AS key
  MATCH (c:Entity:PullRequest {key: key})-[t:IN_REPO]->(x:Repo) WHERE visible(c) AND visible(x) AND current(t)
  MATCH (s:Service)-[i:CODE_IN]->(x) WHERE visible(s) AND visible(x) AND current(i) AND counted(i)
  RETURN 'end' AS role, s, c, null AS d, [i, t] AS links, [x.key] AS via, ['CODE_IN', 'IN_REPO'] AS rels
}
RETURN role, s.key AS key, c.key AS change, via, rels, s, c, d, links
ORDER BY role, key, change, via LIMIT 400
