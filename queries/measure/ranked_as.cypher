// kind: fragment
// takes: x
// params: priorities: list[str]
// Of one of these priorities or severities; case ignored.
  AND toLower(coalesce(x.priority, x.severity, '')) IN $priorities
