"""Made-up investigations: right ones score as right, and each way of being wrong as wrong."""

import json

import pytest

from brain.incident.findings import Investigation, Paged, Reason, Signal, Suspect
from eval import stats
from eval.incidents import measures, run, scoring
from eval.incidents.replay import Replay
from eval.incidents.scoring import Named, Said, score

CAUSE, OTHER, HERRING, PR = "deploy:bus-1", "deploy:till-1", "deploy:shop-9", "pr:org/bus#7"
WAY = ("alert:a", "service:shop", "service:bus", CAUSE)


def replay(**more):
    known = {
        "id": "X1", "category": "hop 1", "alert": "alert:a", "workspace": "demo", "as_of": 100, "causes": (CAUSE,), "herrings": (HERRING,),
        "broke": ("service:bus",), "page": ("person:bo",), "hops": 1, "baseline": HERRING, "baseline_page": ("person:ada",), "cluster": "bus",
        "same": {CAUSE: (PR,)},
    }  # fmt: skip
    return Replay(**{**known, **more})


QUIET = {"causes": (), "broke": (), "hops": None, "same": {}}


def told(*keys, page=("person:bo",), path=WAY, **more):
    return Said(tuple(Named(key, path=path) for key in keys), page=page, **more)


def everything(way):
    return True


def test_a_right_answer_scores_one_everywhere():
    marks = score(replay(), told(CAUSE), everything)
    assert (marks.ac1, marks.ac3, marks.grounded, marks.rejected, marks.page, marks.accused, marks.why) == (1, 1, 1, 1, 1, None, "")


def test_the_pull_request_that_the_deployment_brought_is_the_cause_as_well():
    assert score(replay(), told(PR), everything).ac1 == 1


def test_a_cause_in_second_place_counts_among_three_alone():
    marks = score(replay(), told("deploy:else", CAUSE), everything)
    assert (marks.ac1, marks.ac3) == (0, 1) and "place 2" in marks.why


def test_a_cause_in_fourth_place_does_not_count():
    assert score(replay(), told("deploy:e", "deploy:f", "deploy:g", CAUSE), everything).ac3 == 0


def test_of_two_causes_one_is_half_among_three():
    two = replay(causes=(CAUSE, OTHER))
    assert [score(two, told(*keys), everything).ac3 for keys in ((CAUSE, OTHER), (OTHER,), ())] == [1, 0.5, 0]
    assert score(two, told(OTHER), everything).ac1 == 1


def test_one_cause_named_twice_counts_once():
    assert score(replay(causes=(CAUSE, OTHER)), told(CAUSE, PR), everything).ac3 == 0.5


def test_naming_nothing_is_a_miss_where_there_is_a_cause_and_right_where_there_is_none():
    missed, right = score(replay(), told(), everything), score(replay(**QUIET), told(), everything)
    assert (missed.ac1, missed.grounded, missed.rejected, missed.accused) == (0, None, 1, None) and "named nothing" in missed.why
    assert (right.ac1, right.ac3, right.accused, right.rejected) == (None, None, 0, 1)


def test_naming_anything_in_a_quiet_window_is_a_false_accusation():
    marks = score(replay(**QUIET), told("deploy:else"), everything)
    assert marks.accused == 1 and marks.ac1 is None and "none is recorded" in marks.why


def test_what_was_passed_over_is_no_accusation():
    inv = investigation(Suspect(HERRING, "deploy", "shop", 1, "service:shop", "shop", 0, standing="discounted"))
    assert score(replay(**QUIET), scoring.said(inv), everything).accused == 0


def test_a_cause_that_was_passed_over_is_named_in_why():
    passed = Suspect(CAUSE, "deploy", "bus", 1, "service:bus", "bus", 1, reasons=(Reason("texts_only", -2, "only texts"), Reason("time", 1, "near")))
    assert "passed over: only texts" in score(replay(), scoring.said(investigation(passed)), everything).why


@pytest.mark.parametrize(
    ("keys", "rejected"),
    [((HERRING,), 0), ((HERRING, CAUSE), 0), ((CAUSE, HERRING), 1), ((CAUSE, HERRING, OTHER), 0), ((OTHER,), 1), ((), 1)],
)
def test_a_herring_may_stand_at_most_behind_all_else(keys, rejected):
    assert score(replay(), told(*keys), everything).rejected == rejected


def test_a_herring_alone_in_a_quiet_window_is_followed():
    assert score(replay(**QUIET), told(HERRING), everything).rejected == 0


def test_without_herrings_none_can_be_rejected():
    assert score(replay(herrings=()), told(OTHER), everything).rejected is None


@pytest.mark.parametrize("way", [(), (CAUSE,), WAY[1:], WAY[:-1], ("alert:b", *WAY[1:])])
def test_a_way_must_lead_from_the_alert_to_what_is_named(way):
    assert score(replay(), told(CAUSE, path=way), everything).grounded == 0


def test_a_way_whose_steps_are_not_in_the_graph_is_not_grounded():
    assert score(replay(), told(CAUSE), lambda way: False).grounded == 0
    assert score(replay(), told(CAUSE), None).grounded is None


@pytest.mark.parametrize("page", [(), ("person:ada",), ("person:ada", "person:bo")])
def test_only_the_first_who_is_paged_counts(page):
    assert score(replay(), told(CAUSE, page=page), everything).page == 0


def test_of_an_investigation_the_named_and_the_paged_are_read_in_order():
    named = Suspect(CAUSE, "deploy", "bus 1", 1, "service:bus", "bus", 1, standing="cause", path=WAY, confidence=0.8)
    page = (Paged(2, "person:cy", "Cy", "deputy"), Paged(0, "person:gone", "Gone", "owner", skipped="left"), Paged(1, "person:bo", "Bo", "on call"))
    made = scoring.said(investigation(named, page=page))
    assert ([n.key for n in made.named], made.named[0].path, made.page) == ([CAUSE], WAY, ("person:bo", "person:cy"))


def investigation(*suspects, page=()):
    return Investigation("i", Signal("alert:a", "Slow", "Slow", "service:shop", "shop", 1), "local", "graph", "builtin", 100, 600, suspects=suspects, page=page)


def records(look, *replays, arms=("graph", "baseline")):
    return run.run(replays, arms, look, name_of_set="own", clock=lambda: 7.0)


def by_rule(one, arm):
    return (scoring.baseline(one), None, None) if arm == "baseline" else (told(CAUSE, ms=5.0, steps=3), everything, None)


def test_arms_stand_side_by_side_with_intervals_and_denominators():
    _, summary = records(by_rule, replay(), replay(id="X2", category="quiet", **QUIET))
    graph, rule = summary["measures"]["graph"], summary["measures"]["baseline"]
    assert (graph["ac1"]["mean"], graph["ac1"]["n"], graph["ac1"]["unscored"]) == (1.0, 1, 1)
    assert graph["accused"] == {**graph["accused"], "mean": 1.0, "n": 1} and rule["ac1"]["mean"] == 0
    assert graph["ac1"]["low"] < 1 == graph["ac1"]["high"]
    assert (graph["steps"], graph["p50_ms"], rule["steps"], rule["grounded"]["mean"]) == (3.0, 5.0, None, None)
    assert summary["pairs"][0]["difference"] == 1.0 and "AC@1 +1.00" in summary["verdict"]


def test_an_arm_that_raises_is_a_recorded_miss():
    def broken(one, arm):
        raise ValueError("no such thing")

    found, summary = records(broken, replay(), arms=("graph",))
    assert found[0]["error"] == "ValueError: no such thing" and found[0]["score"]["ac1"] == 0 and found[0]["score"]["rejected"] == 0
    assert summary["measures"]["graph"]["failures"] == 1


def test_a_kept_run_is_read_as_it_was_and_writes_the_same_bytes(tmp_path):
    found, summary = records(by_rule, replay(), replay(id="X2", **QUIET))
    for name in ("one", "two"):
        run.keep(tmp_path / name, found, summary)
    assert (tmp_path / "one" / run.LINES).read_bytes() == (tmp_path / "two" / run.LINES).read_bytes()
    again, summed = run.load(tmp_path / "one")
    assert again == json.loads(json.dumps(found)) and summed == json.loads(json.dumps(summary))
    assert run.names(tmp_path) == ["one", "two"]


def test_half_right_answers_get_an_interval_from_whole_clusters():
    rate = measures.rate([{"score": {"ac3": v}, "cluster": c} for v, c in ((0.5, "a"), (1.0, "b"), (0.0, "c"), (None, "d"))], "ac3")
    assert rate["mean"] == 0.5 and rate["n"] == 3 and rate["unscored"] == 1 and rate["low"] < 0.5 < rate["high"]


@pytest.mark.parametrize(("right", "n", "low", "high"), [(0, 8, 0.0, 0.3244), (8, 8, 0.6756, 1.0), (18, 25, 0.5242, 0.8572), (0, 0, 0.0, 1.0)])
def test_wilsons_interval_is_the_known_one(right, n, low, high):
    assert stats.wilson(right, n) == pytest.approx((low, high), abs=5e-4)
