// kind: fragment
// takes: x, e
// By the pull request or issue.
WITH x AS g, x, e WHERE g.key IS NOT NULL
