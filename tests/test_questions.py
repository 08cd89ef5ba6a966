import json

import pytest

from brain.errors import DefinitionError
from eval import questions

GOOD = {
    "id": "a",
    "category": "lookup",
    "question": "Who?",
    "gold": ["person:ann"],
    "match": "set",
    "sources": ["pr:a/b#1"],
    "viewer": None,
    "as_of": None,
    "cluster": "c",
}


def written(tmp_path, *lines):
    path = tmp_path / "set.jsonl"
    path.write_text("".join((x if isinstance(x, str) else json.dumps(x)) + "\n" for x in lines))
    return path


def test_a_set_comes_back_as_it_was_saved(tmp_path):
    made = [questions.Question("a", "lookup", "Wer?", (("x", "y"), "z"), "set", ("pr:a/b#1",), None, 5, "c")]
    questions.save(made, tmp_path / "s.jsonl")
    assert questions.load(tmp_path / "s.jsonl") == made


@pytest.mark.parametrize(
    "change, said",
    [
        ({"match": "regex"}, "use one of set, number, text, state"),
        ({"gold": "x"}, "write a list"),
        ({"question": " "}, "not empty"),
        ({"match": "number", "gold": ["3"]}, "one number"),
        ({"match": "number", "gold": [True]}, "one number"),
        ({"match": "state", "gold": ["unsure"]}, "answered, insufficient"),
        ({"match": "text", "gold": []}, "at least one"),
        ({"sources": ["12"]}, "keys such as"),
        ({"as_of": "2024"}, "epoch seconds"),
        ({"note": 1}, "unknown note"),
        ({"gold": [""]}, "none of them empty"),
    ],
)
def test_a_bad_line_is_refused_with_file_line_and_fix(tmp_path, change, said):
    path = written(tmp_path, GOOD, GOOD | {"id": "b"} | change)
    with pytest.raises(DefinitionError, match=said) as refused:
        questions.load(path)
    assert f"{path}:2: " in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "lines, said",
    [
        (["{"], ":1: not JSON"),
        (["[]"], "a list"),
        ([{"id": "a"}], "missing category"),
        ([], "holds no question"),
        ([GOOD, GOOD], "also on line 1"),
    ],
)
def test_what_is_no_set_is_refused(tmp_path, lines, said):
    with pytest.raises(DefinitionError, match=said):
        questions.load(written(tmp_path, *lines))


def test_a_missing_set_is_one_line(tmp_path):
    with pytest.raises(DefinitionError, match="no such question set"):
        questions.load(tmp_path / "no.jsonl")


def test_the_showcase_is_the_first_question_of_each_category_whatever_came_of_it():
    first: dict[str, questions.Question] = {}
    for question in questions.load(questions.SETS / "demo.jsonl"):
        first.setdefault(question.category, question)
    assert questions.load(questions.SETS / "demo.showcase.jsonl") == list(first.values())
