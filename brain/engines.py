"""Which engine drafts an answer: the built-in one, or a model that the settings, or whoever asks, name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from brain.agents.model_talk import Engine, Limits
from brain.errors import BadInput
from brain.llm.talk import Model, OnText
from brain.settings import Settings
from brain.store import Store
from brain.types import Viewer

BUILTIN, OPENAI = "builtin", "openai"
ENGINES = (BUILTIN, OPENAI)


def engine(
    name: str, settings: Settings, store: Store, viewer: Viewer, clock: Callable[[], float], *, model: Model | None = None,
    question: str = "", on_text: OnText | None = None, cancelled: Callable[[], bool] = lambda: False, fall_back: bool = True,
) -> Engine | None:
    """The engine of that name, with the viewer's budgets in front of its model; None for the built-in one, which needs nothing. Where
    no model is set up, a recording that holds the `question` answers it.

    Raises BadInput for a name that is none, and for settings that name no model or limits that are none.
    """
    if name not in ENGINES:
        raise BadInput(f"engine is {name!r}; legal: {', '.join(ENGINES)}")
    if name == BUILTIN:
        return None
    asked, made_with = (model, settings) if model else _opened(settings, store, viewer, clock, question)
    return Engine(asked, Limits.of(made_with), on_text, cancelled, fall_back, partial(_spare, settings, viewer))


def notes(name: str, settings: Settings) -> list[str]:
    """What budgets cannot do for this engine's models, a line each."""
    if name == BUILTIN:
        return []
    from brain.llm import opening

    return opening.notes(settings)


# What is behind these takes longer to import than the built-in engine takes to answer.
def _opened(settings: Settings, store: Store, viewer: Viewer, clock: Callable[[], float], question: str) -> tuple[Model, Settings]:
    from brain.llm import opening

    if opening.available(settings):
        return opening.open_model(settings, store, viewer.owner, clock), opening.as_recorded(settings)
    if recorded := opening.replayed(_known(settings, viewer), question):
        return recorded, recorded.settings
    raise BadInput(opening.HOW)


def _spare(settings: Settings, viewer: Viewer, question: str) -> tuple[Model, Limits] | None:
    from brain.llm import opening

    recorded = opening.replayed(_known(settings, viewer), question)
    return (recorded, Limits.of(recorded.settings)) if recorded else None


def _known(settings: Settings, viewer: Viewer) -> Settings:
    """The settings with the recordings that this viewer may learn of. What is recorded here are everybody's questions, so that anybody
    but an administrator is answered from those alone that came with the program.
    """
    return settings if viewer.admin else replace(settings, llm_record="")
