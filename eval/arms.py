"""The arms of a run: the three that the product has, all asked through its one public door."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from brain.ask import as_json
from brain.brain import Brain
from brain.types import ARMS, Arm, Viewer
from eval.questions import Question
from eval.run import Ask

KNOWN: tuple[str, ...] = ARMS


def asker(brain: Brain, viewer: Callable[[str | None], Viewer], engine: str = "builtin") -> Ask:
    """Asks `brain`; `viewer` turns a question's viewer (None: the local administrator) into who asks."""

    def ask(question: Question, arm: str) -> Mapping[str, Any]:
        answer = brain.ask(question.question, viewer=viewer(question.viewer), arm=cast(Arm, arm), engine=engine, as_of=question.as_of)
        return as_json(answer)

    return ask
