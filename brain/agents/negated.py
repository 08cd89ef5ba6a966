"""Questions that deny: “which were not …” is everything of the kind without those that were; “does it not …?” is told as it is, so that
nobody has to guess what yes and no mean.
"""

from __future__ import annotations

import re

from brain.agents import company_handling
from brain.agents.plain import Plain, merged, unread, why_not
from brain.agents.run import Draft, Fact
from brain.agents.understand import Understanding
from brain.agents.wording import listing, short
from brain.agents.words import words

_LIST = re.compile(
    r"^\W*(?P<head>which|what)\s+(?P<noun>services|teams|incidents|alerts|decisions|rules|deploys|deployments|tickets|repositories|repos)\s+"
    r"(?P<aux>were|was|are|is|have|has|had|did|do|does|can|could)(?:n['\u2019]t|\s+(?:not|never)(?:\s+(?:been|yet|ever))?)\s+(?P<rest>[^?]+?)\s*\??$",
    re.I,
)
_ASKS = re.compile(
    r"^\W*(?P<aux>is|are|was|were|does|do|did|has|have|had|can|could|will|would)(?:(?P<tag>n['\u2019]t)\b|(?=\s))"
    r"(?P<subject>(?:\s+\S+){1,6}?)(?:\s+(?P<not>not))?\s+(?P<rest>[^?]+)\??$",
    re.I,
)
_NOBODY = re.compile(
    r"^\W*(?P<aux>is|was|has|have|had|did|does|do|can|could)\s+(?P<none>nobody|no one|none|nothing"
    r"|no (?P<noun>\w+))\s+(?P<rest>[^?]+?)\s*\??$", re.I
)
_OR_NOT = re.compile(r"\b(?:or not|if not|but not)\b", re.I)
SPAN = 28
_KNOWN = ("states", "flags", "turns", "groups")


def answer(u: Understanding, plain: Plain) -> Draft | None:
    """What is not so, or how it is; None for a question that denies nothing, or in words that are known as a whole."""
    return _without_those(u, plain) or _denied(u, plain) or _nobody(u, plain)


def _understood(u: Understanding) -> bool:
    """Do the words that deny belong to a state or turn that is known, such as “not merged” or “without approval”?"""
    spots = [m.span() for m in re.finditer(r"\b(?:not|never)\b|n['\u2019]t\b", u.masked, re.I)]
    known = [m.span() for part in _KNOWN for p in getattr(words(), part).values() for m in p.finditer(u.masked)]
    known = [(a, e) for a, e in known if e - a <= SPAN]
    return any(a <= s and e <= b for s, e in spots for a, b in known) or company_handling.unassigned(u)


def _without_those(u: Understanding, plain: Plain) -> Draft | None:
    m = _LIST.match(u.question)
    if not m or _understood(u):
        return None
    noun, rest = m["noun"].lower(), m["rest"]
    far = " directly or indirectly" if noun == "services" and re.match(r"(?:depend|need|rel|us|requir)", rest, re.I) else ""
    asked = f"{m['head']} {noun} {m['aux']} {rest}{far}?"
    every, those = plain(f"Which {noun} are there?")[0], plain(asked)[0]
    if every.state != "answered" or not every.items:
        return unread(m[0], f"the {noun} that there are cannot be listed")
    if those.state != "answered":
        return unread(m[0].strip(), why_not(those), asked)
    items = [i for i in every.items if i not in those.items]
    if not set(those.items) & set(every.items) and those.items:
        return unread(m[0].strip(), "those that it leaves out are of another kind", asked)
    gone = [i for i in every.items if i in those.items]
    facts = [f for f in every.facts if f.cites and f.cites[0] in items]
    none = Fact(f"Each of the {noun} that are loaded is among those that are left out.", (), step=plain.run.last, aggregate=True)
    lead = f"All {noun} without: {listing([short(k) for k in gone])}." if gone else f"All {noun}; none is left out."
    return merged([every], items, facts or [none], lead)


def _denied(u: Understanding, plain: Plain) -> Draft | None:
    """“Does it not need it?”, “isn't it down?”: the plain question's answer, in words that say how it is."""
    m = _ASKS.match(u.question)
    if not m or not (m["tag"] or (m["not"] and u.want == "yesno")) or _understood(u) or _OR_NOT.search(u.question):
        return None
    draft = plain(f"{m['aux'].capitalize()}{m['subject']} {m['rest'].strip()}?")[0]
    said = next(iter(draft.items), "")
    if draft.state != "answered" or said not in ("yes", "no"):
        return draft
    so = said == "yes"
    literal = so if m["tag"] else not so
    stated = f"That {m['subject'].strip()} {m['aux'].lower()} {m['rest'].strip(' ?')} is {'so' if so else 'not so'}."
    return Draft(["yes" if literal else "no"], draft.facts, lead=f"{'Yes' if literal else 'No'}. {stated}", entries=draft.entries)


def _nobody(u: Understanding, plain: Plain) -> Draft | None:
    """“Has nobody reviewed it?”: who did is asked."""
    m = _NOBODY.match(u.question)
    if not m or u.want != "yesno" or _understood(u):
        return None
    noun = m["noun"]
    head = f"Which {noun}" if noun else "What" if m["none"].lower() == "nothing" else "Who"
    aux = "" if m["aux"].lower() in ("did", "does", "do") else f"{m['aux'].lower()} "
    draft = plain(f"{head} {aux}{m['rest']}?")[0]
    if draft.state != "answered":
        return draft
    found = [i for i in draft.items if i not in ("no", "yes", "0")]
    lead = f"No: {listing([short(k) for k in found], 6)}." if found else "Yes, none that is loaded."
    return Draft(["no" if found else "yes"], draft.facts, lead=lead, entries=draft.entries)
