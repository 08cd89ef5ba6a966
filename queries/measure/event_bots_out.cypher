// kind: fragment
// takes: p
// Leaves out events by programs.
WITH * WHERE coalesce(p.bot, false) = false
