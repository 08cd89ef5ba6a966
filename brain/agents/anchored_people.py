"""Who stands in which relation to one pull request, issue, commit or release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import VERB, day, listing, short, titled
from brain.types import Result

_RELATIONS: dict[str, dict[str, str]] = {
    "PullRequest": {
        "approve": "REVIEWED",
        "changes_requested": "REVIEWED",
        "review": "REVIEWED",
        "merge": "MERGED",
        "comment": "COMMENTED_ON",
        "author": "AUTHORED",
    },
    "Issue": {"comment": "COMMENTED_ON", "author": "OPENED"},
    "Commit": {"author": "AUTHORED", "comment": "COMMENTED_ON"},
}
_REVIEW_STATE = {"approve": ["APPROVED"], "changes_requested": ["CHANGES_REQUESTED"]}
_REVIEW_VERB = {"approve": "approved", "changes_requested": "requested changes on", "review": "reviewed"}


def people(u: Understanding, run: Run, key: str, label: str) -> Draft:
    """Who stands in the named relation to the anchor."""
    if label == "Issue" and u.has("close", "review", "approve", "merge", "ship"):
        return _fixers(u, run, key)
    if label == "Release":
        return _release_people(u, run, key)
    if label == "PullRequest" and u.has("approve") and "without_approval" in u.flags:
        return _reviewed_only(run, key)
    if u.has("assign") and label in ("PullRequest", "Issue"):
        return _assigned(run, key)
    for aspect, rel in _RELATIONS.get(label, {}).items():
        if u.has(aspect) and not (aspect == "review" and u.has("approve", "changes_requested")):
            return _actors(run, key, rel, aspect)
    if u.has("know", "touch"):
        return _knowers(run, key)
    return _actors(run, key, "OPENED" if label == "Issue" else "AUTHORED", "author")


def _reviewed_only(run: Run, key: str) -> Draft:
    """Who reviewed a pull request and never approved it."""
    every = _actors(run, key, "REVIEWED", "review")
    approved = set(_actors(run, key, "REVIEWED", "approve").items)
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


def _actors(run: Run, key: str, rel: str, aspect: str) -> Draft:
    """Who stands in one relation to an item, the first one first; reviews of its own author are none."""
    verb = "published" if key.startswith("release:") else _REVIEW_VERB.get(aspect) or VERB[rel]
    states = _REVIEW_STATE.get(aspect, [])
    got = run.call("expand", f"who {verb} it", key=key, rels=[rel], labels=["Person"], states=states, k=200)
    keys = _unique(r["key"] for r in sorted(got.rows, key=lambda r: r["at"] or 0))
    if rel == "REVIEWED":
        authors = run.call("expand", "to leave out its author", key=key, rels=["AUTHORED"], labels=["Person"])
        keys = [k for k in keys if k not in {r["key"] for r in authors.rows}]
    names = {n.key: n.name for n in got.nodes}
    if not keys:
        text = f"Nobody {verb} {titled(key, names.get(key, ''))}, as far as what is loaded says."
        return Draft([], [Fact(text, (key,), step=run.last)], entries=[key])
    facts = []
    for person in keys:
        at = sorted({day(r["at"]) for r in got.rows if r["key"] == person and r["at"]})
        times = f" on {listing(at, 4)}" if at else ""
        facts.append(Fact(f"{titled(person, names.get(person, ''))} {verb} {short(key)}{times}.", (person, key), step=run.last))
    return Draft(keys, facts, entries=[key])


def _fixers(u: Understanding, run: Run, key: str) -> Draft:
    """Who wrote, reviewed or merged the changes that close an issue."""
    fixes = run.call("expand", "the changes that close it", key=key, rels=["CLOSES"], direction="in", k=50)
    aspect = next((a for a in ("approve", "changes_requested", "review", "merge") if u.has(a)), "author")
    items: list[str] = []
    facts: list[Fact] = []
    rel = {"merge": "MERGED", "author": "AUTHORED"}.get(aspect, "REVIEWED")
    pulls = [row for row in fixes.rows if str(row["key"]).startswith("pr:")]
    for row in pulls or fixes.rows:
        part = _actors(run, str(row["key"]), rel, aspect)
        items += [k for k in part.items if k not in items]
        text = f"{titled(str(row['key']), str(row['name']))} closes {short(key)}."
        facts.append(Fact(text, (str(row["key"]), key), step=1 + _step_of(run, fixes)))
        facts += part.facts
    if not items and not u.has("close"):
        return _actors(run, key, "OPENED", "author")
    if not facts:
        facts = [Fact(f"No change that is loaded says that it closes {short(key)}.", (key,), step=run.last)]
    return Draft(items, facts, entries=[key])


def _step_of(run: Run, result: Result) -> int:
    return next((i for i, s in enumerate(run.steps) if s.rows is result.rows), run.last - 1)


def _release_people(u: Understanding, run: Run, key: str) -> Draft:
    """Who published a release, or who wrote, reviewed or merged what first shipped in it, most first."""
    if u.says("published_by"):
        return _actors(run, key, "AUTHORED", "author")
    rel = "REVIEWED" if u.has("review", "approve") else "MERGED" if u.has("merge") else "AUTHORED"
    got = run.call("expand", "what first shipped in it", key=key, rels=["SHIPPED_IN"], labels=["PullRequest"], direction="in", k=500)
    counts: Counter[str] = Counter()
    names: dict[str, str] = {}
    for pull in (str(row["key"]) for row in got.rows):
        who = run.call("expand", f"who {VERB[rel]} {short(pull)}", key=pull, rels=[rel], labels=["Person"], k=100)
        people_of_it = {str(r["key"]): str(r["name"]) for r in who.rows}
        counts.update(people_of_it.keys())
        names |= people_of_it
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
    for path in (str(row["key"]) for row in files.rows[:5]):
        got = run.call("who_knows", f"who changed {short(path)} before", target=path, k=3)
        for r in got.rows:
            person, times = str(r["key"]), int(r["authored"]) + int(r["reviewed"])
            if person not in items:
                text = f"{titled(person, str(r['name']))} changed or reviewed {short(path)} {times} times, last on {day(r['last_at'])}."
                items.append(person)
                facts.append(Fact(text, (person, path), step=run.last))
    return Draft(items[:5], facts[:5], entries=[key])


def _unique(keys: Iterable[Any]) -> list[str]:
    return list(dict.fromkeys(str(k) for k in keys))
