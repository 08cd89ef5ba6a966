"""What one viewer may not see of a workspace, as keys, names, words, runs of words, instants and links; and the search for
any of it in something that was shown to them.

Who may see what is decided on the stored labels alone (`copying.may_see`), not by the rule in the queries, which is judged by it.
A thing is secret only where nothing the viewer may see says it too. What the viewer typed is no secret to them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from brain import catalogue, permissions
from brain.audit.copying import EDGES, PAGE, may_see
from brain.schema import LABEL_OF_PREFIX
from brain.store import WRITE_TIMEOUT_MS, Store, graph_name
from brain.text.analysis import fold, stem
from brain.types import Viewer

RUN, LONG, EARLIEST = 5, 4, 1_000_000
MOST_RUNS = 3_000_000
_TOKEN = re.compile(r"[^\W_]+")
_KEY = re.compile(rf"\b(?:{'|'.join(LABEL_OF_PREFIX)}):[^\s\"'<>,;)\]}}]+")
_NOT_TEXT = frozenset({"access", "aud", "emb", "ft", "hash", "url", "avatar", "aid", "evidence", "id", "basis", "derived_by", "state"})
Tokens = tuple[str, ...]


@dataclass(frozen=True)
class Thing:
    """A node, a relationship or a piece of evidence with what labels it; `ends` are the keys a relationship joins."""

    key: str
    label: str
    props: Mapping[str, Any]
    ends: tuple[str, str] | None = None

    def texts(self) -> Iterator[str]:
        """Every text it holds, its key first."""
        yield self.key
        for name, value in self.props.items():
            if name not in _NOT_TEXT:
                yield from (v for v in (value if isinstance(value, list | tuple) else (value,)) if isinstance(v, str) and v)

    def sentence(self) -> Tokens:
        """A relationship as words."""
        return tokens(f"{self.ends[0]} {self.label} {self.ends[1]}") if self.ends else ()

    def instants(self) -> Iterator[int]:
        """Every time it holds."""
        for value in self.props.values():
            if isinstance(value, int) and not isinstance(value, bool) and value >= EARLIEST:
                yield value


@dataclass(frozen=True)
class Told:
    """Something secret that was shown: where it stood and what it was."""

    where: str
    what: str


def everything(store: Store, workspace: str) -> list[Thing]:
    """All that is stored of a workspace, labelled or not. Only for checks, which compare it with what comes out."""
    graph = graph_name(workspace)
    size = int(_read(store, graph, "whole_size")[0]["n"])
    found: list[Thing] = []
    for first in range(0, size, PAGE):
        for row in _read(store, graph, "whole_nodes_bare", first=first, end=first + PAGE):
            props = {k: v for k, v in row["props"].items() if k != "emb"}
            label = next((name for name in row["labels"] if name != "Entity"), "")
            found.append(Thing(str(props.get("key") or ""), label, props))
        after = -1
        while rows := _read(store, graph, "whole_edges", first=first, end=first + PAGE, after=after, k=EDGES):
            after = int(rows[-1]["n"])
            found += [Thing("", str(r["rel"]), r["props"], (str(r["src"]), str(r["dst"]))) for r in rows]
    return found


def _read(store: Store, graph: str, query: str, **args: int) -> Sequence[Mapping[str, Any]]:
    return store.read(graph, catalogue.shipped()[query].cypher, args, WRITE_TIMEOUT_MS).rows


def tokens(text: str) -> Tokens:
    """The words and numbers of a text, without case and accents."""
    return tuple(_TOKEN.findall(fold(text).lower()))


@cache
def own_words() -> tuple[Tokens, ...]:
    """The texts of the program itself, which anybody may read: an answer's own words are no secret of a company."""
    here = Path(__file__).resolve().parent.parent
    files = [p for p in here.rglob("*") if p.suffix in (".py", ".yaml") and "demo" not in p.parts and p.parent.name != "audit"]
    files += (here.parent / "queries").rglob("*.cypher")
    return tuple(tokens(p.read_text("utf-8")) for p in sorted(files))


@dataclass
class Secrets:
    """What a viewer may not see; `hidden` are the things themselves, evidence and relationships among them."""

    viewer: Viewer
    hidden: list[Thing] = field(default_factory=list)
    shown: set[str] = field(default_factory=set)
    vocabulary: set[str] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    phrases: dict[str, set[Tokens]] = field(default_factory=dict)
    runs: set[Tokens] = field(default_factory=set)
    instants: set[int] = field(default_factory=set)
    links: set[tuple[str, str, str]] = field(default_factory=set)
    _clean: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, viewer: Viewer, things: Sequence[Thing]) -> Secrets:
        """The secrets of a workspace for one viewer."""
        found, seen = cls(viewer), may_see(viewer)
        found.shown = {t.key for t in things if t.ends is None and t.key and seen(t.props)}
        visible: list[Thing] = []
        for t in things:
            (visible if found._open(t, seen) else found.hidden).append(t)
        for t in found.hidden:
            found._keep(t)
        for t in visible:
            found._give_up(t)
        for text in own_words():
            found._said(text)
        return found

    @cached_property
    def stems(self) -> set[str]:
        """The stems of all that the viewer may read and the program says, by which a search would find it."""
        return {stem(word) for word in self.vocabulary}

    def _open(self, t: Thing, seen: Any) -> bool:
        if t.ends is None:
            return bool(seen(t.props))
        if not (t.ends[0] in self.shown and t.ends[1] in self.shown):
            return False
        if "derived_by" in t.props:
            return t.props.get("basis") in permissions.basis(self.viewer)
        return ("aid" not in t.props and t.props.get("access") is None) or bool(seen(t.props))

    def _keep(self, t: Thing) -> None:
        self.instants.update(t.instants())
        if t.ends is not None:
            self.links.add((t.ends[0], t.label, t.ends[1]))
            self.runs.update(_runs(t.sentence()))
        elif t.key:
            self.keys.add(t.key)
            self._phrase(tokens(t.key.partition(":")[2]))
            self._phrase(tokens(str(t.props.get("name") or "")))
            self._phrase(tokens(str(t.props.get("title") or "")))
        for text in t.texts():
            said = tokens(text)
            self.words.update(said)
            if len(self.runs) < MOST_RUNS:
                self.runs.update(_runs(said))

    def _phrase(self, said: Tokens) -> None:
        if len(said) > 1 and sum(map(len, said)) >= 6:
            self.phrases.setdefault(said[0], set()).add(said)

    def _give_up(self, t: Thing) -> None:
        """What a thing that may be seen says is no secret."""
        self.instants.difference_update(t.instants())
        if t.ends is not None:
            self.links.discard((t.ends[0], t.label, t.ends[1]))
            self._said(t.sentence())
        self.keys.discard(t.key)
        for text in t.texts():
            self._said(tokens(text))

    def _said(self, said: Tokens) -> None:
        self.vocabulary.update(said)
        self.words.difference_update(said)
        self.runs.difference_update(_runs(said))
        for phrase in [*self._phrases_in(said)]:
            self.phrases[phrase[0]].discard(phrase)

    def _phrases_in(self, said: Tokens) -> Iterator[Tokens]:
        for i, word in enumerate(said):
            for phrase in self.phrases.get(word, ()):
                if said[i : i + len(phrase)] == phrase:
                    yield phrase

    # -- looking -----------------------------------------------------------------------------

    def told(self, shown: Any, typed: Iterable[str] = ()) -> list[Told]:
        """Every secret in something that was shown, each once; `typed` are the texts that the viewer gave themselves."""
        given = [tokens(t) for t in typed]
        known = {w for g in given for w in g}
        known |= {stem(w) for w in known}
        found: dict[tuple[str, str], Told] = {}
        for where, value in walk(shown):
            if isinstance(value, str):
                if value in self._clean:
                    continue
                whats = [*self._in_text(value)]
                if not whats:
                    self._clean.add(value)
                whats = [w for w in whats if not _typed(w, given, known)]
            else:
                whats = [f"instant {value}"] if value in self.instants and str(value) not in known else []
            for what in whats:
                found.setdefault((where, what), Told(where, what))
        return list(found.values())

    def linked(self, edges: Iterable[tuple[str, str, str]]) -> list[Told]:
        """Relationships among these (source, type, target) that only somebody else may see."""
        return [Told("edges", f"link {a} {rel} {b}") for a, rel, b in dict.fromkeys(edges) if (a, rel, b) in self.links]

    def _in_text(self, text: str) -> Iterator[str]:
        if text in self.keys:
            yield f"key {text}"
        for match in _KEY.finditer(text):
            key = match[0].rstrip(".:?!")
            if key in self.keys:
                yield f"key {key}"
        said = tokens(text)
        yield from (f"word {w}" for w in said if w in self.words and len(w) >= LONG)
        yield from (f"name {' '.join(p)}" for p in self._phrases_in(said))
        yield from (f"quote {' '.join(r)}" for r in _runs(said) if r in self.runs)


def _runs(said: Tokens) -> Iterator[Tokens]:
    return (said[i : i + RUN] for i in range(len(said) - RUN + 1))


def _typed(what: str, given: Sequence[Tokens], known: set[str]) -> bool:
    """Did the viewer say it themselves? A key counts as said when what follows its prefix was."""
    kind, _, rest = what.partition(" ")
    said = tokens(rest.partition(":")[2] if kind == "key" else rest)
    if kind == "word":
        return said[0] in known
    rests = [said, said[1:]] if kind == "name" and len(said) > 2 else [said]  # an error's own word may stand before what was typed
    return any(rest == g[i : i + len(rest)] for rest in rests for g in given for i in range(len(g) - len(rest) + 1))


def walk(value: Any, where: str = "") -> Iterator[tuple[str, str | int]]:
    """Every text and every instant in a nested value, with the names of the fields it lies in."""
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int):
        if value >= EARLIEST:
            yield where, value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield where, str(name)
            yield from walk(inner, f"{where}.{name}" if where else str(name))
    elif isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from walk(inner, where)
