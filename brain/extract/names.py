"""Names a text uses, brought to things that are stored: one with the identical key or id, else one that goes by the name, else what a
person chose. Never the nearest, and never one of several.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from brain import schema
from brain.text.lexicon import Lexicon, is_plain, plain
from brain.text.mentions import Mention

Link = Callable[[str, Sequence[str]], Sequence[Mention]]
Existing = Callable[[Sequence[str]], Mapping[str, str]]
"""Keys in lower case -> stored key, of those that whoever asks may see."""

_SELF = frozenset({"i", "me", "my", "mine", "myself", "i'm", "i am"})


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NOBODY = _set(
    """we us our ours ourselves they them their it its this that these those he him his she her hers someone somebody anyone anybody
    everyone everybody nobody none one both all others unknown n/a"""
)
_SOME = _set("team service system repo repository owner author writer")
_NOBODY |= {f"{the}{sort}" for the in ("", "the ", "our ", "my ", "this ") for sort in _SOME}
_SORTS = {
    "Team": ("team", "group", "squad"), "Service": ("service", "app", "application"), "Repo": ("repo", "repository"), "Module": ("module",),
    "Project": ("project",), "System": ("system",), "Resource": ("database", "db", "queue", "bucket", "resource"), "Api": ("api",),
    "Doc": ("doc", "document", "runbook", "page"), "Ticket": ("ticket",), "Incident": ("incident",), "Issue": ("issue",),
    "PullRequest": ("pr", "pull request"), "Deploy": ("deploy", "deployment"), "Alert": ("alert",), "Domain": ("domain",),
}  # fmt: skip
_NUMBERED = re.compile(r"#\d|^[A-Za-z][A-Za-z0-9]*-\d+$|/|@|^[0-9a-f]{7,40}$|^\d+$")
_BESIDE = frozenset({"number", "key", "address", "id", "sha", "path", "document", "decision", "tag", "name"})


@dataclass(frozen=True)
class Found:
    """What a name means: the key and how it was found, or, without a key, what it may mean and why nobody can tell here."""

    key: str = ""
    how: str = ""
    candidates: tuple[str, ...] = ()
    why: str = ""
    nothing: bool = False


@dataclass(frozen=True)
class Around:
    """What a name stands in: who wrote the line, who else takes part, and the repository that is talked of."""

    writer: str = ""
    present: tuple[str, ...] = ()
    repo: str = ""


@dataclass
class Names:
    """Finds what names mean. `link` reads numbers, ids and paths, `existing` says which keys there are, `chosen` is what people said
    that a name means ("" for nothing that is stored).
    """

    lexicon: Lexicon
    existing: Existing
    link: Link | None = None
    chosen: Mapping[str, str] = field(default_factory=dict)
    _first_names: dict[str, set[str]] = field(default_factory=dict)
    _spellings: dict[str, set[str]] = field(default_factory=dict)

    def find(self, name: str, labels: Sequence[str], where: Around = Around()) -> Found:
        """The one thing with one of these labels that the name means."""
        low = plain(name.strip("\"'`“”.,;:*_ "))
        if low in _SELF:
            return self._writer(where.writer, labels)
        if not low or low in _NOBODY:
            return Found(why=f"{name!r} names nothing by itself", nothing=True)
        for form in self._forms(low, labels):
            if form in self.chosen:
                return self._picked([self.chosen[form]], labels, "person", name) if self.chosen[form] else self._left(name)
        met: Found | None = None
        for form in self._forms(low, labels):
            for look in (self._identical, self._called, self._linked):
                found = look(form, name, labels, where)
                if found is not None and (found.key or found.candidates):
                    return found
                met = met or found
        return met or Found(why=f"nothing that is stored goes by {name!r}", nothing=" " not in low and is_plain(low))

    def _left(self, name: str) -> Found:
        return Found(why=f"a person said that {name!r} is nothing that is stored", nothing=True)

    def _writer(self, writer: str, labels: Sequence[str]) -> Found:
        if "Person" not in labels:
            return Found(why="the writer is a person, which does not fit here", nothing=True)
        keys = self.person(writer)
        return Found(keys[0], "writer") if len(keys) == 1 else Found(why="who wrote the line is not known", nothing=True)

    def person(self, author: str) -> list[str]:
        """The people whom the name or login of an author means."""
        return list(dict.fromkeys(n.key for n in self.lexicon.get(author) if n.label == "Person" and n.how != "given")) if author else []

    def spellings(self, key: str) -> set[str]:
        """What the thing with this key is called: its id, its names, and of a person the first name too."""
        if not self._spellings:
            for spelling, meanings in self.lexicon.names.items():
                for n in meanings:
                    if n.how != "term":
                        self._spellings.setdefault(n.key, set()).add(spelling)
        return self._spellings.get(key, set()) | {key.partition(":")[2].lower()}

    def _identical(self, form: str, name: str, labels: Sequence[str], where: Around) -> Found | None:
        """By its key, or by the part of the key that is its id."""
        tries = [form] if form.partition(":")[0] in schema.LABEL_OF_PREFIX else []
        tries += [f"{schema.NODES[label].prefix}:{form}" for label in labels]
        spelled = [t for t in (name.strip(), *(f"{schema.NODES[label].prefix}:{name.strip()}" for label in labels)) if ":" in t]
        there = self.existing(list(dict.fromkeys([*tries, *spelled])))
        if not there:
            return None
        found = self._picked(sorted(set(there.values())), labels, "id", name)
        return self._namesakes(found, form, name, where) if found.key.startswith("person:") and not name.strip().startswith("@") else found

    def _namesakes(self, found: Found, form: str, name: str, where: Around) -> Found:
        """The person whose login it is, unless it is others' first name as well: then the one of them who takes part, if it is one."""
        if not self._first_names:
            for spelling, meanings in self.lexicon.names.items():
                first, _, rest = spelling.partition(" ")
                for n in meanings if rest else ():
                    if n.label == "Person":
                        self._first_names.setdefault(first, set()).add(n.key)
        others = self._first_names.get(form, set()) | {found.key}
        here = [key for key in others if key in where.present]
        if len(others) == 1 or here == [found.key]:
            return found
        if len(here) == 1:
            return Found(here[0], "name")
        return Found(candidates=tuple(sorted(others)), why=f"{name!r} may be any of {len(others)}")

    def _called(self, form: str, name: str, labels: Sequence[str], where: Around) -> Found | None:
        """By a name or alias; by a first name only somebody who takes part. An everyday word is nobody's name."""
        if is_plain(form) and " " not in form:
            return None
        meanings = self.lexicon.get(form)
        firm = [n.key for n in meanings if n.how not in ("given", "term")]
        given = [n.key for n in meanings if n.how == "given" and n.key in where.present]
        if not firm and not given:
            weak = tuple(n.key for n in meanings if n.how == "given" and n.label in labels)
            return Found(candidates=weak, why=f"{name!r} is a first name, and nobody of it takes part") if weak else None
        return self._picked(firm or given, labels, "name", name)

    def _linked(self, form: str, name: str, labels: Sequence[str], where: Around) -> Found | None:
        """By a number, an id, an address or a path, as it is written."""
        text = name.strip().strip("`\"'")
        if self.link is None or not _NUMBERED.search(text):
            return None
        repos = (f"repo:{where.repo}",) if where.repo else ()
        keys = [k for m in self.link(text, repos) if m.sure and m.how in _BESIDE and len(m.text) >= len(text) - 2 for k in m.keys]
        return self._picked(keys, labels, "id", name) if keys else None

    def _picked(self, keys: Iterable[str], labels: Sequence[str], how: str, name: str) -> Found:
        """The one that fits; none where several do, and nothing where none does."""
        every = list(dict.fromkeys(keys))
        fitting = [k for k in every if schema.label_of(k) in labels]
        if len(fitting) == 1:
            return Found(fitting[0], how)
        if fitting:
            return Found(candidates=tuple(fitting), why=f"{name!r} may be any of {len(fitting)}")
        is_ = schema.label_of(every[0])
        return Found(why=f"{name!r} is a {is_}, and {' or '.join(labels)} belongs here", nothing=True)

    def _forms(self, low: str, labels: Sequence[str]) -> list[str]:
        """The ways the name may be stored: as it is, without an article or possessive, without the word for its sort."""
        bare = re.sub(r"^(?:(?:the|our|my)\s+|@)|(?:'s)$", "", low).strip()
        forms = [low, bare]
        for label in labels:
            for sort in _SORTS.get(label, ()):
                forms += [f.removesuffix(f" {sort}") for f in (low, bare)] + [f.removeprefix(f"{sort} ") for f in (low, bare)]
        return [f for f in dict.fromkeys(forms) if f]
