"""`brain query`: the catalogue, listed, shown, run with own arguments, and checked."""

from __future__ import annotations

from typing import Annotated, Any

import orjson
import typer
import yaml
from rich.markup import escape
from rich.table import Table

from brain import catalogue
from brain.cli.output import As, AsJson, At, Console, Known, Workspace, asker, emit, instant, opened
from brain.errors import BadInput
from brain.tools.asking import Asking
from brain.types import Result

query_app = typer.Typer(help="The catalogue of queries.", no_args_is_help=True)


@query_app.command("list")
def list_(
    kind: Annotated[str, typer.Option(help="query, internal, derive, fragment, audit or all.")] = "query", json: AsJson = False
) -> None:
    """List the queries with what they give."""
    found = [q for q in catalogue.shipped().queries.values() if kind in ("all", q.kind)]
    if json:
        emit([_told(q) for q in found])
        return
    table = Table("name", "topic", "parameters", "what it gives")
    for q in sorted(found, key=lambda q: (q.topic, q.name)):
        table.add_row(q.name, q.topic, escape(", ".join(f"{p.name}: {p.type}" for p in q.params)), escape(q.description))
    Console().print(table)


def _told(q: catalogue.Query) -> dict[str, Any]:
    return {"name": q.name, "topic": q.topic, "kind": q.kind, "description": q.description, "parameters": q.json_schema}


@query_app.command()
def show(
    name: str,
    expanded: Annotated[bool, typer.Option("--expanded", help="With the macros expanded, as it runs.")] = False,
    json: AsJson = False,
) -> None:
    """Print a query."""
    query = catalogue.shipped()[name]
    if json:
        emit({**_told(query), "text": query.text, "cypher": query.cypher})
        return
    typer.echo(f"// {query.topic}/{name}: {query.description}\n{query.cypher if expanded else query.text}")


def _arguments(pairs: list[str]) -> dict[str, Any]:
    args = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise BadInput(f"{pair!r} is not name=value")
        args[name] = _value(value)
    return args


def _value(text: str) -> Any:
    """The value as YAML reads it; what is no YAML is the text itself."""
    try:
        return yaml.safe_load(text) if text and not text.startswith("@") else text
    except (yaml.YAMLError, ValueError, RecursionError):
        return text


@query_app.command()
def run(
    name: str,
    arguments: Annotated[list[str] | None, typer.Argument(help="Parameters as name=value (values are YAML).")] = None,
    viewer: As = None,
    at: At = None,
    known: Known = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Run a query or tool with your own arguments; prints rows and measured times."""
    with opened(workspace) as brain:
        ctx = brain.asking(asker(brain, viewer), instant(at), instant(known))
        args = _arguments(arguments or [])
        result = brain.tools[name].run(ctx, **args) if name in brain.tools else ctx.run(name, **args)
    _print(result, json)


@query_app.command()
def cypher(
    text: Annotated[str, typer.Argument(help="A Cypher query that reads.")],
    arguments: Annotated[list[str] | None, typer.Argument(help="Its parameters as name=value (values are YAML).")] = None,
    viewer: As = None,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Run a query of your own, for administrators: guarded, and on a copy of the graph; prints the text that ran, and rows."""
    with opened(workspace) as brain:
        params = orjson.dumps(_arguments(arguments or []), default=str).decode()
        ctx = Asking(brain.store, brain.workspace, asker(brain, viewer), brain.present(), None, brain.catalogue)
        result = brain.tools["cypher_readonly"].run(ctx, query=text, params=params)
    if not json:
        Console().print(escape(result.query), "\n", highlight=False)
    _print(result, json)


def _print(result: Result, json: bool) -> None:
    if json:
        keys = [n.key for n in result.nodes]
        times = {"ms": result.ms, "server_ms": result.server_ms}
        emit({"rows": result.rows, "nodes": keys, "query": result.query, "params": result.params, **times})
        return
    columns = list(result.rows[0]) if result.rows else []
    table = Table(*map(escape, columns))
    for row in result.rows[:200]:
        table.add_row(*(escape(str(row[c])) for c in columns))
    Console().print(table)
    Console().print(f"{len(result.rows)} rows, {result.ms:.1f} ms ({result.server_ms:.1f} ms in the server)")


@query_app.command()
def check(workspace: Workspace = None, json: AsJson = False) -> None:
    """Check every query file: header, lint, and that the server accepts it."""
    fresh = catalogue.load()
    with opened(workspace) as brain:
        ctx = brain.asking(brain.viewer("local"))
        for query in fresh.queries.values():
            if query.kind == "query":
                ctx.query(query, query.example)
    if json:
        emit({"files": len(fresh.queries), "in_order": True})
    else:
        typer.echo(f"{len(fresh.queries)} query files are in order")


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.add_typer(query_app, name="query")
