"""The guard before free-form Cypher: what is read lets through, what kills, writes or reaches out is refused in one line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain import embedded
from brain.errors import ToolError
from brain.resp import Connection, ReplyError
from brain.sandbox.guard import LENGTH, NESTING, check
from brain.sandbox.tokens import joined, tokens

WRITES = ("CREATE (n:X)", "MERGE (n:X)", "SET n.x = 1", "SET n:X", "DELETE n", "DETACH DELETE n", "REMOVE n.x", "FOREACH (x IN [1] | CREATE (:X))")
PATHS = "MATCH (a:A), (b:B) CALL algo.SPpaths({sourceNode: a, targetNode: b, maxLen: 3%s}) YIELD path RETURN path"


def refused(text, params=None):
    with pytest.raises(ToolError) as caught:
        check(text, params)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# -- what is let through, and as what it runs ----------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["MATCH (t:Team {key: $key})-[r:OWNS|USES*1..3]->(s) WHERE NOT s.name CONTAINS 'x' RETURN t, count(DISTINCT s) AS n ORDER BY n DESC SKIP 1",
     "OPTIONAL MATCH (a)--(b) WITH a, collect(b.key)[..5] AS bs RETURN a.key, [x IN bs WHERE x STARTS WITH 'p' | toUpper(x)] AS names",
     "UNWIND range(1, 10) AS i RETURN CASE WHEN i % 2 = 0 THEN {even: i} ELSE [i] END AS x",
     "CALL db.idx.fulltext.queryNodes('Chunk', $q) YIELD node, score RETURN node.key, score ORDER BY score DESC",
     "CALL algo.pageRank('Person', 'REVIEWS_FOR') YIELD node, score RETURN node.key, score",
     PATHS % ", relTypes: ['R'], pathCount: 5",
     "CALL { MATCH (a:Person) RETURN a.key AS key UNION MATCH (b:Team) RETURN b.key AS key } RETURN key",
     "MATCH (a:A) WITH a MATCH p = allShortestPaths((a)-[*..4]-(b:B)) RETURN [n IN nodes(p) | n.key] AS keys",
     "MATCH (n) WHERE all(x IN n.aud WHERE x <> 'team:secret') AND n.at >= 1e3 - 2 * 4 RETURN n{.key, .name} AS n"],
)  # fmt: skip
def test_a_query_that_reads_runs_as_it_was_written_but_for_its_limit(text):
    assert check(text, {"key": "team:x", "q": "word"}).replace('"', "'") == f"{text}\nLIMIT 200"


@pytest.mark.parametrize(
    ("text", "runs"),
    [("MATCH (n) RETURN n LIMIT 7", "MATCH (n) RETURN n LIMIT 7"), ("MATCH (n) RETURN n LIMIT 5000", "MATCH (n) RETURN n LIMIT 200"),
     ("MATCH (n) RETURN n LIMIT $k", "MATCH (n) RETURN n LIMIT 9"), ("MATCH (n) WITH n LIMIT 5000 RETURN n", "MATCH (n) WITH n LIMIT 5000 RETURN n\nLIMIT 200"),
     ("RETURN 1 AS a UNION ALL RETURN 2 AS a", "RETURN 1 AS a\nLIMIT 200 UNION ALL RETURN 2 AS a\nLIMIT 200"),
     ("RETURN 1;", "RETURN 1\nLIMIT 200"), ("RETURN 1 // LIMIT 3\n", "RETURN 1\nLIMIT 200"), ("RETURN/* a */1/**/LIMIT 3", "RETURN 1 LIMIT 3"),
     ("MATCH (n) RETURN n.limit", "MATCH (n) RETURN n.limit\nLIMIT 200"), ("RETURN 'LIMIT 3' AS x", 'RETURN "LIMIT 3" AS x\nLIMIT 200'),
     ("CALL { MATCH (n) RETURN n LIMIT 3 } RETURN n", "CALL { MATCH (n) RETURN n LIMIT 3 } RETURN n\nLIMIT 200")],
)  # fmt: skip
def test_no_part_gives_more_than_two_hundred_rows(text, runs):
    assert check(text, {"k": 9}) == runs


@pytest.mark.parametrize("text", ["RETURN n LIMIT 1 + 1", "RETURN n LIMIT -1", "RETURN n LIMIT 1.5", "RETURN n LIMIT 3 LIMIT 4", "RETURN n LIMIT $s", "RETURN n LIMIT x"])
def test_a_limit_that_is_no_number_is_refused(text):
    assert "LIMIT" in refused(f"MATCH (n) {text}", {"s": "3"})


def test_what_is_spelt_like_a_write_may_be_a_name_or_a_text():
    for text in ("MATCH (n:Set) WHERE n.create = 'DELETE' RETURN n.merge AS `set`", "MATCH (:A)-[:LOAD|DROP]->(b) RETURN b", "RETURN {set: 1, end: 2} AS x"):
        check(text)


# -- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("around", ["MATCH (n) {} RETURN n", "MATCH (n) WITH n {}", "CALL {{ MATCH (n) {} RETURN n }} RETURN 1", "MATCH (n) /* x */ {} // y\n RETURN n", "{}"])
def test_no_clause_writes_wherever_it_hides(write, around):
    refused(around.format(write))
    refused(around.format(write.lower()))


@pytest.mark.parametrize(
    "text",
    ["LOAD CSV FROM 'file://x.csv' AS r RETURN r", "MATCH (n) LOAD CSV FROM 'https://host/x' AS r RETURN r", "MATCH (n) LOAD/*x*/CSV FROM 'https://h' AS r RETURN r",
     "WITH 1 AS x LOAD\nCSV WITH HEADERS FROM $u AS r RETURN r", "WITH 1 AS x load csv from 'x' AS r RETURN r", "CALL { LOAD CSV FROM 'x' AS r RETURN r } RETURN r"],
)  # fmt: skip
def test_nothing_is_loaded_from_files_or_the_net(text):
    refused(text, {"u": "https://host"})


@pytest.mark.parametrize(
    "text",
    ["CALL algo.SPpaths(1) YIELD path RETURN path", "CALL algo.SSpaths(1) YIELD path RETURN path", "CALL ALGO.sppaths(1) YIELD path RETURN path",
     "CALL `algo`.`SPpaths`(1) YIELD path RETURN path", "CALL algo.`SPpaths`(1) YIELD path RETURN path", "MATCH (a) WITH {sourceNode: a} AS m CALL algo.SSpaths(m) YIELD path RETURN path",
     "CALL algo.SPpaths($m) YIELD path RETURN path", "CALL algo.SPpaths({sourceNode: a, targetNode: b}) YIELD path RETURN path",
     (PATHS % "").replace("maxLen: 3", "maxLen: 30"), (PATHS % "").replace("maxLen: 3", "maxLen: $k"), (PATHS % "").replace("maxLen: 3", "maxLen: 3, maxLen: 30"),
     (PATHS % "").replace("maxLen", "`maxLen`"), PATHS % ", pathCount: 0", PATHS % ", pathCount: 1000", PATHS % ", relationshipTypes: ['R']",
     "CALL algo.betweenness({}) YIELD node RETURN node", "CALL algo.betweenness({samplingSize: 200}) YIELD node RETURN node",
     "MATCH (n) CALL algo.BFS(n, -1, null) YIELD nodes RETURN nodes", "MATCH (n) CALL algo.BFS(n, 50, null) YIELD nodes RETURN nodes", "CALL algo.labelPropagation({maxIterations: 9999}) YIELD node RETURN node",
     "CALL db.idx.fulltext.createNodeIndex('A', 'b')", "CALL db.idx.fulltext.drop('A')", "CALL dbms.killAll() YIELD x RETURN x", "CALL db.idx.vector.queryNodes('Chunk', 'emb', 5, $v) YIELD node RETURN node", "CALL db.labels"],
)  # fmt: skip
def test_a_procedure_is_one_of_a_list_with_bounded_arguments(text):
    refused(text, {"m": 1, "k": 3, "v": [1.0]})


@pytest.mark.parametrize(
    "text",
    ["RETURN [x IN collect(1) | count(x)]", "MATCH (n) WITH collect(n) AS c RETURN [x IN c | count(x)]", "MATCH (n) RETURN [x IN [1] WHERE max(x) > 0 | x]", "MATCH (n) RETURN [1, [x IN [2] | SUM(x)]]",
     "MATCH (n) RETURN [(n)-->(m) | count(m)]", "MATCH (n) WHERE any(x IN n.l WHERE count(x) > 1) RETURN n"],
)  # fmt: skip
def test_no_aggregate_stands_inside_a_list(text):
    refused(text)


@pytest.mark.parametrize(
    "text",
    ["RETURN range(1, 9000000000)", "RETURN size(range(1, 50000000))", "RETURN range(1, $k)", "RETURN range(0, 10 * 100000)", "RETURN `range`(1, 9000000000)", "RETURN range(1, 100000, 0)", "RETURN RANGE(1,20000)",
     "UNWIND range(1, 9999) AS a UNWIND range(1, 9999) AS b RETURN a", "RETURN reduce(s = 'aaaaaaaaaa', x IN range(1, 40) | s + s)", "RETURN REDUCE(s = [1], x IN [1] | s + s)",
     "RETURN list.insert([1], 0, 1)", "RETURN add('a', 'b')", "RETURN path_filter()", "RETURN nosuch(1)", "MATCH (n) RETURN n.key(1)"],
)  # fmt: skip
def test_nothing_grows_without_bound(text):
    refused(text, {"k": 9_000_000_000})


@pytest.mark.parametrize(
    "text",
    ["MATCH (a)-[*]->(b) RETURN b", "MATCH (a)-[:R*]->(b) RETURN b", "MATCH (a)-[r:R|S*2..]->(b) RETURN b", "MATCH (a)-[*1..6]-(b) RETURN b", "MATCH (a)-[*9]-(b) RETURN b", "MATCH (a)<-[* 1 .. ]-(b) RETURN b",
     "MATCH (a) WITH a RETURN shortestPath((a)-[*]->(a)) AS p", "MATCH (a)-[*1..5]-(b)-[*1..5]-(c)-[*1..5]-(d)-[*1..5]-(e) RETURN e", "MATCH (a)-[*..$k]-(b) RETURN b", "MATCH (a)-[*1.5]-(b) RETURN b"],
)  # fmt: skip
def test_a_path_has_a_bound(text):
    refused(text, {"k": 3})


@pytest.mark.parametrize("text", ["MATCH (a)" + "--()" * 21 + " RETURN a", "MATCH " + ", ".join(f"(n{i})" for i in range(12)) + " RETURN n1", "MATCH (a) " + "MATCH (b) " * 12 + "RETURN a"])
def test_a_query_has_few_patterns(text):
    refused(text)


@pytest.mark.parametrize("clauses", ["WITH n MATCH (n:A)--(m)", "MATCH (m)--(n:A)", "WITH *, 1 AS m MATCH (m:B)", "WITH n CALL db.labels() YIELD label MATCH (label:A)", "MATCH (`x`:A) MATCH (`x`:B)"])
def test_a_node_is_given_its_labels_once(clauses):
    """The server dies of some queries that tell the label of a node it holds already."""
    assert "stands for something already" in refused(f"MATCH (n:A)-[e:R]-() {clauses} RETURN n")


def test_names_of_the_parts_of_a_union_are_their_own():
    check("MATCH (a:A) RETURN a UNION MATCH (a:B) RETURN a")
    check("MATCH (a:A) WITH a MATCH (a)-->(b:B) WHERE a:C RETURN {a: 1, b: b}")


def test_xor_is_refused():
    """The server dies of one beside a pattern."""
    assert "(a AND NOT b) OR" in refused("MATCH (n) WHERE n.x = 1 XOR (n)--() RETURN n")


def nested(depth):
    """Every way to nest, that deep."""
    for before, middle, after in (
        ("(", "1", ")"), ("[", "1", "]"), ("{a: ", "1", "}"), ("NOT (", "true", ")"), ("-(", "1", ")"), ("CASE WHEN true THEN ", "1", " END"), ("size(", "[1]", ")"),
        ("NOT ", "true", ""), ("- ", "1", ""), ("CALL { ", "RETURN 1 AS x", " } RETURN x"), ("[x IN ", "[1]", " | x]"), ("toUpper(trim(", "'a'", "))"), ("[1][", "0", "]"),
    ):  # fmt: skip
        yield f"{'' if before.startswith('CALL') else 'RETURN '}{before * depth}{middle}{after * depth}"


@pytest.mark.parametrize("text", [*nested(NESTING + 1)])
def test_what_is_nested_deeply_is_refused(text):
    refused(text)
    refused(text, {"deep": "x"})


def test_parameters_are_held_to_the_same(depth=NESTING + 2):
    deep = []
    for _ in range(depth):
        deep = [deep]
    for params in ({"x": deep}, {"x": {"a": 1}}, {"x y": 1}, {"x": "a" * 200_000}, {"x": float("nan")}, {"x` RETURN 2 //": 1}, {"é": 1}):
        refused("RETURN 1", params)
    assert "nope" in refused("RETURN $nope")


@pytest.mark.parametrize(
    "text",
    ["", "  ", ";", "// nothing", "MATCH (n) RETURN n; MATCH (m) RETURN m", "CYPHER x=1 RETURN 1", "PROFILE MATCH (n) RETURN n", "EXPLAIN MATCH (n) RETURN n", "MATCH (n)", "MATCH (n) WITH n",
     "RETURN 1\x00 garbage", "RETURN 1 \x07", "RETURN 'open", 'RETURN "open', "RETURN `open", "MATCH (n /* open", "RETURN (1", "RETURN 1)", "RETURN [1)", "RETURN 'a\\u0041'", "RETURN $`x`", "RETURN {x}", "RETURN 0x1F", "RETURN 1_000",
     "RETURN é", "RETURN\u00a01", "RETURN ‘x’", "RETURN END", "x" * (LENGTH + 1), "RETURN " + "1+" * LENGTH + "1", "MATCH (n) WHERE n =~ 'x' RETURN n # y", "CREATE INDEX FOR (n:A) ON (n.b)", "DROP INDEX ON :A(b)"],
)  # fmt: skip
def test_what_cannot_be_read_for_certain_is_refused(text):
    if text == "RETURN {x}":
        check(text)  # the server's to refuse: it harms nothing
    else:
        refused(text)


def test_a_refusal_says_where_and_what_to_write_instead():
    assert refused("MATCH (a)\nWHERE a.x\n  SET a.x = 1") == "line 3, column 3: SET writes, and a query here only reads; a name that is spelt so goes between backticks"
    assert refused("MATCH (a)-[:R*]->(b) RETURN b") == "line 1, column 14: a path needs an upper bound of at most 5 hops, written out: [*1..5]"
    assert "sum(), count() or collect()" in refused("RETURN reduce(a = 0, x IN [1] | a + x)")


# -- nobody can think of everything --------------------------------------------------------------

SPELT = (
    "MATCH RETURN WHERE WITH UNWIND CALL UNION LIMIT CASE WHEN THEN END NOT AND IN n m x key range reduce count collect algo.SPpaths all CREATE SET "
    "( ) [ ] { } , : . .. ; | * + - = <> 1 2 1.5 300 $p 'a' \"b\" `c` -[ ]- -> <- // /* */ \\ \n \x00 é ' \" `"
)
WORDS = st.sampled_from(SPELT.split(" "))


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=300), st.lists(WORDS, max_size=60).map(" ".join), st.lists(WORDS, max_size=60).map("".join)))
def test_no_text_makes_the_guard_fail_otherwise_than_by_refusing(text):
    for begun in (text, f"MATCH (n) {text} RETURN n", f"RETURN {text}"):
        try:
            runs = check(begun, {"p": 1})
        except ToolError as error:
            assert str(error) and "\n" not in str(error)
        else:
            assert check(runs, {"p": 1}) == runs
            assert joined(tokens(runs)) == runs


TEXTS = ["", "a", "it's", 'say "hi"', "back\\slash", "\\", "//", "/* x */", "`", "LIMIT 3", "a\nb", "\ttab", "ü 日本 😀", "'\"\\'\"", "\\\\'", "} ) ]"]


@pytest.fixture(scope="module")
def ask(home):
    """The rows of a read, as the server gives them."""
    at = embedded.ensure(home)
    with Connection(at.socket, 20) as admin:
        admin.call("AUTH", "default", at.password)
        admin.call("GRAPH.QUERY", "brain:guard", "CREATE (:A {x: 1})-[:R]->(:B)")
        yield lambda text: admin.call("GRAPH.RO_QUERY", "brain:guard", text)[1]
        admin.call("GRAPH.DELETE", "brain:guard")


@pytest.mark.parametrize("quote", ["'", '"'])
@pytest.mark.parametrize("value", TEXTS)
def test_the_server_reads_a_text_as_the_guard_did(ask, value, quote):
    written = quote + value.replace("\\", "\\\\").replace(quote, f"\\{quote}").replace("\n", "\\n") + quote
    assert ask(check(f"RETURN {written} AS x, 'end' AS y")) == [[value, "end"]]


@pytest.mark.parametrize("text", [t for t in nested(NESTING // 2)])
def test_what_passes_is_parsed_at_once(ask, text):
    """The nesting that is let through costs the parser milliseconds: the same twice as deep would cost it minutes."""
    try:
        ask(check(text))
    except ReplyError as error:
        assert "yntax" not in str(error)
    except ToolError:
        pass
