// kind: fragment
// All documents.
MATCH (x:Doc) WHERE visible(x)
