"""Whether a sentence states something: the rules of moods.yaml. A question, a denial, a condition, somebody else's words, what is over
or to come without a date, and what stands in code say nothing of what is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from brain.text.lexicon import plain

FILE = Path(__file__).with_name("moods.yaml")
TAKEN_BACK = 4
"""Among how many words of the next sentence those stand that take a sentence back."""
_END = re.compile(r"(?<=[.!?\u3002])[\"')\]\u201d]*\s+(?=\S)|\s*;\s+")
_SHORT_FORM = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|approx|resp|cf|no|nr|dr|mr|ms|st)|\b[A-Z])\.$", re.IGNORECASE)
_CLAUSE = re.compile(r"\s*(?:[,:()]|\s[\u2013\u2014-]+\s|\bbut\b)\s*")
_QUOTED = re.compile(
    r"\u201c[^\u201d]*\u201d|\u201e[^\u201c\u201d]*[\u201c\u201d]|\u00ab[^\u00bb]*\u00bb|(?<!\w)\"[^\"]*\"|(?<!\w)'[^']{12,}'(?!\w)|~~[^~]+~~"
)
_ASKS = re.compile(
    r"^(?:so |and |but |hm+ |ok |hey |sorry |btw )*(?:who|what|which|where|when|why|how|does|do|did|is|are|was|were|has|have|can|could"
    r"|should|shall|will|would|may|am)\b(?! (?:ever|we|i) )", re.IGNORECASE
)  # fmt: skip
_TAG = re.compile(r"(?:\S+\s*){1,4}\?")
_OF_NOW = ("is", "are", "be", "been", "being", "now", "jointly", "currently", "also", "still")
"""Before a verb in its past form, these make it tell of the present: "is owned by"."""
_LONG = (
    (r"\bcan't\b|\bcannot\b", "can not"), (r"\bwon't\b", "will not"), (r"\bshan't\b", "shall not"), (r"\bain't\b", "is not"),
    (r"n't\b", " not"),
    (r"\blet's\b", "let us"), (r"'ll\b", " will"), (r"'d\b", " would"), (r"\b(it|that|this|he|she|what|who|there)'s\b", r"\1 is"),
    (r"'re\b", " are"), (r"'ve\b", " have"), (r"\bi'm\b", "i am"),
)  # fmt: skip


@dataclass(frozen=True)
class Sentence:
    """A sentence of a line, where it stands there, and the sentence after it, which may take it back or ask ("Right?")."""

    text: str
    start: int
    end: int
    after: str = ""


def sentences(line: str) -> list[Sentence]:
    """The sentences of a line, in order."""
    ends, start = [], 0
    for match in _END.finditer(line):
        if not _SHORT_FORM.search(line[start : match.start()]):
            ends.append((start, match.start()))
            start = match.end()
    ends.append((start, len(line)))
    found = [(line[a:b], a, b) for a, b in ends if line[a:b].strip()]
    return [Sentence(text, a, b, found[i + 1][0] if i + 1 < len(found) else "") for i, (text, a, b) in enumerate(found)]


def around(line: str, quote: str) -> Sentence | None:
    """The sentence or sentences of the line that hold the quote, as one; None when the line does not say it."""
    at = line.find(quote)
    if not quote or at < 0:
        return None
    held = [s for s in sentences(line) if s.start < at + len(quote) and at < s.end]
    if not held:
        return None
    return Sentence(line[held[0].start : held[-1].end], held[0].start, held[-1].end, held[-1].after)


@dataclass(frozen=True)
class Rules:
    """The word lists of moods.yaml, ready to be looked for."""

    denies: re.Pattern[str]
    undoes: re.Pattern[str]
    supposes: re.Pattern[str]
    reports: re.Pattern[str]
    over: re.Pattern[str]
    past_verbs: re.Pattern[str]
    to_come: re.Pattern[str]
    keeps: re.Pattern[str]


@cache
def rules() -> Rules:
    """The rules that come with the product."""
    said = yaml.safe_load(FILE.read_text("utf-8"))
    unless = "".join(rf"(?<!\b{word} )" for word in _OF_NOW)
    lists = {name: said[name] for name in Rules.__annotations__}
    lists |= {"past_verbs": [f"{unless}(?:{'|'.join(said['past_verbs'])})"], "keeps": [said["keeps"]]}
    return Rules(**{name: _any(words) for name, words in lists.items()})


def _any(words: Iterable[Any]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(str(w) for w in words)})(?![\w-])")


def stated(sentence: Sentence, names: Iterable[str], *, event: bool = False, dated: tuple[bool, bool] = (False, False)) -> str:
    """Why the sentence does not state something about these names; empty when it does. `event`: of things that happened the past
    form is the usual one. `dated`: whether a beginning and an end are given.
    """
    named = [plain(n) for n in names]
    if why := asks(sentence) or _all_quoted(sentence.text, named):
        return why
    whole = written_out(sentence.text)
    first, last = _span(whole, named)
    upto = whole[: _clause_end(whole, last)]
    between = whole[first : len(upto)]
    r = rules()
    if found := r.undoes.search(" ".join(written_out(sentence.after).split()[:TAKEN_BACK])):
        return f"the next sentence takes it back ({found[0]})"
    for pattern, where, why in (
        (r.denies, upto, "the sentence denies something ({})"), (r.undoes, whole, "the sentence takes it back ({})"),
        (r.supposes, whole, "the sentence supposes, guesses or wishes ({})"), (r.reports, upto, "these are somebody else's words ({})"),
    ):  # fmt: skip
        if found := pattern.search(where):
            return why.format(found[0])
    if re.search(r"(?<![\w-])may(?= (?:be|have|own|use|need|depend|lead|take|become|also|or)\b)", whole):
        return "the sentence supposes, guesses or wishes (may)"
    if not event and not dated[1] and (found := r.over.search(between) or r.past_verbs.search(between) or r.over.search(upto[:first])):
        return f"it tells of the past without saying until when ({found[0]})"
    if not dated[0] and (found := r.to_come.search(upto)):
        return f"it tells of what is to come without saying from when ({found[0]})"
    return ""


def asks(sentence: Sentence) -> str:
    """Why the sentence is a question or stands in other words than the writer's; empty when it is neither."""
    text = sentence.text.strip()
    inverted = _ASKS.match(text.lstrip("-*>#\u2022 \t")) and not text.endswith((".", "!"))
    if "?" in text or _TAG.fullmatch(sentence.after.strip()) or inverted:
        return "the sentence asks"
    return "it stands in a quotation" if text.startswith((">", "&gt;")) else ""


def in_quotes(line: str, start: int, end: int) -> bool:
    """Does this stretch of the line stand within quotation marks, or struck out?"""
    return any(m.start() <= start and end <= m.end() for m in _QUOTED.finditer(line))


def _all_quoted(text: str, names: Iterable[str]) -> str:
    """Why it is not said here, where every name stands within one quotation."""
    inside = [plain(m[0]) for m in _QUOTED.finditer(text)]
    return "it stands in a quotation" if any(all(_word(n).search(words) for n in names) for words in inside) else ""


def keeps_a_document(sentence: Sentence) -> str:
    """The words that say who keeps a document, if it is that what the sentence tells."""
    found = rules().keeps.search(written_out(sentence.text))
    return found[0] if found else ""


def written_out(text: str) -> str:
    """The text in lower case with its short forms written out."""
    low = text.replace("\u2019", "'").replace("\u2018", "'").lower()
    for short, whole in _LONG:
        low = re.sub(short, whole, low)
    return " ".join(re.sub(r"[*_`]+", "", low).split())


def _span(whole: str, names: Iterable[str]) -> tuple[int, int]:
    """From the first name to the end of the last; the whole sentence where none is found."""
    found = [m.span() for name in names if name and (m := _word(name).search(whole))]
    return (min(a for a, _ in found), max(b for _, b in found)) if len(found) > 1 else (0, len(whole))


def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


def _clause_end(whole: str, at: int) -> int:
    match = _CLAUSE.search(whole, at)
    return match.start() if match else len(whole)
