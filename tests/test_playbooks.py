"""A confirmed cause is tried first the next time, for those who may see all of it, until it fails."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import small_company
from playbook_made import ADMIN, AGAIN, ANN, BEN, DEPLOY, FIRED, GUEST, HIDDEN_WAY, LAG, STORED, WAY, investigation, shelf, suspect

from brain.errors import BadInput
from brain.playbooks import causes, kept
from brain.text.embedding import load_embedder
from brain.types import Step, Viewer

WS = "playbooks"


@pytest.fixture(scope="module")
def company(shared_store):
    small_company.build(shared_store, WS, "restricted")
    return shared_store


@pytest.fixture
def store(company):
    company.drop(f"brain:{WS}:runs")
    return company


@pytest.fixture(scope="module")
def embedder(home):
    return load_embedder(home)


def confirmed(store, viewer=ANN, embedder=None, **more):
    return shelf(store, WS, viewer, embedder).confirm(investigation(store, WS, **more))


def offered(store, viewer=BEN, signal=AGAIN, embedder=None):
    return shelf(store, WS, viewer, embedder).for_signal(signal)


def test_a_confirmed_cause_is_offered_when_the_same_signal_fires_on_the_same_service(store):
    made = confirmed(store)
    found = offered(store)
    assert found.id == made.id
    assert (found.how, found.likeness, found.by, found.steps, found.ms) == ("same signal", 1.0, "ann", 0, 900.0)
    cause = found.known_cause()
    assert (cause.service, cause.broke, cause.change, cause.change_kind) == ("service:threshold-watch", "service:event-bus", DEPLOY, "deploy")
    assert cause.path == WAY[:-1]
    assert cause.rels == ("FIRED_ON", "DEPENDS_ON", "DEPENDS_ON")
    assert cause.rules == ("decision:docs/adr/0007-bus-batches-close-quickly",)
    assert cause.fixes == ("ticket:OPS-187",)
    assert {"batch", "wait", "load"} <= set(cause.words)


def test_nothing_is_offered_for_another_service_or_one_nobody_knows(store):
    confirmed(store)
    assert offered(store, signal=replace(AGAIN, service="service:tide-model")) is None
    assert offered(store, signal=replace(AGAIN, service="")) is None


def test_what_was_learnt_from_a_later_alert_is_not_known_before_it(store):
    confirmed(store)
    assert offered(store, signal=replace(AGAIN, at=FIRED - 1)) is None
    assert offered(store, signal=LAG) is not None


@pytest.mark.parametrize("with_vectors", [True, False])
def test_a_signal_of_another_name_is_known_by_what_it_says(store, embedder, with_vectors):
    if with_vectors and embedder is None:
        pytest.skip("no embedder on this machine")
    by = embedder if with_vectors else None
    confirmed(store, embedder=by)
    alike = replace(AGAIN, name="ThresholdsLate", title="Thresholds are evaluated two minutes late")
    found = offered(store, signal=alike, embedder=by)
    assert found.how == ("meaning" if with_vectors else "words")
    assert 0.5 <= found.likeness < 1
    other = replace(AGAIN, name="ThresholdMismatch", title="Warning levels differ from those the boards signed")
    assert offered(store, signal=other, embedder=by) is None


def test_vectors_of_another_embedder_are_not_compared(store, embedder):
    if embedder is None:
        pytest.skip("no embedder on this machine")
    confirmed(store)
    alike = replace(AGAIN, name="ThresholdsLate", title="Thresholds are evaluated late again")
    assert offered(store, signal=alike, embedder=embedder).how == "words"


def test_it_says_how_likeness_is_judged(store, embedder):
    assert "no embedder" in shelf(store, WS, ANN).compared_by()
    assert "no embedder" not in shelf(store, WS, ANN, embedder or object()).compared_by()


# -- rights ------------------------------------------------------------------------------------


def test_a_way_that_only_a_hidden_source_tells_is_offered_to_whom_it_is_open_alone(store):
    made = confirmed(store, ADMIN, way=HIDDEN_WAY)
    assert offered(store, ADMIN, STORED).id == made.id
    for viewer in (ANN, GUEST):
        assert offered(store, viewer, STORED) is None
        assert shelf(store, WS, viewer).every() == []
        with pytest.raises(BadInput, match="there is no playbook"):
            shelf(store, WS, viewer).playbook(made.id)


def test_without_the_rule_the_hidden_way_would_be_offered(store, monkeypatch):
    confirmed(store, ADMIN, way=HIDDEN_WAY)
    monkeypatch.setattr("brain.playbooks.shelf.covered", lambda kept, viewer, everything: set(kept))
    assert offered(store, GUEST, STORED) is not None


def test_what_an_administrator_confirms_of_open_things_helps_everybody(store):
    confirmed(store, ADMIN)
    assert offered(store, GUEST) is not None


def test_how_long_it_took_and_why_it_failed_is_told_to_no_one_with_other_rights(store):
    made = confirmed(store, ADMIN)
    shelf(store, WS, ADMIN).used(made.id, False, 3, 10.0, "deploy:hidden came first")
    seen = shelf(store, WS, GUEST).playbook(made.id)
    assert (seen.steps, seen.ms, seen.saved_steps, seen.reason, seen.mine) == (0, 0.0, 0, "", False)
    assert shelf(store, WS, ADMIN).playbook(made.id).reason == "deploy:hidden came first"


def test_a_way_whose_edges_were_not_given_back_needs_all_rights_it_was_made_with(store):
    assert confirmed(store, ADMIN, edges=())
    assert offered(store, ANN) is None
    assert offered(store, ADMIN) is not None


def test_rights_of_a_group_that_opened_something_are_needed(shared_store):
    ws, deep = f"{WS}_aud", Viewer("deep", ANN.clearance, frozenset({"team:secret"}))
    small_company.build(shared_store, ws, "aud")
    shared_store.drop(f"brain:{ws}:runs")
    shelf(shared_store, ws, deep).confirm(investigation(shared_store, ws, HIDDEN_WAY))
    assert shelf(shared_store, ws, deep).for_signal(STORED) is not None
    assert shelf(shared_store, ws, ANN).for_signal(STORED) is None


def test_a_playbook_whose_service_is_gone_is_not_offered(store):
    confirmed(store)
    store.write(f"brain:{WS}", "MATCH (s:Entity {key: 'service:event-bus'}) SET s.gone = 1 RETURN 1")
    try:
        assert offered(store) is None
        assert [p.known_cause().broke for p in shelf(store, WS, BEN).every()] == ["service:event-bus"]
    finally:
        store.write(f"brain:{WS}", "MATCH (s:Entity {key: 'service:event-bus'}) SET s.gone = null RETURN 1")
    assert offered(store) is not None


def test_a_playbook_of_a_company_that_was_made_anew_without_its_service_is_not_offered(shared_store):
    ws = f"{WS}_anew"
    small_company.build(shared_store, ws)
    shared_store.drop(f"brain:{ws}:runs")
    shelf(shared_store, ws, ANN).confirm(investigation(shared_store, ws))
    shared_store.write(f"brain:{ws}", "MATCH (s:Entity {key: 'service:gauge-store'}) DELETE s")
    assert shelf(shared_store, ws, ANN).for_signal(AGAIN) is None


def test_where_nothing_is_loaded_there_are_no_playbooks(shared_store):
    empty = shelf(shared_store, "never_loaded", ADMIN)
    assert empty.for_signal(AGAIN) is None
    assert empty.every() == []
    with pytest.raises(BadInput, match="there is no playbook"):
        empty.playbook("pb-1")


# -- confirming --------------------------------------------------------------------------------


def test_confirmed_twice_it_is_one_playbook(store):
    assert confirmed(store).id == confirmed(store, BEN).id
    assert len(shelf(store, WS, ANN).every()) == 1


def test_confirmed_by_many_at_once_it_is_one_playbook(store, embedder):
    inv = investigation(store, WS)
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda i: shelf(store, WS, (ANN, BEN)[i % 2], embedder).confirm(inv).id, range(16)))
    assert len(set(made)) == 1
    rows = store.read(f"brain:{WS}:runs", "MATCH (p:Playbook) OPTIONAL MATCH (s:Standing) RETURN count(DISTINCT p) AS p, count(DISTINCT s) AS s").rows
    assert dict(rows[0]) == {"p": 1, "s": 1}


def test_kept_by_many_at_once_it_is_new_to_one_of_them_also_where_nothing_was_kept_before(store):
    one = causes.entry(investigation(store, WS), suspect(), ANN, shelf(store, WS, ANN)._everything)
    kept_ = kept.Kept(store, WS, None)
    with ThreadPoolExecutor(8) as pool:
        for _ in range(12):
            store.drop(f"brain:{WS}:runs")
            for n in range(3):
                assert sum(pool.map(lambda _, n=n: kept_.add(replace(one, id=f"pb-{n}"), ANN, 1), range(8))) == 1
            assert len(kept_.every()) == 3


@pytest.mark.parametrize(
    ("more", "said"),
    [({"arm": "vector"}, "over the graph"), ({"state": "incomplete"}, "finish it"), ({"outcome": "rivals"}, f"--cause KEY .{DEPLOY}"),
     ({"outcome": "none", "suspects": ()}, "none was named"), ({"suspects": (replace(suspect(), path=(), rels=()),)}, "no way from the alert"),
     ({"signal": replace(LAG, service="")}, "no way from the alert")],
)  # fmt: skip
def test_there_is_nothing_to_learn_without_a_cause_and_a_way_to_it(store, more, said):
    with pytest.raises(BadInput, match=said):
        shelf(store, WS, ANN).confirm(replace(investigation(store, WS), **more))


def test_a_rival_is_confirmed_by_its_key(store):
    rivals = investigation(store, WS, outcome="rivals")
    assert shelf(store, WS, ANN).confirm(rivals, DEPLOY).known_cause().change == DEPLOY
    with pytest.raises(BadInput, match=f"'deploy:nope' is not among the suspects: {DEPLOY}"):
        shelf(store, WS, ANN).confirm(rivals, "deploy:nope")


@pytest.mark.parametrize("viewer", [GUEST, Viewer("nobody")])
def test_who_has_no_name_confirms_and_changes_nothing(store, viewer):
    made = confirmed(store)
    with pytest.raises(BadInput, match="log in"):
        confirmed(store, viewer)
    for change in ("demote", "restore", "forget"):
        with pytest.raises(BadInput, match="log in"):
            getattr(shelf(store, WS, viewer), change)(made.id)


def test_who_confirms_another_cause_of_an_alert_has_changed_their_mind_and_no_one_elses(store):
    first = confirmed(store)
    other = (suspect((*WAY[:-1], "deploy:event-bus-20251015-1000")),)
    confirmed(store, BEN, suspects=other)
    assert shelf(store, WS, ANN).playbook(first.id).standing == "active"
    second = confirmed(store, ANN, suspects=(replace(other[0], key="deploy:threshold-watch-20251129-0233"),))
    assert shelf(store, WS, ANN).playbook(first.id).standing == "demoted"
    assert second.standing == "active"
    assert sorted(p.standing for p in shelf(store, WS, ANN).every()) == ["active", "active", "demoted"]


def test_an_investigation_knows_what_was_made_of_it(store):
    made = confirmed(store)
    assert [p.id for p in shelf(store, WS, BEN).of_run("inv1")] == [made.id]
    assert shelf(store, WS, BEN).of_run("inv") == []


# -- failing -----------------------------------------------------------------------------------


def test_failed_once_it_comes_after_the_others_failed_twice_it_is_tried_no_more(store):
    one = confirmed(store)
    two = confirmed(store, BEN, suspects=(suspect((*WAY[:-1], "deploy:event-bus-20251015-1000")),))
    use = shelf(store, WS, BEN).used
    use(one.id, True, 4, 10.0)
    assert offered(store).id == one.id
    use(one.id, False, 9, 10.0, "nothing strong was found")
    assert shelf(store, WS, BEN).playbook(one.id).standing == "doubtful"
    assert offered(store).id == two.id
    use(two.id, False, 9, 10.0)
    use(two.id, False, 9, 10.0)
    assert offered(store).id == one.id
    use(one.id, False, 9, 10.0)
    assert offered(store) is None
    assert {p.standing for p in shelf(store, WS, BEN).every()} == {"demoted"}


def test_holding_again_clears_a_doubt(store):
    made = confirmed(store)
    use = shelf(store, WS, BEN).used
    for held in (False, True, False):
        use(made.id, held, 4, 10.0)
    seen = shelf(store, WS, BEN).playbook(made.id)
    assert (seen.standing, seen.uses, seen.held, seen.failures) == ("doubtful", 3, 1, 1)


def test_what_was_demoted_stays_so_until_a_person_restores_it(store):
    made = confirmed(store)
    mine = shelf(store, WS, ANN)
    assert mine.demote(made.id, "it was luck").standing == "demoted"
    assert offered(store) is None
    mine.used(made.id, True, 4, 10.0)
    assert mine.playbook(made.id).standing == "demoted"
    assert mine.restore(made.id).failures == 0
    assert offered(store).id == made.id
    mine.demote(made.id)
    confirmed(store, BEN)
    assert offered(store).id == made.id


def test_only_who_confirmed_it_and_administrators_change_it(store):
    made = confirmed(store)
    for change in ("demote", "restore", "forget"):
        with pytest.raises(BadInput, match="is ann's; only they and the administrator"):
            getattr(shelf(store, WS, BEN), change)(made.id)
    assert shelf(store, WS, ADMIN).demote(made.id).standing == "demoted"


def test_forgotten_it_is_gone_for_good(store):
    made = confirmed(store)
    shelf(store, WS, ANN).forget(made.id)
    assert offered(store) is None
    left = store.read(f"brain:{WS}:runs", "MATCH (n) WHERE n:Playbook OR n:Standing RETURN count(n) AS n").rows
    assert left[0]["n"] == 0
    shelf(store, WS, ANN).used(made.id, True, 4, 10.0)
    assert shelf(store, WS, ANN).every() == []


def test_uses_at_once_are_all_counted(store):
    made = confirmed(store)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: shelf(store, WS, BEN).used(made.id, True, 1, 1.0), range(40)))
    assert shelf(store, WS, BEN).playbook(made.id).uses == 40


def test_steps_saved_are_those_of_the_first_time_less_those_of_each_use(store):
    made = confirmed(store, steps=_steps(12))
    shelf(store, WS, BEN).used(made.id, True, 4, 10.0)
    shelf(store, WS, BEN).used(made.id, False, 3, 10.0)
    assert shelf(store, WS, BEN).playbook(made.id).saved_steps == 12 - 4 - 3


def _steps(n):
    return tuple(Step(i + 1, "details", "", {}) for i in range(n))


# -- the index ---------------------------------------------------------------------------------


def _many(store, embedder, n, exact=kept.EXACT):
    shelf_ = kept.Kept(store, WS, embedder, exact)
    one = causes.entry(investigation(store, WS), suspect(), ANN, shelf(store, WS, ANN)._everything)
    for i in range(n):
        shelf_.add(replace(one, id=f"pb-{i}", text=f"{i} signals of kind {i * 7} about subject {i % 5}"), ANN, i)
    store.wait_for_indexes(f"brain:{WS}:runs")
    return shelf_


def test_the_index_gives_all_back_however_often_they_were_used(store, embedder):
    if embedder is None:
        pytest.skip("no embedder on this machine")
    many = _many(store, embedder, 30)
    for i in range(30):
        for _ in range(3):
            many.used(f"pb-{i}", True, 1, i, "ann", "")
    rows = store.read(
        f"brain:{WS}:runs", "CALL db.idx.vector.queryNodes('Playbook', 'emb', 30, vecf32($v)) YIELD node, score RETURN node.id AS id", {"v": many.vector("signals")}
    ).rows
    assert len({row["id"] for row in rows}) == 30


def test_where_there_are_very_many_the_index_names_the_nearest(store, embedder):
    if embedder is None:
        pytest.skip("no embedder on this machine")
    many = _many(store, embedder, 30, exact=10)
    vector = many.vector("3 signals of kind 21 about subject 3")
    found = many.near("incident", LAG.service, vector, ("active",))
    assert len(found) == 10
    assert found[0].values["id"] == "pb-3"
    every = kept.Kept(store, WS, embedder).near("incident", LAG.service, vector, ("active",))
    assert len(every) == 30
    assert [r.values["id"] for r in every[:3]] == [r.values["id"] for r in found[:3]]
