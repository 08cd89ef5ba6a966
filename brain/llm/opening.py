"""The door to a model: the settings' models, recorded or replayed where they say so, with the budgets of whoever asks in front."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brain.errors import BadInput
from brain.llm import chain, limits, prices, talk
from brain.llm.budget import CHARS_A_TOKEN, Guess, Metered, Purse
from brain.llm.counting import CHARS_A_TOKEN as COUNTED
from brain.llm.counting import prompt_tokens
from brain.llm.learnt import PATIENT, PROCESS
from brain.llm.ledger import Ledger
from brain.llm.limits import QUESTION, Left, Limit
from brain.llm.talk import Model, OnText, Reply, Request, Tokens
from brain.settings import Settings
from brain.store import Store

if TYPE_CHECKING:
    import httpx2

    from brain.llm.replaying import Recording

SHIPPED = Path(__file__).resolve().parent.parent.parent / "eval" / "recordings"
SHAPING = (
    "llm_models", "llm_mode", "llm_tools", "llm_steps", "llm_max_tokens", "llm_prompt_tokens", "llm_seed", "llm_retries", "llm_prices",
)  # fmt: skip
"""The settings that shape what is asked, how often, and what it costs; a recording keeps them, and a replay takes them from it."""
LARGEST = 50_000_000  # bytes of a recording that is looked through while somebody waits
NOWHERE = "http://recording/v1"
HOW = "no model is set up for the engine openai: name one in BRAIN_LLM_MODELS, and its server in OPENAI_BASE_URL or a key in OPENAI_API_KEY"
Clock = Callable[[], float]


@dataclass(frozen=True)
class Replayed:
    """A recording that answers as the models in it did, for one conversation; `settings` are to be asked with. It costs nothing."""

    model: Model
    settings: Settings

    def ask(self, request: Request, on_text: OnText | None = None, cancelled: talk.Cancelled = lambda: False) -> Reply:
        """The recorded reply; ModelDown, which says what is different, where this was never asked."""
        return self.model.ask(request, on_text, cancelled)


def available(settings: Settings) -> bool:
    """Is there a model to ask, or a recording in its place?"""
    return bool(chain.names(settings) or settings.llm_replay)


def open_model(
    settings: Settings, store: Store, owner: str, clock: Clock, shared: Sequence[Purse] = (), patient: bool = False
) -> Model:
    """The model for one question of one who asks, with their budgets in front, and the purses that it shares with other questions.
    `patient`: a model that failed is asked again at the next question, and not left alone for a while.

    A recording in its place (BRAIN_LLM_REPLAY) has no budgets, for it costs nothing. Raises BadInput where no model is set up.
    """
    if settings.llm_replay:
        return _replayed(settings, Path(settings.llm_replay).expanduser())
    if not chain.names(settings):
        raise BadInput(HOW)
    bounds = limits.parse(settings.llm_limits)
    from brain.llm.sent import Sent

    through = Sent(_recorder(settings) or _network())
    asked = chain.open_chain(settings, through, PATIENT if patient else PROCESS)
    question = Purse([limit for limit in bounds if limit.scope == QUESTION])
    ledger = Ledger(store, owner, bounds)
    return Metered(asked, ledger, question, lambda request: guess(settings, request), clock, shared, lambda: through.count)


def as_recorded(settings: Settings) -> Settings:
    """The settings to ask with: where a recording answers, those that shape a request are the ones it was made with."""
    return _recorded(settings, Path(settings.llm_replay).expanduser()) if settings.llm_replay else settings


def replayed(settings: Settings, question: str) -> Replayed | None:
    """A recording that holds this question, of those that came with the program and the one that is made here; None: there is none."""
    asked = " ".join(question.split())
    for path in _recordings(settings):
        if asked in _loaded(path).questions:
            return _replayed(settings, path)
    return None


def recorded_questions(settings: Settings) -> tuple[str, ...]:
    """The questions that are in a recording, and so can be asked without any model."""
    return tuple(dict.fromkeys(q for path in _recordings(settings) for q in _loaded(path).questions))


def guess(settings: Settings, request: Request) -> Guess:
    """What an exchange may come to at most: its prompt, counted generously, and as long a reply as it may have, at the highest price."""
    tokens = Tokens(-(-prompt_tokens(request) * COUNTED // CHARS_A_TOKEN), request.max_tokens, estimated=True)
    names, priced = chain.names(settings), prices.parse(settings.llm_prices)
    first, known = (names[0] if names else ""), [priced[name] for name in names if name in priced]
    if not known:
        return Guess(first, tokens)
    return Guess(first, tokens, max(p.of(tokens) for p in known), max(p.of(replace(tokens, completion=0)) for p in known))


def left(settings: Settings, store: Store, owner: str, clock: Clock) -> list[Left]:
    """What is left of each budget for this one, a question's first."""
    bounds = limits.parse(settings.llm_limits)
    fresh = [Left(b.scope, b.what, b.amount, 0.0, b.amount, None) for b in bounds if b.scope == QUESTION]
    return [*fresh, *Ledger(store, owner, bounds).left(clock())]


def notes(settings: Settings, more: Sequence[Limit] = ()) -> list[str]:
    """What budgets cannot do, said beforehand: money cannot be counted for a model without a price, so only tokens and runs hold it."""
    priced = prices.parse(settings.llm_prices)
    unpriced = [name for name in chain.names(settings) if name not in priced]
    if not unpriced or not any(limit.what == "usd" for limit in (*limits.parse(settings.llm_limits), *more)):
        return []
    names = ", ".join(unpriced)
    return [f"no price is known for {names}: a budget in usd does not hold it; give the price in BRAIN_LLM_PRICES, or limit tokens"]


def shaping(settings: Settings) -> dict[str, Any]:
    """What a recording keeps of the settings: neither key nor address."""
    return {name: getattr(settings, name) for name in SHAPING}


def _recordings(settings: Settings) -> list[Path]:
    own = [Path(settings.llm_record).expanduser()] if settings.llm_record else []
    return [*(path for path in own if path.is_file() and path.stat().st_size <= LARGEST), *sorted(SHIPPED.glob("*.jsonl.gz"))]


def _loaded(path: Path) -> Recording:
    from brain.llm import replaying

    return replaying.load(path)


def _recorded(settings: Settings, path: Path) -> Settings:
    recorded = _loaded(path)
    known: Mapping[str, Any] = {"llm_models": ",".join(recorded.models)} | dict(recorded.settings)
    fitting = {k: v for k, v in known.items() if k in SHAPING and type(v) is type(getattr(settings, k)) and (v or k != "llm_models")}
    return replace(settings, llm_url=NOWHERE, llm_key="", llm_record="", llm_replay=str(path), **fitting)


def _replayed(settings: Settings, path: Path) -> Replayed:
    from brain.llm.replaying import Replay

    as_made = _recorded(settings, path)
    return Replayed(chain.open_chain(as_made, Replay(_loaded(path)), waits=False), as_made)


def _recorder(settings: Settings) -> httpx2.BaseTransport | None:
    return _recording(settings.llm_record, settings.llm_key, tuple(shaping(settings).items())) if settings.llm_record else None


@cache
def _network() -> httpx2.BaseTransport:
    from brain.llm.wire import network

    return network()


@lru_cache(maxsize=8)
def _recording(path: str, key: str, made_with: tuple[tuple[str, Any], ...]) -> httpx2.BaseTransport:
    from brain.llm.recording import Recorder

    return Recorder(_network(), Path(path).expanduser(), dict(made_with), key)
