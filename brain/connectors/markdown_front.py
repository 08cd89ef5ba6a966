"""Front matter: the fields that stand before a document's text, each value with the line it was read from."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from itertools import takewhile

import yaml

LONGEST = 400
LARGEST = 65_536
DEEPEST = 2
_STAMP = re.compile(r"^tag:yaml\.org,2002:(?:null)$")


@dataclass(frozen=True)
class Value:
    """One value of a field as it is written, and its line."""

    text: str
    line: int


@dataclass(frozen=True)
class Front:
    """The fields by their plain names (lower case, words joined by `_`), every value of a list apart; `items` holds lists of
    mappings such as `rules:`. `problem` says what is wrong with a front matter that could not be read, at `line`, and `raw` is
    what stood there. `names` are the fields that stand there at all, also those without a value.
    """

    values: dict[str, tuple[Value, ...]] = field(default_factory=dict)
    items: dict[str, tuple[dict[str, Value], ...]] = field(default_factory=dict)
    problem: str = ""
    line: int = 1
    raw: str = ""
    names: frozenset[str] = frozenset()

    def all(self, *names: str) -> tuple[Value, ...]:
        """The values of the first of these fields that says something."""
        return next((self.values[n] for n in names if self.values.get(n)), ())

    def one(self, *names: str) -> Value | None:
        """The first value of the first of these fields that says something."""
        return next(iter(self.all(*names)), None)


def field_name(name: str) -> str:
    """A field's name as it is compared."""
    return re.sub(r"[^\w]+", "_", name.strip().lower()).strip("_")


def split_front(lines: Sequence[str]) -> tuple[Front, int]:
    """The front matter of a document and how many lines it takes, fences and what stands before them included; 0 when there is
    none. Empty lines and remarks may stand before it.
    """
    start = _begin(lines)
    first = lines[start].lstrip("\ufeff").rstrip() if start < len(lines) else ""
    if first not in ("---", "+++"):
        return Front(), 0
    ends = ("---", "...") if first == "---" else ("+++",)
    end = next((i for i, line in enumerate(lines[start + 1 : start + LONGEST], start + 1) if line.rstrip() in ends), None)
    if end is None:
        return _unclosed(lines[start + 1 :], start), 0
    text = "\n".join(lines[start + 1 : end])
    if len(text) > LARGEST:
        return Front(problem=f"the front matter is longer than {LARGEST // 1024} kB", line=start + 2, raw=text), end + 1
    remarks = all(line.lstrip().startswith("#") for line in lines[start + 1 : end] if line.strip())
    if first == "---" and not remarks and not re.search(r"^(?:[\w\"'-][^\n]*:(?:\s|$)|\?\s)", text, re.MULTILINE):
        return Front(), 0
    front = _yaml("\n" * start + text) if first == "---" else _toml("\n" * start + text)
    return replace(front, raw=text), end + 1


def _begin(lines: Sequence[str]) -> int:
    """Where a front matter may begin: after empty lines and remarks."""
    text = "\n".join(lines[:LONGEST]).lstrip("\ufeff")
    before = re.match(r"(?:\s*<!--.*?-->)*\s*\n(?=(?:---|\+\+\+)\s*(?:\n|$))", text, re.DOTALL)
    return before[0].count("\n") if before else 0


def _unclosed(lines: Sequence[str], start: int) -> Front:
    """A front matter without an end: fields that directly follow the fence; a line across the page is none."""
    block = list(takewhile(lambda line: line.strip() and not line.startswith("#"), lines[:LONGEST]))
    fields = bool(block) and all(re.match(r"\s*(?:[-#]|[\w\"'?][^\n]*[:=]|[\]\)}])", line) for line in block[:3])
    return Front(problem="the front matter has no end", line=start + 1, raw="\n".join(block)) if fields else Front()


def _yaml(text: str) -> Front:
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as err:
        mark = getattr(err, "problem_mark", None)
        why = getattr(err, "problem", None) or str(err).partition("\n")[0]
        return Front(problem=f"the front matter is not valid YAML: {why}", line=(mark.line if mark else 0) + 2)
    except RecursionError:
        return Front(problem="the front matter is nested too deeply", line=2)
    if root is None:
        return Front()
    if not isinstance(root, yaml.MappingNode):
        return Front(problem="the front matter is no list of fields", line=2)
    values: dict[str, tuple[Value, ...]] = {}
    items: dict[str, tuple[dict[str, Value], ...]] = {}
    names: set[str] = set()
    for key, node in root.value:
        if not isinstance(key, yaml.ScalarNode):
            continue
        name = field_name(key.value)
        names.add(name)
        if isinstance(node, yaml.SequenceNode) and any(isinstance(n, yaml.MappingNode) for n in node.value):
            items[name] = tuple(_mapping(n) for n in node.value if isinstance(n, yaml.MappingNode))
        values[name] = (*values.get(name, ()), *(v for v in _scalars(node) if v.text))
        if isinstance(node, yaml.MappingNode):
            for inner, value in _mapping(node).items():
                values.setdefault(f"{name}_{inner}", (value,))
    return Front(values, items, names=frozenset(names))


def _mapping(node: yaml.MappingNode) -> dict[str, Value]:
    pairs = ((k, v) for k, v in node.value if isinstance(k, yaml.ScalarNode) and isinstance(v, yaml.ScalarNode) and _says(v))
    return {field_name(k.value): Value(str(v.value).strip(), v.start_mark.line + 2) for k, v in pairs}


def _scalars(node: yaml.Node, depth: int = 0) -> Iterator[Value]:
    """The plain values of a node; a mapping, such as a placeholder in braces, has none."""
    if isinstance(node, yaml.ScalarNode) and _says(node):
        yield Value(" ".join(str(node.value).split()), node.start_mark.line + 2)
    elif isinstance(node, yaml.SequenceNode) and depth < DEEPEST:
        for inner in node.value[: LONGEST // 2]:
            yield from _scalars(inner, depth + 1)


def _says(node: yaml.ScalarNode) -> bool:
    return not _STAMP.match(node.tag)


def _toml(text: str) -> Front:
    try:
        root = tomllib.loads(text)
    except tomllib.TOMLDecodeError as err:
        return Front(problem=f"the front matter is not valid TOML: {err}", line=2)
    lines = text.splitlines()
    values: dict[str, tuple[Value, ...]] = {}
    for key, value in root.items():
        at = next((i for i, line in enumerate(lines, 2) if re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line)), 2)
        given = value if isinstance(value, list) else [value]
        said = [v.isoformat() if isinstance(v, (date, datetime)) else str(v) for v in given if not isinstance(v, (dict, list))]
        values[field_name(key)] = tuple(Value(v.strip(), at) for v in said if v.strip())
    return Front(values, names=frozenset(map(field_name, root)))
