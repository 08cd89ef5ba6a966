"""Whom and what a document names: the person, team, service or document behind the words of a cell or field. A name that
several bear is nobody's; one that nothing else tells of becomes a thing of its own only where the words say what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from brain import schema
from brain.connectors.company import plain
from brain.connectors.context import Context
from brain.connectors.dates import moments
from brain.connectors.identities import login_key, slug
from brain.connectors.markdown_kind import says
from brain.connectors.markdown_library import Library
from brain.connectors.markdown_page import Line, Link
from brain.connectors.references import REDACTED

_TEAMISH = re.compile(
    r"\b(?:team|squad|guild|crew|group|tribe|chapter|department|dept|committee|board|council|desk|office|circle)s?\b", re.IGNORECASE
)
_PARTS = re.compile(r"\s*(?:[;\n]|,(?![^(]*\))|\s(?:and|&|\+)\s)\s*")
_SLASHED = re.compile(r"\s+/\s+|(?<=[^\W\d_])/(?=[^\W\d_])")
_KINDED = re.compile(
    r"^(?P<kind>component|service|system|domain|api|resource|group|team|user|person|role|module|project)\s*:\s*(?:[\w.-]+/)?(?P<name>\S.*)$",
    re.IGNORECASE,
)
_KINDS = {"component": "Service", "service": "Service", "group": "Team", "team": "Team", "user": "Person", "person": "Person"}
_PROFILE = re.compile(r"^https?://(?:www\.)?github\.[\w.-]+/(?:orgs/[\w-]+/teams/)?(?P<name>@?[\w-]+)/?$")
_REPOSITORY = re.compile(r"^https?://(?:www\.)?github\.[\w.-]+/([\w.-]+/[\w.-]+?)(?:\.git)?/?$")
_FULL_NAME = re.compile(r"^[^\W\d_][\w'\u2019.-]*(?: (?:[^\W\d_][\w'\u2019.-]*|[a-z]{2,3})){1,3}$")
_SINCE = re.compile(r"\b(?:since|from|as of|starting)\b", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|till|to|through|ended|left|former(?:ly)?|ex)\b", re.IGNORECASE)
_AS_LABEL = {label: node.prefix for label, node in schema.NODES.items()}
NAMED = ("Service", "Team", "Module", "System", "Api", "Resource", "Project", "Domain")


@dataclass(frozen=True)
class Found:
    """What words mean: its key and name. `made`: nothing but this document tells of it; `start` and `end`: when it is so,
    where the words say.
    """

    key: str
    name: str
    made: bool = False
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True)
class Unfound:
    """Words that mean nothing known, and why; `name` and `bearers` where several bear the name."""

    reason: str
    name: str = ""
    bearers: tuple[str, ...] = ()


class Names:
    """Looks names up. `closed`: the document is restricted, so nothing becomes known by it that nobody else tells of."""

    def __init__(self, context: Context, closed: bool = False, hashes: dict[int, list[str]] | None = None) -> None:
        self.context, self.company, self.closed = context, context.company, closed
        self.library = Library.of(context.company)
        self.hashes = hashes or {}

    def all(self, line: Line, labels: Sequence[str], here: str = "", make: bool = True) -> Iterator[Found | Unfound]:
        """Everything that a cell or value names, of these labels, the first label that fits counting. `make`: a name that
        nothing tells of may be of something new.
        """
        if not says(line.text):
            return
        parts = [part for part in _PARTS.split(line.text) if says(part)]
        whole = self._one(line.text, line, labels, here, make=False) if len(parts) == 1 or "(" not in line.text else None
        if isinstance(whole, Found):
            yield whole
            return
        for part in parts:
            yield from self._part(part.strip(), line, labels, here, make)

    def _part(self, part: str, line: Line, labels: Sequence[str], here: str, make: bool) -> Iterator[Found | Unfound]:
        slashed = bool(_SLASHED.search(part))
        one = self._one(part, line, labels, here, make and not slashed)
        if isinstance(one, Found) or not slashed:
            yield one
            return
        several = [self._one(p, line, labels, here, make=False) for p in _SLASHED.split(part)]
        yield from several if any(isinstance(s, Found) for s in several) else [self._one(part, line, labels, here, make)]

    def _one(self, text: str, line: Line, labels: Sequence[str], here: str, make: bool) -> Found | Unfound:
        """What one name means."""
        inner = " ".join(m[1] for m in re.finditer(r"\(([^()]*)\)", text))
        name = re.sub(r"\s*\([^()]*\)", "", text).strip(" `*_\"'.")
        links = [ln for ln in line.links if ln.text and ln.text in text]
        start, end = _period(f"{inner} {name}")
        if start or end:
            name = re.split(r"\s*(?:,|\b(?:since|from|until|till)\b)", name, flags=re.IGNORECASE)[0].strip()
        kinded = _KINDED.match(name)
        if kinded:
            wanted = _KINDS.get(kinded["kind"].lower(), kinded["kind"].capitalize())
            labels, name = ([wanted] if wanted in labels or not labels else list(labels)), kinded["name"].strip()
        handle = re.search(r"@([\w.-]+(?:/[\w.-]+)?)", f"{inner} {name}")
        for label in labels:
            key = self._of(label, name, handle[1] if handle else "", links, line, here)
            if key is not None:
                lone = label in NAMED and not self.company.declared(key) and not self.closed
                return Found(key, name or key.partition(":")[2], lone, start, end)
        bearers = self.company.all(name, *labels)
        if len(bearers) > 1:
            return Unfound(f"{name!r} is the name of {len(bearers)} ({', '.join(bearers[:3])}); add a login or id", name, tuple(bearers))
        return self._made(name, handle[1] if handle else "", labels, make, start, end)

    def _of(self, label: str, name: str, handle: str, links: Sequence[Link], line: Line, here: str) -> str | None:
        if label == "Person":
            return self.person(name, handle, links, line)
        if label == "Doc":
            path = next((p for ln in links if (p := self.library.linked(here, ln.href))), None) or self.library.named(here, name)
            return f"doc:{path}" if path else None
        if label == "Team":
            if handle and "/" not in handle and not _TEAMISH.search(name):
                return self.company.find(handle, "Team")
            bare = re.sub(r"['\u2019]s$", "", _TEAMISH.sub("", name).strip(" -:")) if _TEAMISH.search(name) else ""
            tried = (handle.rpartition("/")[2], handle, name, bare, bare.removeprefix("the "))
            return next((k for t in tried if t and (k := self.company.find(t, "Team"))), None)
        if label == "Repo":
            github = next((m for ln in links if (m := _REPOSITORY.match(ln.href))), None)
            return self.company.find(github[1] if github else name, "Repo")
        return self.company.find(name, label) if name else None

    def person(self, name: str, handle: str = "", links: Sequence[Link] = (), line: Line | None = None) -> str | None:
        """The one person that is meant: by profile link, login or handle, e-mail address, or full name."""
        for link in links:
            profile = _PROFILE.match(link.href)
            if profile and "/teams/" not in link.href and (key := self._login(profile["name"])):
                return key
        if handle and "/" not in handle and (key := self._login(handle)):
            return key
        if line is not None and REDACTED in line.text:
            found = {k for h in self.hashes.get(line.line, ()) if (k := self.company.accounts.by_address(h))}
            if len(found) == 1:
                return found.pop()
        bare = name.replace(REDACTED, "").strip(" <>,`")
        if not bare or bare.startswith("@"):
            return None
        return self.company.person_named(bare) or (self._login(bare) if " " not in bare else None)

    def _login(self, login: str) -> str | None:
        known = self.context.known_person(login.removeprefix("@"))
        return known or self.company.person_named(login)

    def _made(self, name: str, handle: str, labels: Sequence[str], make: bool, start: int | None, end: int | None) -> Found | Unfound:
        label = _looks(name, handle, labels) if make else None
        if label is None or not slug(name or handle):
            return Unfound(f"nothing known is called {name or handle!r}")
        if self.closed:
            return Unfound("a name that only a restricted document tells")
        if label == "Person":
            key = f"person:{login_key(handle) if handle else slug(name)}"
            if not handle and self.company.accounts.known(key):
                return Unfound(f"{name!r} may be {key}, which is called otherwise")
        else:
            key = f"{_AS_LABEL[label]}:{slug(handle.rpartition('/')[2] or name) if label == 'Team' else key_part(name)}"
        return Found(key, name or handle, True, start, end)


def key_part(name: str) -> str:
    """A name as a part of a key: as it is where it is an id already, else its slug."""
    return name if re.fullmatch(r"[a-z0-9][a-z0-9._-]*", name) else slug(name)


def _looks(name: str, handle: str, labels: Sequence[str]) -> str | None:
    """What an unknown name is of, by its look; None when that cannot be told."""
    if len(name.split()) > 5 or len(name) > 60 or re.search(r"https?:|[?!:;|<>{}]", name):
        return None
    both = "Team" in labels and "Person" in labels
    if tuple(labels) == ("Role",):
        return "Role"
    if "Team" in labels and ("/" in handle or _TEAMISH.search(name) or (labels[0] == "Team" and not both)):
        return "Team"
    if "Person" in labels and (handle or (_FULL_NAME.match(name) and name[0].isupper() and name.split()[-1][0].isupper())):
        return "Person"
    if "Person" in labels:
        return "Team" if both and re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*|[A-Z]\w+", name) else None
    first = next((label for label in labels if label in NAMED), None)
    return first if first and len(name.split()) <= 4 else None


def _period(text: str) -> tuple[int | None, int | None]:
    start = end = None
    for found in moments(text):
        before = text[max(0, found.at[0] - 12) : found.at[0]]
        if _UNTIL.search(before) or re.search(r"[-\u2013\u2014]\s*$", before):
            end = found.end
        elif _SINCE.search(before) or start is None:
            start = found.start
    return start, end


def same(a: str, b: str) -> bool:
    """Are two names one as they are compared?"""
    return plain(a) == plain(b)
