"""What a text refers to: issues and pull requests by number or address, never by guess.

Numbers in code, HTML comments and addresses of other sites refer to nothing. E-mail addresses
leave a text here, before anything is stored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

CLOSING = frozenset({"close", "closes", "closed", "fix", "fixes", "fixed", "resolve", "resolves", "resolved"})
REDACTED = "[e-mail]"

_CODE = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|^[ ]{0,3}(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^[ ]{0,3}(?P=fence)[`~]*[ \t]*$|\Z)"
    r"|(?<!`)(?P<tick>`{1,2})(?!`)(?:[^`\n]|\n(?!\n))+?(?P=tick)(?!`)",
    re.DOTALL | re.MULTILINE,
)
_REFERENCE = re.compile(
    r"https?://(?:www\.)?github(?:\.[\w-]+)+/(?P<url_repo>[\w.-]+/[\w.-]+)/(?P<url_kind>issues|pull|pulls)/?(?P<url_n>\d{1,8})(?!\d)"
    r"|(?<![\w/.:@#&-])(?P<repo>[A-Za-z0-9][\w-]*(?:/[\w.-]+)?)#(?P<repo_n>[1-9]\d{0,7})(?![\w])"
    r"|(?<![\w/&#])#(?P<n>[1-9]\d{0,7})(?!\w)"
    r"|(?<![\w-])GH-(?P<gh_n>[1-9]\d{0,7})(?!\w)"
)
_TICKET = re.compile(r"(?<![\w/.@#&-])[A-Z][A-Z0-9_]{1,15}-[1-9]\d{0,6}(?![\w-]|\.\d)")
_KEYWORD_BEFORE = re.compile(r"(?<![\w-])(close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?:[ \t]*:[ \t]*|[ \t]+)\Z", re.IGNORECASE)
_TRAILER = re.compile(r"^[ \t]*(refs?|pr-url|fixes|closes|resolves)[ \t]*:[ \t]*", re.IGNORECASE)
EMAIL = re.compile(
    r"(?<![\w.+%'-])(?!git@[\w.-]+[:/][^\s:])[\w.+%'-]{1,256}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w-])"
)


@dataclass(frozen=True)
class Reference:
    """One issue or pull request named in a text.

    `repo` is `org/name`, a bare owner (`nodejs#12`: that owner's repository of the same name), or
    None for the repository the text belongs to. `keyword` is lower case: a closing keyword, "refs"
    or "pr-url" for those trailers, or None. `kind` is known only from an address.
    """

    repo: str | None
    number: int
    keyword: str | None
    kind: Literal["pull", "issue"] | None

    @property
    def closes(self) -> bool:
        """Whether a closing keyword stands directly before it."""
        return self.keyword in CLOSING

    def repo_from(self, here: str) -> str:
        """The `org/name` it points to when it stands in a text of repository `here`."""
        if self.repo is None:
            return here
        return self.repo if "/" in self.repo else f"{self.repo}/{here.partition('/')[2]}"


def without_code(text: str) -> str:
    """The text with code blocks, inline code and HTML comments blanked, line numbers kept."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return _CODE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), plain)


def references(text: str) -> list[Reference]:
    """Every issue or pull request the text names, each once, in order of first mention; one that is
    named both with and without a closing keyword counts as closed.
    """
    found: dict[tuple[str | None, int], Reference] = {}
    for line in without_code(text).splitlines():
        if "#" not in line and "GH-" not in line and "github." not in line:
            continue
        trailer = _TRAILER.match(line)
        for match in _REFERENCE.finditer(line):
            ref = _reference(match, line, trailer.group(1).lower() if trailer else None)
            key = (ref.repo.lower() if ref.repo else None, ref.number)
            old = found.get(key)
            if ref.number and (old is None or _strength(ref) > _strength(old)):
                found[key] = ref if old is None or ref.kind else Reference(ref.repo, ref.number, ref.keyword, old.kind)
    return list(found.values())


def ticket_references(text: str) -> dict[str, str | None]:
    """Everything in the text that is written like the id of a ticket, with the closing keyword directly before it."""
    found: dict[str, str | None] = {}
    for line in without_code(text).splitlines() if "-" in text else ():
        for match in _TICKET.finditer(line):
            before = _KEYWORD_BEFORE.search(line, max(0, match.start() - 20), match.start())
            found[match.group()] = found.get(match.group()) or (before.group(1).lower() if before else None)
    return found


def _strength(ref: Reference) -> int:
    return 2 if ref.closes else 1 if ref.keyword else 0


def _reference(match: re.Match[str], line: str, trailer: str | None) -> Reference:
    before = _KEYWORD_BEFORE.search(line, max(0, match.start() - 20), match.start())
    keyword = before.group(1).lower() if before else None
    if keyword is None and trailer is not None:
        keyword = "refs" if trailer in ("ref", "refs") else trailer
    if match["url_n"]:
        kind: Literal["pull", "issue"] = "issue" if match["url_kind"] == "issues" else "pull"
        return Reference(match["url_repo"].removesuffix(".git"), int(match["url_n"]), keyword, kind)
    return Reference(match["repo"], int(match["repo_n"] or match["n"] or match["gh_n"]), keyword, None)


def redact(text: str) -> str:
    """The text with e-mail addresses replaced; `git@host:path` remotes and `pkg@1.2.3` stay."""
    return EMAIL.sub(REDACTED, text) if "@" in text else text
