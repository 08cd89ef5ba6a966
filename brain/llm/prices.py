"""What models cost, as the settings say it. No price is built in: a list of prices would be wrong within a month."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from brain.errors import HopcheckError
from brain.llm.talk import Tokens

FORM = "model=read/written or model=read/written/cached, in US dollars for a million tokens, such as `small=0.1/0.4, large=2.5/10/1.25`"


@dataclass(frozen=True)
class Price:
    """US dollars for a million tokens read, written, and read from the server's cache."""

    read: float
    written: float
    cached: float

    def of(self, tokens: Tokens) -> float:
        """What these tokens cost, in US dollars."""
        cached = min(tokens.cached, tokens.prompt)
        total = (tokens.prompt - cached) * self.read + cached * self.cached + tokens.completion * self.written
        return round(total / 1_000_000, 9)


def parse(text: str) -> Mapping[str, Price]:
    """The prices by model; HopcheckError names the first entry that is none, and the form it should have."""
    out: dict[str, Price] = {}
    for entry in filter(None, (part.strip() for part in text.split(","))):
        model, sign, numbers = (part.strip() for part in entry.rpartition("="))
        if not sign or not model:
            raise HopcheckError(f"BRAIN_LLM_PRICES: {entry!r} is no price; write {FORM}")
        if model in out:
            raise HopcheckError(f"BRAIN_LLM_PRICES names {model!r} twice; leave one of them")
        out[model] = _price(entry, numbers)
    return out


def _price(entry: str, numbers: str) -> Price:
    try:
        values = [float(number) for number in numbers.split("/")]
    except ValueError:
        values = []
    if len(values) not in (2, 3) or not all(math.isfinite(v) and v >= 0 for v in values):
        raise HopcheckError(f"BRAIN_LLM_PRICES: {entry!r} is no price; write {FORM}")
    read, written, *cached = values
    return Price(read, written, cached[0] if cached else read)


def cost(price: Price | None, tokens: Tokens) -> float | None:
    """What the tokens cost in US dollars; None where no price is known."""
    return None if price is None else price.of(tokens)
