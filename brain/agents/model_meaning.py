"""What a sentence of a model's means, as far as that is plain: whom and what it names, and who does what to what. It is held against the
relationships that the run returned. No word is understood; a sentence that is not plain is left to the other checks.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from brain.agents.model_cites import abbreviations
from brain.agents.wording import is_key, short
from brain.schema import RELS, label_of
from brain.types import Step

_QUOTED = re.compile(r"“[^”]*”")
_NEGATED = re.compile(r"\b(?:not|never|no longer|nobody|neither|nor|cannot)\b|n['\u2019]t\b", re.I)
_BY = r"\b(?:is|was|were|are|been|being|be)(?:n['\u2019]t)?\s+(?:\w+\s+){0,2}?(?:DONE)\s+by\b"
_LEAST, _FEW = 3, 4
_POINTING = frozenset(
    "it its they their he she this that these those the a an both all each one some nobody who which there".split(" ")  # noqa: SIM905
)


@dataclass(frozen=True)
class Verb:
    """Words that say a relationship: `active` with who does it in front, `passive` with who does it behind. `turned` are relationships
    that lead from what is done to who does it. `far`: also over several of them.
    """

    active: re.Pattern[str]
    passive: re.Pattern[str] | None
    rels: tuple[str, ...]
    turned: tuple[str, ...] = ()
    far: bool = False


def _verb(active: str, done: str, rels: str, turned: str = "", far: bool = False) -> Verb:
    passive = re.compile(_BY.replace("DONE", done), re.I) if done else None
    return Verb(re.compile(rf"\b(?:{active})\b", re.I), passive, tuple(rels.split()), tuple(turned.split()), far)


_VERBS = (
    _verb("owns?|owned", "owned", "OWNS"),
    _verb("leads?|led|is the tech(?:nical)? lead (?:of|for)", "led", "TECH_LEAD_OF"),
    _verb("depends? on|depended on|rel(?:y|ies) on|needs?", "needed", "DEPENDS_ON USES HAS_RESOURCE PROVIDES", "PROVIDED_BY", True),
    _verb("reviewed|reviews|approved", "reviewed|approved", "REVIEWED"),
    _verb("wrote|authored|opened|created", "written|authored|opened|created", "AUTHORED OPENED WROTE POSTED"),
    _verb("merged", "merged", "MERGED"),
    _verb("closes|closed|fixes|fixed", "closed|fixed", "CLOSES", "FIXED_BY"),
    _verb("(?:first )?(?:shipped|released) in|ships in", "", "SHIPPED_IN"),
    _verb("supersedes?|superseded|replaces?|replaced", "superseded|replaced", "SUPERSEDES"),
    _verb("(?:is|was|are|were) on call for", "", "ON_CALL_FOR"),
    _verb("maintains?", "maintained", "", "MAINTAINED_BY"),
    _verb("handled|handles", "handled", "", "HANDLED_BY"),
    _verb("(?:is|was|are|were) assigned to", "", "ASSIGNED_TO"),
    _verb("caused", "caused", "", "CAUSED_BY"),
    _verb("decided|made the decision", "decided|made", "DECIDED"),
    _verb("fired on", "", "FIRED_ON"),
    _verb("(?:is|was|were|are) deployed to", "", "DEPLOYED_TO"),
)


@dataclass(frozen=True)
class Named:
    """A stretch of a sentence that names something: where it is, and the keys it may stand for."""

    start: int
    end: int
    keys: frozenset[str]


class Meaning:
    """What the steps of a run returned, to hold sentences against. `asked` is the question with what its names stand for."""

    def __init__(self, steps: Sequence[Step], entries: Sequence[str], asked: str) -> None:
        self._entries, self._asked = frozenset(entries), asked.casefold()
        self._names: dict[str, set[str]] = defaultdict(set)
        self._edges: dict[str, set[tuple[str, str]]] = defaultdict(set)
        self._rows = [_flat(row) for step in steps for row in step.rows]
        for node in (n for step in steps for n in step.nodes):
            self._names[node.key] |= {node.name} - {""}
        for step in steps:
            for e in step.edges:
                self._edges[e.rel].add((e.src, e.dst))
            for row in step.rows:
                if row.get("rel") in RELS and is_key(str(row.get("key"))) and is_key(str(row.get("on"))):
                    self._edges[row["rel"]].add((str(row["key"]), str(row["on"])))
        called = (name for names in self._names.values() for name in names)
        held = [self._asked, *(text for texts, _ in self._rows for text in texts), *called]
        self._words = frozenset(_words(" ".join(held).casefold()))
        self._forms = self._all_forms(key for key in self._names)

    def fault(self, sentence: str, cites: Sequence[str]) -> str:
        """Why the sentence does not hold; empty when nothing speaks against it."""
        plain = _QUOTED.sub(" ", sentence)
        named = self._mentioned(plain, self._all_forms({*cites, *self._entries}, abbreviated=True))
        return self._stranger(plain, cites, named) or self._relation(plain, named)

    # -- whom and what it names --------------------------------------------------------------

    def _stranger(self, text: str, cites: Sequence[str], named: Sequence[Named]) -> str:
        """Something named that the sentence does not cite, and that stands beside nothing it cites."""
        cited = frozenset(cites)
        for other in self._mentioned(text, self._forms):
            if any(n.start < other.end and other.start < n.end for n in named):
                continue
            beside = any(cited & keys and (other.keys & keys or text[other.start : other.end] in texts) for texts, keys in self._rows)
            if not beside and not other.keys & (cited | self._entries):
                return f"{text[other.start : other.end]} is named, and neither cited nor beside anything cited in what was returned"
        for match in _NAME_LIKE.finditer(text):
            if not any(n.start < match.end() and match.start() < n.end for n in named) and not self._known(match[0]):
                return f"{match[0]} stands in nothing that was returned"
        return ""

    def _known(self, word: str) -> bool:
        return all({part, part.rstrip("s")} & (self._words | _ORDINARY) for part in _words(word.casefold()))

    def _all_forms(self, keys: Iterable[str], abbreviated: bool = False) -> dict[str, frozenset[str]]:
        """What the things are called, with the keys that may be meant; also how people abbreviate what they name plainly enough."""
        forms: dict[str, set[str]] = defaultdict(set)
        for key in keys:
            more = abbreviations(key) if abbreviated else ()
            for form in {key, short(key), key.partition(":")[2], *self._names.get(key, ()), *more}:
                if len(form) >= _LEAST and re.search(r"[^\W\d]", form):
                    forms[form].add(key)
        return {form: frozenset(found) for form, found in forms.items()}

    def _mentioned(self, text: str, forms: Mapping[str, frozenset[str]]) -> list[Named]:
        """What of these the text names, the longest forms first, in the order of the text."""
        found: list[Named] = []
        for form in sorted((f for f in forms if f in text), key=len, reverse=True):
            for match in re.finditer(rf"(?<![\w@#/-]){re.escape(form)}(?![\w@#/-])", text):
                if all(match.end() <= n.start or n.end <= match.start() for n in found):
                    found.append(Named(match.start(), match.end(), forms[form]))
        return sorted(found, key=lambda n: n.start)

    # -- who does what to what ---------------------------------------------------------------

    def _relation(self, text: str, named: Sequence[Named]) -> str:
        """What speaks against what the sentence says that one thing does to another; nothing where it says several such things."""
        said = list(_said(text))
        if len(said) != 1:
            return ""
        verb, start, end, passive = said[0]
        before, after = [n for n in named if n.end <= start], [n for n in named if n.start >= end]
        doing, done = (after, before) if passive else (before, after)
        if not before and (strange := self._unknown_doer(text[:start])):
            return f"{strange} stands in nothing that was returned"
        if not doing or not done:
            return ""
        edges = self._of(verb)
        stands = [any(self._holds(x, y, edges, verb.far) for x in doing) for y in done]
        what = text[start:end].strip()
        if _NEGATED.search(text):
            return f"what was returned says that it is so: “{what}”" if all(stands) else ""
        for y, holds in zip(done, stands, strict=True):
            if not holds and any(self._contrary(x, y, edges, verb) for x in doing):
                sides = (text[y.start : y.end], text[doing[-1].start : doing[-1].end])
                return f"what was returned does not say “{what}” of {sides[1]} and {sides[0]}, but of others"
        return ""

    def _unknown_doer(self, words: str) -> str:
        """A name in the few words in front of a verb that nothing returned holds."""
        plain = words.split()
        names = [w for w in plain if w[:1].isupper() and w.casefold() not in _POINTING and not self._known(w)]
        return names[0] if names and len(plain) <= _FEW else ""

    def _of(self, verb: Verb) -> set[tuple[str, str]]:
        turned = {(dst, src) for rel in verb.turned for src, dst in self._edges[rel]}
        return turned.union(*(self._edges[rel] for rel in verb.rels))

    def _holds(self, x: Named, y: Named, edges: set[tuple[str, str]], far: bool) -> bool:
        if any(src in x.keys and dst in y.keys for src, dst in edges):
            return True
        return far and bool(_reach(x.keys, edges) & y.keys)

    def _contrary(self, x: Named, y: Named, edges: set[tuple[str, str]], verb: Verb) -> bool:
        """Was the relationship returned of one of the two, with something else?"""
        kinds = [{label_of(key) for key in side.keys} for side in (x, y)]
        sides = [(RELS[r].domain, RELS[r].range) for r in verb.rels] + [(RELS[r].range, RELS[r].domain) for r in verb.turned]
        fits = any(kinds[0] & {*does} and kinds[1] & {*done} for does, done in sides)
        turned_round = any(src in y.keys and dst in x.keys for src, dst in edges)
        others = any(dst in y.keys or src in x.keys for src, dst in edges)
        return turned_round or (fits and others)


_ORDINARY = frozenset(
    word
    for line in (
        "january february march april may june july august september october november december monday tuesday wednesday thursday friday",
        "saturday sunday jan feb mar apr jun jul aug sep oct nov dec utc pr prs adr i github slack git ci api id ids url ok yes no readme",
        "codeowners pull request requests issue issues commit commits release releases ticket tickets team service services none nothing",
    )
    for word in line.split()
)
_NAME_LIKE = re.compile(r"(?<![\w@#/.-])(?<!^)(?<!: )(?<!\. )[A-Z][\w'\u2019-]*(?!\w)")


def _said(text: str) -> Iterator[tuple[Verb, int, int, bool]]:
    """The relationships that a text says: the verb, where its words are, and whether who does it stands behind them."""
    for verb in _VERBS:
        passive = [*verb.passive.finditer(text)] if verb.passive else []
        yield from ((verb, m.start(), m.end(), True) for m in passive)
        for m in verb.active.finditer(text):
            if not any(p.start() <= m.start() < p.end() for p in passive):
                yield verb, m.start(), m.end(), False


def _reach(starts: frozenset[str], edges: set[tuple[str, str]]) -> set[str]:
    onward: dict[str, list[str]] = defaultdict(list)
    for src, dst in edges:
        onward[src].append(dst)
    seen, queue = set(starts), deque(starts)
    while queue:
        for dst in onward[queue.popleft()]:
            if dst not in seen:
                seen.add(dst)
                queue.append(dst)
    return seen - starts


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text)


def _flat(row: Mapping[str, Any]) -> tuple[tuple[str, ...], frozenset[str]]:
    """The texts of a row, and the keys among them."""
    texts: list[str] = []
    queue: list[Any] = [*row.values()]
    while queue:
        value = queue.pop()
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, Mapping):
            queue += value.values()
        elif isinstance(value, list | tuple | set | frozenset):
            queue += value
    return tuple(texts), frozenset(t for t in texts if is_key(t))
