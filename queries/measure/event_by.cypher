// kind: fragment
// takes: p
// params: actors: list[str]
// Keeps events by these persons.
WITH * WHERE p.key IN $actors
