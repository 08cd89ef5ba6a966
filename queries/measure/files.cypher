// kind: fragment
// All files.
MATCH (x:File) WHERE visible(x) AND coalesce(x.born_at, 0) <= $as_of
