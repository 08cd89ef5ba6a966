// kind: fragment
// All rules that had begun.
MATCH (x:Rule) WHERE visible(x)
