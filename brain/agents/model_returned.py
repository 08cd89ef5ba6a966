"""What the steps of a run returned, taken apart: relationships with their ends, rows with their texts and keys, keys as written."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from brain.agents.wording import is_key, short
from brain.schema import RELS
from brain.types import Step

_SEEN = {"reviewed": "REVIEWED", "handled": "HANDLED_BY"}
LEAST, _ALIKE, _BY = 3, 4, 3


def returned(step: Step) -> Iterator[tuple[str, str, str, int]]:
    """The relationships of a step, with the instant each ended; 0 where none did."""
    for e in step.edges:
        yield e.rel, e.src, e.dst, int(e.props.get("valid_to") or 0)
    for row in step.rows:
        if row.get("rel") in _SEEN and is_key(str(row.get("key"))) and is_key(str(row.get("on"))):
            ends = (str(row["key"]), str(row["on"]))
            yield _SEEN[row["rel"]], *(ends if row["rel"] == "reviewed" else ends[::-1]), 0
        if is_key(str(row.get("owner"))) and is_key(str(row.get("key"))):
            yield "OWNS", str(row["owner"]), str(row["key"]), 0
        if row.get("rel") in RELS and is_key(str(row.get("key"))) and is_key(str(row.get("on"))):
            until = row.get("valid_to")
            yield str(row["rel"]), str(row["key"]), str(row["on"]), until if isinstance(until, int) else 0


def flat(row: Mapping[str, Any]) -> tuple[tuple[str, ...], frozenset[str]]:
    """The texts of a row, and the keys among them."""
    texts: list[str] = []
    queue: list[Any] = [*row.values()]
    while queue:
        value = queue.pop()
        if isinstance(value, str):
            texts.append(value)
        elif value is None or isinstance(value, int | float):
            continue
        elif isinstance(value, Mapping):
            queue += value.values()
        elif isinstance(value, list | tuple | set | frozenset):
            queue += value
    return tuple(texts), frozenset(t for t in texts if is_key(t))


@lru_cache(maxsize=100_000)
def spelled(key: str) -> tuple[str, ...]:
    """A key as it is written."""
    return tuple(filter(telling, {key: 0, short(key): 0, key.partition(":")[2]: 0}))


def telling(form: str) -> bool:
    """Is it long enough, and more than a number, to name something?"""
    return len(form) >= LEAST and not form.isdigit() and re.search(r"[^\W\d]", form) is not None


def alike(one: str, other: str) -> bool:
    """Are two stems the same word, or forms of one: fail and failur, succeed and success?"""
    return one == other or (min(len(one), len(other)) >= _ALIKE and one[:_ALIKE] == other[:_ALIKE] and abs(len(one) - len(other)) <= _BY)


def reach(starts: frozenset[str], edges: set[tuple[str, str]]) -> set[str]:
    """What the edges lead to from these, over as many as it takes."""
    onward: dict[str, list[str]] = defaultdict(list)
    for src, dst in edges:
        onward[src].append(dst)
    seen, queue = set(starts), deque(starts)
    while queue:
        for dst in onward[queue.popleft()]:
            if dst not in seen:
                seen.add(dst)
                queue.append(dst)
    return seen - starts


def words(text: str) -> list[str]:
    """The words of a text, as they are."""
    return re.findall(r"[^\W_]+", text)


def holds(text: str, form: str) -> bool:
    """Does the text hold the form as whole words?"""
    slash = "" if "/" in form else "/"
    return form in text and re.search(rf"(?<![\w#{slash}-]){re.escape(form)}(?![\w@#{slash}-])", text) is not None
