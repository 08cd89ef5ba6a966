"""Who sees what and when: the expanded rules against a plain table of what they must say."""

from __future__ import annotations

import itertools

import pytest

from brain import permissions
from brain.permissions import FOREVER, current, expand, macro_calls, parameters, visible
from brain.types import Viewer

G = "brain:permissions"
VIEWERS = [
    permissions.nobody(), permissions.guest(), permissions.member("m"), permissions.member("m", frozenset({"team:x"})), permissions.local_admin(),
    Viewer("only-group", groups=frozenset({"team:x", "channel:y"})), Viewer("odd", frozenset({"restricted"})),
]  # fmt: skip
ACCESS = [None, "open", "internal", "restricted", "secret", ""]
AUD = [None, [], ["team:x"], ["team:z"], ["team:z", "channel:y"]]
AT, GONE, NOW = [None, 50, 100, 101], [None, 50, 100, 101], 100
KNOWN = [None, 90, 101]


@pytest.fixture(scope="module")
def store(shared_store):
    shared_store.drop(G)
    cells = [list(c) for c in itertools.product(ACCESS, AUD, AT, GONE)]
    text = "CYPHER rows=" + str([[i, *c] for i, c in enumerate(cells)]).replace("None", "null")
    shared_store.write(G, f"{text} UNWIND $rows AS r CREATE (:Entity {{i: r[0], access: r[1], aud: r[2], at: r[3], gone: r[4]}})")
    rels = [
        list(c)
        for c in itertools.product(
            [None, "a"], [None, "approved", "candidate", "rejected"], AT, AT, GONE, ["open", "restricted", None], [None, ["team:x"]], KNOWN
        )
    ]
    text = "CYPHER rows=" + str([[i, *c] for i, c in enumerate(rels)]).replace("None", "null")
    shared_store.write(
        G,
        f"{text} CREATE (a:X), (b:Y) WITH a, b UNWIND $rows AS r CREATE (a)-[:R {{i: r[0], aid: r[1], state: r[2], at: r[3], valid_from: r[4],"
        " valid_to: r[5], access: r[6], aud: r[7], recorded_at: r[8]}]->(b)",
    )
    return shared_store


def granted(viewer, access, aud):
    return (access is not None and access in viewer.clearance) or bool(set(aud or ()) & viewer.groups)


def may_see(viewer, access, aud, at, gone):
    return granted(viewer, access, aud) and (at or 0) <= NOW and (gone is None or gone > NOW)


def counts(viewer, aid, state, at, valid_from, valid_to, access, aud, recorded, known=None):
    if (at or 0) > NOW:
        return False
    if aid is None:
        return access is None or granted(viewer, access, aud)
    in_force = valid_from is not None and valid_from <= NOW and (valid_to is None or valid_to > NOW)
    told = recorded is not None and (known is None or recorded <= known)
    return state == "approved" and in_force and told and granted(viewer, access, aud)


@pytest.mark.parametrize("viewer", VIEWERS, ids=lambda v: v.id + "".join(sorted(v.groups)))
def test_visible_lets_out_exactly_what_the_table_says(store, viewer):
    rows = store.read(G, expand("MATCH (n:Entity) WHERE visible(n) RETURN n.i AS i"), parameters(viewer, NOW)).rows
    cells = list(itertools.product(ACCESS, AUD, AT, GONE))
    assert {r["i"] for r in rows} == {i for i, c in enumerate(cells) if may_see(viewer, *c)}


@pytest.mark.parametrize("viewer", VIEWERS, ids=lambda v: v.id + "".join(sorted(v.groups)))
def test_current_lets_out_exactly_what_the_table_says(store, viewer):
    rows = store.read(G, expand("MATCH (a)-[r:R]->(b) WHERE current(r) RETURN r.i AS i"), parameters(viewer, NOW)).rows
    cells = itertools.product(
        [None, "a"], [None, "approved", "candidate", "rejected"], AT, AT, GONE, ["open", "restricted", None], [None, ["team:x"]], KNOWN
    )
    assert {r["i"] for r in rows} == {i for i, c in enumerate(cells) if counts(viewer, *c)}


@pytest.mark.parametrize("known", [89, 90, 100, 101])
def test_what_was_recorded_later_than_it_was_known_does_not_count(store, known):
    viewer = permissions.guest()
    rows = store.read(G, expand("MATCH (a)-[r:R]->(b) WHERE current(r) RETURN r.i AS i"), parameters(viewer, NOW, known)).rows
    cells = itertools.product(
        [None, "a"], [None, "approved", "candidate", "rejected"], AT, AT, GONE, ["open", "restricted", None], [None, ["team:x"]], KNOWN
    )
    assert {r["i"] for r in rows} == {i for i, c in enumerate(cells) if counts(viewer, *c, known)}


@pytest.mark.parametrize("viewer", VIEWERS, ids=lambda v: v.id + "".join(sorted(v.groups)))
def test_a_history_also_sees_what_has_ended_or_not_begun_but_nothing_else_more(store, viewer):
    rows = store.read(G, expand("MATCH (n:Entity) WHERE readable(n) RETURN n.i AS i"), parameters(viewer, NOW)).rows
    cells = itertools.product(ACCESS, AUD, AT, GONE)
    assert {r["i"] for r in rows} == {i for i, (access, aud, _, gone) in enumerate(cells) if may_see(viewer, access, aud, None, gone)}
    rows = store.read(G, expand("MATCH (a)-[r:R]->(b) WHERE stated(r) RETURN r.i AS i"), parameters(viewer, NOW)).rows
    cells = itertools.product(
        [None, "a"], [None, "approved", "candidate", "rejected"], AT, AT, GONE, ["open", "restricted", None], [None, ["team:x"]], KNOWN
    )
    kept = {i for i, c in enumerate(cells) if c[0] and counts(viewer, *c[:2], None, 0, None, *c[5:])}
    assert {r["i"] for r in rows} == kept


def test_no_label_means_nobody_not_even_the_administrator(store):
    rows = store.read(
        G,
        expand("MATCH (n:Entity) WHERE visible(n) AND n.access IS NULL AND n.aud IS NULL RETURN n.i AS i"),
        parameters(permissions.local_admin(), NOW),
    )
    assert rows.rows == ()


def test_a_rule_also_holds_for_the_ends_of_a_path(store):
    text = expand("MATCH (a:X)-[r:R]->(b:Y) WHERE visible(endNode(r)) RETURN count(r) AS n")
    assert store.read(G, text, parameters(permissions.local_admin(), NOW)).rows == ({"n": 0},)


@pytest.mark.parametrize("viewer", VIEWERS, ids=lambda v: v.id + "".join(sorted(v.groups)))
def test_what_a_viewer_gains_by_a_grant_is_only_what_the_grant_names(store, viewer):
    """More clearance never hides, less never shows."""
    text = expand("MATCH (n:Entity) WHERE visible(n) RETURN n.i AS i")
    mine = {r["i"] for r in store.read(G, text, parameters(viewer, NOW)).rows}
    more = Viewer("more", viewer.clearance | {"internal"}, viewer.groups)
    theirs = {r["i"] for r in store.read(G, text, parameters(more, NOW)).rows}
    assert mine <= theirs


def test_nobody_sees_nothing(store):
    text = expand("MATCH (n:Entity) WHERE visible(n) RETURN count(n) AS n")
    assert store.read(G, text, parameters(permissions.nobody(), NOW)).rows == ({"n": 0},)


def test_nobody_sees_nothing_of_the_demo_through_any_tool(demo):
    ctx = demo.asking(permissions.nobody())
    for name, query in demo.catalogue.queries.items():
        if query.kind in ("query", "internal") and query.example:
            got = ctx.run(name, **query.example)
            assert not got.nodes and not got.edges and not any(v for row in got.rows for v in row.values()), name
    assert demo.tools["measure"].run(ctx, kind="prs").rows[0]["n"] == 0
    assert demo.tools["search_text"].run(ctx, text="gate").rows == ()
    assert demo.suggestions(permissions.nobody()) == []
    answer = demo.ask("Who reviewed merefold/gatekeeper#12?", viewer=permissions.nobody(), save=False)
    assert answer.state == "insufficient" and not answer.items and not answer.nodes and "tdabrowski" not in str(answer)


def test_parameters_come_from_the_viewer_in_one_order():
    viewer = Viewer("v", frozenset({"open", "internal"}), frozenset({"team:b", "team:a"}))
    assert parameters(viewer, 7) == {"viewer_access": ["internal", "open"], "viewer_groups": ["team:a", "team:b"], "viewer_basis": ["both", "internal"], "as_of": 7, "known_at": 9999999999}
    assert parameters(viewer, 7, 5)["known_at"] == 5


@pytest.mark.parametrize(("viewer", "told"), [(permissions.nobody(), set()), (permissions.guest(), {"both", "open", None}), (permissions.member("m"), {"both", "internal", None})])
def test_a_derived_edge_is_told_once_and_as_the_clearance_gives_it(shared_store, viewer, told):
    graph = f"{G}:basis"
    shared_store.drop(graph)
    shared_store.write(graph, "CREATE (a:X)-[:R]->(b:Y) WITH a, b UNWIND ['both', 'open', 'internal', 'other', null] AS x CREATE (a)-[:R {derived_by: 'q', basis: x}]->(b)")
    rows = shared_store.read(graph, expand("MATCH (a)-[r:R]->(b) WHERE counted(r) RETURN r.basis AS b, r.derived_by AS d"), parameters(viewer, NOW)).rows
    assert {r["b"] for r in rows if r["d"]} == told - {None}
    assert [r for r in rows if not r["d"]], "what is not derived has no basis"


def test_the_macros_stand_for_one_bracketed_term_each():
    for text in (visible("x"), current("r")):
        assert text[0] == "(" and text[-1] == ")" and text.count("(") == text.count(")")
        depth = 0
        for i, c in enumerate(text):
            depth += {"(": 1, ")": -1}.get(c, 0)
            assert depth > 0 or i == len(text) - 1, "so that NOT and OR around it mean what they say"
    assert str(FOREVER) in visible("x")


@pytest.mark.parametrize(
    ("text", "calls"),
    [("visible(a)", [("visible", "a")]), ("visible(endNode(r)) AND current( r )", [("visible", "endNode(r)"), ("current", "r")]), ("invisible(a) notcurrent(b)", []), ("", [])],
)  # fmt: skip
def test_macro_calls_are_found_whatever_brackets_they_hold(text, calls):
    assert [(m, a) for m, a, _, _ in macro_calls(text)] == calls


def test_fixed_viewers_have_what_their_sentence_says():
    assert permissions.guest().clearance == {"open"} and permissions.nobody().clearance == set()
    assert permissions.member("x").clearance == {"open", "internal"} and permissions.local_admin().admin
    assert not any(v.admin for v in VIEWERS[:4])
