// kind: fragment
// takes: x
// params: types: list[str]
// Of one of these types, such as Bug or runbook; case ignored.
  AND toLower(coalesce(x.kind, '')) IN $types
