"""What is in the files of the demo's repositories: short, seeded lines, each of them once in its file, so that a
difference is exactly as long as the edit that made it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from brain.demo.play import draw

Lines = tuple[str, ...]
Tree = Mapping[str, Lines]

_NOUNS = (
    *("gate", "gauge", "level", "sluice", "pump", "site", "batch", "link", "shift", "door"),
    *("bank", "reading", "crew", "board", "drain", "lock", "crest", "weir", "valve", "outfall"),
)
_VERBS = (
    *("check", "settle", "hold", "read", "open", "close", "count", "carry", "judge", "order"),
    *("keep", "ask", "tell", "wait", "move", "find", "send", "drop", "join", "trim"),
)
_SHAPES = {
    ".go": "\t{verb}({noun}, {n})",
    ".rs": "    {noun}.{verb}({n})?;",
    ".py": "    {noun}.{verb}({n})",
    ".ts": "  {noun}.{verb}({n});",
    ".tsx": "  <{noun} {verb}={{{n}}} />",
    ".sql": "-- {verb} {noun} {n}",
    ".md": "- To {verb} the {noun}, see {n}.",
    ".json": '  "{noun}.{verb}.{n}": "{verb} the {noun}",',
    ".yaml": "{verb}_{noun}_{n}: true",
    ".toml": "{verb}_{noun}_{n} = true",
    ".html": "<p>{verb} {noun} {n}</p>",
    ".proto": "  // {verb} {noun} {n}",
}


@dataclass(frozen=True)
class Edit:
    """What a change does to one file: lines that go, lines that come, and the line they come after."""

    removed: Lines
    added: Lines
    after: str = ""


def begun(path: str, key: str) -> Lines:
    """A new file."""
    return _fresh(path, key, 5 + int(18 * draw(key, f"{path}/size").random() ** 2), ())


def edit(lines: Lines, path: str, key: str) -> Edit:
    """How the change `key` edits a file with these lines: a block goes, a block of at least one line comes."""
    dice = draw(key, f"{path}/edit")
    count = 1 + int(16 * dice.random() ** 2)
    gone = min(int(count * 0.8 * dice.random()), max(len(lines) - 2, 0))
    start = dice.randrange(len(lines) - gone + 1) if lines else 0
    return Edit(lines[start : start + gone], _fresh(path, key, count, lines), lines[start - 1] if start else "")


def applied(lines: Lines, change: Edit) -> Lines:
    """The lines after an edit, also where somebody else has edited the file since."""
    left = [line for line in lines if line not in set(change.removed)]
    where = left.index(change.after) + 1 if change.after in left else 0 if not change.after else len(left)
    return (*left[:where], *change.added, *left[where:])


def counts(before: Lines, after: Lines) -> tuple[int, int]:
    """How many lines came and went."""
    old, new = Counter(before), Counter(after)
    return (new - old).total(), (old - new).total()


def data(lines: Lines) -> bytes:
    """The bytes of a file."""
    return "".join(f"{line}\n" for line in lines).encode()


def _fresh(path: str, key: str, count: int, taken: Lines) -> Lines:
    shape = _SHAPES.get(PurePosixPath(path).suffix, "{verb} {noun} {n}")
    dice, found, used = draw(key, f"{path}/lines"), list[str](), set(taken)
    while len(found) < count:
        line = shape.format(noun=dice.choice(_NOUNS), verb=dice.choice(_VERBS), n=dice.randrange(1000))
        if line not in used:
            used.add(line)
            found.append(line)
    return tuple(found)
