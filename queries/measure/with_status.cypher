// kind: fragment
// takes: x
// params: statuses: list[str]
// That say one of these of themselves as state or status; case ignored.
  AND toLower(coalesce(x.status, x.state, x.stated, '')) IN $statuses
