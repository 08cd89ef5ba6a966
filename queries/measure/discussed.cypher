// kind: fragment
// Everything that can be commented on.
MATCH (x:Entity) WHERE (x:PullRequest OR x:Issue) AND visible(x)
