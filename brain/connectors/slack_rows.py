"""Slack records to rows: channels with the people in them, threads, messages with what they name, and their claims. What
was said in a private channel is for its members.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from brain.connectors import slack_people
from brain.connectors.chat_claims import Claims, Message, document_at
from brain.connectors.chat_threads import Threads
from brain.connectors.chat_words import tickets_in
from brain.connectors.context import Context
from brain.connectors.references import references
from brain.connectors.slack_people import UNLISTED
from brain.connectors.slack_text import first_words, readable
from brain.records import Record
from brain.types import EdgeRow, NodeRow, Origin, Row, TextRow

ABOUT = ("Service", "Team", "Module", "System", "Resource", "Api", "Repo", "Project")
WORK = ("Ticket", "Incident", "Decision", "Alert", "Deploy", "Doc")
DISCUSSED = ("ticket:", "incident:", "decision:", "rule:", "pr:", "issue:")
MAX_NAMED = 20
_RUNS = ("service:", "api:", "resource:", "module:")
_SORT = r"(?:team|service|squad|repo|repository|system|api|database|db|module|component|cluster|queue)"
_SORT_AFTER = re.compile(rf"\W{{0,3}}{_SORT}\b", re.IGNORECASE)
_SORT_BEFORE = re.compile(rf"\b{_SORT}\W{{0,3}}$", re.IGNORECASE)
_APART = re.compile(r"(?:[`#@*\"“]|[^.!?:>\s]\s)$")
_USER = re.compile(r"<@([UW][A-Z0-9]+)")
_ID = re.compile(r"(?<![\w/.@-])[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*-\d[\w.-]*\w|(?<![\w/.@-])[A-Za-z]{2,10}-\d{1,7}(?!\w)")
_PATH = re.compile(r"(?<![\w@/.-])(?:https?://)?[\w.-]+(?:/[\w.%-]+)*\.(?:md|markdown|mdx|rst|ya?ml)\b")


class Rows:
    """One source on its way into rows."""

    def __init__(self, head: Record, context: Context) -> None:
        self.head, self.context, self.company = head, context, context.company
        self.source = str(head["source"])
        self.threads, self.claims = Threads.of(context.company), Claims(context)
        self.people: set[str] = set()
        self.names: dict[str, str] = {}

    def rows(self, records: Iterator[Record]) -> Iterator[Row]:
        """The rows of the records, in their order."""
        make = {"channel": self._channel, "message": self._message, "doc": self._doc, "account": self._account}
        for record in records:
            if record["kind"] in make:
                yield from make[record["kind"]](record)

    # -- people and channels -------------------------------------------------------------------

    def _account(self, record: Record) -> Iterator[Row]:
        yield from self.company.accounts.rows(slack_people.account_of(record), self.source)

    def _doc(self, record: Record) -> Iterator[Row]:
        listed = self.company.facts["chat users"]
        if all(UNLISTED in line and line.split(",")[0].split()[0] in listed for line in record["text"].splitlines()):
            return  # each is in the list of another part of the export
        key, origin = f"doc:{record['path']}", Origin(record["file"], 1)
        props = {"title": record["title"], "path": record["path"], "kind": "people", "access": record["access"]}
        yield NodeRow(key, record["title"], self.source, props, origin)
        yield TextRow(key, "body", record["title"], record["text"], 0, access=record["access"], origin=origin)

    def _channel(self, record: Record) -> Iterator[Row]:
        if record.get("direct"):
            return
        origin, key = Origin(record["file"] or self.source), f"channel:{record['name']}"
        former = sorted({str(name) for name in self.company.facts["chat former names"].get(record["name"]) or ()})  # type: ignore[attr-defined]
        private = self.company.facts["chat private"].get(record["name"], record.get("private"))
        props: dict[str, Any] = {"private": bool(private), **({"aliases": former} if former else {})}
        if private:
            props |= {"access": "restricted", "aud": [key]}
        yield NodeRow(key, f"#{record['name']}", self.source, props, origin)
        for person in self._people(record.get("members") or ()):
            yield from self._person(person, origin)
            yield EdgeRow(person, "IN_CHANNEL", key, {}, origin)

    def _people(self, users: Any) -> list[str]:
        found = (self.company.person("slack", user) for user in users)
        return sorted({person for person in found if person})

    def _person(self, key: str, origin: Origin) -> Iterator[Row]:
        if key not in self.people:
            self.people.add(key)
            yield self.context.person_row(key, self.source, origin)

    # -- messages ------------------------------------------------------------------------------

    def _name(self, user: str) -> str:
        if user not in self.names:
            key = self.company.person("slack", user)
            names = (self.context.person_props(key).get("names") or ()) if key else ()
            whole = next((n for n in names if " " in n), None)
            self.names[user] = whole or (self.context.person_name(key) if key else "")
        return self.names[user]

    def _readable(self, text: str) -> str:
        names = self.company.facts["chat channel ids"]
        return readable(text, self._name, lambda id_: str(names.get(id_, "")))

    def _access(self, record: Record) -> str:
        """Who may read a message: as a list of channels tells, of whatever part of the export; else as was thought when read."""
        private = self.company.facts["chat private"].get(record["channel"])
        if private is None:
            return str(record["access"])
        return "restricted" if private else str(self.head["access"])

    def _audience(self, record: Record) -> tuple[str, ...]:
        if self._access(record) != "restricted":
            return ()
        direct = self.company.facts["chat direct"].get(record["channel"])
        return tuple(self._people(direct)) if direct is not None else (f"channel:{record['channel']}",)

    def _message(self, record: Record) -> Iterator[Row]:
        text, aud = self._readable(record["text"]), self._audience(record)
        author = self.company.person("slack", record["user"]) if record.get("user") else None
        message = Message(record, f"message:{record['id']}", author, text, self._access(record), aud, self.source)
        thread, origin = f"thread:{message.thread}", message.origin
        starts = record["ts"] == self.threads.first(message.thread)
        if author:
            yield from self._person(author, origin)
        if starts:
            yield from self._thread(message, thread)
        yield from self._node(message, thread)
        if author:
            yield EdgeRow(author, "POSTED", message.key, {"at": record["at"]}, origin)
        yield from self._named(message, thread, starts)
        yield from self._refers(message, thread)
        yield from self.claims.of(message)

    def _node(self, message: Message, thread: str) -> Iterator[Row]:
        record, origin = message.record, message.origin
        name = self._short(message.author)
        props = {"channel": record["channel"], "author": name or None, "at": record["at"], "edited_at": record.get("edited_at")}
        yield NodeRow(message.key, first_words(message.text) or "(no words)", self.source, self._open(message, props), origin)
        title = f"#{record['channel']}: {first_words(self._readable(self.threads.head(record)))}"
        yield TextRow(
            message.key, "body", title, message.text, record["at"], name, access=message.access, aud=message.aud, origin=origin
        )  # fmt: skip
        yield EdgeRow(message.key, "IN_THREAD", thread, {"at": record["at"]}, origin)
        yield from self._visible(message, message.key)

    def _short(self, person: str | None) -> str:
        if person and person not in self.names:
            self.names[person] = self.context.person_name(person)
        return self.names[person] if person else ""

    def _open(self, message: Message, props: dict[str, Any]) -> dict[str, Any]:
        given = {**props, "access": message.access, "aud": list(message.aud) or None}
        return {key: value for key, value in given.items() if value is not None}

    def _visible(self, message: Message, key: str) -> Iterator[Row]:
        for audience in message.aud:
            yield EdgeRow(key, "VISIBLE_TO", audience, {}, message.origin)

    def _thread(self, message: Message, key: str) -> Iterator[Row]:
        record = message.record
        title = first_words(message.text) or "(no words)"
        props = {"channel": record["channel"], "title": title, "n": self.threads.size(message.thread), "at": record["at"]}
        yield NodeRow(key, title, self.source, self._open(message, props), message.origin)
        if f"channel:{record['channel']}" in message.aud or record["channel"] not in self.company.facts["chat direct"]:
            yield EdgeRow(key, "IN_CHANNEL", f"channel:{record['channel']}", {}, message.origin)
        yield from self._visible(message, key)

    # -- what it names -------------------------------------------------------------------------

    def _named(self, message: Message, thread: str, starts: bool) -> Iterator[Row]:
        at, origin = message.record["at"], message.origin
        found: dict[str, list[int]] = {}
        for number, line in enumerate(message.text.splitlines(), 1):
            for key, start, end in self.company.names_in(line, ABOUT):
                if _means(key, line, start, end):
                    found.setdefault(key, []).append(number)
        for number, line in enumerate(message.record["text"].splitlines(), 1):
            for person in (self.company.person("slack", user) for user in _USER.findall(line)):
                if person:
                    found.setdefault(person, []).append(number)
        for key, lines in list(found.items())[:MAX_NAMED]:
            label = key.partition(":")[0]
            if label == "person":
                yield from self._person(key, origin)
            if label != "project":
                yield EdgeRow(message.key, "MENTIONS", key, {"n": len(lines), "line": lines[0], "at": at}, origin)
            if starts and label != "person":
                yield EdgeRow(thread, "ABOUT", key, {"at": at}, origin)

    def _refers(self, message: Message, thread: str) -> Iterator[Row]:
        at, origin = message.record["at"], message.origin
        for key in list(dict.fromkeys(self._work(message.record["text"], message.text)))[:MAX_NAMED]:
            yield EdgeRow(message.key, "REFERENCES", key, {"at": at}, origin)
            if key.startswith(DISCUSSED):
                yield EdgeRow(key, "DISCUSSED_IN", thread, {"at": at}, origin)

    def _work(self, raw: str, text: str) -> Iterator[str]:
        """The keys of tickets, pull requests, documents and the like that a message refers to."""
        for id_ in tickets_in(raw):
            yield from self._found(id_, "Ticket")
        for match in _ID.finditer(text):
            yield from self._found(match.group(), *WORK)
        for match in _PATH.finditer(text):
            document = document_at(self.company, match.group())
            if document:
                yield document
        for ref in references(text):
            repo = self._repo(ref.repo)
            item = self.context.item(repo, ref.number) if repo else None
            if item:
                yield item

    def _found(self, name: str, *labels: str) -> Iterator[str]:
        key = self.company.find(name, *labels)
        if key is not None and self.company.declared(key):
            yield key

    def _repo(self, name: str | None) -> str | None:
        if name is None:
            return None
        if "/" in name:
            return self.context.repo(name)
        found = self.company.find(name, "Repo")
        return found.partition(":")[2] if found else None



def _means(key: str, line: str, start: int, end: int) -> bool:
    """Whether a name in a line stands for the thing. One plain word does where it is something that runs; a team or system
    of that name must be set apart, written large within a sentence, or be called what it is.
    """
    word, before = line[start:end], line[max(0, start - 14) : start]
    if not word.isalpha() or (not word.islower() and not word.istitle()):
        return True
    if key.startswith(_RUNS):
        return not re.search(r"\d\s*$", before)
    called = _SORT_AFTER.match(line[end : end + 14]) or _SORT_BEFORE.search(before)
    return bool(called or (_APART.search(before) and (word.istitle() or before[-1] in '`#@*"“')))
