"""A ticket of any export brought to one record: people as identities without addresses, times in seconds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from email.utils import parseaddr
from typing import Any

from brain.connectors.git_message import Ident, People
from brain.connectors.record_fields import NoTime, day_comes_first, instant, line, may_be_either, name_in, text, url
from brain.connectors.tickets_read import Raw

_KEY = re.compile(r"([A-Za-z][A-Za-z0-9_]*)-\d+")
_SAID = re.compile(r"^\s*([^;\n]{6,40});([^;\n]{0,200});(.*)$", re.DOTALL)
_ACCESS = ("open", "internal", "restricted")
MAX_COMMENTS = 500


class Dates:
    """Reads the times of one export. Whether 03/04 is in March or April is told by the option, else by another date of
    the same export that can only be read one way.
    """

    def __init__(self, option: str, others: Callable[[], list[str]]) -> None:
        self._day_first = {"day-first": True, "month-first": False}.get(option)
        self._others, self._looked = others, bool(option)

    def at(self, value: Any) -> int | None:
        """The instant; NoTime when it is none or nothing tells how it is meant."""
        if not self._looked and isinstance(value, str) and may_be_either(value):
            self._looked = True
            told = {day_comes_first(other) for other in self._others()} - {None}
            self._day_first = told.pop() if len(told) == 1 else None
        return instant(value, self._day_first)


class Shape:
    """Makes records of the tickets of one export. `lost` collects what of a ticket could not be used."""

    def __init__(self, name: str, project: str, access: str, people: People, dates: Dates) -> None:
        self.name, self.project, self.access, self.people, self.dates = name, project, access, people, dates

    def record(self, raw: Raw, lost: list[str]) -> dict[str, Any]:
        """The record of a ticket. Raises ValueError when it has no id or no title."""
        id_, title = self._id(raw), line(raw.one("title"))
        if not title:
            raise ValueError(f"{id_} has no title")
        found = _KEY.fullmatch(id_)
        times = {name: self._at(raw, name, lost) for name in ("created_at", "updated_at", "closed_at")}
        system = found[1] if found else self.project or self.name
        return {
            "kind": "ticket", "id": id_, "system": system, "title": title[:500],
            "description": _prose(raw.one("description")), "state": line(name_in(raw.one("state"))),
            "resolution": line(name_in(raw.one("resolution"))), "priority": line(name_in(raw.one("priority"))),
            "type": line(name_in(raw.one("type"))), "components": self._names(raw, "components"), "labels": self._names(raw, "labels"),
            **times, "newest": max(at or 0 for at in times.values()), "assignee": self._person(raw, "assignee"),
            "reporter": self._person(raw, "reporter"), "resolved_by": self._person(raw, "resolved_by"),
            "group": line(name_in(raw.one("group"))), "comments": self._comments(raw, lost), "links": _links(raw),
            "url": url(raw.one("url")), "access": self._access(line(raw.one("access")).lower()), "line": raw.line,
        }  # fmt: skip

    def _id(self, raw: Raw) -> str:
        id_ = line(raw.one("id")).replace(" ", "-")
        if not id_:
            raise ValueError("has no id")
        return f"{self.project}-{id_.lstrip('#')}" if self.project and id_.lstrip("#").isdigit() else id_

    def _at(self, raw: Raw, field: str, lost: list[str]) -> int | None:
        value = raw.one(field)
        try:
            return self.dates.at(value)
        except NoTime as error:
            lost.append(f"{field}: {error}")
            return None

    def _names(self, raw: Raw, field: str) -> list[str]:
        found: list[str] = []
        for value in raw.many(field):
            named = line(name_in(value))
            found += re.split(r"\s*[,;|]\s*", named) if isinstance(value, str) else [named]
        return list(dict.fromkeys(name for name in found if name))

    def _person(self, raw: Raw, field: str) -> Ident | None:
        return self.person(raw.one(field), raw.one(f"{field}_email"))

    def person(self, value: Any, email: Any = None) -> Ident | None:
        """The identity of a name, an address, both in one, or an object with such fields; None for nobody."""
        value = value[0] if isinstance(value, list) and value else value
        if isinstance(value, Mapping):
            email = email or value.get("emailAddress") or value.get("email")
            login = value.get("login") or value.get("username")
            value = name_in(value) or login
        if not isinstance(value, str) and not isinstance(email, str):
            return None
        name, address = parseaddr(value) if isinstance(value, str) and "@" in value else (value or "", "")
        if "@" not in address:
            name, address = (value or "", "") if isinstance(value, str) else ("", "")
        address = email if isinstance(email, str) and "@" in email else address
        if line(name).lower() in ("", "unassigned", "nobody", "none", "-", "n/a") and not address:
            return None
        return self.people.ident(line(name), address)

    def _access(self, stated: str) -> str:
        stricter = max(self.access, stated if stated in _ACCESS else "open", key=_ACCESS.index)
        return "restricted" if stated in ("private", "confidential") else stricter

    def _comments(self, raw: Raw, lost: list[str]) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for value in raw.many("comments"):
            if isinstance(value, Mapping) and isinstance(value.get("comments"), list):
                found += [self._comment(one, lost) for one in value["comments"]]
            else:
                found.append(self._comment(value, lost))
        found = [comment for comment in found if comment["body"]]
        if len(found) > MAX_COMMENTS:
            lost.append(f"has more than {MAX_COMMENTS} comments; the later ones are left out")
        return found[:MAX_COMMENTS]

    def _comment(self, value: Any, lost: list[str]) -> dict[str, Any]:
        said = _SAID.match(value) if isinstance(value, str) else None
        author, at, body, public = None, None, value, True
        if isinstance(value, Mapping):
            author = value.get("author") or value.get("user") or value.get("author_name")
            at = next((value[n] for n in ("created_at", "created", "createdAt", "at", "date") if value.get(n)), None)
            body = next((value[n] for n in ("body", "text", "content", "comment", "plain_body") if value.get(n)), None)
            public = value.get("public") is not False and value.get("jsdPublic") is not False and not value.get("visibility")
        elif said:
            try:
                at = self.dates.at(said[1].strip())
                author, body = said[2].strip() or None, said[3]
            except NoTime:
                at = None
        try:
            when = at if isinstance(at, int) and said else self.dates.at(at)
        except NoTime as error:
            lost.append(f"comment: {error}")
            when = None
        access = self.access if public else self._access("internal")
        return {"author": self.person(author), "at": when, "body": _prose(body), "access": access}


def _prose(value: Any) -> str:
    """Text, or the text of a document as Jira keeps it: an object of blocks."""
    return text(value if not isinstance(value, Mapping) else _blocks(value)).strip("\n")


def _blocks(node: Any, depth: int = 0) -> str:
    if not isinstance(node, Mapping) or depth > 40:
        return ""
    if isinstance(node.get("text"), str):
        return str(node["text"])
    inner = "".join(_blocks(child, depth + 1) for child in node.get("content") or () if isinstance(child, Mapping))
    ends = node.get("type") in ("paragraph", "heading", "codeBlock", "listItem", "hardBreak", "tableRow")
    return f"{inner}\n" if ends else inner


def _links(raw: Raw) -> list[dict[str, str]]:
    """The ids that link columns name, each with what the link is called."""
    found: list[dict[str, str]] = []
    names = list(raw.fields.get("link names", ()))
    for value in raw.many("links"):
        how = ""
        if isinstance(value, Mapping):
            side = "outward" if "outwardIssue" in value else "inward"
            kind = value.get("type")
            how = line(kind.get(side) if isinstance(kind, Mapping) else kind)
            value = value.get(f"{side}Issue") or value
            value = value.get("key") or value.get("id") if isinstance(value, Mapping) else value
        elif names:
            how = line(re.sub(r"^.*\((.*)\)$", r"\1", names.pop(0)))
        for id_ in re.split(r"[\s,;]+", line(value)):
            if id_:
                found.append({"to": id_, "how": how})
    return found


def times_of(raws: Any) -> list[str]:
    """Every time of an export that is written in numbers, for telling how its dates are meant."""
    fields = ("created_at", "updated_at", "closed_at")
    return [value for raw in raws for name in fields for value in [raw.one(name)] if isinstance(value, str)]
