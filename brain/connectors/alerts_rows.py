"""Alerts and incidents to rows: what they fired on, what they are about, who acknowledged and who resolved them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from brain.connectors.accounts import Account
from brain.connectors.company import Company
from brain.connectors.context import Context
from brain.connectors.identities import slug
from brain.connectors.places import doc_at
from brain.types import ClaimRow, EdgeRow, NodeRow, Origin, Row, TextRow

Record = Mapping[str, Any]
ON = ("service", "service_name", "app", "application", "app_kubernetes_io_name", "component", "deployment", "job", "container", "resource")
TEAMS = ("team", "owner", "squad")
PAGER = "pagerduty"


def known(record: Record, company: Company) -> None:
    """Tells the company of an alert or incident, of the people in it, and which of several messages about it is the newest."""
    kind = record["kind"]
    if kind == "alert":
        facts, mark = company.facts[f"alerts of {record['fingerprint']}"], f"{record['at'] or 0:012d}/{record['id']}"
        facts["first"] = min(str(facts.get("first") or mark), mark)
        company.thing(_key(record, company) if record["recurs"] else f"alert:{record['fingerprint']}", record["fingerprint"])
    elif kind == "incident":
        company.thing(f"incident:{record['id']}", record["id"])
        if record["service"]:
            _tell_service(company, record["service"])
        for told in _tellings(record):
            company.account(told)
    if kind in ("alert", "incident"):
        facts = company.facts[f"{kind} {record['id']}"]
        facts["stands"] = max(str(facts.get("stands") or ""), _stands(record))
    if kind == "alert" and record["labels"].get("service"):
        _tell_service(company, record["labels"]["service"])


def _tell_service(company: Company, name: str) -> None:
    if slug(name):
        company.thing(f"service:{slug(name)}", name, declared=False)


def _stands(record: Record) -> str:
    return f"{record['newest']:012d}/{record['status']}/{record['file']}:{record['line']:09d}"


def _key(record: Record, company: Company) -> str:
    """The key of an alert: its fingerprint, with the instant where the fingerprint is of the labels and so comes again. A
    sender's own fingerprint stands alone for the first it was given to.
    """
    start = datetime.fromtimestamp(record["at"], UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if record["at"] else "unknown"
    print_ = record["fingerprint"]
    if record["recurs"]:
        return f"alert:{print_}@{start}"
    first = company.facts.get(f"alerts of {print_}", {}).get("first")
    alone = first == f"{record['at'] or 0:012d}/{record['id']}"
    return f"alert:{print_}" if alone else f"alert:{print_}@{start}/{record['id'].rpartition('/')[2]}"


def rows(records: Iterable[Record], context: Context) -> Iterator[Row]:
    """The rows of one source's alerts and incidents."""
    stream = iter(records)
    head = next(stream, None)
    if head is None:
        return
    shown: set[str] = set()
    for record in stream:
        if record["kind"] not in ("alert", "incident"):
            continue
        newest = context.company.facts.get(f"{record['kind']} {record['id']}", {}).get("stands")
        if newest in (None, _stands(record)) or record.get("gone"):
            yield from (_Alert if record["kind"] == "alert" else _Incident)(record, head["source"], context, shown).rows()


class _Thing:
    """What an alert and an incident share on their way to rows."""

    def __init__(self, record: Record, source: str, context: Context, shown: set[str]) -> None:
        self.record, self.source, self.company, self.shown = record, source, context.company, shown
        self.origin = Origin(record["file"], record["line"])
        self.key = _key(record, self.company) if record["kind"] == "alert" else f"incident:{record['id']}"
        self.lines: list[str] = []
        self.at_line: dict[str, int] = {}

    def say(self, field: str, name: str, value: str) -> None:
        if value:
            self.lines.append(f"{name}: {' '.join(value.split())}")
            self.at_line[field] = len(self.lines)

    def node(self, name: str, **props: Any) -> NodeRow:
        kept = {"at": self.record["at"], "access": self.record["access"], "url": self.record["url"] or None, **props}
        return NodeRow(self.key, name, self.source, {k: v for k, v in kept.items() if v not in (None, "", [])}, self.origin)

    def text(self, title: str) -> TextRow:
        body = "\n".join([*self.lines, *(["", self.record["description"]] if self.record["description"] else [])])
        return TextRow(
            self.key, "body", title, body, self.record["at"] or 0, access=self.record["access"], url=self.record["url"], origin=self.origin
        )  # fmt: skip

    def edge(self, rel: str, dst: str, **props: Any) -> EdgeRow:
        at = {"at": self.record["at"]} if self.record["at"] else {}
        return EdgeRow(self.key, rel, dst, {**at, **props}, self.origin)

    def service(self, name: str) -> Iterator[Row]:
        """The node of a service that no source describes."""
        key = f"service:{slug(name)}"
        if not self.company.declared(key):
            yield NodeRow(key, name, self.source, {"unknown": True}, self.origin)


class _Alert(_Thing):
    def rows(self) -> Iterator[Row]:
        r = self.record
        summary = r["annotations"].get("summary", "")
        self.say("title", "Alert", r["title"])
        self.say("status", "Status", r["status"])
        for name, value in r["labels"].items():
            self.say(f"label {name}", name, value) if name != "alertname" else None
        for name, value in r["annotations"].items():
            self.say(f"annotation {name}", name, value)
        yield self.node(
            summary or r["title"], title=r["title"], severity=r["severity"], status=r["status"], ended_at=r["ended_at"],
            fingerprint=r["fingerprint"], labels=[f"{k}={v}" for k, v in r["labels"].items()], system="alertmanager",
        )  # fmt: skip
        yield self.text(f"{r['title']} {summary}".strip())
        yield from self._fired_on()
        for name in TEAMS:
            team = self.company.find(r["labels"].get(name, ""), "Team")
            if team:
                yield self.edge("ABOUT", team, how="label")
        doc = doc_at(self.company, next((v for k, v in r["annotations"].items() if k.startswith("runbook")), ""))
        if doc:
            yield self.edge("REFERENCES", doc, how="runbook")

    def _fired_on(self) -> Iterator[Row]:
        """What the alert fired on: the first label that names a described service or resource, else the label `service`."""
        labels = {name.replace(".", "_").replace("/", "_").replace("-", "_"): value for name, value in self.record["labels"].items()}
        found = [(name, self.company.find(labels[name], "Service", "Resource")) for name in ON if labels.get(name)]
        named = next(((name, key) for name, key in found if key and self.company.declared(key)), None)
        if named is None and labels.get("service") and slug(labels["service"]):
            named = ("service", f"service:{slug(labels['service'])}")
            yield from self.service(labels["service"])
        if named:
            yield self.edge("FIRED_ON", named[1], how=f"label {named[0]}")


class _Incident(_Thing):
    def rows(self) -> Iterator[Row]:
        r = self.record
        self.say("id", "Incident", f"{r['id']} {r['title']}")
        self.say("status", "Status", r["status"])
        self.say("severity", "Urgency", r["severity"])
        self.say("service", "Service", r["service"])
        for told in _tellings(r):
            self.lines.append(told.quote)
        yield self.node(r["title"], title=r["title"], severity=r["severity"], status=r["status"], ended_at=r["ended_at"], system=PAGER)
        yield self.text(f"{r['id']} {r['title']}")
        for told in _tellings(r):
            known = told.key in self.shown
            self.shown.add(told.key)
            yield from self.company.accounts.claims(told) if known else self.company.accounts.rows(told, self.source)
        yield from self._about()
        yield from self._handled()

    def _about(self) -> Iterator[Row]:
        r = self.record
        key = self.company.find(r["service_id"], "Service") or self.company.find(r["service"], "Service", "System", "Api", "Resource")
        if r["service"] and (key is None or not self.company.declared(key)) and slug(r["service"]):
            key = f"service:{slug(r['service'])}"
            yield from self.service(r["service"])
        if key:
            yield self.edge("ABOUT", key, how="service")
        for name in r["teams"]:
            team = self.company.find(name, "Team")
            if team:
                yield self.edge("ABOUT", team, how="team")
        alert = self.company.find(r["dedup"], "Alert") if r["dedup"] else None
        if alert:
            yield self.edge("ABOUT", alert, how="incident key")

    def _handled(self) -> Iterator[Row]:
        seen: set[tuple[str, str]] = set()
        for role, what, act, line in _acts(self.record):
            person = self.company.person(PAGER, act["handle"])
            at = act.get("at") or self.record["at"] or 0
            rel = "ASSIGNED_TO" if role == "assigned" else "HANDLED_BY"
            if person and (what, person) not in seen:
                seen.add((what, person))
                told = _said(what, act)
                number = self.lines.index(told) + 1
                yield ClaimRow(
                    self.key, rel, person, self.key, number, told, "record", at=at, valid_from=at, access=self.record["access"],
                    props={"what": what} if rel == "HANDLED_BY" else {}, read_by=f"alerts:{line}", origin=self.origin,
                )  # fmt: skip


def _acts(record: Record) -> Iterator[tuple[str, str, Mapping[str, Any], str]]:
    """Who did what to an incident: the role in the record, what was done, who and when, and the field that says so."""
    for act in record["assigned"]:
        yield "assigned", "assigned", act, "assignments"
    for act in record["acknowledged"]:
        yield "acknowledged", "acknowledged", act, "acknowledgements"
    if record["resolved_by"]:
        yield "resolved_by", "resolved", {**record["resolved_by"], "at": record["ended_at"]}, "last status change"


def _said(what: str, act: Mapping[str, Any]) -> str:
    at = datetime.fromtimestamp(act["at"], UTC).strftime(" at %Y-%m-%d %H:%M UTC") if act.get("at") else ""
    return f"{what.capitalize()}: {act['name'] or act['handle']}{at}"


def _tellings(record: Record) -> Iterator[Account]:
    """The accounts of everybody who did something to an incident."""
    line = 2 + bool(record["status"]) + bool(record["severity"]) + bool(record["service"])
    for n, (_, what, act, _) in enumerate(_acts(record)):
        yield Account(
            PAGER, act["handle"], (act["name"],) if act["name"] else (), emails=(act["email"],) if act["email"] else (),
            source=f"incident:{record['id']}", line=line + n, quote=_said(what, act), access=record["access"],
            origin=Origin(record["file"], record["line"]),
        )  # fmt: skip
