// kind: fragment
// All deployments; a change of a feature flag is none.
MATCH (x:Deploy) WHERE visible(x) AND coalesce(x.kind, '') <> 'flag'
