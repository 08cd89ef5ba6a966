"""One model of one OpenAI-compatible server: what it refuses is left out, what is busy is asked again, and a reply comes back as a noun."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from brain.errors import ModelDown, ModelRefused
from brain.llm.body import PARTS, body
from brain.llm.counting import prompt_tokens, said_tokens
from brain.llm.exchange import Heard, Patience, exchange
from brain.llm.faults import Fault, Place
from brain.llm.learnt import Learnt
from brain.llm.prices import Price, cost
from brain.llm.talk import Cancelled, OnText, Reply, Request, Tokens, Trial

if TYPE_CHECKING:
    import httpx2
    import tenacity

LOOK_S = 0.05
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.4, 8.0


@dataclass(frozen=True)
class Endpoint:
    """A model that answers. `waits` false: no pause before a second try, for replies that come from a recording."""

    place: Place
    transport: httpx2.BaseTransport = field(repr=False)
    timeout_s: float = 60
    retries: int = 2
    price: Price | None = None
    learnt: Learnt = field(default_factory=Learnt, repr=False)
    waits: bool = True

    def ask(self, request: Request, on_text: OnText | None = None, cancelled: Cancelled = lambda: False) -> Reply:
        """The reply; see `talk.Model`."""
        try:
            return self.hear(request, on_text, cancelled)
        except Fault as fault:
            raise (ModelRefused if fault.kind == "refused" else ModelDown)(fault.why) from None

    def hear(self, request: Request, on_text: OnText | None = None, cancelled: Cancelled = lambda: False) -> Reply:
        """The reply; Fault where there is none."""
        began = time.monotonic()
        patience = Patience(self.timeout_s, began + self.timeout_s, cancelled)
        told: list[Trial] = []
        for _ in range(len(PARTS) + 1):
            refused = self.learnt.refused()
            self._cannot(request, refused)
            asked = body(self.place.model, request, refused.keys())
            try:
                return self._reply(request, self._patiently(asked, patience, on_text), began, tuple(told))
            except Fault as fault:
                if fault.failed is not None:
                    return self._failed(request, fault.failed, began, tuple(told))
                if not fault.part or fault.part in refused:
                    raise
                self.learnt.refuse(fault.part, fault.why)
                told.append(Trial(self.place.model, f"{fault.why}; asked again without it"))
        raise Fault("unusable", f"{self.place.host} refuses one part of the request after the other")

    def _cannot(self, request: Request, refused: Mapping[str, str]) -> None:
        """Without tools or a form for the reply it would be another request: that refusal is told, not worked around."""
        part = "response_format" if request.schema is not None else "tools" if request.functions else ""
        if part in refused:
            raise Fault("refused", refused[part], part=part)

    def _patiently(self, asked: dict[str, Any], patience: Patience, on_text: OnText | None) -> Heard:
        """The exchange, tried again while the server is only busy or silent, within the one deadline."""
        import tenacity  # with what it imports it would delay every command that asks no model

        tries = tenacity.Retrying(
            retry=tenacity.retry_if_exception(lambda err: isinstance(err, Fault) and err.again),
            stop=tenacity.stop_after_attempt(self.retries + 1) | tenacity.stop_before_delay(max(patience.left, 0)),
            wait=_pause if self.waits else tenacity.wait_none(),
            sleep=lambda seconds: _sleep(seconds, patience),
            reraise=True,
        )
        return tries(self._once, asked, patience, on_text)

    def _once(self, asked: dict[str, Any], patience: Patience, on_text: OnText | None) -> Heard:
        heard = exchange(self.place, asked, self.transport, patience, on_text)
        if not heard.gathered.answered:
            if heard.done:
                raise Fault("unusable", f"{self.place.host} answered without any choice: not a chat completion")
            raise Fault("silent", f"{self.place.host} ended its reply before it began", again=True)
        return heard

    def _reply(self, request: Request, heard: Heard, began: float, tried: tuple[Trial, ...]) -> Reply:
        got = heard.gathered
        finish = got.finish(heard.done)
        text, calls = got.said(), got.calls(finish in ("cut", "too_long", "length"))
        tokens = got.tokens() or Tokens(prompt_tokens(request), said_tokens(text, calls), estimated=True)
        return self._priced(Reply(text, calls, finish, self.place.model, tokens, tried=tried), began)

    def _failed(self, request: Request, text: str, began: float, tried: tuple[Trial, ...]) -> Reply:
        """What the model had written when the server could not read it as a call: text like any other."""
        tokens = Tokens(prompt_tokens(request), said_tokens(text, ()), estimated=True)
        return self._priced(Reply(text, (), "stop", self.place.model, tokens, tried=tried), began)

    def _priced(self, reply: Reply, began: float) -> Reply:
        return replace(reply, usd=cost(self.price, reply.tokens), ms=(time.monotonic() - began) * 1000)


def _pause(state: tenacity.RetryCallState) -> float:
    """As long as the server asks for, and a little more so that not everybody comes back at once; else longer each time."""
    from tenacity import wait_exponential, wait_random

    fault = state.outcome.exception() if state.outcome is not None else None
    jittered = (wait_exponential(multiplier=FIRST_PAUSE_S, max=LONGEST_PAUSE_S) + wait_random(0, FIRST_PAUSE_S))(state)
    if isinstance(fault, Fault) and fault.after is not None:
        return fault.after + jittered * 0.1
    return jittered


def _sleep(seconds: float, patience: Patience) -> None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        patience.look()
        time.sleep(min(left, LOOK_S))
