// kind: fragment
// takes: x
// params: value: str
// By what it says of itself: state, priority, type, environment or system.
WITH x, CASE $value WHEN 'state' THEN coalesce(x.status, x.state, x.stated) WHEN 'priority' THEN coalesce(x.priority, x.severity) WHEN 'type' THEN x.kind
  WHEN 'environment' THEN x.env ELSE x.system END AS v WHERE v IS NOT NULL
