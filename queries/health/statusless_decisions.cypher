// kind: internal
// returns: key, name, label, source
// Decisions whose record does not say whether they were accepted, rejected or replaced.
MATCH (d:Decision) WHERE visible(d) AND trim(coalesce(d.stated, '')) = ''
RETURN d.key AS key, d.name AS name, 'Decision' AS label, coalesce(d.doc, d.key) AS source
ORDER BY key LIMIT 5000
