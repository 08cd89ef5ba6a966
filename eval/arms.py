"""The arms of a run: the three that the product has, all asked through its one public door."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from brain.ask import as_json
from brain.brain import Brain
from brain.types import ARMS, Arm, Viewer
from eval import rights
from eval.questions import Question
from eval.run import Ask

KNOWN: tuple[str, ...] = ARMS


def asker(brain: Brain, viewer: Callable[[str | None], Viewer], engine: str = "builtin") -> Ask:
    """Asks `brain`; `viewer` turns a question's viewer (None: whoever runs the set) into who asks. With the answer comes with
    which rights it was asked, and whether who has them may read the right answer.
    """
    there = rights.present(brain)

    def ask(question: Question, arm: str) -> Mapping[str, Any]:
        who = viewer(question.viewer)
        answer = brain.ask(question.question, viewer=who, arm=cast(Arm, arm), engine=engine, as_of=question.as_of)
        gold_open = rights.gold_open(question, who, brain, there)
        return {**as_json(answer), "rights": rights.of(who, there), "gold_open": gold_open}

    return ask
