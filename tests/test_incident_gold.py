"""What is right about an alert, against a company small enough to judge by hand and against what the demo says of itself."""

from datetime import UTC, date, datetime

import pytest

from brain.errors import DefinitionError
from eval.gold.company_desks import Alert
from eval.gold.incidents import Duties, Rollout, Thing, demo, line
from eval.incidents import replay, sets

DAY = 86_400
AT = int(datetime(2026, 3, 4, 2, 40, tzinfo=UTC).timestamp())


def rollout(name, hours, good=True):
    return Rollout(f"deploy:{name}-{hours}", name, AT - hours * 3600, good)


@pytest.fixture
def duties():
    things = [
        Thing("shop", "team:front", "person:ada", ("stock", "till")), Thing("stock", "team:back", "person:bo", ("disk",)),
        Thing("till", "team:back", "person:gone", ()), Thing("disk", "team:deep", "person:di", ()),
    ]  # fmt: skip
    weeks = (("team:back", "person:cy", date(2026, 3, 2), date(2026, 3, 4)), ("team:back", "person:bo", date(2026, 3, 5), date(2026, 3, 8)))
    rollouts = (rollout("shop", 9), rollout("stock", 3), rollout("till", 1, good=False), rollout("disk", 2), rollout("shop", 30))
    return Duties({t.name: t for t in things}, weeks, {"person:gone": date(2026, 3, 1)}, rollouts)


def test_whoever_is_on_call_that_day_is_paged_the_last_day_included(duties):
    assert duties.page(["stock"], AT) == ("person:cy",)
    assert duties.page(["stock"], AT + DAY) == ("person:bo",)


def test_without_a_rota_the_lead_is_paged_and_the_team_when_the_lead_has_left(duties):
    assert duties.page(["shop"], AT) == ("person:ada",)
    assert duties.page(["till"], AT + 30 * DAY) == ("team:back",)


def test_somebody_on_call_who_has_left_is_not_paged(duties):
    left = Duties(duties.services, duties.weeks, {"person:cy": date(2026, 3, 4)}, duties.rollouts)
    assert left.page(["stock"], AT) == ("person:bo",)


def test_two_broken_things_may_be_turned_to_in_either_order(duties):
    assert duties.page(["shop", "disk"], AT) == ("person:ada", "person:di")


def test_the_dumb_rule_takes_the_latest_good_rollout_on_the_service_or_one_hop_away(duties):
    assert duties.baseline("shop", AT) == "deploy:stock-3"


def test_the_dumb_rule_says_nothing_when_its_window_is_empty(duties):
    assert duties.baseline("shop", AT, window=3600) == ""
    assert duties.baseline("unheard-of", AT) == ""


def test_hops_are_counted_over_needs_and_none_without_a_way(duties):
    assert [duties.hops("shop", name) for name in ("shop", "stock", "disk")] == [0, 1, 2]
    assert duties.hops("disk", "shop") is None


def test_a_line_without_causes_pages_those_who_answer_for_what_alerted(duties):
    made = line("X", "quiet", Alert("f", "Slow", "stock", AT), (), (), (), duties)
    assert made["page"] == ["person:cy"] and made["broke"] == [] and made["hops"] is None
    assert made["as_of"] == AT + 600


@pytest.fixture(scope="module")
def told():
    return {one["id"]: one for one in demo(sets.RAW)}


@pytest.mark.parametrize(
    ("id_", "causes", "page", "hops"),
    [
        ("INC-1", [], "person:tdabrowski", None),
        ("INC-3", ["deploy:event-bus-20260318-0405"], "person:leilaf", 2),
        ("INC-4", ["deploy:map-tiles-20260414-0731"], "person:hyejinp", 0),
        ("INC-8", ["ticket:OPS-151"], "person:opritchard", None),
        ("PLANTED-22", ["deploy:event-bus-20261014-0111"], "person:ayobrandt", 2),
        ("PLANTED-23", ["deploy:token-broker-20260922-1944"], "person:gweiss", 2),
        ("PLANTED-24", [], "person:lachreyes", None),
        ("PLANTED-25", ["ticket:OPS-187"], "person:knowicka", 1),
    ],
)
def test_the_demos_alerts_are_told_as_its_readme_and_registries_have_them(told, id_, causes, page, hops):
    assert (told[id_]["causes"], told[id_]["page"], told[id_]["hops"]) == (causes, [page], hops)


def test_the_planted_herrings_are_what_the_dumb_rule_falls_for(told):
    for id_ in ("PLANTED-22", "PLANTED-23"):
        assert [told[id_]["baseline"]] == told[id_]["herrings"]


def test_the_shipped_sets_are_what_the_raw_files_give():
    for name, text in sets.lines().items():
        assert (replay.SETS / name).read_text(encoding="utf-8") == text, f"{name}: python -m eval.incidents.sets"


def test_the_set_holds_every_kind_of_alert():
    found = replay.load(replay.SETS / "incidents.jsonl")
    assert sum(r.workspace == "demo" for r in found) == 12 and sum(r.workspace == "variants" for r in found) == 20
    kinds = {r.category for r in found if r.workspace == "variants"}
    assert kinds == {"hop 0", "hop 1", "hop 2", "hop 3", "outside deployments", "two causes", "quiet"}
    assert {r.hops for r in found} >= {None, 0, 1, 2, 3}


@pytest.mark.parametrize(
    ("change", "said"),
    [({"cause": []}, "no field 'cause'"), ({"page": []}, "somebody in 'page'"), ({"broke": []}, "'broke' exactly when"), ({"hops": ...}, "misses 'hops'")],
)
def test_a_bad_line_is_refused_with_its_place_and_the_fix(tmp_path, change, said):
    import json

    first = json.loads((replay.SETS / "incidents.jsonl").read_text("utf-8").splitlines()[-20])
    line = {k: v for k, v in {**first, **change}.items() if v is not ...}
    path = tmp_path / "own.jsonl"
    path.write_text("\n" + json.dumps(line) + "\n", encoding="utf-8")
    with pytest.raises(DefinitionError, match=r"own\.jsonl:2: ") as refused:
        replay.load(path)
    assert said in str(refused.value)


def test_two_lines_with_one_id_are_refused(tmp_path):
    first = (replay.SETS / "incidents.jsonl").read_text("utf-8").splitlines()[0]
    (tmp_path / "own.jsonl").write_text(f"{first}\n{first}\n", encoding="utf-8")
    with pytest.raises(DefinitionError, match="stands there twice"):
        replay.load(tmp_path / "own.jsonl")
