// kind: fragment
// takes: x, e
// params: depth: int = 1
// By directory of the files changed, cut at a depth; files above it count for the directory they lie in.
MATCH (x)-[gr:TOUCHED]->(f:File) WHERE visible(f)
WITH DISTINCT x, f.repo AS repo, split(f.path, '/') AS parts
WITH x, repo, string.join(parts[0..(CASE WHEN size(parts) - 1 < $depth THEN size(parts) - 1 ELSE $depth END)], '/') AS folder
WITH x, CASE WHEN folder = '' THEN 'dir:' + repo ELSE 'dir:' + repo + '/' + folder END AS v
