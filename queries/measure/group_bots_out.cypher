// kind: fragment
// takes: g
// Leaves out programs.
WITH * WHERE coalesce(g.bot, false) = false
