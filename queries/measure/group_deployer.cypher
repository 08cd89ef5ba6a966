// kind: fragment
// takes: x
// By whoever started it.
MATCH (g:Person) WHERE visible(g) AND (g.key = ('person:' + toLower(x.author)) OR g.key = x.author)
