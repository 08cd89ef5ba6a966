// kind: audit
// returns: people, members, without_login, without_group, ended
// How many people are still there: all, those who count as members of the organisation, those without a login, those in no
// group at all; and how many of their memberships have ended.
MATCH (p:Person) WHERE NOT coalesce(p.bot, false) AND coalesce(p.departed_at, 9999999999) > $as_of AND visible(p)
OPTIONAL MATCH (p)-[m:MEMBER_OF|HOLDS_ROLE|HAS_ROLE|IN_CHANNEL]->(g:Entity)
WITH p, m, g, g IS NOT NULL AND visible(g) AND current(m) AND coalesce(m.valid_from, 0) <= $as_of AND coalesce(m.valid_to, 9999999999) > $as_of AS holds
WITH p, count(CASE WHEN holds THEN g END) AS groups, count(CASE WHEN holds AND (g:Team OR g:Role) THEN g END) AS belongs,
  count(CASE WHEN m.valid_to <= $as_of THEN g END) AS ended
OPTIONAL MATCH (a:Account)-[s:SAME_AS]->(p) WHERE visible(a) AND current(s) AND a.system IN ['catalogue', 'roster']
WITH p, groups, belongs, ended, count(a) AS listed
RETURN count(p) AS people, count(CASE WHEN belongs > 0 OR listed > 0 THEN p END) AS members, count(CASE WHEN p.login IS NULL THEN p END) AS without_login,
  count(CASE WHEN groups = 0 THEN p END) AS without_group, sum(ended) AS ended
ORDER BY people LIMIT 1
