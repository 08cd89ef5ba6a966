"""A notice is tried on a copy: it shows what it would change, and changes nothing."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import small_company
from small_company import TEAMS
from small_graph import NOW, asking, at
from tiny_org import dump

from brain import permissions, rulecopy, whatif
from brain.errors import BadInput
from brain.rulecopy import copied, sweep
from brain.tools import tools
from brain.whatif import Notice, coming, spans, what_if

W = "whatif"
FREEZE = "rule:docs-policies-releases/change-freeze-window"
HABIT = "rule:docs-guides-habits/change-freeze-window"
TWO, FOUR = "rule:docs-notices-2025-12-ticket-claim/ticket-claim-deadline", "rule:duty-desk-1757838600.000100/ticket-claim-deadline"


@pytest.fixture(scope="module")
def store(shared_store):
    small_company.build(shared_store, W)
    return shared_store


@pytest.fixture
def ctx(store):
    return asking(store, W, permissions.local_admin())


def tried(ctx, *notices, now=1_800_000_000):
    return what_if(ctx, tools(ctx.catalogue), notices, now)


def changes(found):
    return {(c.what, (c.before or {}).get("value"), (c.after or {}).get("value")) for c in found if c.what != "stays"}


def sides(found, what):
    return {frozenset((row["a"], row["b"])) for c in found if c.what == what and (row := c.after or c.before)}


def freeze(**more):
    return Notice("Change freeze window", "Thursday noon to Tuesday", at("2025-12-05"), **more)


def test_a_notice_that_replaces_a_rule_shows_both_sides_at_one_instant(ctx):
    found = tried(ctx, freeze(replaces=(FREEZE, HABIT)))
    assert found.as_of == at("2025-12-05")
    assert changes(found.rules) == {
        ("new", None, "Thursday noon to Tuesday"), ("gone", "Friday 15:00 to Monday 08:00", None), ("gone", "Friday 12:00 to Monday 06:00", None),
    }  # fmt: skip
    assert sides(found.conflicts, "gone") == {frozenset((FREEZE, HABIT))} and not sides(found.conflicts, "new")
    assert found.changed()


def test_a_notice_that_replaces_nothing_begins_conflicts(ctx):
    found = tried(ctx, freeze())
    assert changes(found.rules) == {("new", None, "Thursday noon to Tuesday")}
    assert {key for pair in sides(found.conflicts, "new") for key in pair} >= {FREEZE, HABIT, "rule:what-if/change-freeze-window"}


def test_an_announced_notice_is_told_with_and_without_though_it_is_loaded(ctx):
    ahead = coming(spans(ctx), ctx.as_of)
    assert [(n.key, n.value, n.replaces) for n in ahead] == [(TWO, "2 hours", (FOUR,))]
    found = tried(ctx, ahead[0])
    assert found.as_of == at("2025-12-15") and changes(found.rules) == {("gone", "4 hours", None), ("new", None, "2 hours")}


def test_an_announced_notice_can_be_tried_on_an_earlier_day_and_with_another_value(ctx):
    sooner = replace(coming(spans(ctx), ctx.as_of)[0], start=at("2025-12-02"), value="3 hours")
    found = tried(ctx, sooner)
    assert found.as_of == at("2025-12-02") and changes(found.rules) == {("gone", "4 hours", None), ("new", None, "3 hours")}


def test_a_notice_for_a_team_changes_what_binds_that_team(ctx, store):
    found = tried(ctx, Notice("Response time", "2 hours", at("2025-12-05"), applies_to=("team:boards",)))
    new = next(c.after for c in found.rules if c.what == "new")
    assert new["subject"] == TEAMS["boards"]
    assert {k for pair in sides(found.conflicts, "new") for k in pair} == {"rule:docs-policies-releases/response-time", "rule:what-if/response-time"}


def test_two_notices_are_tried_together(ctx):
    found = tried(ctx, freeze(replaces=(FREEZE, HABIT)), Notice("Diagnosis deadline", "12 hours", at("2025-12-08"), replaces=("rule:docs-policies-ticket-handling/diagnosis-deadline",)))
    assert found.as_of == at("2025-12-08") and {c.what for c in found.rules} == {"new", "gone", "stays"}
    assert sum(c.what == "new" for c in found.rules) == 2


def test_nothing_that_is_loaded_changes_and_no_copy_stays(ctx, store):
    before = dump(store, W)
    tried(ctx, freeze(replaces=(FREEZE,)))
    with pytest.raises(BadInput):
        tried(ctx, Notice("", "x", at("2025-12-05")))
    assert dump(store, W) == before and store.graphs(f"brain:{W}:whatif-") == []


def test_a_copy_goes_also_when_the_trial_breaks_off(ctx, store, monkeypatch):
    def broken(*args):
        raise RuntimeError("broken")

    monkeypatch.setattr(whatif, "_state", broken)
    with pytest.raises(RuntimeError, match="broken"):
        tried(ctx, freeze())
    assert store.graphs(f"brain:{W}:whatif-") == []


def test_people_who_try_at_the_same_time_do_not_see_each_others_notices(ctx):
    values = [f"value {i}" for i in range(4)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda v: tried(ctx, Notice("Quiet hours", v, at("2025-12-05"))), values))
    assert [changes(f.rules) for f in found] == [{("new", None, v)} for v in values]


def test_what_a_process_left_behind_is_swept_away_and_what_runs_is_not(ctx, store):
    now = 1_800_000_000
    for made in (now - 10_000, now - 10):
        store.write(f"brain:{W}:whatif-{made}-abc", "CREATE (:Entity)")
    assert sweep(store, W, now) == [f"brain:{W}:whatif-{now - 10}-abc"]
    assert store.graphs(f"brain:{W}:whatif-") == [f"brain:{W}:whatif-{now - 10}-abc"]
    assert sweep(store, W, now, age_s=0) == [] and store.exists(f"brain:{W}")


def test_too_many_trials_at_once_are_refused(ctx, store):
    now = 1_800_000_000
    for i in range(rulecopy.MOST):
        store.write(f"brain:{W}:whatif-{now}-{i}", "CREATE (:Entity)")
    with pytest.raises(BadInput, match="try again"):
        tried(ctx, freeze(), now=now)
    sweep(store, W, now, age_s=0)


@pytest.mark.parametrize(
    "wrong",
    [{"name": " "}, {"name": "!!"}, {"value": ""}, {"start": 0}, {"end": at("2025-12-05")}, {"applies_to": ("team:nobody",)}, {"replaces": ("rule:none",)},
     {"authority": "gossip"}, {"key": "rule:none"}],
)  # fmt: skip
def test_a_notice_that_cannot_be_is_refused_in_one_line(ctx, wrong):
    with pytest.raises(BadInput) as said:
        tried(ctx, replace(freeze(), **wrong))
    assert "\n" not in str(said.value)


def test_what_a_viewer_may_not_see_shows_neither_before_nor_after(store):
    nobody = asking(store, W, permissions.nobody())
    assert spans(nobody) == []
    with pytest.raises(BadInput, match="no rule"):
        tried(nobody, freeze(replaces=(FREEZE,)))


def test_the_day_asked_about_counts_when_it_is_later_than_the_notice(store):
    late = asking(store, W, permissions.local_admin(), as_of=NOW + 86_400 * 100)
    assert tried(late, freeze(replaces=(FREEZE, HABIT))).as_of == late.as_of


@pytest.mark.parametrize("day", ["2025-01-10", "2025-10-15", "2025-12-01", "2026-01-01"])
@pytest.mark.parametrize("who", ["local", "guest", "member"])
def test_the_copy_tells_of_the_rules_what_the_graph_tells(store, day, who):
    viewer = {"local": permissions.local_admin(), "guest": permissions.guest(), "member": permissions.member("m", frozenset({"team:secret"}))}[who]
    here = asking(store, W, viewer, as_of=at(day))
    has = tools(here.catalogue)
    with copied(here, 1_800_000_000, []) as (there, _):
        for args in ({}, {"rule": "claim deadline"}, {"target": "team:duty"}, {"target": "person:wrenokafor"}):
            assert has["rule_in_force"].run(there, k=500, **args).rows == has["rule_in_force"].run(here, k=500, **args).rows
        mine, theirs = ([r for r in has["conflicts"].run(ctx).rows if r["kind"] == "rule"] for ctx in (here, there))
        assert mine == theirs
        assert has["rule_history"].run(there, rule="key rotation").rows == has["rule_history"].run(here, rule="key rotation").rows
