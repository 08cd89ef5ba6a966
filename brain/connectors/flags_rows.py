"""Changes of feature flags to rows: what was turned on or off where, by whom, which service it alters and how that is known."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from brain.connectors.company import Company
from brain.connectors.context import Context
from brain.connectors.identities import slug
from brain.types import EdgeRow, NodeRow, Origin, Row, Skip, TextRow

Record = Mapping[str, Any]
SOON = 7 * 86_400
_DONE = {"enabled": "turned on", "disabled": "turned off", "created": "created", "deleted": "deleted", "updated": "changed"}
_STATES = {"enabled": "on", "true": "on", "active": "on", "disabled": "off", "false": "off", "inactive": "off"}
_WIDTH = {"open": 0, "internal": 1, "restricted": 2}
_RUNS = ("Service", "Resource")
_OF_SERVICE = re.compile(r"^(?:service|svc|app|application|component)[:=/ ]\s*(?P<name>.+)$", re.I)
_TICKET = re.compile(r"(?<![\w-])[A-Za-z][A-Za-z0-9_]{0,19}-\d{1,7}(?![\w-])")


def known(record: Record, company: Company) -> None:
    """Tells the company of a change, of the services it names outright, and what the flag was before and after it."""
    if record["kind"] != "flag":
        return
    company.thing(f"deploy:flag/{record['id']}")
    for name in record["services"]:
        if slug(name):
            company.thing(f"service:{slug(name)}", name, declared=False)
    facts = company.facts[f"flag change {record['id']}"]
    facts["stands"] = min(str(facts.get("stands") or "\uffff"), _stands(record))
    company.facts[_of(record)][record["id"]] = (record["at"], record["id"], *_states(record), _WIDTH.get(record["access"], 3))


def rows(records: Iterable[Record], context: Context) -> Iterator[Row]:
    """The rows of one source's changes."""
    stream = iter(records)
    head = next(stream, None)
    if head is None:
        return
    for record in stream:
        if record["kind"] == "flag":
            first = context.company.facts.get(f"flag change {record['id']}", {}).get("stands")
            if record.get("gone") or first in (None, _stands(record)):
                yield from _Change(record, head["source"], context).rows()


def _stands(record: Record) -> str:
    return f"{record['file']}:{record['line']:09d}"


def _of(record: Record) -> str:
    """One flag in one place."""
    return "flag " + json.dumps([record["system"], record["project"], record["flag"], record["env"]])


def _states(record: Record) -> tuple[str, str]:
    """What the flag was and what it is, each "" where the record leaves it open."""
    before, after = (str(_STATES.get(record[name].lower(), record[name])) for name in ("from", "to"))
    told = {"enabled": ("off", "on"), "disabled": ("on", "off")}.get(record["action"], ("", ""))
    return before or told[0], after or told[1]


class _Change:
    """One change on its way to rows."""

    def __init__(self, record: Record, source: str, context: Context) -> None:
        self.record, self.source, self.context, self.company = record, source, context, context.company
        self.key, self.origin, self.at = f"deploy:flag/{record['id']}", Origin(record["file"], record["line"]), record["at"]

    def rows(self) -> Iterator[Row]:
        services = self._services()
        undone = self._undone()
        yield from self._node(services, undone)
        for name, how in services.items():
            key = self.company.find(name, *_RUNS) or f"service:{slug(name)}"
            if not self.company.declared(key):
                yield NodeRow(key, name, self.source, {"unknown": True}, self.origin)
            yield self._edge("MODIFIES", key, how=how)
        if not services:
            yield Skip("a change of a feature flag that names no service; kept without one", self.origin)
        if undone:
            yield self._edge("REFERENCES", f"deploy:flag/{undone}", how="rolls back")
        for id_ in dict.fromkeys(_TICKET.findall(self.record["description"])):
            ticket = self.company.find(id_, "Ticket")
            if ticket:
                yield self._edge("REFERENCES", ticket)

    def _node(self, services: Mapping[str, str], undone: str) -> Iterator[Row]:
        r, author = self.record, self._author()
        name = self._name()
        props = {
            "kind": "flag", "env": r["env"], "status": r["action"], "author": author, "rollback": bool(undone) or None,
            "description": r["description"], "at": self.at, "url": r["url"], "access": r["access"],
        }  # fmt: skip
        yield NodeRow(self.key, name, self.source, {k: v for k, v in props.items() if v not in (None, "")}, self.origin)
        said = {
            "Feature flag": r["flag"], "Change": name, "Service": ", ".join(services), "Project": r["project"], "Environment": r["env"],
            "At": datetime.fromtimestamp(self.at, UTC).strftime("%Y-%m-%d %H:%M UTC"), "By": author, "Tags": ", ".join(r["tags"]),
        }  # fmt: skip
        body = "\n".join(f"{label}: {value}" for label, value in said.items() if value)
        more = {"access": r["access"], "url": r["url"], "origin": self.origin}
        yield TextRow(self.key, "body", name, f"{body}\n\n{r['description']}".rstrip(), self.at, author, "", **more)

    def _name(self) -> str:
        """What was done in a few words: turned on `new-pricing` in production."""
        r = self.record
        before, after = _states(r)
        values = f" from {before} to {after}" if before and after else f" to {after}" if after else ""
        values = "" if r["action"] in ("enabled", "disabled") else values
        place = f" in {r['env']}" if r["env"] else ""
        return f"{_DONE[r['action']]} `{r['flag']}`{place}{values}"[:300]

    def _author(self) -> str:
        """Who did it: the login of a known person (or what stands in their key), else the name as written; an address that is
        nobody's names nobody.
        """
        by = self.record["by"]
        key = self.company.accounts.by_address(by["email"]) if by.get("email") else None
        key = key or (self.context.known_person(by["login"]) if by.get("login") else None)
        key = key or (self.context.known_person(by["name"]) or self.company.person_named(by["name"]) if by.get("name") else None)
        known = self.context.person_props(key).get("login") or key.removeprefix("person:") if key else ""
        return str(known or by.get("name") or by.get("login") or "")

    def _services(self) -> dict[str, str]:
        """The services that it alters, with how each is known: the first of these that names any."""
        r = self.record
        if r["services"]:
            return dict.fromkeys(filter(slug, r["services"]), "service")
        tags = [(m["name"] if (m := _OF_SERVICE.match(tag)) else tag) for tag in r["tags"]]
        ways = (
            ("tag", [name for name in tags if self._runs(name)]),
            ("annotation", self._annotated()),
            ("project", [r["project"]] if self._runs(r["project"]) else []),
            ("prefix", self._begun()),
        )
        return next((dict.fromkeys(names, how) for how, names in ways if names), {})

    def _runs(self, name: str) -> bool:
        """Whether a described service or resource is called so."""
        key = self.company.find(name, *_RUNS) if name else None
        return key is not None and self.company.declared(key)

    def _annotated(self) -> list[str]:
        """The one service whose entry in the catalogue names the flag's project."""
        stated = self.company.facts.get(f"flags of {self.record['project'].lower()}", {}) if self.record["project"] else {}
        found = {str(key) for key, system in stated.items() if system in ("", self.record["system"]) or self.record["system"] == "lines"}
        return [key.partition(":")[2] for key in found] if len(found) == 1 else []

    def _begun(self) -> list[str]:
        """The service with whose name the flag begins, the longest that fits."""
        flag = self.record["flag"]
        ends = [m.start() for m in re.finditer(r"[.:/_-]", flag)]
        return next(([flag[:end]] for end in reversed(ends) if self._runs(flag[:end])), [])

    def _undone(self) -> str:
        """The change that this one takes back: the one before it on the same flag in the same place, not long ago, when the flag is
        again what it was before that; "" for none. What fewer may read than this one is not looked at.
        """
        told = [one for one in self.company.facts.get(_of(self.record), {}).values() if isinstance(one, tuple)]
        width = _WIDTH.get(self.record["access"], 3)
        earlier = [one for one in told if one[:2] < (self.at, self.record["id"]) and one[4] <= width]
        if not earlier:
            return ""
        at, id_, before, after, _ = max(earlier)
        now = _states(self.record)[1]
        return str(id_) if now and before == now != after and self.at - at <= SOON else ""

    def _edge(self, rel: str, dst: str, **props: Any) -> EdgeRow:
        return EdgeRow(self.key, rel, dst, {"at": self.at, **props}, self.origin)
