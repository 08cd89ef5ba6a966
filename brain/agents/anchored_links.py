"""What one pull request, issue or commit is linked with: what closes it, refers to it, contains it, takes it back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from brain import schema
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import NOUN, VERB, short, titled
from brain.types import Result

_LABEL = {"issues": "Issue", "prs": "PullRequest", "commits": "Commit"}
_TAKES_BACK = re.compile(r"\s*revert\b", re.I)
_BRINGS_BACK = re.compile(r"\s*(?:revert|reapply|re-?land|reland)\b.{0,6}[\"“']?\s*revert", re.I)


def linked(u: Understanding, run: Run, key: str, want: str) -> Draft:
    """Items that the anchor closes, refers to or contains, or that do so to it."""
    label, labels = schema.label_of(key), [_LABEL[want]]
    if label == "Commit" and want == "prs":
        got = run.call("expand", "the pull request it belongs to", key=key, rels=["INCLUDES"], labels=labels, direction="in", k=50)
    elif want == "commits":
        got = run.call("expand", "its commits", key=key, rels=["INCLUDES", "CLOSES"], labels=labels, k=200)
    elif u.has("revert"):
        got = run.call("expand", "what reverts it or is reverted by it", key=key, rels=["REFERENCES"], labels=labels, k=200)
    else:
        got = _closing_or_referring(u, run, key, labels)
    return linked_draft(run, key, _elsewhere(u, key, got.rows), f"No {NOUN[want][0]} that is loaded is linked with {short(key)} that way.")


def _closing_or_referring(u: Understanding, run: Run, key: str, labels: list[str]) -> Result:
    """What closes it or is closed by it, where that is asked; else what refers to it or is referred to."""
    label = schema.label_of(key)
    issue_and_pr = {label, *labels} == {"Issue", "PullRequest"}
    if u.has("close") or (issue_and_pr and not u.has("mention")):
        direction = "in" if label == "Issue" else _direction(u)
        got = run.call("expand", "what closes it", key=key, rels=["CLOSES"], labels=labels, direction=direction, k=200)
        if got.rows or u.has("close"):
            return got
        return run.call("expand", "nothing closes it; what refers to it", key=key, rels=["REFERENCES"], labels=labels, k=200)
    rels = ["REFERENCES", "CLOSES"] if u.has("mention") else ["CLOSES", "REFERENCES"]
    return run.call("expand", "what is linked with it", key=key, rels=rels, labels=labels, direction=_direction(u), k=200)


def _direction(u: Understanding) -> str:
    """Does the question ask for what refers to the anchor ("in"), or for what the anchor refers to ("out")?"""
    if u.says("item_referred_to"):
        return "in"
    return "out" if u.says("item_refers") else "in" if u.says("refers_to_item") else "both"


def mentioning(u: Understanding, run: Run, key: str) -> Draft:
    """What refers to an item or what it refers to, issues and pull requests alike."""
    label = "" if u.says("issues_and_prs") else _LABEL.get(u.want, "")
    labels = [label] if label else ["Issue", "PullRequest"]
    why = "what refers to it or is referred to"
    got = run.call("expand", why, key=key, rels=["REFERENCES", "CLOSES"], labels=labels, direction=_direction(u), k=400)
    return linked_draft(run, key, _elsewhere(u, key, got.rows), f"Nothing that is loaded is linked with {short(key)} that way.")


def reverted(run: Run, key: str) -> Draft:
    """The pull requests that take an item back: those that refer to it and say so in their title."""
    got = run.call("expand", "what refers to it", key=key, rels=["REFERENCES", "CLOSES"], labels=["PullRequest"], direction="in", k=200)
    rows = [r for r in got.rows if _TAKES_BACK.match(str(r["name"])) and not _BRINGS_BACK.match(str(r["name"]))]
    return linked_draft(run, key, rows, f"No pull request that is loaded takes {short(key)} back.")


def repositories(u: Understanding, run: Run, key: str) -> Draft:
    """The other repositories an item is linked with; its own when that is all there is to say."""
    rels = ["CLOSES"] if u.has("close") and not u.has("mention") else ["CLOSES", "REFERENCES"]
    got = run.call("expand", "what it is linked with", key=key, rels=rels, k=400)
    home = _home(key)
    others: dict[str, str] = {}
    for row in got.rows:
        if _home(str(row["key"])) != home:
            others.setdefault(f"repo:{_home(str(row['key']))}", str(row["key"]))
    if not others and not u.has("mention", "close"):
        return Draft([f"repo:{home}"], [Fact(f"{short(key)} belongs to {home}.", (key,), step=run.last)], entries=[key])
    facts = [
        Fact(f"{short(other)} in {short(repo)} is linked with {short(key)}.", (other, key), step=run.last) for repo, other in others.items()
    ]
    return Draft(list(others), facts, entries=[key])


def _home(key: str) -> str:
    return key.partition(":")[2].split("#")[0].split("@")[0]


def _elsewhere(u: Understanding, key: str, rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Only what lies in other repositories, where the question asks for that."""
    return [r for r in rows if "cross" not in u.flags or _home(str(r["key"])) != _home(key)]


def linked_draft(run: Run, key: str, rows: Sequence[Mapping[str, Any]], none: str) -> Draft:
    """The items of some rows of `expand`, each with the link as a fact; `none` is said when there are none."""
    facts = []
    for row in rows:
        other, name, outward = str(row["key"]), str(row["name"]), row["direction"] == "out"
        verb = VERB.get(str(row["rel"]), "is linked with")
        src, dst = (key, other) if outward else (other, key)
        said = f"{short(key)} {verb} {titled(other, name)}." if outward else f"{titled(other, name)} {verb} {short(key)}."
        facts.append(Fact(said, (src, dst), step=run.last))
    return Draft(list(dict.fromkeys(str(r["key"]) for r in rows)), facts or [Fact(none, (key,), step=run.last)], entries=[key])
