"""JSON of any layout read value by value, with the line each begins on, whatever the size of what is read at once."""

from __future__ import annotations

import json

import pytest
from company_files import written
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brain.connectors import json_values
from brain.connectors.json_values import first_value, values
from brain.errors import BadInput

LEAF = st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=12)
TREE = st.recursive(LEAF, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4), max_leaves=12)
OBJECTS = st.lists(st.dictionaries(st.text(min_size=1, max_size=6).filter(lambda k: k != "items"), TREE, min_size=1, max_size=4), min_size=1, max_size=5)


def read(path, *lists):
    return [v.value for v in values(path, lists)]


@given(OBJECTS, st.sampled_from([1, 2, 7, 64]), st.sampled_from([None, 1]))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_list_its_pages_a_wrapper_and_lines_give_the_same_values(tmp_path, monkeypatch, objects, block, indent):
    monkeypatch.setattr(json_values, "_BLOCK", block)
    layouts = [
        json.dumps(objects, indent=indent), json.dumps([objects[:1], objects[1:]], indent=indent), json.dumps({"n": 1, "items": objects}, indent=indent),
        "\n".join(json.dumps(o, indent=indent) for o in objects), "\ufeff" + json.dumps(objects, ensure_ascii=False),
    ]  # fmt: skip
    for text in layouts:
        assert read(written(tmp_path / "x.json", text.encode("utf-8", "surrogatepass")), "items") == objects


def test_each_value_has_the_line_it_begins_on(tmp_path):
    file = written(tmp_path / "x.json", '[\n {"a":\n  1},\n\n {"a": 2}\n]\n')
    assert [v.line for v in values(file)] == [2, 5]
    assert [v.line for v in values(written(tmp_path / "y.jsonl", '{"a": 1}\n\n{"a": 2}\n'))] == [1, 3]


def test_a_bad_line_among_lines_costs_itself(tmp_path):
    file = written(tmp_path / "x.jsonl", '{"a": 1}\n{"a": \n{"a": 3}\n')
    assert [(v.line, v.value, v.error) for v in values(file)] == [(1, {"a": 1}, ""), (2, None, "is not valid JSON"), (3, {"a": 3}, "")]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [('[{"a": 1},\n {"b": ', 2, "cut off"), ('[{"a": 1}\n {"b": 2}]', 2, "a comma or the end"), ('[\n{"a" 1}]', 2, "is not valid JSON"), ("hello", 1, "a list or an object"),
     ('[{"a": "x', 1, "not valid JSON|cut off"), ("[" * 200_000, 1, "nested|cut off|not valid")],
)  # fmt: skip
def test_what_is_no_json_is_one_line_with_file_and_line(tmp_path, text, line, words):
    file = written(tmp_path / "x.json", text)
    with pytest.raises(BadInput, match=rf"x\.json:{line}: .*({words})"):
        list(values(file))


@pytest.mark.parametrize("data", [b"", b"  \n", b"\0\1\2"])
def test_what_is_no_text_is_one_line(tmp_path, data):
    with pytest.raises(BadInput, match=r"x\.json: is (empty|binary)"):
        list(values(written(tmp_path / "x.json", data)))


def test_the_first_value_is_told_without_reading_the_rest(tmp_path):
    long = {"items": [{"a": n, "text": "x" * 1000} for n in range(2000)]}
    assert first_value(written(tmp_path / "w.json", json.dumps(long)))["items"] == long["items"][:1]
    assert first_value(written(tmp_path / "l.json", json.dumps([[{"a": 1}]]))) == {"a": 1}
    assert first_value(written(tmp_path / "o.json", json.dumps({"kind": "K", "big": {"in": "y" * 100_000}})))["kind"] == "K"
    assert first_value(written(tmp_path / "n.json", "hello")) is None and first_value(tmp_path / "none.json") is None
