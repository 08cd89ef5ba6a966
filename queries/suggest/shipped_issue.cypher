// kind: internal
// returns: key, title, pr, release
// Issues that a pull request closed which has shipped, latest first.
MATCH (i:Issue)<-[c:CLOSES]-(p:PullRequest)-[s:SHIPPED_IN]->(v:Release)
WHERE visible(i) AND visible(p) AND visible(v) AND current(c) AND current(s)
RETURN i.key AS key, i.name AS title, p.key AS pr, v.key AS release, i.at AS at
ORDER BY at DESC, key, release LIMIT 5
