"""A question on its way through the playbooks: asked in the words of one that fits, and as it is when that did not get it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from brain.agents import followup
from brain.agents.run import EMPTY, Draft, Run
from brain.playbooks.plays import Playbook
from brain.playbooks.shelf import Playbooks
from brain.playbooks.wordings import STEP, own_steps
from brain.text.lexicon import Lexicon
from brain.text.linking import Linker
from brain.types import Answer, Step
from brain.values import clean_text

Heard = Callable[[Run, Lexicon], str | Draft]


@dataclass
class Following:
    """One question that may follow a playbook. `heard` is what hears it before; `before` is the answer it may lean on, which is
    then left to.
    """

    books: Playbooks
    question: str
    heard: Heard | None = None
    before: Answer | None = None
    _found: tuple[Playbook, str] | None = None

    def __call__(self, run: Run, lexicon: Lexicon) -> str | Draft:
        """The question in the words of the playbook that fits, with a step that says so; else as it is meant."""
        said = self.heard(run, lexicon) if self.heard else " ".join(clean_text(self.question).split())
        if isinstance(said, Draft) or self._leans(said, run, lexicon):
            return said
        found = self.books.for_question(said)
        if found is None or self._leans(found[1], run, lexicon):
            return said
        self._found = found
        playbook, words = found
        run.add(STEP, f"By a playbook of {playbook.by}, asked as “{words}”", {"playbook": playbook.id, "question": words}, EMPTY)
        return words

    def _leans(self, question: str, run: Run, lexicon: Lexicon) -> bool:
        """Would the answer before give the question another meaning?"""
        return self.before is not None and followup.complete(question, self.before, Linker(lexicon, run.lookup), run.ctx.as_of) != question

    def concluded(self, answer: Answer) -> Answer | None:
        """The answer, which tells the steps it took when it followed a playbook; None when that did not get it, and the question has
        to be asked as it is. The use is counted.
        """
        if self._found is None:
            return answer
        playbook, words = self._found
        steps = own_steps(answer)
        stands = answer.state == "answered" and bool(answer.claims) and not answer.dropped
        self.books.used(playbook.id, stands, len(steps), answer.usage.ms, "" if stands else f"“{words}” was not answered")
        return _told(answer, playbook, len(steps)) if stands else None


def _told(answer: Answer, playbook: Playbook, n: int) -> Answer:
    """The answer with the number of its steps beside that of the first time, where the viewer may know it."""
    if not playbook.steps:
        return answer
    was = next(s for s in answer.steps if s.tool == STEP)
    why = f"{was.why}: {n} steps instead of {playbook.steps}"
    made: Step = replace(was, why=why, args={**was.args, "steps": n, "instead_of": playbook.steps})
    steps = tuple(made if s is was else s for s in answer.steps)
    return replace(answer, steps=steps, text=answer.text.replace(was.why, why, 1))
