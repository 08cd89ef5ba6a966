// kind: fragment
// takes: x
// params: draft: bool
// Drafts, or none.
  AND coalesce(x.draft, false) = $draft
