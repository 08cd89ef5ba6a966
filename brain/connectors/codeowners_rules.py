"""The lines of a CODEOWNERS file, as GitHub reads them: a pattern and who owns what it matches. Sections of GitLab's are
understood; what is valid for neither is reported with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from brain.connectors.git_message import People

_SECTION = re.compile(r"\^?\[(?P<name>[^\]\[]+)\](?:\[\d+\])?(?P<owners>(?:\s+\S+)*)")
_LOGIN = re.compile(r"@([A-Za-z0-9_](?:[A-Za-z0-9_-]{0,98}))(?:\[bot\])?")
_TEAM = re.compile(r"@([\w.-]+(?:/[\w.-]+)+)")
_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@.]+")
_PART = re.compile(r"(?:\\.|[^\s\\])+|\\$")


@dataclass
class Read:
    """What a file says. `rules` are {line, pattern, section, owners: [kind, who]}, in order; a rule without owners takes
    them away. `refused` are rules that are none, `invalid` owners that are none, each (reason, line).
    """

    rules: list[dict[str, Any]] = field(default_factory=list)
    refused: list[tuple[str, int]] = field(default_factory=list)
    invalid: list[tuple[str, int]] = field(default_factory=list)


def read(text: str, people: People) -> Read:
    """Takes the file apart."""
    found, section, inherited = Read(), "", list[list[str]]()
    for number, line in enumerate(text.split("\n"), 1):
        words = list(_words(line))
        if not words:
            continue
        header = _SECTION.fullmatch(" ".join(words))
        if header is not None:
            section = header["name"].strip()
            inherited = _owners(header["owners"].split(), number, people, found)
            continue
        reason = _wrong(words[0])
        if reason:
            found.refused.append((reason, number))
            continue
        owners = _owners(words[1:], number, people, found)
        if len(words) > 1 and not owners:
            found.refused.append(("a rule none of whose owners can be one", number))
            continue
        found.rules.append({"line": number, "pattern": words[0], "section": section, "owners": owners or inherited})
    return found


def _words(line: str) -> Iterator[str]:
    """The words of a line up to a comment; a blank after a backslash does not end a word."""
    for word in _PART.findall(line.strip()):
        if word.startswith("#"):
            return
        yield word


def _wrong(pattern: str) -> str:
    """Why GitHub does not take the pattern; "" when it does."""
    if pattern.startswith("!"):
        return "a pattern that starts with !, which has no meaning here"
    if pattern.startswith("\\#"):
        return "a pattern that starts with an escaped #, which GitHub does not read"
    if "[" in pattern or "]" in pattern:
        return "a pattern with a range of characters, which GitHub does not read"
    return "a pattern that matches nothing" if not pattern.strip("/") else ""


def _owners(words: list[str], line: int, people: People, found: Read) -> list[list[str]]:
    owners = []
    for word in words:
        if team := _TEAM.fullmatch(word):
            owners.append(["team", team[1]])
        elif login := _LOGIN.fullmatch(word):
            owners.append(["user", login[1] + ("[bot]" if word.endswith("[bot]") else "")])
        elif _ADDRESS.fullmatch(word):
            ident = people.ident("", word)
            owners.append(["user", ident["login"]] if ident["login"] else ["address", ident["email"] or ""])
        else:
            shown = word if "@" not in word.lstrip("!@") else "an e-mail address with something wrong"
            found.invalid.append((f"no valid owner: {shown[:60]}", line))
    return owners


def teams_org(rules: list[dict[str, Any]]) -> str:
    """The organisation whose teams own most here; "" when no team does."""
    orgs = [who.partition("/")[0] for rule in rules for kind, who in rule["owners"] if kind == "team"]
    return min(orgs, key=lambda org: (-orgs.count(org), org)) if orgs else ""
