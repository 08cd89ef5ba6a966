"""What models cost, as the settings say it."""

from __future__ import annotations

import pytest

from brain.errors import HopcheckError
from brain.llm.prices import Price, cost, parse
from brain.llm.talk import Tokens


def test_prices_are_read_by_model():
    read = parse(" large=2.5/10/1.25, local:7b-q4=0/0 ,, org/small@x=0.1/0.4,")
    assert read == {"large": Price(2.5, 10, 1.25), "local:7b-q4": Price(0, 0, 0), "org/small@x": Price(0.1, 0.4, 0.1)}
    assert parse("") == {}


@pytest.mark.parametrize("entry", ["large", "large=", "=1/2", "large=1", "large=1/2/3/4", "large=a/b", "large=-1/2", "large=nan/1", "large=inf/1", "large=1/2;3"])
def test_an_entry_that_is_no_price_is_named(entry):
    with pytest.raises(HopcheckError, match="BRAIN_LLM_PRICES: ") as told:
        parse(f"small=1/2, {entry}")
    assert repr(entry) in str(told.value)


def test_a_model_that_is_named_twice_is_refused():
    with pytest.raises(HopcheckError, match="names 'small' twice"):
        parse("small=1/2, small=1/3")


def test_what_was_cached_costs_its_own_price_and_nothing_costs_more_than_it_was_read():
    price = Price(read=2, written=10, cached=0.5)
    assert cost(price, Tokens(1_000_000, 100_000, 0)) == 3.0
    assert cost(price, Tokens(1_000_000, 0, 600_000)) == pytest.approx(0.8 + 0.3)
    assert cost(price, Tokens(100, 0, 900)) == cost(price, Tokens(100, 0, 100))


def test_a_model_without_a_price_has_no_known_cost_and_a_free_one_costs_nothing():
    assert cost(None, Tokens(10, 10)) is None
    assert cost(Price(0, 0, 0), Tokens(10, 10)) == 0.0
