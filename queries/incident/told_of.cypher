// kind: internal
// params: title: str, things: list[str], k: int = 12
// example: {title: "ThresholdEvaluationLag", things: ["service:threshold-watch"]}
// returns: key, name, named (whether it names the alert), on, chunk, text, line, line_end
// What runbooks and procedures tell about such an alert: those that name it, and those about what it fired on.
MATCH (s:Entity) WHERE s.key IN $things AND visible(s) AND NOT s:Chunk
MATCH (d:Doc)-[a:ABOUT|MENTIONS]->(s)
WHERE visible(d) AND visible(s) AND current(a) AND d.kind IN ['runbook', 'sop', 'procedure', 'playbook', 'guide']
WITH d, collect(s)[0] AS s, collect(a)[0] AS a, max(CASE WHEN type(a) = 'ABOUT' THEN 1 ELSE 0 END) AS about
MATCH (c:Chunk)-[p:PART_OF]->(d) WHERE visible(c) AND visible(d) AND current(p)
WITH d, s, a, about, c ORDER BY c.n, c.key
WITH d, s, a, about, collect(c)[..6] AS cs
WITH d, s, a, about, cs, any(c IN cs WHERE $title <> '' AND toLower(c.text) CONTAINS toLower($title)) AS named
WHERE named OR about = 1
WITH d, s, a, cs, named ORDER BY named DESC, d.key
WITH collect([d, s, a, cs, named])[..$k] AS best
UNWIND best AS hit
WITH hit[0] AS d, hit[1] AS s, hit[2] AS a, hit[3] AS cs, hit[4] AS named
UNWIND cs AS c
RETURN d.key AS key, d.name AS name, named, s.key AS on, c.key AS chunk, c.text AS text, c.line AS line, c.line_end AS line_end, d, s, a
ORDER BY named DESC, key, c.n LIMIT 60
