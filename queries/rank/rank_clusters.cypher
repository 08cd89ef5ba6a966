// kind: internal
// guards: h, v, w
// params: k: int = 10, per: int = 12
// example: {k: 5}
// returns: place, size, keys (the most entangled files first), names
// Groups of files that change together: label propagation over which files change in the same pull request or commit. Empty
// unless the viewer may read everything it rests on and the instant is not before the newest of it.
MATCH (w:File)
OPTIONAL MATCH (w)-[h:CO_CHANGES]->(v:File) WHERE NOT h.basis IN $viewer_basis OR h.at > $as_of
  OR NOT v.access IN $viewer_access OR NOT w.access IN $viewer_access
WITH count(h) AS hidden
CALL algo.labelPropagation({nodeLabels: ['File'], relationshipTypes: ['CO_CHANGES'], maxIterations: 10}) YIELD node AS f, communityId AS community
WITH hidden, f, community
WHERE hidden = 0 AND visible(f)
MATCH (f)-[r:CO_CHANGES]-(o:File) WHERE visible(o) AND current(r) AND counted(r)
WITH community, f, sum(r.n) AS together ORDER BY together DESC, f.key
WITH community, collect(f) AS files WHERE size(files) > 1
WITH files ORDER BY size(files) DESC, files[0].key
WITH collect(files) AS found
UNWIND range(0, size(found) - 1) AS i
WITH i, found[i] AS files
RETURN i + 1 AS place, size(files) AS size, [f IN files[..$per] | f.key] AS keys, [f IN files[..$per] | f.name] AS names, files[..$per] AS some
ORDER BY place LIMIT $k
