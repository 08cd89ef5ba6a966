"""Words of a plain question that limit what is asked for and that nothing has taken into account: an answer as if they were not there would
be wrong and sound sure, so they are named instead. And a yes or no that passages are to give must be in them.
"""

from __future__ import annotations

import re

from brain.agents import nearly
from brain.agents.company_handling import unassigned
from brain.agents.described import content
from brain.agents.plain import unread
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.words import words
from brain.text.analysis import query_terms

_NAME = r"(?:PERSON|TEAM|SERVICE|REPO|PATH|ITEM|RELEASE|TICKET|ALERT|INCIDENT|DEPLOY|ROLE|CHANNEL)\d+"
_ONLY = re.compile(
    rf"\b(?:only|solely|exclusively)\s+(?:(?:in|on|for|by|to|from|with|of|at)\s+)?(?:the\s+)?{_NAME}(?:\s+\w+)?"
    rf"|{_NAME}(?: team| service)?\s+(?:only|alone)\b|\b(?:nobody|no one|none|nothing) but\s+(?:the\s+)?{_NAME}",
    re.I,
)
_THAN = re.compile(
    r"\b(?:more|fewer|less|longer|shorter|earlier|later|older|newer|younger|bigger|larger|smaller|sooner|faster|slower|oftener|better|worse|higher"
    r"|lower)\b(?:\s+[\w-]+){0,5}?\s+than\s+(?!any|every|all\b|the (?:rest|others?)|others?\b|most\b|(?:it|they|he|she)\b)[^,;?]+",
    re.I,
)
_NOT = re.compile(
    r"^\W*(?:who|whom|which(?: \w+){1,2}|what(?: \w+)?|how many \w+)\s+(?:has|have|had|did|do|does|is|are|was|were|can|could)"
    r"(?:n['\u2019]t|\s+(?:not|never))\b[^,;?]{0,40}",
    re.I,
)
_BESIDE = re.compile(r"\b(?:(?:as )?compared (?:to|with)|versus|vs\.?|as opposed to|in contrast to|relative to)\s[^,;?]+", re.I)
_LEAVE = re.compile(
    r"\b(?:may|(?:is|are) (?:allowed|permitted|entitled|able) to|has the rights? to|have the rights? to"
    r"|has permission to|have permission to)\s+"
    r"(?:merge|push|release|publish|approve|deploy|write|commit|close|delete|tag)\w*",
    re.I,
)
_SPAN, MORE_THAN_ONE = 14, 2
_SAYS_LITTLE = ("No passage", "No document", "Nothing in the question names", "What is loaded")
_UNKNOWN = "nothing of that name is loaded."
_SOURCES = ("doc:", "message:", "thread:", "ticket:", "issue:", "pr:", "commit:", "incident:", "alert:", "deploy:")
WRITTEN = 0.5


def checked(u: Understanding, draft: Draft, run: Run) -> Draft:
    """The draft, or what stands in its way: a limiting word that was left out of account, or a yes or no that nothing says."""
    if draft.state != "answered":
        bare = draft.state == "insufficient" and all(f.text.startswith(_SAYS_LITTLE) or f.text.endswith(_UNKNOWN) for f in draft.facts)
        said = nearly.near(u) if bare else ""
        return Draft(state="insufficient", facts=[Fact(said)]) if said else draft
    if word := nearly.stray_duty(u):
        return Draft(state="insufficient", facts=[Fact(nearly.near(u) or f"\u201c{word}\u201d: nothing of that name is loaded.")])
    if _quoted(draft):
        return _says_so(u, draft)
    ruled = any(c.startswith(("rule:", "doc:", "decision:")) for f in draft.facts for c in f.cites)
    found = _left_out(u, run) or ("" if ruled else _leave(u))
    return unread(found, "this part of the question is not understood, and without it the answer would be another one") if found else draft


def _left_out(u: Understanding, run: Run) -> str:
    """The first limiting words that nothing has taken into account, as they are written; empty when there are none."""
    only = _ONLY.search(u.masked)
    if only and u.kind != "rules" and not u.flags & {"others"} and not (u.cued("changed") and u.says("itself_only")):
        return _written(u, only[0])
    than = _THAN.search(u.masked)
    if than and not u.minimum:
        return _written(u, than[0])
    beside = _BESIDE.search(u.question)
    if beside and (u.window or len(u.links.mentions) > 1):
        return beside[0].strip(" ?,.")
    if u.minimum > MORE_THAN_ONE and u.lexicon.company and not any({"min", "least"} & set(s.args) for s in run.steps):
        return _written(u, re.sub(r"\s+", " ", _most_of(u)))
    denied = _NOT.search(u.masked)
    if denied and not _known(u, denied) and not unassigned(u):
        return _written(u, denied[0])
    return ""


def _leave(u: Understanding) -> str:
    """Words that ask who may do something, which what was done does not tell; empty when there are none."""
    leave = _LEAVE.search(u.masked)
    asked = leave and u.links.of("Repo", "File", "Directory") and u.want in ("people", "yesno", "teams")
    return _written(u, leave[0]) if leave and asked else ""


def _most_of(u: Understanding) -> str:
    m = re.search(r"\b(?:at least|no fewer than|minimum of|more than|over)\s+\w+|\b\w+ or more\b|\b\d+\+", u.masked, re.I)
    return m[0] if m else ""


def _known(u: Understanding, denied: re.Match[str]) -> bool:
    """Is the denial part of a state or a turn of phrase that is known?"""
    spot = re.search(r"(?:n['\u2019]t|\bnot|\bnever)\b", denied[0], re.I)
    if not spot:
        return True
    start, end = denied.start() + spot.start(), denied.start() + spot.end()
    for part in ("states", "flags", "turns"):
        for pattern in getattr(words(), part).values():
            if any(start - _SPAN <= m.start() <= start and end <= m.end() for m in pattern.finditer(u.masked)):
                return True
    return any(p.negated for p in u.places)


def _written(u: Understanding, text: str) -> str:
    """Words of the masked question as they are written."""
    for name in sorted(u.names, key=len, reverse=True):
        text = re.sub(rf"\b{name}\b", lambda _: u.names[name].text, text, flags=re.I)  # noqa: B023
    return " ".join(text.split())


# -- yes or no out of passages -------------------------------------------------------------------


def _quoted(draft: Draft) -> bool:
    """Does the draft say nothing but what passages say?"""
    quoting = bool(draft.facts) and all(f.quotes and "\u201c" in f.text for f in draft.facts)
    return quoting and all(i.startswith(_SOURCES) for i in draft.items)


def _says_so(u: Understanding, draft: Draft) -> Draft:
    """What is quoted to a yes or no must have half of the words that the question is about."""
    wanted = set(query_terms(" ".join(content(u))))
    if u.want != "yesno" or not wanted:
        return draft
    held = set(query_terms(" ".join(q.text for f in draft.facts for q in f.quotes)))
    if len(wanted & held) >= WRITTEN * len(wanted):
        return draft
    return Draft(state="insufficient", facts=[Fact("No passage that is loaded says whether that is so.")], entries=draft.entries)
