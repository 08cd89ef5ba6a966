// kind: fragment
// takes: x
// params: contains: list[str]
// Keeps what has all the words in its title; case ignored.
WITH * WHERE all(w IN $contains WHERE toLower(coalesce(x.title, x.subject, x.name)) CONTAINS w)
