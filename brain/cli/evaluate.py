"""`brain eval`: run a question set over arms, report it, compare two runs."""

from __future__ import annotations

import typer

eval_app = typer.Typer(help="Measure the arms on paired questions.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.add_typer(eval_app, name="eval")
