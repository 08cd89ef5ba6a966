// kind: fragment
// takes: x
// params: draft: bool
// Keeps drafts, or what is none.
WITH * WHERE coalesce(x.draft, false) = $draft
