"""The tools over the small graph, and their registry against the folder."""

from __future__ import annotations

import importlib
import pkgutil

import pytest
from small_graph import NOW, SHA, F, G, Rows, asking, at, build

import brain.tools
from brain import catalogue, permissions
from brain.errors import DefinitionError, ToolError
from brain.store import graph_name
from brain.tools import tools
from brain.tools.asking import Asking
from brain.tools.compose import compose
from brain.tools.search import passages

CLIENT = f"file:{G}/internal/modbus/client.go"


@pytest.fixture(scope="module")
def ask(shared_store):
    build(shared_store, "tools", extra=more())
    known = tools(catalogue.shipped())

    def run(tool, as_of=None, viewer=None, **args):
        ctx = asking(shared_store, "tools", viewer) if as_of is None else asking(shared_store, "tools", viewer, as_of)
        return known[tool].run(ctx, **args)

    return run


def more():
    """Three files of a third repository that change together three times, and once in a change of forty files."""
    rows, repo = Rows([], [], []), "merefold/crewboard"
    rows.node(f"repo:{repo}", repo, short="crewboard", org="merefold")
    files = [f"src/{n}.py" for n in range(40)]
    for path in files:
        rows.node(f"file:{repo}/{path}", path, repo=repo, path=path, base=path[4:], exists=True)
    rows.node("person:zofiam", "zofiam", login="zofiam", bot=False)
    for n in range(3):
        rows.commit(repo, f"{n}" * 40, "zofiam", f"Change {n}", f"2025-09-0{n + 1}", tuple(files[:3]))
    rows.commit(repo, "7" * 40, "zofiam", "Reformat", "2025-09-09", tuple(files))
    rows.pr(repo, 1, "tdabrowski", "Fix it at its root", "2025-09-10", merged="2025-09-12")
    rows.edge(f"pr:{repo}#1", "CLOSES", f"issue:{G}#8", keyword="fixes", at=at("2025-09-10"))
    return rows


def test_the_modules_and_the_queries_are_the_list():
    named = {
        t.name
        for info in pkgutil.iter_modules(brain.tools.__path__)
        for t in getattr(importlib.import_module(f"brain.tools.{info.name}"), "TOOLS", ())
    }
    files = {path.stem for path in catalogue.FOLDER.glob("*/*.cypher") if catalogue.shipped()[path.stem].kind == "query"}
    known = tools(catalogue.shipped())
    assert set(known) == named | files and not named & files
    assert {"find_entities", "details", "expand", "search_text", "who_knows", "trace", "connect", "impact", "activity", "rank"} <= set(
        known
    )
    assert {"draft_triage", "measure", "list_items"} <= set(known)
    for tool in known.values():
        assert tool.description and tool.json_schema["type"] == "object"


def test_nothing_a_tool_takes_says_who_asks():
    for tool in tools(catalogue.shipped()).values():
        assert not {p.name for p in tool.params} & {"viewer", "viewer_access", "viewer_groups", "clearance"}


def test_fragments_do_not_run_alone_and_queries_do_not_compose():
    with pytest.raises(DefinitionError, match="not a fragment"):
        compose(catalogue.shipped(), "x", ("details",))
    with pytest.raises(DefinitionError, match="LIMIT"):
        compose(catalogue.shipped(), "x", ("prs",))


@pytest.mark.parametrize(("hops", "bound"), [(None, "*1..6"), (2, "*1..2"), (9, "*1..6")])
def test_a_path_of_variable_length_is_shortened_never_lengthened(hops, bound):
    text = compose(catalogue.shipped(), "x", ("needs", "levels"), hops).text
    assert bound in text and text.count("*1..") == 1


def test_who_knows_a_file_by_what_they_wrote_and_reviewed(ask):
    rows = {r["key"]: r for r in ask("who_knows", target=CLIENT).rows}
    assert (rows["person:ncarrowby"]["authored"], rows["person:ncarrowby"]["reviewed"], rows["person:ncarrowby"]["commits"]) == (2, 1, 1)
    assert (rows["person:tdabrowski"]["authored"], rows["person:tdabrowski"]["reviewed"]) == (1, 1)
    assert rows["person:ekoh"]["reviewed"] == 1
    assert "person:ci[bot]" not in rows
    assert "person:ci[bot]" in {r["key"] for r in ask("who_knows", target=CLIENT, bots=True).rows}


def test_knowledge_fades_with_the_half_life(ask):
    def score(days, as_of):
        return next(r["score"] for r in ask("who_knows", as_of, target=f"file:{F}/ci/build.yaml", half_life_days=days).rows)

    start = at("2025-08-05")
    assert score(100.0, start + 100 * 86400) == pytest.approx(0.5, abs=1e-4)
    assert score(100.0, start + 200 * 86400) == pytest.approx(0.25, abs=1e-4)
    assert score(200.0, start + 200 * 86400) == pytest.approx(0.5, abs=1e-4)
    with pytest.raises(ToolError):
        ask("who_knows", target=CLIENT, half_life_days=0.0)


def test_who_was_not_seen_for_a_year_is_inactive(ask):
    rows = {r["key"]: r for r in ask("who_knows", target=f"repo:{F}").rows}
    assert rows["person:dag"]["inactive"] and not rows["person:tdabrowski"]["inactive"]


def test_who_knew_then(ask):
    assert {r["key"] for r in ask("who_knows", at("2025-04-13"), target=CLIENT).rows} == {"person:ncarrowby", "person:tdabrowski"}


def test_places_in_any_spelling_are_the_same_place(ask):
    spellings = (f"dir:{G}/internal/modbus", f"dir:{G}/internal/modbus/", "Internal/Modbus/", "./internal//modbus")
    found = [[r["key"] for r in ask("who_knows", target=t).rows] for t in spellings]
    assert all(f == found[0] for f in found) and found[0]


def test_trace_goes_both_ways(ask):
    def links(key):
        return {(r["src"].rsplit("/", 1)[1], r["rel"], r["dst"].rsplit("/", 1)[1]) for r in ask("trace", key=key).rows}

    closes = ("gatekeeper#3", "CLOSES", "gatekeeper#2")
    ships = ("gatekeeper#3", "SHIPPED_IN", "gatekeeper@v2.1.0")
    assert {closes, ships} <= links(f"issue:{G}#2")
    assert {closes, ships} <= links(f"pr:{G}#3")
    assert {closes, ships} <= links(f"release:{G}@v2.1.0")
    assert ("gatekeeper#1", "INCLUDES", f"gatekeeper@{SHA}") in links(f"commit:{G}@{SHA}")
    how = {r["rel"]: r["how"] for r in ask("trace", key=f"pr:{G}#3").rows}
    assert (
        how["SHIPPED_IN"] == "first tag that contains the merge commit"
        and how["CLOSES"] == "fixes"
        and how["INCLUDES"] == "mergeCommit.oid"
    )
    with pytest.raises(ToolError):
        ask("trace", key="person:dag")
    with pytest.raises(ToolError):
        ask("trace", key=f"pr:{G}#9999")


def test_a_release_that_is_not_yet_out_is_not_told(ask):
    assert {r["rel"] for r in ask("trace", at("2025-05-01"), key=f"pr:{G}#3").rows} == {"CLOSES", "INCLUDES"}


@pytest.mark.parametrize(
    ("a", "b", "hops"),
    [
        ("person:ekoh", f"pr:{G}#3", 1),
        ("person:ekoh", f"release:{G}@v2.1.0", 2),
        ("person:ekoh", f"pr:{G}#1", 3),
        (f"issue:{G}#8", f"release:{G}@v2.1.0", 3),
        (f"file:{F}/ci/build.yaml", f"issue:{G}#2", 3),
    ],
)
def test_connect_finds_the_shortest_way(ask, a, b, hops):
    result = ask("connect", a=a, b=b)
    assert result.rows and {r["hops"] for r in result.rows} == {hops}
    for row in result.rows:
        assert (row["path"][0], row["path"][-1]) == (a, b) and len(set(row["path"])) == hops + 1
        assert not any(key.startswith("repo:") for key in row["path"])
        joined = {frozenset((e.src, e.dst)) for e in result.edges}
        assert all(frozenset(pair) in joined for pair in zip(row["path"], row["path"][1:], strict=False))


def test_connect_stops_where_told(ask):
    assert not ask("connect", a=f"issue:{G}#8", b=f"release:{G}@v2.1.0", max_hops=2).rows
    with pytest.raises(ToolError):
        ask("connect", a="person:ekoh", b="person:dag", max_hops=9)


def test_impact_tells_what_is_open_what_was_merged_and_what_changes_along(ask):
    def keys(section, **args):
        return [r["key"] for r in ask("impact", **args).rows if r["section"] == section]

    for path in (CLIENT, "client.go", "modbus/client.go", "INTERNAL/modbus/", f"dir:{G}/internal/modbus/"):
        assert keys("open", path=path, days=400) == [f"pr:{G}#40"], path
        assert set(keys("merged", path=path, days=400)) == {f"pr:{G}#1", f"pr:{G}#3"}
    assert keys("co_changes", path=CLIENT) == [f"file:{G}/internal/modbus/serial.go"]
    assert keys("open", path=CLIENT, as_of=at("2025-07-03")) == [f"pr:{G}#11"]
    assert keys("merged", path=CLIENT, days=10) == []
    with pytest.raises(ToolError):
        ask("impact", path="no/such/file.c")


def test_activity_of_a_place_and_of_a_person(ask):
    window = {"since": at("2025-04-01"), "until": at("2025-05-01")}
    place = {r["what"]: r for r in ask("activity", target=f"repo:{G}", **window).rows}
    assert {k: v["n"] for k, v in place.items()} == {
        "commits": 2,
        "issues_closed": 1,
        "issues_opened": 1,
        "people": 4,
        "prs_merged": 2,
        "prs_opened": 2,
    }
    assert place["prs_opened"]["keys"] == [f"pr:{G}#3", f"pr:{G}#1"]
    person = {r["what"]: r["n"] for r in ask("activity", target="person:sannakivela", **window).rows}
    assert person == {"comments": 1, "commits": 1, "merges": 2, "prs_merged": 1, "prs_opened": 1, "repositories": 1}
    below = {r["what"]: r["n"] for r in ask("activity", target="internal/modbus", **window).rows}
    assert below["prs_opened"] == 2 and below["commits"] == 2
    assert {r["what"] for r in ask("activity", target=f"repo:{G}").rows} == {"prs_opened", "people"}


def test_rank_says_what_it_rests_on(ask):
    rows = ask("rank", by="reviewers").rows
    assert rows[0]["key"] == "person:tdabrowski" and [r["place"] for r in rows] == list(range(1, len(rows) + 1))
    assert sum(r["score"] for r in rows) == pytest.approx(1, abs=1e-3)
    bridges = ask("rank", by="bridges").rows
    assert bridges[0]["score"] == 1 and bridges[0]["key"] == f"repo:{F}"
    clusters = ask("rank", by="clusters").rows
    assert [f"file:merefold/crewboard/src/{n}.py" for n in range(3)] in [r["keys"] for r in clusters]


def test_rank_does_not_tell_the_future(ask):
    with pytest.raises(ToolError, match="earlier date"):
        ask("rank", at("2025-04-30"), by="reviewers")


def test_triage_finds_duplicates_people_and_labels(ask):
    rows = ask("draft_triage", key=f"issue:{G}#8").rows
    assert next(r["key"] for r in rows if r["section"] == "duplicate") == f"issue:{G}#2"
    assert next(r["key"] for r in rows if r["section"] == "reviewer") == "person:sannakivela"
    assert next(r["key"] for r in rows if r["section"] == "label") == "bug"
    assert all(r["because"] for r in rows if r["section"] != "duplicate")
    with pytest.raises(ToolError):
        ask("draft_triage", key=f"pr:{G}#3")


def test_issues_closed_from_another_repository(ask):
    rows = ask("cross_closes").rows
    assert [(r["src"], r["dst"], r["src_state"], r["total"]) for r in rows] == [("pr:merefold/crewboard#1", f"issue:{G}#8", "merged", 1)]
    assert not ask("cross_closes", at("2025-09-09")).rows


def test_people_at_work_in_several_repositories(ask):
    assert {r["key"]: r["n"] for r in ask("spread", role="author").rows} == {
        "person:tdabrowski": 2,
        "person:ncarrowby": 1,
        "person:sannakivela": 1,
    }
    assert [r["key"] for r in ask("spread", role="author", least=2).rows] == ["person:tdabrowski"]
    assert not ask("spread", role="author", least=3).rows


def test_details_of_an_entity_without_relations_is_one_row(ask):
    result = ask("details", key="team:secret")
    assert [r["rel"] for r in result.rows] == [None] and result.nodes[0].key == "team:secret"
    assert not ask("details", key="team:unknown").rows


def test_details_count_every_relation(ask):
    rows = ask("details", key=f"pr:{G}#1", per=1).rows
    assert {(r["rel"], r["direction"]): r["total"] for r in rows if r["rel"] in ("REVIEWED", "TOUCHED")} == {
        ("REVIEWED", "in"): 2,
        ("TOUCHED", "out"): 2,
    }


def test_expand_filters(ask):
    def keys(**args):
        return [r["key"] for r in ask("expand", key=f"pr:{G}#5", **args).rows]

    assert keys(rels=["REVIEWED"], states=["APPROVED"]) == ["person:tdabrowski"]
    assert keys(rels=["CLOSES"], direction="out") == [f"issue:{G}#4"]
    assert keys(rels=["CLOSES"], direction="in") == []
    assert keys(labels=["File"]) == [f"file:{G}/internal/command/queue.go"]
    with pytest.raises(ToolError, match="both, out, in"):
        keys(direction="sideways")


def test_entities_by_name_alias_and_prefix(ask):
    found = {r["key"]: r["how"] for r in ask("find_entities", names=["GateKeeper", "OLDORG/gate", "sannakivela", "client.go"]).rows}
    assert found == {f"repo:{G}": "name", "person:sannakivela": "name", CLIENT: "name"}
    assert [r["key"] for r in ask("find_entities", names=["oldorg/gate"]).rows] == [f"repo:{G}"]
    assert {r["key"] for r in ask("find_entities", prefix="v2.1", labels=["Release"]).rows} == {
        f"release:{G}@v2.1.0",
        f"release:{G}@v2.1.1",
    }


def test_text_is_found_by_stemmed_words(ask):
    rows = ask("search_text", text="keys moving", labels=["Issue"]).rows
    assert rows[0]["src"] == f"issue:{G}#2" and {"line", "text", "title", "score"} <= set(rows[0])
    assert ask("search_text", text="keys moving", repos=["floodline"]).rows == ()
    with pytest.raises(ToolError):
        ask("search_text", text="the of and")


def test_a_member_and_a_guest_see_by_label(ask):
    assert ask("details", viewer=permissions.nobody(), key=f"pr:{G}#1").rows == ()


def test_the_count_of_passages_is_taken_once_and_is_that_of_the_viewer_and_the_instant(shared_store, monkeypatch):
    build(shared_store, "passages-next", "restricted")
    shared_store.switch(graph_name("passages-next"), graph_name("passages"))
    counted = []
    real = Asking.run
    monkeypatch.setattr(Asking, "run", lambda self, name, **args: (counted.append(name), real(self, name, **args))[1])

    def n(viewer=None, as_of=NOW):
        ctx = asking(shared_store, "passages", viewer, as_of)
        found = passages(ctx)
        assert found == real(ctx, "passages_total").rows[0]["n"]
        return found

    assert n() == n() == n(as_of=NOW + 5) == 10 and counted.count("passages_total") == 2
    assert n(as_of=at("2025-05-01")) == n(as_of=at("2025-05-01")) == 3 and counted.count("passages_total") == 4
    assert n(permissions.local_admin()) == 14
    assert n(permissions.nobody()) == 0 == n(permissions.nobody())
    build(shared_store, "passages-next")
    shared_store.switch(graph_name("passages-next"), graph_name("passages"))
    assert n(permissions.local_admin()) == 10
    found = tools(catalogue.shipped())["search_text"].run(asking(shared_store, "passages"), text="gate key")
    assert found.params["passages"] == 10
    counts_itself = real(asking(shared_store, "passages"), "search_text", terms=found.params["terms"])
    assert [(r["chunk"], r["score"]) for r in counts_itself.rows] == [(r["chunk"], r["score"]) for r in found.rows]
