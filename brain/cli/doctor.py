"""`brain doctor`: what this machine and this data folder can do, and what to mend."""

from __future__ import annotations

import platform
import shutil
import subprocess
from typing import Annotated, Any

import typer
from rich.markup import escape

from brain import settings
from brain.audit.freshness import freshness, line
from brain.brain import Brain
from brain.cli.output import AsJson, Console, Workspace, emit
from brain.errors import HopcheckError
from brain.llm import opening, trying
from brain.text.embedding import find_embedder


def _git() -> tuple[bool, str]:
    found = shutil.which("git")
    if not found:
        return False, "git is not installed; loading repositories needs it (the demo does not)"
    return True, subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout.strip()


def _engine(configured: settings.Settings, ask: bool) -> list[dict[str, Any]]:
    try:
        checks = [{"what": "engine openai", "ok": True, "says": trying.set_up(configured)}]
    except HopcheckError as err:
        return [{"what": "engine openai", "ok": False, "says": str(err)}]
    if ask and not opening.available(configured):
        return [*checks, {"what": "model that was to be asked", "ok": False, "says": opening.HOW}]
    return checks + [{"what": f"model {t.model}", "ok": t.ok, "says": t.says} for t in (trying.try_each(configured) if ask else ())]


def _checks(workspace: str | None, ask_models: bool) -> list[dict[str, Any]]:
    configured = settings.load()
    checks: list[dict[str, Any]] = [{"what": "python", "ok": True, "says": platform.python_version()}]
    ok, says = _git()
    checks.append({"what": "git", "ok": ok, "says": says})
    try:
        found = find_embedder(configured)
        says = found.embedder.model_id if found.embedder else found.reason
        checks.append({"what": "embedder", "ok": found.embedder is not None, "says": says})
    except HopcheckError as err:
        checks.append({"what": "embedder", "ok": False, "says": str(err)})
    checks += _engine(configured, ask_models)
    try:
        brain = Brain.open(configured, workspace)
        checks.append({"what": "database", "ok": True, "says": f"answers in {brain.store.ping():.1f} ms"})
        status = brain.status()
        says = f"{sum(status['counts'].values())} entities" if status["loaded"] else "nothing loaded; run brain demo"
        checks.append({"what": f"workspace {brain.workspace}", "ok": True, "says": says})
        if status["loaded"]:
            told = freshness(brain, brain.viewer())
            checks.append({"what": "access data", "ok": not told.warnings, "says": line(told)})
        brain.close()
    except HopcheckError as err:
        checks.append({"what": "database", "ok": False, "says": str(err)})
    return checks


def doctor(
    workspace: Workspace = None,
    model: Annotated[bool, typer.Option("--model", help="Ask each model of the engine openai one tiny question.")] = False,
    json: AsJson = False,
) -> None:
    """Check git, the embedder, the engines, the database and the workspace; exit code 1 when something needed is missing."""
    checks = _checks(workspace, model)
    if json:
        emit(checks)
    else:
        for c in checks:
            Console().print(f"[{'green' if c['ok'] else 'red'}]{'ok ' if c['ok'] else 'no '}[/] {escape(c['what'])}: {escape(c['says'])}")
    asked = [c["ok"] for c in checks if c["what"].startswith("model ")]
    if any(not c["ok"] for c in checks if c["what"] in ("database",)) or (asked and not any(asked)):
        raise typer.Exit(1)


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(doctor)
