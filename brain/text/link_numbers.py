"""Pull requests and issues by number in a question: `#12`, `name#12`, `PR 12`, `issues 3, 4 and 5`; and tickets whose id is a number.

A number belongs to the repository in front of it, else to the nearest one that is named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from brain import schema
from brain.text.mentions import Links, Mention, Stock

_REPO = r"[A-Za-z0-9][\w.-]*"
_HASH = re.compile(rf"(?:\b({_REPO}/{_REPO}|{_REPO}))?(\s?)#(\d+)\b")
_KINDS = {"p": "pr", "m": "pr", "i": "issue", "t": "issue", "b": "issue"}
_KIND = re.compile(
    r"\b(prs?|pull[ -]?requests?|pulls?|merge[ -]?requests?|mrs?|issues?|tickets?|bugs?)"
    r"\s*(?:number|numbered|no\.?|nr\.?|num\.?)?\s*[#!]?(\d+)\b(?!\s*(?:%|days?|weeks?|months?|years?|people|times))",
    re.I,
)
_HINT = re.compile(r"(pr|prs|pull requests?|pull|merge request|issues?|ticket|bug)$")
_CHAIN = re.compile(r"\s*(?:,|and|or|&|vs\.?|versus)\s*[#!]?(\d+)\b", re.I)
_BEHIND = re.compile(
    r"(?:['\u2019]s)?\s+#?((?!(?:19|20)\d\d\b)\d{1,5})\b"
    r"(?!\s*(?:%|\.\d|days?|weeks?|months?|years?|people|persons|times|most|prs|pull|issues|reviews|commits|releases|reviewers|authors"
    r"|[a-z]+ers\b))"
)


@dataclass(frozen=True, order=True)
class _Spot:
    """A number in the text with the kind of thing and the repository written beside it, empty when none is."""

    start: int
    end: int
    number: int
    kind: str
    repo: str = ""


def link_numbers(text: str, links: Links, stock: Stock, repos: Sequence[Mention], context: Sequence[str]) -> None:
    """Adds what numbers name. `repos` are the repositories named, `context` (keys) stand in where none is."""
    spots = _with_kind(text)
    spots += _with_hash(text, stock, spots)
    for mention in repos:
        behind = _BEHIND.match(text, mention.end)
        if behind and not _taken(spots, behind.start(1)):
            spots.append(_Spot(behind.start(1), behind.end(1), int(behind[1]), "", mention.keys[0]))
    for spot in sorted(set(spots)):
        if links.free(spot.start, spot.end):
            _link(text[spot.start : spot.end], spot, links, stock, _repos_for(spot, repos) or list(context))


def _with_kind(text: str) -> list[_Spot]:
    """Numbers behind a word for pull requests or issues, with those that follow in the same breath."""
    spots: list[_Spot] = []
    for match in _KIND.finditer(text):
        plural = match[1].lower().endswith("s")
        if plural and "#" not in match[0] and (not _CHAIN.match(text, match.end()) or 1900 < int(match[2]) < 2100):
            continue
        kind = _KINDS[match[1][0].lower()]
        spots.append(_Spot(match.start(), match.end(), int(match[2]), kind))
        spots += _chained(text, match.end(), kind)
    return spots


def _with_hash(text: str, stock: Stock, known: Sequence[_Spot]) -> list[_Spot]:
    """Numbers behind a hash sign, with the repository glued to it."""
    spots: list[_Spot] = []
    for match in _HASH.finditer(text):
        if _taken([*known, *spots], match.start(3)):
            continue
        repo = stock.repo_key(match[1]) if match[1] else None
        start = match.start() if repo else match.start(3) - 1
        hint = _HINT.search(text[:start].rstrip().lower())
        kind = _KINDS[hint[1][0]] if hint else ""
        spots.append(_Spot(start, match.end(), int(match[3]), kind, repo or ""))
        spots += _chained(text, match.end(), kind)
    return spots


def _taken(spots: Sequence[_Spot], at: int) -> bool:
    return any(spot.start <= at < spot.end for spot in spots)


def _chained(text: str, at: int, kind: str) -> list[_Spot]:
    spots: list[_Spot] = []
    while match := _CHAIN.match(text, at):
        spots.append(_Spot(match.start(1), match.end(), int(match[1]), kind))
        at = match.end()
    return spots


def _repos_for(spot: _Spot, repos: Sequence[Mention]) -> list[str]:
    """The repository a number belongs to: its own, else the nearest that is named."""
    if spot.repo:
        return [spot.repo]
    if not repos:
        return []
    return list(min(repos, key=lambda m: min(abs(m.start - spot.end), abs(spot.start - m.end))).keys)


def _link(shown: str, spot: _Spot, links: Links, stock: Stock, repos: Sequence[str]) -> None:
    if repos:
        tries = [f"{kind}:{repo.removeprefix('repo:')}#{spot.number}" for repo in repos for kind in ("pr", "issue")]
        there = stock.existing(tries)
        keys = [there[key.lower()] for key in tries if key.lower() in there]
    else:
        keys = [str(row["key"]) for row in stock.ask("by_number", number=spot.number)]
    keys = [key for key in keys if spot.kind and key.startswith(f"{spot.kind}:")] or keys
    if not repos and (not keys or shown.lower().startswith("ticket")):
        keys = list(stock.existing([f"ticket:{spot.number}"]).values()) or keys
    if keys:
        links.add(Mention(spot.start, spot.end, shown, tuple(keys), schema.label_of(keys[0]), "number"))
    else:
        links.missing(shown, "no pull request or issue of that number", spot.start, spot.end)
