// kind: fragment
// takes: x
// Keeps issues.
WITH * WHERE x:Issue
