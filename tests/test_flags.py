"""Changes of feature flags as LaunchDarkly, Unleash, Flagsmith and GrowthBook write them, and as lines: what was turned on, where, for
which service, and that none of it is counted as a deployment.
"""

from __future__ import annotations

import json

import pytest
import small_graph
from company_files import Rows, fetched, skips, written
from test_deploys import CATALOGUE, at, lines

from brain import catalogue as queries
from brain.connectors import deploys, flags, tickets
from brain.errors import BadInput
from brain.tools import tools

DAY = 86_400
SECOND = """apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: burner
  annotations:
    launchdarkly.com/project-key: gas-side
spec:
  type: service
  owner: heat
"""


def catalogue(tmp_path, text=f"{CATALOGUE}---\n{SECOND}"):
    return fetched("backstage", written(tmp_path / "c" / "catalog-info.yaml", text))


def change(**more):
    return {"id": "f-1", "flag": "hot-glaze", "service": "kiln-control", "environment": "production", "at": "2025-03-01T10:00:00Z", "by": "ada",
            "action": "enabled", "from": "off", "to": "on", "description": "Asked for in KIL-7", **more}  # fmt: skip


def rows_of(tmp_path, *values, format="flags"):
    return Rows(fetched(format, lines(tmp_path / "f" / "x.jsonl", *values)), catalogue(tmp_path), strict=True)


def test_a_line_says_which_flag_was_turned_where_by_whom_and_for_which_service(tmp_path):
    file = lines(tmp_path / "f" / "x.jsonl", change())
    assert flags.recognise(file) and not deploys.recognise(file)
    rows = rows_of(tmp_path, change())
    node = rows.nodes["deploy:flag/lines/f-1"]
    assert (node["kind"], node["env"], node["status"], node["author"], node["at"]) == ("flag", "production", "enabled", "ada", at("2025-03-01T10:00"))
    assert node["name"] == "turned on `hot-glaze` in production" and "version" not in node
    assert rows.of("MODIFIES") == {("deploy:flag/lines/f-1", "service:kiln-control")} and not rows.of("DEPLOYED_TO")
    assert not [skip for skip in rows.skips if "flag" in skip.reason]
    assert "Feature flag: hot-glaze" in rows.texts["deploy:flag/lines/f-1", "body"].body


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({"action": "disabled", "from": "on", "to": "off"}, "turned off `hot-glaze` in production"),
        ({"action": "updated", "from": "10%", "to": "50%"}, "changed `hot-glaze` in production from 10% to 50%"),
        ({"action": "", "from": None, "to": True}, "turned on `hot-glaze` in production"),
        ({"action": "FEATURE_DISABLED", "environment": ""}, "turned off `hot-glaze`"),
        ({"action": "updated", "from": "", "to": ""}, "changed `hot-glaze` in production"),
        ({"action": "deleted"}, "deleted `hot-glaze` in production from off to on"),
    ],
)  # fmt: skip
def test_what_was_done_is_told_from_the_action_or_else_from_the_values(tmp_path, more, name):
    assert rows_of(tmp_path, change(**more)).nodes["deploy:flag/lines/f-1"]["name"] == name


@pytest.mark.parametrize(
    ("more", "service", "how"),
    [
        ({"service": "Kiln Control"}, "kiln-control", "service"),
        ({"service": "ghost-oven"}, "ghost-oven", "service"),
        ({"service": "", "tags": ["winter", "burner"]}, "burner", "tag"),
        ({"service": "", "tags": ["service:burner"]}, "burner", "tag"),
        ({"service": "", "tags": [{"type": "service", "value": "burner"}]}, "burner", "tag"),
        ({"service": "", "project": "burner"}, "burner", "project"),
        ({"service": "", "project": "gas-side"}, "burner", "annotation"),
        ({"service": "", "flag": "kiln-control.hot-glaze"}, "kiln-control", "prefix"),
        ({"service": "", "flag": "kiln-control-hot-glaze"}, "kiln-control", "prefix"),
    ],
)  # fmt: skip
def test_the_service_is_known_by_field_tag_project_catalogue_or_the_beginning_of_the_flag(tmp_path, more, service, how):
    rows = rows_of(tmp_path, change(**more))
    assert rows.of("MODIFIES") == {("deploy:flag/lines/f-1", f"service:{service}")}
    assert rows.props["deploy:flag/lines/f-1", "MODIFIES", f"service:{service}"]["how"] == how


@pytest.mark.parametrize("more", [{}, {"project": "default", "tags": ["winter"]}, {"flag": "kilning.hot"}, {"flag": "kiln-controller-hot"}])
def test_a_change_that_names_no_service_is_kept_and_counted(tmp_path, more):
    rows = rows_of(tmp_path, change(service="", **more))
    assert "deploy:flag/lines/f-1" in rows.nodes and not rows.of("MODIFIES")
    assert [skip.reason for skip in rows.skips if "flag" in skip.reason] == ["a change of a feature flag that names no service; kept without one"]


def test_a_project_that_two_services_name_says_nothing_of_either(tmp_path):
    shared = f"{CATALOGUE.replace('github.com/project-slug: acme/kiln', 'launchdarkly.com/project-key: gas-side')}---\n{SECOND}"
    source = fetched("flags", lines(tmp_path / "f" / "x.jsonl", change(service="", project="gas-side")))
    assert not Rows(source, catalogue(tmp_path, shared)).of("MODIFIES")


def test_a_change_back_within_days_rolls_back_the_one_before_and_one_after_weeks_does_not(tmp_path):
    def back(days, **more):
        second = change(id="f-2", action="disabled", at=at("2025-03-01T10:00") + days * DAY, **{"from": "on", "to": "off", **more})
        return rows_of(tmp_path, change(), second).of("REFERENCES")

    assert back(1) == {("deploy:flag/lines/f-2", "deploy:flag/lines/f-1")}
    assert not back(30) and not back(1, environment="staging") and not back(1, flag="other")
    turned = rows_of(tmp_path, change(), change(id="f-2", action="updated", at="2025-03-02T10:00:00Z", **{"from": "on", "to": "5%"}))
    assert not turned.of("REFERENCES") and "rollback" not in turned.nodes["deploy:flag/lines/f-2"]


def test_what_fewer_may_read_does_not_make_a_change_a_return(tmp_path):
    first = fetched("flags", lines(tmp_path / "a" / "x.jsonl", change()), access="internal")
    second = fetched("flags", lines(tmp_path / "b" / "x.jsonl", change(id="f-2", action="disabled", at="2025-03-02T10:00:00Z", **{"from": "on", "to": "off"})))
    rows = Rows(first, second, catalogue(tmp_path))
    assert not rows.of("REFERENCES") and "rollback" not in rows.nodes["deploy:flag/lines/f-2"]


LAUNCHDARKLY = {
    "_id": "57c0a8e2", "_links": {"site": {"href": "/settings", "type": "text/html"}}, "date": 1_740_823_200_000, "kind": "flag", "name": "Hot glaze",
    "accesses": [{"action": "updateOn", "resource": "proj/gas-side;winter:env/production;{\"critical\":true}:flag/hot-glaze;burner,winter"}],
    "description": "", "comment": "For the fair", "member": {"_id": "5", "email": "ada@example.org", "firstName": "Ada", "lastName": "Byron"},
    "titleVerb": "turned on the flag", "title": "Ada turned on the flag", "target": {"name": "Hot glaze"},
}  # fmt: skip
UNLEASH = {
    "id": 842, "type": "feature-environment-disabled", "createdBy": "ada", "createdAt": "2025-03-01T10:00:00.521Z", "data": None, "preData": None,
    "tags": [{"type": "service", "value": "burner"}], "featureName": "hot-glaze", "project": "default", "environment": "production",
}  # fmt: skip
FLAGSMITH = {
    "event_type": "FLAG_UPDATED",
    "data": {
        "changed_by": "Ada Byron", "timestamp": "2025-03-01T10:00:00.595298Z",
        "new_state": {"enabled": True, "environment": {"id": 23, "name": "production"}, "feature": {"id": 7, "name": "hot-glaze", "project": {"id": 1, "name": "burner"}},
                      "feature_state_value": "a"},
        "previous_state": {"enabled": False, "environment": {"id": 23, "name": "production"}, "feature": {"id": 7, "name": "hot-glaze"}, "feature_state_value": "a"},
    },
}  # fmt: skip
AUDITED = {
    "id": 4, "created_date": "2025-03-01T10:00:00.006318Z", "log": "Flag state / Remote Config value updated for feature: hot-glaze",
    "author": {"id": 3, "email": "ada@example.org", "first_name": "Ada", "last_name": "Byron"}, "environment": {"id": 1, "name": "production"},
    "project": {"id": 6, "name": "burner"}, "related_object_id": 6, "related_object_type": "FEATURE_STATE",
}  # fmt: skip
GROWTHBOOK = {
    "event": "feature.updated", "object": "feature", "created": 1_740_823_200, "id": "event-1", "tags": ["burner"], "environments": ["production"],
    "user": {"type": "dashboard", "id": "u1", "email": "ada@example.org", "name": "Ada Byron"},
    "data": {"object": {"id": "hot-glaze", "project": "", "tags": ["burner"], "environments": {"production": {"enabled": False}, "dev": {"enabled": True}}},
             "previous_attributes": {"environments": {"production": {"enabled": True}, "dev": {"enabled": True}}}},
}  # fmt: skip


@pytest.mark.parametrize(
    ("raw", "key", "name"),
    [
        (LAUNCHDARKLY, "launchdarkly/57c0a8e2", "turned on `hot-glaze` in production"),
        (UNLEASH, "unleash/842", "turned off `hot-glaze` in production"),
        (FLAGSMITH, "flagsmith/hot-glaze-production-1740823200", "turned on `hot-glaze` in production"),
        (AUDITED, "flagsmith/4", "changed `hot-glaze` in production"),
        (GROWTHBOOK, "growthbook/event-1", "turned off `hot-glaze` in production"),
    ],
    ids=["launchdarkly", "unleash", "flagsmith", "flagsmith-audit", "growthbook"],
)  # fmt: skip
@pytest.mark.parametrize("wrapped", ["alone", "list", "page"])
def test_each_system_s_own_record_is_read(tmp_path, raw, key, name, wrapped):
    text = {"alone": json.dumps(raw), "list": json.dumps([raw, raw]), "page": json.dumps({"version": 1, "events": [raw], "total": 1}, indent=1)}[wrapped]
    file = written(tmp_path / "f" / "log.json", text)
    assert flags.recognise(file) and not deploys.recognise(file)
    rows = Rows(fetched("flags", file), catalogue(tmp_path))
    node = rows.nodes[f"deploy:flag/{key}"]
    assert (node["name"], node["at"], node["env"]) == (name, at("2025-03-01T10:00"), "production")
    assert rows.of("MODIFIES") == {(f"deploy:flag/{key}", "service:burner")}
    assert "@" not in json.dumps(rows.nodes) + json.dumps([t.body for t in rows.texts.values()])


def test_an_address_is_the_person_whom_a_list_of_people_gives_it(tmp_path):
    user = "---\napiVersion: backstage.io/v1alpha1\nkind: User\nmetadata:\n  name: ada.b\n  annotations:\n    github.com/user-login: adab\nspec:\n  profile:\n    displayName: Ada Byron\n    email: ada@example.org\n"
    rows = Rows(fetched("flags", written(tmp_path / "f" / "log.json", json.dumps({**UNLEASH, "createdBy": "ada@example.org"}))), catalogue(tmp_path, f"{SECOND}{user}"))
    assert rows.nodes["deploy:flag/unleash/842"]["author"] == "adab"


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ({**LAUNCHDARKLY, "kind": "segment"}, "is a change of a segment, not of a flag"),
        ({**LAUNCHDARKLY, "accesses": [{"action": "updateTags", "resource": "proj/a:env/b:flag/c"}]}, "turns nothing on or off"),
        ({**UNLEASH, "type": "feature-tagged"}, "turns nothing on or off"),
        ({**UNLEASH, "featureName": None}, "names no flag"),
        ({**AUDITED, "related_object_type": "SEGMENT"}, "is a change of something else than a flag"),
        (change(at="yesterday"), "'yesterday' is not a time"),
        ({"service": "a", "what": "b"}, "is no change of a feature flag"),
    ],
)  # fmt: skip
def test_what_is_no_change_of_a_flag_is_one_counted_line(tmp_path, raw, reason):
    found = fetched("flags", lines(tmp_path / "f" / "x.jsonl", change(id="kept"), raw))
    assert skips(found) == [(reason, "x.jsonl", 2)]


def test_a_file_without_any_says_so(tmp_path):
    with pytest.raises(BadInput, match="holds no flags that can be loaded"):
        fetched("flags", lines(tmp_path / "f" / "x.jsonl", {"flag": "x"}))


def test_a_deployment_and_a_ticket_are_no_change_of_a_flag_though_they_are_flagged(tmp_path):
    line = {"id": "d", "service": "burner", "version": "v2", "environment": "production", "sha": "a" * 40, "created_at": "2025-03-01T10:00:00Z", "status": "success"}
    for flagged in ({}, {"flag": True}, {"flag": ""}):
        file = lines(tmp_path / "d" / "x.jsonl", {**line, **flagged})
        assert deploys.recognise(file) and not flags.recognise(file)
    ticket = {"id": "SUP-4", "subject": "Cold pots", "status": "open", "created_at": "2025-03-02T06:00:00Z", "flag": "red", "description": "Cold",
              "priority": "high", "assignee": "ada", "requester": "Pot Shop", "tags": []}  # fmt: skip
    file = lines(tmp_path / "t" / "x.jsonl", ticket)
    assert not flags.recognise(file) and tickets.recognise(file)


@pytest.fixture(scope="module")
def graph(shared_store):
    """One deployment of a service and one change of a flag of it, with a text each."""
    r = small_graph.Rows([], [], [])
    r.node("service:burner", "burner")
    when = at("2025-11-01T10:00")
    for key, rel, more in (("deploy:burner-1", "DEPLOYED_TO", {"status": "success"}), ("deploy:flag/x/1", "MODIFIES", {"kind": "flag", "status": "enabled"})):
        r.node(key, f"glaze {key}", access="open", at=when, env="production", author="ada", **more)
        r.edge(key, rel, "service:burner", at=when)
        r.chunk(key, key, "hot glaze", when)
    small_graph.build(shared_store, "flags", None, r)
    known = tools(queries.shipped())
    return lambda tool, **args: known[tool].run(small_graph.asking(shared_store, "flags"), **args)


@pytest.mark.parametrize("more", [{}, {"path": "burner"}, {"status": ["enabled", "success"]}, {"text": "hot glaze"}, {"environment": ["production"]}])
def test_a_change_of_a_flag_is_counted_and_listed_as_no_deployment(graph, more):
    assert graph("measure", kind="deploys", **more).rows[0]["n"] == 1
    assert [r["key"] for r in graph("list_items", kind="deploys", **more).rows] == ["deploy:burner-1"]


def test_a_change_of_a_flag_is_among_what_changed_on_its_service(graph):
    rows = graph("recent_changes", target="burner", hops=0, since=at("2025-10-31"), until=at("2025-11-02")).rows
    assert {(r["what"], r["key"], r["on"]) for r in rows} == {("deploy", "deploy:burner-1", "service:burner"), ("flag", "deploy:flag/x/1", "service:burner")}
