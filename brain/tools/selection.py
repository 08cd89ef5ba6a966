"""Which items a question is about, as fragments of `queries/measure` and their parameters. Everything a
caller says ends up in a parameter; what is chosen here is only which fixed piece comes next.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from brain.errors import ToolError
from brain.text.analysis import query_terms
from brain.tools import naming
from brain.tools.asking import Asking

FILTERS = (
    "kind: prs|issues|reviews|approvals|change_requests|comments|commits|releases|files,"
    " repos: list[str] = [], path: str = '', persons: list[str] = [],"
    " role: author|reviewer|approver|merger|commenter|opener|closer|assignee?, labels: list[str] = [],"
    " state: open|merged|closed|unmerged|ended?, review_state: APPROVED|CHANGES_REQUESTED|COMMENTED|DISMISSED?,"
    " since: int?, until: int?, event: created|merged|closed|ended|reviewed|commented|committed|published?,"
    " from_release: str = '', to_release: str = '', as_of: int?, once: bool = false, exclude_own: bool = false,"
    " bots: bool?, without_approval: bool = false, contains: list[str] = [], text: str = '', draft: bool?,"
    " base: str = '', all_branches: bool = false, on: pr|issue?"
)
_EVENTS = {"reviews": "reviews", "approvals": "reviews", "change_requests": "reviews", "comments": "comments"}
_EVENT_STATES = {"approvals": ["APPROVED"], "change_requests": ["CHANGES_REQUESTED"]}
_ACTOR = {"reviews": ("reviewer", "approver"), "comments": ("commenter",)}
_WHEN = {
    "prs": ("created", "merged", "closed", "ended"),
    "issues": ("created", "closed"),
    "commits": ("committed",),
    "releases": ("published",),
    "files": ("committed", "merged"),
}
_ROLES = {
    "prs": ("author", "opener", "reviewer", "approver", "merger", "commenter", "assignee"),
    "issues": ("opener", "author", "commenter", "closer", "assignee"),
    "commits": ("author",),
    "files": ("author",),
    "releases": (),
    "reviews": ("reviewer", "approver", "author", "opener", "merger"),
    "comments": ("commenter", "author", "opener", "merger", "closer"),
}


@dataclass
class Selection:
    """The fragments so far and the parameters they read. `event` is "reviews", "comments" or "" when the
    items themselves are meant; `single` when each item counts once; `t` is bound by then to the time asked about.
    """

    kind: str
    event: str
    single: bool
    parts: list[str] = field(default_factory=list)
    args: dict[str, Any] = field(default_factory=dict)

    def add(self, *parts: str, **args: Any) -> None:
        """Appends fragments and their parameters."""
        self.parts += parts
        self.args |= args


def select(ctx: Asking, a: Mapping[str, Any]) -> Selection:
    """The selection that the checked arguments describe; ToolError when two of them do not go together."""
    a = _as_event(a)
    event = _EVENTS.get(a["kind"], "")
    items = {"reviews": "prs", "comments": "discussed"}.get(event, a["kind"])
    chosen = Selection(a["kind"], event, a["once"] or not event)
    repos = naming.repositories(ctx, a["repos"])
    _base(ctx, chosen, items, a, repos)
    _state(chosen, items, a)
    _people(ctx, chosen, items, a)
    _release(ctx, chosen, items, a, repos)
    if a["bots"] is False and items != "releases" and not event:
        chosen.add(*(["bots_out"] if items != "files" else []))
    _event(ctx, chosen, a) if event else _when(chosen, items, a)
    return chosen


def _as_event(a: Mapping[str, Any]) -> Mapping[str, Any]:
    """Pull requests reviewed, or items commented on, in a window are the reviews and comments, each item once."""
    if a["kind"] in ("prs", "issues") and a["event"] in ("reviewed", "commented"):
        if a["event"] == "reviewed":
            return {**a, "kind": "reviews", "event": None, "once": True}
        return {**a, "kind": "comments", "event": None, "once": True, "on": "pr" if a["kind"] == "prs" else "issue"}
    return a


def _base(ctx: Asking, chosen: Selection, items: str, a: Mapping[str, Any], repos: list[str]) -> None:
    """Where the items come from, then repository, path, words and labels."""
    places = naming.places(ctx, a["path"], repos) if a["path"] else None
    if a["text"]:
        terms = query_terms(a["text"])
        if items not in ("prs", "issues", "commits", "releases") or not terms:
            raise ToolError(f"'text' needs words to look for, in prs, issues, reviews, commits or releases, not {a['kind']}")
        chosen.add(f"{items}_saying", ft=" ".join(terms))
    elif places and places.files and not places.under and items in ("prs", "commits"):
        chosen.add(f"{items}_of_files", files=list(places.files))
        places = None
    else:
        chosen.add(items)
    if repos:
        chosen.add("in_repos", repos=repos)
    if places and not _whole(places, chosen, repos):
        below = {"prs": "under", "commits": "under", "discussed": "under", "issues": "closed_under", "files": "lying_under"}
        if items not in below:
            raise ToolError(f"{a['kind']} have no path; filter them by repository")
        chosen.add(below[items], files=list(places.files), under=list(places.under))
    if a["contains"]:
        chosen.add("titled", contains=[w.lower() for w in a["contains"]])
    if a["labels"]:
        chosen.add("labelled", labels=[w.lower() for w in a["labels"]])


def _whole(places: naming.Places, chosen: Selection, repos: list[str]) -> bool:
    """A path that is a whole repository filters by repository."""
    if places.repos and not repos:
        chosen.add("in_repos", repos=list(places.repos))
    return bool(places.repos)


def _state(chosen: Selection, items: str, a: Mapping[str, Any]) -> None:
    if a["state"]:
        if items not in ("prs", "issues", "discussed"):
            raise ToolError(f"{a['kind']} have no state; prs, issues, reviews and comments do")
        if items == "issues" and a["state"] in ("merged", "unmerged"):
            raise ToolError("an issue is open or closed, never merged")
        chosen.add({"unmerged": "closed"}.get(a["state"], a["state"]))
    for name, piece in (("draft", "draft"), ("base", "onto_base")):
        if a[name] not in (None, ""):
            _only(items, ("prs",), name, a)
            chosen.add(piece, **{name: a[name]})
    if a["without_approval"]:
        _only(items, ("prs",), "without_approval", a)
        chosen.add("unapproved")
    if a["on"]:
        _only(items, ("discussed",), "on", a)
        chosen.add(f"about_{a['on']}s")
    if items == "commits" and not a["all_branches"]:
        chosen.add("on_default")


def _only(items: str, legal: tuple[str, ...], name: str, a: Mapping[str, Any]) -> None:
    if items not in legal:
        raise ToolError(f"{name!r} does not apply to {a['kind']}")


def _people(ctx: Asking, chosen: Selection, items: str, a: Mapping[str, Any]) -> None:
    """Persons in a role other than the one who did the event."""
    kind = chosen.event or items
    if a["role"] and a["role"] not in _ROLES[kind]:
        raise ToolError(f"role of {a['kind']} must be one of {', '.join(_ROLES[kind]) or 'none'}, not {a['role']!r}")
    if not a["persons"] or (chosen.event and (a["role"] or _ACTOR[chosen.event][0]) in _ACTOR[chosen.event]):
        return
    if not _ROLES[kind]:
        raise ToolError(f"{a['kind']} cannot be filtered by person")
    role = a["role"] or _ROLES[kind][0]
    piece = "touched_by" if items == "files" else f"by_{'author' if role == 'opener' else role}"
    chosen.add(piece, persons=naming.persons(ctx, a["persons"]))


def _release(ctx: Asking, chosen: Selection, items: str, a: Mapping[str, Any], repos: list[str]) -> None:
    """First shipped after one release, up to and including another of the same repository."""
    if not (a["from_release"] or a["to_release"]):
        return
    piece = {"prs": "shipped_between", "commits": "shipped_between", "issues": "closed_between", "releases": "published_between"}.get(items)
    if piece is None:
        raise ToolError(f"{a['kind']} do not ship in releases")
    ends = [naming.release(ctx, a[n], repos) if a[n] else None for n in ("from_release", "to_release")]
    names = {end[0] for end in ends if end}
    if len(names) != 1:
        raise ToolError(f"the two releases must be of one repository, not {' and '.join(sorted(names))}")
    after, upto = ends[0][1] if ends[0] else -1, ends[1][1] if ends[1] else ctx.as_of
    chosen.add(piece, release_repo=names.pop(), after=after, upto=upto)


def _when(chosen: Selection, items: str, a: Mapping[str, Any]) -> None:
    """The instant that a window is about; it is always bound, to order and to group by."""
    default = {"merged": "merged", "closed": "closed", "unmerged": "closed", "ended": "ended"}.get(a["state"] or "", _WHEN[items][0])
    event = a["event"] or default
    if event not in _WHEN[items]:
        raise ToolError(f"event of {a['kind']} must be one of {', '.join(_WHEN[items])}, not {event!r}")
    if event == "closed" and items == "prs":
        chosen.add(*([] if "closed" in chosen.parts else ["closed"]))
    window = {k: a[k] for k in ("since", "until") if a[k] is not None}
    if items == "files":
        within = bool(window or a["event"])
        chosen.add(*([] if within or a["persons"] else ["existing"]), "touched_within" if within else "when_born", **window)
    else:
        chosen.add(f"when_{event}", **window)


def _event(ctx: Asking, chosen: Selection, a: Mapping[str, Any]) -> None:
    """Expands the items to their reviews or comments and filters those."""
    natural = {"reviews": "reviewed", "comments": "commented"}[chosen.event]
    if a["event"] not in (None, natural):
        raise ToolError(f"event of {a['kind']} can only be {natural}; filter by state for what became of the items")
    chosen.add(chosen.event)
    states = [a["review_state"]] if a["review_state"] else _EVENT_STATES.get(a["kind"])
    if a["role"] == "approver":
        states = ["APPROVED"]
    if states:
        _only(chosen.event, ("reviews",), "review_state", a)
        chosen.add("event_states", states=states)
    if a["persons"] and (a["role"] or _ACTOR[chosen.event][0]) in _ACTOR[chosen.event]:
        chosen.add("event_by", actors=naming.persons(ctx, a["persons"]))
    if a["bots"] is False:
        chosen.add("event_bots_out")
    if a["exclude_own"]:
        chosen.add("event_not_own")
    chosen.add("when_event", **{k: a[k] for k in ("since", "until") if a[k] is not None})
