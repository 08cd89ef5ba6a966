// kind: internal
// params: keys: list[str], groups: list[int], sizes: list[int]
// example: {keys: ["file:merefold/gatekeeper/README.md"], groups: [0], sizes: [1]}
// returns: place, size, keys (the most entangled files first), names
// Groups of files that were computed outside, in the order given; `groups` says which of them each file is shown with.
UNWIND range(0, size($keys) - 1) AS i
MATCH (f:Entity:File {key: $keys[i]}) WHERE visible(f)
WITH i, f ORDER BY i
WITH $groups[i] AS g, collect(f) AS some
RETURN g + 1 AS place, $sizes[g] AS size, [f IN some | f.key] AS keys, [f IN some | f.name] AS names, some
ORDER BY place LIMIT 1000
