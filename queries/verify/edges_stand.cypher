// kind: internal
// params: pairs: list[str], rels: list[str]
// returns: pair, rel
// Which of these relationships (two keys joined by a line break) stand between entities the viewer may see.
UNWIND $pairs AS pair
WITH pair, split(pair, '\n') AS ends
MATCH (a:Entity {key: ends[0]}) WHERE visible(a)
MATCH (a)-[r]->(b:Entity) WHERE b.key = ends[1] AND visible(b) AND type(r) IN $rels AND current(r)
  AND counted(r)
RETURN DISTINCT pair, type(r) AS rel
ORDER BY pair, rel LIMIT 2000
