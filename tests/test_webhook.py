"""What an alerting system sends, as signals: matched to what is loaded, put on the service that its labels name, each bad one a line."""

from __future__ import annotations

import json

import pytest
from small_company import build
from small_graph import CANARY, NOW, asking, at

from brain import catalogue, permissions
from brain.errors import BadInput
from brain.incident import webhook
from brain.incident.run import Surroundings, begun, investigate
from brain.incident.signal import signal as by_name
from brain.tools import tools

FIRED = at("2025-11-29T02:41:00")
KNOWN = "0e06d5f413d88dc9"


@pytest.fixture(scope="module")
def store(shared_store):
    build(shared_store, "webhook")
    build(shared_store, "webhook-aud", "aud")
    return shared_store


@pytest.fixture
def ask(store):
    return asking(store, "webhook")


def alert(service="event-bus", start="2025-11-30T10:00:00Z", **more):
    labels = {"alertname": "BusStalls", "severity": "critical", **({"service": service} if service else {}), **more.pop("labels", {})}
    return {"status": "firing", "labels": labels, "annotations": {"summary": "The bus stalls", "description": "Nothing comes"}, "startsAt": start,
            "endsAt": "0001-01-01T00:00:00Z", "generatorURL": "https://x.example/g", **more}  # fmt: skip


def message(*alerts, **more):
    return json.dumps({"receiver": "r", "status": "firing", "alerts": list(alerts), "groupLabels": {}, "commonLabels": {}, "commonAnnotations": {},
                       "externalURL": "https://a.example", "version": "4", "groupKey": "{}", "truncatedAlerts": 0, **more})  # fmt: skip


def test_an_alert_that_is_not_loaded_stands_on_the_service_that_its_label_names(ask):
    (one,) = webhook.signals(message(alert()), ask)
    assert (one.key, one.service, one.service_name, one.at, one.ended_at) == ("", "service:event-bus", "event-bus", at("2025-11-30T10:00:00"), None)
    assert (one.name, one.title, one.severity, one.labels["service"]) == ("BusStalls", "The bus stalls", "critical", "event-bus")
    assert one.text == "The bus stalls\nNothing comes" and not webhook.unknown(one)


def test_an_alert_that_is_loaded_is_that_one_by_its_fingerprint_and_when_it_began(ask):
    (same,) = webhook.signals(message(alert("nonsense", "2025-11-29T02:41:00Z", fingerprint=KNOWN)), ask)
    assert (same.key, same.service, same.at) == (f"alert:{KNOWN}", "service:threshold-watch", FIRED)
    (again,) = webhook.signals(message(alert("event-bus", "2025-11-29T02:42:00Z", fingerprint=KNOWN)), ask)
    assert (again.key, again.service) == ("", "service:event-bus")


@pytest.mark.parametrize(
    ("labels", "service"),
    [
        ({"app.kubernetes.io/name": "event-bus"}, "service:event-bus"), ({"job": "Event_Bus"}, "service:event-bus"), ({"namespace": "map-tiles"}, "service:map-tiles"),
        ({"job": "node", "container": "tide-model"}, "service:tide-model"), ({"service": "nothing-here", "app": "rota"}, "service:rota"),
        ({"instance": "event-bus"}, ""), ({"job": "node"}, ""), ({}, ""),
    ],
)  # fmt: skip
def test_the_first_label_that_names_a_loaded_service_counts(ask, labels, service):
    (one,) = webhook.signals(message(alert("", labels=labels)), ask)
    assert one.service == service


def test_of_an_unknown_service_one_line_says_which_labels_were_looked_at(ask):
    (one,) = webhook.signals(message(alert("left-luggage", labels={"job": "node"})), ask)
    assert one.service == "" and one.labels["service"] == "left-luggage"
    assert webhook.unknown(one) == "No label of 'BusStalls' names a service that is known here: looked at service=left-luggage, job=node."
    (bare,) = webhook.signals(message(alert("")), ask)
    assert webhook.unknown(bare).endswith("it has none of the labels service, service_name, app, application and the like.")


def test_what_the_asker_may_not_see_is_as_if_it_were_not_loaded(store):
    sent = message(alert("event-bus", "2025-11-29T02:30:00Z", fingerprint=CANARY))
    (hidden,) = webhook.signals(sent, asking(store, "webhook-aud"))
    (absent,) = webhook.signals(sent, asking(store, "webhook"))
    assert hidden == absent and hidden.key == ""
    (granted,) = webhook.signals(sent, asking(store, "webhook-aud", permissions.member("m", frozenset({"team:secret"}))))
    assert granted.key == f"alert:{CANARY}"
    assert webhook.signals(sent, asking(store, "webhook", permissions.nobody()))[0].service == ""


def test_a_message_that_only_tells_that_it_is_over_says_when_it_ended(ask):
    over = alert(status="resolved", endsAt="2025-11-30T11:00:00Z")
    (one,) = webhook.signals(message(over, status="resolved"), ask)
    assert one.ended_at == at("2025-11-30T11:00:00")


def test_of_many_alerts_those_still_firing_come_first_and_each_is_there_once(ask):
    over = alert("rota", status="resolved", endsAt="2025-11-30T11:00:00Z")
    sent = message(over, alert(), alert("map-tiles", "2025-11-30T10:05:00Z"), alert())
    assert [s.service for s in webhook.signals(sent, ask)] == ["service:map-tiles", "service:event-bus", "service:rota"]
    later = f"{message(alert())}\n{message(alert(status='resolved', endsAt='2025-11-30T11:00:00Z'))}\n"
    assert [s.ended_at for s in webhook.signals(later, ask)] == [at("2025-11-30T11:00:00")]


def bare(**more):
    return {**alert(), "status": {"state": "active", "silencedBy": [], "inhibitedBy": []}, "endsAt": "2025-11-30T10:09:00Z", "receivers": [{"name": "r"}], **more}


@pytest.mark.parametrize(
    ("value", "key"),
    [
        (bare(), ""),
        ([bare()], ""),
        ({"status": "success", "data": {"alerts": [{"labels": alert()["labels"], "annotations": {}, "state": "firing", "activeAt": "2025-11-30T10:00:00Z"}]}}, ""),
        ({"receiver": "g", "status": "firing", "orgId": 1, "alerts": [{**alert(), "values": {"B": 44.2}, "dashboardURL": ""}], "title": "t", "state": "alerting", "message": "m"}, ""),
        ({"event": {"id": "1", "event_type": "incident.triggered", "data": {"id": "Q1", "type": "incident", "title": "BusStalls", "status": "triggered", "urgency": "high",
                    "created_at": "2025-11-30T10:00:00Z", "service": {"id": "P", "type": "service_reference", "summary": "event-bus"}}}}, ""),
        ({"routing_key": "k", "event_action": "trigger", "dedup_key": "d", "payload": {"summary": "BusStalls", "source": "host-1", "severity": "critical", "group": "event-bus",
                                                                                      "timestamp": "2025-11-30T10:00:00Z"}}, ""),
        ({"incidents": [{"id": "Q1", "incident_number": 1, "incident_key": KNOWN, "title": "Late", "status": "triggered", "created_at": "2025-11-29T02:41:00Z", "service": {"summary": "event-bus"}}]},
         f"alert:{KNOWN}"),
    ],
    ids=["alert", "alerts", "prometheus", "grafana", "pagerduty-webhook", "pagerduty-event", "pagerduty-list"],
)  # fmt: skip
def test_the_other_shapes_give_the_same_signal(ask, value, key):
    (one,) = webhook.signals(json.dumps(value), ask)
    assert one.key == key and one.ended_at is None
    if not key:
        assert (one.service, one.at, one.name) == ("service:event-bus", at("2025-11-30T10:00:00"), "BusStalls")


def test_an_alert_without_a_beginning_began_now(ask):
    old = {"ruleName": "BusStalls", "state": "alerting", "title": "[Alerting] BusStalls", "message": "It stalls", "tags": {"service": "event-bus"}}
    (one,) = webhook.signals(json.dumps(old), ask)
    assert (one.service, one.at) == ("service:event-bus", NOW)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("", "the message is empty"), (b"  \n", "the message is empty"), (message(alert())[:-40], "ends too early and was cut off"),
        (message(alert())[:200], "ends too early and was cut off"), ("<html>502</html>", "is no JSON: expecting value"), ('{"a": 1}', "holds no alert"), ("[]", "holds no alert"),
        ("[" * 200_000, "nested too deep"), (b"\xff\xfe\xff\xd8\xd8", "is no text"), (message(), "holds no alert"), ("12", "holds no alert"),
        (message("x"), "alert 1 of the message is no alert"), (message(alert(start="tomorrow")), "alert 1 of the message startsAt: 'tomorrow' is not a time"),
        ("x" * (webhook.MOST_BYTES + 1), "is larger than 32 MB"),
        (message(*[alert(start=1_764_000_000 + n) for n in range(webhook.MOST_ALERTS + 1)]), "holds more than 2,000 alerts"),
    ],
    ids=["nothing", "blank", "cut", "cut-early", "page", "object", "list", "deep", "binary", "no-alerts", "number", "no-alert", "no-time", "large", "many"],
)  # fmt: skip
def test_what_gives_no_signal_is_one_clear_line(ask, data, said):
    with pytest.raises(BadInput) as raised:
        webhook.signals(data, ask)
    assert said in str(raised.value) and "\n" not in str(raised.value) and len(str(raised.value)) < 200


def test_a_message_of_ten_megabytes_is_read(ask):
    big = message(alert(annotations={"summary": "The bus stalls", "log": "x " * 5_000_000}))
    (one,) = webhook.signals(big.encode(), ask)
    assert one.service == "service:event-bus" and len(one.text) < 300_000


def test_one_bad_alert_among_others_costs_only_itself_and_is_told(ask):
    sent = message(17, alert(), alert("rota", start="tomorrow"), truncatedAlerts=7)
    got = webhook.received(sent, ask)
    assert [s.service for s in got.signals] == ["service:event-bus"]
    assert got.told == ("alert 1 of the message is no alert", "alert 3 of the message startsAt: 'tomorrow' is not a time",
                        "the sender left 7 alerts of this group out of the message")  # fmt: skip


def test_addresses_in_a_message_are_kept_nowhere(ask):
    (one,) = webhook.signals(message(alert(annotations={"summary": "Ask ada@example.org"}, labels={"owner": "ada@example.org"})), ask)
    assert "@" not in f"{one}"


def test_the_way_to_a_change_leads_from_the_service_where_the_alert_is_not_loaded(ask):
    way = tools(catalogue.shipped())["causal_path"]
    change = "deploy:event-bus-20251129-0111"
    (loaded,) = way.run(ask, alert=f"alert:{KNOWN}", changes=[change]).rows
    (sent,) = way.run(ask, alert="service:threshold-watch", changes=[change]).rows
    assert sent["path"] == loaded["path"][1:] and sent["rels"] == loaded["rels"][1:] and sent["path"][0] == "service:threshold-watch" and sent["path"][-1] == change


def test_an_alert_that_is_not_loaded_is_investigated_like_one_that_is(store):
    room = asking(store, "webhook")
    signal = webhook.signals(message(alert("threshold-watch", "2025-11-29T02:41:00Z")), room)[0]
    around = Surroundings(room, tools(catalogue.shipped()), lambda: None)
    sent, loaded = (investigate(begun(one, room, "graph", "builtin", 86_400), around) for one in (signal, by_name(room, f"alert:{KNOWN}")))
    assert [s.key for s in sent.suspects] == [s.key for s in loaded.suspects] != []
    assert [s.path for s in sent.suspects if s.path] == [s.path[1:] for s in loaded.suspects if s.path] != []
