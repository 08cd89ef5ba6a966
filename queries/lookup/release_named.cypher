// kind: internal
// params: tags: list[str], repos: list[str] = []
// example: {tags: ["v1.0.0"]}
// returns: key, repo, tag, at
// Releases with one of these tags or keys; case ignored, the tags come in lower case.
MATCH (x:Release)
WHERE visible(x) AND (toLower(x.tag) IN $tags OR toLower(x.key) IN $tags) AND (size($repos) = 0 OR x.repo IN $repos)
RETURN x.key AS key, x.repo AS repo, x.tag AS tag, coalesce(x.published_at, x.at) AS at, x
ORDER BY key LIMIT 50
