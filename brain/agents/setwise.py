"""Answers over answers: those who fit one thing and not another, or both. Each is asked as a plain question of its own, and what is told
is the difference or what they share.
"""

from __future__ import annotations

import re

from brain.agents.plain import Plain, merged, unread, why_not
from brain.agents.run import Draft, Fact
from brain.agents.understand import Understanding
from brain.agents.wording import listing, short
from brain.text.link_things import RUNS
from brain.text.mentions import Mention
from brain.text.timewords import parse

_BUT_NOT = re.compile(r"\s*,?\s*\b(?:but|and) (?:not|never|no longer)\b\s*(?P<tail>[^?]*?)\s*\??\s*$", re.I)
_WANTED = ("people", "services", "teams", "text", "items", "repositories", "files", "tickets", "count", "deploys", "alerts")
_PLACED = ("Repo", "File", "Directory", "Release", "PullRequest", "Issue")
_FAMILY = {**dict.fromkeys(RUNS, "runs"), "Team": "group", "Role": "group", "Channel": "group"}
_HANGS = re.compile(r"\b(?:does|do|did|is|are|was|were|has|have|one|goes|fails|breaks|down|them|it)\b|[\s?.,!]", re.I)
_BOTH = re.compile(r"\b(?:(?P<both>both)|(?P<either>either)|(?P<neither>neither)|(?P<any>not))\b", re.I)
_PREP = re.compile(r"^(?:if|when|on|upon|in|to|by|of|for|with|from|during|since|at|any|the)(?:\s+|$)", re.I)


def shared(plain: Plain, first: str, second: str) -> Draft:
    """Those who fit both questions."""
    one, two = plain(first)[0], plain(second)[0]
    for question, draft in ((first, one), (second, two)):
        if draft.state != "answered":
            return unread(question, f"not answered: {why_not(draft)}")
    items = [i for i in one.items if i in two.items]
    facts = [f for d in (one, two) for f in d.facts if set(f.cites) & set(items)]
    none = Fact("None of what fits the one fits the other.", (), step=plain.run.last, aggregate=True)
    return merged([one, two], items, facts or [none])


def answer(u: Understanding, plain: Plain) -> Draft | None:
    """What fits one thing but not another, or both of two; None for a question that does not ask so."""
    return _but_not(u, plain) or _two(u, plain)


# -- one and not the other ----------------------------------------------------------------------


def _but_not(u: Understanding, plain: Plain) -> Draft | None:
    m = _BUT_NOT.search(u.question)
    if not m or u.want not in _WANTED:
        return None
    inside = [x for x in u.links.mentions if x.start >= m.start("tail") and x.label != "Concept"]
    if any(x.label in _PLACED for x in inside):
        return None  # places that are left out are filters
    first, other = u.question[: m.start()].strip(), _other(u, m, inside)
    if not other:
        return unread(m[0].strip(" ,?"), "what is to be left out is not known by that name", f"{first}?") if _names(m["tail"]) else None
    wanted, out = plain(f"{first}?")[0], plain(f"{other}?")[0]
    if wanted.state != "answered" or not wanted.items:
        return wanted
    if out.state != "answered" and (out.items or plain.arm != "graph"):
        return unread(m[0].strip(" ,?"), why_not(out), f"{first}?")
    if plain.arm != "graph" and not set(wanted.items) & set(out.items):
        return unread(m[0].strip(" ,?"), "passages alone do not say what that leaves out", f"{first}?")
    plain.settle()
    return _difference(plain, wanted, out, m[0].strip(" ,?"))


def _names(tail: str) -> bool:
    """Is it a short name, rather than a clause that says more of the subject?"""
    said = _HANGS.sub("", _PREP.sub("", tail.strip()))
    return bool(said) and len(_PREP.sub("", tail.strip()).split()) <= 2


def _other(u: Understanding, m: re.Match[str], inside: list[Mention]) -> str:
    """The question about what is left out: the first question with that name or time in the place of its own; empty where none fits."""
    first, tail = u.question[: m.start()], m["tail"]
    if len(inside) == 1:
        mine = inside[0]
        bare = tail.lower().replace(mine.text.lower(), "", 1)
        before = [x for x in u.links.mentions if x.end <= m.start() and _family(x) == _family(mine)]
        if not before or _HANGS.sub("", _PREP.sub("", bare.strip())):
            return ""
        old = before[-1]
        return first[: old.start] + mine.text + first[old.end :]
    now = plain_now(u)
    taken = parse(tail, now, ())
    spans = [s for s in u.time.spans if s[1] <= m.start()]
    if inside or not taken.spans or not spans or re.sub(r"\b(?:in|during|since|at|on)\b|\W", "", _cut(tail, taken.spans), flags=re.I):
        return ""
    return f"{_cut(first, spans).strip()} {tail.strip()}"


def plain_now(u: Understanding) -> int:
    """The instant for reading time words of a part; only whether there are any matters."""
    return u.time.until or u.time.as_of or 1_700_000_000


def _cut(text: str, spans: list[tuple[int, int]] | tuple[tuple[int, int], ...]) -> str:
    for a, b in sorted(spans, reverse=True):
        text = text[:a] + text[b:]
    return text


def _family(m: Mention) -> str:
    return _FAMILY.get(m.label, m.label)


def _difference(plain: Plain, wanted: Draft, out: Draft, words: str) -> Draft:
    left = [i for i in wanted.items if i not in out.items]
    gone = [i for i in wanted.items if i in out.items]
    facts = [f for f in wanted.facts if not set(f.cites[:1]) & set(gone)]
    lead = f"Left out, {words}: {listing([short(k) for k in gone])}." if gone else f"Nothing had to be left out, {words}."
    none = Fact("Nothing that is loaded fits.", (), step=plain.run.last, aggregate=True)
    return merged([wanted], left, facts if left else [none], lead)


# -- both of two --------------------------------------------------------------------------------


def _two(u: Understanding, plain: Plain) -> Draft | None:
    """Both, either or neither of two things of one kind: each is asked about alone."""
    pair = _pair(u)
    if not pair:
        return None
    how, asked = pair
    drafts = [plain(q)[0] for q in asked]
    if any(d.state != "answered" for d in drafts):
        bad = next((q, d) for q, d in zip(asked, drafts, strict=True) if d.state != "answered")
        return unread(bad[0], f"not answered: {why_not(bad[1])}")
    if u.want == "yesno":
        return _verdict(how, drafts)
    sets = [set(d.items) for d in drafts]
    every = list(dict.fromkeys(i for d in drafts for i in d.items))
    items = [i for i in every if all(i in s for s in sets)] if how == "both" else every
    facts = [f for d in drafts for f in d.facts if set(f.cites) & set(items)]
    none = Fact("Nothing that is loaded fits both.", (), step=plain.run.last, aggregate=True)
    return merged(drafts, items, facts or [none])


def _verdict(how: str, drafts: list[Draft]) -> Draft | None:
    said = [next(iter(d.items), "") for d in drafts]
    if not set(said) <= {"yes", "no"}:
        return None
    yes = {"both": all(s == "yes" for s in said), "either": "yes" in said, "neither": "yes" not in said}[how]
    return merged(drafts, ["yes" if yes else "no"], [f for d in drafts for f in d.facts], "Yes." if yes else "No.")


def _pair(u: Understanding) -> tuple[str, list[str]] | None:
    """How two things are joined, and the question asked of each alone."""
    m = _BOTH.search(u.question)
    how = next((name for name in ("both", "either", "neither") if m and m[name]), "")
    if not m or not how or (how == "neither" and u.want != "yesno"):
        return None
    after = [x for x in u.links.mentions if x.start >= m.end() and x.label != "Concept"][:2]
    if len(after) < 2 or u.question[m.end() : after[0].start].strip(" ").lower() not in ("", "the", "of the", "of", "on", "on the"):
        return None
    a, b = after
    joint = u.question[a.end : b.start].strip(" ,").lower()
    if not re.fullmatch(r"(?:and|or|nor|&)(?: (?:the|on|on the|for|to))?", joint) or _family(a) != _family(b):
        return None
    if u.want != "yesno" and a.label in _PLACED:
        return None
    head = u.question[: m.start()]
    tail = u.question[b.end :]
    lead = u.question[m.end() : a.start]
    return how, [f"{head}{lead.strip()} {x.text}{tail}".replace("  ", " ") for x in (a, b)]
