// kind: fragment
// takes: p
// By programs alone.
  AND p.bot
