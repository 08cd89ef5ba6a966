// kind: fragment
// takes: x
// Keeps pull requests that nobody had approved by then.
OPTIONAL MATCH (w)-[ap:REVIEWED]->(x) WHERE visible(w) AND current(ap) AND ap.state = 'APPROVED'
WITH x, count(ap) AS approvals WHERE approvals = 0
