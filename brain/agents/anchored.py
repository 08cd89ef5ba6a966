"""Questions about one thing: a pull request, an issue, a commit or a release, and what hangs on it."""

from __future__ import annotations

from brain import schema
from brain.agents.anchored_links import linked, mentioning, repositories, reverted
from brain.agents.anchored_people import people
from brain.agents.anchored_record import dated, listed_property, property_asked, read, stated, verdict
from brain.agents.anchored_release import contents, later, releases
from brain.agents.anchored_work import files, relations
from brain.agents.run import Draft, Run
from brain.agents.understand import Understanding
from brain.types import Node

ITEMS = ("PullRequest", "Issue", "Commit", "Release")
_REVIEWS = ("reviews", "approvals", "change_requests")
# The relation a plain "what" names, the things it is asked of, and what is then asked for.
_MEANT = (
    (("mention",), ("PullRequest", "Issue"), "items"),
    (("close",), ("PullRequest", "Commit"), "issues"),
    (("close",), ("Issue",), "prs"),
    (("touch",), ("PullRequest", "Commit"), "files"),
    (("ship",), ("PullRequest", "Issue", "Commit"), "releases"),
    (("ship", "touch"), ("Release",), "prs"),
)


def answer(u: Understanding, run: Run, key: str, node: Node | None) -> Draft:
    """The answer about the anchor `key`, by what is asked for and the relations the question names."""
    label = schema.label_of(key)
    if u.want == "people" or (u.want in _REVIEWS and label == "PullRequest") or (u.want == "comments" and u.links.of("Person")):
        return people(u, run, key, label)
    asked = property_asked(u)
    if asked and label in ITEMS:
        return stated(run, key, node, asked)
    want = _meant(u, label) if u.want == "text" else u.want
    if u.has("revert") and label == "PullRequest" and want in ("prs", "yesno", "text", "commits"):
        return reverted(run, key)
    shipping = u.has("ship") and not u.has("close") and label != "Release"
    in_which = want in ("date", "text") or (want == "yesno" and not u.links.of("Release"))
    if want == "releases" or (shipping and in_which):
        return releases(run, key)
    if want == "date":
        return releases(run, key) if label == "Issue" and u.has("close") and u.has("ship") else dated(u, run, key, node)
    referring = want == "items" or (u.has("mention") and "cross" in u.flags and want in ("text", "issues", "prs"))
    if referring and label in ("PullRequest", "Issue"):
        return mentioning(u, run, key)
    return _hanging_on(u, run, key, node, want)


def _hanging_on(u: Understanding, run: Run, key: str, node: Node | None, want: str) -> Draft:
    """What hangs on the anchor, by the kind of thing that is wanted."""
    label = schema.label_of(key)
    if want in ("issues", "prs", "commits"):
        return contents(run, key, want) if label == "Release" else linked(u, run, key, want)
    if want in ("files", "directories"):
        return files(run, key, want)
    if want == "labels":
        return listed_property(run, key, node, "labels")
    if want == "repositories":
        return repositories(u, run, key)
    if want == "yesno":
        return _yesno(u, run, key, node)
    return relations(run, key)


def _meant(u: Understanding, label: str) -> str:
    """What a plain "what" asks of an anchor, by the relation the question names."""
    if len(u.words) > 3:
        return "text"
    return next((want for aspects, labels, want in _MEANT if u.has(*aspects) and label in labels), "text")


def _yesno(u: Understanding, run: Run, key: str, node: Node | None) -> Draft:
    """Yes or no from what the anchor's state and relations say, with the reason."""
    node = read(run, key, node, "how it stands")
    if node is None:
        return Draft(state="insufficient")
    if u.has("approve", "changes_requested", "review", "comment") or (u.links.of("Person") and u.has("author", "merge")):
        draft = people(u, run, key, schema.label_of(key))
        asked = {k for m in u.links.of("Person") for k in m.keys}
        return _said(bool(asked & set(draft.items)) if asked else bool(draft.items), draft, key)
    named = {k for m in u.links.of("Release") for k in m.keys}
    if u.has("ship") and (named or u.says("in_some_release")):
        draft = releases(run, key)
        held = bool(named & set(draft.items)) or later(u, draft.items, named) if named else bool(draft.items)
        return _said(held, draft, key)
    return verdict(u, run, node) or relations(run, key)


def _said(yes: bool, draft: Draft, key: str) -> Draft:
    return Draft(["yes" if yes else "no"], draft.facts, entries=[key], lead="Yes." if yes else "No.")
