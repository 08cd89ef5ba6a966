// kind: fragment
// takes: x
// params: milestone: str
// Of the milestone of that title; case ignored.
  AND toLower(x.milestone) = $milestone
