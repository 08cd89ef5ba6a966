// kind: fragment
// takes: x
// By who closed it.
MATCH (g:Entity:Person {key: 'person:' + toLower(x.closed_by)}) WHERE visible(g)
