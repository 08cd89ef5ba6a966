"""Alerts of Alertmanager, Prometheus and lines of JSON, and PagerDuty's incidents, brought to one record each."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from brain.connectors.git_message import Ident, People
from brain.connectors.record_fields import line, name_in, text, time_in, url

Raw = Mapping[str, Any]
_STARTS = ("startsAt", "starts_at", "started_at", "activeAt", "fired_at", "triggered_at", "created_at", "at", "time", "timestamp")
_ENDS = ("endsAt", "ends_at", "ended_at", "resolved_at", "closed_at")
_NAMES = ("alertname", "alert_name", "alert", "name", "title", "rule")
_OWN_LABELS = ("service", "app", "application", "job", "component", "team", "severity", "environment", "env", "instance", "site")


def is_alert(raw: Any) -> bool:
    """Whether an object is an alert, or a message that carries some."""
    if not isinstance(raw, Mapping):
        return False
    if isinstance(raw.get("alerts"), list):
        return bool({"receiver", "groupLabels", "commonLabels", "externalURL", "version"} & raw.keys()) and all(
            isinstance(one, Mapping) and "labels" in one for one in raw["alerts"][:1]
        )
    labelled = isinstance(raw.get("labels"), Mapping) and bool({"startsAt", "activeAt", "annotations", "fingerprint"} & raw.keys())
    plain = bool({"alertname", "alert_name", "alert"} & raw.keys()) and any(name in raw for name in _STARTS)
    return labelled or plain


def is_incident(raw: Any) -> bool:
    """Whether an object is an incident of PagerDuty."""
    return isinstance(raw, Mapping) and bool({"incident_number", "incident_key"} & raw.keys()) and "status" in raw


def listed(raw: Raw) -> list[tuple[Raw, Raw]]:
    """The alerts of a message, each with the message, which says what all of them share; or the one alert that it is."""
    inner = raw.get("alerts")
    return [(one if isinstance(one, Mapping) else {}, raw) for one in inner] if isinstance(inner, list) else [(raw, {})]


def alert(raw: Raw, group: Raw) -> dict[str, Any]:
    """The record of an alert. Raises ValueError when it says nothing or a time of it is none."""
    labels = {**_plain(group.get("commonLabels")), **_plain(raw.get("labels"))}
    for name in _OWN_LABELS:
        if name not in labels and line(name_in(raw.get(name))):
            labels[name] = line(name_in(raw.get(name)))
    annotations = {**_plain(group.get("commonAnnotations")), **_plain(raw.get("annotations"))}
    status = raw.get("status") if raw.get("status") is not None else raw.get("state", group.get("status"))
    status = line(status.get("state") if isinstance(status, Mapping) else status).lower()
    title = labels.get("alertname") or line(_first(raw, _NAMES)) or annotations.get("summary", "")
    starts, ends = time_in(raw, _STARTS), time_in(raw, _ENDS)
    if not labels and not title:
        raise ValueError("has neither labels nor a name")
    over = ends if ends is not None and (status in ("resolved", "ok", "closed", "") or not status) else None
    own = label_fingerprint({k: str(v) for k, v in (raw.get("labels") or {}).items()} if isinstance(raw.get("labels"), Mapping) else labels)
    stated = line(raw.get("fingerprint") or raw.get("id"))
    print_ = stated or own
    return {
        "kind": "alert", "id": f"{print_}@{starts or 0}/{digest(labels)}", "fingerprint": print_, "recurs": print_ == own, "labels": labels,
        "annotations": annotations, "title": title or "alert", "status": status or ("resolved" if over else ""), "at": starts,
        "ended_at": over, "severity": labels.get("severity", "") or line(raw.get("severity")),
        "description": text(raw.get("description") or raw.get("summary")),
        "url": url(raw.get("generatorURL") or raw.get("url")), "newest": max(starts or 0, (over or 0) + 1 if over else 0),
    }  # fmt: skip


def label_fingerprint(labels: Mapping[str, str]) -> str:
    """What Alertmanager calls an alert with these labels: FNV-1a over the sorted names and values, each ended by 0xFF."""
    total = 14695981039346656037
    for name, value in sorted(labels.items()):
        for byte in (*name.encode(), 255, *value.encode(), 255):
            total = (total ^ byte) * 1099511628211 & 0xFFFFFFFFFFFFFFFF
    return f"{total:016x}"


def digest(labels: Mapping[str, str]) -> str:
    """A short name of a set of labels."""
    said = "\0".join(f"{name}={value}" for name, value in sorted(labels.items()))
    return hashlib.sha256(said.encode()).hexdigest()[:6]


def incident(raw: Raw, people: People) -> dict[str, Any]:
    """The record of an incident of PagerDuty. Raises ValueError without an id."""
    id_ = line(raw.get("id") or raw.get("incident_key"))
    if not id_:
        raise ValueError("has no id")
    status = line(raw.get("status")).lower()
    changed = time_in(raw, ("last_status_change_at", "updated_at"))
    ended = time_in(raw, ("resolved_at",)) or (changed if status == "resolved" else None)
    details = raw.get("body")
    return {
        "kind": "incident", "id": id_, "title": line(raw.get("title") or raw.get("summary")) or id_,
        "status": status, "at": time_in(raw, ("created_at", "created_on")), "ended_at": ended, "newest": max(changed or 0, ended or 0),
        "severity": line(name_in(raw.get("priority"))) or line(raw.get("urgency")), "dedup": line(raw.get("incident_key")),
        "service": line(name_in(raw.get("service"))), "service_id": line(_of(raw.get("service"), "id")),
        "teams": [line(name_in(one)) for one in raw.get("teams") or () if line(name_in(one))],
        "assigned": _acts(raw, ("assignments", "assigned_to"), "assignee", people), "url": url(raw.get("html_url")),
        "acknowledged": _acts(raw, ("acknowledgements", "acknowledgers"), "acknowledger", people),
        "resolved_by": _who(raw.get("last_status_change_by"), people) if status == "resolved" else None, "changed_at": changed,
        "description": text(_of(details, "details") if isinstance(details, Mapping) else raw.get("description")),
    }  # fmt: skip


def _acts(raw: Raw, names: tuple[str, ...], role: str, people: People) -> list[dict[str, Any]]:
    found = []
    for one in next((raw[name] for name in names if isinstance(raw.get(name), list)), []):
        who = _who(_of(one, role) or _of(one, "object") or one, people)
        if who:
            found.append({**who, "at": time_in(one, ("at",)) if isinstance(one, Mapping) else None})
    return found


def _who(raw: Any, people: People) -> dict[str, Any] | None:
    """Handle and identity of a user of PagerDuty; None for what is no user, such as a service or an integration. Without an
    address a user is but a name that is written there.
    """
    if not isinstance(raw, Mapping) or "user" not in str(raw.get("type") or "user"):
        return None
    name, handle = line(raw.get("summary") or raw.get("name")), line(raw.get("id"))
    email = raw.get("email")
    if not name and not handle:
        return None
    ident: Ident = people.ident(name, email if isinstance(email, str) else "")
    known = ident["email"] or ident["login"]
    return {"handle": handle if handle and (known or not name) else name, "name": ident["name"], "email": ident["email"]}


def _of(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else None


def _plain(value: Any) -> dict[str, str]:
    return {line(name): line(one) for name, one in value.items() if line(one)} if isinstance(value, Mapping) else {}


def _first(raw: Raw, names: tuple[str, ...]) -> Any:
    return next((raw[name] for name in names if raw.get(name) not in (None, "")), None)
