"""What a model said, as claims with their verdicts: each citation resolved, each sentence held against every step it may rest on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from brain.agents import model_dates
from brain.agents.model_cites import Citations, Cited
from brain.agents.model_meaning import Meaning
from brain.agents.model_reckoned import NUMERAL, NUMERALS
from brain.agents.model_says import Said, Sentence
from brain.agents.model_verbs import NEGATED, NOBODY
from brain.agents.run import Fact, Run
from brain.agents.wording import is_key, titled
from brain.statements import keys
from brain.text.timewords import parse
from brain.types import Claim, Quote, Step
from brain.verify import Verifier

STEPS = 4
OWN = frozenset({"link", "model", "stepped_down"})
UNFOUNDED = "no tool has returned anything yet"
COUNTING = frozenset({"measure", "rank", "list_items", "spread", "activity"})
_NO_CITE, _NOTHING_FOUND = "it cites nothing", "nothing that was looked up tells of what it cites"
_QUOTED = re.compile(r"“([^”]*)”")
_BARE = re.compile(r"(?<![\w:/])[a-z]{2,10}:[^\s\[\]{}\"'`<>]*[\w]")
_DENIES = re.compile(rf"{NEGATED.pattern}|{NOBODY.pattern}|\b(?:no|none|zero|0|without|neither|empty|missing|unknown|lacks?)\b", re.I)
_FRAME = re.compile(r"^(?:yes[,:.]? )?(?:on|as of|by|at) (?P<day>\d{4}-\d{2}-\d{2}),? ", re.I)
_HAPPENS = re.compile(
    r"\b(?:began|begins?|start\w*|publish\w*|introduc\w*|announc\w*|came|comes|chang\w+|decid\w+|merg\w+|opened|closed|creat\w+|fired|deploy\w*|"
    r"replac\w+|resolved|solved|left|joined|posted|happen\w*|broke|failed|rolled|approved|rejected|ended(?! at))\b", re.I,
)  # fmt: skip
_STATES_A_NUMBER = re.compile(r"(?<![\w#])\d+")


@dataclass(frozen=True)
class Judged:
    """An answer after the check: the sentences that stand and those that do not, and the items that a standing one names."""

    kept: tuple[Claim, ...] = ()
    failed: tuple[Claim, ...] = ()
    items: tuple[str, ...] = ()


@dataclass
class Judge:
    """Checks what a model says against the steps of its run."""

    run: Run
    entries: Sequence[str]
    asked: str = ""
    known: Iterable[str] = ()
    called: Callable[[str], Sequence[str]] = lambda name: ()
    _cites: Citations = field(init=False)
    _names: dict[str, str] = field(init=False)
    _held: list[tuple[Step, frozenset[str]]] = field(init=False)
    _called: bool = field(init=False)
    _verifier: Verifier = field(init=False)
    _meaning: Meaning = field(init=False)

    def __post_init__(self) -> None:
        self._cites, self._names = Citations(self.run.steps, self.entries), self.run.names()
        steps = [s for s in self.run.steps if s.tool not in OWN and not s.error and s.cypher]
        self._held = [(s, self._told_of(s)) for s in reversed(steps)]
        self._called = any(s.tool not in OWN and not s.error for s in self.run.steps)
        self._meaning = Meaning([s for s in self.run.steps if s.tool not in OWN], self.entries, self.asked, self.run.ctx.as_of, self.known)
        self._verifier = Verifier(self.run.ctx, (*self.run.steps,), self.entries, self.run.repeat, strict=True)

    def _told_of(self, step: Step) -> frozenset[str]:
        """What a step returned, and what it was asked about by key or by name."""
        asked = (v for value in step.args.values() for v in (value if isinstance(value, list | tuple) else [value]) if isinstance(v, str))
        named = {self._cites.resolve(v).key for v in asked} - {""}
        return frozenset({n.key for n in step.nodes} | named | set(keys((*step.rows, step.args, step.params))))

    def judge(self, said: Said) -> Judged:
        """Every sentence with its verdict, and the items that a sentence which stands names."""
        if not self._called:
            return Judged(failed=tuple(Claim(s.text, s.cites, reason=UNFOUNDED) for s in said.sentences))
        names = {item: key for item in said.items if (key := self._by_name(item))}
        items = [Cited(item) if item in names else self._cites.resolve(item) for item in said.items]
        cited = [self._resolved(s) for s in said.sentences]
        named = {key for sentence, _ in cited for key in sentence.cites}
        spare = [c.key for c in items if c.key and is_key(c.key) and c.key not in named]
        cited += [(Sentence(f"{titled(key, self._names.get(key, ''))}.", (key,)), "") for key in dict.fromkeys(spare)]
        claims = self._checked(cited)
        kept = tuple(c for c in claims if c.verdict == "supported")
        standing, words = {key for c in kept for key in c.cites}, _spoken(" ".join(c.text for c in kept))
        stands = [(c, c.key in standing if c.key else _stated(c.written, words)) for c in items]
        unsaid = "no sentence that passed the check states it"
        lost = [Claim(f"ANSWER: {c.written.strip()}", reason=unsaid) for c, held in stands if not held and not is_key(c.key)]
        failed = (*(c for c in claims if c.verdict != "supported"), *lost)
        return Judged(kept, failed, tuple(dict.fromkeys(names.get(c.written) or c.key or c.written.strip() for c, held in stands if held)))

    def _by_name(self, item: str) -> str:
        """The one thing that is called so, for an item that no tool returned under that name, or only a file of it."""
        found = self._cites.resolve(item).key
        if found and (found in item or found.partition(":")[0] not in ("doc", "file", "dir")):
            return ""
        called = self.called(item)
        return called[0] if len(called) == 1 else ""

    def _resolved(self, sentence: Sentence) -> tuple[Sentence, str]:
        """The sentence with the keys it cites, and why a citation stands for none. Where it cites nothing, keys in its words are cited."""
        bare = () if sentence.cites else (m[0] for m in _BARE.finditer(sentence.text) if is_key(m[0]))
        found = [self._cites.resolve(cite) for cite in (*sentence.cites, *bare)]
        known = tuple(dict.fromkeys(c.key for c in found if c.key))
        reason = next((c.reason for c in found if not c.key), "")
        return Sentence(sentence.text, known), reason

    def _checked(self, cited: Sequence[tuple[Sentence, str]]) -> list[Claim]:
        """A claim for each sentence: the first reading of it that stands, else the first with its reason."""
        plain = [Claim(s.text, s.cites, reason=reason or (_NOTHING_FOUND if s.cites else _NO_CITE)) for s, reason in cited]
        readings = [[] if reason else [*self._reached(sentence)] for sentence, reason in cited]
        claims = self._first(readings, plain)
        again = [
            [] if reason or claim.verdict == "supported" else [*self._given(sentence)]
            for (sentence, reason), claim in zip(cited, claims, strict=True)
        ]
        return [self._meant(claim) for claim in self._first(again, claims)]

    def _meant(self, claim: Claim) -> Claim:
        """The claim, which does not stand where what it means is plain and was not returned."""
        cites = set(claim.cites)
        vain = (s for s, has in self._held if not s.rows and cites <= has)
        in_vain = bool(_DENIES.search(claim.text)) and any(self._as_wide(s, claim.text) for s in vain)
        fault = self._meaning.fault(claim.text, claim.cites, in_vain) if claim.verdict == "supported" else ""
        return replace(claim, verdict="unsupported", reason=fault) if fault else claim

    def _first(self, readings: Sequence[Sequence[Fact]], otherwise: Sequence[Claim]) -> list[Claim]:
        """Of each sentence the first reading that stands, else the claim there was before, or the first reading where that was none."""
        verdicts = iter(self._verifier.check([fact for facts in readings for fact in facts]))
        out = []
        for facts, before in zip(readings, otherwise, strict=True):
            got = [next(verdicts) for _ in facts]
            fallen = got[0] if got and before.reason in (_NO_CITE, _NOTHING_FOUND) else before
            best = next((c for c in got if c.verdict == "supported"), fallen)
            out.append(replace(best, text=before.text))
        return out

    def _reached(self, sentence: Sentence) -> Iterator[Fact]:
        """The sentence as stated by each step that returned what it cites, the latest first, and reached from what the question names."""
        if not sentence.cites:
            return
        quotes, steps = tuple(self._quotes(sentence)), self._returning(sentence)
        yield from (Fact(self._plain(sentence.text), sentence.cites, quotes, s.n) for s, _ in steps)

    def _plain(self, text: str) -> str:
        """The text as it is looked up: with its dates in one form, and without the day the question asks about in front, where it says how
        things stood then and not what happened.
        """
        plain = model_dates.plain(text)
        framed = _FRAME.match(plain)
        return plain[framed.end() :] if framed and framed["day"] in self.asked and not _HAPPENS.search(plain) else plain

    def _given(self, sentence: Sentence) -> Iterator[Fact]:
        """The sentence as what the query of a step gives, run again. One that cites nothing counts where a count is stated."""
        cites = set(sentence.cites)
        if cites:
            quotes = tuple(self._quotes(sentence))
            steps = [s for s, has in self._returning(sentence) if cites <= has]
            yield from (Fact(self._plain(sentence.text), sentence.cites, quotes, s.n, True) for s in steps)
        elif _STATES_A_NUMBER.search(_spoken(sentence.text)):
            steps = [s for s, _ in self._held[:STEPS] if s.tool in COUNTING]
            yield from (Fact(self._plain(sentence.text), (), (), s.n, True) for s in steps)

    def _returning(self, sentence: Sentence) -> list[tuple[Step, frozenset[str]]]:
        """The steps that returned, or were asked about, most of what the sentence cites. What found nothing only says what is not."""
        cites = set(sentence.cites)
        denies = bool(_DENIES.search(sentence.text))
        told = [(s, has) for s, has in self._held if s.rows or (denies and self._as_wide(s, sentence.text))]
        best = sorted(told, key=lambda h: -len(cites & h[1]))[:STEPS]
        return [(s, has) for s, has in best if cites & has]

    def _as_wide(self, step: Step, text: str) -> bool:
        """Did the step look through no narrower time than what is said of it, so that finding nothing says that there is nothing?"""
        now = self.run.ctx.as_of
        narrow = any(step.args.get(name) for name in ("since", "until")) or int(step.params.get("as_of") or now) < now
        return not narrow or any(parse(said, now).words for said in (text, self.asked.rpartition("Question: ")[2]))

    def _quotes(self, sentence: Sentence) -> Iterator[Quote]:
        """Where what the sentence quotes stands in what it cites."""
        for words in (" ".join(m[1].split()) for m in _QUOTED.finditer(sentence.text)):
            found = next((q for s, _ in self._held for row in s.rows if (q := _in_row(row, words, sentence.cites))), None)
            if found:
                yield found


def _in_row(row: Mapping[str, Any], words: str, cites: Sequence[str]) -> Quote | None:
    """The quotation, where the row holds the words of something cited."""
    for source, column in (("src", "text"), ("from_key", "quote"), ("key", "text"), ("key", "quote")):
        text = row.get(column)
        if row.get(source) in cites and isinstance(text, str) and words and words in " ".join(text.split()):
            return Quote(str(row[source]), _line(row, text, words), words)
    return None


def _line(row: Mapping[str, Any], text: str, words: str) -> int:
    """The line the words begin on, as far as the row tells lines."""
    first, last = int(row.get("line") or 0), int(row.get("line_end") or 0)
    title = str(row.get("title") or "")
    body = text[len(title) :].lstrip("\n ") if title and text.startswith(title) else text
    begins = body.find(words.split(" ")[0] if words not in body else words)
    on = first + body[: max(begins, 0)].count("\n")
    return on if first <= on <= max(first, last) and words in body else first


def _stated(value: str, words: str) -> bool:
    plain = _spoken(value).strip("“”\"' ")
    return bool(plain) and re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", words) is not None


def _spoken(text: str) -> str:
    """The text as items are looked for in it: dates in one form, number words in figures."""
    low = model_dates.plain(" ".join(text.split())).casefold()
    return NUMERAL.sub(lambda m: NUMERALS[m[0]], low)
