// kind: fragment
// takes: p
// params: actors: list[str]
// By these persons.
  AND p.key IN $actors
