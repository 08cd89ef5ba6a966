"""Slack exports, old and new: the channels, who is in them, what people wrote and in which thread. Joins, topics and
what programs post are dropped and counted; direct messages stay out unless they are asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from brain.connectors import slack_people
from brain.connectors.chat_threads import Threads, known_rules
from brain.connectors.company import Company
from brain.connectors.context import Context
from brain.connectors.git_message import People
from brain.connectors.rulebook import RuleBook
from brain.connectors.slack_days import entries, later_words
from brain.connectors.slack_export import Channel, Export, is_id, opened, recognised
from brain.connectors.slack_rows import Rows
from brain.connectors.slack_text import blocks_text, stored
from brain.connectors.symptoms import Symptoms
from brain.connectors.tally import Tally
from brain.records import Record
from brain.types import Row

OPTIONS = {"include_dms": "yes: load direct messages too, each readable by the people in it alone"}
FOLDERS = True  # an export is a folder: what lies in it is read as a whole
KEPT = frozenset({"", "thread_broadcast", "reply_broadcast", "me_message", "file_share", "file_comment", "file_mention"})
GONE = frozenset({"message_deleted", "tombstone"})


def recognise(path: Path) -> bool:
    """Whether the folder or zip is a Slack export."""
    return recognised(path)


def fetch(
    paths: Sequence[Path], *, base: Path, name: str, access: str, identity_key: bytes, options: Mapping[str, str]
) -> Iterator[Record]:
    """The records of the exports at the paths: channels, messages by channel and time, then the people.

    Raises BadInput for a path that is no export; a file of it that cannot be read costs that file.
    """
    direct = str(options.get("include_dms", "")).lower() in ("1", "yes", "true", "on")
    exports = [opened(path, base) for path in paths]
    yield {
        "kind": "source", "format": "slack", "source": f"slack:{name}", "root": str(base), "complete": False, "as_of": 0,
        "access": access, "path": ", ".join(str(p) for p in paths),
    }  # fmt: skip
    tally = Tally()
    for export in exports:
        try:
            yield from _Reading(export, access, direct, People(identity_key), tally).records()
        finally:
            export.close()
    yield from tally.records()


def known(record: Record, company: Company) -> None:
    """Tells the company of a user, of a channel and its members, and of what threads need to know of their messages."""
    kind = record["kind"]
    if kind == "account":
        company.account(slack_people.account_of(record))
        if record.get("list"):
            company.facts["chat users"][record["user"]] = True
    elif kind == "channel":
        names = company.facts["chat channel ids"]
        names[record["slack_id"]] = min(str(names.get(record["slack_id"], record["name"])), record["name"])
        if record.get("listed", True):
            private = company.facts["chat private"]
            private[record["name"]] = bool(private.get(record["name"]) or record.get("private"))
        if record.get("direct"):
            company.facts["chat direct"][record["name"]] = tuple(record.get("members") or ())
        else:
            company.thing(f"channel:{record['name']}", "#" + record["name"])
            company.alias(f"channel:{record['name']}", *record["aliases"])
            former = company.facts["chat former names"]
            former[record["name"]] = (*tuple(former.get(record["name"]) or ()), *record["aliases"])  # type: ignore[arg-type]
    elif kind == "message":
        Threads.of(company).note(record)
        Symptoms.of(company).said(record)
        for rule in known_rules(record):
            RuleBook.of(company).tell(rule)


def rows(records: Iterator[Record], context: Context) -> Iterator[Row]:
    """The nodes, edges, texts and claims of a source's records."""
    head = next(records, None)
    if head is not None:
        yield from Rows(head, context).rows(records)


class _Reading:
    """One export on its way into records."""

    def __init__(self, export: Export, access: str, direct: bool, people: People, tally: Tally) -> None:
        self.export, self.access, self.direct, self.people, self.tally = export, access, direct, people, tally
        self.users: dict[str, Record] = {}
        self.first: dict[str, tuple[str, int]] = {}

    def records(self) -> Iterator[Record]:
        listed = self.export.channels()
        for file, user in self.export.users():
            self.users.setdefault(str(user["id"]), slack_people.account(user, file, self.people))
        folders = self.export.folders()
        told: set[str] = set()
        for folder, files in folders.items():
            channel = self.export.channel_of(folder, listed)
            told.add(channel.id)
            earlier: set[str] = set()
            yield from self._messages(channel, files, earlier)
            yield from self._channel(channel, earlier - {channel.name})
        for channel in listed.values():
            if channel.id not in told:
                yield from self._channel(channel)
        yield from self._people()
        for left in self.export.unread:
            self.tally.skip(left.reason, left.file, left.line)

    def _access(self, channel: Channel) -> str:
        return self.access if channel.kind == "public" else "restricted"

    def _channel(self, channel: Channel, earlier: Collection[str] = ()) -> Iterator[Record]:
        if channel.direct and not self.direct:
            return
        self.tally.keep("channels")
        if not channel.listed:
            self.tally.note("channels_in_no_list")
        told = channel.name if channel.listed else f"{channel.name} by its messages"  # never in the place of what a list tells
        yield {
            "kind": "channel", "id": told, "slack_id": channel.id, "name": channel.name,
            "private": channel.kind != "public", "direct": channel.direct, "members": list(channel.members), "listed": channel.listed,
            "aliases": sorted(earlier), "access": self._access(channel), "file": self.export.path(""), "line": 0,
        }  # fmt: skip

    def _people(self) -> Iterator[Record]:
        file = next((f for f in ("users.json", "org_users.json") if f in self.export.names), "writers")  # sorts after the lists
        shown = self.export.path(file)
        for record in slack_people.people(self.users, shown, self.access):
            if record["kind"] == "account":
                self.tally.keep("users")
            yield record

    def _messages(self, channel: Channel, files: Sequence[str], earlier: set[str]) -> Iterator[Record]:
        """The messages of a channel; names it had before are added to `earlier`."""
        later = later_words(self.export, files)
        seen: set[str] = set()
        for name in files:
            for found, line in entries(self.export, name):
                raw = _plain(found)
                reason = _no_message(raw) or self._dropped(raw, channel, later, seen)
                if reason:
                    earlier |= _old_name(raw)
                    self.tally.skip(reason, *self.first.setdefault(reason, (self.export.path(name), line)))
                    continue
                record = self._message({**raw, **later.get(raw["ts"], {})}, channel, name, line)
                if record is None:
                    self.tally.skip("a message without words", self.export.path(name), line)
                    continue
                seen.add(raw["ts"])
                self.tally.keep("messages")
                yield record

    def _dropped(self, raw: Record, channel: Channel, later: Mapping[str, Record], seen: set[str]) -> str:
        """Why a message is not kept; "" when it is."""
        if channel.direct and not self.direct:
            return "direct messages are not loaded; the option include_dms=yes loads them"
        subtype = str(raw.get("subtype") or "")
        user = str(raw.get("user") or "")
        if subtype == "message_changed":
            return "an edit, told by the message itself"
        if subtype in GONE or raw.get("hidden") or later.get(raw["ts"], {}).get("deleted"):
            return "deleted messages"
        if subtype == "bot_message" or self.users.get(user, {}).get("bot") or (raw.get("bot_id") and (not user or raw.get("bot_profile"))):
            return "messages of programs"
        if subtype not in KEPT:
            return f"{subtype.replace('_', ' ')} messages"
        return "the same message once more" if raw["ts"] in seen else ""

    def _message(self, raw: Record, channel: Channel, name: str, line: int) -> Record | None:
        text = _words(raw)
        if not text:
            return None
        comment = raw.get("comment")
        user = str(raw.get("user") or (comment.get("user") if isinstance(comment, dict) else "") or "")
        user = user if is_id(user) else ""
        if user:
            self.users.setdefault(user, slack_people.unlisted(user, raw, self.people))
        start, edited = str(raw.get("thread_ts") or ""), raw.get("edited")
        edited_at = _seconds((edited or {}).get("ts")) if isinstance(edited, dict) else None
        record = {
            "kind": "message", "id": f"{channel.name}/{raw['ts']}", "channel": channel.name, "ts": raw["ts"], "at": _seconds(raw["ts"]),
            "user": user, "text": text, "thread": start if _seconds(start) is not None else "", "edited_at": edited_at,
            "replies": _count(raw.get("reply_count")) > 0 or None, "file": self.export.path(name), "line": line,
            "access": self._access(channel),
        }  # fmt: skip
        return {key: value for key, value in record.items() if value not in (None, "")}


def _count(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _plain(raw: Any) -> Any:
    """A message with its time stamps as text, whatever wrote them."""
    stamps = {name: str(raw[name]) for name in ("ts", "thread_ts") if raw.get(name)} if isinstance(raw, dict) else {}
    return {**raw, **stamps} if stamps else raw


def _no_message(raw: Any) -> str:
    if not isinstance(raw, dict):
        return "an entry that is no message"
    return "" if _seconds(raw.get("ts")) is not None else "a message without a time"


def _words(raw: Record) -> str:
    """What was said: the text, else the words of its blocks, else what its files are called."""
    text = raw.get("text")
    said = text if isinstance(text, str) and text.strip() else blocks_text(raw.get("blocks"))
    comment = raw.get("comment")
    if not said.strip() and isinstance(comment, dict):
        said = str(comment.get("comment") or "")
    if not said.strip():
        files = raw["files"] if isinstance(raw.get("files"), list) else [raw.get("file")]
        titles = [str(f.get("title") or f.get("name") or "") for f in files if isinstance(f, dict)]
        said = "\n".join(f"(a file: {title})" for title in titles if title)
    return stored(said)


def _old_name(raw: Any) -> set[str]:
    """What the channel was called before, where a message tells that it was renamed."""
    renamed = isinstance(raw, dict) and raw.get("subtype") in ("channel_name", "group_name")
    return {str(raw["old_name"])} if renamed and raw.get("old_name") else set()


def _seconds(ts: Any) -> int | None:
    """Slack's time stamp as epoch seconds; None for what is none."""
    try:
        at = int(float(ts))
    except (TypeError, ValueError, OverflowError):
        return None
    return at if 0 < at < 9_999_999_999 else None

