"""Alerts as their senders write them, with what they leave out, and PagerDuty's incidents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from company_files import Rows, fetched, skips, written

from brain.connectors import alerts
from brain.connectors.alerts_shapes import label_fingerprint
from brain.errors import BadInput

SAMPLES = Path(__file__).parent.parent.parent / "shared" / "formats" / "alertmanager"


def at(text):
    from datetime import UTC, datetime

    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


def one(status="firing", starts="2025-03-01T10:00:00Z", ends="0001-01-01T00:00:00Z", **labels):
    labels = {"alertname": "KilnCold", "severity": "critical", **labels}
    return {"status": status, "labels": labels, "annotations": {"summary": "A kiln is cold"}, "startsAt": starts, "endsAt": ends,
            "fingerprint": label_fingerprint(labels)}  # fmt: skip


def message(*listed, **more):
    return {"receiver": "hook", "status": "firing", "alerts": list(listed), "commonLabels": {}, "version": "4", **more}


def lines(path, *values):
    return written(path, "".join(json.dumps(v) + "\n" for v in values))


def test_the_fingerprint_of_labels_is_the_one_that_alertmanager_gives():
    assert label_fingerprint({}) == "cbf29ce484222325", "the hash of nothing, as the library that Alertmanager uses has it"
    assert label_fingerprint({"a": "b", "c": "d"}) == label_fingerprint({"c": "d", "a": "b"}) != label_fingerprint({"a": "bc", "": "d"})


def test_a_message_of_two_alerts_is_two_alerts_with_what_is_common(tmp_path):
    file = lines(tmp_path / "a" / "x.jsonl", message(one(service="kiln-control"), one(service="burner"), commonLabels={"site": "north"}))
    rows = Rows(fetched("alerts", file))
    keys = sorted(k for k in rows.nodes if k.startswith("alert:"))
    assert len(keys) == 2 and all(k.endswith("@2025-03-01T10:00:00Z") for k in keys)
    node = rows.nodes[keys[0]]
    assert (node["title"], node["name"], node["severity"], node["status"], node["at"]) == ("KilnCold", "A kiln is cold", "critical", "firing", at("2025-03-01T10:00"))
    assert "site=north" in node["labels"] and "site: north" in rows.texts[keys[0], "body"].body and "ended_at" not in node
    assert {dst for _, dst in rows.of("FIRED_ON")} == {"service:kiln-control", "service:burner"}
    assert rows.nodes["service:burner"] == {"name": "burner", "unknown": True}, "nobody describes it"


def test_firing_and_then_resolved_is_one_alert_whatever_order_they_come_in(tmp_path):
    first, last = message(one()), message(one("resolved", ends="2025-03-01T10:30:00Z"))
    for n, order in enumerate(((first, last), (last, first))):
        rows = Rows(fetched("alerts", lines(tmp_path / str(n) / "x.jsonl", *order)))
        (key,) = [k for k in rows.nodes if k.startswith("alert:")]
        assert rows.nodes[key]["status"] == "resolved" and rows.nodes[key]["ended_at"] == at("2025-03-01T10:30") and rows.skips == []


def test_an_alert_that_fires_again_is_another_alert(tmp_path):
    file = lines(tmp_path / "a" / "x.jsonl", message(one()), message(one(starts="2025-04-01T10:00:00Z")))
    assert len([k for k in Rows(fetched("alerts", file)).nodes if k.startswith("alert:")]) == 2


def test_a_fingerprint_that_is_not_of_the_labels_names_the_first_alert_and_never_joins_two(tmp_path):
    early, late = {**one(), "fingerprint": "beef"}, {**one(starts="2025-04-01T10:00:00Z"), "fingerprint": "beef"}
    other = {**one(device="b"), "fingerprint": "beef"}
    wanted = None
    for n, order in enumerate(((early, late, other), (other, late, early), (late, early, other))):
        rows = Rows(fetched("alerts", lines(tmp_path / str(n) / "x.jsonl", *(message(a) for a in order))))
        keys = {k for k in rows.nodes if k.startswith("alert:")}
        assert len(keys) == 3 and "alert:beef" in keys and keys == (wanted or keys)
        wanted = keys


def test_a_label_names_what_is_described_before_what_only_says_service(tmp_path):
    catalogue = written(tmp_path / "c" / "catalog-info.yaml", "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata:\n  name: burner\nspec:\n  type: service\n  owner: heat\n")
    file = lines(tmp_path / "a" / "x.jsonl", message(one(service="unheard-of", job="burner")))
    if "backstage" not in __import__("brain.connectors", fromlist=["FORMATS"]).FORMATS:
        pytest.skip("needs the catalogue's connector")
    rows = Rows(fetched("alerts", file), fetched("backstage", catalogue))
    assert {dst for _, dst in rows.of("FIRED_ON")} == {"service:burner"}


@pytest.mark.parametrize("gone", ["status", "fingerprint", "startsAt", "endsAt", "annotations"])
def test_what_a_sender_leaves_out_costs_nothing_else(tmp_path, gone):
    alert = {k: v for k, v in one("resolved", ends="2025-03-01T10:30:00Z").items() if k != gone}
    rows = Rows(fetched("alerts", lines(tmp_path / "a" / "x.jsonl", {"alerts": [alert], "version": "4"})))
    (key,) = [k for k in rows.nodes if k.startswith("alert:")]
    assert rows.nodes[key]["title"] == "KilnCold" and (rows.nodes[key].get("ended_at") is None) == (gone == "endsAt")


def test_lists_of_prometheus_and_plain_lines_are_alerts_too(tmp_path):
    prometheus = {"status": "success", "data": {"alerts": [{"labels": {"alertname": "KilnCold"}, "annotations": {}, "state": "firing", "activeAt": "2025-03-01T10:00:00.5Z", "value": "1"}]}}
    plain = {"id": "a-1", "alertname": "DoorOpen", "service": "door", "severity": "warning", "started_at": "2025-03-02T00:00:00Z", "ended_at": 1740877200, "status": "resolved"}
    for value in (prometheus, plain):
        file = lines(tmp_path / value.get("id", "p") / "x.json", value)
        assert alerts.recognise(file)
        rows = Rows(fetched("alerts", file))
        (node,) = [v for k, v in rows.nodes.items() if k.startswith("alert:")]
        assert node["at"] and node["title"] in ("KilnCold", "DoorOpen")
    assert rows.of("FIRED_ON") == {("alert:a-1", "service:door")} and node["ended_at"] == 1740877200


PAGER = {
    "id": "Q1", "incident_number": 7, "type": "incident", "title": "Kilns are cold", "status": "resolved", "urgency": "high", "incident_key": "beef",
    "created_at": "2025-03-01T10:01:00Z", "resolved_at": "2025-03-01T11:00:00Z", "last_status_change_at": "2025-03-01T11:00:00Z",
    "service": {"id": "PK", "summary": "kiln-control"}, "assignments": [],
    "acknowledgements": [{"at": "2025-03-01T10:05:00Z", "acknowledger": {"type": "user_reference", "id": "PA", "summary": "Ada Byron", "email": "ada@example.org"}}],
    "last_status_change_by": {"type": "user_reference", "id": "PC", "summary": "Cy Twombly"},
}  # fmt: skip


@pytest.mark.parametrize("wrap", [lambda i: {"incidents": [i], "limit": 25}, lambda i: [i], lambda i: {"event": {"event_type": "incident.resolved", "data": i}}, lambda i: i])
def test_an_incident_says_what_it_is_about_and_who_handled_it(tmp_path, wrap):
    file = written(tmp_path / "a" / "pd.json", json.dumps(wrap(PAGER), indent=1))
    assert alerts.recognise(file)
    records = fetched("alerts", file)
    rows = Rows(records, fetched("alerts", lines(tmp_path / "b" / "x.jsonl", message({**one(service="kiln-control"), "fingerprint": "beef"}))))
    assert rows.nodes["incident:Q1"]["ended_at"] == at("2025-03-01T11:00") and rows.nodes["incident:Q1"]["system"] == "pagerduty"
    assert rows.of("ABOUT") == {("incident:Q1", "service:kiln-control"), ("incident:Q1", "alert:beef")}
    assert rows.of("HANDLED_BY") == {("incident:Q1", "person:ada-byron"), ("incident:Q1", "person:cy-twombly")}
    assert rows.props["incident:Q1", "HANDLED_BY", "person:ada-byron"]["what"] == "acknowledged"
    assert "example.org" not in json.dumps(records)


def test_an_integration_that_resolves_an_incident_is_nobody(tmp_path):
    by_service = {**PAGER, "acknowledgements": [], "last_status_change_by": {"type": "service_reference", "id": "PK", "summary": "kiln-control"}}
    assert Rows(fetched("alerts", lines(tmp_path / "a" / "pd.json", by_service))).of("HANDLED_BY") == set()


def test_what_cannot_be_read_among_others_costs_itself(tmp_path):
    file = written(tmp_path / "a" / "x.jsonl", json.dumps(message(one())) + "\nbroken\n" + json.dumps({"hello": 1}) + "\n" + json.dumps(message(one(starts="soon"))) + "\n")
    records = fetched("alerts", file)
    assert [(line, reason[:24]) for reason, _, line in skips(records)] == [(2, "is not valid JSON"), (3, "is neither an alert nor "), (4, "startsAt: 'soon' is not ")]
    with pytest.raises(BadInput, match="holds no alerts that can be loaded"):
        fetched("alerts", written(tmp_path / "b" / "x.json", '{"hello": 1}'))


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the samples of real messages are not on this machine")
def test_every_real_message_loads():
    files = sorted(SAMPLES.rglob("*.json"))
    assert files and all(alerts.recognise(f) for f in files)
    records = fetched("alerts", SAMPLES, base=SAMPLES.parent)
    assert records[-1]["kept"] == sum(len(json.loads(f.read_text())["alerts"]) for f in files) and skips(records) == []
    assert len({k for k in Rows(records).nodes if k.startswith("alert:")}) == len({r["id"] for r in records if r["kind"] == "alert"})
