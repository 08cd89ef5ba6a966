"""Claims that chat makes: who took, got, checked or repaired a ticket, and which rule was announced. Authority of the
first is observation, of the second practice; what is less than plainly said is a candidate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from brain.connectors.chat_grammar import Act, grammar
from brain.connectors.chat_rules import Announcement, announced
from brain.connectors.chat_threads import Threads, rule_key, thread_of
from brain.connectors.chat_words import bare_numbers
from brain.connectors.company import Company
from brain.connectors.context import Context
from brain.connectors.identities import slug
from brain.connectors.markdown_library import Library
from brain.connectors.rulebook import KnownRule, RuleBook
from brain.connectors.symptoms import Symptoms, ticket_text
from brain.records import Record
from brain.types import ClaimRow, EdgeRow, NodeRow, Origin, Row, Skip

QUOTE = 300
_ONESELF = re.compile(r"(?:hand|me|myself|eye)\b")
BOUND = ("Team", "Service", "System", "Project", "Module", "Role", "Repo", "Domain", "Api", "Resource")


@dataclass(frozen=True)
class Message:
    """A message as its claims need it: its record, key, author, the stored text, who may read it."""

    record: Record
    key: str
    author: str | None
    text: str
    access: str
    aud: tuple[str, ...]
    source: str

    @property
    def thread(self) -> str:
        """The thread it stands in, as channel/time."""
        return thread_of(self.record)

    @property
    def origin(self) -> Origin:
        """Where it was read."""
        return Origin(self.record["file"], self.record["line"])

    @property
    def known_at(self) -> int:
        """Since when its words are known: those of an edited message since the edit."""
        return max(self.record["at"], self.record.get("edited_at") or 0)

    def line(self, number: int) -> str:
        """A line of the stored text, cut to what a quotation may hold."""
        lines = self.text.splitlines()
        line = " ".join(lines[number - 1].split()) if 0 < number <= len(lines) else ""
        return line if len(line) <= QUOTE else line[:QUOTE].rsplit(" ", 1)[0]

    def claim(self, src: str, rel: str, dst: str, number: int, **more: Any) -> ClaimRow:
        """A claim that quotes a line of the message."""
        given: dict[str, Any] = {"at": self.known_at, "valid_from": self.record["at"], "authority": "observation", **more}
        return ClaimRow(
            src, rel, dst, self.key, number, self.line(number), access=self.access, aud=self.aud, origin=self.origin, **given
        )  # fmt: skip


def document_at(company: Company, name: str) -> str | None:
    """The key of the document that a path, title or link means; None when it is not loaded."""
    path = Library.of(company).named("", name.strip())
    key = f"doc:{path}" if path else company.find(name, "Doc")
    return key if key and company.declared(key) else None


class Claims:
    """Makes the claims of messages; the context knows the rest of the chat."""

    def __init__(self, context: Context) -> None:
        self.context, self.company = context, context.company
        self.book = RuleBook.of(context.company)
        self.threads, self.symptoms = Threads.of(context.company), Symptoms.of(context.company)

    def of(self, message: Message) -> Iterator[Row]:
        """Everything that a message claims."""
        yield from self._handled(message)
        yield from self._rules(message)
        yield from self._similar(message)

    # -- who handled a ticket ------------------------------------------------------------------

    def _handled(self, message: Message) -> Iterator[Row]:
        if not self.threads.named(message.thread):
            return
        met: set[tuple[str, str, int]] = set()
        for act in grammar().acts(message.record["text"]):
            named = self._by(act)
            who = self._person(act.person) if act.person else named or message.author
            if who is None or (act.what == "transferred" and who == message.author):
                continue
            tickets, sure = self._tickets(message, act)
            another = named or (act.what == "verified" and act.by and not _ONESELF.match(act.by))
            plain = (act.sure and not another) or self._took(message, act, tickets)
            sure, since = sure and plain, message.record["at"]
            if act.what == "transferred":
                accepted = self._accepted(message, who)
                sure, since = (True, accepted) if sure and accepted else (False, since)
            for ticket in tickets:
                again = (ticket, who, act.line) in met
                met.add((ticket, who, act.line))
                yield message.claim(
                    ticket, "HANDLED_BY", who, act.line, at=max(since, message.known_at), valid_from=since, props={"what": act.what},
                    state="approved" if sure else "candidate", scope=act.what if again else "", read_by=f"slack:{act.what}",
                )  # fmt: skip

    def _tickets(self, message: Message, act: Act) -> tuple[list[str], bool]:
        """The tickets an act is about and whether that is plain: named with it, or the only one the thread starts with."""
        named = self._known(act.tickets)
        if named or act.tickets:
            return (named, True) if named else (self._numbered(message, act.tickets), False)
        first = self._known(self.threads.named_first(message.thread))
        is_first = message.record["ts"] == message.thread.rpartition("/")[2]
        if len(first) == 1 and not is_first:
            return first, True
        near = self._known((act.near,) if act.near else ())
        if near:
            return near, is_first
        before = self._known(self.threads.named_before(message.thread, message.record["ts"]))
        return (before, False) if len(before) == 1 else ([], False)

    def _numbered(self, message: Message, ids: tuple[str, ...]) -> list[str]:
        """The tickets of which a message gives the number alone, where only one project has that number."""
        bare, numbers = bare_numbers(message.record["text"]), self.company.facts["ticket numbers"]
        return [str(numbers[id_]) for id_ in ids if id_ in bare and numbers.get(id_)]

    def _known(self, ids: tuple[str, ...] | list[str]) -> list[str]:
        found = (self.company.find(id_, "Ticket") for id_ in ids)
        return list(dict.fromkeys(key for key in found if key is not None and self.company.declared(key)))

    def _person(self, said: str) -> str | None:
        return self.company.person_named(said[1:]) if said.startswith("@") else self.company.person("slack", said)

    def _by(self, act: Act) -> str | None:
        """The person whom the words after a "by" name, if any."""
        words = act.by.split()
        found = (self.company.person_named(" ".join(words[:n])) for n in range(len(words), 0, -1))
        return next((person for person in found if person), None)

    def _took(self, message: Message, act: Act, tickets: list[str]) -> bool:
        """Whether who says that the ticket is repaired took it before."""
        if act.what != "fixed" or act.person or act.by or len(tickets) != 1:
            return False
        return self.threads.took(message.record.get("user", ""), tickets[0].partition(":")[2], message.record["ts"])

    def _accepted(self, message: Message, who: str) -> int:
        """When the person who was asked said yes; 0 when they did not."""
        for yes in self.threads.yes_after(message.thread, message.record["ts"]):
            if self.company.person("slack", yes.user) == who:
                return yes.at
        return 0

    # -- announced rules -----------------------------------------------------------------------

    def _rules(self, message: Message) -> Iterator[Row]:
        for said in announced(message.record["text"], message.record["at"]):
            if not isinstance(said, Announcement):
                yield Skip(said.reason, message.origin)
                continue
            yield from self._rule(message, said)

    def _rule(self, message: Message, said: Announcement) -> Iterator[Row]:
        key, start = rule_key(message.record, said), said.start or message.record["at"]
        target = self._target(said.target)
        if said.target and target is None:
            yield Skip("a rule change for something that is not known; it is kept as a condition of the rule", message.origin)
        props = {
            "title": said.name, "slot": said.slot, "value": said.value, "valid_from": start, "valid_to": said.until, "at": start,
            "authority": "practice", "doc": message.key, "subject": target, "access": message.access, "aud": list(message.aud) or None,
            "conditions": f"for {said.target}" if said.target and target is None else None,
        }  # fmt: skip
        yield NodeRow(key, said.name, message.source, {k: v for k, v in props.items() if v is not None}, message.origin)
        for audience in message.aud:
            yield EdgeRow(key, "VISIBLE_TO", audience, {}, message.origin)
        yield EdgeRow(key, "PART_OF", f"thread:{message.thread}", {}, message.origin)
        yield EdgeRow(key, "DISCUSSED_IN", message.key, {"at": message.record["at"]}, message.origin)
        plain: dict[str, Any] = {"authority": "practice", "valid_from": start, "valid_to": said.until, "read_by": "slack:announcement"}
        if message.author:
            yield message.claim(message.author, "WROTE", key, said.line, **{**plain, "valid_from": message.record["at"], "valid_to": None})
        if target:
            yield message.claim(key, "APPLIES_TO", target, said.line, **plain)
        yield from self._replaced(message, said, key, start)

    def _target(self, name: str) -> str | None:
        plain = name.strip().removeprefix("the ").strip("#@`\"' ")
        for tried in (plain, plain.removesuffix(" team"), plain.removesuffix(" service")):
            found = self.company.find(tried, *BOUND) if tried else None
            if found:
                return found
        return None

    def _replaced(self, message: Message, said: Announcement, key: str, start: int) -> Iterator[Row]:
        """The rule that the new one replaces: the one of its slot in what it names, else the only one of slot and subject."""
        new = KnownRule(key, said.slot, message.key, start, (said.target,) if said.target else ())
        plain: dict[str, Any] = {"authority": "practice", "valid_from": start, "valid_to": said.until, "read_by": "slack:announcement"}
        old, document = self._named(said.replaces, new) if said.replaces else (self._unnamed(new), None)
        for one in old:
            yield message.claim(key, "SUPERSEDES", one, said.line, state="approved" if len(old) == 1 else "candidate", **plain)
        if document and not old:
            yield message.claim(key, "SUPERSEDES", document, said.line, scope=said.name, **plain)
        if said.replaces and not old and not document:
            yield Skip("a rule change that replaces what is not loaded", message.origin)

    def _named(self, name: str, new: KnownRule) -> tuple[list[str], str | None]:
        """The rules that a text about what is replaced means, and the document it means."""
        plain = name.strip().strip("`\"' ")
        by_key = self.book.get(plain)
        if by_key is not None:
            return [by_key.key], None
        document = document_at(self.company, plain)
        if document is None:
            named = [r for r in self.book.in_slot(slug(plain)) if r.key != new.key and r.start <= new.start]
            return self._closest(named, new), None
        rules = [r for r in self.book.of_source(document) if r.key != new.key]
        same = [r for r in rules if r.slot == new.slot] or [r for r in rules if r.slot in new.slot or new.slot in r.slot]
        return self._closest(same, new), document

    def _closest(self, rules: list[KnownRule], new: KnownRule) -> list[str]:
        """Those for the same subject where several are there."""
        same = [r.key for r in rules if self._subject(r) == self._subject(new)]
        return same if len(rules) > 1 and same else [r.key for r in rules]

    def _unnamed(self, new: KnownRule) -> list[str]:
        """The rules of the same slot and subject that are older, but for those that another announcement replaced."""
        old = [r.key for r in self.book.before(new, self.company) if self._subject(r) == self._subject(new)]
        if len(old) < 2:
            return old
        others = [(self.book.get(key), said) for key, said in self.threads.announced() if key in old and said.replaces]
        gone = {key for rule, said in others if rule for key in self._named(said.replaces, rule)[0]}
        return [key for key in old if key not in gone]

    def _subject(self, rule: KnownRule) -> frozenset[str]:
        return frozenset(self._target(name) or slug(name) for name in rule.applies)

    # -- threads that describe what a ticket describes -----------------------------------------

    def _similar(self, message: Message) -> Iterator[Row]:
        for found in self.symptoms.shown_by(message.record["id"], self.company):
            text = ticket_text(self.company, found.ticket)
            lines = message.text.splitlines()
            best = min(range(len(lines)), key=lambda n: (-self.symptoms.weight(lines[n], text), n), default=0)
            yield message.claim(
                f"thread:{found.thread}", "SIMILAR_TO", found.ticket, best + 1, state="candidate", read_by="slack:similar words"
            )  # fmt: skip
