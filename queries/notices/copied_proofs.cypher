// kind: internal
// params: ids: list[str]
// returns: id, source, line, quote, file, rule, access, aud
// What claims rest on, by the ids of it.
UNWIND $ids AS id
MATCH (e:Evidence {id: id}) WHERE visible(e)
RETURN DISTINCT e.id AS id, e.source AS source, e.line AS line, e.quote AS quote, e.file AS file, e.rule AS rule, e.access AS access, e.aud AS aud
ORDER BY id LIMIT 10000
