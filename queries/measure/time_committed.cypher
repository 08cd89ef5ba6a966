// kind: fragment
// takes: x
// t is when it was committed.
WITH x, x.at AS t
