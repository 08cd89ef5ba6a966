"""What a message must know of the rest of its thread, and an announced rule of the others: collected before any row is
made, so that the order in which messages come changes nothing. Only threads with answers, tickets or requests are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from brain.connectors.chat_grammar import grammar
from brain.connectors.chat_rules import Announcement, announced
from brain.connectors.chat_words import tickets_in
from brain.connectors.company import Company
from brain.connectors.identities import slug
from brain.connectors.rulebook import KnownRule

LONG_YES = 400
HEAD = 400

Said = Mapping[str, Any]


class Yes(NamedTuple):
    """Somebody said yes: when, and who."""

    ts: str
    at: int
    user: str


@dataclass
class Talk:
    """A thread of several messages: their time stamps, how the first begins, the tickets that messages name, who said yes."""

    stamps: set[str] = field(default_factory=set)
    head: tuple[str, str] = ("", "")
    named: dict[str, tuple[str, ...]] = field(default_factory=dict)
    answers: set[Yes] = field(default_factory=set)


def thread_of(record: Said) -> str:
    """The thread that a message stands in, as channel/time; alone it is a thread of its own."""
    return f"{record['channel']}/{record.get('thread') or record['ts']}"


def order(ts: str) -> tuple[float, str]:
    """Sorts time stamps."""
    return float(ts), ts


class Threads:
    """The threads of all chat sources."""

    def __init__(self) -> None:
        self._talks: dict[str, Talk] = {}
        self._lone: dict[str, tuple[str, ...]] = {}
        self._rules: dict[str, Announcement] = {}
        self._takes: dict[str, set[tuple[str, str, str]]] = {}

    @classmethod
    def of(cls, company: Company) -> Threads:
        """The threads that this company knows."""
        found = company.facts["chat"].setdefault("threads", cls())
        assert isinstance(found, cls)
        return found

    def note(self, record: Said) -> None:
        """Takes in a message."""
        key, text = thread_of(record), record["text"]
        ids = tuple(tickets_in(text))
        if not record.get("thread") and not record.get("replies"):
            if ids:
                self._lone[key] = ids
        else:
            talk = self._talks.setdefault(key, Talk())
            talk.stamps.add(record["ts"])
            if not talk.head[0] or order(record["ts"]) < order(talk.head[0]):
                talk.head = (record["ts"], text[:HEAD])
            if ids:
                talk.named[record["ts"]] = ids
        if record.get("user") and (ids or record.get("thread")):
            self._note_yes(key, record)
        for rule in announced(text, record["at"]):
            if isinstance(rule, Announcement):
                self._rules[rule_key(record, rule)] = rule

    def _note_yes(self, thread: str, record: Said) -> None:
        """Notes that somebody took a ticket, or said yes in a thread."""
        text, user, talk = record["text"], record["user"], self._talks.get(thread)
        takes = [act for act in grammar().acts(text) if act.what == "claimed" and act.sure]
        for act in takes:
            for id_ in act.tickets:
                self._takes.setdefault(user, set()).add((record["ts"], id_.lower(), ""))
            if not act.tickets:
                self._takes.setdefault(user, set()).add((record["ts"], "", thread))
        if talk is not None and (takes or (len(text) <= LONG_YES and grammar().accepts(text))):
            talk.answers.add(Yes(record["ts"], record["at"], user))

    def took(self, user: str, ticket: str, ts: str) -> bool:
        """Whether somebody took the ticket with this id before an instant."""
        for when, id_, thread in self._takes.get(user, ()):
            if order(when) < order(ts) and ticket.lower() in (id_, *(n.lower() for n in self.named_first(thread))):
                return True
        return False

    def size(self, thread: str) -> int:
        """How many messages the thread has."""
        talk = self._talks.get(thread)
        return len(talk.stamps) if talk else 1

    def first(self, thread: str) -> str:
        """The time stamp of the earliest message that is there."""
        talk = self._talks.get(thread)
        return min(talk.stamps, key=order) if talk and talk.stamps else thread.rpartition("/")[2]

    def head(self, record: Said) -> str:
        """How the thread of a message begins, as raw text."""
        talk = self._talks.get(thread_of(record))
        return talk.head[1] if talk else str(record["text"])

    def named(self, thread: str) -> list[str]:
        """What looks like ids of tickets anywhere in the thread, in order."""
        talk = self._talks.get(thread)
        if talk is None:
            return list(self._lone.get(thread, ()))
        return list(dict.fromkeys([*self._lone.get(thread, ()), *(id_ for ts in sorted(talk.named, key=order) for id_ in talk.named[ts])]))

    def named_first(self, thread: str) -> tuple[str, ...]:
        """What its first message names, whether or not it tells that it was answered; nothing when that message is not there."""
        talk = self._talks.get(thread)
        named = talk.named.get(thread.rpartition("/")[2], ()) if talk else ()
        return named or self._lone.get(thread, ())

    def named_before(self, thread: str, ts: str) -> list[str]:
        """What its messages before an instant name."""
        talk = self._talks.get(thread)
        found = {**(talk.named if talk else {}), **({thread.rpartition("/")[2]: self._lone[thread]} if thread in self._lone else {})}
        return list(dict.fromkeys(id_ for t in sorted(found, key=order) if order(t) < order(ts) for id_ in found[t]))

    def yes_after(self, thread: str, ts: str) -> Iterator[Yes]:
        """Who said yes in the thread after an instant, in order."""
        talk = self._talks.get(thread)
        yield from sorted((y for y in (talk.answers if talk else ()) if order(y.ts) > order(ts)), key=lambda y: order(y.ts))

    def announced(self) -> Iterator[tuple[str, Announcement]]:
        """The announced rules, by key."""
        yield from sorted(self._rules.items())


def known_rules(record: Said) -> Iterator[KnownRule]:
    """The rules that a message announces, as other sources need to know them."""
    for rule in announced(record["text"], record["at"]):
        if isinstance(rule, Announcement):
            applies = (rule.target,) if rule.target else ()
            yield KnownRule(rule_key(record, rule), rule.slot, f"message:{record['id']}", rule.start or record["at"], applies)


def rule_key(record: Said, rule: Announcement) -> str:
    """The key of a rule announced in a message."""
    return f"rule:{slug(record['id'])}/{rule.slot or 'rule'}"

