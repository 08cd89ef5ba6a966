"""How right one answer is. Deterministic, no model; what cannot be scored is None, never zero, and is counted."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eval.questions import Question

_KEY = re.compile(r"^(repo|person|pr|issue|release|commit|dir|file|concept|team|service|project|module|resource|deploy|alert"
                  r"|incident|ticket|doc|decision|rule|thread|message|chunk):\S")
_FOLDED = ("repo:", "person:", "pr:", "issue:", "commit:")
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True)
class Score:
    """The marks of one answer.

    `value` in [0, 1] by the question's match (set: F1); `exact` is value 1; `source_recall` the share of gold
    sources that any tool returned, `cited_recall` the share that a shown claim or item names; `support` the
    share of shown claims whose verdict is supported. None: nothing to score (no gold sources, no claims).
    """

    value: float
    exact: bool
    source_recall: float | None
    cited_recall: float | None
    support: float | None
    state_right: bool | None = None


MISS = Score(0.0, False, None, None, None)


def normal(item: str) -> str:
    """A key or value in the form in which two spellings of the same thing are equal."""
    text = item.strip().strip("`'\"<>").strip()
    if text.startswith(_FOLDED):
        text = text.lower()
    elif text.startswith(("file:", "dir:", "release:")):
        kind, _, rest = text.partition(":")
        mark = "@" if kind == "release" else "/"
        parts = rest.split(mark, 1) if kind == "release" else rest.split(mark, 2)
        n = 1 if kind == "release" else 2
        text = kind + ":" + mark.join([p.lower() for p in parts[:n]] + parts[n:])
    elif not _KEY.match(text):
        text = re.sub(r"\s+", " ", text).casefold()
    return text.rstrip("/")


def score(question: Question, answer: Mapping[str, Any]) -> Score:
    """The marks of an answer in the shape of `brain ask --json`."""
    items = [str(i) for i in answer.get("items") or ()]
    state = answer.get("state", "")
    value = _value(question, items, state, answer.get("text") or "")
    returned, cited = set(_returned(answer)), set(_cited(answer))
    return Score(
        value, value >= 1 - 1e-9, _recall(question.sources, returned | cited), _recall(question.sources, cited), support(answer),
        state in question.gold if question.match == "state" else None,
    )


def failed(question: Question) -> Score:
    """The marks of an arm that failed: a miss, with no source found where there were any."""
    recall = 0.0 if question.sources else None
    return Score(0.0, False, recall, recall, None, False if question.match == "state" else None)


def _value(question: Question, items: Sequence[str], state: str, text: str) -> float:
    if question.match == "state":
        return float(state in question.gold)
    if state in ("insufficient", "refused"):
        return 0.0
    if question.match == "number":
        return float(_is_number(items, question.gold[0]))
    if question.match == "text":
        said = " ".join([*items, text])
        return float(any(_says(said, g) for g in question.gold))
    return set_f1(items, question.gold)


def set_f1(items: Iterable[str], gold: Sequence[Any]) -> float:
    """F1 of the items against gold; an inner list of gold counts once, any of its members will do.

    With no gold, 1 for no items and 0 for any.
    """
    given = {normal(i) for i in items}
    wanted = [{normal(x) for x in ([g] if isinstance(g, str) else g)} for g in gold]
    if not wanted or not given:
        return float(not wanted and not given)
    hit = sum(any(_same(x, y) for x in given for y in group) for group in wanted)
    spare = sum(not any(_same(x, y) for group in wanted for y in group) for x in given)
    return 2 * hit / (len(wanted) + hit + spare)


def _same(one: str, other: str) -> bool:
    if one.startswith("commit:") and other.startswith("commit:"):
        short, full = sorted((one, other), key=len)
        return full.startswith(short) and len(short.rsplit("@", 1)[-1]) >= 7
    return one == other


def _is_number(items: Sequence[str], gold: Any) -> bool:
    numbers = [n for i in items for n in _NUMBER.findall(i)]
    return len(numbers) == 1 and math.isclose(float(numbers[0].replace(",", "")), float(gold), rel_tol=1e-9)


def _says(said: str, gold: Any) -> bool:
    flat = _flat(said)
    return any(re.search(rf"(?<!\w){re.escape(_flat(t))}(?!\w)", flat) for t in ([gold] if isinstance(gold, str) else gold))


def _flat(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().casefold()


def _recall(sources: Sequence[str], found: set[str]) -> float | None:
    if not sources:
        return None
    return sum(normal(s) in found for s in sources) / len(sources)


def _as_source(key: str) -> str:
    text = key.strip()
    return normal(text.removeprefix("chunk:").rsplit("/", 1)[0] if text.startswith("chunk:") else text)


def shown(answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The claims that stand in the answer, without those that the verifier dropped."""
    return [c for c in answer.get("claims") or () if not str(c.get("reason") or "").startswith("dropped")]


def _cited(answer: Mapping[str, Any]) -> Iterator[str]:
    for claim in shown(answer):
        yield from (_as_source(c) for c in claim.get("cites") or ())
        yield from (_as_source(q["source"]) for q in claim.get("quotes") or ())
    yield from (_as_source(str(i)) for i in answer.get("items") or ())


def _returned(answer: Mapping[str, Any]) -> Iterator[str]:
    places = [answer.get("evidence") or {}, *(answer.get("steps") or ())]
    for place in places:
        for node in place.get("nodes") or ():
            yield _as_source(node if isinstance(node, str) else str(node.get("key", "")))
        if not isinstance(place.get("rows"), int):  # a step may give their number alone
            yield from _keys_in(place.get("rows"))


def _keys_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if _KEY.match(value):
            yield _as_source(value)
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _keys_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _keys_in(inner)


def support(answer: Mapping[str, Any]) -> float | None:
    """Share of the shown claims that the verifier supports; None when no claim is shown."""
    claims = shown(answer)
    return sum(c.get("verdict") == "supported" for c in claims) / len(claims) if claims else None
