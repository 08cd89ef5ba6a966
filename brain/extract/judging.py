"""The checks between a model's word and a claim that a person is shown: the relation, the line, the sentence, the names, the ends, the
dates. The first that fails is the reason.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from brain.assertions import TECHNICAL
from brain.connectors.dates import moments
from brain.extract import directions, moods, predicates
from brain.extract.moods import Sentence
from brain.extract.names import Around, Found, Names
from brain.extract.outcome import Claimed, Refused, Unsettled
from brain.extract.proposals import LONGEST, Proposal, Quoted
from brain.extract.slices import Line, Slice
from brain.schema import label_of
from brain.text.inert import inert
from brain.text.lexicon import plain

YEAR = 365 * 86_400
EARLIEST = 631_152_000
"""1990-01-01: nobody's duties of today began before."""
_FENCE = re.compile(r"^\s{0,3}(?:`{3,}|~{3,})")


class Refusal(Exception):
    """Why a proposal goes no further."""


@dataclass(frozen=True)
class Place:
    """The line and sentence that a proposal rests on."""

    line: Line
    sentence: Sentence
    quote: str

    @property
    def kept(self) -> str:
        """The words that are kept as the quotation: the sentence, or the quote itself where that is too long."""
        return self.sentence.text.strip() if len(self.sentence.text.strip()) <= LONGEST else self.quote


@dataclass(frozen=True)
class Judge:
    """Judges the proposals of one slice. `now` bounds what a date may be."""

    part: Slice
    names: Names
    model: str
    now: int

    def claim(self, p: Proposal) -> Claimed | Refused | Unsettled:
        """The claim that the proposal is, or why it is none."""
        try:
            rel = predicates.OFFERED.get(p.predicate)
            if rel is None:
                withheld = predicates.WITHHELD.get(p.predicate)
                raise Refusal(withheld or f"{p.predicate[:40]!r} is no relation that may be proposed")
            place = self.place(p.said)
            self._named(p, place)
            start, until = self._dates(p)
            self._says(p, place, (start is not None, until is not None))
            ends = [self._end(p, name, labels, place) for name, labels in ((p.subject, rel.domain), (p.object, rel.range))]
            self._direction(p, place, ends)
        except Refusal as reason:
            return self.refused(str(reason), p.words, p.said)
        src, dst = ends
        if isinstance(src, Unsettled) or isinstance(dst, Unsettled):
            return src if isinstance(src, Unsettled) else dst  # type: ignore[return-value]
        if src == dst:
            return self.refused("both ends are the same thing", p.words, p.said)
        if p.predicate in TECHNICAL and label_of(dst) != "Doc" and (words := moods.keeps_a_document(place.sentence)):
            return self.refused(f"keeping a document says nothing of who answers for what it describes ({words})", p.words, p.said)
        return self.made(src, p.predicate, dst, place, start, until, p.why)

    def made(
        self, src: str, rel: str, dst: str, place: Place, start: int | None = None, until: int | None = None, why: str = "",
        authority: str | None = None,
    ) -> Claimed:  # fmt: skip
        """A claim with no more authority than its text can give it; it holds since it was said, where it does not say since when."""
        line = place.line
        most = authority or ("practice" if line.source.startswith("doc:") else "observation")
        since = start if start is not None else 0 if until is not None and until <= line.at else line.at
        return Claimed(src, rel, dst, line.source, line.part, line.line, place.kept, most, line.at, since, until, self.model, why)

    def refused(self, reason: str, said: str, quoted: Quoted) -> Refused:
        """The proposal as it is listed among the refused."""
        line = self.part.line(quoted.line)
        return Refused(reason, said, quoted.quote[:LONGEST], line.source if line else self.part.about, line.line if line else 0, self.model)

    # -- where it stands -----------------------------------------------------------------------

    def place(self, said: Quoted) -> Place:
        """The stored line that a proposal quotes; refused when it does not say that."""
        line = self.part.line(said.line)
        if line is None:
            raise Refusal(f"there is no line {said.line} in what the model was given")
        quote = " ".join(said.quote.split())
        if len(quote) > LONGEST:
            raise Refusal(f"the quotation is longer than {LONGEST} characters")
        if re.search(r"\w", quote) is None or quote not in line.text:
            other = next((n for n, ln in enumerate(self.part.lines, 1) if quote in ln.text), 0)
            raise Refusal("the line does not say what is quoted" + (f"; line {other} does" if other else "; no line does"))
        sentence = moods.around(line.text, quote)
        if sentence is None or self._code(said.line):
            raise Refusal("it stands in a block of code")
        at = line.text.find(quote)
        if moods.in_quotes(line.text, at, at + len(quote)):
            raise Refusal("it stands in a quotation")
        if line.text.startswith((">", "&gt;")):
            raise Refusal("it stands in a quotation")
        return Place(line, sentence, quote)

    def _code(self, number: int) -> bool:
        """Does the line stand in a fenced block?"""
        mine = self.part.lines[number - 1]
        before = [ln for ln in self.part.lines[: number - 1] if (ln.source, ln.part) == (mine.source, mine.part)]
        return sum(bool(_FENCE.match(ln.text)) for ln in before) % 2 == 1

    def _named(self, p: Proposal, place: Place) -> None:
        """Both names are in the text, and one of them, or its writer, in the sentence that is quoted."""
        near, told = plain(place.sentence.text), plain(inert(self.part.words))
        names = [plain(p.subject), plain(p.object)]
        writer = [n in ("i", "me", "my", "myself") or n in (plain(place.line.author), plain(f"@{place.line.author}")) for n in names]
        for name, raw, mine in zip(names, (p.subject, p.object), writer, strict=True):
            if not mine and not _held(name, told):
                raise Refusal(f"the text does not name {raw[:60]!r}")
        if not any(_held(n, near) for n, mine in zip(names, writer, strict=True) if not mine or n not in ("i", "me", "my", "myself")):
            raise Refusal("the quoted sentence names neither of the two")

    # -- what it says --------------------------------------------------------------------------

    def _says(self, p: Proposal, place: Place, dated: tuple[bool, bool]) -> None:
        event = p.predicate in predicates.EVENTS
        if why := moods.stated(place.sentence, (p.subject, p.object), event=event, dated=dated):
            raise Refusal(why)

    def _direction(self, p: Proposal, place: Place, ends: Sequence[str | Unsettled]) -> None:
        """Refuses what the sentence plainly says the other way round, by whatever names."""
        called = [{p.subject}, {p.object}]
        for names, key in zip(called, ends, strict=True):
            if isinstance(key, str):
                names |= self.names.spellings(key)
                names |= {"i", "me", "my"} if key in self.names.person(place.line.author) else set()
        if words := directions.turned(place.sentence.text, p.predicate, *called):
            raise Refusal(f"the sentence says it the other way round ({words})")

    def _dates(self, p: Proposal) -> tuple[int | None, int | None]:
        """From when and until when, as epoch seconds; the day that is named last is the last on which it holds."""
        start, until = self._date(p.start, "beginning"), self._date(p.until, "end")
        found = (start[0] if start else None, until[1] + 1 if until else None)
        if found[0] is not None and found[1] is not None and found[0] >= found[1]:
            raise Refusal(f"it ends ({p.until}) before it begins ({p.start})")
        return found

    def _date(self, said: str, what: str) -> tuple[int, int] | None:
        if not said:
            return None
        moment = next(moments(said), None)
        if moment is None:
            raise Refusal(f"its {what} cannot be read as a date: {said[:40]!r}")
        if not EARLIEST <= moment.start <= self.now + 20 * YEAR:
            raise Refusal(f"its {what} is no date that anybody meant: {said[:40]!r}")
        days = [m for ln in self.part.lines for m in moments(ln.text)]
        if not any(m.start <= moment.end and moment.start <= m.end for m in days) and not self._said_then(moment.start, moment.end):
            raise Refusal(f"its {what} is said nowhere in the text: {said[:40]!r}")
        return moment.start, moment.end

    def _said_then(self, start: int, end: int) -> bool:
        """Was a line of the slice written on that day?"""
        return any(ln.at and start <= ln.at <= end for ln in self.part.lines)

    # -- whom it names -------------------------------------------------------------------------

    def _end(self, p: Proposal, name: str, labels: Sequence[str], place: Place) -> str | Unsettled:
        found = self.look(name, labels, place)
        if found.key:
            return found.key
        if found.nothing:
            raise Refusal(found.why)
        return self.unsettled(name, labels, found, p.words, place)

    def look(self, name: str, labels: Sequence[str], place: Place) -> Found:
        """What a name means to whoever wrote the line."""
        present = tuple(k for author in dict.fromkeys(ln.author for ln in self.part.lines) for k in self.names.person(author))
        return self.names.find(name, labels, Around(place.line.author, present, self.part.repo))

    def unsettled(self, name: str, labels: Sequence[str], found: Found, said: str, place: Place) -> Unsettled:
        """The proposal as it waits for somebody to say what the name means."""
        line = place.line
        return Unsettled(name, tuple(labels), found.candidates, found.why, said, place.kept, line.source, line.line, self.model)


def _held(name: str, text: str) -> bool:
    """Does the text name it, as a word of its own?"""
    bare = re.sub(r"^(?:the|our|my) |'s$", "", name)
    return bool(bare) and re.search(rf"(?<![\w]){re.escape(bare)}(?!\w)", text) is not None
