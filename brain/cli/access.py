"""`brain access`: who may see what and why, and the checks that nobody sees more."""

from __future__ import annotations

import typer

access_app = typer.Typer(help="Who may see what and why, and the checks that nobody sees more.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.add_typer(access_app, name="access")
