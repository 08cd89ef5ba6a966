"""The arms of a run: the three that the product has, all asked through its one public door."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from brain.ask import as_json
from brain.brain import Brain
from brain.engines import BUILTIN
from brain.errors import BudgetSpent, Cancelled, ModelDown
from brain.llm import opening
from brain.llm.budget import Metered, Purse
from brain.llm.limits import QUESTION
from brain.llm.talk import Model
from brain.permissions import local_admin
from brain.types import ARMS, Arm, Viewer
from eval import rights
from eval.questions import Question
from eval.run import Ask

KNOWN: tuple[str, ...] = ARMS


def asker(brain: Brain, viewer: Callable[[str | None], Viewer], engine: str = BUILTIN, purse: Purse | None = None) -> Ask:
    """Asks `brain`; `viewer` turns a question's viewer (None: whoever runs the set) into who asks. With the answer comes with
    which rights it was asked, and whether who has them may read the right answer.

    A model is asked as far as `purse`, which all questions share, and the budgets of whoever runs it go; where they end, Cancelled is
    raised. Where a model gives no answer, nothing stands in for it: that question has `failed`.
    """
    there = rights.present(brain)

    def ask(question: Question, arm: str) -> Mapping[str, Any]:
        who = viewer(question.viewer)
        model = None if engine == BUILTIN else opened(brain, purse)
        try:
            answer = brain.ask(
                question.question, viewer=who, arm=cast(Arm, arm), engine=engine, as_of=question.as_of, model=model, fall_back=False
            )
        except (ModelDown, BudgetSpent) as err:
            return failed(err, model)
        gold_open = rights.gold_open(question, who, brain, there)
        return {**as_json(answer), "rights": rights.of(who, there), "gold_open": gold_open}

    return ask


def opened(brain: Brain, purse: Purse | None) -> Model:
    """The model for one question of a run: whoever runs it pays, not those as whom it asks."""
    return opening.open_model(brain.settings, brain.store, local_admin().id, brain.clock, [purse] if purse else (), patient=True)


def failed(err: ModelDown | BudgetSpent, model: Model | None) -> Mapping[str, Any]:
    """A question that a model gave no answer to, and what was spent on it; Cancelled where it is the budget of all of them that ends."""
    if isinstance(err, BudgetSpent) and err.scope != QUESTION:
        raise Cancelled(f"stopped: {err}. What was answered is kept, and the same command goes on from there") from None
    spent = (model.spent.tokens, model.spent.usd) if isinstance(model, Metered) else (0, None)
    return {"failed": f"{type(err).__name__}: {err}", "spent": spent}
