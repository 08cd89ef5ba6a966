// kind: fragment
// takes: p
// Not by programs.
  AND coalesce(p.bot, false) = false
