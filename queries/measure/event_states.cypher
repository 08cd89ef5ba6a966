// kind: fragment
// takes: e
// params: states: list[str]
// Of these states.
  AND e.state IN $states
