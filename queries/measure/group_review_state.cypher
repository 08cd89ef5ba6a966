// kind: fragment
// takes: e
// By what the review said.
WITH *, e.state AS v
