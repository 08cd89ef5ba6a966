// kind: fragment
// takes: x
// By the release the pull request first shipped in.
MATCH (x)-[gr:SHIPPED_IN]->(g:Release) WHERE visible(g) AND current(gr)
