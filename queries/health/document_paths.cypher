// kind: internal
// params: after: str = "", k: int = 5000
// returns: key
// The keys of the documents that the viewer may read, a page at a time.
MATCH (d:Doc) WHERE visible(d) AND d.key > $after
WITH d.key AS key ORDER BY key
WITH collect(key)[..$k] AS keys
UNWIND keys AS key
RETURN key ORDER BY key LIMIT 10000
