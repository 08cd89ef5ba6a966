"""Headers: what a query file says of itself is checked, and checks its callers."""

from __future__ import annotations

import pytest

from brain import catalogue
from brain.errors import DefinitionError, ToolError

BODY = "MATCH (x:Repo) WHERE visible(x) AND x.key = $key\nRETURN x ORDER BY x.key LIMIT $k"


def write(tmp_path, header, body=BODY, name="planted"):
    folder = tmp_path / "topic"
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.cypher"
    path.write_text(f"{header}\n{body}\n", "utf-8")
    return catalogue.parse(path, "topic")


GOOD = "// params: key: str, k: int = 10\n// example: {key: 'repo:o/n'}\n// returns: x\n// One repository.\n// In two lines."


def test_a_header_is_read(tmp_path):
    query = write(tmp_path, GOOD)
    assert (query.name, query.kind, query.description, query.returns) == ("planted", "query", "One repository. In two lines.", "x")
    assert query.bind({"key": "repo:o/n"}) == {"key": "repo:o/n", "k": 10}
    assert query.json_schema == {
        "type": "object",
        "properties": {"key": {"type": "string"}, "k": {"type": "integer"}},
        "required": ["key"],
        "additionalProperties": False,
    }
    assert "visible" not in query.cypher and "$viewer_access" in query.cypher


@pytest.mark.parametrize(
    ("header", "says"),
    [
        (GOOD.replace("// One repository.\n// In two lines.", ""), "one sentence"),
        (GOOD.replace("// example: {key: 'repo:o/n'}\n", ""), "example"),
        (GOOD.replace("key: 'repo:o/n'", "other: 1"), "example does not fit"),
        (GOOD.replace("k: int", "k: number"), "types: str"),
        (GOOD.replace(", k: int = 10", ""), "state k"),
        (GOOD.replace("k: int = 10", "k: int = 10, more: str = ''"), "never reads more"),
        (GOOD.replace("k: int = 10", "k: int = 10, as_of: int = 1"), "from the login"),
        ("// kind: nonsense\n" + GOOD, "legal"),
        (GOOD.replace("{key: 'repo:o/n'}", "[1, 2]"), "YAML mapping"),
    ],
)
def test_a_bad_header_is_refused_with_the_file(tmp_path, header, says):
    with pytest.raises(DefinitionError, match=r"topic/planted\.cypher") as refused:
        write(tmp_path, header)
    assert says in str(refused.value)


def test_a_file_without_a_query_is_refused(tmp_path):
    with pytest.raises(DefinitionError, match="no query"):
        write(tmp_path, GOOD, "")


PARAMS = catalogue.parse_params("a: str, b: list[str] = [], c: red|green = red, d: int?, e: float = 1, f: red|green?", "test")


@pytest.mark.parametrize(
    "args",
    [
        {},
        {"a": None},
        {"a": 1},
        {"a": "x", "b": "not a list"},
        {"a": "x", "b": [1]},
        {"a": "x", "c": "blue"},
        {"a": "x", "c": None, "f": "blue"},
        {"a": "x", "d": True},
        {"a": "x", "d": "1"},
        {"a": "x", "unknown": 1},
    ],
)
def test_arguments_that_do_not_fit_are_refused(args):
    with pytest.raises(ToolError):
        catalogue.bind("test", PARAMS, args)


def test_arguments_are_completed():
    assert catalogue.bind("test", PARAMS, {"a": "x"}) == {"a": "x", "b": [], "c": "red", "d": None, "e": 1, "f": None}
    assert catalogue.bind("test", PARAMS, {"a": "x", "b": ("y",), "d": None})["b"] == ["y"]


def test_choices_are_told_to_a_model():
    schema = catalogue.json_schema(PARAMS)
    assert schema["properties"]["c"] == {"type": "string", "enum": ["red", "green"]}
    assert schema["required"] == ["a"]


def test_two_files_of_one_name_are_refused(tmp_path):
    write(tmp_path, GOOD)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "planted.cypher").write_text(f"{GOOD}\n{BODY}\n", "utf-8")
    with pytest.raises(DefinitionError, match="has a query of that name"):
        catalogue.load(tmp_path)


def test_a_folder_without_queries_is_refused(tmp_path):
    with pytest.raises(DefinitionError, match="incomplete"):
        catalogue.load(tmp_path)


def test_the_folder_is_the_list():
    loaded = catalogue.load()
    assert set(loaded.queries) == {path.stem for path in catalogue.FOLDER.glob("*/*.cypher")}
    with pytest.raises(ToolError, match="brain query list"):
        loaded["nonsense"]
