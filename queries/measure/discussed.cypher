// kind: fragment
// Everything that can be commented on.
CALL {
  MATCH (x:PullRequest) WHERE visible(x)
  RETURN x
  UNION ALL
  MATCH (x:Issue) WHERE visible(x)
  RETURN x
}
WITH x WHERE x.key IS NOT NULL
