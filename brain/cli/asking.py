"""`brain ask`: one question, one arm or both, with the claims and how each was checked."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.markup import escape

from brain import engines
from brain.agents.followup import whole
from brain.ask import as_json
from brain.cli.output import As, AsJson, At, Console, Known, Workspace, asker, emit, instant, opened
from brain.errors import BadInput
from brain.memory.hearing import hear
from brain.types import ARMS, Answer, Arm, Usage

_MARK = {"supported": "✓", "unsupported": "✗", "contradicted": "✗"}


def _arms(text: str) -> list[Arm]:
    if text == "both":
        return ["graph", "vector"]
    if text == "all":
        return list(ARMS)
    for arm in ARMS:
        if text == arm:
            return [arm]
    raise BadInput(f"--arm is {text!r}; legal: {', '.join(ARMS)}, both, all")


def _show(answer: Answer, console: Console) -> None:
    console.print(f"[bold]{answer.arm}[/] · {answer.state} · {answer.usage.ms:.0f} ms · run {answer.run}{escape(cost(answer.usage))}")
    for step in answer.steps:
        if step.tool == "stepped_down" and step.why not in answer.text:
            console.print(f"[yellow]{escape(step.why)}[/]")
    if (meant := whole(answer)) != answer.question:
        console.print(f"[dim]understood as: {escape(meant)}[/]")
    console.print(escape(answer.text))
    for claim in answer.claims:
        how = f"{claim.hops} hops: {' → '.join(claim.path)}" if claim.hops else claim.reason
        console.print(f"  [green]{_MARK[claim.verdict]}[/] {escape(', '.join(claim.cites[:4]))} [dim]{escape(how)}[/]")
    for claim in answer.dropped:
        console.print(f"  [red]dropped[/] {escape(claim.text)} [dim]{escape(claim.reason)}[/]")
    for step in answer.steps:
        error = f" {escape(step.error)}" if step.error else ""
        console.print(f"  [dim]{step.n}. {escape(step.tool)}: {escape(step.why)} ({len(step.rows)} rows, {step.ms:.0f} ms){error}[/]")
    if answer.suggestions:
        console.print("Try: " + " | ".join(escape(s) for s in answer.suggestions))


def cost(used: Usage) -> str:
    """What a model cost, as the end of a line; nothing where none took part."""
    if not used.turns:
        return ""
    cached = f", {used.cached_tokens} of them cached" if used.cached_tokens else ""
    money = "price not known" if used.usd is None else f"${used.usd:.4f}"
    about = "about " if used.estimated else ""
    tokens = f"{about}{used.prompt_tokens} tokens read{cached}, {used.completion_tokens} written"
    return f" · {used.model or 'a model'}, {used.turns} turns, {used.model_ms:.0f} ms of it · {tokens}, {money}"


def ask(
    question: Annotated[str, typer.Argument(help="The question, in your own words.")],
    arm: Annotated[str, typer.Option(help="graph, vector, hybrid, both (graph and vector) or all.")] = "both",
    engine: Annotated[str, typer.Option(help="builtin: no model; openai: the model that BRAIN_LLM_MODELS names.")] = "builtin",
    viewer: As = None,
    at: At = None,
    known: Known = None,
    previous: Annotated[str | None, typer.Option("--after", help="The run this question follows up.")] = None,
    go_on: Annotated[bool, typer.Option("--continue", "-c", help="This question follows up your last one.")] = False,
    remember: Annotated[bool, typer.Option("--memory/--no-memory", help="Use and keep what is remembered of you.")] = True,
    books: Annotated[bool, typer.Option("--playbooks/--no-playbooks", help="Try first the wordings that were kept.")] = True,
    workspace: Workspace = None,
    json: AsJson = False,
) -> None:
    """Ask a question; every claim of the answer is checked against a real path. With a model, what it cost and every step down is said."""
    arms, as_of, known_at = _arms(arm), instant(at), instant(known)
    with opened(workspace) as brain:
        who = asker(brain, viewer)
        memory = brain.memory(who)
        after = (previous,) if previous else memory.last() if go_on else ()
        if go_on and not after:
            raise BadInput("no last question of yours is remembered; name the run it follows up with --after")
        heard = hear(memory, question, [brain.run(run, who) for run in after]) if remember else None
        first = after[0] if after and not remember else None
        how: dict[str, Any] = {"as_of": as_of, "known_at": known_at, "previous": first, "memory": heard, "playbooks": books}
        how["engine"] = engine
        answers = [brain.ask(question, viewer=who, arm=a, **how) for a in arms]
        notes = engines.notes(engine, brain.settings)
    if json:
        emit(as_json(answers[0]) if len(answers) == 1 else [as_json(a) for a in answers])
        return
    console = Console()
    for answer in answers:
        _show(answer, console)
    for note in notes:
        console.print(f"[yellow]{escape(note)}[/]")


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(ask)
