"""One tiny question to each model of the settings, to see whether it is there and what it can do. No budget counts it."""

from __future__ import annotations

from dataclasses import dataclass

from brain.errors import HopcheckError
from brain.llm.chain import names, open_chain
from brain.llm.endpoint import Endpoint
from brain.llm.faults import Fault
from brain.llm.talk import Function, Message, Reply, Request
from brain.settings import Settings

READY = Function(
    "ready",
    "Says that you are ready.",
    {"type": "object", "properties": {"answer": {"type": "string", "enum": ["yes"]}}, "required": ["answer"]},
)
ASKED = Request((Message("user", "Call the function ready with the answer yes."),), functions=(READY,), choice="required", max_tokens=64)


@dataclass(frozen=True)
class Tried:
    """What came of asking a model: did it answer, and what it showed."""

    model: str
    ok: bool
    says: str


def set_up(settings: Settings) -> str:
    """How the engine `openai` is set up, in one line; HopcheckError where a setting cannot be used. Nothing is sent."""
    if settings.llm_replay:
        return f"answers from the recording {settings.llm_replay}; no server is asked"
    if not names(settings):
        return "not set up, and not needed; BRAIN_LLM_MODELS names the models of a server"
    place = open_chain(settings).models[0].place
    key = "a key is set" if place.key else "no key is set"
    return f"{', '.join(names(settings))} at {place.host}; {key}"


def try_each(settings: Settings) -> list[Tried]:
    """Asks each model of the settings once; nothing is asked where none is set or a recording answers in its place."""
    if settings.llm_replay or not names(settings):
        return []
    try:
        return [_try(model) for model in open_chain(settings).models]
    except HopcheckError as err:
        return [Tried(names(settings)[0], False, str(err))]


def _try(model: Endpoint) -> Tried:
    try:
        return Tried(model.place.model, True, _showed(model.hear(ASKED)))
    except Fault as fault:
        if fault.kind != "refused":
            return Tried(model.place.model, False, fault.why)
        return Tried(model.place.model, True, f"{fault.why}; it is asked to choose by JSON instead")


def _showed(reply: Reply) -> str:
    called = any(call.name == READY.name for call in reply.calls)
    does = "calls functions" if called else "makes no calls of its own where they are demanded; BRAIN_LLM_MODE=json may do better"
    counts = "; does not count tokens, so they are estimated" if reply.tokens.estimated else ""
    told = "".join(f"; {trial.why}" for trial in reply.tried)
    return f"answers in {reply.ms / 1000:.1f} s, {does}{counts}{told}"
