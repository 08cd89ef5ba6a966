"""Asking: one question, one arm, one checked answer. The engine drafts, the verifier decides."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from brain import verify
from brain.agents import builtin, model_loop
from brain.agents.model_talk import Engine
from brain.agents.run import Draft, Fact, Run
from brain.errors import BadInput, ToolError
from brain.text.lexicon import Lexicon
from brain.tools import Tool
from brain.tools.asking import Asking
from brain.types import ARMS, Answer, Arm, Claim, Edge, Node, State, Step, Usage
from brain.values import clean_text

MAX_QUESTION = 2000


def ask(
    question: str,
    arm: Arm,
    ctx: Asking,
    tools: Mapping[str, Tool],
    lexicon: Lexicon,
    *,
    before: Answer | None = None,
    suggest: Callable[[], Sequence[str]] = tuple,
    on_step: Callable[[Step], None] | None = None,
    heard: Callable[[Run, Lexicon], str | Draft] | None = None,
    engine: Engine | None = None,
) -> Answer:
    """The answer of one arm with every claim checked; steps are reported as they happen. `heard` gives the question as whoever
    asks means it, or the draft where there is nothing to look up. `engine` is the model that drafts; None: the built-in engine does.

    Raises BadInput for an unknown arm, an empty question, or one of more than 2,000 characters.
    """
    question = " ".join(clean_text(question).split())
    if arm not in ARMS:
        raise BadInput(f"arm is {arm!r}; legal: {', '.join(ARMS)}")
    if not question:
        raise BadInput("the question is empty; ask something, such as who knows a repository")
    if len(question) > MAX_QUESTION:
        raise BadInput(f"the question has {len(question)} characters; at most {MAX_QUESTION}")
    began = time.perf_counter()
    run = Run(ctx, tools, on_step)
    draft = _drafted(question, arm, run, lexicon, before, heard, engine)
    claims, dropped = ([*part] for part in draft.judged) if draft.judged else checked(run, draft)
    state, items = _outcome(draft, claims, dropped)
    suggestions = tuple(suggest())[:4] if state == "insufficient" else ()
    nodes, edges = evidence(run.steps)
    ms = (time.perf_counter() - began) * 1000
    return Answer(
        uuid.uuid4().hex[:12], question, arm, draft.engine, ctx.viewer.id, run.ctx.as_of, state,
        _text(draft, claims, dropped, state, items), tuple(items), tuple(claims), tuple(dropped),
        tuple(run.steps), nodes, edges, suggestions, replace(engine.spent if engine else Usage(), ms=ms),
    )  # fmt: skip


def _drafted(
    question: str, arm: Arm, run: Run, lexicon: Lexicon, before: Answer | None, heard: Callable[[Run, Lexicon], str | Draft] | None,
    engine: Engine | None,
) -> Draft:
    """The engine's draft, behind what memory has to say; a question that no lookup can take is one that is not answered."""
    try:
        said = heard(run, lexicon) if heard else question
        if isinstance(said, Draft):
            return said
        lead = "\n".join(step.why for step in run.steps)
        if engine:
            draft = model_loop.draft(said, arm, run, lexicon, before, engine, run.tools)
        else:
            draft = builtin.draft(said, arm, run, lexicon, run.ctx.as_of, before)[0]
        draft.lead = "\n".join(filter(None, (lead, draft.lead)))
        return draft
    except ToolError as err:
        return Draft(facts=[Fact(f"This cannot be looked up: {err}.")], state="insufficient")


def checked(run: Run, draft: Draft) -> tuple[list[Claim], list[Claim]]:
    """The claims of a draft that stand and those that were dropped. What fails is reworded once with only what the
    run really returned; what fails again is dropped.
    """
    failed = next((s for s in reversed(run.steps) if s.error and s.tool != "vector_search"), None)  # words are searched then
    if failed and not draft.items and (failed.n == run.last or draft.state == "insufficient"):
        draft.state, draft.facts = "insufficient", [Fact(f"{failed.tool}: {failed.error}")]
    if draft.state == "insufficient":
        return [Claim(f.text, (), (), "supported", reason="says what is missing") for f in draft.facts], []
    checker = verify.Verifier(run.ctx, run.steps, draft.entries, run.repeat)
    first = checker.check(draft.facts)
    failed_once = [i for i, c in enumerate(first) if c.verdict != "supported"]
    again = {i: fact for i in failed_once if (fact := _reworded(draft.facts[i], first[i]))}
    second = dict(zip(again, checker.check([*again.values()]), strict=True))
    kept: list[Claim] = []
    dropped: list[Claim] = []
    for i, claim in enumerate(first):
        best = second[i] if i in second and second[i].verdict == "supported" else claim
        (kept if best.verdict == "supported" else dropped).append(best)
    return kept, dropped


def _reworded(fact: Fact, claim: Claim) -> Fact | None:
    """The same sentence resting on what is left without the citation that failed, when anything is."""
    rest = tuple(c for c in fact.cites if c not in claim.reason.split())
    quotes = tuple(q for q in fact.quotes if q.source in rest)
    return Fact(fact.text, rest, quotes, fact.step, fact.aggregate) if rest and len(rest) < len(fact.cites) else None


def _outcome(draft: Draft, claims: list[Claim], dropped: list[Claim]) -> tuple[State, list[str]]:
    lost = {c for claim in dropped for c in claim.cites} - {c for claim in claims for c in claim.cites}
    items = [i for i in draft.items if i not in lost]
    if draft.state == "answered" and dropped and not claims:
        return "insufficient", []
    return draft.state, items if draft.state != "insufficient" else []


def _text(draft: Draft, claims: list[Claim], dropped: list[Claim], state: State, items: list[str]) -> str:
    if state == "insufficient" and not claims:
        return "What is loaded does not answer this." + (f" {len(dropped)} statements did not pass the check." if dropped else "")
    lines = [draft.lead] if draft.lead else []
    lines += [f"- {c.text}" for c in claims] if len(claims) > 1 else [c.text for c in claims]
    if items and state == "answered":
        lines.append(f"ANSWER: {', '.join(items[:50])}{' …' if len(items) > 50 else ''}")
    return "\n".join(lines)


def evidence(steps: Sequence[Step]) -> tuple[tuple[Node, ...], tuple[Edge, ...]]:
    """Every node and edge the steps returned, each once, in the order met."""
    nodes: dict[str, Node] = {}
    edges: dict[tuple[str, str, str, str], Edge] = {}
    for step in steps:
        for n in step.nodes:
            nodes.setdefault(n.key, n)
        for e in step.edges:
            edges.setdefault((e.src, e.rel, e.dst, str(e.props.get("id", ""))), e)
    return tuple(nodes.values()), tuple(edges.values())


def as_json(answer: Answer) -> dict[str, Any]:
    """The answer in the shape of the command line's `--json`. Claims that were dropped stand after the
    shown ones, their reason beginning with "dropped"; rows of a step beyond 200 are left out.
    """
    data = asdict(answer)
    steps = [
        {
            **{k: step[k] for k in ("n", "tool", "why", "args", "cypher", "params")},
            "rows": step["rows"][:200],
            "nodes": [n["key"] for n in step["nodes"]],
            "edges": [[e["src"], e["rel"], e["dst"]] for e in step["edges"]],
            "ms": step["ms"],
            "error": step["error"],
        }
        for step in data["steps"]
    ]
    dropped = [{**c, "reason": f"dropped: {c['reason']}"} for c in data["dropped"]]
    order = ("run", "question", "arm", "engine", "viewer", "as_of", "state", "text", "items")
    return {
        **{k: data[k] for k in order},
        "claims": [*data["claims"], *dropped],
        "steps": steps,
        "evidence": {"nodes": data["nodes"], "edges": data["edges"]},
        "usage": data["usage"],
    }
