"""A plain question asked as part of another one: in the same run and arm, from the instant at which the whole question is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.types import Answer, Arm, Claim, Usage

DEEPEST = 3
Answering = Callable[["Plain", str, int], tuple[Draft, Understanding]]


@dataclass
class Plain:
    """Asks plain questions. `answering` drafts one; `depth` is how many questions this one stands in; `instants` are those at which
    the plain questions were answered.
    """

    arm: Arm
    run: Run
    answering: Answering
    depth: int = 0
    instants: set[int] = field(default_factory=set)

    def __call__(self, question: str, more: int = 0) -> tuple[Draft, Understanding]:
        """The draft of a plain question and what was understood of it; `more`: so many further ones of those with the most."""
        began = self.run.ctx
        inner = Plain(self.arm, self.run, self.answering, self.depth + 1)
        draft, u = self.answering(inner, question, more)
        self.instants |= inner.instants | {self.run.ctx.as_of}
        self.run.ctx = began
        return draft, u

    @property
    def deep(self) -> bool:
        """Is it in so many other questions that it must not be taken apart any further?"""
        return self.depth >= DEEPEST

    def settle(self) -> None:
        """Moves the run to the instant of the plain questions, where they all have the same one."""
        if len(self.instants) == 1:
            self.run.ctx = self.run.ctx.at(min(self.instants))

    def heard(self, question: str, draft: Draft) -> Answer:
        """A draft as the answer before, which the next question may lean on."""
        nodes = {n.key: n for s in self.run.steps for n in s.nodes}
        claims = tuple(Claim(f.text, f.cites, f.quotes) for f in draft.facts)
        last = max((s.n for s in self.run.steps if s.tool == "link"), default=0)
        steps = tuple(replace(s, args={**s.args, "question": question}) for s in self.run.steps if s.n == last)
        items = [i for i in draft.items if ":" in i] or list(dict.fromkeys(f.cites[0] for f in draft.facts if f.cites))[:20]
        return Answer(
            "", question, self.arm, draft.engine, self.run.ctx.viewer.id, self.run.ctx.as_of, draft.state, "", tuple(items), claims, (),
            steps, tuple(nodes.values()), (), (), Usage(),
        )  # fmt: skip


def why_not(draft: Draft) -> str:
    """What a draft that does not answer says, in one sentence."""
    return next((f.text for f in draft.facts if f.text), "What is loaded does not answer this.")


def unread(words: str, why: str, rest: str = "") -> Draft:
    """The draft that says which words of a question are not understood, and so does not answer it as if they were not there."""
    other = f" Asked without them it is: \u201c{rest}\u201d" if rest else ""
    return Draft(state="insufficient", facts=[Fact(f"\u201c{words.strip()}\u201d: {why.rstrip('.')}.{other}")])


def merged(parts: list[Draft], items: list[str], facts: list[Fact], lead: str = "") -> Draft:
    """A draft made of the drafts of plain questions."""
    kept = [*{f.text: f for f in reversed(facts)}.values()][::-1]
    entries = list(dict.fromkeys(e for d in parts for e in d.entries))
    return Draft(list(dict.fromkeys(items)), kept, entries=entries, lead=lead)
