// kind: fragment
// takes: x
// params: persons: list[str]
// Started by one of the persons.
  AND any(p IN $persons WHERE p = 'person:' + toLower(x.author) OR p = x.author)
