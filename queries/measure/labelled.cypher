// kind: fragment
// takes: x
// params: labels: list[str]
// With one of the labels; case ignored.
  AND any(l IN x.labels WHERE toLower(l) IN $labels)
