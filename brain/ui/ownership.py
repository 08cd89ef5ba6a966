"""Who answers for a thing, every source side by side, for a run that asked about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from brain.types import Answer
from brain.ui import listing, text
from brain.ui.text import esc

TOOL = "who_owns"
SOURCES = {"codeowners": "CODEOWNERS", "changed": "Changed it", "reviewed": "Reviewed it", "handled": "Handled its tickets"}
FINDINGS = {
    "disagrees": ("disagrees with the others", "unsupported"),
    "departed": ("has left", "contradicted"),
    "orphaned": ("orphaned: nobody who is there owns it", "contradicted"),
    "bus_factor_one": ("bus factor one: all recent work is one person's", "unsupported"),
    "unknown_owner": ("unknown owner", "unsupported"),
}
HANDS = ("changed", "reviewed", "handled")


def asked_about(answer: Answer) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    """What the run asked the owners of, and what it was told of each, once each."""
    seen = set()
    for step in answer.steps:
        target = str(step.args.get("target", ""))
        if step.tool == TOOL and step.rows and target not in seen:
            seen.add(target)
            yield target, list(step.rows)


def table(target: str, rows: list[Mapping[str, Any]], link: Callable[[str], str]) -> str:
    """The rows as a table: who, by which source, with what weight, from when to when, what is wrong, and who is to ask."""
    columns = ("Source", "Who", "Authority", "When", "Finding", "Where it stands")
    body = [(_source(r), _who(r, link), esc(_words(r.get("authority"))), esc(_when(r)), _finding(r), _where(r, link)) for r in rows]
    return listing.table(f"Who answers for {text.key_label(target)}", columns, body)


def _words(name: object) -> str:
    return str(name or "").replace("_", " ")


def _source(row: Mapping[str, Any]) -> str:
    name = str(row.get("source") or "")
    rel = row.get("rel")
    what = f"<br><small>{esc(text.words(str(rel)))}</small>" if rel and name not in HANDS else ""
    return f"{esc(SOURCES.get(name, _words(name).capitalize()))}{what}"


def _who(row: Mapping[str, Any], link: Callable[[str], str]) -> str:
    if not row.get("source"):
        return ""
    left = f" <small>left on {text.when(row['departed_at'])}</small>" if row.get("departed") else ""
    ask = f" {listing.badge('ask now', 'supported')}" if row.get("ask") else ""
    name = listing.link(link(str(row["key"])), text.short(row.get("name") or text.key_label(str(row["key"])), 60), str(row["key"]))
    return f"{name} <small>{esc(text.words(str(row.get('label') or '')).lower())}</small>{left}{ask}"


def _when(row: Mapping[str, Any]) -> str:
    if row.get("source") in HANDS:
        last = text.when(row.get("last_at"))
        done = f"{row['n']} in the last year" if row.get("n") else ""
        return ", ".join(part for part in (done, f"last on {last}" if last else "") if part)
    start, end = text.when(row.get("valid_from")), text.when(row.get("valid_to"))
    said = text.when(row.get("recorded_at"))
    spans = (f"from {start}" if start else "", f"until {end}" if end else "", f"said {said}" if said and said != start else "")
    return ", ".join(part for part in spans if part) or "no dates"


def _finding(row: Mapping[str, Any]) -> str:
    found = FINDINGS.get(str(row.get("finding") or ""))
    ended = listing.badge("ended") if row.get("stands") == "ended" else ""
    return " ".join(part for part in (listing.badge(*found) if found else "", ended) if part)


def _where(row: Mapping[str, Any], link: Callable[[str], str]) -> str:
    key = str(row.get("from_key") or "")
    source = listing.link(link(key), text.short(text.key_label(key), 60), key) if key else ""
    return listing.quote(str(row.get("quote") or ""), source, int(row.get("line") or 0))
