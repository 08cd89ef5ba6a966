// kind: fragment
// takes: x
// By the release it first shipped in.
MATCH (x)-[gr:SHIPPED_IN]->(g:Release) WHERE visible(g) AND current(gr)
