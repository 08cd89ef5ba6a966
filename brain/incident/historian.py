"""Historian: what was like this before and how it ended, and what runbooks say of such an alert.

Only incidents that were over before the alert count. What was written down about this very alert afterwards is told
beside the result, and nothing rests on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from brain.agents.run import Run
from brain.incident.findings import Investigation, Past, Recorded, Told
from brain.incident.symptoms import body, standing
from brain.types import Quote

SAME, NEAR, OTHER = 1.0, 0.6, 0.3
_CAUSE = ("root cause", "root causes", "cause", "causes", "what happened", "what went wrong", "trigger", "contributing factors")
_REMEDY = ("resolution", "remedy", "fix", "mitigation", "what helped", "recovery", "how it was fixed", "remediation")
_LEARNT = ("lessons", "lessons learned", "lessons learnt", "what we learned", "what we learnt", "action items", "actions", "follow-ups")


def historian(inv: Investigation, run: Run) -> Investigation:
    """The investigation with past incidents, best match first, runbook passages, and what is recorded about this alert."""
    if not inv.signal.service:
        return inv
    told = _told(inv, run)
    near = [*inv.scope, *(a.key for a in inv.affected if a.hops == 1)]
    title = inv.signal.name
    rows = run.look(
        "before", "historian: incidents of before, here and near", alert=inv.signal.key, title=title, things=near, until=inv.signal.at
    ).rows
    step = run.last
    docs = sorted({str(r["doc"]) for r in rows if r["doc"]})
    texts = _texts(run, docs)
    past = sorted((_past(inv, r, texts, step) for r in rows), key=lambda p: (-p.likeness, not p.causes, -p.at, p.key))
    recorded: tuple[Recorded, ...] = ()
    if inv.signal.key:
        found = run.look("recorded_of", "historian: what is written down about this alert", alert=inv.signal.key).rows
        recorded = tuple(Recorded(str(r["key"]), str(r["name"]), _keys(r["causes"]), _keys(r["fixes"])) for r in found)
    return replace(inv, past=tuple(past), told=told, recorded=recorded)


def _told(inv: Investigation, run: Run) -> tuple[Told, ...]:
    rows = run.look("told_of", "historian: what runbooks say of such an alert", title=inv.signal.name, things=[inv.signal.service]).rows
    some = [Told(str(r["key"]), str(r["name"]), body(str(r["text"])), int(r["line"] or 0), bool(r["named"]), run.last) for r in rows]
    return tuple(some if not any(t.named for t in some) else [t for t in some if t.named])


def _texts(run: Run, docs: list[str]) -> dict[str, list[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    if docs:
        for row in run.look("chunks_for", "historian: what their reports say", keys=docs, per=12).rows:
            found.setdefault(str(row["src"]), []).append(row)
    return found


def _past(inv: Investigation, row: Mapping[str, Any], texts: Mapping[str, list[Mapping[str, Any]]], step: int) -> Past:
    here = inv.signal.service in row["on"]
    likeness = SAME if row["same"] and here else NEAR if row["same"] or here else OTHER
    why = (
        "the same alert on the same thing"
        if likeness == SAME
        else "the same alert elsewhere"
        if row["same"]
        else "it was here"
        if here
        else "it was near"
    )
    report = texts.get(str(row["doc"]), ())
    lesson, quotes = _lesson(report)
    remedy, learnt = ("\n".join(_section(report, names)[1]) for names in (_REMEDY, _LEARNT))
    return Past(
        str(row["key"]), str(row["name"]), int(row["at"] or 0), likeness, why, _keys(row["causes"]), _keys(row["fixes"]),
        _keys(row["cause_on"]), lesson, quotes, step, remedy, learnt,
    )  # fmt: skip


def _lesson(rows: Sequence[Mapping[str, Any]]) -> tuple[str, tuple[Quote, ...]]:
    """What the report says about the cause, with its first sentence as a quotation; the whole report where no part is about that."""
    row, section = _section(rows, _CAUSE)
    if row is None:
        return "\n".join(body(str(r["text"])) for r in rows)[:4000], ()
    quote = Quote(str(row["src"]), standing(str(row["text"]), int(row["line"] or 0), section[0]), section[0])
    return "\n".join(section), (quote,)


def _section(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> tuple[Mapping[str, Any] | None, list[str]]:
    """The passage in which a part with one of these headings begins, and the lines of that part there."""
    for row in rows:
        lines = str(row["text"]).split("\n")
        for i, line in enumerate(lines):
            if line.startswith("#") and line.lstrip("# ").strip().lower().rstrip(":") in names:
                section = _until_heading(lines[i + 1 :])
                if section:
                    return row, section
    return None, []


def _until_heading(lines: list[str]) -> list[str]:
    found: list[str] = []
    for line in lines:
        if line.startswith("#"):
            break
        if line.strip():
            found.append(line.strip())
    return found


def _keys(value: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(str, value or ())))
