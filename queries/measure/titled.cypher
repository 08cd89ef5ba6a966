// kind: fragment
// takes: x
// params: contains: list[str]
// With all the words in the title; case ignored.
  AND all(w IN $contains WHERE toLower(coalesce(x.title, x.subject, x.name)) CONTAINS w)
