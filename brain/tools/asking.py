"""Who asks, of what, as of when: what every tool gets beside its arguments. A tool reads nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from brain import catalogue
from brain.catalogue import Catalogue, Param, Query
from brain.errors import ToolError
from brain.store import Store
from brain.tools.compose import compose
from brain.types import Result, Viewer

LONGEST, MOST = 100_000, 10_000


@dataclass(frozen=True)
class Asking:
    """One question's surroundings. The viewer and the instant come from the login and the question,
    never from an argument; a tool may look further back (`at`), never further on. `known_at` leaves out what was
    recorded only later; None takes what is known today.
    """

    store: Store
    workspace: str
    viewer: Viewer
    as_of: int
    embedder: Any = None
    catalogue: Catalogue = field(default_factory=catalogue.shipped)
    known_at: int | None = None

    def run(self, name: str, **args: Any) -> Result:
        """Runs the query of that name in the catalogue."""
        return self.query(self.catalogue[name], args)

    def query(self, query: Query, args: Mapping[str, Any]) -> Result:
        """Runs a query for this viewer at this instant."""
        return self.store.run(query, self.workspace, args, self.viewer, self.as_of, self.known_at)

    def fragments(self, name: str, parts: tuple[str, ...], args: Mapping[str, Any], hops: int | None = None) -> Result:
        """Runs the query that the named fragments make together, with paths of at most `hops` steps where a fragment
        follows paths; arguments none of them reads are dropped.
        """
        query = compose(self.catalogue, name, parts, hops)
        known = {p.name for p in query.params}
        return self.query(query, {k: v for k, v in args.items() if k in known})

    def at(self, as_of: int | None) -> Asking:
        """The same at an earlier instant."""
        return self if as_of is None or as_of >= self.as_of else replace(self, as_of=as_of)


@dataclass(frozen=True)
class Tool:
    """Something a question can be answered with. `run` checks the arguments and raises ToolError, saying
    what fits, when they do not.
    """

    name: str
    description: str
    params: tuple[Param, ...]
    call: Callable[..., Result]

    @property
    def json_schema(self) -> dict[str, Any]:
        """The arguments as a JSON schema object."""
        return catalogue.json_schema(self.params)

    def run(self, ctx: Asking, /, **args: Any) -> Result:
        """The result for whoever asks. ToolError, too, for an argument larger than any question has."""
        bound = catalogue.bind(self.name, self.params, args)
        for name, value in bound.items():
            texts = [v for v in value if isinstance(v, str)] if isinstance(value, list) else [value] if isinstance(value, str) else []
            if sum(map(len, texts)) > LONGEST or (isinstance(value, list) and len(value) > MOST):
                raise ToolError(f"{name!r} is too long: at most {LONGEST:,} characters, and {MOST:,} items of a list")
        return self.call(ctx, **bound)


def tool(params: str) -> Callable[[Callable[..., Result]], Tool]:
    """Makes a Tool of a function: its name, its docstring, and parameters in the notation of a query header."""

    def make(call: Callable[..., Result]) -> Tool:
        text = " ".join((call.__doc__ or "").split())
        return Tool(call.__name__, text, tuple(catalogue.parse_params(params, call.__name__)), call)

    return make


def of_query(query: Query) -> Tool:
    """A query file as a tool."""

    def call(ctx: Asking, **args: Any) -> Result:
        return ctx.query(query, args)

    return Tool(query.name, f"{query.description} Returns {query.returns}." if query.returns else query.description, query.params, call)
