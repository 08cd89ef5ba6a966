// kind: fragment
// takes: x
// params: state_reason: str
// Issues closed by then with that reason.
  AND x.closed_at <= $as_of AND toLower(x.state_reason) = $state_reason
