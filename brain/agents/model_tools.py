"""The tools that a model is offered: read from the catalogue, fewer or more by the arm alone, their arguments as a model can write them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from brain import catalogue, instants
from brain.agents import model_rows, retrieve
from brain.agents.run import EMPTY, Run
from brain.agents.untrusted import Piece
from brain.agents.wording import day
from brain.approvals.kinds import KINDS
from brain.errors import BadInput, HopcheckError, ToolError
from brain.llm.talk import Call, Function
from brain.tools import Tool
from brain.tools.freeform import allowed
from brain.types import Arm, Viewer

PASSAGES = "search_passages"
TIMES = frozenset({"since", "until", "as_of", "at"})
LONGEST_ARGUMENTS = 20_000
FOUND = 8
_WHAT = {
    "vector": "nearest in meaning to the text",
    "hybrid": "nearest to the text, by its words and by its meaning",
    "graph": "nearest to the text, by its words and by its meaning",
}
EARLIER = "as_of"
_BACK = {"type": "string", "description": "an earlier day, to see how things stood then"}
_DATE = {"type": "string", "description": "a date, such as 2026-03-01"}
_UNTIL = {"type": "string", "description": "a date, such as 2026-03-01; that day is counted too"}


class Toolset:
    """The tools of one arm for one viewer. `named` keeps to some of the graph's tools; none of them: all that read."""

    def __init__(self, tools: Mapping[str, Tool], arm: Arm, viewer: Viewer, named: Sequence[str] = ()) -> None:
        self.arm = arm
        if unknown := [name for name in named if name not in tools]:
            raise HopcheckError(f"BRAIN_LLM_TOOLS names {unknown[0]!r}; the tools are {', '.join(tools)}")
        offered = {n: t for n, t in tools.items() if n not in KINDS and (n != "cypher_readonly" or allowed(viewer))}
        self._tools = {n: t for n, t in offered.items() if not named or n in named} if arm == "graph" else {}
        self.functions = (*(_function(t) for t in self._tools.values()), _passages(arm))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all the tools offered."""
        return tuple(f.name for f in self.functions)

    def arguments(self, call: Call) -> dict[str, Any]:
        """What a call passes, in the types of the tool. ToolError, which says what fits, for a tool that is not offered, for what is
        no JSON object, and for a date that is none; the tool itself refuses what does not fit it.
        """
        if call.name not in self.names:
            raise ToolError(f"there is no tool {call.name[:80]!r}; the tools are {', '.join(self.names)}")
        given = {k: v for k, v in read_object(call).items() if v is not None}
        params = _PASSAGES_PARAMS if call.name == PASSAGES else {p.name: p for p in self._tools[call.name].params}
        params = {EARLIER: _EARLIER, **params}
        return {name: _fitted(params[name], value) if name in params else value for name, value in given.items()}

    def run(self, run: Run, name: str, args: Mapping[str, Any], why: str) -> list[Piece]:
        """Calls the tool, as steps of the run, and gives what it found as pieces for the model. An earlier day is looked at as it was;
        one later than the question's is refused, so that what holds now is not told of then.
        """
        at, rest = (None, args) if self._dated(name) else (args.get(EARLIER), {k: v for k, v in args.items() if k != EARLIER})
        was = run.ctx
        if isinstance(at, int) and day(at) > day(was.as_of):
            error = f"{EARLIER} {day(at)} is later than {day(was.as_of)}, for which the question is asked; leave it out"
            run.add(name, why, dict(args), EMPTY, error, 0.0)
            raise ToolError(error)
        run.ctx = was.at(at)
        try:
            return self._found(run, name, rest, why)
        finally:
            run.ctx = was

    def _dated(self, name: str) -> bool:
        """Has the tool an instant of its own to look at?"""
        return name in self._tools and any(p.name == EARLIER for p in self._tools[name].params)

    def _found(self, run: Run, name: str, args: Mapping[str, Any], why: str) -> list[Piece]:
        if name == PASSAGES:
            text, k = _checked(args)
            return model_rows.passages(retrieve.like(run, text, k, how="vector" if self.arm == "vector" else "hybrid"))
        result = run.call(name, why, **args)
        if error := run.steps[-1].error:
            raise ToolError(error)
        return model_rows.pieces(name, result)


def _checked(args: Mapping[str, Any]) -> tuple[str, int]:
    bound = catalogue.bind(PASSAGES, [*_PASSAGES_PARAMS.values()], args)
    text, k = " ".join(str(bound["text"]).split())[:2000], int(bound["k"])
    if not text or k < 1:
        raise ToolError(f"{PASSAGES} needs a 'text' with words in it, and a 'k' from 1 to {2 * FOUND}")
    return text, min(k, 2 * FOUND)


_EARLIER = catalogue.parse_params(f"{EARLIER}: int?", PASSAGES)[0]
_PASSAGES_PARAMS = {p.name: p for p in catalogue.parse_params(f"text: str, k: int = {FOUND}", PASSAGES)}


def _passages(arm: Arm) -> Function:
    text = (
        f"The passages of documents, discussions, tickets, pull requests, issues and commits {_WHAT[arm]}, best first: each with the key of"
        " what it stands in, its title, author and date, its lines and its words."
    )
    return Function(PASSAGES, text, _dated(catalogue.json_schema([*_PASSAGES_PARAMS.values()])))


def _dated(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a tool with instants as dates, since a model cannot reckon in seconds, and a day that it may look back to."""
    own = schema["properties"]
    date = {"until": _UNTIL}
    properties = {name: date.get(name, _DATE) if name in TIMES and kind == {"type": "integer"} else kind for name, kind in own.items()}
    return {**schema, "properties": {**properties, EARLIER: _DATE if EARLIER in own else _BACK}}


def _function(tool: Tool) -> Function:
    """The tool as it is offered."""
    return Function(tool.name, tool.description, _dated(tool.json_schema))


def read_object(call: Call) -> dict[str, Any]:
    """The arguments of a call as an object, also where they were written as text in text; ToolError when they are none."""
    text = call.arguments.strip()
    if len(text) > LONGEST_ARGUMENTS:
        raise ToolError(f"the arguments of {call.name} have {len(text)} characters; at most {LONGEST_ARGUMENTS}")
    for _ in range(2):
        try:
            found = orjson.loads(text or "{}")
        except orjson.JSONDecodeError as err:
            raise ToolError(f"the arguments of {call.name} are no JSON object ({err}); write such as {{\"text\": \"words\"}}") from None
        if isinstance(found, dict):
            return found
        if not isinstance(found, str):
            break
        text = found.strip()
    raise ToolError(f"the arguments of {call.name} must be a JSON object, such as {{\"text\": \"words\"}}")


def _fitted(param: catalogue.Param, value: Any) -> Any:
    """The value in the parameter's type where what is meant is plain: a date for an instant, one thing for a list of one, digits."""
    kind = param.type.rstrip("?")
    if kind.startswith("list[") and isinstance(value, str | int) and not isinstance(value, bool):
        return [value] if value != "" else []
    if kind == "int" and param.name in TIMES and isinstance(value, str) and not value.strip().lstrip("-").isdigit():
        return _instant(param.name, value)
    if kind == "int" and isinstance(value, str) and re.fullmatch(r"-?\d{1,18}", value.strip()):
        return int(value)
    if kind == "int" and isinstance(value, float) and value.is_integer():
        return int(value)
    if kind == "float" and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return value


def _instant(name: str, text: str) -> int | None:
    try:
        at = instants.instant(text)
    except BadInput as err:
        raise ToolError(f"{name}: {err}") from None
    return at - instants.DAY + 1 if at is not None and name == "since" and len(text.strip()) == 10 else at
