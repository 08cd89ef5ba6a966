"""What a commit message and its identities say. E-mail addresses end here: they become keyed hashes."""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass, field
from typing import Any

from brain.connectors.identities import looks_like_bot
from brain.connectors.references import REDACTED, redact, references

Ident = dict[str, Any]

_NOREPLY = re.compile(r"(?:\d+\+)?([A-Za-z0-9][\w-]*(?:\[bot\])?)@users\.noreply\.github(?:\.[\w-]+)+", re.IGNORECASE)
_NOBODY = frozenset(
    {"", "none", "none@none", "unknown", "unknown@unknown", "root@localhost", "you@example.com", "noreply", "redacted"}
)
_MACHINES = ("@anthropic.com", "@openai.com", "@cursor.com", "@cursor.sh", "@dependabot.com", "@renovateapp.com")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_CO_AUTHOR = re.compile(r"^[ \t]*co-authored-by:[ \t]*(.*?)[ \t]*(?:<([^<>\n]*)>)?[ \t]*$", re.IGNORECASE | re.MULTILINE)
_REVIEWER = re.compile(r"^[ \t]*reviewed-by:[ \t]*(.*?)[ \t]*(?:<([^<>\n]*)>)?[ \t]*$", re.IGNORECASE | re.MULTILINE)
_TRAILER_LINE = re.compile(
    r"^[ \t]*(?:co-authored-by|reviewed-by|signed-off-by|acked-by|tested-by|reported-by|suggested-by|helped-by|cc"
    r"|pr-url|refs?|fixes|closes|resolves|change-id|git-svn-id|backport-pr-url|reviewed-on|cherry-picked-from)[ \t]*:.*$",
    re.IGNORECASE,
)
_MERGE_PULL = re.compile(r"^Merge (?:pull request|PR) #(\d{1,8})\b")
_AT_END = re.compile(r"\(#(\d{1,8})\)\s*$")
_IN_SUBJECT = re.compile(r"\(#(\d{1,8})\)")
_REVERTS = re.compile(r"\bThis reverts commit ([0-9a-f]{7,40})\b")
_DEFAULT_MERGE = re.compile(
    r"^Merge (?:(?:pull request|PR) #\d|(?:remote-tracking )?(?:branch|branches|tag|tags|commit)\b|\S+ into \S+$)"
)


@dataclass(frozen=True)
class Message:
    """A message taken apart; texts hold no e-mail address and no control character."""

    subject: str = ""
    body: str = ""
    co_authors: list[Ident] = field(default_factory=list)
    reviewers: list[Ident] = field(default_factory=list)
    pr_refs: list[dict[str, Any]] = field(default_factory=list)
    refs: list[dict[str, Any]] = field(default_factory=list)
    reverts: str | None = None


class People:
    """Turns names and addresses into identities, with the key that hashes the addresses."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._made: dict[tuple[str, str, str], Ident] = {}

    def ident(self, name: str, email: str, raw_email: str = "") -> Ident:
        """The identity of a name and an address; `raw_email` is the address before a mail map."""
        made = self._made.get((name, email, raw_email))
        if made is None:
            if len(self._made) > 100_000:
                self._made.clear()
            made = self._made[name, email, raw_email] = self._make(name, email.strip(), raw_email.strip())
        return made

    def _make(self, name: str, email: str, raw_email: str) -> Ident:
        found = _NOREPLY.fullmatch(email) or _NOREPLY.fullmatch(raw_email)
        login = found.group(1) if found else None
        if email.lower() == "noreply@github.com":
            login, email = ("web-flow" if name in ("GitHub", "") else None), ""
        shown = _shown(redact(clean(name)))
        shown = "" if shown == REDACTED else shown
        made: Ident = {"name": shown, "email": self._hash(email), "login": login}
        if raw_email.lower() not in ("noreply@github.com", email.lower()) and not _NOREPLY.fullmatch(raw_email):
            made |= {"also": also} if (also := self._hash(raw_email)) else {}
        if looks_like_bot(login, shown) or email.lower().endswith(_MACHINES):
            made["bot"] = True
        return made

    def _hash(self, email: str) -> str | None:
        """The hash that stands for an address; None for one that is nobody's."""
        known = email.lower() not in _NOBODY
        return f"h:{hmac.new(self._key, email.lower().encode(), hashlib.sha256).hexdigest()[:16]}" if known else None


def _shown(name: str) -> str:
    return " ".join(name.split()).strip("\"' <>,")[:200]


def clean(text: str) -> str:
    """The text without control characters; line feeds and tabs stay."""
    return _CONTROL.sub("", text)


def read(text: str, people: People) -> Message:
    """Takes a message apart."""
    text = clean(text.replace("\r\n", "\n").replace("\r", "\n"))
    lines = text.split("\n")
    first = next((i for i, line in enumerate(lines) if any(c.isalnum() for c in line)), None)
    if first is None:
        first = next((i for i, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return Message()
    subject = redact(lines[first].strip())[:2000]
    co_authors = [people.ident(name, email or "") for name, email in _CO_AUTHOR.findall(text) if name or email]
    reviewers = [people.ident(name, email or "") for name, email in _REVIEWER.findall(text) if name or email]
    reverts = _REVERTS.search(text)
    refs = [
        {"repo": r.repo, "number": r.number, "keyword": r.keyword, "kind": r.kind} for r in references(text)
    ]
    return Message(
        subject=subject,
        body=redact("\n".join(lines[first + 1 :])).strip("\n"),
        co_authors=_distinct(co_authors),
        reviewers=_distinct(reviewers),
        pr_refs=_pr_refs(subject, refs),
        refs=[r for r in refs if r["keyword"] != "pr-url"],
        reverts=reverts.group(1) if reverts else None,
    )


def _distinct(idents: list[Ident]) -> list[Ident]:
    return list({(i["name"], i["email"], i["login"]): i for i in idents if i["name"] or i["email"] or i["login"]}.values())


def _pr_refs(subject: str, refs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found = [{"repo": r["repo"], "number": r["number"], "how": "pr-url"} for r in refs if r["keyword"] == "pr-url"]
    merge, end = _MERGE_PULL.match(subject), _AT_END.search(subject)
    inner = _IN_SUBJECT.findall(subject)
    if merge:
        found.append({"repo": None, "number": int(merge.group(1)), "how": "merge"})
    elif end:
        found.append({"repo": None, "number": int(end.group(1)), "how": "subject"})
    elif len(inner) == 1 and not subject.startswith("Revert "):
        found.append({"repo": None, "number": int(inner[0]), "how": "mid-subject"})
    return [f for f in found if f["number"]]


def without_number(subject: str) -> str:
    """A squash subject as the pull request's title: without its number."""
    return _AT_END.sub("", subject).strip() or subject


def is_default_merge(subject: str) -> bool:
    """Whether git or GitHub wrote the subject of a merge."""
    return bool(_DEFAULT_MERGE.match(subject))


def prose(body: str) -> str:
    """A message's body without its trailer lines."""
    return "\n".join(line for line in body.split("\n") if not _TRAILER_LINE.match(line)).strip()
