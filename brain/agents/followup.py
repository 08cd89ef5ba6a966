"""Follow-ups: a question that leans on the one before is completed from it, in plain text."""

from __future__ import annotations

import re

from brain.agents.wording import short
from brain.text.linking import Linker
from brain.text.timewords import parse
from brain.types import Answer

_AND = re.compile(
    r"^\s*(?:and|what about|how about|and what about|same for|also for|now for|now|what of)\b[\s,:]*(?:for|in|of|with|about)?\s*", re.I
)
_NOUN = r"(?:one|pr|pull request|issue|release|file|repo|repository|commit)"
_THING = re.compile(rf"\b(?:it|its|this {_NOUN}|that {_NOUN}|that(?=\s*[?.!]*$)|the same {_NOUN})\b", re.I)
_PERSON = re.compile(r"\b(?:theirs?|he|him|his|she|hers?|that person|the same person)\b", re.I)
_MANY = re.compile(
    r"\b(?:they|them|those|these|all of (?:them|those|these))\b(?! (?:prs|pull requests|issues|people|files|who|that))"
    r"|\b(?:those|these) (?:prs|pull requests|issues|people|files|ones)\b",
    re.I,
)
_ONES = re.compile(
    r"^\s*(?:and\s+)?(?:which (?:ones|are they|were they)|list (?:them|those)|name (?:them|those)|show (?:me )?(?:them|those)"
    r"|what are they)\W*$",
    re.I,
)
_HOW_MANY = re.compile(r"\b(?:how many|(?:the )?(?:total )?number of|count(?: of| the)?)\s+", re.I)
_PREFIX = {
    "pr": "pr",
    "pull": "pr",
    "issue": "issue",
    "release": "release",
    "file": "file",
    "repo": "repo",
    "repository": "repo",
    "commit": "commit",
}


def whole(answer: Answer) -> str:
    """The question of a run as it was answered: completed where it leaned on the one before, or said “my team”."""
    return next((str(s.args["question"]) for s in answer.steps if s.tool == "link" and s.args.get("question")), answer.question)


def leans(question: str) -> bool:
    """Has the question a word that the question before it would give its meaning?"""
    return bool(_AND.match(question) or _ONES.match(question) or any(p.search(question) for p in (_MANY, _PERSON, _THING)))


def repos_of(before: Answer | None) -> tuple[str, ...]:
    """The repositories the run before was about, for numbers that name none."""
    if before is None:
        return ()
    keys = [*before.items, *(c for claim in before.claims for c in claim.cites)]
    repos = []
    for key in keys:
        prefix, _, rest = key.partition(":")
        if prefix in ("pr", "issue", "commit", "release", "file", "dir", "repo") and "/" in rest:
            repos.append("repo:" + re.split(r"[#@]", "/".join(rest.split("/")[:2]))[0])
    return tuple(dict.fromkeys(repos))[:1]


def _written(key: str) -> str:
    """A key as the linker reads it back."""
    prefix, _, rest = key.partition(":")
    return key if prefix in ("pr", "issue", "release", "commit", "file", "dir") else f"@{rest}" if prefix == "person" else short(key)


def complete(question: str, before: Answer, linker: Linker, now: int) -> str:
    """The question with what it leaves out filled in from the run before; unchanged when it stands alone."""
    if _ONES.match(question):
        return _HOW_MANY.sub("which ", before.question, count=1)
    start = _AND.match(question)
    rest = question[start.end() :] if start and start.end() else ""
    if rest:
        swapped = _replaced(rest, before, linker, now)
        if swapped:
            return swapped
    many = _MANY.search(question)
    if many and len(before.items) > 1:
        listed = " and ".join(_written(k) for k in before.items[:20] if ":" in k)
        if listed:
            return question[: many.start()] + listed + question[many.end() :]
    somebody = len(before.items) == 1 and before.items[0].startswith("person:")
    for pattern, wanted in ((_PERSON, "person"), (_THING, ""), (_MANY, "person" if somebody else "")):
        m = pattern.search(question)
        if m:
            key = _antecedent(before, wanted or next((v for k, v in _PREFIX.items() if re.search(rf"\b{k}", m[0], re.I)), ""), linker)
            if key:
                own = "'s" if m[0].lower() in ("its", "their", "his", "her") else ""
                return question[: m.start()] + _written(key) + own + question[m.end() :]
    return question


def _antecedent(before: Answer, prefix: str, linker: Linker) -> str:
    """What a pronoun stands for: the only item of the answer before, else what its question named."""
    named = [k for m in linker.link(before.question, ()).mentions if m.sure for k in m.keys[:1]]
    pool = [*([before.items[0]] if len(before.items) == 1 else []), *named] if prefix != "person" else [*before.items[:1], *named]
    fitting = [k for k in pool if ":" in k and (not prefix or k.startswith(f"{prefix}:")) and (prefix or not k.startswith("person:"))]
    return fitting[0] if fitting else ""


def _replaced(rest: str, before: Answer, linker: Linker, now: int) -> str:
    """The question before with the new name or time in the old one's place; empty when nothing fits."""
    text = before.question
    fresh, old = linker.link(rest, repos_of(before)).mentions, linker.link(text, ()).mentions
    time, was = parse(rest, now, tuple((m.start, m.end) for m in fresh)), parse(text, now, tuple((m.start, m.end) for m in old))
    changed = False
    for m in fresh:
        same = [o for o in old if o.label == m.label]
        if same:
            text = text.replace(same[0].text, m.text, 1)
            changed = True
    if time.spans:
        for start, end in reversed(was.spans):
            text = text.replace(before.question[start:end], "", 1)
        text = f"{text.rstrip(' ?.')} {time.words}?"
        changed = True
    return text if changed else ""
