"""One field of a GitHub record at a time, checked: text, instants, numbers, logins, repositories.

What is wrong raises Malformed, and no text leaves here with an e-mail address in it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from brain.connectors.references import redact

Raw = Mapping[str, Any]
MAX_TEXT = 262_144
_WEB = re.compile(r"https?://[^/]+/(?:api/v3/)?(?:repos/)?([\w.-]+/[\w.-]+?)(?:\.git)?(?:[/{?#]|$)")
_NUMBER = re.compile(r"/(?:issues|pull|pulls)/(\d+)(?=$|[/#?])")


class Malformed(ValueError):
    """A record that cannot be used; the message says which field is wrong."""


def one_of(raw: Raw, *names: str) -> Any:
    """The first of the fields that is there and not null."""
    for name in names:
        if raw.get(name) is not None:
            return raw[name]
    return None


def text_of(raw: Raw, *names: str) -> str:
    """A text field without e-mail addresses and NUL; "" when absent or null."""
    value = one_of(raw, *names)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Malformed(f"{names[0]} is {type(value).__name__}, not text")
    if len(value) > MAX_TEXT:
        raise Malformed(f"{names[0]} is longer than {MAX_TEXT} characters")
    return redact(value.replace("\0", "")).encode("utf-8", "replace").decode()


def word_of(raw: Raw, *names: str) -> str | None:
    """A short plain text such as a branch or a commit id; None when absent."""
    value = one_of(raw, *names)
    if value is not None and not isinstance(value, str):
        raise Malformed(f"{names[0]} is {value!r:.40}, not text")
    return value or None


def instant_of(raw: Raw, *names: str) -> int | None:
    """A time field in epoch seconds; None when absent, null or the zero date."""
    value = one_of(raw, *names)
    if value is None or value == "":
        return None
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise Malformed(f"{names[0]} is {value!r:.40}, not a time") from None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return None if moment.year <= 1 else int(moment.timestamp())


def number_of(raw: Raw) -> int:
    """The issue or pull request number. Raises Malformed without one."""
    value = raw.get("number")
    if value is None:
        raise Malformed("has no number")
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise Malformed(f"number is {value!r:.40}, not a whole number above 0")
    return value


def login_of(value: Any) -> str | None:
    """A login from a user object or a plain login; None for a deleted user."""
    name = value.get("login") if isinstance(value, Mapping) else value
    if name is None or name in ("", "ghost"):
        return None
    if not isinstance(name, str):
        raise Malformed(f"login is {name!r:.40}, not text")
    return f"{name[4:]}[bot]" if name.startswith("app/") else name


def repo_of(raw: Raw) -> str | None:
    """`org/name` as the record itself states it, by name or by one of its addresses."""
    for named in (raw.get("full_name"), raw.get("nameWithOwner"), raw.get("baseRepository")):
        if isinstance(named, str) and "/" in named:
            return named
    owner = raw.get("owner")
    if isinstance(owner, Mapping) and isinstance(owner.get("login"), str) and isinstance(raw.get("name"), str):
        return f"{owner['login']}/{raw['name']}"
    if isinstance(raw.get("repository"), Mapping):
        return repo_of(raw["repository"])
    for name in ("repository_url", "html_url", "issue_url", "pull_request_url", "url"):
        match = _WEB.match(raw[name]) if isinstance(raw.get(name), str) else None
        if match and not match[1].startswith(("users/", "orgs/")):
            return match[1]
    return None


def number_in(raw: Raw) -> int:
    """The number of the issue or pull request that a comment or review stands on, from its addresses."""
    for name in ("issue_url", "pull_request_url", "html_url", "url"):
        match = _NUMBER.search(raw[name]) if isinstance(raw.get(name), str) else None
        if match:
            return int(match[1])
    raise Malformed("has no address that names its issue or pull request")


def list_of(raw: Raw, *names: str) -> list[Any]:
    """The first of the fields that is a list; a count in its place is no list and no error."""
    for name in names:
        value = raw.get(name)
        if isinstance(value, list):
            return value
        if value is not None and not isinstance(value, int):
            raise Malformed(f"{name} is {type(value).__name__}, not a list")
    return []


def map_of(raw: Raw, name: str) -> Raw:
    """A field that is an object; an empty one when it is absent or something else."""
    value = raw.get(name)
    return value if isinstance(value, Mapping) else {}


def name_of(value: Any, field: str) -> str | None:
    """A plain text, or the named field of an object; None when absent or empty."""
    name = value.get(field) if isinstance(value, Mapping) else value
    if name is not None and not isinstance(name, str):
        raise Malformed(f"{field} is {name!r:.40}, not text")
    return redact(name) if name else None


def id_of(raw: Raw) -> str:
    """The record's own id as text, "" without one."""
    value = raw.get("id")
    return "" if value is None else str(value)
