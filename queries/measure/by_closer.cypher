// kind: fragment
// takes: x
// params: persons: list[str]
// Keeps issues that one of the persons closed.
WITH * WHERE ('person:' + toLower(x.closed_by)) IN $persons
