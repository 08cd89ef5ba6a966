"""The words by which a question leans on the one before."""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.text.mentions import Links

# What nouns such as “this ticket” mean, by the beginning of the keys.
_NOUNS = {
    "pr": "pr", "pull request": "pr", "issue": "issue", "release": "release", "file": "file", "repo": "repo", "repository": "repo",
    "commit": "commit", "service": "service", "team": "team", "ticket": "ticket", "incident": "incident", "alert": "alert",
    "deploy": "deploy", "deployment": "deploy", "decision": "decision", "adr": "decision", "rule": "rule", "document": "doc",
    "runbook": "doc", "system": "system", "component": "service module", "project": "repo project", "person": "person",
    "engineer": "person", "author": "person", "one": "",
}  # fmt: skip
_NOUN = rf"(?:{'|'.join(sorted(_NOUNS, key=len, reverse=True))})"
_EMPTY_IT = (
    r"(?! (?:true|possible|allowed|ok|okay|safe|right|necessary|correct|known|clear|permitted|forbidden|fine"
    r"|takes?|took|matters?|means?|rains?)\b)"
)
_ALONE = r"(?:team|service|ticket|decision|incident|alert|deploy|deployment|pull request|repository|repo|rule|document|runbook)"
THING = re.compile(
    rf"\b(?:it(?:'s|\u2019s)?\b{_EMPTY_IT}|its\b|(?:this|that|the same) {_NOUN}\b(?! of\b)|that(?=\s*[?.!]*$)"
    rf"|the {_ALONE}(?=\s*[?.!]*$|['\u2019]s\b))",
    re.I,
)
PERSON = re.compile(r"\b(?:theirs?|he|him|his|she|hers?|that person|the same person|this person)\b", re.I)
PLACE = re.compile(
    r"(?<!\bare )(?<!\bis )(?<!\bwas )(?<!\bwere )\b(?:in |at )?there\b(?! (?:is|are|was|were|has|have|been|be|a|an|any|no)\b)", re.I
)
_MANY_KINDS = "prs|pull requests|issues|people|files|services|teams|tickets|releases|commits|decisions|rules"
MANY = re.compile(
    rf"\b(?:they|them|those|these|all of (?:them|those|these))\b(?! (?:{_MANY_KINDS}|who|that)\b)"
    rf"|\b(?:those|these) (?:{_MANY_KINDS}|ones)\b(?! (?:[a-z]+ing|that|which|who|whose|with|of)\b)",
    re.I,
)
OF_THEM = re.compile(r"^\W*(?:and |but )?(?:which|who|what|how many) (?:ones? )?of (?:them|those|these)\b", re.I)
ONES = re.compile(
    r"^\s*(?:and\s+)?(?:which (?:ones|are they|were they)|list (?:them|those)|name (?:them|those)|show (?:me )?(?:them|those)"
    r"|what are they)\W*$",
    re.I,
)
HOW_MANY = re.compile(r"\b(?:how many|(?:the )?(?:total )?number of|count(?: of| the)?)\s+", re.I)
COUNTED = re.compile(r"^\s*(?:and\s+)?how many(?: (?:are|were) (?:they|there|those)| of (?:them|those))?\W*$", re.I)
LISTED = re.compile(r"^\s*(?:which|what|list(?: the)?|show(?: me)?(?: the)?|name(?: the)?)\s+(?=[a-z]+s\b|[a-z]+ [a-z]+s\b)", re.I)
NTH = re.compile(r"\bthe (?P<nth>first|second|third|fourth|fifth|last|latter|former) (?:one|of them|of those)\b", re.I)
PLACES = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1, "latter": -1, "former": 0}

PART = re.compile(
    r"^\s*(?:and|or|but|what about|how about)?\s*(?:what(?:'s|\u2019s| is)|who(?:'s|\u2019s| is| are))?\s*(?:the|its|their)\s+"
    r"(?P<part>owners?|authors?|reviewers?|leads?|tech leads?|on[- ]call|members?|maintainers?|assignees?|dependencies|dependents|"
    r"runbooks?|status|title|approvers?)\W*$",
    re.I,
)
PARTS = {
    "owner": "Who owns {}?", "author": "Who wrote {}?", "reviewer": "Who reviewed {}?", "lead": "Who leads {}?",
    "tech lead": "Who leads {} technically?", "on-call": "Who is on call for {}?", "on call": "Who is on call for {}?",
    "member": "Who belongs to {}?", "maintainer": "Who maintains {}?", "assignee": "Who is assigned to {}?",
    "dependencie": "What does {} depend on?", "dependent": "What depends on {}?", "runbook": "What is the runbook of {}?",
    "statu": "What is the status of {}?", "title": "What is the title of {}?", "approver": "Who approved {}?",
}  # fmt: skip
OF_PART = {"member": "team", "dependencie": "runs", "dependent": "runs", "runbook": "runs"}
KINDS = {"team": ("team",), "runs": ("service", "system", "api", "resource", "module", "repo")}
_TEAMISH = re.compile(r"\b(?:members?|belongs? to|leads?\b(?! .*technically)|works? in|joined|is in|part of)\b", re.I)
_RUNNING = re.compile(
    r"\b(?:depends?|down|deploy\w*|restart\w*|break\w*|page|on call|owns?|runs?|runbook|rolled|alerts?|incidents?|fail\w*)\b", re.I
)

BARE = re.compile(r"^\s*(?:and\s+|but\s+)?(?P<word>why|when|who|by whom|how come|since when)\s*[?.!]*\s*$", re.I)
ALONE = {
    "why": {
        "decision": "Why did we decide {}?", "incident": "What caused {}?", "alert": "What caused {}?", "rule": "Why is {} in force?",
        "ticket": "Why was {} opened?", "deploy": "Why was {} made?", "pr": "Why was {} made?", "commit": "Why was {} made?",
    },
    "when": {
        "decision": "When was {} decided?", "incident": "When did {} start?", "alert": "When did {} fire?", "ticket": "When was {} opened?",
        "deploy": "When did {} run?", "pr": "When was {} merged?", "issue": "When was {} closed?", "release": "When was {} published?",
        "commit": "When was {} made?",
    },
    "since when": {"decision": "Since when does {} hold?", "rule": "Since when is {} in force?"},
    "who": {
        "decision": "Who decided {}?", "incident": "Who fixed {}?", "ticket": "Who handled {}?", "deploy": "Who made {}?",
        "pr": "Who wrote {}?", "issue": "Who opened {}?", "release": "Who published {}?", "commit": "Who wrote {}?",
        "service": "Who owns {}?", "repo": "Who owns {}?",
    },
}  # fmt: skip
_PASSIVE = {
    **dict.fromkeys(("merged", "reviewed", "opened", "closed", "approved", "fixed")),
    **dict.fromkeys(("deployed", "reverted", "released", "decided", "created")),
    "wrote": "written",
}
_ACTIVE = {passive or active: active for active, passive in _PASSIVE.items()}
_WH = re.compile(r"^\s*(?:when|how|where|why)\s+(?=(?:was|were|did|is|are|does|do|has|have|had)\b)", re.I)
_DID = re.compile(rf"^\s*who\s+(?P<verb>{'|'.join(_PASSIVE)})\s+(?P<rest>[^?]+)\??\s*$", re.I)
_WAS = re.compile(rf"^\s*(?:when|why|how|where)\s+(?:was|were)\s+(?P<rest>[^?]+?)\s+(?P<verb>{'|'.join(_ACTIVE)})\W*$", re.I)
_CLAUSE = re.compile(r"(?:,|\band\b|\bbut\b|\bor\b|;|\.)", re.I)
_IS = re.compile(r"\b(?:is|was|were) $", re.I)
_SAID_OF_NOTHING = re.compile(r" (?:to [a-z]|(?:[a-z]+ed|said|written|told|known|found|shown) that\b|in the case\b|that\b|who\b)", re.I)
_SEVERAL = frozenset({"them", "those", "these"})
_OWN, _NEAR = frozenset({"its", "their", "his", "her", "theirs", "hers"}), 4
_SUBJECT = re.compile(r"^\s*(?:which|what|how many) [\w-]+ (?!did|do|does|is|are|was|were|has|have|had)[a-z]+\s+$", re.I)
_A_THING = re.compile(r"\b(?:an?|one|each|every|any) (?!same\b|lot\b|few\b)[a-z][\w-]*", re.I)
_PHRASE = re.compile(r"\b(?:an?|the|each|every|some|any|our|my) (?!same\b|team\b\W*$)[a-z][\w-]*", re.I)


def turned(word: str, text: str) -> str:
    """The question before with another question word; empty when that makes no question."""
    if word in ("why", "how come", "when", "since when"):
        head = "When" if "when" in word else "Why"
        if _WH.match(text) and not re.match(rf"\s*{head}\b", text, re.I):
            return _WH.sub(f"{head} ", text, count=1)
        if (m := _DID.match(text)) and head == "When":
            return f"When was {m['rest']} {_PASSIVE[m['verb'].lower()] or m['verb'].lower()}?"
    elif m := _WAS.match(text):
        return f"Who {_ACTIVE[m['verb'].lower()]} {m['rest']}?"
    return ""


def prefix(words: str) -> str:
    """The beginnings of keys that such words can mean; empty for anything."""
    noun = re.sub(r"^(?:this|that|the same|the) |['\u2019]s$", "", words.lower())
    return _NOUNS.get(noun, "")


def about(question: str) -> str:
    """What kind of thing the predicate of a question fits: `team`, `runs`, or anything (empty)."""
    return "team" if _TEAMISH.search(question) else "runs" if _RUNNING.search(question) else ""


def bound(question: str, m: re.Match[str], own: Links, labels: Sequence[str]) -> bool:
    """Does a pronoun mean something that the question itself names before it, or nothing at all? `labels` are what it can mean;
    none: any but people.
    """
    before, after = question[: m.start()], question[m.end() :]
    if before.count('"') % 2 or before.count("\u201c") > before.count("\u201d"):
        return True
    if m[0].lower() == "it" and _IS.search(before) and _SAID_OF_NOTHING.match(after):
        return True
    if m[0].lower() in _SEVERAL and re.search(r"\bof $", before, re.I):
        return True
    for mention in own.mentions:
        fits = mention.label in labels if labels else mention.label != "Person"
        whole = mention.label != "Concept" or len(mention.text.split()) > 1
        if mention.end <= m.start() and fits and whole and (mention.sure or not mention.label):
            return True
    if m[0].lower() in _OWN and (len(before.split()) > _NEAR or _SUBJECT.match(before)):
        return True
    clauses = [*_CLAUSE.finditer(before)]
    own_or_thing = not labels or m[0].lower() in _OWN
    return own_or_thing and bool(_A_THING.search(before) or (clauses and _PHRASE.search(before[: clauses[-1].start()])))
