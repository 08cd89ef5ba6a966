"""“Which of A, B and C …”: asked of everything of their kind, and then only they count. What cannot be asked so is left as it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from brain.agents.run import Draft, Fact, Run
from brain.agents.wording import listing, short
from brain.text.linking import Linker

_OF = re.compile(r"^\W*(?:and\s+|but\s+)?(?P<which>which|who|how many|what) (?:ones? )?of\s+", re.I)
_JOIN = re.compile(r"[\s,]*(?:(?:and|&|the|services?|teams?|pull requests?|issues?|tickets?|repositor(?:y|ies)|@)[\s,]*)*", re.I)
_COMPARED = re.compile(
    r"\b(?:first|last|earlie[rs]t?|late[rs]t?|olde[rs]t?|newe[rs]t?|more|most|less|least|fewe[rs]t?|bigge[rs]t?|large[rs]t?|longe[rs]t?|best|worst"
    r"|both|or|either|neither|same|each)\b",
    re.I,
)
_NOUNS = {
    "service": "services", "pr": "pull requests", "issue": "issues", "ticket": "tickets", "repo": "repositories", "person": "people",
    "team": "teams", "release": "releases", "commit": "commits", "decision": "decisions", "rule": "rules", "deploy": "deploys",
    "alert": "alerts", "incident": "incidents", "file": "files", "doc": "documents", "api": "interfaces", "resource": "resources",
}  # fmt: skip


def split(question: str, linker: Linker) -> tuple[str, tuple[str, ...]]:
    """The question asked of everything of the kind, and the things it was asked of; the question as it is, and nothing, where it
    is not of that form, or compares the things with one another.
    """
    m = _OF.match(question)
    if not m:
        return question, ()
    end, keys = m.end(), []
    for mention in sorted(linker.link(question).mentions, key=lambda x: x.start):
        if mention.start >= end and _JOIN.fullmatch(question[end : mention.start]) and len(mention.keys) == 1:
            keys.append(mention.keys[0])
            end = mention.end
    kinds = {k.partition(":")[0] for k in keys}
    rest = question[end:].strip()
    noun = _NOUNS.get(next(iter(kinds))) if len(kinds) == 1 else None
    if len(keys) < 2 or noun is None or not rest.strip(" ?.!") or _COMPARED.search(rest) or rest[:1] == ",":
        return question, ()
    which = "Which" if m["which"].lower() in ("what", "who") else m["which"].capitalize()
    return f"{'Which' if which == 'How many' else which} {noun} {rest}", tuple(dict.fromkeys(keys))


def keep(draft: Draft, keys: Sequence[str], question: str, run: Run) -> Draft:
    """The draft as far as it is about these things."""
    if draft.state != "answered":
        return draft
    kind = keys[0].partition(":")[0]
    if draft.items and not any(i.partition(":")[0] == kind for i in draft.items):
        return Draft(facts=[Fact(f"It cannot be told for each of {listing(map(short, keys))}.")], state="insufficient")
    items = [i for i in draft.items if i in keys]
    facts = [f for f in draft.facts if set(f.cites) & set(items) and not _others(f, kind, keys)]
    if not items:
        facts = [Fact("None of these is among what fits.", (), step=run.last, aggregate=True)]
    if re.match(r"\W*(?:and\s+)?how many\b", question, re.I):
        items = [str(len(items))]
    return replace(draft, items=items, facts=facts, lead="")


def _others(fact: Fact, kind: str, keys: Sequence[str]) -> bool:
    """Is the first thing of that kind that a fact cites another one?"""
    first = next((c for c in fact.cites if c.partition(":")[0] == kind), "")
    return bool(first) and first not in keys
