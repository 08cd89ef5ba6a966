"""The labelled set as slices, the things its texts name, and what each text states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from brain.connectors.dates import moment
from brain.extract.names import Names
from brain.extract.slices import Line, Slice
from brain.schema import label_of
from brain.text.lexicon import Lexicon, build
from brain.text.linking import Linker

FILE = Path(__file__).with_name("texts.yaml")
NOW = 1_767_225_600
"""2026-01-01: the set is judged as of this instant, so that no date in it ages."""
WRITTEN = 1_740_000_000
_LABELLED = ("Team", "Service", "Module", "Project", "System", "Api", "Resource", "Doc")


@dataclass(frozen=True)
class Gold:
    """A claim that a text states; times are epoch seconds, None where the text says none."""

    src: str
    rel: str
    dst: str
    start: int | None = None
    until: int | None = None


@dataclass(frozen=True)
class Decided:
    """A decision that a text tells: the number of its line, and those of the lines that justify it."""

    line: int
    because: tuple[int, ...]


@dataclass(frozen=True)
class Labelled:
    """A text with what it states. `tempts` are (subject, relation, object) as a careless reader would have them."""

    id: str
    kind: str
    part: Slice
    states: tuple[Gold, ...]
    tempts: tuple[tuple[str, str, str], ...]
    decides: tuple[Decided, ...]


@cache
def load(path: Path = FILE) -> tuple[tuple[Labelled, ...], Mapping[str, Sequence[str]]]:
    """The texts of a set, in its order, and the names of the things in it by key."""
    said = yaml.safe_load(path.read_text("utf-8"))
    return tuple(_labelled(raw) for raw in said["texts"]), said["things"]


def names(things: Mapping[str, Sequence[str]]) -> Names:
    """What finds these things, as it does in a workspace."""
    lexicon = _lexicon(things)
    low = {key.lower(): key for key in things}

    def ask(query: str, **params: Any) -> list[dict[str, Any]]:
        keys = [low[str(k).lower()] for k in params.get("keys", ()) if str(k).lower() in low] if query == "by_keys" else []
        return [{"key": key} for key in keys]

    linker = Linker(lexicon, ask)

    def there(keys: Sequence[str]) -> dict[str, str]:
        return {k.lower(): low[k.lower()] for k in keys if k.lower() in low}

    return Names(lexicon, there, lambda text, repos: linker.link(text, repos).mentions)


def _lexicon(things: Mapping[str, Sequence[str]]) -> Lexicon:
    people = [{"key": k, "name": n[0], "login": k.partition(":")[2], "names": n} for k, n in things.items() if k.startswith("person:")]
    repos = [{"key": k, "aliases": n} for k, n in things.items() if k.startswith("repo:")]
    rest = [{"key": k, "label": label_of(k), "names": n, "number": None} for k, n in things.items() if label_of(k) in _LABELLED]
    return build(repos, people, (), (), (), (), rest)


def _labelled(raw: Mapping[str, Any]) -> Labelled:
    key = f"doc:texts/{raw['id']}.md" if raw["at"] == "doc" else f"thread:yard/{raw['id']}"
    lines = [_line(raw, n, text) for n, text in enumerate(raw["lines"], 1)]
    states = tuple(_gold(text) for text in raw.get("states", ()))
    tempts = tuple(tuple(part.strip() for part in text.split("|")) for text in raw.get("tempts", ()))
    decides = tuple(Decided(d["line"], tuple(d["because"])) for d in raw.get("decides", ()))
    return Labelled(raw["id"], raw["kind"], Slice(key, raw["id"], tuple(lines)), states, tempts, decides)


def _line(raw: Mapping[str, Any], number: int, text: str) -> Line:
    if raw["at"] == "doc":
        return Line(f"doc:texts/{raw['id']}.md", "body", number, text, at=WRITTEN)
    writer, _, said = text.partition(": ")
    return Line(f"message:yard/{raw['id']}.{number}", "body", 1, said, writer, WRITTEN + 60 * number)


def _gold(text: str) -> Gold:
    src, rel, dst, *dates = text.split(" ")
    found = {what: moment(day) for what, day in zip(dates[::2], dates[1::2], strict=True)}
    start, until = found.get("from"), found.get("until")
    return Gold(src, rel, dst, start.start if start else None, until.end + 1 if until else None)
