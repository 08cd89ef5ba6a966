// kind: fragment
// takes: x
// By label.
UNWIND x.labels AS v
