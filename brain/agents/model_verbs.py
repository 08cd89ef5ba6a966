"""The words that say who does what to what, and the relationships they stand for; and how a sentence denies, contrasts and looks back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

NEGATED = re.compile(r"\b(?:not|never|no longer|nobody|neither|nor|cannot)\b|n['\u2019]t\b", re.I)
_BY = r"\b(?:is|was|were|are|been|being|be)(?:n['\u2019]t)?\s+(?:\w+\s+){0,2}?(?:DONE)\s+by\b"
_IS = r"(?:is|was|are|were|has been|have been)(?:n['\u2019]t| not| no longer)?"
NOBODY = re.compile(r"\b(?:nobody|no one|no-one|nothing|none|no (?:team|person|service|owner))\b", re.I)
CONTRAST = re.compile(
    r"(?:,|;| -| \u2013| \u2014)\s*(?:and |but )?not\b[^,;.]*|\b(?:rather than|instead of|as opposed to)\b[^,;.]*|^\s*no\b\s*[,:;.-]", re.I
)
CLAUSES = re.compile(r";|, (?:who|which|while|whereas|with)\b|\b(?:while|whereas)\b", re.I)
PAST = re.compile(r"\b(?:was|were|had|until|till|formerly|previously|used to|no longer|ended|owned|led|before|former|once)\b", re.I)


@dataclass(frozen=True)
class Verb:
    """Words that say a relationship: `active` with who does it in front, `passive` with who does it behind. `turned` are relationships
    that lead from what is done to who does it. `far`: also over several of them. `only`: the words say nothing else of other things.
    `of` the labels of what it is done to, where the words say something else of the rest. `told`: passages are held against it too.
    `alone`: what does it need not be named where it is cited.
    """

    active: re.Pattern[str]
    passive: re.Pattern[str] | None
    rels: tuple[str, ...]
    turned: tuple[str, ...] = ()
    far: bool = False
    only: bool = False
    of: frozenset[str] = frozenset()
    told: bool = False
    alone: bool = False


def verb(active: str, done: str, rels: str, turned: str = "", far: bool = False, only: bool = False, of: str = "", **more: bool) -> Verb:
    """A verb of these words, `done` its form in "is done by"; relationships with blanks between them."""
    passive = re.compile(_BY.replace("DONE", done), re.I) if done else None
    words = re.compile(rf"\b(?:{active})\b", re.I)
    return Verb(words, passive, tuple(rels.split()), tuple(turned.split()), far, only, frozenset(of.split()), **more)


VERBS = (
    verb("owns?|owned", "owned", "OWNS", only=True, told=True),
    verb("belongs? to|belonged to", "", "", "OWNS"),
    verb(
        r"(?<!technical )(?<!tech )(?:leads?|led)\b(?! of| for)|tech(?:nical)? lead (?:of|for)", "led",
        "TECH_LEAD_OF", only=True, told=True,
    ),
    verb(
        "depends? on|depended on|rel(?:y|ies) on|needs?", "needed|(?:depended|relied) (?:up)?on",
        "DEPENDS_ON USES HAS_RESOURCE PROVIDES", "PROVIDED_BY", True, told=True,
    ),
    verb("reviewed|reviews|approved", "reviewed|approved", "REVIEWED", only=True),
    verb("wrote|authored|opened|created", "written|authored|opened|created", "AUTHORED OPENED WROTE POSTED"),
    verb("merged", "merged", "MERGED"),
    verb("closes|closed|fixes|fixed", "closed|fixed", "CLOSES", "FIXED_BY"),
    verb("(?:first )?(?:shipped|released) in|ships in", "", "SHIPPED_IN", alone=True),
    verb("supersedes?|superseded|replaces?|replaced", "superseded|replaced", "SUPERSEDES"),
    verb(f"{_IS} on call for", "", "ON_CALL_FOR", only=True),
    verb("maintains?", "maintained", "", "MAINTAINED_BY"),
    verb("handled|handles", "handled", "", "HANDLED_BY"),
    verb("resolved|resolves|solved|took care of", "resolved|solved|taken care of", "", "HANDLED_BY", of="Ticket"),
    verb(f"{_IS} assigned to", "", "ASSIGNED_TO"),
    verb("caused", "caused", "", "CAUSED_BY"),
    verb("decided|made the decision", "decided|made", "DECIDED"),
    verb("fired on", "", "FIRED_ON"),
    verb(f"{_IS} deployed to", "", "DEPLOYED_TO"),
)  # fmt: skip


def said(text: str, verbs: Iterable[Verb] = VERBS) -> Iterator[tuple[Verb, int, int, bool]]:
    """The relationships that a text says: the verb, where its words are, and whether who does it stands behind them."""
    for one in verbs:
        passive = [*one.passive.finditer(text)] if one.passive else []
        yield from ((one, m.start(), m.end(), True) for m in passive)
        for m in one.active.finditer(text):
            if not any(p.start() <= m.start() < p.end() for p in passive):
                yield one, m.start(), m.end(), False
