"""Question sets: one JSON object a line, checked when loaded; a bad line is refused with the fix."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from brain.errors import DefinitionError

Match = Literal["set", "number", "text", "state"]
MATCHES: tuple[str, ...] = get_args(Match)
STATES = ("answered", "insufficient", "premise_corrected", "refused")
FIELDS = ("id", "category", "question", "gold", "match", "sources", "viewer", "as_of", "cluster")
SETS = Path(__file__).parent / "sets"
REPLAYS = "incidents"  # sets whose names begin so hold alerts, which eval/incidents reads


@dataclass(frozen=True)
class Question:
    """One question with its right answer.

    `gold` by `match`: *set* the keys or values, none of them when nothing is right, a list inside means
    that any one of these will do; *number* one number; *text* strings of which one must be in the answer;
    *state* the states that are right. `viewer` None is a local administrator, `as_of` None is now.
    """

    id: str
    category: str
    question: str
    gold: tuple[str | int | float | tuple[str, ...], ...]
    match: Match
    sources: tuple[str, ...] = ()
    viewer: str | None = None
    as_of: int | None = None
    cluster: str = ""

    def line(self) -> str:
        """The question as its line of a set file."""
        return json.dumps(asdict(self), ensure_ascii=False)


def shipped() -> dict[str, Path]:
    """The question sets that come with this, by name."""
    return {p.stem: p for p in sorted(SETS.glob("*.jsonl")) if p.stem.partition(".")[0] != REPLAYS}


def load(path: Path) -> list[Question]:
    """The questions of a set file in order; `DefinitionError` names file, line and the fix."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise DefinitionError(f"{path}: no such question set; those shipped are in {SETS.name}/") from None
    except UnicodeDecodeError:
        raise DefinitionError(f"{path}: not UTF-8; save the set as UTF-8, one JSON object a line") from None
    out: list[Question] = []
    seen: dict[str, int] = {}
    for n, line in enumerate(lines, 1):
        if line.strip():
            question = parse(line, f"{path}:{n}")
            if question.id in seen:
                raise DefinitionError(f"{path}:{n}: id {question.id!r} is also on line {seen[question.id]}; give each question its own")
            seen[question.id] = n
            out.append(question)
    if not out:
        raise DefinitionError(f"{path}: holds no question; write one JSON object a line")
    return out


def parse(line: str, where: str) -> Question:
    """One line as a question; `where` (file:line) stands in the error."""
    try:
        raw = json.loads(line)
    except ValueError as error:
        raise DefinitionError(f"{where}: not JSON ({error}); write one JSON object a line") from None
    if not isinstance(raw, dict):
        raise DefinitionError(f"{where}: a {type(raw).__name__}, not an object; write {{\"id\": ...}}")
    missing = [f for f in FIELDS[:5] if f not in raw]
    unknown = sorted(set(raw) - set(FIELDS))
    if missing or unknown:
        said = f"missing {', '.join(missing)}" if missing else f"unknown {', '.join(unknown)}"
        raise DefinitionError(f"{where}: {said}; the fields are {', '.join(FIELDS)}")
    _check(raw, where)
    gold = tuple(tuple(g) if isinstance(g, list) else g for g in raw["gold"])
    return Question(raw["id"], raw["category"], raw["question"], gold, raw["match"], tuple(raw.get("sources") or ()),
                    raw.get("viewer"), raw.get("as_of"), raw.get("cluster") or raw["id"])


def _check(raw: dict[str, Any], where: str) -> None:
    for name in ("id", "category", "question"):
        if not isinstance(raw[name], str) or not raw[name].strip():
            raise DefinitionError(f"{where}: {name} is {raw[name]!r}; write a text that is not empty")
    gold, match = raw["gold"], raw["match"]
    if match not in MATCHES:
        raise DefinitionError(f"{where}: match is {match!r}; use one of {', '.join(MATCHES)}")
    if not isinstance(gold, list):
        raise DefinitionError(f"{where}: gold is a {type(gold).__name__}; write a list, also for one answer")
    if match == "number" and (len(gold) != 1 or isinstance(gold[0], bool) or not isinstance(gold[0], int | float)):
        raise DefinitionError(f"{where}: gold is {gold!r}; for match 'number' write a list of one number")
    if match == "state" and (not gold or any(g not in STATES for g in gold)):
        raise DefinitionError(f"{where}: gold is {gold!r}; for match 'state' name one or more of {', '.join(STATES)}")
    flat = [x for g in gold for x in (g if isinstance(g, list) else [g])]
    if match in ("set", "text") and any(not isinstance(x, str) or not x.strip() for x in flat):
        raise DefinitionError(f"{where}: gold is {gold!r}; for match {match!r} write texts, none of them empty")
    if match == "text" and not gold:
        raise DefinitionError(f"{where}: gold is empty; for match 'text' write at least one text")
    sources = raw.get("sources") or []
    if not isinstance(sources, list) or any(not isinstance(s, str) or ":" not in s for s in sources):
        raise DefinitionError(f"{where}: sources is {sources!r}; write a list of keys such as 'pr:org/name#12'")
    if raw.get("as_of") is not None and (isinstance(raw["as_of"], bool) or not isinstance(raw["as_of"], int)):
        raise DefinitionError(f"{where}: as_of is {raw['as_of']!r}; write epoch seconds or null")


def save(questions: Iterable[Question], path: Path) -> None:
    """Writes a set file, replacing it whole."""
    text = "".join(q.line() + "\n" for q in questions)
    fresh = path.with_suffix(path.suffix + ".new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)
