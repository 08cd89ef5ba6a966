"""The users of a Slack export: accounts, and the list of them as a document whose lines are what claims about them quote.
No address leaves here; it becomes a hash.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from brain.connectors.account import Account
from brain.connectors.git_message import People
from brain.connectors.slack_text import stored
from brain.records import Record
from brain.types import Origin

_LOGIN = re.compile(r"(?:https?://)?(?:www\.)?github\.com/([A-Za-z0-9](?:-?[A-Za-z0-9]){0,38})/?", re.IGNORECASE)
UNLISTED = "not in the list of users"


def account(user: Mapping[str, Any], file: str, people: People) -> Record:
    """The record of a user in the list, without address. A login counts only where a field of the profile gives its address."""
    profile = user.get("profile") if isinstance(user.get("profile"), dict) else {}
    assert isinstance(profile, dict)
    email = str(profile.get("email") or user.get("email") or "")
    handle = _plain(user.get("name"))
    named = [_plain(n) for n in (user.get("real_name"), profile.get("real_name"), profile.get("display_name"))]
    names = list(dict.fromkeys(n for n in named if n and n != handle))
    bot = bool(user.get("is_bot") or user.get("is_workflow_bot") or user["id"] == "USLACKBOT")
    record: Record = {
        "kind": "account", "id": str(user["id"]), "user": str(user["id"]), "handle": handle, "names": names,
        "email": people.ident("", email)["email"] if "@" in email else None, "login": _login(profile.get("fields")),
        "title": _plain(profile.get("title")),
        "bot": bot, "deleted": bool(user.get("deleted")), "list": file,
    }  # fmt: skip
    return {key: value for key, value in record.items() if value not in (None, "", [], False)}


def unlisted(id_: str, message: Mapping[str, Any], people: People) -> Record:
    """The record of somebody who wrote and stands in no list of this export, by what the message tells of them; it is
    another record than that of a list, so that neither takes the other's place.
    """
    profile = message.get("user_profile")
    given = {**profile, "profile": profile} if isinstance(profile, dict) else {}
    return {**account({**given, "id": id_}, "", people), "id": f"{id_} by a message"}


def people(users: Mapping[str, Record], file: str, access: str) -> Iterator[Record]:
    """The document with one line for each user, then the users, each with its line."""
    if not users:
        return
    ordered = sorted(users.values(), key=lambda user: user["user"])
    lines = [line_of(user) for user in ordered]
    yield {"kind": "doc", "path": file, "title": "People in Slack", "text": "\n".join(lines), "file": file, "line": 1, "access": access}
    for number, user in enumerate(ordered, 1):
        yield {**user, "doc": file, "line_in_doc": number, "file": file, "line": 0, "access": access}


def line_of(user: Mapping[str, Any]) -> str:
    """A user as a line: id, handle, names, title, login, and what is odd about the account."""
    named = " ".join([user["user"], f"@{user['handle']}" if user.get("handle") else "", " / ".join(user.get("names") or ())])
    marks = [user.get("title"), f"github.com/{user['login']}" if user.get("login") else "", "bot" if user.get("bot") else ""]
    marks += ["deactivated" if user.get("deleted") else "", "" if user.get("list") else UNLISTED]
    return ", ".join(part for part in [" ".join(named.split()), *marks] if part)


def account_of(record: Record) -> Account:
    """The account of a record."""
    names = [*(record.get("names") or ()), *([record["handle"]] if record.get("handle") else [])]
    return Account(
        "slack", record["user"], tuple(names), record.get("login", ""), (record["email"],) if record.get("email") else (),
        source=f"doc:{record['doc']}", line=record["line_in_doc"], quote=line_of(record), title=record.get("title", ""),
        bot=bool(record.get("bot")), access=record["access"], origin=Origin(record["file"], record["line"]),
    )  # fmt: skip


def _login(fields: Any) -> str:
    for field in fields.values() if isinstance(fields, dict) else ():
        match = _LOGIN.fullmatch(str(field.get("value") or "").strip()) if isinstance(field, dict) else None
        if match:
            return match.group(1)
    return ""


def _plain(value: Any) -> str:
    return " ".join(stored(str(value or "")).split())[:120]
