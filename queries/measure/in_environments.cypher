// kind: fragment
// takes: x
// params: environments: list[str]
// In one of these environments; case ignored.
  AND toLower(coalesce(x.env, '')) IN $environments
