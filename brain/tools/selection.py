"""Which items a question is about, as fragments of `queries/measure` and their parameters. Everything a
caller says ends up in a parameter; what is chosen here is only which fixed piece comes next.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brain.errors import ToolError
from brain.text.analysis import query_terms
from brain.tools import naming
from brain.tools.asking import Asking
from brain.tools.chosen import Selection

FILTERS = (
    "kind: prs|issues|reviews|approvals|change_requests|comments|commits|releases|files"
    "|tickets|deploys|alerts|incidents|docs|decisions|rules,"
    " repos: list[str] = [], path: str = '', persons: list[str] = [],"
    " role: author|reviewer|approver|merger|commenter|opener|closer|assignee|handler?, labels: list[str] = [],"
    " state: open|merged|closed|unmerged|ended?, review_state: APPROVED|CHANGES_REQUESTED|COMMENTED|DISMISSED?,"
    " since: int?, until: int?, event: created|merged|closed|ended|reviewed|commented|committed|published?,"
    " from_release: str = '', to_release: str = '', in_release: str = '', as_of: int?, once: bool = false, exclude_own: bool = false,"
    " bots: bool?, without_approval: bool = false, contains: list[str] = [], text: str = '', draft: bool?,"
    " base: str = '', all_branches: bool = false, on: pr|issue?, authors: list[str] = [], not_repos: list[str] = [],"
    " self_merged: bool?, milestone: str = '', state_reason: completed|not_planned?, only_bots: bool = false, merges: bool?,"
    " priority: list[str] = [], type: list[str] = [], status: list[str] = [], environment: list[str] = []"
)
EVENTS = {"reviews": "reviews", "approvals": "reviews", "change_requests": "reviews", "comments": "comments"}
_EVENT_STATES = {"approvals": ["APPROVED"], "change_requests": ["CHANGES_REQUESTED"]}
_ACTOR = {"reviews": ("reviewer", "approver"), "comments": ("commenter",)}
_WHEN = {
    "prs": ("created", "merged", "closed", "ended"),
    "issues": ("created", "closed"),
    "commits": ("committed",),
    "releases": ("published",),
    "files": ("committed", "merged"),
    "discussed": ("created",),
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


def select(ctx: Asking, a: Mapping[str, Any]) -> Selection:
    """The selection that the checked arguments describe; ToolError when two of them do not go together."""
    if misfit := next((name for name in ("priority", "type", "status", "environment") if a[name]), None):
        raise ToolError(f"{misfit!r} does not apply to {a['kind']}; tickets, deploys, alerts, incidents and docs have it")
    a = _as_event(a)
    event = EVENTS.get(a["kind"], "")
    items = {"reviews": "prs", "comments": {"pr": "prs", "issue": "issues"}.get(a["on"] or "", "discussed")}.get(event, a["kind"])
    chosen = Selection(a["kind"], items, event, a["once"] or not event)
    repos = naming.repositories(ctx, a["repos"])
    _base(ctx, chosen, a, repos)
    _state(chosen, a)
    _people(ctx, chosen, a)
    _release(ctx, chosen, a, repos)
    if event:
        _event(ctx, chosen, a)
    else:
        _when(chosen, a)
    return chosen


def _as_event(a: Mapping[str, Any]) -> Mapping[str, Any]:
    """Pull requests reviewed, or items commented on, in a window are the reviews and comments, each item once."""
    if a["on"] and a["kind"] != "comments":
        raise ToolError("'on' says what comments are on; it does not apply to " + a["kind"])
    if a["kind"] in ("prs", "issues") and a["event"] in ("reviewed", "commented"):
        if a["event"] == "reviewed":
            return {**a, "kind": "reviews", "event": None, "once": True}
        return {**a, "kind": "comments", "event": None, "once": True, "on": "pr" if a["kind"] == "prs" else "issue"}
    return a


def _base(ctx: Asking, chosen: Selection, a: Mapping[str, Any], repos: list[str]) -> None:
    """Where the items come from, then repository, path, words and labels."""
    items = chosen.items
    places = naming.places(ctx, a["path"], repos) if a["path"] else None
    if a["text"]:
        terms = query_terms(a["text"])
        if items not in ("prs", "issues", "commits", "releases") or not terms:
            raise ToolError(f"'text' needs words to look for, in prs, issues, reviews, commits or releases, not {a['kind']}")
        chosen.base = [f"{items}_saying"]
        chosen.args["ft"] = " ".join(terms)
    elif places and places.files and not places.under and items in ("prs", "commits"):
        chosen.base = [f"{items}_of_files", "distinct"]
        chosen.args["files"] = list(places.files)
        places = None
    else:
        chosen.base = [items]
    if repos or (places and places.repos):
        chosen.where("in_repos", repos=repos or list(places.repos if places else ()))
    if a["not_repos"]:
        chosen.where("not_in_repos", not_repos=naming.repositories(ctx, a["not_repos"]))
    if places and not places.repos:
        _places(chosen, places)
    if a["contains"]:
        chosen.where("titled", contains=[w.lower() for w in a["contains"]])
    if a["labels"]:
        chosen.where("labelled", labels=[w.lower() for w in a["labels"]])


def _places(chosen: Selection, places: naming.Places) -> None:
    args = {"files": list(places.files), "under": list(places.under)}
    if chosen.items == "files":
        chosen.where("lying_under", **args)
    elif chosen.items in ("prs", "commits", "issues"):
        chosen.step("closed_under" if chosen.items == "issues" else "under", **args)
    else:
        raise ToolError(f"{chosen.kind} have no path; filter them by repository (comments: with on='pr')")


def _state(chosen: Selection, a: Mapping[str, Any]) -> None:
    if a["state"]:
        if chosen.items not in ("prs", "issues", "discussed"):
            raise ToolError(f"{a['kind']} have no state; prs, issues, reviews and comments do")
        if chosen.items == "issues" and a["state"] in ("merged", "unmerged"):
            raise ToolError("an issue is open or closed, never merged")
        chosen.where({"unmerged": "closed"}.get(a["state"], a["state"]))
    for name, piece in (("draft", "draft"), ("base", "onto_base")):
        if a[name] not in (None, ""):
            _only(chosen, "prs", name)
            chosen.where(piece, **{name: a[name]})
    if a["without_approval"]:
        _only(chosen, "prs", "without_approval")
        chosen.step("unapproved")
    if chosen.items == "commits" and not a["all_branches"]:
        chosen.where("on_default")
    _traits(chosen, a)
    _programs(chosen, a)


def _traits(chosen: Selection, a: Mapping[str, Any]) -> None:
    if a["milestone"]:
        if chosen.items not in ("prs", "issues"):
            raise ToolError(f"'milestone' does not apply to {a['kind']}; prs, issues and reviews have one, and comments with 'on'")
        chosen.where("in_milestone", milestone=a["milestone"].strip().lower())
    if a["state_reason"]:
        _only(chosen, "issues", "state_reason")
        chosen.where("closed_as", state_reason=a["state_reason"])
    if a["self_merged"] is not None:
        _only(chosen, "prs", "self_merged")
        if a["state"] in ("open", "closed", "unmerged"):
            raise ToolError(f"'self_merged' is about merged pull requests, not {a['state']} ones")
        chosen.step("self_merged", self_merged=a["self_merged"])
    if a["merges"] is not None:
        _only(chosen, "commits", "merges")
        chosen.where("merging", merges=a["merges"])


def _programs(chosen: Selection, a: Mapping[str, Any]) -> None:
    """Without, or only, what programs wrote or opened; of reviews and comments it is about who did those."""
    if a["only_bots"] and a["bots"] is False:
        raise ToolError("'only_bots' and bots=false leave nothing; give one of them")
    if chosen.event or not (a["only_bots"] or a["bots"] is False):
        return
    if chosen.items in ("prs", "commits", "issues"):
        piece = "bots_only" if a["only_bots"] else "bots_out"
        chosen.step(f"{piece}_opened" if chosen.items == "issues" else piece)
    elif a["only_bots"]:
        raise ToolError(f"'only_bots' does not apply to {a['kind']}; it asks who wrote prs, issues, commits, reviews or comments")


def _only(chosen: Selection, items: str, name: str) -> None:
    if chosen.items != items:
        raise ToolError(f"{name!r} does not apply to {chosen.kind}")


def _acts(chosen: Selection, a: Mapping[str, Any]) -> bool:
    """Are the persons those who did the event?"""
    return bool(chosen.event) and (a["role"] or _ACTOR[chosen.event][0]) in _ACTOR[chosen.event]


def _people(ctx: Asking, chosen: Selection, a: Mapping[str, Any]) -> None:
    """Persons in a role other than the one who did the event."""
    legal = _ROLES[chosen.event or chosen.items]
    if a["authors"]:
        if "author" not in legal or chosen.items == "files":
            raise ToolError(f"{a['kind']} have no 'authors' to filter by; prs, issues, commits, reviews and comments do")
        piece = {"issues": "of_opener", "discussed": "of_starter"}.get(chosen.items, "of_author")
        chosen.step(piece, authors=naming.persons(ctx, a["authors"]))
    if a["role"] and a["role"] not in legal:
        raise ToolError(f"role of {a['kind']} must be one of {', '.join(legal) or 'none'}, not {a['role']!r}")
    if not a["persons"] or _acts(chosen, a):
        return
    if not legal:
        raise ToolError(f"{a['kind']} cannot be filtered by person")
    role = a["role"] or legal[0]
    if role in ("author", "opener"):
        role = {"issues": "opener", "discussed": "starter"}.get(chosen.items, "author")
    persons = naming.persons(ctx, a["persons"])
    if role in ("closer", "assignee"):
        chosen.where(f"by_{role}", persons=persons)
    else:
        chosen.step("touched_by" if chosen.items == "files" else f"by_{role}", persons=persons)


def release_piece(items: str) -> str:
    """The fragment that tells in which release such an item first shipped."""
    return {"commits": "group_release_commit", "issues": "group_release_issue"}.get(items, "group_release")


def _release(ctx: Asking, chosen: Selection, a: Mapping[str, Any], repos: list[str]) -> None:
    """First shipped in one release, or after one and up to and including another of the same repository."""
    between = a["from_release"] or a["to_release"]
    if not (between or a["in_release"]):
        return
    if between and a["in_release"]:
        raise ToolError("give 'in_release', or 'from_release' and 'to_release'")
    ships = chosen.items in ("prs", "commits", "issues")
    if not ships and not (between and chosen.items == "releases"):
        raise ToolError(f"{a['kind']} do not ship in releases; prs, commits and the issues they close do")
    if a["in_release"]:
        one = naming.release(ctx, a["in_release"], repos)
        repo, piece, args = one.repo, "first_in", {"release": one.key}
    else:
        args = _between(ctx, a, repos)
        repo, piece = args["release_repo"], "first_between"
    if not ships:
        chosen.where("published_between", **args)
        return
    if chosen.items != "issues" and "in_repos" not in chosen.conditions:  # a change ships where it is; an issue may lie elsewhere
        chosen.where("in_repos", repos=[repo])
    chosen.step(release_piece(chosen.items))
    chosen.step(piece, **args)
    chosen.step("distinct")


def _between(ctx: Asking, a: Mapping[str, Any], repos: list[str]) -> dict[str, Any]:
    ends = [naming.release(ctx, a[n], repos) if a[n] else None for n in ("from_release", "to_release")]
    names = {end.repo for end in ends if end}
    if len(names) != 1:
        raise ToolError(f"the two releases must be of one repository, not {' and '.join(sorted(names))}")
    return {"release_repo": names.pop(), "after": ends[0].at if ends[0] else -1, "upto": ends[1].at if ends[1] else ctx.as_of}


def _when(chosen: Selection, a: Mapping[str, Any]) -> None:
    """The instant that a window is about; it is always bound, to order and to group by."""
    state = a["state"] or ("" if a["self_merged"] is None else "merged") or ("closed" if a["state_reason"] else "")
    default = {"merged": "merged", "closed": "closed", "unmerged": "closed", "ended": "ended"}.get(state, _WHEN[chosen.items][0])
    event = a["event"] or default
    if event not in _WHEN[chosen.items]:
        raise ToolError(f"event of {a['kind']} must be one of {', '.join(_WHEN[chosen.items])}, not {event!r}")
    window = {k: a[k] for k in ("since", "until") if a[k] is not None}
    if chosen.items == "files":
        within = bool(window or a["event"])
        if not within and not a["persons"]:
            chosen.where("existing")
        chosen.then("touched_within" if within else "time_born", **window)
        return
    if event == "closed" and chosen.items == "prs" and "closed" not in chosen.conditions:
        chosen.where("closed")
    chosen.where(f"when_{event}", **window)
    chosen.then(f"time_{event}")


def _event(ctx: Asking, chosen: Selection, a: Mapping[str, Any]) -> None:
    """Expands the items to their reviews or comments and filters those."""
    natural = {"reviews": "reviewed", "comments": "commented"}[chosen.event]
    if a["event"] not in (None, natural):
        raise ToolError(f"event of {a['kind']} can only be {natural}; filter by state for what became of the items")
    chosen.then(chosen.event)
    states = ["APPROVED"] if a["role"] == "approver" else [a["review_state"]] if a["review_state"] else _EVENT_STATES.get(a["kind"])
    if states and chosen.event != "reviews":
        raise ToolError("only reviews have a review_state")
    if states:
        chosen.then("event_states", states=states)
    if a["persons"] and _acts(chosen, a):
        chosen.then("event_by", actors=naming.persons(ctx, a["persons"]))
    if a["only_bots"] or a["bots"] is False:
        chosen.then("event_bots_only" if a["only_bots"] else "event_bots_out")
    if a["exclude_own"]:
        chosen.then("review_not_own" if chosen.event == "reviews" else "comment_not_own")
    chosen.then("when_event", "time_event", **{k: a[k] for k in ("since", "until") if a[k] is not None})
