"""YAML files as documents whose values know their line. One bad document costs itself only, and nothing of it is run:
the text is composed to nodes, and only plain values are taken from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from brain.connectors.git_message import clean

MAX_DOCUMENT = 4_000_000
_MARKER = re.compile(r"^(?:---(?=\s|$)|\.\.\.(?=\s|$)).*$", re.MULTILINE)
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Unreadable(Exception):
    """A document that is no YAML; `line` is where in the file."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.line = line


@dataclass(frozen=True)
class Value:
    """A node of a document with the line of the file it starts on."""

    node: yaml.Node
    above: int

    @property
    def line(self) -> int:
        """The line in the file, 1 the first."""
        return int(self.node.start_mark.line) + 1 + self.above

    def text(self) -> str:
        """A scalar as it is written, without the quotes; "" for null and for anything else."""
        if not isinstance(self.node, yaml.ScalarNode) or self.node.tag.endswith(":null"):
            return ""
        return str(self.node.value).strip()

    def items(self) -> Iterator[tuple[str, Value]]:
        """The pairs of a mapping, merged ones (`<<`) before its own, the last of a name counting for `get`."""
        if isinstance(self.node, yaml.MappingNode):
            for key, value in self._pairs(self.node, 4):
                if isinstance(key, yaml.ScalarNode):
                    yield str(key.value), Value(value, self.above)

    def _pairs(self, node: yaml.MappingNode, depth: int) -> Iterator[tuple[yaml.Node, yaml.Node]]:
        merged = [value for key, value in node.value if key.tag.endswith(":merge")] if depth else []
        for value in merged:
            for part in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                if isinstance(part, yaml.MappingNode):
                    yield from self._pairs(part, depth - 1)
        yield from ((key, value) for key, value in node.value if not key.tag.endswith(":merge"))

    def get(self, *path: str) -> Value | None:
        """The value at a path of names, None when there is none."""
        here: Value | None = self
        for name in path:
            here = dict(here.items()).get(name) if here is not None else None
        return here

    def said(self, *path: str) -> str:
        """The text at a path, "" when there is none."""
        found = self.get(*path)
        return found.text() if found is not None else ""

    def each(self) -> Iterator[Value]:
        """The values of a list; a single value is a list of itself."""
        if isinstance(self.node, yaml.SequenceNode):
            yield from (Value(node, self.above) for node in self.node.value)
        elif self.text():
            yield self


def decoded(raw: bytes) -> str:
    """The text of a file, line ends made line feeds, other control characters left out. Raises Unreadable."""
    try:
        text = raw.decode("utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as err:
        raise Unreadable("not UTF-8", raw[: err.start].count(b"\n") + 1) from err
    return clean(text.replace("\r\n", "\n").replace("\r", "\n"))


def documents(text: str) -> Iterator[Value | Unreadable]:
    """Every document of the file that holds something, or what is wrong with it."""
    above, counted = 0, 0
    for begin, end in _cuts(text):
        part, above, counted = text[begin:end], above + text.count("\n", counted, begin), begin
        if not re.search(r"^[ \t]*[^#\s%]", part, re.MULTILINE):
            continue
        try:
            if len(part) > MAX_DOCUMENT:
                raise Unreadable(f"a document of more than {MAX_DOCUMENT} characters", above + 1)
            node = yaml.compose(part, Loader=_LOADER)
        except yaml.MarkedYAMLError as err:
            mark = err.problem_mark or err.context_mark
            yield Unreadable(f"not YAML: {err.problem or err.context}", above + 1 + (mark.line if mark else 0))
        except (yaml.YAMLError, RecursionError, ValueError) as err:
            yield Unreadable(f"not YAML: {' '.join(str(err).split())[:80]}", above + 1)
        except Unreadable as err:
            yield err
        else:
            if node is not None:
                yield Value(node, above)


def _cuts(text: str) -> Iterator[tuple[int, int]]:
    """Where documents start and end: at the lines of `---` and `...`; what stands behind the marker belongs to it."""
    begin = 0
    for match in _MARKER.finditer(text):
        yield begin, match.start()
        begin = match.start() + 3
    yield begin, len(text)
