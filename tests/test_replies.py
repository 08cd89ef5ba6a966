"""Compact replies as the server writes them, read into rows and what stood in them."""

import pytest
import redis

from brain import replies

STATS = ["Cached execution: 1", "Query internal execution time: 1.250000 milliseconds"]


def names():
    return replies.Names(lambda: (("Entity", "Repo", "File"), ("IN_REPO",), ("key", "name", "emb", "n")))


def node(idx, label, key, *props):
    return [8, [idx, [0, label], [[0, 2, key], [1, 2, key.upper()], *props]]]


def edge(idx, src, dst):
    return [7, [idx, 0, src, dst, [[3, 3, 7]]]]


def read(columns, *rows):
    return replies.read([[[1, name] for name in columns], list(rows), STATS], names())


def test_every_plain_kind_of_value_is_read():
    row = [[1, None], [2, "t"], [3, 4], [4, "true"], [4, "false"], [5, "1.5"], [6, [[3, 1], [2, "a"]]], [10, ["k", [3, 1]]], [12, ["0.5"]]]
    found = read("abcdefghi", row)
    assert list(found.rows[0].values()) == [None, "t", 4, True, False, 1.5, [1, "a"], {"k": 1}, [0.5]]
    assert found.server_ms == 1.25 and found.nodes == () == found.edges


def test_a_node_is_its_key_in_the_row_and_evidence_once():
    found = read("ab", [node(5, 1, "repo:o/r", [3, 3, 9]), node(5, 1, "repo:o/r")], [[6, [node(5, 1, "repo:o/r")]], [1, None]])
    assert found.rows == ({"a": "repo:o/r", "b": "repo:o/r"}, {"a": ["repo:o/r"], "b": None})
    (only,) = found.nodes
    assert (only.key, only.label, only.name, only.props["n"]) == ("repo:o/r", "Repo", "REPO:O/R", 9)


def test_an_edge_is_evidence_when_both_its_ends_are():
    a, b = node(1, 2, "file:o/r/a"), node(2, 1, "repo:o/r")
    found = read("abe", [a, b, edge(3, 1, 2)], [a, b, edge(4, 1, 99)])
    assert [row["e"] for row in found.rows] == ["IN_REPO", "IN_REPO"]
    assert [(e.src, e.rel, e.dst, e.props) for e in found.edges] == [("file:o/r/a", "IN_REPO", "repo:o/r", {"n": 7})]


def test_a_path_is_the_list_of_its_keys_and_all_of_it_is_evidence():
    path = [9, [[6, [node(1, 2, "file:o/r/a"), node(2, 1, "repo:o/r")]], [6, [edge(3, 1, 2)]]]]
    found = read("p", [path])
    assert found.rows == ({"p": ["file:o/r/a", "repo:o/r"]},) and len(found.nodes) == 2 and len(found.edges) == 1


def test_a_vector_is_never_read_into_a_node():
    found = read("a", [node(1, 1, "repo:o/r", [2, 12, ["not", "numbers"]])])
    assert "emb" not in found.nodes[0].props


def test_names_are_learned_once_and_again_when_one_has_come():
    known = [("Entity", "Repo"), (), ("key", "name")]
    asked = []
    told = replies.Names(lambda: (asked.append(1), tuple(known))[1])
    reply = [[[1, "a"]], [[node(1, 1, "repo:o/r")]], STATS]
    assert [replies.read(reply, told).nodes[0].name for _ in range(2)] == ["REPO:O/R"] * 2 and len(asked) == 1
    known[2] += ("late",)
    late = [[[1, "a"]], [[node(1, 1, "repo:o/r", [2, 2, "x"])]], STATS]
    assert replies.read(late, told).nodes[0].props["late"] == "x" and len(asked) == 2


def test_a_reply_without_rows_and_one_that_is_an_error():
    assert replies.read([STATS], names()).rows == ()
    with pytest.raises(redis.ResponseError, match="timed out"):
        replies.read([redis.ResponseError("Query timed out")], names())
