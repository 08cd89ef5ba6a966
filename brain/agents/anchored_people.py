"""Who stands in which relation to one pull request, issue, commit or release."""

from __future__ import annotations

import re
from typing import Any

from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import VERB, day, listing, short, titled
from brain.types import Result

_PEOPLE: dict[str, dict[str, tuple[str, ...]]] = {
    "PullRequest": {"approve": ("REVIEWED",), "changes_requested": ("REVIEWED",), "review": ("REVIEWED",), "merge": ("MERGED",), "comment": ("COMMENTED_ON",), "author": ("AUTHORED",), "assign": ("ASSIGNED_TO",)},
    "Issue": {"comment": ("COMMENTED_ON",), "author": ("OPENED",), "assign": ("ASSIGNED_TO",)},
    "Commit": {"author": ("AUTHORED",), "comment": ("COMMENTED_ON",)},
}  # fmt: skip
_REVIEW_STATE = {"approve": ["APPROVED"], "changes_requested": ["CHANGES_REQUESTED"]}
_REVIEW_VERB = {"approve": "approved", "changes_requested": "requested changes on", "review": "reviewed"}


def people(u: Understanding, run: Run, key: str, label: str) -> Draft:
    """Who stands in the named relation to the anchor."""
    if label == "Issue" and u.has("close", "review", "approve", "merge", "ship"):
        return _fixers(u, run, key)
    if label == "Release":
        return _release_people(u, run, key)
    if label == "PullRequest" and u.has("approve") and "without_approval" in u.flags:
        return _reviewed_only(u, run, key)
    if u.has("assign") and label in ("PullRequest", "Issue"):
        return _assigned(run, key)
    table = _PEOPLE.get(label, {})
    for aspect, rels in table.items():
        if u.has(aspect) and not (aspect == "review" and u.has("approve", "changes_requested")):
            return actors(run, key, list(rels), aspect, u)
    if u.has("know", "touch"):
        return _knowers(run, key)
    return actors(run, key, ["OPENED" if label == "Issue" else "AUTHORED"], "author", u)


def _reviewed_only(u: Understanding, run: Run, key: str) -> Draft:
    """Who reviewed a pull request and never approved it."""
    every = actors(run, key, ["REVIEWED"], "review", u)
    approved = set(actors(run, key, ["REVIEWED"], "approve", u).items)
    kept = [k for k in every.items if k not in approved]
    facts = [f for f in every.facts if f.cites and f.cites[0] in kept] or [
        Fact(f"Everybody who reviewed {short(key)} approved it.", (key,), step=run.last)
    ]
    return Draft(kept, facts, entries=[key])


def _assigned(run: Run, key: str) -> Draft:
    """Who an item is assigned to, from its own record."""
    got = run.call("details", "who it is assigned to", key=key)
    node = next((n for n in got.nodes if n.key == key), None)
    logins = [str(a) for a in (node.props.get("assignees") if node else None) or []]
    text = f"{short(key)} is assigned to {listing(logins)}." if logins else f"{short(key)} is assigned to nobody."
    return Draft([f"person:{a.lower().removesuffix('[bot]')}" for a in logins], [Fact(text, (key,), step=run.last)], entries=[key])


def actors(run: Run, key: str, rels: list[str], aspect: str, u: Understanding) -> Draft:
    states = _REVIEW_STATE.get(aspect, [])
    got = run.call(
        "expand", f"who {_REVIEW_VERB.get(aspect) or VERB[rels[0]]} it", key=key, rels=rels, labels=["Person"], states=states, k=200
    )
    keys = _unique(r["key"] for r in sorted(got.rows, key=lambda r: r["at"] or 0))
    if rels == ["REVIEWED"]:
        authors = run.call("expand", "to leave out its author", key=key, rels=["AUTHORED"], labels=["Person"])
        keys = [k for k in keys if k not in {r["key"] for r in authors.rows}]
    names = {n.key: n.name for n in got.nodes}
    verb = _REVIEW_VERB.get(aspect) or VERB[rels[0]]
    if not keys:
        return Draft(
            [],
            [Fact(f"Nobody {verb} {titled(key, names.get(key, ''))}, as far as what is loaded says.", (key,), step=run.last)],
            entries=[key],
        )
    facts = []
    for k in keys:
        at = sorted({day(r["at"]) for r in got.rows if r["key"] == k and r["at"]})
        times = f" on {listing(at, 4)}" if at else ""
        facts.append(Fact(f"{titled(k, names.get(k, ''))} {verb} {short(key)}{times}.", (k, key), step=run.last))
    return Draft(keys, facts, entries=[key])


def _fixers(u: Understanding, run: Run, key: str) -> Draft:
    """Who wrote, reviewed or merged the changes that close an issue."""
    fixes = run.call("expand", "the changes that close it", key=key, rels=["CLOSES"], direction="in", k=50)
    aspect = next((a for a in ("approve", "changes_requested", "review", "merge") if u.has(a)), "author")
    items: list[str] = []
    facts: list[Fact] = []
    for row in fixes.rows:
        if not str(row["key"]).startswith("pr:") and any(str(r["key"]).startswith("pr:") for r in fixes.rows):
            continue
        rels = {"merge": ["MERGED"], "author": ["AUTHORED"]}.get(aspect, ["REVIEWED"])
        part = actors(run, str(row["key"]), rels, aspect, u)
        items += [k for k in part.items if k not in items]
        facts.append(
            Fact(f"{titled(str(row['key']), str(row['name']))} closes {short(key)}.", (str(row["key"]), key), step=1 + _step_of(run, fixes))
        )
        facts += part.facts
    if not items and not u.has("close"):
        return actors(run, key, ["OPENED"], "author", u)
    if not facts:
        facts = [Fact(f"No change that is loaded says that it closes {short(key)}.", (key,), step=run.last)]
    return Draft(items, facts, entries=[key])


def _step_of(run: Run, result: Result) -> int:
    return next((i for i, s in enumerate(run.steps) if s.rows is result.rows), run.last - 1)


def _release_people(u: Understanding, run: Run, key: str) -> Draft:
    if re.search(r"publish|(?:made|cut|created|tagged|released) (?:the )?(?:release |tag )?RELEASE", u.masked, re.I):
        return actors(run, key, ["AUTHORED"], "author", u)
    role = "reviewer" if u.has("review", "approve") else "merger" if u.has("merge") else "author"
    got = run.call("expand", "what first shipped in it", key=key, rels=["SHIPPED_IN"], labels=["PullRequest"], direction="in", k=500)
    counts: dict[str, int] = {}
    names: dict[str, str] = {}
    rel = {"reviewer": "REVIEWED", "merger": "MERGED", "author": "AUTHORED"}[role]
    for row in got.rows:
        who = run.call("expand", f"who {VERB[rel]} {short(str(row['key']))}", key=str(row["key"]), rels=[rel], labels=["Person"], k=100)
        for p in {str(r["key"]): str(r["name"]) for r in who.rows}.items():
            counts[p[0]] = counts.get(p[0], 0) + 1
            names[p[0]] = p[1]
    order = sorted(counts, key=lambda k: (-counts[k], k))
    facts = [Fact(f"{titled(k, names[k])} {VERB[rel]} changes that first shipped in {short(key)}.", (k, key), step=run.last) for k in order]
    if not facts:
        facts = [Fact(f"No pull request that is loaded first shipped in {short(key)}.", (key,), step=run.last)]
    return Draft(order, facts, entries=[key])


def _knowers(run: Run, key: str) -> Draft:
    """Who knows the code a change touches: the people who changed the same files."""
    files = run.call("expand", "the files it changes", key=key, rels=["TOUCHED"], labels=["File"], k=20)
    items: list[str] = []
    facts: list[Fact] = []
    for row in files.rows[:5]:
        got = run.call("who_knows", f"who changed {short(str(row['key']))} before", target=str(row["key"]), k=3)
        for r in got.rows:
            if r["key"] not in items:
                items.append(str(r["key"]))
                facts.append(
                    Fact(
                        f"{titled(str(r['key']), str(r['name']))} changed or reviewed {short(str(row['key']))} {r['authored'] + r['reviewed']} times, last on {day(r['last_at'])}.",
                        (str(r["key"]), str(row["key"])),
                        step=run.last,
                    )
                )
    return Draft(items[:5], facts[:5], entries=[key])


def _unique(keys: Any) -> list[str]:
    return list(dict.fromkeys(str(k) for k in keys))
