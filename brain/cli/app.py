"""The commands, put together from one module a noun."""

from __future__ import annotations

import typer

from brain.cli import (
    access,
    access_checks,
    approvals,
    asking,
    bench,
    budget,
    candidates,
    doctor,
    evaluate,
    extract,
    health,
    incident,
    loading,
    mcp,
    memory,
    playbooks,
    queries,
    snapshot,
)

app = typer.Typer(
    help="Hopcheck: ask an engineering organisation, graph on and graph off.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
asking.register(app)
loading.register(app)
incident.register(app)
queries.register(app)
candidates.register(app)
approvals.register(app)
health.register(app)
access.register(app)
access_checks.register(app)
evaluate.register(app)
extract.register(app)
bench.register(app)
budget.register(app)
doctor.register(app)
memory.register(app)
playbooks.register(app)
mcp.register(app)
snapshot.register(app)
