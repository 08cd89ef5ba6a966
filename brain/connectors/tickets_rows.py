"""Tickets to rows: who opened, has, handled and commented on them, what they are about, change and refer to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from brain.connectors.accounts import Account
from brain.connectors.company import Company
from brain.connectors.context import Context
from brain.connectors.git_message import Ident
from brain.connectors.identities import slug
from brain.connectors.references import references
from brain.connectors.tickets_text import Lines
from brain.schema import ACCESS_LABELS as LABELS
from brain.types import ClaimRow, EdgeRow, NodeRow, Origin, Row, Skip, TextRow

Record = Mapping[str, Any]
THINGS = ("Service", "Module", "System", "Api", "Resource", "Project", "Repo", "Team")
CLOSED = frozenset({"done", "closed", "resolved", "solved", "fixed", "complete", "completed", "released", "deployed", "verified"})
UNDONE = re.compile(
    r"won'?t|wont|duplicate|cannot reproduce|can'?t reproduce|unreproducible|declin|reject|invalid|not a bug|incomplete|abandon|cancel"
    r"|obsolete|withdrawn|works as|unresolved",
    re.IGNORECASE,
)
_CHANGE = re.compile(r"\b(change|config|configuration|maintenance)\b", re.IGNORECASE)
_TICKET = re.compile(r"(?<![\w-])[A-Za-z][A-Za-z0-9_]{0,19}-\d{1,7}(?![\w-])")
_NAMED = ("Deploy", "Incident", "Alert", "Doc", "Decision")


def key_of(record: Record) -> str:
    """The key of a ticket."""
    return f"ticket:{record['id']}"


def system_of(record: Record) -> str:
    """The system of accounts that the people of a ticket have."""
    return f"tickets:{str(record['system']).lower()}"


def handle_of(ident: Ident) -> str:
    """Under which name somebody stands in tickets."""
    return str(ident["name"] or ident["login"] or f"unnamed-{str(ident['email'])[2:8]}")


def known(record: Record, company: Company) -> None:
    """Tells the company of a ticket, of the people in it, and which of several copies of it is the newest."""
    if record["kind"] != "ticket":
        return
    key = key_of(record)
    company.thing(key, record["id"])
    if number := re.search(r"-(\d+)$", str(record["id"])):
        numbers = company.facts["ticket numbers"]
        numbers[number[1]] = key if numbers.get(number[1], key) == key else ""
    facts, stands = company.facts[key], _stands(record)
    if stands >= str(facts.get("stands") or ""):
        facts |= {
            "stands": stands, "title": record["title"], "text": record["description"][:2000], "at": record["created_at"] or 0,
            "closed_at": record["closed_at"], "components": record["components"], "access": record["access"],
        }  # fmt: skip
    for told in tellings(record):
        company.account(told)
    for name in record["components"]:
        if company.find(name, *THINGS) is None and slug(name):
            company.thing(f"module:{slug(name)}", name, declared=False)


def tellings(record: Record) -> Iterator[Account]:
    """The accounts of everybody who stands in a ticket; those in its fields with the line they stand on."""
    key, lines = key_of(record), Lines.of(record)
    for role in ("reporter", "assignee", "resolved_by"):
        if record[role]:
            yield _account(record, record[role], key, *lines.of_field(role))
    for comment in record["comments"]:
        if comment["author"]:
            label = max(record["access"], comment["access"], key=LABELS.index)
            yield replace(_account(record, comment["author"], "", 1, ""), access=label)


def _account(record: Record, ident: Ident, source: str, line: int, quote: str) -> Account:
    names = (ident["name"],) if ident["name"] else ()
    emails = (ident["email"],) if ident["email"] else ()
    return Account(
        system_of(record), handle_of(ident), names, ident["login"] or "", emails, source=source, line=line, quote=quote,
        bot=bool(ident.get("bot")), access=record["access"], origin=Origin(record["file"], record["line"]),
    )  # fmt: skip


def _stands(record: Record) -> str:
    return f"{record['newest']:012d}/{record['file']}:{record['line']:09d}"


def rows(records: Iterable[Record], context: Context) -> Iterator[Row]:
    """The rows of one source's tickets."""
    stream = iter(records)
    head = next(stream, None)
    if head is None:
        return
    shown: set[str] = set()
    for record in stream:
        if record["kind"] != "ticket":
            continue
        newest = context.company.facts.get(key_of(record), {}).get("stands")
        if record.get("gone") or newest in (None, _stands(record)):
            yield from _Ticket(record, head["source"], context, shown).rows()
        else:
            yield Skip("an older copy of a ticket", Origin(record["file"], record["line"]))


class _Ticket:
    """One ticket on its way to rows."""

    def __init__(self, record: Record, source: str, context: Context, shown: set[str]) -> None:
        self.record, self.source, self.context, self.shown = record, source, context, shown
        self.company, self.key, self.lines = context.company, key_of(record), Lines.of(record)
        self.origin = Origin(record["file"], record["line"])
        self.at = record["created_at"] or 0
        self.refers: dict[str, str] = {}

    def rows(self) -> Iterator[Row]:
        yield self._node()
        yield from self._texts()
        yield from self._people()
        yield from self._about()
        yield from self._refers()

    def _node(self) -> NodeRow:
        r = self.record
        props = {
            "title": r["title"], "state": r["state"] or None, "created_at": r["created_at"], "closed_at": r["closed_at"],
            "at": r["created_at"], "updated_at": r["updated_at"], "priority": r["priority"] or None, "kind": r["type"] or None,
            "labels": r["labels"] or None, "system": r["system"], "component": ", ".join(r["components"]) or None,
            "resolution": r["resolution"] or None,
            "assignee": handle_of(r["assignee"]) if r["assignee"] else None, "author": handle_of(r["reporter"]) if r["reporter"] else None,
            "url": r["url"] or None, "access": r["access"],
        }  # fmt: skip
        return NodeRow(self.key, r["title"], self.source, {k: v for k, v in props.items() if v is not None}, self.origin)

    def _texts(self) -> Iterator[Row]:
        author = handle_of(self.record["reporter"]) if self.record["reporter"] else ""
        title = f"{self.record['id']} {self.record['title']}"
        url = self.record["url"]
        yield TextRow(self.key, "body", title, self.lines.body, self.at, author, access=self.record["access"], url=url, origin=self.origin)
        for n, comment in enumerate(self.record["comments"], 1):
            who = handle_of(comment["author"]) if comment["author"] else ""
            at = comment["at"] or self.at
            label = self._narrower(comment["access"]) or self.record["access"]
            yield TextRow(self.key, f"comment/{n}", title, comment["body"], at, who, access=label, url=url, origin=self.origin)

    def _edge(self, src: str, rel: str, dst: str, id_: str = "", **props: Any) -> EdgeRow:
        return EdgeRow(src, rel, dst, {k: v for k, v in props.items() if v is not None}, self.origin, id_)

    def _claim(self, rel: str, dst: str, role: str, at: int, what: str | None = None) -> ClaimRow:
        line, quote = self.lines.of_field(role)
        return ClaimRow(
            self.key, rel, dst, self.key, line, quote, "record", at=at, valid_from=at, props={"what": what} if what else {},
            access=self.record["access"], read_by=f"tickets:{role.replace('_', ' ')}", origin=self.origin,
        )  # fmt: skip

    def _person(self, ident: Ident | None) -> str | None:
        return self.company.person(system_of(self.record), handle_of(ident)) if ident else None

    def _people(self) -> Iterator[Row]:
        r = self.record
        for told in tellings(r):
            known = told.key in self.shown
            self.shown.add(told.key)
            yield from self.company.accounts.claims(told) if known else self.company.accounts.rows(told, self.source)
        reporter, assignee = self._person(r["reporter"]), self._person(r["assignee"])
        if reporter:
            yield self._edge(reporter, "OPENED", self.key, at=r["created_at"])
        if assignee:
            yield self._claim("ASSIGNED_TO", assignee, "assignee", self.at)
        team = self.company.find(r["group"], "Team") if r["group"] else None
        if team:
            yield self._claim("ASSIGNED_TO", team, "group", self.at)
        solver = self._person(r["resolved_by"]) or assignee
        if solver and is_done(r):
            at = r["closed_at"] or r["updated_at"] or self.at
            yield self._claim("HANDLED_BY", solver, "resolved_by" if r["resolved_by"] else "assignee", at, "resolved")
        for n, comment in enumerate(r["comments"], 1):
            author = self._person(comment["author"])
            if author:
                at = comment["at"] or r["created_at"]
                yield self._edge(author, "COMMENTED_ON", self.key, f"comment/{n}", at=at, access=self._narrower(comment["access"]))

    def _about(self) -> Iterator[Row]:
        changes = is_change(self.record)
        when = self.record["closed_at"] or self.record["created_at"]
        for name in self.record["components"]:
            key = self.company.find(name, *THINGS)
            if key is None and slug(name):
                key = f"module:{slug(name)}"
            if key and key.startswith("module:") and not self.company.declared(key):
                yield NodeRow(key, name, self.source, {"access": self.record["access"]}, self.origin)
            if key:
                yield self._edge(self.key, "ABOUT", key, how="component", at=self.record["created_at"])
                if changes and key.partition(":")[0] in ("service", "resource", "module"):
                    yield self._edge(self.key, "MODIFIES", key, at=when)
        for label in self.record["labels"]:
            key = self.company.find(label, *THINGS)
            if key and self.company.declared(key):
                yield self._edge(self.key, "ABOUT", key, how="label", at=self.record["created_at"])
                if changes and key.startswith(("service:", "resource:", "module:")):
                    yield self._edge(self.key, "MODIFIES", key, at=when)

    def _refers(self) -> Iterator[Row]:
        for link in self.record["links"]:
            self._refer(self.company.find(link["to"], "Ticket"), link["how"] or "link")
        self._read(f"{self.record['title']}\n{self.record['description']}")
        for comment in self.record["comments"]:
            if self._narrower(comment["access"]) is None:
                self._read(comment["body"])
        open_, self.refers = self.refers, {}
        for comment in self.record["comments"]:
            self._read(comment["body"])
        inner = {key: how for key, how in self.refers.items() if key not in open_}
        for refers, label in ((open_, None), (inner, "internal")):
            for key, how in refers.items():
                yield self._edge(self.key, "REFERENCES", key, how=how or None, at=self.record["created_at"], access=label)

    def _narrower(self, label: str) -> str | None:
        """The label of a comment that fewer people may read than the ticket; None for one that is as open as that."""
        return label if LABELS.index(label) > LABELS.index(self.record["access"]) else None

    def _refer(self, key: str | None, how: str) -> None:
        if key and key != self.key and not self.refers.get(key):
            self.refers[key] = how

    def _read(self, said: str) -> None:
        for found in _TICKET.findall(said):
            self._refer(self.company.find(found, "Ticket"), "")
        for key, start, end in self.company.names_in(said, _NAMED, longest=1):
            if said[start:end].lower() == key.partition(":")[2].lower():
                self._refer(key, "")
        for ref in references(said):
            if ref.repo and "/" in ref.repo:
                repo = self.context.repo(ref.repo)
                self._refer(self.context.item(repo, ref.number), "")


def is_done(record: Record) -> bool:
    """Whether the ticket says that what it asks for was done."""
    state, resolution = record["state"].lower(), record["resolution"]
    if UNDONE.search(resolution) or UNDONE.search(state):
        return False
    return state in CLOSED or (bool(record["closed_at"]) and not state) or (bool(resolution) and bool(record["closed_at"]))


def is_change(record: Record) -> bool:
    """Whether the ticket is a change of a configuration or of the running system, by its type or a label."""
    labels = any(_CHANGE.fullmatch(word) for label in record["labels"] for word in [label, *re.split(r"[-_ ]", label)[:1]])
    return bool(_CHANGE.search(record["type"])) or labels
