// kind: fragment
// takes: x, e
// By what the review said.
WITH x, e, e.state AS v
