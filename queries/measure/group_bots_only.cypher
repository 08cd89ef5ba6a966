// kind: fragment
// takes: g
// Programs alone.
  AND g.bot
