// kind: fragment
// takes: x
// params: labels: list[str]
// Keeps what carries one of the labels; case ignored.
WITH * WHERE any(l IN x.labels WHERE toLower(l) IN $labels)
