"""What there is to learn from an investigation whose cause a person confirmed: no more than leads from the alert to the cause, and
the rights that just this needs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from brain.errors import BadInput
from brain.held import Held
from brain.incident.findings import Investigation, Signal, Suspect
from brain.playbooks.kept import Entry
from brain.playbooks.needs import needed
from brain.playbooks.plays import Cause
from brain.text.analysis import parts, query_terms
from brain.tools.asking import Asking
from brain.types import Edge, Viewer

_KINDS = {
    "deploy": "a deployment of",
    "ticket": "a ticket that changed",
    "pr": "a pull request to",
    "commit": "a commit to",
    "flag": "a flag of",
}
_RULES = ("rule:", "decision:")
LONGEST = 600


def suspect_of(inv: Investigation, key: str = "") -> Suspect:
    """The suspect that is to be confirmed: the one of that key, or the only one that was named. BadInput when there is none to
    learn from, with what to do.
    """
    if inv.arm != "graph":
        raise BadInput("passages show no way from the alert to a cause; confirm one of an investigation over the graph")
    if inv.state != "complete":
        raise BadInput(f"investigation {inv.id!r} is {inv.state}; finish it before its cause is confirmed")
    if not key and inv.outcome != "cause":
        named = ", ".join(s.key for s in inv.causes) or "none was named"
        raise BadInput(f"no single cause was named; say which: --cause KEY ({named})")
    found = next((s for s in inv.suspects if s.key == key), None) if key else inv.causes[0]
    if found is None:
        raise BadInput(f"{key!r} is not among the suspects: {', '.join(s.key for s in inv.suspects) or 'there are none'}")
    if not (inv.signal.service and found.on and found.path):
        raise BadInput(f"no way from the alert to {found.key!r} was found, so there is nothing to try the next time")
    return found


def entry(inv: Investigation, suspect: Suspect, viewer: Viewer, everything: Asking) -> Entry:
    """The playbook of that cause. Two people who confirm the same with the same rights make the same one."""
    cause = _cause(inv, suspect)
    needs = _needs(cause, suspect, [*inv.edges, *(e for s in inv.steps for e in s.edges)], viewer, everything)
    said = inv.signal
    told = "\n".join((cause.alert, cause.change, *sorted(needs.clearance), *sorted(needs.groups), *needs.keys))
    followed = inv.followed if inv.followed and inv.followed.held and inv.followed.steps_before else None
    return Entry(
        f"pb-{hashlib.sha256(told.encode()).hexdigest()[:12]}", said.service,
        f"{said.name or said.title} on {cause.service_name}: {_KINDS[suspect.kind]} {cause.broke_name}", cause, text_of(said),
        terms_of(said), needs, followed.steps_before if followed else len(inv.steps), followed.ms_before if followed else inv.usage.ms,
    )  # fmt: skip


def text_of(signal: Signal) -> str:
    """The words a signal is compared by: its name taken apart, and what it says."""
    said = dict.fromkeys((" ".join(parts(signal.name)).lower(), signal.title, signal.text))
    return ". ".join(part for part in said if part)[:LONGEST]


def terms_of(signal: Signal) -> tuple[str, ...]:
    """The same as terms, for where there are no vectors."""
    return tuple(query_terms(text_of(signal)))


def _cause(inv: Investigation, s: Suspect) -> Cause:
    reached = s.path.index(s.on) if s.on in s.path else len(s.path) - 1
    modified = [q.text for r in s.reasons if r.kind == "modified" for q in r.quotes if q.source in (s.key, *s.changes)]
    said = " ".join((s.name, *(inv.names.get(key, "") for key in s.changes), *modified))
    words = (word for word in query_terms(said) if not any(c.isdigit() for c in word))
    broken = (key for r in s.reasons if r.kind == "rule" for key in r.cites if key.startswith(_RULES))
    fixes = (key for known in inv.recorded if s.key in known.causes for key in known.fixes)
    signal = inv.signal
    return Cause(
        inv.id, signal.key, signal.name, signal.title, signal.at, signal.service, signal.service_name or signal.service,
        s.on, s.on_name or s.on, s.path[: reached + 1], s.rels[:reached],
        s.key, s.kind, s.name, tuple(words), _once(broken), _once(fixes),
    )  # fmt: skip


def _once(keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(keys))


def _needs(cause: Cause, suspect: Suspect, edges: Sequence[Edge], viewer: Viewer, everything: Asking) -> Held:
    """The rights that what is in the playbook needs: of its things, and of the sources that tell how they hang together. Where that
    is not known, all rights it was made with.
    """
    named = (cause.alert, cause.service, cause.broke, cause.change, *cause.rules, *cause.fixes)
    things = {*named, *suspect.path, *suspect.changes} - {""}
    links = [e for e in edges if e.src in things and e.dst in things]
    told = {str(e.props.get("access_key") or "") for e in links} - {""}
    keys = things | told
    walked = {frozenset((e.src, e.dst)) for e in links}
    shown = all(frozenset(hop) in walked for hop in zip(suspect.path, suspect.path[1:], strict=False))
    spoken = all(e.props.get("access_key") or (e.props.get("access") in (None, "open") and not e.props.get("aud")) for e in links)
    return needed(keys, viewer, everything, whole=not (shown and spoken))
