"""A question on its way through memory: what it states is learned, “my team” gets its meaning, and what was answered is kept."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

from brain.agents import followup
from brain.agents.run import EMPTY, Draft, Fact, Run
from brain.errors import BadInput
from brain.held import holds
from brain.memory import mine
from brain.memory.items import PERSON, USES
from brain.memory.items import Fact as Known
from brain.memory.memory import Memory
from brain.memory.statements import Stated, rest
from brain.text.lexicon import Lexicon
from brain.text.linking import Linker
from brain.types import Answer, Arm
from brain.values import clean_text

_KINDS = {"team": "team", "works_on": "service, repository or the like", "owns": "service, repository or the like", "person": "person"}


@dataclass
class Hearing:
    """One question that a viewer asks, for all the arms that answer it. `before` are the answers it may refer to."""

    memory: Memory
    question: str
    before: tuple[Answer, ...] = ()
    turn: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    stated: Sequence[Stated] = ()
    learned: Sequence[Known] = ()
    gone: Sequence[Known] = ()
    rest: str = ""
    _used: set[str] = field(default_factory=set)
    _written: bool = False
    _lock: Lock = field(default_factory=Lock)

    # -- hearing -----------------------------------------------------------------------------

    def listen(self) -> None:
        """Learns what the question states; what is left of it is asked."""
        self.stated = self.memory.read(self.question)
        if rest(self.question, self.stated):
            self.stated = [s for s in self.stated if not s.unknown]
        self.rest = rest(self.question, self.stated) if self.stated else self.question
        if self.stated and not self.memory.off:
            self._write()
            self.learned, self.gone = self.memory.learn(self.stated, self.turn)

    def previous(self, arm: Arm) -> Answer | None:
        """The answer that this arm's question may refer to: what was just stated, else that of the same arm before, else any."""
        named = [key for s in self.stated for key, _ in s.named if key]
        if self.rest and named:
            said = ". ".join(s.words for s in self.stated)
            return Answer("", said, arm, "builtin", self.memory.viewer.id, 0, "answered", "", tuple(named))
        return next((a for a in self.before if a.arm == arm), next(iter(self.before), None))

    def prepare(self, run: Run, lexicon: Lexicon) -> str | Draft:
        """The question to draft an answer to, with a step that says what “my team” and the like mean in it; or the draft itself,
        where the question only states something, or rests on what nothing says.
        """
        if mine.asks_what_is_known(self.question):
            return self._known()
        if self.stated and not self.rest:
            return self._acknowledged()
        facts = self.memory.holding()
        person = next((g for g in sorted(self.memory.viewer.groups) if g.startswith("person:")), "")
        person = person or next((f.key for f in facts if f.kind == PERSON), "")
        known = mine.Known(facts, person, run.ctx, Linker(lexicon, run.lookup))
        question, meant, missing = mine.resolve(self.rest, known)
        notes = [m.note for m in meant]
        if self.stated:
            notes = [*filter(None, [self._acknowledged().lead]), *notes]
        if notes:
            said = {m.said: [key for key, _ in m.things] for m in meant}
            keys = sorted({key for m in meant for key, _ in m.things})
            got = run.ctx.run("by_keys", keys=keys) if keys else EMPTY
            run.add("memory", "\n".join(notes), {"question": question, "meant": said}, got)
            self._used.update(f for m in meant for f in m.facts)
        if missing:
            self._used.update(f.id for f in facts)
            return _nothing(missing)
        if mine.tells(self.rest) and meant:
            return Draft(items=[key for m in meant for key, _ in m.things], lead="\n".join(notes))
        return question

    def _acknowledged(self) -> Draft:
        """What was learned, in words; what could not be, and why."""
        if self.memory.off:
            return _nothing(f"Nothing was noted: {self.memory.off}.")
        unknown = next((s for s in self.stated if s.unknown), None)
        if unknown:
            kind = _KINDS.get(unknown.kind, "thing")
            return _nothing(f"No {kind} called “{unknown.unknown}” is known here, so nothing was noted.")
        forget = "Forget it: brain memory forget {}, or the page Memory."
        lines = [f"Noted: {f.sentence}. Used for {USES[f.kind]}. {forget.format(f.id)}" for f in self.learned]
        lines += [f"No longer noted: {f.sentence}." for f in self.gone]
        if not lines:
            lines = ["That was not noted of you, so nothing changes."]
        return Draft(items=list(dict.fromkeys(f.key for f in self.learned if f.key)), lead="\n".join(lines))

    def _known(self) -> Draft:
        """What is known of whoever asks, with the words it comes from."""
        if self.memory.off:
            return _nothing(f"Nothing is known of you: {self.memory.off}.")
        facts = self.memory.facts()
        if not facts:
            return _nothing("Nothing is known of you; tell me, for instance: I work on …, I am in the … team.")
        lines = [f"{f.sentence[:1].upper()}{f.sentence[1:]}: “{f.words}”." for f in facts]
        self._used.update(f.id for f in facts)
        return Draft(items=list(dict.fromkeys(f.key for f in facts if f.key)), lead="\n".join(lines))

    # -- keeping -----------------------------------------------------------------------------

    def keep(self, answer: Answer) -> None:
        """Remembers a run that the question gave, and what it was completed from."""
        if self.memory.off or self.memory.everything is None:
            return
        self._write()
        whole = followup.whole(answer)
        completed = "" if whole == self.question else whole
        graph = self.memory.graph
        graph.add_run(self.turn, answer, holds(answer, self.memory.viewer, self.memory.everything), completed)
        told = next((s.args["question"] for s in answer.steps if s.tool == "memory"), self.rest)
        before = self.previous(answer.arm)
        leans = before is not None and before.run and whole not in (told, self.question)
        leant_on = graph.turn_of(before.run) if leans and before else ""
        graph.rest(self.turn, [*sorted(self._used), *(f.turn for f in self.gone), *filter(None, [leant_on])])

    def _write(self) -> None:
        with self._lock:
            if not self._written:
                self.memory.graph.add_turn(self.turn, self.question, self.memory.now)
                self._written = True


def _nothing(why: str) -> Draft:
    """A draft that says why there is no answer."""
    return Draft(facts=[Fact(why)], state="insufficient")


def hear(memory: Memory, question: str, before: Sequence[Answer] = ()) -> Hearing:
    """The question as it is heard: what it states is learned. BadInput when there is no question in it."""
    text = " ".join(clean_text(question).split())
    if not text:
        raise BadInput("the question is empty; ask something, such as who knows a repository")
    heard = Hearing(memory, text, tuple(before))
    heard.listen()
    return heard
