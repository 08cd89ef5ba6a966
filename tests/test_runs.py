"""Runs are kept beside the company's graph, come back as they were, and belong to who asked."""

from __future__ import annotations

import dataclasses

import pytest
from claims_graph import Company

from brain import permissions, runs
from brain.errors import BadInput
from brain.tools.asking import Asking
from brain.types import Answer, Claim, Edge, Node, Quote, Step, Usage, Viewer

WS = "runs"
ANN, BEN, ADMIN = Viewer("ann", frozenset({"open"})), Viewer("ben", frozenset({"open", "restricted"})), permissions.local_admin()

GOOD = Claim("Bob wrote it.", ("pr:o/n#1",), (Quote("pr:o/n#1", 3, "“ü”\n🜂"),), "supported", 2, ("issue:o/n#2", "pr:o/n#1"), "")
BAD = Claim("It rained.", ("pr:o/n#9",), (), "unsupported", 0, (), "pr:o/n#9 was not returned by any tool of this run")


def answer(run="r1", viewer="ann", **more) -> Answer:
    step = Step(
        1, "details", "why", {"key": "pr:o/n#1", "none": None}, "MATCH (x) RETURN x", {"key": "pr:o/n#1", "list": [1, "a"]}, ({"n": 1, "x": None, "l": ["a"]},),
        (Node("pr:o/n#1", "PullRequest", "Mend", {"number": 1, "labels": ["a"]}),), (Edge("person:bob", "AUTHORED", "pr:o/n#1", {"at": 5}),), 1.5, 0.5, None,
    )  # fmt: skip
    whole = Answer(
        run, "Who wrote it?", "graph", "builtin", viewer, 1_764_547_200, "answered", "Bob wrote it.\nANSWER: person:bob", ("person:bob",), (GOOD,), (BAD,), (step,),
        step.nodes, step.edges, ("Ask this",), Usage(12.5, None, 0, 0, 0.0),
    )  # fmt: skip
    return dataclasses.replace(whole, **more)


def everything(store):
    return Asking(store, WS, ADMIN, 1_764_547_200)


def save(store, made, at, viewer=None):
    runs.save(store, WS, made, at, viewer or Viewer(made.viewer, frozenset({"open"})), everything(store))


def load(store, run, viewer):
    return runs.load(store, WS, run, viewer, everything(store))


def recent(store, viewer, k=20):
    return runs.recent(store, WS, viewer, everything(store), k)


def company(store, report="open", **aud):
    """One report, a note for two teams, a claim in it, and what hangs on them; built anew, so that labels can change."""
    made = Company()
    made.node("person:bob", "Bob", access="open")
    made.node("service:pump", "pump", access="open")
    made.node("pr:o/n#1", "Mend", access=report, **aud)
    made.node("issue:o/n#2", "Leak", access="open")
    made.node("doc:note.md", "Note", access="restricted", aud=["team:heat", "team:cold"])
    made.text("doc:note.md", "bob owns pump", "restricted")
    made.claim("person:bob", "OWNS", "service:pump", "doc:note.md", 1, "bob owns pump", access="restricted", aud=("team:heat", "team:cold"))
    made.build(store, WS)


@pytest.fixture
def store(shared_store):
    shared_store.drop(f"brain:{WS}:runs")
    company(shared_store)
    return shared_store


def test_a_run_comes_back_as_it_was(store):
    save(store, answer(), 100)
    assert load(store, "r1", ANN) == answer()


def test_the_text_of_any_answer_survives(store):
    odd = answer(
        question="' \" \\ $id `x` {y} \u2028 🜂 //",
        text="a\tb\nc 'd' \"e\" \\f",
        claims=(dataclasses.replace(GOOD, text="MATCH (n) DELETE n"),),
    )
    save(store, odd, 100)
    assert load(store, "r1", ANN) == odd


def test_an_answer_with_nothing_in_it_is_kept_too(store):
    bare = answer(state="insufficient", items=(), claims=(), dropped=(), steps=(), nodes=(), edges=())
    save(store, bare, 100)
    assert load(store, "r1", ANN) == bare


def test_a_run_saved_twice_is_one_run_with_the_later_words(store):
    for text in ("first", "second"):
        save(store, answer(text=text), 100)
    assert load(store, "r1", ANN).text == "second"
    rows = store.read(
        f"brain:{WS}:runs", "MATCH (r:Run) OPTIONAL MATCH (r)-[c:CLAIMS]->(k) RETURN count(DISTINCT r) AS runs, count(c) AS claims"
    ).rows
    assert dict(rows[0]) == {"runs": 1, "claims": 2}


def test_claims_and_their_verdicts_are_in_the_graph_the_dropped_ones_too(store):
    save(store, answer(), 100)
    rows = store.read(
        f"brain:{WS}:runs",
        "MATCH (r:Run {id:'r1'})-[c:CLAIMS]->(k:Claim) RETURN k.n AS n, k.text AS text, k.verdict AS v, k.cites AS cites, k.reason AS why ORDER BY n",
    ).rows
    assert [tuple(r.values()) for r in rows] == [
        (0, GOOD.text, "supported", ["pr:o/n#1"], ""),
        (1, BAD.text, "unsupported", ["pr:o/n#9"], BAD.reason),
    ]


def test_two_runs_do_not_share_claims(store):
    save(store, answer("r1"), 100)
    save(store, answer("r2", claims=(), dropped=(GOOD,)), 101)
    rows = store.read(f"brain:{WS}:runs", "MATCH (r:Run)-[c:CLAIMS]->(k) RETURN r.id AS id, count(k) AS n ORDER BY id").rows
    assert [tuple(r.values()) for r in rows] == [("r1", 2), ("r2", 1)]


def test_only_who_asked_and_administrators_read_a_run(store):
    save(store, answer(), 100)
    assert load(store, "r1", ADMIN).text
    for other in (BEN, permissions.guest(), permissions.nobody(), Viewer("")):
        with pytest.raises(BadInput, match="there is no run 'r1' of yours"):
            load(store, "r1", other)
        assert recent(store, other) == []


@pytest.mark.parametrize("run", ["nope", "", "r1'", "r1' OR 1=1 //", "r" * 5000])
def test_a_run_that_is_not_there_is_one_line(store, run):
    save(store, answer(), 100)
    with pytest.raises(BadInput) as err:
        load(store, run, ADMIN)
    assert "\n" not in str(err.value)


def test_a_workspace_where_nobody_asked_has_no_runs(store):
    assert runs.recent(store, "never_asked", ADMIN, None) == []
    with pytest.raises(BadInput, match="there is no run"):
        runs.load(store, "never_asked", "r1", ADMIN, None)


def test_the_latest_runs_come_first_and_no_more_than_asked(store):
    for i in range(5):
        save(store, answer(f"r{i}", "ann" if i % 2 else "ben"), 100 + i)
    assert [r["run"] for r in recent(store, ADMIN)] == ["r4", "r3", "r2", "r1", "r0"]
    assert [r["run"] for r in recent(store, ADMIN, 2)] == ["r4", "r3"]
    assert [r["run"] for r in recent(store, ANN)] == ["r3", "r1"]
    assert recent(store, ANN, 1)[0] == {"run": "r3", "question": "Who wrote it?", "arm": "graph", "state": "answered", "at": 103}


def test_a_step_keeps_two_hundred_rows_at_most(store):
    many = answer(steps=(dataclasses.replace(answer().steps[0], rows=tuple({"n": i} for i in range(500))),))
    save(store, many, 100)
    assert len(load(store, "r1", ANN).steps[0].rows) == runs.MAX_ROWS == 200


def test_runs_are_no_part_of_the_company_s_graph(demo):
    kept = demo.ask("Who reviewed merefold/gatekeeper#12?", viewer=demo.viewer())
    assert demo.run(kept.run, demo.viewer()).text == kept.text
    assert demo.store.read("brain:demo", "MATCH (r:Run) RETURN count(r) AS n").rows == ({"n": 0},)
    assert kept.run in [r["run"] for r in demo.recent_runs(demo.viewer())]


def test_a_load_does_not_touch_the_runs(store, home, tmp_path):
    import tiny_org

    brain = tiny_org.brain_of(home, WS)
    tiny_org.load(brain, tiny_org.archive(tmp_path / "a.json", **tiny_org.two_of_each()))
    save(store, answer(), 100)
    tiny_org.load(brain, tmp_path / "a.json")
    assert load(store, "r1", ANN) == answer()
    store.drop(f"brain:{WS}")
    brain.close()


# -- rights that changed since -------------------------------------------------------------------

NEVER = "there is no run 'r1' of yours in workspace 'runs'"
HEAT, COLD = frozenset({"team:heat"}), frozenset({"team:cold"})
MEMBER = permissions.member("ann", HEAT)
BARE = {"items": (), "claims": (), "dropped": (), "steps": (), "nodes": (), "edges": ()}


def gone(store, viewer, run="r1"):
    with pytest.raises(BadInput) as err:
        load(store, run, viewer)
    assert str(err.value) == NEVER
    assert run not in [r["run"] for r in recent(store, viewer)]
    return True


def kept(store, viewer, run="r1"):
    return load(store, run, viewer).run == run and run in [r["run"] for r in recent(store, viewer)]


def test_a_run_that_never_was_and_one_that_may_not_be_read_any_more_are_told_in_the_same_words(store):
    with pytest.raises(BadInput) as err:
        load(store, "r1", ANN)
    assert str(err.value) == NEVER
    save(store, answer(), 100)
    assert kept(store, ANN)
    company(store, "restricted")
    assert gone(store, ANN) and load(store, "r1", ADMIN)


@pytest.mark.parametrize("label", ["internal", "restricted", None])
def test_a_source_that_was_closed_since_closes_the_runs_that_hold_it(store, label):
    save(store, answer(), 100)
    save(store, answer("r2", **BARE), 101)
    company(store, label)
    assert gone(store, ANN) and kept(store, ANN, "r2")
    company(store, "open")
    assert kept(store, ANN)


@pytest.mark.parametrize(
    "holding",
    [
        {"items": ("pr:o/n#1",)}, {"claims": (GOOD,)}, {"dropped": (BAD, dataclasses.replace(BAD, cites=("pr:o/n#1",)))},
        {"claims": (Claim("x", (), (Quote("pr:o/n#1", 1, "x"),)),)}, {"claims": (Claim("x", path=("pr:o/n#1",)),)},
        {"nodes": (Node("pr:o/n#1", "PullRequest", "Mend"),)}, {"edges": (Edge("person:bob", "AUTHORED", "pr:o/n#1"),)},
        {"edges": (Edge("person:bob", "OWNS", "service:pump", {"access_key": "pr:o/n#1"}),)},
        *({"steps": (Step(1, "t", "", args, "", params, rows),)} for args, params, rows in (
            ({"key": "pr:o/n#1"}, {}, ()), ({}, {"keys": ["pr:o/n#1"]}, ()), ({}, {}, ({"n": 1, "x": "pr:o/n#1"},)),
            ({}, {}, ({"deep": [{"x": ["pr:o/n#1"]}]},)), ({}, {}, ({"chunk": "chunk:pr:o/n#1/0"},)))),
    ],
)  # fmt: skip
def test_wherever_a_closed_source_stands_in_a_run_it_closes_the_run(store, holding):
    save(store, answer(**{**BARE, **holding}), 100)
    assert kept(store, ANN)
    company(store, "restricted")
    assert gone(store, ANN)


def test_a_grant_that_ended_hides_what_it_showed(store):
    made = answer(**{**BARE, "nodes": (Node("doc:note.md", "Doc", "Note"),)})
    save(store, made, 100, MEMBER)
    assert kept(store, MEMBER)
    assert gone(store, permissions.member("ann")) and gone(store, permissions.guest()) and gone(store, Viewer("ann", frozenset({"open"}), HEAT))


def test_another_grant_to_the_same_thing_shows_no_run_of_the_lost_one(store):
    made = answer(**{**BARE, "nodes": (Node("doc:note.md", "Doc", "Note"),)})
    save(store, made, 100, MEMBER)
    assert gone(store, permissions.member("ann", COLD)) and kept(store, permissions.member("ann", HEAT | COLD))


def test_a_number_that_may_rest_on_what_a_lost_grant_showed_is_hidden_too(store):
    save(store, answer(**{**BARE, "items": ("12",), "text": "12"}), 100, MEMBER)
    assert kept(store, MEMBER) and gone(store, permissions.member("ann"))


def test_a_lost_membership_that_opens_nothing_hides_nothing(store):
    idle = permissions.member("ann", HEAT | {"team:idle", "person:ann"})
    save(store, answer(), 100, idle)
    assert kept(store, MEMBER)


def test_a_source_that_is_no_longer_loaded_is_held_to_the_labels_of_then(store):
    made = answer(**{**BARE, "nodes": (Node("doc:note.md", "Doc", "Note"),)})
    save(store, made, 100, MEMBER)
    Company(nodes=[]).build(store, WS)
    assert kept(store, MEMBER) and gone(store, permissions.member("ann"))


def test_who_left_keeps_no_run_made_as_a_member(store):
    save(store, answer(), 100, permissions.member("ann"))
    save(store, answer("r2"), 101)
    assert gone(store, ANN) and kept(store, ANN, "r2")


def test_who_is_no_longer_an_administrator_keeps_no_run_made_as_one(store):
    save(store, answer(viewer="ann"), 100, dataclasses.replace(ADMIN, id="ann"))
    assert gone(store, MEMBER)


def test_a_run_whose_rights_nobody_noted_is_an_administrators_alone(store):
    save(store, answer(), 100)
    store.write(f"brain:{WS}:runs", "MATCH (r:Run) SET r.owner = NULL, r.keys = NULL, r.clearance = NULL, r.groups = NULL, r.used = NULL")
    assert gone(store, ANN) and load(store, "r1", ADMIN)


def test_where_nothing_is_loaded_nothing_can_be_held_to_its_labels(store):
    save(store, answer(), 100)
    for none in (ANN, MEMBER):
        with pytest.raises(BadInput, match="there is no run"):
            runs.load(store, WS, "r1", none, None)
        assert runs.recent(store, WS, none, None) == []
    assert runs.load(store, WS, "r1", ADMIN, None)


# -- looking as somebody else --------------------------------------------------------------------


def test_what_an_administrator_asks_as_somebody_is_in_no_trail_of_that_person(store):
    seen = dataclasses.replace(MEMBER, by="local")
    save(store, answer(), 100, seen)
    assert gone(store, MEMBER) and kept(store, seen) and kept(store, ADMIN)
    assert gone(store, dataclasses.replace(seen, id="ben")) and gone(store, dataclasses.replace(seen, by="other"))


def test_looking_as_somebody_shows_neither_their_runs_nor_the_administrators_own(store):
    save(store, answer(), 100, MEMBER)
    save(store, answer("r2", viewer="local"), 101, ADMIN)
    seen = dataclasses.replace(MEMBER, by="local")
    assert gone(store, seen) and recent(store, seen) == []
    assert [r["run"] for r in recent(store, ADMIN)] == ["r2", "r1"]


@pytest.mark.parametrize("viewer", [permissions.guest(), permissions.nobody()])
def test_viewers_who_share_a_name_read_a_run_by_its_link_and_have_no_list(store, viewer):
    save(store, answer(viewer=viewer.id, **BARE), 100, viewer)
    assert load(store, "r1", viewer) and recent(store, viewer) == []


# -- through the whole program -------------------------------------------------------------------


def test_a_follow_up_reads_no_run_that_is_somebody_elses_or_was_lost(demo):
    asked = demo.ask("Who reviewed merefold/gatekeeper#12?", viewer=demo.viewer("ayobrandt"))
    assert asked.state == "answered"
    again = demo.ask("And who wrote it?", viewer=demo.viewer("ayobrandt"), previous=asked.run)
    assert again.viewer == "ayobrandt" and {r["run"] for r in demo.recent_runs(demo.viewer("ayobrandt"))} == {asked.run, again.run}
    for other in (demo.viewer("haldous"), demo.viewer("guest"), dataclasses.replace(demo.viewer("ayobrandt"), groups=frozenset(), clearance=frozenset({"open"}))):
        with pytest.raises(BadInput, match="there is no run"):
            demo.ask("And who wrote it?", viewer=other, previous=asked.run)
