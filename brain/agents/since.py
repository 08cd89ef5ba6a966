"""Since when something holds that is described rather than named: from the day a decision holds, or a change was merged. The day on which
a document was written or a change was begun is not that day.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import as_at, day, titled
from brain.text.mentions import Mention
from brain.text.passages import Passage

_ASKED = re.compile(r"\b(?:since when|from when(?: on)?|as of when|since (?:which|what) (?:day|date|time|version))\b", re.I)


def asked(u: Understanding) -> bool:
    """Is it asked since when something is so?"""
    return u.want == "date" and bool(_ASKED.search(u.question))


def decision_of(u: Understanding, top: Passage) -> str:
    """The decision that a document records; empty when it records none."""
    key = top.src if top.src.startswith("decision:") else f"decision:{top.src.partition(':')[2].removesuffix('.md')}"
    return key if u.lexicon.company.get(key) == "Decision" else ""


def told(u: Understanding, run: Run, top: Passage, decided: Callable[[Understanding, Run], Draft | None]) -> Draft:
    """The day from which what the passage tells holds, as far as its source is one that takes effect; else what is missing."""
    if decision := decision_of(u, top):
        mention = Mention(0, 0, decision, (decision,), "Decision", "described")
        draft = decided(replace(u, links=replace(u.links, mentions=[*u.links.mentions, mention])), run)
        if draft is not None and draft.state == "answered" and draft.items:
            draft.lead = f"Taken to mean {titled(decision, top.title)}."
            return draft
    if top.label in ("PullRequest", "Commit"):
        return _merged(run, top)
    text = f"No source that is loaded says since when that holds; nearest to it is {titled(top.src, top.title)}, of {day(top.at)}."
    return Draft(state="insufficient", facts=[Fact(text)], entries=[top.src])


def _merged(run: Run, top: Passage) -> Draft:
    """The day a change was merged, told as no more than that."""
    got = run.call("details", "when it took effect", key=top.src)
    node = next((as_at(n, run.ctx.as_of) for n in got.nodes if n.key == top.src), None)
    at = int((node.props.get("merged_at") or (node.props.get("at") if top.label == "Commit" else 0) or 0) if node else 0)
    if not at:
        text = f"{titled(top.src, top.title)} tells of it and was not merged; no source that is loaded says since when that holds."
        return Draft(state="insufficient", facts=[Fact(text)], entries=[top.src])
    did = "merged" if top.label == "PullRequest" else "committed"
    fact = Fact(f"{titled(top.src, top.title)} was {did} on {day(at)}.", (top.src,), step=run.last)
    lead = "The change that tells of it; whether it was deployed then, or taken back since, is not part of this."
    return Draft([day(at)], [fact], entries=[top.src], lead=lead)
