"""A model's part in a run, in words: what it is writing, its turns, what went wrong in them, who answered instead, and what it cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from brain.types import Answer, Step, Usage
from brain.ui import text
from brain.ui.text import esc

TURN, DOWN = "model", "stepped_down"
MODES = {"tools": "tools by calls", "json": "a tool as JSON", "answer": "the answer"}


def writing_html(written: str, stopped: bool = False) -> str:
    """What a model is writing, or was when it was stopped, marked as not checked; nothing where it writes nothing. What it writes is
    shown as characters.
    """
    if not written.strip():
        return ""
    said = "What it had written, not checked" if stopped else "Being written, not checked yet"
    return f'<div class="hc-writing"><p class="hc-note">{said}</p><p>{esc(written)}</p></div>'


def taken(steps: Sequence[Step]) -> list[Step]:
    """The turns that a model took."""
    return [step for step in steps if step.tool == TURN]


def chosen(answer: Answer) -> str:
    """The engine that was asked for, as an address says it: a run that fell back to the built-in one was asked of a model too."""
    return "openai" if answer.engine == "openai" or any(step.tool in (TURN, DOWN) for step in answer.steps) else ""


def engine(answer: Answer) -> str:
    """By which engine it was answered, as it stands in a sentence; where a model was asked for and it is another, that too."""
    if answer.engine != "builtin":
        return "answered by a model"
    return "answered by the built\\-in engine" + (" in place of a model" if chosen(answer) else "")


def outcome(step: Step) -> str:
    """What came of a step, in a few words: the tools that a turn asked for, else how many rows there were."""
    if step.tool == DOWN:
        return text.short(step.why, 80)
    if step.tool == TURN:
        calls = ", ".join(text.plain(c) for c in step.args.get("calls") or ())
        return f"turn {step.args.get('turn', '?')}" + (f": {calls}" if calls else "")
    return text.count(len(step.rows), "row")


def notes(steps: Sequence[Step]) -> list[str]:
    """What did not go as it was chosen, a sentence each: every step down, every turn with a fault, every handing back. What happened
    again in the same words is said once, with how often.
    """
    said: list[str] = []
    for step in steps:
        if step.tool == DOWN:
            said.append(f"Stepped down: {step.why}")
        elif step.tool == TURN:
            turn = step.args.get("turn", "?")
            if step.error:
                said.append(f"Turn {turn}: {step.error}")
            if n := len(handed_back(step)):
                said.append(f"Turn {turn}: {text.count(n, 'statement')} did not pass the check and went back to the model")
    if n := len([s for s in steps if s.tool not in (TURN, DOWN) and s.error and s.why == "the model asked for it"]):
        said.append(f"{text.count(n, 'tool call')} of the model failed; the steps say why")
    return [line if n == 1 else f"{line} ({n} times)" for line, n in Counter(said).items()]


def notes_html(steps: Sequence[Step]) -> str:
    """The notes as a list that stands out; nothing where there are none."""
    if not (said := notes(steps)):
        return ""
    items = "".join(f"<li>{esc(text.short(line, 600))}</li>" for line in said)
    return f'<ul class="hc-notes" aria-label="What did not go as chosen">{items}</ul>'


def told_besides(lead: str, steps: Sequence[Step]) -> str:
    """An answer's opening lines without those that only repeat a step down."""
    downs = {text.plain(step.why).rstrip(".") for step in steps if step.tool == DOWN}
    return "\n".join(line for line in lead.splitlines() if text.plain(line).rstrip(".") not in downs).strip()


def facts(answer: Answer) -> list[str]:
    """Who answered and what it cost: engine and model, tokens, money, time spent waiting for the model."""
    u = answer.usage
    if not u.turns and not u.model:
        return ["built in, in place of a model" if chosen(answer) else "no model"]
    model = u.model or "a model"
    who = model if answer.engine != "builtin" else f"built in, after {model}"
    return [who, *([text.count(u.turns, "turn")] if u.turns else []), tokens(u), money(u.usd), f"model {text.took(u.model_ms)}"]


def tokens(u: Usage) -> str:
    """Tokens as people say them: read, of which from the server's cache, and written; "about" where nobody counted."""
    about = "about " if u.estimated else ""
    cached = f" ({u.cached_tokens:,} cached)" if u.cached_tokens else ""
    return f"{about}{u.prompt_tokens:,} tokens read{cached}, {u.completion_tokens:,} written"


def money(usd: float | None) -> str:
    """US dollars, with as many digits as say something; that no price is known where there is none."""
    if usd is None:
        return "price not known"
    return f"${usd:.2f}" if usd >= 1 or usd == 0 else f"${usd:.2g}" if usd >= 0.0001 else "less than $0.0001"


def line(step: Step) -> str:
    """One turn in a line: the model, what it was asked for, the tools it asked for, tokens, and what went wrong."""
    a = step.args
    asked = f"asked for {', '.join(text.plain(c) for c in a.get('calls') or ())}" if a.get("calls") else ""
    counted = f"{int(a.get('prompt_tokens') or 0):,} + {int(a.get('completion_tokens') or 0):,} tokens"
    failed = f"failed: {text.short(step.error, 120)}" if step.error else ""
    return " · ".join(filter(None, [text.plain(a.get("model") or ""), asked, counted, failed]))


def handed_back(step: Step) -> list[tuple[str, str]]:
    """The statements that went back to the model in that turn, each with the reason."""
    back = step.args.get("handed_back") or ()
    return [(str(pair[0]), str(pair[1])) for pair in back if isinstance(pair, list | tuple) and len(pair) > 1]


def asked_html(steps: Sequence[Step]) -> str:
    """The tools that the model was offered, and the statements that went back to it, folded."""
    offered = list(dict.fromkeys(str(name) for step in taken(steps) for name in _names(step.args.get("tools"))))
    back = [pair for step in taken(steps) for pair in handed_back(step)]
    parts = []
    if offered:
        parts.append(_fold(f"{text.count(len(offered), 'tool')} offered to the model", f"<p>{esc(', '.join(offered))}</p>"))
    if back:
        items = "".join(f"<li>{esc(said)} <em>{esc(why)}</em></li>" for said, why in back)
        parts.append(_fold(f"{text.count(len(back), 'statement')} handed back to the model, and why", f"<ul>{items}</ul>"))
    return "".join(parts)


def _fold(head: str, inside: str) -> str:
    return f'<details class="hc-fold"><summary>{head}</summary>{inside}</details>'


def _names(offered: Any) -> Sequence[Any]:
    return offered if isinstance(offered, list | tuple) else ()


def table(steps: Sequence[Step]) -> pd.DataFrame:
    """A row a turn: model, what it was asked for, the tools offered and asked for, tokens, time, how it ended, what went wrong."""
    return pd.DataFrame([_row(step.args, step) for step in taken(steps)])


def _row(a: Mapping[str, Any], step: Step) -> dict[str, Any]:
    offered = a.get("tools") or 0
    return {
        "turn": a.get("turn"),
        "model": text.plain(a.get("model") or ""),
        "asked for": MODES.get(str(a.get("mode")), text.plain(a.get("mode") or "")),
        "tools offered": len(offered) if isinstance(offered, list | tuple) else offered,
        "tools it asked for": ", ".join(text.plain(c) for c in a.get("calls") or ()),
        "tokens read": a.get("prompt_tokens"),
        "of these cached": a.get("cached_tokens"),
        "tokens written": a.get("completion_tokens"),
        "ms": round(step.ms),
        "ended": text.plain(a.get("finish") or ""),
        "fault": text.plain(step.error or ""),
    }
