"""Several models in a row: the first that answers does. One that kept somebody waiting in vain rests for a while."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from brain.errors import HopcheckError, ModelDown, ModelRefused
from brain.llm import prices
from brain.llm.endpoint import Endpoint
from brain.llm.faults import Fault, Place
from brain.llm.learnt import PROCESS, Memory
from brain.llm.talk import Cancelled, OnText, Reply, Request, Trial
from brain.settings import Settings

if TYPE_CHECKING:
    import httpx2

OPENAI = "https://api.openai.com/v1"
LONGEST_REST_S = 60.0


@dataclass(frozen=True)
class Chain:
    """A model that asks the models of a list in turn, and tells of each that did not answer."""

    models: Sequence[Endpoint]

    def ask(self, request: Request, on_text: OnText | None = None, cancelled: Cancelled = lambda: False) -> Reply:
        """The reply of the first that answers; see `talk.Model`. ModelRefused only when every one of them refuses what was asked for."""
        tried: list[Trial] = []
        refusals, gone = 0, ""
        for model in self.models:
            if why := gone or model.learnt.resting():
                tried.append(Trial(model.place.model, why))
                continue
            began = time.monotonic()
            try:
                reply = model.hear(request, on_text, cancelled)
                return replace(reply, tried=(*tried, *reply.tried))
            except Fault as fault:
                tried.append(Trial(model.place.model, fault.why))
                refusals += fault.kind == "refused"
                gone = fault.why if fault.whole_server else ""
                for idle in self.models if fault.whole_server else (model,):
                    self._rest(idle, fault, time.monotonic() - began)
            except ModelDown as err:  # a recording that lacks this exchange; it may have the next model's
                if len(self.models) == 1:
                    raise
                tried.append(Trial(model.place.model, str(err)))
        line = "; ".join(f"{', '.join(t.model for t in alike)}: {why}" for why, alike in groupby(tried, lambda t: t.why))
        if refusals == len(self.models):
            raise ModelRefused(f"no model does what was asked for ({line})")
        raise ModelDown(f"no model answered ({line})")

    def _rest(self, model: Endpoint, fault: Fault, waited_s: float) -> None:
        """A model rests twice as long as it kept somebody waiting, or as long as its server asks for."""
        if fault.kind in ("busy", "silent") or fault.after is not None:
            model.learnt.rest(max(min(2 * waited_s, LONGEST_REST_S), fault.after or 0), fault.why)


def names(settings: Settings) -> tuple[str, ...]:
    """The models of the settings, each once, in order."""
    return tuple(dict.fromkeys(filter(None, (name.strip() for name in settings.llm_models.split(",")))))


def open_chain(
    settings: Settings, transport: httpx2.BaseTransport | None = None, memory: Memory | None = None, waits: bool = True
) -> Chain:
    """The models of the settings. `transport` replaces the network (what was learnt then is forgotten with the chain, unless `memory`
    keeps it); `waits` false leaves out the pauses between tries. HopcheckError where a setting cannot be used. Nothing is sent yet.
    """
    url, key = _address(settings), _key(settings)
    if not names(settings):
        raise HopcheckError("no model is set: name one or more in BRAIN_LLM_MODELS, separated by commas")
    known = memory or (Memory() if transport is not None else PROCESS)
    priced = prices.parse(settings.llm_prices)
    through, wait, again = transport or _network(), settings.llm_timeout_s, settings.llm_retries
    return Chain(
        [Endpoint(Place(url, name, key), through, wait, again, priced.get(name), known.of(url, name), waits) for name in names(settings)]
    )


@cache
def _network() -> httpx2.BaseTransport:
    from brain.llm.wire import network

    return network()


def _address(settings: Settings) -> str:
    url = settings.llm_url.strip().rstrip("/") or OPENAI
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and not parts.query and not parts.fragment
    except ValueError:
        usable = False
    if not usable:
        raise HopcheckError("OPENAI_BASE_URL must be an address such as http://localhost:11434/v1, without ? and what follows it")
    return url


def _key(settings: Settings) -> str:
    key = settings.llm_key.strip()
    if not all("!" <= letter <= "~" for letter in key):
        raise HopcheckError("OPENAI_API_KEY holds a blank or a letter that no key has: paste it again")
    return key
