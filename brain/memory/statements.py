"""What people say about themselves, read out of what they type: plain statements in the first person and nothing else. A question,
a doubt, a supposition, a quotation, and what somebody else says are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Protocol

import yaml

from brain.memory.items import NAME, ON_CALL

_FILE = Path(__file__).with_name("statements.yaml")
_SENTENCE = re.compile(r"[^.!?\n]*(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]*\s*")
_BOUNDARY = re.compile(r",\s+(?:and |but |so )?|;\s*|:\s+|\s+(?:and|but|so)\s+|\s+[\u2014\u2013-]\s+|(?=[.!\s]*$)", re.I)
_QUOTED = re.compile(
    r"\"[^\"]*\"|```.*?```|^\s*>.*$|\u201c[^\u201d]*\u201d|\u00ab[^\u00bb]*\u00bb|\u2018[^\u2019]*\u2019(?!\w)|(?<!\w)'[^']*'(?!\w)",
    re.M | re.S,
)
_LONGEST, _MOST = 300, 12
_PART = re.compile(r"\{([A-Z_]+)\}")
_ME = re.compile(r"\b(?:i|i['\u2019]?m|we|my|our|me|us)\b", re.I)
_CALLED = re.compile(r"[A-Z\u00c0-\u00de][\w.'\u2019-]*(?: [A-Z\u00c0-\u00de][\w.'\u2019-]*){0,3}")



@dataclass(frozen=True)
class Grammar:
    """The forms of statements.yaml: what is stated as (kind, pattern, plainly), what is denied, and the words around them."""

    stated: tuple[tuple[str, re.Pattern[str], bool], ...]
    denied: tuple[tuple[str, re.Pattern[str]], ...]
    lead: re.Pattern[str]
    wrong: re.Pattern[str]


@cache
def grammar() -> Grammar:
    """The forms, read once."""
    data = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    parts = data["parts"]

    def form(pattern: str) -> re.Pattern[str]:
        while found := _PART.search(pattern):
            pattern = pattern.replace(found[0], str(parts[found[1]]))
        pattern = re.sub(r"\bX\b", r"(?P<x>.+?)", pattern)
        return re.compile(f"(?:{pattern}){data['tail']}".replace("'", "['\u2019]"), re.I)

    stated = tuple((str(f["kind"]), form(f["pattern"]), bool(f["plainly"])) for f in data["stated"])
    lead = re.compile(rf"(?:{data['leads']}[\s,:;.!\u2014-]+)+".replace("'", "['\u2019]"), re.I)
    return Grammar(stated, tuple((str(f["kind"]), form(f["pattern"])) for f in data["denied"]), lead, re.compile(data["wrong"], re.I))


class Names(Protocol):
    """What the words of a statement name."""

    def named(self, kind: str, phrase: str) -> Sequence[tuple[str, str]] | None:
        """What the phrase names, as (key, name); None where the whole phrase is not the name of something that a statement of
        that kind can be about.
        """

    def timeless(self, clause: str) -> tuple[str, int | None]:
        """The clause without the words that say when, and the instant at which that ends."""


@dataclass(frozen=True)
class Stated:
    """A statement: its kind, what it names as (key, name), its own words and where they stand. `wrong` says that something known
    is wrong, `more` that this is one more, `denied` that it is not so; `unknown` is the name that nothing has.
    """

    kind: str
    named: tuple[tuple[str, str], ...]
    words: str = ""
    start: int = 0
    end: int = 0
    until: int | None = None
    wrong: bool = False
    more: bool = False
    denied: bool = False
    unknown: str = ""


def statements(text: str, names: Names) -> list[Stated]:
    """The statements of a text in order, at most about a dozen."""
    plain = _QUOTED.sub(lambda m: " " * len(m[0]) if _ME.search(m[0]) else m[0], text)
    found: list[Stated] = []
    wrong = False
    for sentence in _SENTENCE.finditer(plain):
        if not sentence[0].strip():
            continue
        said = list(islice(_of_sentence(sentence[0], sentence.start(), names, wrong), _MOST))
        found += said
        if len(found) >= _MOST:
            break
        wrong = bool(not said and grammar().lead.fullmatch(f"{sentence[0].strip()} ") and grammar().wrong.search(sentence[0]))
    return found


def rest(text: str, stated: Sequence[Stated]) -> str:
    """What a text says beside its statements; empty when nothing but words that lead to them."""
    for said in sorted(stated, key=lambda s: s.start, reverse=True):
        text = f"{text[: said.start]} {text[said.end :]}"
    left = [re.sub(r"^(?:and|but|so) ", "", s[0].strip(" ,;:\u2014-"), flags=re.I) for s in _SENTENCE.finditer(text) if s[0].strip()]
    return " ".join(s for s in left if not grammar().lead.fullmatch(f"{s} ") and any(c.isalnum() for c in s))


def _of_sentence(sentence: str, offset: int, names: Names, wrong: bool) -> Iterator[Stated]:
    """Statements from the sentence's beginning on; what stands behind the first words that state nothing does not either."""
    at = len(sentence) - len(sentence.lstrip())
    first = True
    while at < len(sentence):
        lead = grammar().lead.match(sentence, at)
        begin = lead.end() if lead else at
        wrong = wrong or bool(lead and grammar().wrong.search(lead[0]))
        stated, at = _longest(sentence, begin, names, first)
        if stated is None:
            return
        more = bool(re.search(r"\b(?:also|too|as well|both)\b", stated.words, re.I))
        yield replace(stated, start=offset + begin, end=offset + stated.end, wrong=wrong, more=more)
        wrong, first = False, False


def _longest(sentence: str, begin: int, names: Names, first: bool) -> tuple[Stated | None, int]:
    """The statement that begins there, as long as it can be, and where to read on."""
    ends = [(m.start(), m.end()) for m in _BOUNDARY.finditer(sentence, begin) if begin < m.start() <= begin + _LONGEST]
    ends = [*ends[:_MOST], *ends[_MOST:][-1:]]
    asks = sentence.rstrip().endswith("?")
    unknown = None
    for place, (end, after) in enumerate(reversed(ends)):
        if asks and place == 0:
            continue
        stated = _read(sentence[begin:end].strip(), names, sure=first and place == 0)
        if stated and not stated.unknown:
            return replace(stated, words=sentence[begin:end].strip(), end=end), max(after, end + 1)
        unknown = unknown or stated
    return unknown and replace(unknown, words=sentence[begin:].strip(), end=len(sentence)), len(sentence)


def _read(clause: str, names: Names, sure: bool) -> Stated | None:
    """What a clause states. A name that nothing has is told of only where the whole sentence states it and can mean nothing else."""
    bare, until = names.timeless(clause)
    for text in dict.fromkeys((clause, bare)):
        for kind, pattern in grammar().denied:
            if (m := pattern.fullmatch(text)) and (named := _named(names, kind, _object(m))) is not None:
                return Stated(kind, named, denied=True)
    unknown = None
    for text in dict.fromkeys((clause, bare)):
        for kind, pattern, plainly in grammar().stated:
            if m := pattern.fullmatch(text):
                phrase = _object(m)
                named = _called(phrase) if kind == NAME else _named(names, kind, phrase)
                if named is not None:
                    return Stated(kind, named, until=until if kind == ON_CALL else None)
                if plainly and sure and kind != NAME and unknown is None:
                    unknown = Stated(kind, (), unknown=phrase)
    return unknown


def _object(m: re.Match[str]) -> str:
    return (m["x"] or "").strip(" ,.!")


def _called(phrase: str) -> tuple[tuple[str, str], ...] | None:
    """A name to be called by: it is written with a capital letter."""
    return (("", phrase),) if _CALLED.fullmatch(phrase) else None


def _named(names: Names, kind: str, phrase: str) -> tuple[tuple[str, str], ...] | None:
    """Who is on call may name nothing; every other statement names something."""
    if not phrase:
        return () if kind == ON_CALL else None
    found = names.named(kind, phrase)
    return tuple(found) if found else None
