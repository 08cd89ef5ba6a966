"""`brain mcp`: the tools for other agents, over standard input and output or over HTTP, and the tokens that let them in there."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from brain.brain import Brain
from brain.cli import INTERRUPTED
from brain.cli.output import As, AsJson, Console, Workspace, asker, emit, opened, say
from brain.errors import BadInput
from brain.instants import day
from brain.mcp_server.tokens import LONGEST_DAYS, Tokens
from brain.permissions import guest

mcp_app = typer.Typer(help="Serve the tools to other agents (MCP): brain mcp, or brain mcp --http HOST:PORT.")
token_app = typer.Typer(help="Tokens that let agents in over HTTP.", no_args_is_help=True)
mcp_app.add_typer(token_app, name="token")
Host = Annotated[list[str] | None, typer.Option("--host-name", help="Another name it is called by, such as a proxy's; may be repeated.")]
Owner = Annotated[str, typer.Option("--as", help="Whose it is: a login, guest, or local for an administrator's.")]
Days = Annotated[int, typer.Option(min=1, max=LONGEST_DAYS, help="How long it counts.")]


@mcp_app.callback(invoke_without_command=True)
def serve(
    ctx: typer.Context,
    http: Annotated[str | None, typer.Option("--http", help="Serve over HTTP at HOST:PORT instead of standard input and output.")] = None,
    host_name: Host = None,
    viewer: As = None,
    workspace: Workspace = None,
) -> None:
    """Serve the tools to an agent: over standard input and output as the viewer named here, over HTTP as the viewer of each token."""
    if ctx.invoked_subcommand:
        return
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="brain: %(message)s", force=True)
    if http is not None:
        _over_http(http, host_name or [], viewer, workspace)
        return
    with opened(workspace) as brain:
        asker(brain, viewer)  # says when nobody has that login
        if sys.stdin.isatty():
            say("brain: speaks to an agent at standard input and output, which starts this itself; Ctrl-C ends it, --http serves over HTTP")
        from brain.mcp_server.server import serve_stdio

        with _ended_at_once(brain):
            serve_stdio(brain, viewer or brain.settings.viewer or "local")


def _over_http(where: str, host_names: list[str], viewer: str | None, workspace: str | None) -> None:
    from brain.mcp_server import http

    host, port = http.place(where)
    if viewer not in (None, guest().id):
        raise BadInput("over HTTP everybody brings a token; --as can only be guest, for a server on this machine that asks for none")
    if viewer and not http.local(host):
        raise BadInput(f"--as guest is for a server on this machine alone; at {host} everybody brings a token")
    if http.ipaddress_any(host) and not host_names:
        raise BadInput(f"at {host}, say with --host-name by which name it is called: other names are refused")
    with opened(workspace) as brain, http.listen(host, port) as at:
        port = at.getsockname()[1]
        hosts = http.names(host, port, host_names)
        shown = f"[{host}]" if ":" in host else host
        say(f"brain: http://{shown}:{port}{http.PATH} serves {brain.workspace!r}; Ctrl-C ends it")
        if viewer:
            say("brain: whoever brings no token reads what is open")
        if not http.local(host):
            say("brain: it is reached from outside without TLS: tokens and answers can be read on the way; put a proxy with TLS in front")
        with _ended_at_once(brain):
            http.serve(brain, at, hosts, unnamed=viewer)


@contextmanager
def _ended_at_once(brain: Brain) -> Iterator[None]:
    """Ctrl-C ends the process there and then: what is still being looked up for a client is not waited for."""
    try:
        yield
    except KeyboardInterrupt:
        brain.close()
        os._exit(INTERRUPTED)


@token_app.command()
def create(viewer: Owner, days: Days = 90, workspace: Workspace = None, json: AsJson = False) -> None:
    """Make a token; it is shown once, and only its hash is kept."""
    with opened(workspace) as brain:
        tokens = _tokens(brain)
        asker(brain, viewer)
        token, secret = tokens.create(viewer, brain.now(), days)
    if json:
        emit({**_told(token), "token": secret})
        return
    say(f"brain: token {token.id} of {token.viewer}, until {day(token.until)}; it is not shown again")
    typer.echo(secret)


@token_app.command("list")
def list_(workspace: Workspace = None, json: AsJson = False) -> None:
    """List the tokens that were given out."""
    with opened(workspace) as brain:
        found, now = _tokens(brain).every(), brain.now()
    if json:
        emit([_told(t) for t in found])
        return
    table = Table("id", "whose", "made", "until", "")
    for t in found:
        table.add_row(t.id, escape(t.viewer), day(t.made_at), day(t.until), "" if now < t.until else "over")
    Console().print(table)


@token_app.command()
def revoke(
    ident: Annotated[str, typer.Argument(help="Its id, as `list` shows it.")], workspace: Workspace = None, json: AsJson = False
) -> None:
    """Take a token back: from now on it lets nobody in."""
    with opened(workspace) as brain:
        gone = _tokens(brain).revoke(ident)
    if json:
        emit(_told(gone))
    else:
        Console(soft_wrap=True).print(escape(f"token {gone.id} of {gone.viewer} lets nobody in any more"))


def _tokens(brain: Brain) -> Tokens:
    """The tokens of a workspace, for its administrator."""
    if not brain.viewer().admin:
        raise BadInput(f"only an administrator gives out tokens; BRAIN_VIEWER names {brain.settings.viewer}, who is none")
    return Tokens(brain.files.folder)


def _told(token: Any) -> dict[str, Any]:
    return {name: value for name, value in asdict(token).items() if name != "digest"}


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.add_typer(mcp_app, name="mcp")
