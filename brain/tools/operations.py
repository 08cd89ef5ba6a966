"""Which tickets, deployments, alerts, incidents, documents, decisions or rules a question is about, as fragments of
`queries/measure`: the records that operations and offices keep, beside the work on the code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brain.errors import ToolError
from brain.text.analysis import query_terms
from brain.tools import naming
from brain.tools.asking import Asking
from brain.tools.chosen import Selection
from brain.tools.things import thing

LABELS = {
    "tickets": "Ticket", "deploys": "Deploy", "alerts": "Alert", "incidents": "Incident", "docs": "Doc", "decisions": "Decision",
    "rules": "Rule",
}  # fmt: skip
GROUPS = ("person", "label", "month", "year", "state", "service", "team", "priority", "type", "environment", "system")
ORDERS = ("newest", "oldest", "key")
_ROLES = {
    "tickets": {"assignee": "assignee", "handler": "handler", "opener": "reporter", "author": "reporter", "closer": "handler"},
    "incidents": {"assignee": "assignee", "handler": "handler", "opener": "reporter", "author": "reporter", "closer": "handler"},
    "alerts": {"handler": "handler", "closer": "handler", "assignee": "handler"},
    "deploys": {"author": "deployer", "opener": "deployer", "assignee": "deployer"},
    "docs": {"author": "writer", "opener": "writer", "assignee": "keeper"},
    "decisions": {"author": "writer", "opener": "writer"},
    "rules": {"author": "writer", "opener": "writer"},
}
_ENDING = ("tickets", "alerts", "incidents")
_ABOUT = ("Service", "Module", "System", "Api", "Resource", "Team", "Domain", "Role", "Project", "Repo", "Alert", "Incident", "Person")
_WORDED = {"priority": "ranked_as", "type": "of_type", "status": "with_status", "environment": "in_environments"}
_PLURALS = {"priority": "priorities", "type": "types", "status": "statuses", "environment": "environments"}
# Filters that ask about work on the code, and say nothing about a record.
_FOREIGN = (
    "review_state", "from_release", "to_release", "in_release", "without_approval", "draft", "base", "on", "not_repos", "self_merged",
    "milestone", "state_reason", "merges", "only_bots", "once", "exclude_own", "all_branches",
)  # fmt: skip


def select(ctx: Asking, a: Mapping[str, Any]) -> Selection:
    """The selection that the checked arguments describe; `path` names what the records are about. ToolError when one does not fit."""
    kind = str(a["kind"])
    if misfit := next((name for name in _FOREIGN if a[name]), None):
        raise ToolError(f"{misfit!r} does not apply to {kind}")
    chosen = Selection(kind, kind, "", True, base=[kind])
    if a["text"]:
        terms = query_terms(a["text"])
        if not terms or kind in ("decisions", "rules"):
            raise ToolError(f"'text' needs words to look for, in tickets, deploys, alerts, incidents or docs, not {kind}; use 'contains'")
        chosen.base = ["records_saying"]
        chosen.args |= {"ft": " ".join(terms), "label": LABELS[kind]}
    _told(ctx, chosen, a)
    _persons(ctx, chosen, a, "persons", a["role"])
    _persons(ctx, chosen, a, "authors", "author")
    _when(chosen, a)
    return chosen


def _told(ctx: Asking, chosen: Selection, a: Mapping[str, Any]) -> None:
    """What the records say of themselves, and what they are about."""
    if a["repos"]:
        if chosen.kind != "deploys":
            raise ToolError(f"{chosen.kind} are of no repository; name what they are about with 'path'")
        chosen.where("in_repos", repos=naming.repositories(ctx, a["repos"]))
    if a["contains"]:
        chosen.where("titled", contains=[w.lower() for w in a["contains"]])
    if a["labels"]:
        chosen.where("labelled", labels=[w.lower() for w in a["labels"]])
    for name, piece in _WORDED.items():
        if a[name]:
            chosen.where(piece, **{_PLURALS[name]: [w.strip().lower() for w in a[name]]})
    if a["state"]:
        if chosen.kind not in _ENDING:
            raise ToolError(f"{chosen.kind} are not open or closed; tickets, alerts and incidents are; use 'status'")
        chosen.where("record_open" if a["state"] == "open" else "record_closed")
    if a["path"]:
        parts = [str(r["key"]) for r in ctx.run("parts_of", key=thing(ctx, a["path"], _ABOUT)).rows]
        chosen.step("about_things", things=parts)


def _role(kind: str, role: str | None) -> str:
    """The fragment's word for a role that persons have in such records."""
    legal = _ROLES[kind]
    told = role or next(iter(legal))
    if told not in legal:
        raise ToolError(f"role of {kind} must be one of {', '.join(legal)}, not {role!r}")
    return legal[told]


def _persons(ctx: Asking, chosen: Selection, a: Mapping[str, Any], name: str, role: str | None) -> None:
    if a[name]:
        said = _role(chosen.kind, role)
        keys = [n if n.startswith("team:") else naming.persons(ctx, [n])[0] for n in a[name]]
        if said == "deployer":
            chosen.where("record_by_deployer", persons=keys)
        elif chosen.args.setdefault("persons", keys) == keys:
            chosen.step(f"record_by_{said}", persons=keys)
        else:
            raise ToolError("'persons' and 'authors' must be the same here; give one of them")


def _when(chosen: Selection, a: Mapping[str, Any]) -> None:
    """The instant that a window is about: when it began, or, when asked for, when it ended."""
    ended = a["event"] in ("closed", "ended") or (a["event"] is None and a["state"] in ("closed", "ended"))
    legal = ("created", "closed", "ended") if chosen.kind in _ENDING else ("created",)
    if a["event"] not in (None, *legal):
        raise ToolError(f"event of {chosen.kind} must be one of {', '.join(legal)}, not {a['event']!r}")
    window = {k: a[k] for k in ("since", "until") if a[k] is not None}
    if ended or window:
        chosen.where("when_record_ended" if ended else "when_record", **window)
    chosen.then("time_record_ended" if ended else "time_record")


def group(chosen: Selection, a: Mapping[str, Any]) -> None:
    """Adds what the records are counted by."""
    by = a["by"]
    if by not in GROUPS:
        raise ToolError(f"{chosen.kind} have no {by} to count by; legal: {', '.join(GROUPS)}")
    entity = by in ("person", "service", "team")
    if by == "person":
        role = _role(chosen.kind, a["by_role"])
        chosen.then({"assignee": "group_assigned"}.get(role, f"group_{role}"))
    elif entity:
        chosen.then("group_thing" if by == "service" else "group_owning_team")
    elif by in ("label", "month", "year"):
        chosen.then(f"group_{by}_item")
    else:
        chosen.then("group_value_record", value=by)
    chosen.then("count_nodes_items" if entity else "count_values_items")


def listed(chosen: Selection, a: Mapping[str, Any]) -> None:
    """Adds the list of the records."""
    if a["order"] not in ORDERS:
        raise ToolError(f"order={a['order']} does not fit {chosen.kind}; legal: {', '.join(ORDERS)}")
    chosen.then("list_records", limit=a["limit"], order=a["order"])
