// kind: fragment
// takes: x
// params: persons: list[str]
// Keeps what is assigned to one of the persons.
WITH * WHERE any(a IN x.assignees WHERE ('person:' + toLower(a)) IN $persons)
