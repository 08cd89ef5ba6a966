"""Whatever an argument holds, a tool gives one clear line or a proper result: the same viewer, no more rows, the same graph, the server alive."""

import math
import time
from zlib import crc32

import pytest
import small_company
from small_graph import CANARY, NOW

from brain import permissions
from brain.ask import ask
from brain.brain import Brain
from brain.catalogue import bind, shipped
from brain.errors import BadInput, HopcheckError, ToolError
from brain.schema import ACCESS_LABELS
from brain.text import lexicon
from brain.tools import tools
from brain.tools.asking import Asking

WORKSPACE = "arguments"
GUEST = permissions.guest()
TOOLS = tools(shipped())
LONGEST_ERROR, SECONDS = 600, 10
WORDS = [
    "'", '"', "\\", "\\'", "`", "x'}) MATCH (n) DETACH DELETE n //", "1 RETURN 2 //", "{x}", "${x}", "$viewer_access", "'] OR true OR x IN ['", "\0", "a\0b", "\x01\x1b[31m", "\ud800", "a\udfffb",
    "🙂👩‍👩‍👧", "\u202eshalom\u202c", "Ｆｕｌｌ", "*", "%%%", "@title:(x", "-a", "a|b", "\n\r\t", " ", "*/ //", "CYPHER x=1 ", "_" * 300, "e\u0301" * 50, "null", "true", "[1]", "{}",
]  # fmt: skip
NUMBERS = [True, False, 0, -1, -(2**63), 2**63 - 1, 2**63, 10**40, 1.5, -0.0, 1e308, math.nan, math.inf, -math.inf, "7", [1], {"a": 1}, None, b"1"]
STRANGE = [5, 1.5, True, None, b"x", {"a": 1}, [["x"]], [[["x"]]], [None], [1, "x"], object(), range(3), {"x"}, ("x", "y")]
LARGE = {"str": "x' " * 350_000, "list[str]": [f"person:{i}" for i in range(10_000)], "list[int]": list(range(10_000))}
GIVEN = {
    "target": "service:event-bus", "a": "service:map-tiles", "b": "team:boards", "key": "pr:merefold/mapdesk#1", "path": "dir:merefold/mapdesk/tiles", "rule": "claim deadline",
    "topic": "event bus", "source": "repo:merefold/mapdesk", "kind": "prs", "text": "tiles", "ticket": "ticket:OPS-190", "title": "Keep tiles", "aid": "x", "alert": "alert:0e06d5f413d88dc9", "changes": ["deploy:event-bus-20251129-0111"], "query": "MATCH (n) RETURN n",
}  # fmt: skip


class Str(str):
    """Text that says something else when it is asked what it is."""

    def __str__(self):
        return "1 RETURN 2 //"


@pytest.fixture(scope="module")
def ctx(shared_store):
    small_company.build(shared_store, WORKSPACE, canary="restricted")
    yield Asking(shared_store, WORKSPACE, GUEST, NOW)
    shared_store.drop(f"brain:{WORKSPACE}")


@pytest.fixture(scope="module", autouse=True)
def untouched(ctx):
    """The graph and the server are at the end what they were."""

    def state():
        store = ctx.store
        rows = store.read(f"brain:{WORKSPACE}", "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n) AS n, count(r) AS r, sum(size(keys(n))) AS k").rows
        return list(rows), store.version(f"brain:{WORKSPACE}"), store.graphs("brain:"), store._redis.info("server")["run_id"]

    before = state()
    yield
    assert state() == before


def base(tool):
    return {p.name: GIVEN[p.name] for p in tool.params if p.required}


def tried(ctx, tool, **args):
    """The rows of a call, or None where it was refused in one line; everything else fails the test."""
    began = time.monotonic()
    try:
        result = tool.run(ctx, **args)
    except ToolError as err:
        line = str(err)
        assert line and "\n" not in line and len(line) <= LONGEST_ERROR and "Traceback" not in line, (tool.name, args.keys(), line[:200])
        assert CANARY not in line
        return None
    finally:
        assert time.monotonic() - began < SECONDS, (tool.name, str(args)[:200])
    own = permissions.parameters(GUEST, NOW)
    for name in ("viewer_access", "viewer_groups", "viewer_basis"):
        assert result.params.get(name, own.get(name)) == own.get(name), (tool.name, name)
    assert CANARY not in str(result.rows), (tool.name, str(args)[:200])
    return result.rows


@pytest.mark.parametrize("name", TOOLS)
def test_no_text_breaks_out_of_an_argument(ctx, name):
    tool = TOOLS[name]
    most = len(tried(ctx, tool, **base(tool)) or ())
    for param in tool.params:
        kind = param.type.rstrip("?")
        if kind == "str" and not param.choices:
            tried(ctx, tool, **{**base(tool), param.name: Str("tiles")})
            for word in WORDS:
                rows = tried(ctx, tool, **{**base(tool), param.name: word})
                assert len(rows or ()) <= most, (param.name, word)
        elif kind == "list[str]":
            for given in (WORDS, WORDS[:1], [Str("x")]):
                assert len(tried(ctx, tool, **{**base(tool), param.name: given}) or ()) <= most, (param.name, given)


@pytest.mark.parametrize("name", TOOLS)
def test_a_value_of_another_kind_is_refused_in_one_line_or_taken_for_what_it_is(ctx, name):
    tool = TOOLS[name]
    for param in tool.params:
        kind = param.type.rstrip("?")
        for value in NUMBERS if kind in ("int", "float", "bool") else STRANGE:
            tried(ctx, tool, **{**base(tool), param.name: value})
        if param.choices:
            for word in WORDS[:12]:
                assert tried(ctx, tool, **{**base(tool), param.name: word}) is None, (param.name, word)


@pytest.mark.parametrize("name", TOOLS)
def test_a_megabyte_costs_its_own_call_and_no_more(ctx, name):
    tool = TOOLS[name]
    for param in tool.params:
        if (kind := param.type.rstrip("?")) in LARGE and not param.choices:
            tried(ctx, tool, **{**base(tool), param.name: LARGE[kind]})
    assert ctx.store.ping() < 1000


@pytest.mark.parametrize("name", TOOLS)
def test_who_asks_is_no_argument(ctx, name):
    tool = TOOLS[name]
    for taken in ("viewer", "viewer_access", "viewer_groups", "viewer_basis", "known_at", "access", "clearance", "admin", "workspace", "arm", "budget", "engine", "$viewer_access", "as_of`", "x' "):
        for value in (sorted(ACCESS_LABELS), "local", True):
            assert tried(ctx, tool, **{**base(tool), taken: value}) is None, taken
    assert {p.name for p in tool.params} & {"viewer", "viewer_access", "viewer_groups", "viewer_basis", "known_at", "workspace"} == set()
    assert tool.json_schema["additionalProperties"] is False


def test_an_argument_deep_in_lists_never_reaches_the_server(ctx):
    deep = "x"
    for _ in range(40):
        deep = [deep]
    for name, tool in TOOLS.items():
        for param in tool.params:
            assert tried(ctx, tool, **{**base(tool), param.name: deep}) is None, (name, param.name)


def test_a_refusal_names_what_was_wrong_and_not_all_of_it():
    for args in ({"key": "x", "per": "y" * 10**6}, {"z" * 10**6: 1}, {"key": ["x"] * 10**5}):
        with pytest.raises(ToolError) as refused:
            bind("details", TOOLS["details"].params, args)
        assert len(str(refused.value)) < LONGEST_ERROR


@pytest.mark.parametrize("word", [*WORDS, *("x" * 2000, "🙂" * 2000)], ids=lambda w: f"{crc32(w.encode('utf-8', 'surrogatepass')):08x}")
def test_a_question_of_any_characters_is_asked_as_its_asker(ctx, word):
    names = lexicon.build(*[ctx.run(f"lexicon_{part}").rows for part in small_company.LEXICON])
    for question in (word, f"Who owns {word}?"):
        for arm in ("graph", "vector", "hybrid"):
            try:
                answer = ask(question, arm, ctx, TOOLS, names)
            except BadInput as err:
                assert "empty" in str(err) or "characters" in str(err)
                continue
            assert (answer.viewer, answer.arm) == ("guest", arm) and CANARY not in answer.text
            assert not any(s.error and "\n" in s.error for s in answer.steps)


@pytest.mark.parametrize("name", ["", "a:b", "../x", "a/b", "x\0", "brain:demo", "demo:runs", "a b", "'", "\ud800", "*", "x" * 61, "demo\n"])
def test_a_workspace_of_another_name_is_refused(home, name):
    with pytest.raises(HopcheckError, match="workspace"):
        Brain.open(home, name or " ").close()


@pytest.mark.parametrize("word", WORDS, ids=lambda w: f"{crc32(w.encode('utf-8', 'surrogatepass')):08x}")
def test_a_viewer_or_run_of_any_name_is_nobody_known(home, ctx, word):
    opened = Brain.open(home, WORKSPACE)
    try:
        who = opened.viewer(word) if word.strip(" \n\r\t\0") else None
        assert who is None or (not who.admin and "restricted" not in who.clearance and not who.groups)
        with pytest.raises(BadInput) as refused:
            opened.run(word, GUEST)
        assert "\n" not in str(refused.value)
    except HopcheckError as err:
        assert "\n" not in str(err)
    finally:
        opened.close()
