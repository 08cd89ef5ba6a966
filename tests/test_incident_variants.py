"""The invented companies: each change is what the script calls it, ordinary weeks lie around it, and a small load is replayed."""

import json
import re
from pathlib import Path

import pytest
import yaml

from brain.brain import Brain
from brain.errors import BadInput
from brain.permissions import guest, local_admin
from eval.incidents import arms, plan, replay, run, sets, variants
from eval.incidents.events import Deploy, Merge
from eval.incidents.timeline import timeline

FEW = ("V01", "V05", "V09", "V12", "V13", "V17")
TEXTS = (".md", ".json")
HOUR, DAY = 3600, 86_400


@pytest.fixture(scope="module", params=plan.COMPANIES)
def told(request):
    org = plan.company(request.param)
    return timeline(org, plan.cases(request.param, org.start, variants.SEED), variants.SEED)


def herrings(told, kind):
    return [(case, c, told.made[case.id, n]) for case in told.cases for n, c in enumerate(case.changes) if c.herring == kind]


def before(told, made):
    """The deployments of the same service to the same place before this one that went well."""
    return [d for d in told.deploys if (d.service, d.env, d.status) == (made.service, made.env, "success") and d.at < made.at]


def test_what_touches_texts_only_brings_nothing_else(told):
    for case, _, made in herrings(told, "texts_only"):
        last = before(told, made)[-1].merge.at if before(told, made) else 0
        brought = [m for m in told.merges if m.service == made.service and last < m.at <= made.merge.at]
        assert brought and all(f.endswith(TEXTS) for m in brought for f in m.files), case.id


def test_the_same_version_is_the_one_that_ran_before(told):
    for case, _, made in herrings(told, "same_version"):
        assert before(told, made) and before(told, made)[-1].merge is made.merge, case.id


def test_what_was_rolled_back_was_so_before_the_alert(told):
    for case, _, made in herrings(told, "rolled_back"):
        back = [d for d in told.deploys if d.back == made.id]
        assert back and made.at < back[0].at < case.at and back[0].merge is not made.merge, case.id


def test_what_is_healthy_elsewhere_runs_there_since_a_day_before(told):
    for case, c, made in herrings(told, "healthy"):
        elsewhere = [d for d in told.deploys if d.service == made.service and d.env == c.raw["healthy"] and d.at < case.at - DAY]
        assert elsewhere and elsewhere[-1].merge is made.merge, case.id


def test_other_herrings_are_what_they_are_called(told):
    assert all(made.status == "failure" for _, _, made in herrings(told, "failed"))
    assert all(made.env == "staging" for _, _, made in herrings(told, "staging"))
    assert all(made.service not in told.org.hops(case.service) for case, _, made in herrings(told, "unneeded"))
    assert all(made.at > case.at for case, _, made in herrings(told, "after"))
    assert all(made.at < case.at - 2 * DAY for case, _, made in herrings(told, "long_before"))


def test_a_cause_is_something_that_the_alerting_service_needs_and_comes_before_it(told):
    for case in told.cases:
        for n, c in enumerate(case.changes):
            if c.role == "cause":
                made = told.made[case.id, n]
                assert made.service in told.org.hops(case.service) and c.at < case.at, case.id
                assert isinstance(made, Merge) == (c.service in told.org.unrecorded), case.id


def test_in_a_quiet_window_nothing_happens_to_what_is_needed_but_what_is_harmless(told):
    for case in told.cases:
        if case.quiet:
            mine = {id(told.made[case.id, n]) for n, _ in enumerate(case.changes)}
            mine |= {id(m.merge) for m in (told.made[case.id, n] for n, _ in enumerate(case.changes)) if isinstance(m, Deploy)}
            events = [*told.merges, *told.deploys, *told.flags, *(t for t in told.tickets if t.kind == "Change")]
            other = [e for e in events if id(e) not in mine and e.service in told.org.hops(case.service) and case.at - DAY <= e.at <= case.at]
            assert other == [], case.id


def test_around_the_script_lie_ordinary_weeks(told):
    planned = {id(made) for made in told.made.values()}
    ordinary = [d for d in told.deploys if id(d) not in planned and not d.back]
    assert len(ordinary) > 5 * len(planned) and len(told.alerts) > 1.5 * len(told.cases) and any(t.kind != "Change" for t in told.tickets)
    busy = [c for c in told.cases if any(d.service in told.org.hops(c.service) and c.at - DAY < d.at < c.at for d in ordinary)]
    assert len(busy) >= len(told.cases) / 5, "base-rate noise stands beside causes"


def test_at_least_a_third_of_the_causes_share_no_word_with_their_alert():
    shared = []
    for name in plan.COMPANIES:
        for case in yaml.safe_load((plan.HERE / f"{name}_cases.yaml").read_text("utf-8")):
            alert = words(" ".join((case["alert"][0], *case["alert"][2:])))
            shared += [bool(alert & words(f"{c.get('title', c.get('name'))} {c['body']}")) for c in case["changes"] if c.get("cause")]
    assert shared.count(False) >= len(shared) / 3 and len(shared) > 25


def words(text):
    return {word[:5] for word in re.findall(r"[a-z]+", text.lower()) if len(word) > 3}


def test_the_same_seed_gives_the_same_bytes_another_one_other_days_and_no_file_says_what_is_right(tmp_path):
    made = {}
    for name, seed in (("one", 5), ("two", 5), ("other", 6)):
        variants.write(tmp_path / name, "lanternhouse", seed, only=("W01", "W09", "W14"))
        files = [p for p in sorted((tmp_path / name).rglob("*")) if p.is_file() and ".git/" not in p.as_posix()]
        made[name] = {p.relative_to(tmp_path / name).as_posix(): p.read_bytes() for p in files}
    assert made["one"] == made["two"] != made["other"]
    assert not [n for n, data in made["one"].items() if b"herring" in data or b"W01" in data or b"@example" in data]


@pytest.fixture(scope="module")
def laundry(home):
    """Six alerts of the laundry in the workspace that is theirs."""
    opened = Brain.open(home, sets.WORKSPACES["whitefold"])
    assert arms.ready(opened, FEW, embed=False)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def replayed(laundry, tmp_path_factory):
    folder = tmp_path_factory.mktemp("laundry")
    truths = variants.write(folder, "whitefold", only=FEW)
    few = list(sets.replays(folder, "whitefold", truths))
    look = arms.looker({laundry.workspace: laundry}, lambda brain, own: local_admin())
    return few, *run.run(few, run.ARMS, look)


def test_what_is_loaded_is_loaded_once_and_anew_when_it_would_be_written_otherwise(laundry):
    assert not arms.ready(laundry, FEW, embed=False)
    laundry.store.set_meta(laundry.workspace, {arms.NOTE: "whitefold 0"})
    assert arms.ready(laundry, FEW, embed=False)


def test_a_workspace_of_something_else_is_left_alone(shared_store, home):
    with pytest.raises(BadInput, match="holds no invented company"):
        arms.ready(Brain.open(home, "somebodys"))


def test_another_seed_has_a_workspace_of_its_own_and_the_same_script(tmp_path):
    found = sets.seeded("lanternhouse", 9)
    assert {r.workspace for r in found} == {"variants-alt-9"} and sets.company_of("variants-alt-9") == ("lanternhouse", 9)
    assert sets.company_of("variants") == ("whitefold", variants.SEED) and sets.company_of("variants-of-mine") is None
    shipped = replay.load(replay.SETS / "incidents.alt.jsonl")
    assert [(r.id, r.broke, r.hops) for r in found] == [(r.id, r.broke, r.hops) for r in shipped]
    assert [r.as_of for r in found] != [r.as_of for r in shipped]


def test_everything_that_is_right_is_in_the_graph_and_open_to_a_guest(laundry, replayed):
    few = replayed[0]
    keys = {k for r in few for k in (r.alert, *r.causes, *r.herrings, *r.broke, *r.page, *(o for v in r.same.values() for o in v))}
    found = {row["key"] for row in laundry.looking(guest()).run("by_keys", keys=sorted(keys)).rows}
    assert found == keys and {r.id for r in few} == set(FEW)


def test_every_arm_answers_every_alert_and_the_graph_finds_most(replayed):
    few, records, summary = replayed
    assert len(records) == 3 * len(few) and not [r["error"] for r in records if r["error"]]
    graph, rule = summary["measures"]["graph"], summary["measures"]["baseline"]
    assert graph["ac1"]["n"] == 5 and graph["ac1"]["mean"] >= 0.6 > rule["ac1"]["mean"]
    assert graph["accused"]["mean"] == 0 and graph["steps"] > 3 and graph["p50_ms"] > 0


def test_a_way_is_checked_in_the_graph_and_not_believed(laundry, replayed):
    check = arms.stands(laundry, local_admin())
    far = next(r for r in replayed[0] if r.id == "V09")
    assert check((far.alert, "service:partner-link", "service:front-door", "service:doorman", far.causes[0]))
    assert not check((far.alert, "service:partner-link", "service:doorman", far.causes[0]))
    assert not check((far.alert, far.causes[0]))
    grounded = [r["score"]["grounded"] for r in replayed[1] if r["arm"] == "graph" and r["said"]["named"]]
    assert grounded and all(value == 1 for value in grounded)


def test_nothing_is_known_of_an_alert_that_was_written_after_it(laundry, replayed):
    for one in replayed[0]:
        inv = laundry.incidents(local_admin(), one.as_of).investigate(one.alert, playbooks=False, save=False)
        later = [n.key for n in inv.nodes if (n.props.get("at") or 0) > one.as_of] + [p.key for p in inv.passages if p.at > one.as_of]
        assert later == [] and inv.signal.ended_at is None, one.id


def test_alerts_are_read_from_the_files_as_they_are(tmp_path):
    variants.write(tmp_path, "whitefold", only=("V17",))
    lines = [json.loads(line) for line in Path(tmp_path / "alerts/alertmanager.jsonl").read_text("utf-8").splitlines()]
    assert {m["status"] for m in lines} == {"firing", "resolved"} and {m["version"] for m in lines} == {"4"}
