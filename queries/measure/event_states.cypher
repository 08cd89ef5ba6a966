// kind: fragment
// takes: e
// params: states: list[str]
// Keeps reviews of these states.
WITH * WHERE e.state IN $states
