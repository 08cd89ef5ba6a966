"""Only plain values travel to the database, and they come back as they went."""

from __future__ import annotations

import datetime
import math
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brain import values
from brain.errors import ToolError

GRAPH = "brain:values"


class Str(str):
    def __str__(self) -> str:
        return "1 RETURN 2 //"


class Sneaky:
    def __str__(self) -> str:
        return "1 RETURN 'gotcha' AS x //"


@pytest.fixture(scope="module")
def back(shared_store):
    """A value as the database gives it back."""
    shared_store.write(GRAPH, "RETURN 1")
    return lambda value: shared_store.read(GRAPH, "RETURN $x AS x", {"x": value}).rows[0]["x"]


@pytest.mark.parametrize(
    "value", ["", "a'b\"c\\d", "line\nline\ttab\r\f\b", "é漢🜂 ﷽ \u2028\u2029\ufeff", "$x `x` {y} // /* */", "'; MATCH (n) DELETE n //", "\\u0041",
              0, -1, 2**63 - 1, -(2**63) + 1, 1.5, -0.25, 1e22, 5e-324, 1e308, True, False, None, [], [1, "a", None, True], [[1, 2], [3]]]
)  # fmt: skip
def test_a_plain_value_comes_back_as_it_went(back, value):
    got = back(value)
    assert got == value and type(got) is type(value)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60))
def test_any_text_comes_back_without_what_cannot_be_stored(back, text):
    got = back(text)
    assert got == values.clean_text(text)
    kept = [c for c in text if ord(c) >= 32 and ord(c) != 127 and not 0xD800 <= ord(c) <= 0xDFFF]
    assert [c for c in got if c in kept or c not in "?\b\t\n\f\r"] == kept or "?" in got


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.recursive(
        st.one_of(st.integers(-(2**63) + 1, 2**63 - 1), st.booleans(), st.none()), lambda inner: st.lists(inner, max_size=4), max_leaves=8
    )
)
def test_any_nesting_of_lists_comes_back(back, value):
    assert back(value) == value


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), -math.inf, 2**63, -(2**63), b"x", {"a": 1}, object(), Sneaky(), Decimal("1"), Path("/x"), range(3), iter([1]),
              datetime.date(2025, 1, 1), np.array([1.0]), np.int64(3), [1, {"a": 1}], [float("nan")]]
)  # fmt: skip
def test_anything_else_is_refused_before_it_travels(value):
    with pytest.raises(ToolError):
        values.plain(value)


def test_an_object_that_spells_a_query_stays_a_value(back):
    assert back(Str("harmless")) == "1 RETURN 2 //"
    with pytest.raises(ToolError):
        back(Sneaky())


def test_control_characters_and_lone_surrogates_are_left_out():
    assert values.clean_text("a\0b\x01c\x1fd\x7fe\ud800f\n") == "abcde?f\n"


def test_sets_travel_sorted_so_that_one_question_has_one_text():
    assert values.plain({"b", "a", "c"}) == ["a", "b", "c"] and values.plain(frozenset({2, 1})) == [1, 2]


def test_a_header_of_nothing_is_empty():
    assert values.header({}) == "" and values.header({"k": 3, "q": "a\n"}) == 'CYPHER k=3 q="a\\n" '


def test_rows_and_their_vectors_travel_together(shared_store):
    text = values.rows_header([["a", 1], ["b", None]], ["[0.5,1]", "[2,3]"]) + "UNWIND $rows AS r RETURN r[0], r[1], r[2]"
    assert shared_store.write(GRAPH, text) == [["a", 1, [0.5, 1]], ["b", None, [2, 3]]]
    with pytest.raises(ValueError, match="zip"):
        values.rows_header([["a"], ["b"]], ["[1]"])


def test_a_vector_travels_with_six_digits_and_a_short_list_with_all(back):
    vector = [1 / 3 + n for n in range(64)]
    assert back(vector) == [float(f"{v:.6g}") for v in vector]
    assert len(values.literal(vector)) < 64 * 9
    assert back([1 / 3, 2.0]) == pytest.approx([1 / 3, 2.0], rel=1e-14)
    with pytest.raises(ToolError):
        values.literal([*vector, math.nan])
