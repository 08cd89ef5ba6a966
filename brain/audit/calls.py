"""Direct calls of every tool, and a look at everything beside answers, for the leak probe: what a viewer could get without asking
a question. Each call is named with its arguments and gives what came of it, an error's words among it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from brain.audit import investigated
from brain.audit.probing import chosen, slots_of
from brain.audit.secrets import Secrets, Thing
from brain.brain import Brain
from brain.candidates import MOST
from brain.errors import BadInput, HopcheckError
from brain.schema import STATES
from brain.tools.asking import Asking, Tool
from brain.types import Result, Viewer
from brain.whatif import Notice, spans

NEAR, ALERTS = 6, 5
_TYPED = ("key", "ident", "title", "word", "words", "opening", "value", "channel")
_KINDS = {
    "Doc": "docs", "Rule": "rules", "Decision": "decisions", "Ticket": "tickets", "PullRequest": "prs", "Issue": "issues",
    "Incident": "incidents", "Alert": "alerts", "Deploy": "deploys", "Commit": "commits", "Release": "releases", "File": "files",
}  # fmt: skip


@dataclass(frozen=True)
class Call:
    """A tool with arguments; `typed` are those that the caller made up."""

    tool: str
    args: Mapping[str, Any]
    typed: tuple[str, ...]

    def said(self) -> str:
        """The call in one line."""
        return f"{self.tool}({', '.join(f'{k}={v!r}' for k, v in self.args.items())})"


def calls(tools: Mapping[str, Tool], secrets: Secrets, things: Sequence[Thing], fills: int) -> Iterator[Call]:
    """Every tool with each of its texts made something hidden, and with what hidden things hang together with, each call once."""
    hidden = chosen(secrets, fills)
    given = [(t, slots_of(t, secrets, things)) for t in hidden]
    near = _near(hidden, secrets, things)
    seen = set()
    for tool in tools.values():
        for call in (*_plain(tool), *_about(tool, near), *(c for t, slots in given for c in _filled(tool, t, slots, near))):
            if call.said() not in seen:
                seen.add(call.said())
                yield call


def _near(hidden: Sequence[Thing], secrets: Secrets, things: Sequence[Thing]) -> list[str]:
    """Keys that the viewer may see, one or two steps from what they may not."""
    ends = {t.key for t in hidden}
    for _ in range(2):
        ends |= {k for t in things if t.ends and ends & set(t.ends) and t.label != "IN_REPO" for k in t.ends}
        ends = {k for k in sorted(ends)[:400]}
    by_prefix: dict[str, list[str]] = {}
    for key in sorted(ends & secrets.shown):
        by_prefix.setdefault(key.partition(":")[0], []).append(key)
    return [keys[i] for i in range(2) for keys in by_prefix.values() if i < len(keys)][: 2 * NEAR]


def _free(tool: Tool) -> list[Any]:
    return [p for p in tool.params if p.type.rstrip("?") in ("str", "list[str]") and not p.choices]


def _needed(tool: Tool, kind: str, near: Sequence[str]) -> dict[str, Any]:
    """Something for each argument that has to be there."""
    some = near[0] if near else "person:nobody"
    needed = [p for p in _free(tool) if p.required]
    return {p.name: [some] if "list" in p.type else kind if p.name == "kind" else some for p in needed}


def _plain(tool: Tool) -> Iterator[Call]:
    """The tool without arguments, or with each kind of thing that it counts."""
    if not any(p.required for p in tool.params):
        yield Call(tool.name, {}, ())
    for p in tool.params:
        if p.choices:
            yield from (Call(tool.name, {p.name: choice}, ()) for choice in p.choices if not any(q.required for q in tool.params))
        if p.name == "kind" and [q.name for q in tool.params if q.required] == ["kind"]:
            yield from (Call(tool.name, {"kind": kind}, ()) for kind in _KINDS.values())


def _about(tool: Tool, near: Sequence[str]) -> Iterator[Call]:
    for p in _free(tool):
        if p.name in ("key", "target", "path", "rule", "topic", "a"):
            yield from (Call(tool.name, {**_needed(tool, "docs", near), p.name: key}, ()) for key in near)


def _filled(tool: Tool, thing: Thing, slots: Mapping[str, str], near: Sequence[str]) -> Iterator[Call]:
    needed = _needed(tool, _KINDS.get(thing.label, "docs"), near)
    for p in _free(tool):
        if p.name == "kind":
            continue
        for value in dict.fromkeys(slots[name] for name in _TYPED if name in slots):
            yield Call(tool.name, {**needed, p.name: [value] if "list" in p.type else value}, (value,))


def outcome(tools: Mapping[str, Tool], ctx: Asking, call: Call) -> dict[str, Any]:
    """What came of a call: rows, nodes, edges, and what was said when it failed."""
    result, error = Result(()), ""
    try:
        result = tools[call.tool].run(ctx, **call.args)
    except HopcheckError as err:
        error = str(err)
    return {
        "rows": list(result.rows), "nodes": [asdict(n) for n in result.nodes], "error": error,
        "edges": [(e.src, e.rel, e.dst) for e in result.edges], "props": [dict(e.props) for e in result.edges],
    }  # fmt: skip


def surfaces(brain: Brain, viewer: Viewer) -> Iterator[tuple[str, Any]]:
    """Everything beside answers and tools that a viewer comes to see, by name: names that are known, suggestions, what is wrong,
    claims, rules, runs, proposals, playbooks, memory, investigations, and every query that runs without arguments or with its own example.
    """
    ctx = brain.asking(viewer)
    for kind in ("internal", "query"):
        for query in brain.catalogue.of_kind(kind):
            if query.example or not any(p.required for p in query.params):
                result = ctx.query(query, query.example)
                yield f"query {query.name}", [list(result.rows), [asdict(n) for n in result.nodes], [dict(e.props) for e in result.edges]]
    yield "suggestions", brain.suggestions(viewer)
    yield "health", {name: [asdict(f) for f in found] for name, found in brain.health(viewer).items()}
    queue = brain.candidates(viewer)
    for state in STATES:
        yield f"claims {state}", [queue.counts([state]), [asdict(c) for c in queue.page([state], k=500)[1]]]
    yield "decisions", [asdict(d) for d in queue.history(100)]
    yield "rules", spans(ctx)
    yield "reports", [asdict(r) for r in brain.reports(viewer)]
    yield "runs", brain.recent_runs(viewer, 100)
    yield "approvals", [asdict(a) for a in brain.approvals(viewer).list(k=500)] if brain.loaded() else []
    yield "playbooks", [asdict(p) for p in brain.playbooks(viewer).every()]
    memory = brain.memory(viewer)
    yield "memory", [[asdict(f) for f in memory.facts()], [asdict(t) for t in memory.turns(500)]]
    yield from investigations(brain, viewer)


def investigations(brain: Brain, viewer: Viewer) -> Iterator[tuple[str, Any]]:
    """The alerts that the viewer may choose from, a few of them investigated in every arm, and what is kept of earlier ones."""
    room, ctx = brain.incidents(viewer), brain.asking(viewer)
    yield "alerts", room.alerts(k=500)
    yield "investigations", room.recent(100)
    for alert, arm in investigated.each(investigated.alerts(ctx)):
        inv = room.investigate(alert, arm=arm, playbooks=False, save=False)
        steps = tuple(replace(s, args={}, params={}) for s in inv.steps)  # instants of the question, not of the company
        bare = replace(inv, as_of=0, steps=steps)
        yield f"investigation {arm}: {alert}", _apart(investigated.shown(bare))


def _apart(shown: Mapping[str, Any]) -> dict[str, Any]:
    """With each draft in pieces, between which the program put keys of its own: a key and what follows it are no words of anybody."""
    return {name: re.split(r"[`\n]", value) if isinstance(value, str) else value for name, value in shown.items()}


def asked_for(brain: Brain, secrets: Secrets, things: Sequence[Thing], fills: int) -> Iterator[tuple[str, Any]]:
    """What comes of asking for hidden things by the doors that are no tools: claims by their ids, and notices that replace or bind
    something hidden, each with the hidden key taken out of what was said.
    """
    found = brain.candidates(secrets.viewer).of(hidden_claims(secrets))
    yield "claims by id", [asdict(c) for c in found]
    for key in [t.key for t in secrets.hidden if t.ends is None and t.label == "Alert"][:ALERTS]:
        yield f"investigation of {key}", _refused(brain, secrets.viewer, key).replace(key, "")
    for key in (t.key for t in chosen(secrets, fills)):
        tried = ({"replaces": (key,)}, {"applies_to": (key,)})
        yield f"notice on {key}", [_notice(brain, secrets.viewer, how).replace(key, "") for how in tried]


def hidden_claims(secrets: Secrets) -> list[str]:
    """The ids of the claims that the viewer may not read."""
    return sorted({str(t.props["aid"]) for t in secrets.hidden if t.ends is not None and t.props.get("aid")})[:MOST]


def _refused(brain: Brain, viewer: Viewer, alert: str) -> str:
    try:
        return str(investigated.shown(brain.incidents(viewer).investigate(alert, playbooks=False, save=False)))
    except BadInput as err:
        return str(err)


def _notice(brain: Brain, viewer: Viewer, how: Mapping[str, tuple[str, ...]]) -> str:
    try:
        notice = Notice("Probe", "tried", brain.present(), replaces=how.get("replaces", ()), applies_to=how.get("applies_to", ()))
        return str(brain.what_if([notice], viewer))
    except HopcheckError as err:
        return str(err)


def runs_of_others(brain: Brain, viewer: Viewer, administrator: Viewer) -> Iterator[tuple[str, Any]]:
    """What the viewer gets for the runs that others asked, and whether they hear more than for one that never was."""
    mine = {r["run"] for r in brain.recent_runs(viewer, 1000)}
    others = [str(r["run"]) for r in brain.recent_runs(administrator, 50) if r["run"] not in mine]
    for run in others:
        yield f"run {run}", _run(brain, viewer, run).replace(run, "")


def investigations_of_others(brain: Brain, viewer: Viewer, administrator: Viewer) -> Iterator[tuple[str, Any]]:
    """What the viewer gets for the investigations that others began, by their ids."""
    mine = {r["id"] for r in brain.incidents(viewer).recent(1000)}
    for ident in [str(r["id"]) for r in brain.incidents(administrator).recent(50) if r["id"] not in mine]:
        try:
            yield f"investigation {ident}", investigated.shown(brain.incidents(viewer).read(ident))
        except BadInput as err:
            yield f"investigation {ident}", str(err).replace(ident, "")


def _run(brain: Brain, viewer: Viewer, run: str) -> str:
    try:
        return str(brain.run(run, viewer))
    except BadInput as err:
        return str(err)
