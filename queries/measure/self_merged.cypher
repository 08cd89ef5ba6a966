// kind: fragment
// takes: x
// params: self_merged: bool
// Keeps pull requests merged by who authored them, or those merged by somebody else; who merged must be known.
MATCH (m:Person)-[mr:MERGED]->(x) WHERE visible(m) AND current(mr)
OPTIONAL MATCH (m)-[ow:AUTHORED]->(x) WHERE visible(m) AND current(ow) AND coalesce(ow.co, false) = false
WITH x, count(ow) > 0 AS own WHERE own = $self_merged
