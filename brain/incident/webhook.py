"""What an alerting system sends, as signals, without loading it: Alertmanager's and Grafana's messages, alerts of their interfaces,
events and incidents of PagerDuty.

An alert that is loaded is that one; any other stands on the service that its labels name, as far as who asks may see it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from brain.connectors.alerts_rows import ON
from brain.connectors.alerts_shapes import alert, incident, is_alert, is_incident
from brain.connectors.company import plain
from brain.connectors.git_message import People
from brain.connectors.record_fields import line, name_in, text
from brain.errors import BadInput
from brain.incident.findings import Signal
from brain.tools.asking import Asking

MOST_BYTES, MOST_ALERTS = 32 << 20, 2000
LABELS = (*ON, "workload", "statefulset", "daemonset", "namespace", "kubernetes_namespace", "target", "host")
_DECODER = json.JSONDecoder()
_SPACE = " \t\r\n\ufeff"
_LISTS = ("incidents", "items", "data", "messages")

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Received:
    """The signals of a message, those still firing first, and a line for everything in it that gives none."""

    signals: tuple[Signal, ...]
    told: tuple[str, ...] = ()


def signals(data: bytes | str, asking: Asking) -> list[Signal]:
    """The signals of a message. Raises BadInput, in one line, when it is none, was cut off, or holds nothing that could be one."""
    return list(received(data, asking).signals)


def received(data: bytes | str, asking: Asking) -> Received:
    """The signals of a message, and what in it gives none. Raises BadInput as `signals` does."""
    records: list[dict[str, Any]] = []
    told: list[str] = []
    for number, part in enumerate(_parts(data), 1):
        try:
            records.append(part())
        except ValueError as error:
            told.append(f"alert {number} of the message {error}")
        if len(records) > MOST_ALERTS:
            raise BadInput(f"the message holds more than {MOST_ALERTS:,} alerts; send the alerts of one group")
    if not records:
        raise BadInput(told[0] if told else "the message holds no alert; Alertmanager's, Grafana's and PagerDuty's are read")
    left_out = sum(record.get("truncated", 0) for record in records[:1])
    if left_out:
        told.append(f"the sender left {left_out} alerts of this group out of the message")
    return Received(tuple(_made(list(_newest(records)), asking)), tuple(told))


def unknown(signal: Signal) -> str:
    """Of a signal without a service, one line that says which of its labels were looked at; "" for one that has one."""
    if signal.service:
        return ""
    looked = [f"{name}={value}" for name, value in _naming(signal.labels)]
    said = f"looked at {', '.join(looked[:6])}" if looked else f"it has none of the labels {', '.join(LABELS[:4])} and the like"
    return f"No label of {signal.name or signal.title!r} names a service that is known here: {said}."


# -- reading ---------------------------------------------------------------------------------


def _parts(data: bytes | str) -> Iterator[partial[dict[str, Any]]]:
    """What makes the record of each alert or incident in the message, in order."""
    for value in _values(_decoded(data)):
        for raw in _opened(value):
            if is_incident(raw):
                yield partial(_of_pager, raw)
            elif is_alert(raw) or isinstance(raw.get("alerts"), list):
                told = raw.get("truncatedAlerts")
                left_out = told if isinstance(told, int) else 0
                inner = raw.get("alerts")
                parts = [(one, raw) for one in inner] if isinstance(inner, list) else [(raw, {})]
                yield from (partial(_of_alert, one, group, left_out) for one, group in parts)


def _decoded(data: bytes | str) -> str:
    if len(data) > MOST_BYTES:
        raise BadInput(f"the message is larger than {MOST_BYTES >> 20} MB; send the alerts of one group")
    if isinstance(data, str):
        return data
    try:
        return data.decode(json.detect_encoding(data))
    except UnicodeDecodeError as error:
        raise BadInput(f"the message is no text: byte {error.start} is not {error.encoding}") from None


def _values(said: str) -> Iterator[Any]:
    """The JSON values in the text, one after the other."""
    at = _past(said, 0)
    if at == len(said):
        raise BadInput("the message is empty")
    while at < len(said):
        try:
            value, at = _DECODER.raw_decode(said, at)
        except json.JSONDecodeError as error:
            cut = error.pos >= len(said.rstrip()) - 1 or error.msg.startswith(("Unterminated string", "Invalid \\"))
            why = "ends too early and was cut off" if cut else f"is no JSON: {error.msg[:1].lower()}{error.msg[1:]}"
            raise BadInput(f"the message {why} (line {error.lineno}, column {error.colno})") from None
        except (RecursionError, ValueError):
            raise BadInput("the message is no JSON that can be read: nested too deep, or a number too long") from None
        yield value
        at = _past(said, at)


def _past(said: str, at: int) -> int:
    while at < len(said) and said[at] in _SPACE:
        at += 1
    return at


def _opened(value: Any, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """The objects in a value that are alerts, messages or incidents, out of the lists and events that wrap them."""
    if isinstance(value, list) and depth < 4:
        for one in value:
            yield from _opened(one, depth + 1)
        return
    if not isinstance(value, Mapping):
        return
    event = value.get("event")
    if is_alert(value) or is_incident(value) or isinstance(value.get("alerts"), list):
        yield value
    elif isinstance(event, Mapping) and isinstance(event.get("data"), Mapping):
        yield {"incident_key": None, **event["data"]} if "status" in event["data"] else event["data"]
    elif isinstance(value.get("payload"), Mapping) and "event_action" in value:
        yield _of_event(value, value["payload"])
    elif "ruleName" in value and "state" in value:
        yield _of_rule(value)
    elif depth < 4:
        yield from (found for name in _LISTS if name in value for found in _opened(value[name], depth + 1))


def _of_event(raw: Mapping[str, Any], payload: Mapping[str, Any]) -> dict[str, Any]:
    """An event as it is sent to PagerDuty, as an alert."""
    details = payload.get("custom_details")
    labels = {**(details if isinstance(details, Mapping) else {}), **{n: payload[n] for n in ("component", "severity") if payload.get(n)}}
    labels |= {name: payload[of] for name, of in (("service", "group"), ("instance", "source"), ("class", "class")) if payload.get(of)}
    return {
        "labels": {"alertname": payload.get("summary"), **labels}, "annotations": {}, "startsAt": payload.get("timestamp"),
        "fingerprint": raw.get("dedup_key"), "status": "resolved" if raw["event_action"] == "resolve" else "firing",
        "endsAt": payload.get("timestamp") if raw["event_action"] == "resolve" else None,
    }  # fmt: skip


def _of_rule(raw: Mapping[str, Any]) -> dict[str, Any]:
    """A message of Grafana's alerting of before version 9, as an alert."""
    tags = raw.get("tags")
    over = raw["state"] == "ok"
    return {
        "labels": {"alertname": raw["ruleName"], **(tags if isinstance(tags, Mapping) else {})}, "status": "resolved" if over else "firing",
        "annotations": {"summary": raw.get("title"), "description": raw.get("message")}, "generatorURL": raw.get("ruleUrl"),
    }  # fmt: skip


def _of_alert(raw: Any, group: Record, truncated: int) -> dict[str, Any]:
    if not isinstance(raw, Mapping):
        raise ValueError("is no alert")
    return {**alert(raw, group), "truncated": truncated}


def _of_pager(raw: Record) -> dict[str, Any]:
    """An incident of PagerDuty as the record of an alert; whom it names is not looked at."""
    made = incident(raw, People(b"none"))
    labels = {"service": made["service"], **({"priority": made["severity"]} if made["severity"] else {})}
    return {
        **made, "fingerprint": made["dedup"] or made["id"], "labels": {k: v for k, v in labels.items() if v}, "annotations": {},
        "severity": line(name_in(raw.get("urgency"))), "id": f"{made['dedup'] or made['id']}@{made['at'] or 0}",
    }  # fmt: skip


def _newest(records: Iterable[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    """Of several messages about one alert the newest."""
    best: dict[str, dict[str, Any]] = {}
    for record in records:
        known = best.get(record["id"])
        if known is None or (record["newest"], record["status"] == "resolved") >= (known["newest"], known["status"] == "resolved"):
            best[record["id"]] = record
    return best.values()


# -- matching --------------------------------------------------------------------------------


def _made(records: Sequence[dict[str, Any]], asking: Asking) -> list[Signal]:
    prints = sorted({str(r["fingerprint"]) for r in records})
    loaded = [row for at in range(0, len(prints), 1000) for row in asking.run("alerts_told", fingerprints=prints[at : at + 1000]).rows]
    alone: dict[str, Record] = {f"{row['fingerprint']}@{row['at'] or 0}": row for row in loaded}
    names = {plain(value) for record in records for _, value in _naming(record["labels"])}
    called: dict[str, list[Record]] = {}
    for row in asking.run("runs_called", names=sorted(names)).rows if names else ():
        for form in set(row["forms"]):
            called.setdefault(form, []).append(row)
    made = [_signal(record, alone.get(f"{record['fingerprint']}@{record['at'] or 0}"), called, asking.as_of) for record in records]
    return sorted(made, key=lambda s: (s.ended_at is not None, -s.at, s.name, s.service))


def _signal(record: Record, known: Record | None, called: Mapping[str, list[Record]], now: int) -> Signal:
    notes = record["annotations"]
    said = [notes.get("summary", ""), notes.get("description", ""), text(record["description"])]
    said += [value for name, value in notes.items() if name not in ("summary", "description") and "url" not in name.lower()]
    service, service_name = (known["on"] or "", known["on_name"] or "") if known else ("", "")
    if not service:
        service, service_name = _service(record["labels"], called)
    return Signal(
        key=str(known["key"]) if known else "", name=record["title"], title=notes.get("summary", "") or record["title"], service=service,
        service_name=service_name, at=record["at"] or now, ended_at=record["ended_at"], severity=record["severity"],
        labels=dict(record["labels"]), text="\n".join(dict.fromkeys(filter(None, said))),
    )  # fmt: skip


def _naming(labels: Mapping[str, str]) -> list[tuple[str, str]]:
    """The labels that may name what an alert fired on, in the order in which they count."""
    plain_names = {re.sub(r"[./-]", "_", name): name for name in labels}
    return [(plain_names[name], labels[plain_names[name]]) for name in LABELS if name in plain_names and labels[plain_names[name]]]


def _service(labels: Mapping[str, str], called: Mapping[str, list[Record]]) -> tuple[str, str]:
    """Key and name of what the first label names that names a described service or resource; else of a service that is only known
    by name, where the label `service` names it.
    """
    by_name: list[Record] = []
    for name, value in _naming(labels):
        found = called.get(plain(value), [])
        described = [row for row in found if row["known"]]
        services = [row for row in described if row["label"] == "Service"] or described
        if len(services) == 1:
            return str(services[0]["key"]), str(services[0]["name"])
        by_name = by_name or (found if name == "service" and len(found) == 1 else [])
    return (str(by_name[0]["key"]), str(by_name[0]["name"])) if by_name else ("", "")
