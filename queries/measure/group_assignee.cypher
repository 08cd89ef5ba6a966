// kind: fragment
// takes: x
// By whom it is assigned to.
UNWIND x.assignees AS name
MATCH (g:Entity:Person {key: 'person:' + toLower(name)}) WHERE visible(g)
