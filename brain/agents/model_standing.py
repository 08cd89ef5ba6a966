"""How things stand and when what happened to them: what a model says of it is held against the state and the dates that were returned of
the very thing, and what it says is the most of a list against the list.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from brain.agents import model_dates
from brain.agents.model_returned import alike
from brain.agents.model_verbs import NEGATED
from brain.agents.wording import day, is_key
from brain.text.analysis import terms
from brain.types import Step

_LEAST_INSTANT, _LAST_INSTANT = 100_000_000, 250_000_000_000
_FAMILIES = {
    "open": "open unresolved pending ongoing firing new to_do todo in_progress",
    "ended": "closed done resolved solved fixed completed finished",
    "merged": "merged", "force": "in_force", "agreed": "in_force accepted approved", "rejected": "rejected refused declined",
    "replaced": "superseded replaced past", "failed": "failed failure", "worked": "succeeded successful success",
}  # fmt: skip
_OF = {
    "open": "ticket issue pr incident alert", "ended": "ticket issue incident alert", "merged": "pr", "force": "decision rule",
    "agreed": "decision doc", "rejected": "decision doc", "replaced": "decision rule doc", "failed": "deploy", "worked": "deploy",
}  # fmt: skip
_ONE_OF = "|".join(sorted({w.replace("_", " ") for ws in _FAMILIES.values() for w in ws.split()}, key=len, reverse=True))
_STANDS = re.compile(
    rf"\b(?P<be>is|are|remains?|stays?|has been|have been|was|were)\s+"
    rf"(?:(?:still|now|currently|already|also|all|both|finally)\s+)*(?P<word>{_ONE_OF})\b"
    r"|(?P<alone>\bsucceeded|\bfailed)\b", re.I,
)  # fmt: skip
_STANDING = frozenset(
    {"state", "status", "rank", "severity", "priority", "env", "environment", "result", "stands", "resolution", "why", "skipped"}
)
_LONGEST = 400
_SAYS_STATUS = re.compile(r"^(?:#+ *)?status:?\s+([a-z]+(?: [a-z]+)?)\s*$", re.I | re.M)
_UNMERGED = re.compile(r"\b(?:without being|not|never|was not|wasn't) merged\b|\bunmerged\b", re.I)
_PRIORITY = re.compile(
    r"\b(?:is|was|are|were) (?:an? )?(?P<word>critical|urgent|warnings?|highest|lowest|high|low|medium|normal)\b", re.I
)
_URGENCY = ("priority", "severity", "urgency")
_NOW = re.compile(r"\b(?:today|currently|now|at present|right now|these days|at the moment)\b", re.I)
_LASTING = frozenset({"open", "force"})
_ALL = re.compile(r"\b(?:all|every|each|both|always)\b", re.I)
_DATED = {
    "merged_at": "merged", "closed_at": "closed resolved solved", "created_at": "opened created reported", "departed_at": "left departed",
    "published_at": "published",
}  # fmt: skip
_COLUMN = {word: column for column, words in _DATED.items() for word in words.split()}
_HAPPENED = re.compile(rf"\b(?P<word>{'|'.join(_COLUMN)})\b(?: \w+)?? on (?P<day>\d{{4}}-\d{{2}}-\d{{2}})", re.I)
_MOST = re.compile(
    r"\bthe (?:most|fewest|highest|largest|busiest|top)\b"
    r"|\b(?:more|fewer)\b.{1,80}?\bthan (?:anybody|anyone|anything|any other|all others)\b", re.I
)
_FEWEST = re.compile(r"\b(?:the fewest|fewer)\b", re.I)
_OLDEST, _NEWEST = re.compile(r"\bthe (?:oldest|earliest)\b", re.I), re.compile(r"\bthe (?:newest|latest|most recent)\b", re.I)
_NO_COUNT = frozenset({"total", "people", "groups", "hops", "line", "line_end", "number", "place", "turn", "part"})
_STATES = ("state", "status", "stated")


class Standing:
    """How what some steps returned stands."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps
        self._lists = [rows for step in steps if len(rows := [row for row in step.rows if row.get("key")]) > 1]
        self._held: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for step in steps:
            for row in step.rows:
                self._held[str(row.get("key"))].append(row)
                if row.get("src") and (said := _SAYS_STATUS.search(str(row.get("text") or ""))):
                    self._held[str(row["src"])].append({"status": said[1].strip()})
            for node in step.nodes:
                self._held[node.key].append(node.props)

    def fault(self, sentence: str, cites: Sequence[str]) -> str:
        """Why what the sentence says of how or when is not so; empty where nothing returned speaks against it."""
        checks = (self._unmerged, self._priority, self._stands, self._stale, self._happened, self._most)
        return next(filter(None, (check(sentence, cites) for check in checks)), "")

    def _unmerged(self, sentence: str, cites: Sequence[str]) -> str:
        merged = [key for key in cites if key.startswith("pr:") and "merged" in self._families(key)]
        return f"{merged[0]} was merged" if merged and _UNMERGED.search(sentence) else ""

    def _priority(self, sentence: str, cites: Sequence[str]) -> str:
        for match in _PRIORITY.finditer(sentence):
            known = [{str(row[n]).casefold() for row in self._held.get(key, ()) for n in _URGENCY if row.get(n)} for key in cites]
            if any(known) and not any(match["word"].casefold().rstrip("s") in found for found in known):
                return f"what was returned says {sorted(set().union(*known))[0]}, and not {match['word']}"
        return ""

    def _stale(self, sentence: str, cites: Sequence[str]) -> str:
        """A rule or a decision that is told as what holds now, and was replaced."""
        if not _NOW.search(sentence) or NEGATED.search(sentence):
            return ""
        ruling = [(key, self._families(key)) for key in cites if key.partition(":")[0] in ("rule", "decision")]
        old = [key for key, found in ruling if "replaced" in found and "force" not in found]
        return f"{old[0]} was replaced" if old and len(old) == len(ruling) else ""

    def like_others(self, said: set[str], cited: frozenset[str], asked: frozenset[str]) -> str:
        """A stem of what is said that was returned of how something else stands in a list, and not of what is cited."""
        for rows in self._listed if said and cited else ():
            own = {word for key in cited & rows.keys() for word in rows[key].all}
            stands = {word for key in rows.keys() - cited for word in rows[key].stands}
            quoted = {word for key in rows.keys() - cited for word in rows[key].quoted}
            other = [w for w in sorted(said) if any(alike(w, o) for o in (stands if w in asked else stands | quoted))]
            strange = [w for w in other if not any(alike(w, o) for o in own)]
            if own and strange:
                return f"what was returned says “{strange[0]}” of others, and not of what it cites"
        return ""

    @cached_property
    def _listed(self) -> list[dict[str, _Listed]]:
        """For each step that lists things: the words of each."""
        return [found for step in self._steps if len(found := _listed(step)) > 1]

    def _stands(self, sentence: str, cites: Sequence[str]) -> str:
        for match in _STANDS.finditer(sentence):
            word = (match["word"] or match["alone"]).casefold().replace(" ", "_")
            for family, words in _FAMILIES.items():
                past = (match["be"] or "").casefold() in ("was", "were") and family in _LASTING
                if word not in words.split() or past or NEGATED.search(sentence[: match.end()]):
                    continue
                known = [(key, found) for key in cites if key.partition(":")[0] in _OF[family].split() and (found := self._families(key))]
                other = [key for key, found in known if not _agrees(family, found)]
                if other and (len(other) == len(known) or _ALL.search(sentence)):
                    return f"what was returned does not say “{word.replace('_', ' ')}” of {other[0]}"
        return ""

    def _families(self, key: str) -> set[str]:
        said = {str(row[name]).casefold().replace(" ", "_") for row in self._held.get(key, ()) for name in _STATES if row.get(name)}
        return {family for family, words in _FAMILIES.items() if said & {*words.split()}}

    def _happened(self, sentence: str, cites: Sequence[str]) -> str:
        for match in _HAPPENED.finditer(model_dates.plain(sentence)):
            column = _COLUMN[match["word"].casefold()]
            days = {day(at) for key in cites for at in self._instants(key, column)}
            if days and match["day"] not in days:
                return f"what was returned says {match['word']} on {min(days)}, and not on {match['day']}"
        return ""

    def _instants(self, key: str, column: str) -> Iterator[int]:
        values = (row.get(column) for row in self._held.get(key, ()))
        yield from (v for v in values if isinstance(v, int) and _LEAST_INSTANT < v < _LAST_INSTANT)

    def _most(self, sentence: str, cites: Sequence[str]) -> str:
        for pattern, least in ((_OLDEST, True), (_NEWEST, False)):
            if pattern.search(sentence) and (key := self._not_at_the_end(cites, least)):
                return f"{key} is not at that end of the list that was returned"
        if not _MOST.search(sentence):
            return ""
        sign = -1 if _FEWEST.search(sentence) else 1
        for rows in self._lists:
            mine = [row for row in rows if row["key"] in cites]
            counts = {name for row in mine for name, value in row.items() if name not in _NO_COUNT and _count(value)}
            if mine and counts and not any(_first(row, name, rows, sign) for row in mine for name in counts):
                return f"others have more than {mine[0]['key']} in the list that was returned"
        return ""

    def _not_at_the_end(self, cites: Iterable[str], least: bool) -> str:
        cited = set(cites)
        for rows in self._lists:
            times = [(row["at"], row["key"]) for row in rows if isinstance(row.get("at"), int)]
            mine = [at for at, key in times if key in cited]
            whole = all(not _count(row.get("total")) or row["total"] <= len(rows) for row in rows)
            end = min(times)[0] if least and times else max(times)[0] if times else 0
            if len(mine) == 1 and (whole or not least) and mine[0] != end:
                return next(key for at, key in times if at == mine[0])
        return ""


def _agrees(family: str, found: set[str]) -> bool:
    if family == "force":
        return "force" in found
    return family in found or (family == "ended" and "merged" in found)


def _count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _LEAST_INSTANT


def _first(row: Mapping[str, Any], name: str, rows: Sequence[Mapping[str, Any]], sign: int = 1) -> bool:
    counts = [other[name] for other in rows if _count(other.get(name))]
    return _count(row.get(name)) and bool(row[name]) and all(sign * count <= sign * row[name] for count in counts)


@dataclass
class _Listed:
    """The words of one thing of a list: for how it stands, of what is quoted of it, and all of them."""

    stands: set[str] = field(default_factory=set)
    quoted: set[str] = field(default_factory=set)
    all: set[str] = field(default_factory=set)


def _listed(step: Step) -> dict[str, _Listed]:
    found: dict[str, _Listed] = defaultdict(_Listed)
    filtered = {t for name in _STANDING & step.args.keys() for t in terms(str(step.args[name]))}
    for row in step.rows:
        key = str(row.get("key"))
        texts = {column: value.replace("_", " ") for column, value in row.items() if isinstance(value, str) and len(value) < _LONGEST}
        for column, value in texts.items() if is_key(key) else ():
            words = {t for t in terms(value) if t.isalpha()}
            found[key].all |= words | {*terms(column)} | filtered
            if column in _STANDING:
                found[key].stands |= words
            elif column == "quote":
                found[key].quoted |= words
    return found
