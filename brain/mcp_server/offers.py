"""What can be called, as data: one offer a tool, with its schemas and what it may leave behind. Which there are depends on who asks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from brain.brain import Brain
from brain.catalogue import Param, bind
from brain.errors import ToolError
from brain.instants import DAY, instant
from brain.mcp_server import schemas
from brain.types import Step, Viewer

_EPOCH = re.compile(r"0|[0-9]{9,12}")


@dataclass(frozen=True)
class Asker:
    """Whose request it is, in which workspace; `on_step` hears what is being done, and `cancelled` says that nobody waits any more."""

    brain: Brain
    viewer: Viewer
    on_step: Callable[[Step], None] | None = None
    cancelled: Callable[[], bool] = lambda: False


@dataclass(frozen=True)
class Told:
    """What a call gives: plain JSON for a program, the same as a text for a model, and the resources that hold it whole (address, name)."""

    structured: Mapping[str, Any]
    text: str
    links: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Offer:
    """One tool. `keeps` says that a call can leave something behind, a run or a proposal; nothing ever changes the company. `again`
    says that the same call once more leaves nothing more.
    """

    name: str
    description: str
    params: tuple[Param, ...]
    output: Mapping[str, Any]
    call: Callable[[Asker, Mapping[str, Any], Mapping[str, Any]], Told]
    keeps: bool = False
    again: bool = True
    about: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Its name for people."""
        return self.name.replace("_", " ").capitalize()

    @property
    def input_schema(self) -> dict[str, Any]:
        """The arguments as a JSON schema; nothing else is taken."""
        return schemas.arguments(self.params, self.about)

    def run(self, asker: Asker, given: Mapping[str, Any]) -> Told:
        """What the call gives. ToolError, saying what fits, for arguments that do not; no argument is dropped."""
        own = {p.name: p for p in self.params}
        said = {name: value for name, value in given.items() if value is not None or name not in own}  # null is what was not given
        args = {name: _meant(own[name], value) if name in own else value for name, value in said.items()}
        bound = bind(self.name, self.params, args)
        for name, (least, most) in schemas.BOUNDS.items():
            value = args.get(name)
            if name in own and isinstance(value, int) and not least <= value <= most:
                raise ToolError(f"{name!r} must be from {least} to {most}, not {value}")
        return self.call(asker, bound, {name: bound[name] for name in args})


def _meant(param: Param, value: Any) -> Any:
    """The value as the tool takes it: a date as an instant, and the whole number that JSON wrote with a point."""
    if param.type.rstrip("?") != "int":
        return value
    if isinstance(value, str) and param.name in schemas.TIMES:
        if _EPOCH.fullmatch(value.strip()):
            return int(value)
        at = instant(value)
        return at if at is None or param.name != "since" or len(value.strip()) != 10 else at - DAY + 1
    return int(value) if isinstance(value, float) and value.is_integer() else value
