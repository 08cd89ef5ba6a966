// kind: internal
// returns: key
// Some interface that a service provides, where there is any: then what uses it is two steps from the service.
MATCH (a:Api)-[q:PROVIDED_BY]->(s:Service) WHERE current(q) AND counted(q) AND visible(a) AND visible(s)
RETURN a.key AS key ORDER BY key LIMIT 1
