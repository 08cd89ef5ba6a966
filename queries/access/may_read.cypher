// kind: internal
// params: keys: list[str]
// returns: key, name, label, access, aud
// Which of these things the viewer may read, and the label that says so; of the groups it is open to only the viewer's own.
MATCH (x:Entity) WHERE x.key IN $keys AND visible(x)
WITH x.key AS key, x.name AS name, labels(x) AS label, x.access AS access, [g IN coalesce(x.aud, []) WHERE g IN $viewer_groups] AS aud
RETURN key, name, label, access, aud
ORDER BY key LIMIT 5000
