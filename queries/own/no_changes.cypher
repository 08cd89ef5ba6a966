// kind: fragment
// Nothing: for what has no code.
UNWIND [n IN [0] WHERE n > 0] AS x
