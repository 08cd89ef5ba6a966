"""What the words of a claim state, and whether what the run was given holds it: every number, date, name,
item, path and quotation must be in a row that the claim cites. Deterministic; no word is understood.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from brain import schema
from brain.agents.model_passages import LONG, Passages
from brain.agents.model_reckoned import NUMERAL, NUMERALS, Reckoner
from brain.agents.run import Fact
from brain.agents.wording import day, minute, short
from brain.types import Step

_QUOTED = re.compile(r"“([^”]*)”")
_MINUTE = re.compile(r"\b\d{4}-\d{2}-\d{2} \d{2}:\d{2}\b")
_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_MONTH = re.compile(r"\b\d{4}-\d{2}\b(?!-)")
_CLOCK = re.compile(r"(?<![\d:.-])\d{1,2}:\d{2}(?![\d:])")
_ANY = re.compile(r"\d{4}-\d{2}(?:-\d{2})?(?!\d)|\d+(?:\.\d+)?")
_FREE = re.compile(rf"(?<![^\W_])(?:{_ANY.pattern})")
_UNIT = r"(?:second|minute|hour|day|week|month|year)"
_FIELD_AT = re.compile(r"^\w+: (\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z)$", re.M)
_LEAST_INSTANT, _LAST_INSTANT, _CALLED = 100_000_000, 250_000_000_000, 60
_DAY = re.compile(r"(?<!\d)--\d{2}-\d{2}\b")
_NUMBER = re.compile(r"(?<![\w#@./-])\d+(?:\.\d+)?(?![\w/-])")
_ENOUGH = frozenset({"k", "limit", "top", "per", "days", "max_hops", "hops", "half_life_days", "min", "depth"})
_RANKS = frozenset({"score", "chunk", "part", "url", "place", "line", "line_end", "turn"})
_SPANS = frozenset({"first_at", "last_at"})
_TOTALS = frozenset({"total", "people"})
_NAMED = re.compile(r"(?<![\w./-])[\w.-]+(?:/[\w.-]*\w)+(?:#\d+)?|(?<!\w)#\d+|(?<![\w.-])v\d[\w.+-]*\w")


@dataclass(frozen=True)
class _Held:
    """What a row, or anything else, holds: all values in it; worked out when it is first asked for."""

    values: tuple[Any, ...]
    strict: bool = False

    @cached_property
    def keys(self) -> frozenset[str]:
        """The values that are keys."""
        return frozenset(v for v in self.values if isinstance(v, str) and ":" in v and _is_key(v))

    @cached_property
    def words(self) -> str:
        """The texts among the values."""
        return " ".join(" ".join(v for v in self.values if isinstance(v, str)).split())

    @cached_property
    def brief(self) -> str:
        """The texts among the values that are no passages."""
        return " ".join(" ".join(v for v in self.values if isinstance(v, str) and len(v) < LONG).split())

    @cached_property
    def spelled(self) -> frozenset[str]:
        """Every number and date, as it may be written."""
        return frozenset[str]().union(*(_spellings(value, self.strict) for value in self.values))


class Statements:
    """Checks the words of the claims of one run. `entries` are the keys the question starts from. `strict` is for words that nobody
    made from the rows, such as a model's: a number must be in a row that tells of what is cited, and how many rows there are, or what
    was asked for, counts only for what the call was about. Number words are numbers then.
    """

    def __init__(self, steps: Sequence[Step], entries: Sequence[str], strict: bool = False) -> None:
        self._steps, self._entries, self._strict = steps, set(entries), strict
        self._rows = {step.n: [self._row(row) for row in step.rows] for step in steps}
        self._names: dict[str, set[str]] = defaultdict(set)
        self._props: dict[str, list[Any]] = defaultdict(list)
        for node in (n for step in steps for n in step.nodes):
            self._names[node.key] |= {node.name} - {""}
            self._props[node.key] += _flat(v for name, v in node.props.items() if not strict or name not in _SPANS)
        met = {*self._names, *(key for rows in self._rows.values() for row in rows for key in row.keys)}
        self._people = {key: sorted(self._forms(key)) for key in sorted(met) if key.startswith("person:")}

    def _row(self, row: Mapping[str, Any]) -> _Held:
        told = [v for name, v in row.items() if name not in _RANKS | _TOTALS] if self._strict else row.values()
        return _Held(tuple(_flat(told)), self._strict)

    def unheld(self, fact: Fact) -> str:
        """The first thing the words state that nothing cited holds, as written; empty when all is held."""
        held = self._held(fact)
        text = " ".join(h.words for h in held)
        for match in _QUOTED.finditer(fact.text):
            words = " ".join(match[1].split())
            if words not in text and not any(words in " ".join(q.text.split()) for q in fact.quotes):
                return f"“{words}”"
        words = self._without_cited(_QUOTED.sub(" ", fact.text), fact)
        passages = Passages(v for h in held for v in h.values if isinstance(v, str) and len(v) >= LONG) if self._strict else _NONE
        reckoner = self._reckoner(fact.cites) if self._strict else Reckoner()
        if self._strict and (numeral := self._numeral(words, held, passages, reckoner)):
            return numeral
        for pattern in (_MINUTE, _DATE, *((_DAY, _MONTH, _CLOCK) if self._strict else ()), _NUMBER):
            for match in pattern.finditer(words):
                if not any(match[0] in h.spelled for h in held) and not passages.holds(match[0], words):
                    if match[0] not in reckoner.months and not reckoner.holds(match[0], fact.text):
                        return match[0]
                elif pattern is _NUMBER and (reckoner.counted(match[0], fact.text) is False or self._other_unit(match, words, held)):
                    return match[0]
            words = pattern.sub(" ", words)
        named = [m[0] for m in _NAMED.finditer(words)] + [form for form in self._other_people(fact) if _stands(form, words)]
        return next((form for form in named if not _stands(form, text)), "")

    def _numeral(self, words: str, held: Sequence[_Held], passages: Passages, reckoner: Reckoner) -> str:
        """The first number word that nothing cited holds, neither as a word nor in figures."""
        low = " ".join(h.brief for h in held).casefold()
        for match in NUMERAL.finditer(words):
            word = match[0].casefold()
            plain = re.search(rf"\b{word}\b", low) or any(NUMERALS[word] in h.spelled for h in held)
            if not plain and not passages.holds(match[0], words, (NUMERALS[word],)):
                if not reckoner.holds(match[0], words):
                    return match[0]
            elif reckoner.counted(match[0], words) is False or self._other_unit(match, words, held):
                return match[0]
        return ""

    def _other_unit(self, match: re.Match[str], words: str, held: Sequence[_Held]) -> bool:
        """Is the number one of hours, say, in what is held, and of days in the words?"""
        said = re.match(rf"\s+(?:\w+\s+)?({_UNIT})s?\b", words[match.end() :], re.I)
        if not said:
            return False
        number = rf"(?:{re.escape(match[0])}|{NUMERALS.get(match[0].casefold(), re.escape(match[0]))})"
        found = re.findall(rf"(?<![\w.:-]){number}\s+(?:\w+\s+)?({_UNIT})s?\b", " ".join(h.brief for h in held), re.I)
        return bool(found) and said[1].casefold() not in {unit.casefold() for unit in found}

    def _reckoner(self, cites: Sequence[str]) -> Reckoner:
        """The instants of what is cited, and what each of several things cited is called and said to be."""
        rows = {key: [row for step in self._steps for row in step.rows if row.get("key") == key] for key in cites}
        instants = {key: _instants((*self._props.get(key, ()), *_flat(rows[key])), self._texts(key)) for key in cites}
        called = {key: [v for v in _flat(found) if isinstance(v, str) and 2 < len(v) <= _CALLED] for key, found in rows.items() if found}
        of_these = (row.get("total") for step in self._steps for row in step.rows if row.get("key") in cites)
        wholes = {total for total in of_these if isinstance(total, int)}
        monthly = [row for step in self._steps for row in step.rows if _MONTH.fullmatch(str(row.get("key")))]
        months = {str(row["key"]): int(row["n"]) for row in monthly if isinstance(row.get("n"), int)}
        return Reckoner(instants, called, months, wholes)

    def _texts(self, key: str) -> list[str]:
        return [v for step in self._steps for row in step.rows if row.get("src") == key for v in row.values() if isinstance(v, str)]

    def _without_cited(self, text: str, fact: Fact) -> str:
        forms = {form for key in {*fact.cites, *self._entries} for form in self._forms(key) if form in text}
        for form in sorted(forms, key=len, reverse=True):
            text = re.sub(rf"(?<!\w){re.escape(form)}(?![\w#/@])", " ", text)
        return text

    def _forms(self, key: str) -> set[str]:
        """How an entity may be called: its key, without its prefix, as people write it, its name."""
        return {key, short(key), key.partition(":")[2], *self._names.get(key, ())} - {""}

    def _other_people(self, fact: Fact) -> Iterator[str]:
        """The names of everybody the run has met and the claim does not cite."""
        for key, forms in self._people.items():
            if key not in fact.cites and key not in self._entries:
                yield from forms

    def _held(self, fact: Fact) -> list[_Held]:
        """What the claim may state: the rows of its step that tell of what it cites, how many there are and
        what was asked for; rows of other steps that tell of it; and the cited entities themselves.
        """
        cited, rows, more = set(fact.cites), list[_Held](), list[Any]()
        for step in self._steps:
            all_rows = self._rows[step.n]
            if step.n == fact.step and self._strict:
                telling, asked = self._counted(step, all_rows, cited)
                rows, more = [*rows, *telling], [*more, *asked]
            elif step.n == fact.step:
                rows += all_rows if fact.aggregate else self._telling(all_rows, cited)
                more += [*_flat([step.params, step.args]), len(all_rows), len(cited)]
                more += [len({str(row.get("key")) for row in step.rows if row.get("key")})]
                ends = cited | self._entries
                more += [p for e in step.edges if fact.aggregate or {e.src, e.dst} <= ends for p in e.props.values()]
            else:
                rows += [row for row in (self._telling(all_rows, cited) if self._strict else all_rows) if cited & row.keys]
        more += [v for key in cited for v in self._props.get(key, ())]
        told = cited.union(self._entries, *(row.keys for row in rows))
        return [*rows, _Held((*more, *(form for key in told for form in self._forms(key))), self._strict)]

    def _counted(self, step: Step, all_rows: Sequence[_Held], cited: set[str]) -> tuple[Sequence[_Held], list[Any]]:
        """The rows of a step that tell of what is cited, and what was asked for, without limits. Rows that tell of nothing else than
        what the call was about are told of it too, and so is how many there are.
        """
        asked = {name: value for name, value in step.args.items() if name not in _ENOUGH}
        about = {v for v in _flat([asked, step.params]) if isinstance(v, str)}
        if all_rows:
            about |= frozenset.intersection(*(h.keys for h in all_rows))
        ends = cited | self._entries
        found: list[Any] = [*_flat(asked.values()), *(p for e in step.edges if {e.src, e.dst} <= ends for p in e.props.values())]
        if (several := len(cited - self._entries)) > 1:
            found.append(several)
        if all(about & {*self._forms(key), key.rpartition("/")[2]} for key in cited):
            things = len({str(row["key"]) for row in step.rows if row.get("key")}) or len(all_rows)
            totals = [row[name] for row in step.rows[:1] for name in _TOTALS & row.keys() if row[name] != len(all_rows)]
            return all_rows, [*found, things, *totals]
        return [row for row in self._telling(all_rows, cited) if row.keys & cited], found

    def _telling(self, rows: Sequence[_Held], cited: set[str]) -> Sequence[_Held]:
        """For each thing cited the rows that hold it together with most of what else is cited; all rows
        when none holds any.
        """
        held = [row.keys & (cited | self._entries) for row in rows]
        best = {key: max((len(h) for h in held if key in h), default=0) for key in cited}
        picked = [row for row, h in zip(rows, held, strict=True) if any(best.get(key) == len(h) for key in h)]
        return picked or rows


def keys(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Every key that stands anywhere in the rows."""
    for value in _flat(rows):
        if isinstance(value, str) and ":" in value and _is_key(value):
            yield value


def _is_key(value: str) -> bool:
    return value.partition(":")[0] in schema.LABEL_OF_PREFIX


def _stands(form: str, text: str) -> bool:
    if form not in text:
        return False
    before = "" if form.startswith("#") else r"(?<!\w)"
    return re.search(rf"{before}{re.escape(form)}(?!\w)", text) is not None


_NONE = Passages(())


def _instants(values: Iterable[Any], texts: Iterable[str]) -> set[int]:
    """The instants among some values, and those that fields of a text give."""
    written = (m[1] for text in texts for m in _FIELD_AT.finditer(text))
    found = {v for v in values if isinstance(v, int) and not isinstance(v, bool) and _LEAST_INSTANT < v < _LAST_INSTANT}
    return found | {at for w in written if (at := _instant(w))}


def _instant(written: str) -> int:
    """The instant of a time in full; 0 for what is none, for anybody may have written it."""
    try:
        return int(datetime.fromisoformat(written.replace("Z", "+00:00")).timestamp())
    except ValueError:
        return 0


_PLAIN = frozenset({str, int, float, bool, type(None)})


def _flat(values: Iterable[Any]) -> list[Any]:
    """Every value in these, however deep, in order."""
    found: list[Any] = []
    for value in values:
        if type(value) in _PLAIN:  # most are, and no other look at what a value is costs as little
            found.append(value)
        elif isinstance(value, Mapping):
            found += _flat(value.values())
        elif isinstance(value, (list, tuple, set, frozenset)):
            found += _flat(value)
        else:
            found.append(value)
    return found


def _parts(dates: Iterable[str]) -> set[str]:
    """Of dates the day without its year, and the time of the day."""
    return {part for d in dates if _DATE.match(d) for part in (f"--{d[5:10]}", d[11:]) if part}


def _spellings(value: Any, strict: bool = False) -> set[str]:
    """How a number, an instant or the numbers in a short text may be written; `strict`: a fraction is not rounded to a whole number, and
    a key is no number.
    """
    if isinstance(value, bool) or value is None:
        return set()
    if isinstance(value, int):
        dates = {day(value), day(value - 1), minute(value)} if _LEAST_INSTANT < value < _LAST_INSTANT else set()
        return {str(value), *dates, *(d[:n] for d in dates for n in (4, 7)), *(_parts(dates) if strict else ())}
    if isinstance(value, float):
        whole = {f"{value:.0f}"} if value >= 10 or value.is_integer() or not strict else set()
        return {str(value), *whole, f"{value:.1f}", f"{value:.2f}", *({day(int(value))} if _LEAST_INSTANT < value < _LAST_INSTANT else ())}
    if not isinstance(value, str) or len(value) >= LONG or (strict and _is_key(value)):
        return set()
    found = {m[0] for m in (_FREE if strict else _ANY).finditer(value)}
    found |= {m[0] for m in _CLOCK.finditer(value)} | _parts(found) if strict else set()
    return found | {d[:n] for d in found if _DATE.fullmatch(d) for n in (4, 7)}
