// kind: fragment
// takes: x
// params: depth: int = 1
// By the directory a file lies in, cut at a depth.
WITH x, split(x.path, '/') AS parts
WITH x, string.join(parts[0..(CASE WHEN size(parts) - 1 < $depth THEN size(parts) - 1 ELSE $depth END)], '/') AS folder
WITH x, CASE WHEN folder = '' THEN 'dir:' + x.repo ELSE 'dir:' + x.repo + '/' + folder END AS v
