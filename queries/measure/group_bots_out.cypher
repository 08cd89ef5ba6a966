// kind: fragment
// takes: g
// Programs left out.
  AND coalesce(g.bot, false) = false
