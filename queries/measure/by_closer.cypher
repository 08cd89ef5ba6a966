// kind: fragment
// takes: x
// params: persons: list[str]
// Issues that one of the persons closed.
  AND ('person:' + toLower(x.closed_by)) IN $persons
