"""From a change or an issue to the release that first shipped it, and from a release to what it shipped."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from brain.agents.anchored_links import linked_draft
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import VERB, day, short, titled
from brain.types import Result


def _trace(run: Run, key: str) -> Result:
    return run.call("trace", f"from {short(key)} along what closes, contains and ships it", key=key)


def releases(run: Run, key: str) -> Draft:
    """The releases that first shipped a change or the changes that closed an issue, the first one first."""
    got = _trace(run, key)
    ships = [r for r in got.rows if r["rel"] == "SHIPPED_IN"]
    first = sorted({(r["at"] or 0, str(r["dst"])) for r in ships})
    facts = [_hop(r, run.last) for r in got.rows if r["rel"] == "SHIPPED_IN" or (r["rel"] == "CLOSES" and _leads(r, ships))]
    if first:
        return Draft(list(dict.fromkeys(release for _, release in first)), facts, entries=[key])
    closed = key.startswith("issue:") and got.rows
    why = "was closed by changes that are in no release yet" if closed else "is not in any release that is loaded"
    return Draft([], [Fact(f"{short(key)} {why}.", (key,), step=run.last), *facts[:4]], entries=[key])


def contents(run: Run, key: str, want: str) -> Draft:
    """The issues, pull requests or commits that a release first shipped."""
    if want == "issues":
        rows = [r for r in _trace(run, key).rows if r["rel"] == "CLOSES" and str(r["dst"]).startswith("issue:")]
        return Draft(list(dict.fromkeys(str(r["dst"]) for r in rows)), [_hop(r, run.last) for r in rows], entries=[key])
    got = run.call("expand", "what first shipped in it", key=key, rels=["SHIPPED_IN", "INCLUDES"], direction="in", k=400)
    rows = [r for r in got.rows if str(r["key"]).startswith("pr:" if want == "prs" else "commit:")]
    return linked_draft(run, key, rows, f"Nothing that is loaded first shipped in {short(key)}.")


def later(u: Understanding, first: Sequence[str], asked: Collection[str]) -> bool:
    """Is one of these a release of the same repository and series, published after the first that shipped it?"""
    if not first:
        return False
    at = max(u.order(release) for release in first)
    series = {_series(release) for release in first}
    return any(u.order(release) >= at and _series(release) in series for release in asked)


def _series(release: str) -> str:
    return re.sub(r"[\d.]+$", "", release)


def _leads(row: Mapping[str, Any], ships: Sequence[Mapping[str, Any]]) -> bool:
    """Is this a link on the way to a release?"""
    return any(ship["src"] in (row["src"], row["dst"]) for ship in ships)


def _hop(row: Mapping[str, Any], step: int) -> Fact:
    """One link of a trace as a fact, with how it is known."""
    src, dst, rel = str(row["src"]), str(row["dst"]), str(row["rel"])
    how = f" ({row['how']})" if row.get("how") else ""
    at = f" of {day(row['at'])}" if rel == "SHIPPED_IN" and row.get("at") else ""
    verb = VERB.get(rel, rel.lower())
    text = f"{titled(src, str(row.get('src_name') or ''))} {verb} {titled(dst, str(row.get('dst_name') or ''))}{at}{how}."
    return Fact(text, (src, dst), step=step)
