// kind: fragment
// takes: x
// params: persons: list[str]
// Assigned to one of the persons.
  AND any(a IN x.assignees WHERE ('person:' + toLower(a)) IN $persons)
