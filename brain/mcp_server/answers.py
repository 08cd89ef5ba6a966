"""Asking a whole question and investigating an alert, as offers: the checked result, with the run or the investigation that holds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from brain.agents import untrusted
from brain.agents.untrusted import Piece
from brain.ask import MAX_QUESTION, as_json
from brain.catalogue import Param
from brain.incident import telling
from brain.incident.findings import Investigation
from brain.incident.message import message
from brain.incident.record import as_json as incident_json
from brain.instants import instant
from brain.mcp_server import addresses, bounded
from brain.mcp_server.offers import Asker, Offer, Told
from brain.mcp_server.schemas import DATA, KEYS, OBJECT, TEXT, WHOLE, array, outcome
from brain.mcp_server.tools import ABOUT, AT
from brain.types import Answer, Step

CLAIMS, STEPS, SUSPECTS, OTHERS = 40, 40, 8, 12
HOUR = 3600
_ARMS = {
    "arm": "graph: tools over the graph. vector: passages alone, nothing of the graph. hybrid: passages found by vectors and by words. "
    "both: graph and vector, to compare."
}
_ONE = outcome(
    {
        "run": TEXT,
        "resource": {**TEXT, "description": "Where the whole run can be read: every step, its query and its rows."},
        "arm": TEXT,
        "engine": TEXT,
        "state": {"type": "string", "enum": ["answered", "insufficient", "premise_corrected", "refused"]},
        "text": {**TEXT, "description": DATA},
        "items": {**KEYS, "description": "Keys or values that answer it."},
        "claims": array(OBJECT, "Each sentence with the keys it cites, its quotes, the path that proves it, and the verdict of the check."),
        "dropped": array(OBJECT, "What did not pass the check and is no part of the answer."),
        "steps": array(OBJECT, "What was looked up, with how many rows."),
        "nodes": array(OBJECT, DATA),
        "edges": array(OBJECT, DATA),
        "suggestions": array(TEXT, "Questions that what is loaded can answer."),
        "as_of": WHOLE,
        "as_of_utc": TEXT,
        "left_out": TEXT,
    }
)
_INVESTIGATION = outcome(
    {
        "id": TEXT,
        "resource": {**TEXT, "description": "Where the whole investigation can be read, and under it /post-mortem and /message, drafts."},
        "arm": TEXT,
        "state": TEXT,
        "outcome": {"type": "string", "enum": ["cause", "rivals", "none"]},
        "headline": {**TEXT, "description": DATA},
        "whom_to_page": TEXT,
        "signal": OBJECT,
        "severity": OBJECT,
        "suspects": array(OBJECT, "The cause or the rivals first, then what was discounted, each with what speaks for and against it."),
        "page": array(OBJECT),
        "affected": array(OBJECT),
        "past": array(OBJECT),
        "told": array(OBJECT),
        "checked": array(OBJECT, "What was looked at, and whether it was clean."),
        "claims": array(OBJECT),
        "as_of": WHOLE,
        "as_of_utc": TEXT,
        "left_out": TEXT,
    }
)


def offers(engines: Sequence[str]) -> list[Offer]:
    """Asking, by one of these engines, and investigating."""
    ask = (
        Param("question", "str"), Param("arm", "str", "graph", False, ("graph", "vector", "hybrid", "both")), AT,
        Param("after", "str?", None, False), Param("engine", "str", engines[0], False, tuple(engines)),
    )  # fmt: skip
    about = {
        **ABOUT, **_ARMS, "after": "The run that this question follows up, by its id.",
        "question": f"The question in plain words, at most {MAX_QUESTION} characters.", "engine": "builtin needs no model.",
    }  # fmt: skip
    incident = (
        Param("alert", "str"), Param("arm", "str", "graph", False, ("graph", "vector", "both")), AT,
        Param("window_hours", "int", 24, False), Param("engine", "str", engines[0], False, tuple(engines)),
    )  # fmt: skip
    about_incident = {
        **ABOUT, **_ARMS, "alert": "An alert's key, id or fingerprint, or a service: its newest alert that fires.",
        "window_hours": "How many hours before the alert are searched for changes.",
        "engine": "builtin needs no model; a model words the summary and decides nothing.",
    }  # fmt: skip
    return [
        Offer(
            "ask", "Answers a question about the organisation: its people, services, changes, rules, tickets, releases. Every claim of the "
            "answer is checked against the graph and cites keys; what fails the check is dropped. Keeps the run, for whoever asked.",
            ask, outcome({"question": TEXT, "answers": array(_ONE)}), _ask, keeps=True, again=False, about=about,
        ),
        Offer(
            "incident", "Investigates an alert: how bad, which changes may have caused it with what speaks for and against each, what was "
            "ruled out, whom to page, what helped before. Keeps the investigation, for whoever asked.",
            incident, outcome({"alert": TEXT, "investigations": array(_INVESTIGATION)}), _incident, keeps=True, again=False,
            about=about_incident,
        ),
    ]  # fmt: skip


def _ask(asker: Asker, bound: Mapping[str, Any], given: Mapping[str, Any]) -> Told:
    arms: Sequence[Any] = ("graph", "vector") if bound["arm"] == "both" else (bound["arm"],)
    how: dict[str, Any] = {
        "viewer": asker.viewer, "as_of": instant(bound["at"]), "previous": bound["after"], "on_step": asker.on_step,
        "engine": bound["engine"], "playbooks": True, "cancelled": asker.cancelled,
    }  # fmt: skip
    answers = [asker.brain.ask(str(bound["question"]), arm=arm, **how) for arm in arms]
    pieces = [Piece(f"answer of the arm {a.arm} (run {a.run})", _said(a)) for a in answers]
    text = untrusted.wrap(pieces, each=bounded.CHARS, whole=2 * bounded.CHARS)
    links = tuple((addresses.of("run", a.run), f"the whole run, {a.arm}") for a in answers)
    return Told({"question": answers[0].question, "answers": [answer(a) for a in answers]}, text, links)


def answer(a: Answer) -> dict[str, Any]:
    """An answer as JSON: all that was claimed and how it was checked; of the steps what they were, without their rows."""
    whole = as_json(a)
    dropped = [c for c in whole["claims"] if str(c["reason"]).startswith("dropped: ")]
    claims = [c for c in whole["claims"] if c not in dropped]
    cut_ = {"claims": (claims, CLAIMS), "dropped": (dropped, CLAIMS), "steps": ([_step(s) for s in a.steps], STEPS)}
    left = [f"{len(found) - most} {name}" for name, (found, most) in cut_.items() if len(found) > most]
    rest = {"nodes": len(a.nodes) - bounded.ITEMS, "edges": len(a.edges) - bounded.ITEMS}
    left += [f"{n} {name}" for name, n in rest.items() if n > 0]
    at = addresses.of("run", a.run)
    return {
        "run": a.run, "resource": at, **{name: whole[name] for name in ("arm", "engine", "state")},
        **bounded.fit({"text": whole["text"], "items": whole["items"]}, bounded.CHARS, bounded.CHARS),
        **bounded.fit({name: found[:most] for name, (found, most) in cut_.items()}, 2 * bounded.CHARS),
        "nodes": bounded.nodes(a.nodes, bounded.ITEMS), "edges": bounded.edges(a.edges, bounded.ITEMS),
        "suggestions": bounded.fit(a.suggestions, bounded.CHARS), "as_of": a.as_of, "as_of_utc": bounded.utc(a.as_of),
        "left_out": f"{', '.join(left)}: read {at}" if left else "", "usage": whole["usage"],
    }  # fmt: skip


def _step(s: Step) -> dict[str, Any]:
    return {"n": s.n, "tool": s.tool, "why": s.why, "args": s.args, "rows": len(s.rows), "ms": round(s.ms, 1), "error": s.error}


def _said(a: Answer) -> str:
    cited = [f"- {c.text} [{', '.join(c.cites[:6])}] ({c.verdict})" for c in a.claims[:CLAIMS] if c.cites]
    tried = [f"Could be asked: {s}" for s in a.suggestions]
    return "\n".join([a.state, a.text, *(["", "Checked:", *cited] if cited else []), *tried])


def _incident(asker: Asker, bound: Mapping[str, Any], given: Mapping[str, Any]) -> Told:
    room = asker.brain.incidents(asker.viewer, instant(bound["at"]))
    arms: Sequence[Any] = ("graph", "vector") if bound["arm"] == "both" else (bound["arm"],)
    window = int(bound["window_hours"]) * HOUR
    how: dict[str, Any] = {"window": window, "engine": bound["engine"], "on_step": asker.on_step, "cancelled": asker.cancelled}
    found = [room.investigate(str(bound["alert"]), arm=arm, **how) for arm in arms]
    pieces = [Piece(f"investigation {inv.id}, {inv.arm}", "\n\n".join([message(inv), inv.text, *_worded(inv)])) for inv in found]
    links = [(addresses.of("incident", inv.id), f"the whole investigation, {inv.arm}") for inv in found]
    links += [(addresses.of("incident", inv.id, "post-mortem"), "draft of a post-mortem") for inv in found[:1]]
    told = {"alert": str(bound["alert"]), "investigations": [investigation(inv) for inv in found]}
    return Told(told, untrusted.wrap(pieces, each=bounded.CHARS, whole=2 * bounded.CHARS), tuple(links))


def _worded(inv: Investigation) -> list[str]:
    """The summary where a model was to word it, and who did."""
    if inv.worded is None:
        return []
    by = f"Worded by {inv.worded.model}:" if inv.worded.model else "Not worded by a model:"
    return ["\n".join(filter(None, [by, *(s.text for s in inv.worded.sentences), inv.worded.note]))]


def investigation(inv: Investigation) -> dict[str, Any]:
    """An investigation as JSON: its result, and what speaks for it; without its steps."""
    whole = incident_json(inv)
    most = {"suspects": SUSPECTS, "page": OTHERS, "affected": OTHERS, "past": OTHERS, "told": OTHERS, "checked": STEPS, "claims": CLAIMS}
    left = [f"{len(whole[name]) - n} {name}" for name, n in most.items() if len(whole[name]) > n]
    at = addresses.of("incident", inv.id)
    told: dict[str, Any] = {
        "id": inv.id, "resource": at, **{name: whole[name] for name in ("arm", "state", "outcome", "confidence", "signal", "severity")},
        "headline": telling.headline(inv), "whom_to_page": telling.whom(inv), **{name: whole[name][:n] for name, n in most.items()},
        "as_of": inv.as_of, "left_out": f"{', '.join(left)}: read {at}" if left else "", "error": inv.error, "worded": whole.get("worded"),
    }  # fmt: skip
    return dict(bounded.timed(bounded.fit(told, 3 * bounded.CHARS)))


