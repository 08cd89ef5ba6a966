"""“Besides”, “other than”, “except”: the question is asked without these words, and what they name is left out of what is found. Whom
they mean is read before anything is left out; where it is not known, nothing is answered.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from brain.agents import company_owning
from brain.agents.plain import Plain, merged, unread
from brain.agents.run import Draft, Run
from brain.agents.understand import Understanding
from brain.agents.wording import listing, short

_BUT = re.compile(
    r"(?:,\s*)?\b(?:besides|beside|other than|(?:else|others?) than|apart from|aside from|with the exception of"
    r"|except(?:ing)?(?: for)?|excluding"
    r"|not counting|not including|leaving (?:out|aside)|setting aside|disregarding|ignoring|save for|bar(?= PERSON)"
    r"|(?<=\bnobody )but|(?<=\bno one )but|(?<=\banyone )but|(?<=\banybody )but|(?<=\beveryone )but|(?<=\beverybody )but|(?<=\ball )but"
    r"|(?<=\banyone )outside(?: of)?|(?<=\banybody )outside(?: of)?|(?<=\bsomeone )outside(?: of)?|(?<=\bsomebody )outside(?: of)?"
    r"|(?<=\bwho )outside(?: of)?|(?<=\bpeople )outside(?: of)?)\s+(?:also\s+)?",
    re.I,
)
_NOT_BY = re.compile(
    r"\s*,?\s*\b(?:that|which|who)?\s*(?:were|was|are|is|did|do)? ?not (?:made |done |written "
    r"|authored )?(?:by|from|come from)\s+",
    re.I,
)
_ARTICLE = re.compile(r"(?:the|our|their|its|his|her|all|those|any)\s+", re.I)
_KIND_BEHIND = re.compile(r"(?:['\u2019]s)?\s+(?:team|squad|crew|group|people|members|service|itself|himself|herself|themselves)\b", re.I)
_MORE = re.compile(r"\s*(?:,|and|or|&|, and)\s*(?:the )?", re.I)
_ROLES = {
    "owners": r"(?:own(?:ing|er['\u2019]?s?) (?:team|squad|group|people|person)|owners?(?: team)?"
    r"|team (?:that|which|who) owns (?:it|them|that)"
    r"|own (?:team|people)|ones who own (?:it|that)|responsible team|maintainers?|code ?owners?)",
    "leads": r"(?:(?:tech(?:nical)? )?leads?(?:er)?(?: engineer)?)",
    "oncall": r"(?:(?:person|people|one|ones|engineers?) on[ -]call|on-?call(?: person| engineer| people)?)",
    "left": r"(?:(?:people|those|everyone|everybody|anyone|persons|colleagues|ones) (?:who|that) (?:have |has |had )?(?:left|gone|quit)"
    r"|leavers"
    r"|(?:former|ex-?|departed) ?(?:colleagues|people|employees|members|engineers)|who(?:ever)? (?:has )?left)",
    "bots": r"(?:bots?|programs|automation|robots?)",
}
_ROLE = {name: re.compile(pattern + r"\b", re.I) for name, pattern in _ROLES.items()}
_ITS_OWN = re.compile(r"\b(?:own|self|themselves|authors?)\b", re.I)
_SUBJECT = re.compile(
    r"\b(?:who|whom|what|which(?: \w+){0,2}|any(?:one|body|thing)|some(?:one|body|thing)|every(?:one|body|thing)|no(?:body| one|thing)"
    r"|any (?:\w+ )?\w+|else|people|persons|teams|services|others|other \w+|all)\s*,?\s*$",
    re.I,
)
_PLACES = ("Repo", "File", "Directory", "Release", "PullRequest", "Issue", "Concept", "Commit")
_ANY = re.compile(
    r"^\W*(?P<aux>is|are|was|were|has|have|had|does|do|did|can|may|will|could)(?P<not>n't|n\u2019t)?\s+(?:there\s+)?"
    r"(?:(?P<who>any(?:one|body)|some(?:one|body)|any (?:other )?(?:person|people)|(?P<none>nobody|no one)|other people|others)"
    r"|(?P<what>any ?thing|something|nothing)|(?:any|some)(?: other)? (?P<noun>\w+)"
    r"|other (?P<more>\w+))\b(?:\s+else)?\s*(?:who|that|which)?\s*",
    re.I,
)
_NOBODY = re.compile(r"\b(?:nobody|no one|nothing|none)\b", re.I)
EARLY = 5
_MANY = re.compile(r"\bhow many\b", re.I)


@dataclass(frozen=True)
class Left:
    """What is to be left out: the words that say so, the question without them, the keys named, and the part of people meant."""

    words: str
    rest: str
    keys: tuple[str, ...] = ()
    role: str = ""


def answer(u: Understanding, plain: Plain) -> Draft | None:
    """What is found without what is left out; None for a question that leaves nothing out in such words."""
    left = read(u)
    if left is None:
        return None
    if u.want != "yesno" and _NOBODY.search(left.rest):
        return unread(left.words, "what nobody but them did is not understood")
    if not left.keys and not left.role:
        return unread(left.words, "what is to be left out is not known by that name", left.rest)
    if plain.arm != "graph" and (left.role not in ("", "bots") or any(k.startswith("team:") for k in left.keys)):
        return unread(left.words, "passages alone do not say who that is", left.rest)
    out = _meant(left, u, plain.run)
    if not out:
        return unread(left.words, "nothing that is loaded says who that is", left.rest)
    return _without(left, out, u, plain)


def read(u: Understanding) -> Left | None:
    """What the question leaves out; None where it leaves out nothing, or only places and people's own work, which are filters."""
    m = _BUT.search(u.question) or _NOT_BY.search(u.question)
    if m is None:
        return None
    at = m.end()
    article = _ARTICLE.match(u.question, at)
    at = article.end() if article else at
    if role := next(((name, r) for name, p in _ROLE.items() if (r := p.match(u.question, at))), None):
        return Left(u.question[m.start() : role[1].end()], _rest(u.question, m.start(), role[1].end()), role=role[0])
    keys, end = _named(u, at)
    if keys is None:
        return None
    if keys:
        return Left(u.question[m.start() : end], _rest(u.question, m.start(), end), tuple(keys))
    said = re.match(r"[\w'\u2019-]+(?:\s+(?:of|from|in|at|on) [\w'\u2019-]+)?", u.question[at:])
    words_of = (said[0] if said else "").strip()
    late = len(u.question[: m.start()].split()) > EARLY
    if late or not words_of or _ITS_OWN.search(words_of) or not _SUBJECT.search(u.question[: m.start()]) or _understood(u):
        return None
    return Left(u.question[m.start() : at + len(words_of)], "")


def _understood(u: Understanding) -> bool:
    """Is it a filter that is known: the authors' own work, or other people's?"""
    return bool(u.flags & {"others"})


def _named(u: Understanding, at: int) -> tuple[list[str] | None, int]:
    """The things named from there on, and where they end; None for places, which are filters of their own."""
    keys: list[str] = []
    end = at
    while True:
        hit = next((x for x in u.links.mentions if x.start <= at < x.end and x.keys), None)
        if hit is None:
            return keys, end
        if hit.label in _PLACES:
            return (None if hit.label != "Concept" else []), end
        keys += hit.keys
        behind = _KIND_BEHIND.match(u.question, hit.end)
        end = behind.end() if behind else hit.end
        more = _MORE.match(u.question, end)
        if not more:
            return keys, end
        at = more.end()


def _rest(text: str, start: int, end: int) -> str:
    """The question without these words."""
    front = re.sub(r"\belse\s*$", "", text[:start].rstrip(" ,"), flags=re.I)
    back = text[end:].lstrip(" ,")
    return " ".join(f"{front} {back}".split()).replace(" ?", "?")


# -- whom the words mean ------------------------------------------------------------------------


def _meant(left: Left, u: Understanding, run: Run) -> dict[str, str]:
    """Key -> how it comes to be left out: those named, the members of named teams, or who has the part that is meant."""
    out = dict.fromkeys(left.keys, "named")
    teams = [k for k in left.keys if k.startswith("team:")]
    if left.role == "bots":
        return {"bots": "named"}
    if left.role == "left":
        got = run.look("people_who_left", "who has left")
        return {str(r["key"]): "left" for r in got.rows} or {"": "nobody left"}
    if left.role:
        held, teams = _holders(left.role, u, run)
        out |= dict.fromkeys(held, left.role)
    for team in teams:
        got = run.call("expand", f"who belongs to {short(team)}", key=team, rels=["MEMBER_OF"], direction="in", labels=["Person"], k=500)
        out |= {str(r["key"]): team for r in got.rows if str(r["key"]) not in out}
    return out


def _holders(role: str, u: Understanding, run: Run) -> tuple[list[str], list[str]]:
    """Who has a part in what the question names, and the teams among them."""
    places = company_owning.targets(u) or [m.keys[0] for m in u.links.of("Repo", "File", "Directory")]
    rels = {"owners": ("OWNS", "TECH_LEAD_OF", "MAINTAINED_BY"), "leads": ("TECH_LEAD_OF",), "oncall": ("ON_CALL_FOR",)}[role]
    held: list[str] = []
    for place in places[:2]:
        rows = company_owning.ownership(run, place)
        owning = [r for rel in rels for r in company_owning.current(rows, rel)]
        held += [str(r["key"]) for r in owning if r.get("rel") != "MAINTAINED_BY" or str(r.get("on") or place) == place]
    return list(dict.fromkeys(held)), [k for k in dict.fromkeys(held) if k.startswith("team:")]


# -- asked without them -------------------------------------------------------------------------


def _without(left: Left, out: dict[str, str], u: Understanding, plain: Plain) -> Draft | None:
    whether = _ANY.match(left.rest) if u.want == "yesno" else None
    counted = u.want == "count" and bool(_MANY.search(left.rest))
    if u.want == "yesno" and not whether:
        return unread(left.words, "a yes or no that leaves something out is not understood", left.rest)
    asked = _open(whether, left.rest) if whether else _MANY.sub("which", left.rest, count=1) if counted else left.rest
    draft, meant = plain(asked, more=len(out))
    if draft.state != "answered":
        return draft
    if out == {"bots": "named"}:
        out = {i: "bot" for i in draft.items if i.endswith(("[bot]", "-bot"))}
    if whether and whether["who"]:
        people = [i for i in draft.items if i.startswith(("person:", "team:"))]
        if not people:
            return unread(left.words, "what was found names nobody, so that nobody can be left out of it", left.rest)
        draft.items[:] = people
    plain.settle()
    return _told(left, out, draft, meant, "yesno" if whether else "count" if counted else u.want, bool(whether and whether["none"]))


def _open(m: re.Match[str], rest: str) -> str:
    """“Is anyone fixing it?” as “Who is fixing it?”."""
    noun = m["noun"] or m["more"]
    head = "What" if m["what"] else f"Which {noun}" if noun and noun.lower() not in ("person", "people") else "Who"
    aux = "" if m["aux"].lower() in ("do", "does", "did") else f"{m['aux'].lower()} "
    return f"{head} {aux}{rest[m.end() :].strip()}"


def _told(left: Left, out: dict[str, str], draft: Draft, u: Understanding, want: str, none: bool) -> Draft:
    """What is left of what was found; as yes, no or a number where that is asked."""
    gone_with = {f.cites[0] for f in draft.facts if f.cites and set(f.cites) & set(out) & set(left.keys)}
    items = [i for i in draft.items if i not in out and i not in gone_with]
    limit = u.top or 0
    cut = limit - len(out) if limit and (u.most or u.least or u.top) else 0
    items = items[: max(cut, 1)] if cut else items
    gone = [i for i in draft.items if i in out or i in gone_with]
    kept = [f for f in draft.facts if f.cites and f.cites[0] not in out and set(f.cites) & set(items)]
    facts = [f for f in kept if not set(f.cites) & set(left.keys)]
    lead = f"Left out, {left.words.strip(' ,')}: {listing([short(k) for k in gone]) if gone else 'none that fits'}."
    lead = "\n".join(filter(None, (lead, draft.lead)))
    if want == "yesno" and items and not facts:
        return unread(left.words, "nothing that was found says it of somebody who is left", left.rest)
    if not facts:
        told = [f for f in draft.facts if set(f.cites) & set(gone)] or draft.facts[:1]
        facts = told[:5]
    if want == "yesno":
        yes = bool(items) != none
        return merged([draft], ["yes" if yes else "no"], facts, f"{'Yes' if yes else 'No'}. {lead}")
    if want == "count":
        return merged([draft], [str(len(items))], facts, lead)
    return merged([draft], items, facts, lead if items else f"Nothing else. {lead}")
