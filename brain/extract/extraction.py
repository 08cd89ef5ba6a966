"""The extraction of a workspace: what can be read, what it would take, reading it, and bringing what stands into the graph as candidates.

Judging is done anew each time over everything that was read, with the names as they are known now, so it costs no model; the
replies and what people said of names are all that is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from brain.brain import Brain
from brain.connectors import extracted
from brain.decisions import Decisions
from brain.errors import BadInput
from brain.extract import decisions, proposals, texts
from brain.extract.judging import Judge
from brain.extract.kept import Alignment, Kept, Reading
from brain.extract.names import Names
from brain.extract.outcome import Claimed, Decided, Outcome, Refused
from brain.extract.proposals import Quoted
from brain.extract.reading import Opened, Progress, Reader, Spent, in_force, unread
from brain.extract.slices import Slice
from brain.records import Record
from brain.schema import ACCESS_LABELS, label_of
from brain.text.lexicon import plain
from brain.text.linking import Linker
from brain.tools.asking import Asking
from brain.types import Viewer

KEYS = 200


@dataclass(frozen=True)
class Plan:
    """What can be read and what is still to be: every slice, those that were chosen, and those of them nobody was asked about."""

    every: tuple[Slice, ...]
    chosen: tuple[Slice, ...]
    unread: tuple[Slice, ...]


@dataclass(frozen=True)
class Settled:
    """What judging came to: everything that stands, and whether the graph was made anew for it."""

    outcome: Outcome
    loaded: bool

    def counts(self) -> dict[str, int]:
        """How much there is of each sort."""
        o = self.outcome
        claims = len(o.claims) + sum(len(d.claims) for d in o.decisions)
        return {"claims": claims, "decisions": len(o.decisions), "refused": len(o.refused), "unsettled": len(o.unsettled)}


class Extraction:
    """The extraction of one workspace, for its administrator: what is read may be of any source that they may read."""

    def __init__(self, brain: Brain, viewer: Viewer) -> None:
        if not viewer.admin:
            raise BadInput(f"{viewer.id} may not have texts read; only the administrator may")
        self.brain, self.viewer = brain, viewer
        self.kept = Kept(brain.files.folder / "extracted")

    # -- reading -------------------------------------------------------------------------------

    def plan(
        self, asked: str, kinds: Sequence[str] = (), only: Sequence[str] = (), limit: int = 0, access: Sequence[str] = ()
    ) -> Plan:
        """What is there to read, of these kinds, of these things and with these labels alone (none: all), at most `limit` slices of
        it (0: all).
        """
        for given, legal, what in ((kinds, texts.KINDS, "kind of text"), (access, ACCESS_LABELS, "label of a source")):
            if wrong := set(given) - set(legal):
                raise BadInput(f"{min(wrong)!r} is no {what}; legal: {', '.join(legal)}")
        every = self.slices()
        chosen = [s for s in every if (not kinds or texts.kind_of(s.about) in kinds) and (not only or s.about in only)]
        chosen = [s for s in chosen if not access or s.access in access]
        if only and (lost := set(only) - {s.about for s in every}):
            raise BadInput(f"nothing can be read of {min(lost)!r}; name documents, threads, requests, issues or tickets by their keys")
        left = list(unread(chosen, self.kept.readings(), asked))
        return Plan(every, tuple(chosen), tuple(left[:limit] if limit else left))

    def slices(self) -> tuple[Slice, ...]:
        """Everything that can be read, in an order that does not change."""
        return tuple(texts.slices(self._looking()))

    def read(
        self, plan: Plan, opened: Opened, asked: str, parallel: int = 4, progress: Progress = lambda *a: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Spent:  # fmt: skip
        """Asks about what is unread; see `Reader`."""
        reader = Reader(self.kept, opened, asked, self.brain.clock, parallel)
        return reader.read(plan.unread, progress, cancelled)

    # -- judging -------------------------------------------------------------------------------

    def settle(self, every: Sequence[Slice] | None = None, progress: Progress = lambda *a: None) -> Settled:
        """Judges everything that was read and brings what stands into the graph, as candidates; what people decided stays decided.
        What was said of texts that are gone is forgotten. What somebody says of a name meanwhile counts before this ends.
        """
        parts = self.slices() if every is None else every
        self.kept.prune(part.name for part in parts)
        loaded = False
        while True:
            names = self.kept.names()
            outcome = self.judged(parts)
            loaded |= self._brought(outcome, parts, progress)
            self.kept.keep_left(outcome.left())
            if self.kept.names() == names:
                return Settled(outcome, loaded)

    def _brought(self, outcome: Outcome, parts: Sequence[Slice], progress: Progress) -> bool:
        """Brings what stands into the graph; whether it had to be made anew for it."""
        before = self._stored()
        records = list(extracted.fetch(*kept_on(outcome, before, self.brain.files.decisions, self._unread(parts))))
        if changed := records != before and (len(records) > 1 or bool(before)):
            self.brain.load({"what models read": lambda: iter(records)}, progress)
        return changed

    def judged(self, parts: Iterable[Slice]) -> Outcome:
        """What becomes of everything that was said of these slices."""
        names, readings, outcome = self.names(), in_force(self.kept.readings()), Outcome()
        for part in parts:
            if (reading := readings.get(part.name)) is not None:
                judge(part, reading, names, self.brain.now(), outcome)
        self._known(outcome)
        return outcome

    def names(self) -> Names:
        """What finds the things that names mean."""
        ctx, lexicon = self._looking(), self.brain.lexicon(self.viewer)
        linker = Linker(lexicon, lambda name, **params: ctx.run(name, **params).rows)

        def existing(keys: Sequence[str]) -> Mapping[str, str]:
            return {str(r["key"]).lower(): str(r["key"]) for r in ctx.run("by_keys", keys=list(keys)).rows} if keys else {}

        return Names(lexicon, existing, lambda text, repos: linker.link(text, repos).mentions, self._said())

    def _known(self, outcome: Outcome) -> None:
        """Takes out what a source that is loaded states already; what people decided about is left."""
        decided, srcs = self.brain.files.decisions.states(), sorted({c.src for c in outcome.claims})
        stated: set[tuple[str, str, str]] = set()
        for start in range(0, len(srcs), KEYS):
            rows = self._looking().run("stated", keys=srcs[start : start + KEYS]).rows
            stated |= {(str(r["src"]), str(r["rel"]), str(r["dst"])) for r in rows if not str(r["rule"]).startswith(extracted.READ_BY)}
        for claim in list(outcome.claims):
            if (claim.src, claim.rel, claim.dst) in stated and extracted.aid_of(claim) not in decided:
                outcome.claims.remove(claim)
                said = f"{claim.src} {claim.rel} {claim.dst}"
                outcome.take(Refused("a source that is loaded states it already", said, claim.quote, claim.source, claim.line, claim.model))

    def _unread(self, parts: Iterable[Slice]) -> frozenset[tuple[str, str]]:
        """Lines, by their source, of slices that nobody was asked about."""
        read = in_force(self.kept.readings())
        return frozenset((ln.source, ln.text) for part in parts if part.name not in read for ln in part.lines)

    def brought(self) -> int:
        """How many claims were brought into the graph when things were judged last."""
        return sum(r["kind"] == "read" for r in self._stored())

    def _stored(self) -> list[Record]:
        records = self.brain.files.records
        return list(records.read(extracted.SOURCE)) if records.path(extracted.SOURCE).exists() else []

    # -- names that wait -----------------------------------------------------------------------

    def unsettled(self) -> list[dict[str, Any]]:
        """The names that wait for a person, most needed first: what may be meant, and what would be said with it."""
        groups: dict[str, list[Mapping[str, Any]]] = {}
        said = self._said()
        for one in self._stored_still(self.kept.left().get("unsettled", ())):
            if (name := plain(str(one["name"]))) not in said:
                groups.setdefault(name, []).append(one)
        found = [
            {
                "name": some[0]["name"], "waiting": len(some), "sorts": sorted({s for one in some for s in one["labels"]}),
                "candidates": sorted({c for one in some for c in one["candidates"]}), "why": some[0]["why"], "claims": some,
            }
            for some in groups.values()
        ]  # fmt: skip
        return sorted(found, key=lambda g: (-g["waiting"], str(g["name"])))

    def refused(self) -> list[Mapping[str, Any]]:
        """Every proposal that was refused when things were judged last, with the reason."""
        return self._stored_still(self.kept.left().get("refused", ()))

    def _stored_still(self, found: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """Those that quote something that is there for whoever asks."""
        rows = list(found)
        there = self.called(str(r["source"]) for r in rows)
        return [r for r in rows if r["source"] in there]

    def called(self, keys: Iterable[str]) -> dict[str, str]:
        """What the things with these keys are called, of those that are there for whoever asks."""
        wanted = sorted(set(keys))
        parts = [wanted[start : start + KEYS] for start in range(0, len(wanted), KEYS)]
        return {str(r["key"]): str(r["name"] or "") for some in parts for r in self._looking().run("by_keys", keys=some).rows}

    def _said(self) -> dict[str, str]:
        """What people said that names mean, as far as that is still there."""
        said = self.kept.names()
        there = self.called(filter(None, said.values()))
        return {name: key for name, key in said.items() if not key or key in there}

    def means(self, name: str, key: str) -> None:
        """Notes what a name means ("": nothing that is stored); it counts when things are judged next. BadInput for a name that does
        not wait, and for a key that is not there, or fits nowhere.
        """
        waiting = next((g for g in self.unsettled() if plain(str(g["name"])) == plain(name)), None)
        if waiting is None:
            raise BadInput(f"no proposal waits for the name {name!r}; brain extract unresolved shows the names that wait")
        if key:
            if key not in self.called([key]):
                raise BadInput(f"there is nothing with the key {key!r}; a key is written like service:pump-control")
            if label_of(key) not in waiting["sorts"]:
                raise BadInput(f"{key!r} is a {label_of(key)}; what is said of {name!r} needs one of {', '.join(waiting['sorts'])}")
        self.kept.align(name, key, self.viewer.id, self.brain.now())

    def align(self, name: str, key: str, progress: Progress = lambda *a: None) -> Settled:
        """Says what a name means (see `means`) and judges anew."""
        self.means(name, key)
        return self.settle(progress=progress)

    def aligned(self) -> list[Alignment]:
        """What people said that names mean, the latest first."""
        return self.kept.aligned()

    def unsaid(self, name: str) -> None:
        """Takes back what was said of a name; it counts when things are judged next. BadInput when nothing was said of it."""
        if plain(name) not in self.kept.names():
            raise BadInput(f"nobody said what {name!r} means; brain extract aligned lists the names of which somebody did")
        self.kept.align(name, None, self.viewer.id, self.brain.now())

    def unalign(self, name: str, progress: Progress = lambda *a: None) -> Settled:
        """Takes back what was said of a name, and judges anew: what needs it waits again."""
        self.unsaid(name)
        return self.settle(progress=progress)

    def _looking(self) -> Asking:
        return self.brain.looking(self.viewer)


def judge(part: Slice, reading: Reading, names: Names, now: int, outcome: Outcome) -> None:
    """Adds what becomes of a reply to the outcome."""
    read, judging = proposals.read(reading.text), Judge(part, names, reading.model, now)
    for why in read.unreadable:
        ended = " (it was cut off at the longest a reply may be)" if reading.finish == "length" else ""
        outcome.take(judging.refused(f"{why}{ended}", "", Quoted(0, "")))
    for proposal in read.claims:
        outcome.take(judging.claim(proposal))
    for resolved in read.decisions:
        for one in decisions.judged(judging, resolved):
            outcome.take(one)


def kept_on(
    outcome: Outcome, before: Sequence[Record], made: Decisions, unread: frozenset[tuple[str, str]] = frozenset()
) -> tuple[list[Claimed], list[Decided]]:
    """What stands, with those claims and decisions of before that nobody proposes now and that people decided about, for another
    model's silence undoes no decision; or of which the lines stand where nobody was asked since: replies do not travel with a snapshot.
    """
    decided, claims, found = made.states(), list(outcome.claims), {d.key: d for d in outcome.decisions}
    there = {extracted.aid_of(c) for c in (*claims, *(c for d in found.values() for c in d.claims))}
    old = [extracted.claimed(r) for r in before if r["kind"] == "read"]
    told = {r["key"]: r for r in before if r["kind"] == "resolved"}
    for claim in old:
        waits = any(source == claim.source and claim.quote in text for source, text in unread)
        if extracted.aid_of(claim) in there or not (extracted.aid_of(claim) in decided or waits):
            continue
        home = next((k for k in (claim.src, claim.dst) if k in told), "")
        if not home:
            claims.append(claim)
        elif home in found:
            found[home] = replace(found[home], claims=(*found[home].claims, claim))
        else:
            r = told[home]
            found[home] = Decided(home, r["title"], r["reason"], r["home"], r["at"], (claim,))
    return claims, list(found.values())


def reason_of(refused: Mapping[str, Any]) -> str:
    """Its reason without what tells single cases apart, which stands in brackets or behind a colon."""
    return str(refused["reason"]).partition(" (")[0].partition(": ")[0].partition(";")[0]


def reasons(refused: Iterable[Mapping[str, Any]]) -> list[tuple[str, int]]:
    """How often each reason stands among the refused, most first."""
    return Counter(map(reason_of, refused)).most_common()


def told(settled: Settled, spent: Spent | None) -> dict[str, Any]:
    """What an extraction came to, as `--json` has it."""
    why = reasons(asdict(r) for r in settled.outcome.refused)
    return {**({"spent": asdict(spent)} if spent else {}), **settled.counts(), "reasons": dict(why), "loaded": settled.loaded}
