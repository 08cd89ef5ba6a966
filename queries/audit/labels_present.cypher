// kind: audit
// returns: access, aud, n
// Every access label that anything stored carries, with the groups it is open to, gone or not yet come included.
MATCH (x)
RETURN x.access AS access, x.aud AS aud, count(x) AS n
ORDER BY n DESC, access, aud LIMIT 10000
