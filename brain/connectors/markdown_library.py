"""What the documents of a company must know of one another: which is meant by a link, a number or a title, and who replaces
whom. It is told of every document before any becomes rows, and what it answers depends on no order.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from urllib.parse import unquote

from brain.connectors.company import Company, plain
from brain.connectors.identities import slug
from brain.connectors.markdown_kind import Document
from brain.connectors.markdown_rules import Stated
from brain.connectors.markdown_status import Pointer, Statement, state, statements, status

_GITHUB = re.compile(r"^https?://(?:www\.)?github\.[\w.-]+/[\w.-]+/[\w.-]+/(?:blob|tree|raw|edit)/[^/]+/(?P<path>[^#?]+)")
_OPEN = {"open": 0, "internal": 1, "restricted": 2}


@dataclass(frozen=True)
class Known:
    """What other documents need to know of one. `at` is its date, 0 when it has none; `since` when what it says begins."""

    path: str
    title: str
    kind: str
    number: int | None
    at: int
    since: int
    access: str
    stated: str
    decides: bool
    statements: tuple[Statement, ...]
    rules: tuple[Stated, ...]
    names: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The key of its decision, or else of the document."""
        return f"decision:{self.path.rpartition('.')[0]}" if self.decides else f"doc:{self.path}"

    @property
    def folder(self) -> str:
        """Where it lies."""
        return self.path.rpartition("/")[0]


@dataclass(frozen=True)
class Replacement:
    """One record replaces another: the statement that is cited for it, and what of the old one it is about."""

    new: str
    old: str
    by: str
    line: int
    scope: str
    sure: bool
    how: str
    read: str


@dataclass
class Library:
    """Every document of the company."""

    docs: dict[str, Known] = field(default_factory=dict)
    listed: set[tuple[str, str]] = field(default_factory=set)
    roles: set[str] = field(default_factory=set)
    _teams: defaultdict[str, set[str]] | None = None

    @classmethod
    def of(cls, company: Company) -> Library:
        """The library of a company, made when first asked for."""
        facts = company.facts["markdown"]
        made = facts.get("library")
        if not isinstance(made, Library):
            facts["library"] = made = cls()
        return made

    def add(self, known: Known) -> None:
        """Notes a document."""
        self.docs[known.path] = known

    def role(self, name: str) -> list[str]:
        """The key of the role of that name that a list of people gives to somebody; nothing for any other name."""
        told = slug(name.strip().removeprefix("role:"))
        return [f"role:{told}"] if told in self.roles else []

    def member(self, company: Company, people: Iterable[str], team: str) -> str | None:
        """The one of these people whom a roster puts into the team; None for nobody or several."""
        if self._teams is None:
            self._teams = defaultdict(set)
            for handle, said in sorted(self.listed):
                person, key = company.person("roster", handle), company.find(said, "Team")
                if person and key:
                    self._teams[person].add(key)
        found = [p for p in people if team in self._teams.get(p, ())]
        return found[0] if len(found) == 1 else None

    # -- which document is meant ---------------------------------------------------------------

    @cached_property
    def _tails(self) -> dict[str, list[str]]:
        tails: defaultdict[str, list[str]] = defaultdict(list)
        for path in sorted(self.docs):
            tails[PurePosixPath(path).name.lower()].append(path)
        return tails

    @cached_property
    def _numbers(self) -> dict[int, list[str]]:
        numbers: defaultdict[int, list[str]] = defaultdict(list)
        for path, known in sorted(self.docs.items()):
            if known.decides and known.number is not None:
                numbers[known.number].append(path)
        return numbers

    @cached_property
    def _names(self) -> dict[str, list[str]]:
        names: defaultdict[str, list[str]] = defaultdict(list)
        for path, known in sorted(self.docs.items()):
            for name in {plain(n) for n in (known.title, *known.names, PurePosixPath(path).stem)}:
                names[name].append(path)
        return names

    def linked(self, here: str, href: str) -> str | None:
        """The document that a link in document `here` leads to; None when it is not loaded."""
        github = _GITHUB.match(href)
        target = unquote(re.split(r"[#?]", github["path"] if github else href)[0])
        if not target or (not github and re.match(r"^[a-z][a-z0-9+.-]*:|^//", href, re.IGNORECASE)):
            return None
        if github or target.startswith("/"):
            return self._by_tail(target.lstrip("/"), here)
        near = posixpath.normpath(posixpath.join(here.rpartition("/")[0], target))
        found = next((p for p in _spellings(near) if p in self.docs), None)
        bare = target.removeprefix("./")
        return found or (self._by_tail(bare, here) if "/" in bare and not bare.startswith(".") else None)

    def _by_tail(self, target: str, here: str) -> str | None:
        for spelled in _spellings(target):
            found = [p for p in self._tails.get(PurePosixPath(spelled).name.lower(), ()) if p == spelled or p.endswith(f"/{spelled}")]
            if found:
                found.sort(key=lambda p: (-len(posixpath.commonpath([p, here]) if p and here else ""), p))
                nearest = [p for p in found if len(posixpath.commonpath([p, here])) == len(posixpath.commonpath([found[0], here]))]
                return nearest[0] if len(nearest) == 1 else None
        return None

    def numbered(self, here: str, number: int) -> str | None:
        """The decision with this number: in the folder of document `here`, else the only one that there is."""
        found = [p for p in self._numbers.get(number, ()) if p != here]
        beside = [p for p in found if p.rpartition("/")[0] == here.rpartition("/")[0]]
        return beside[0] if len(beside) == 1 else found[0] if len(found) == 1 and not beside else None

    def named(self, here: str, name: str) -> str | None:
        """The document of that title, alias, file name or path; the one in the same folder where several are called so."""
        by_path = self.linked(here, name) if re.search(r"\.\w+$|/", name) else None
        if by_path is not None:
            return by_path
        found = [p for p in self._names.get(plain(name), ()) if p != here]
        beside = [p for p in found if p.rpartition("/")[0] == here.rpartition("/")[0]]
        return found[0] if len(found) == 1 else beside[0] if len(beside) == 1 else None

    def meant(self, here: str, to: Pointer) -> tuple[str, str] | None:
        """The document a pointer means and how that was found: link, number or title."""
        linked = self.linked(here, to.href) if to.href else None
        if linked is not None and linked != here:
            return linked, "link"
        number = self.numbered(here, to.number) if to.number is not None else None
        if number is not None:
            return number, "number"
        named = self.named(here, to.text) if to.text else None
        return (named, "title") if named is not None else None

    # -- who replaces whom ---------------------------------------------------------------------

    @cached_property
    def _replacements(self) -> dict[str, list[Replacement]]:
        """By the document whose statement is cited: one replacement a pair, whichever of the two states it."""
        pairs: defaultdict[tuple[str, str], list[Replacement]] = defaultdict(list)
        for path, known in sorted(self.docs.items()):
            for said in known.statements:
                if said.verb in ("replaced", "replaces"):
                    for to in said.to:
                        found = self.meant(path, to)
                        if found is not None:
                            new, old = (found[0], path) if said.verb == "replaced" else (path, found[0])
                            pairs[new, old].append(Replacement(new, old, path, said.line, said.scope, said.sure, found[1], said.at))
        chosen: defaultdict[str, list[Replacement]] = defaultdict(list)
        for stated in pairs.values():
            one = self._chosen(stated)
            chosen[one.by].append(one)
        return chosen

    def _chosen(self, stated: list[Replacement]) -> Replacement:
        """The statement to cite: sure before unsure, open before restricted, one that says what of it, the new record's."""
        best = min(stated, key=lambda r: (not r.sure, _OPEN.get(self.docs[r.by].access, 3), r.scope in ("", "part"), r.by != r.new, r.line))
        scopes = [r.scope for r in stated if r.scope and r.sure == best.sure]
        scope = next((s for s in sorted(scopes) if s != "part"), "part" if scopes else "")
        begun = self.docs[best.new].stated not in ("proposed", "rejected")
        sure = best.sure and (begun or any(r.by == r.old for r in stated))
        return Replacement(best.new, best.old, best.by, best.line, scope, sure, best.how, best.read)

    def replacements(self, path: str) -> list[Replacement]:
        """The replacements for which this document is cited."""
        return self._replacements.get(path, [])


def _spellings(path: str) -> Iterator[str]:
    """The files that a link may mean."""
    path = path.rstrip("/")
    yield path
    stem = re.sub(r"\.html?$", "", path)
    for ending in (".md", ".markdown", ".mdx", "/README.md", "/readme.md", "/index.md", "/_index.md"):
        yield f"{stem}{ending}"


def number_of(document: Document) -> int | None:
    """The number of a decision record: stated, in its title, or in its file's name. A title's bare number is often copied from
    another record, so a file's name that is plainly numbered comes before it.
    """
    for value in document.page.front.all("number", "adr", "adr_number", "id"):
        match = re.fullmatch(r"(?:adr|rfc)?[-_ #]*0*(\d{1,5})", value.text.strip(), re.IGNORECASE)
        if match:
            return int(match[1])
    title = re.match(r"\s*(?:(?:adr|rfc|decision)[-_ #]*0*(\d{1,5})\b|0*(\d{1,4})[.:)\s])", document.title.text, re.IGNORECASE)
    if title and title[1]:
        return int(title[1])
    name = re.match(r"(?P<plain>adr|rfc|decision|0)?[-_ ]?0*(?P<n>\d{1,5})(?=[-_. ]|$)", document.stem, re.IGNORECASE)
    if re.match(r"(?:19|20)\d\d-?[01]\d", document.stem):
        name = None
    if name and name["plain"]:
        return int(name["n"])
    if title and not re.match(r"\s*(?:19|20)\d\d[-/]", document.title.text):
        return int(title[2])
    return int(name["n"]) if name else None


def known_of(document: Document, at: int, since: int, access: str, rules: Iterable[Stated]) -> Known:
    """What the library keeps of a document."""
    written = status(document)
    decides = document.kind == "adr" and document.is_decision
    aliases = tuple(v.text for v in document.page.front.all("aliases", "alias", "id", "slug") if len(v.text) > 2)
    said = () if document.kind in ("incident", "meeting", "readme", "index", "template") else tuple(statements(document))
    said = said if decides else tuple(s for s in said if s.verb.startswith("replace"))
    return Known(
        document.path, document.title.text, document.kind, number_of(document) if decides else None, at, since, access,
        state(written.text) if written else "", decides, said, tuple(rules), aliases,
    )  # fmt: skip
