"""What an answer would have been given besides, had its asker been an administrator: the queries of its steps once more, with every
right. For administrators who look as somebody else; nobody else computes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from brain import permissions
from brain.brain import Brain
from brain.errors import BadInput
from brain.schema import LABEL_OF_PREFIX
from brain.store import graph_name
from brain.types import Answer, Result, Step, Viewer

SHOWN = 50


@dataclass(frozen=True)
class StepHidden:
    """Of one step: how many rows only an administrator gets, and how many tell an administrator another value."""

    n: int
    tool: str
    rows: int
    changed: int


@dataclass(frozen=True)
class Hidden:
    """How many results were hidden from the asker, step by step, and the things among them that the asker may not read (the first
    of them; `n_things` counts all). Rows without such a thing rest on a hidden claim, or count something hidden. `changed` rows
    are about what the asker was told of too, and say something else.
    """

    viewer: str
    rows: int
    changed: int
    steps: tuple[StepHidden, ...]
    things: tuple[str, ...]
    n_things: int


def hidden(brain: Brain, answer: Answer, asker: Viewer, who: Viewer) -> Hidden:
    """What was hidden from `asker` in their answer, for the administrator `who`. BadInput for who is none."""
    if not who.admin:
        raise BadInput("only an administrator may know what was hidden")
    steps, keys = [], set[str]()
    for step in answer.steps:
        found, more = _step(brain, step, answer.as_of)
        steps.append(found)
        keys |= more
    ctx = replace(brain.looking(asker), as_of=answer.as_of)
    may = {str(row["key"]) for part in _parts(sorted(keys)) for row in ctx.run("may_read", keys=part).rows}
    things = sorted(key for key in keys - may if _source(key) not in keys)
    rows, changed = sum(s.rows for s in steps), sum(s.changed for s in steps)
    return Hidden(asker.id, rows, changed, tuple(s for s in steps if s.rows or s.changed), tuple(things[:SHOWN]), len(things))


def _step(brain: Brain, step: Step, as_of: int) -> tuple[StepHidden, set[str]]:
    """What an administrator gets more in one step, and the keys that only these results name."""
    if not step.cypher or step.error:
        return StepHidden(step.n, step.tool, 0, 0), set()
    own = permissions.parameters(permissions.local_admin(), as_of, step.params.get("known_at"))
    graph = graph_name(brain.workspace)
    mine = brain.store.read(graph, step.cypher, step.params)
    all_ = brain.store.read(graph, step.cypher, {k: own.get(k, v) for k, v in step.params.items()})
    rows = Counter(map(_about, all_.rows)) - Counter(map(_about, mine.rows))
    other = Counter(map(_whole, all_.rows)) - Counter(map(_whole, mine.rows))
    hidden_rows = sum(rows.values())
    return StepHidden(step.n, step.tool, hidden_rows, max(0, sum(other.values()) - hidden_rows)), _keys(all_) - _keys(mine)


def _whole(row: Mapping[str, Any]) -> bytes:
    return orjson.dumps(dict(row), option=orjson.OPT_SORT_KEYS, default=str)


def _about(row: Mapping[str, Any]) -> bytes:
    """What tells rows apart whatever they count: the keys of things in them; everything where there is none."""
    keys = sorted(v for v in _flat(row) if _is_key(v))
    return orjson.dumps(keys) if keys else _whole(row)


def _is_key(value: str) -> bool:
    return value.partition(":")[0] in LABEL_OF_PREFIX


def _keys(result: Result) -> set[str]:
    return {n.key for n in result.nodes} | {v for v in _flat(result.rows) if _is_key(v)}


def _flat(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _flat(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _flat(item)


def _source(key: str) -> str:
    """The source that a passage is of; empty for what is no passage."""
    return key.removeprefix("chunk:").rpartition("/")[0] if key.startswith("chunk:") else ""


def _parts(keys: Sequence[str], size: int = 1000) -> Iterable[list[str]]:
    yield from (list(keys[i : i + size]) for i in range(0, len(keys), size))
