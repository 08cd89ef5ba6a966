// kind: fragment
// takes: x, e
// By label.
UNWIND x.labels AS v
WITH x, e, v
