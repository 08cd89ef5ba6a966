"""“My team”, “what we own”, “assigned to me”: what such words mean for whoever asks, from what they said, else from what they may read;
and which of the two it was. Where neither says it nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from brain.agents.spelled import spelled
from brain.agents.wording import day, listing
from brain.memory.items import ON_CALL, OWNS, PERSON, TEAM, WORKS_ON, Fact
from brain.text.linking import Linker
from brain.tools.asking import Asking

_TEAM = r"(?:team|squad|group|crew|tribe)"
_THING = r"(?P<noun>services?|components?|systems?|apps?|applications?|projects?|repos?|repositor(?:y|ies)|modules?)"
_KEEP = r"(?P<verb>own|maintain|run|operate|look after|answer for)"
_DID = r"(?P<verb>review|merge|write|open|close|approve|comment|deploy|fix|handle|author|change|touch|commit|ship|revert)"
_DONE = r"(?P<verb>reviewed|merged|wrote|opened|closed|approved|commented on|deployed|fixed|handled|authored|changed|own|maintain|lead)"
_STATE = r"(?P<rest>(?:open|merged|closed|last|latest|newest|oldest|recent) )?"
_RECORDS = rf"{_STATE}(?P<noun>pull requests?|prs?|issues?|reviews?|commits?|tickets?|comments?)"
_WHICH = r"(?P<aux>which|that|what|services?|pull requests|issues|tickets)"
_QUOTED = re.compile(r"\"[^\"]*\"|\u201c[^\u201d]*\u201d|`[^`]*`|(?<!\w)'[^']*'(?!\w)")
ME, THINGS = "me", "things"
_FRAMES: tuple[tuple[str, re.Pattern[str], str], ...] = tuple(
    (want, re.compile(pattern, re.I), meaning)
    for want, pattern, meaning in (
        (TEAM, rf"\bwho(?:['\u2019]s| is| are) (?:my|our) (?:{_TEAM} |tech(?:nical)? )?leads?\b", "who leads {}"),
        (TEAM, r"\bwho(?:['\u2019]s| is| are) (?:my|our) on[- ]call(?: engineers?| person| people)?\b", "who is on call for {}"),
        (TEAM, r"\b(?:my|our) (?:team ?mates|colleagues|co-?workers)\b", "the members of {}"),
        (TEAM, rf"\b(?:my|our)(?: own)? {_TEAM}\b", "{}"),
        (TEAM, rf"\bdo we {_KEEP}\b", "does {} {verb}"),
        (TEAM, rf"\bwe {_KEEP}\b", "{} {verbs}"),
        (TEAM, r"\b(?P<verb>owned|maintained|operated|looked after|run) by us\b", "{verb} by {}"),
        (TEAM, r"\b(?P<verb>belongs?) to us\b", "{verb} to {}"),
        (TEAM, r"\b(?P<verb>on[- ]call|on duty) for (?:us|me)\b", "{verb} for {}"),
        (THINGS, rf"\b(?:my|our(?= own))(?: own)? {_THING}\b", "{}"),
        (ME, rf"\bmy {_RECORDS}\b", "{}'s {rest}{noun}"),
        (ME, r"\b(?P<verb>assigned to|(?:review|merg|open|clos|approv|handl|author|fix|deploy)ed by|written by) me\b", "{verb} {}"),
        (ME, rf"\b(?P<aux>did|have|had) I (?P<rest>(?:last |ever |already )?){_DID}", "{aux} {} {rest}{verb}"),
        (ME, r"\bdo I (?P<verb>own|maintain|review|lead|look after|answer for|work on)\b", "does {} {verb}"),
        (ME, rf"\b{_WHICH} I (?P<rest>(?:last )?){_DONE}\b", "{aux} {} {rest}{verbs}"),
    )
)
_TELL = re.compile(
    rf"^\W*(?:what|which|who)(?:['\u2019]s| is| are) (?:my|our) (?:{_TEAM}|{_THING})\W*$"
    rf"|^\W*(?:which|what) {_TEAM} (?:am i|are we) (?:in|on|part of|with)\W*$",
    re.I,
)
_ABOUT_ME = re.compile(
    r"^\W*(?:what (?:do|did|can) you (?:know|remember|recall)(?: (?:about|of) (?:me|us))?"
    r"|what (?:have|did) i (?:tell|told) you(?: about me| about myself)?|who am i)\W*$",
    re.I,
)
_RUNS = ("service", "api", "resource", "module", "system")
_HAVE = {"service": _RUNS, "component": (*_RUNS, "repo"), "repo": ("repo",)}


@dataclass(frozen=True)
class Meant:
    """What words such as “my team” mean: keys with names, where that is known from, and the facts it rests on."""

    said: str
    things: tuple[tuple[str, str], ...]
    source: str
    facts: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """It in one line."""
        return f"“{self.said}”: {listing(name for _, name in self.things)}, {self.source}"


@dataclass(frozen=True)
class Known:
    """What is known of whoever asks: what they said and holds, the person they are (empty: nobody known), and the lookups of
    what they may read.
    """

    facts: Sequence[Fact]
    person: str
    asking: Asking
    linker: Linker

    def of(self, *kinds: str) -> list[Fact]:
        """The facts of these kinds that name something."""
        return [f for f in self.facts if f.kind in kinds and f.key]


def asks_what_is_known(question: str) -> bool:
    """Does it ask what is known of whoever asks?"""
    return bool(_ABOUT_ME.match(question))


def tells(question: str) -> bool:
    """Does it ask for nothing but what is meant by “my team” or “my services”?"""
    return bool(_TELL.match(question))


def resolve(question: str, known: Known) -> tuple[str, list[Meant], str]:
    """The question with such words replaced by what they mean, what each meant, and what is missing (empty: nothing is)."""
    meant: list[Meant] = []
    if told := _TELL.match(question):
        noun = told["noun"] or ""
        found = _things(known, f"my {noun}", noun) if noun else _team(known, "my team")
        return (question, [found], "") if isinstance(found, Meant) else (question, [], found)
    for want, pattern, meaning in _FRAMES:
        spot = next((m for m in pattern.finditer(question) if not _inside(question, m.start())), None)
        if spot is None:
            continue
        parts = {name: value or "" for name, value in spot.groupdict().items()}
        found = _MEANINGS[want](known, spot[0], parts.get("noun", ""))
        if not isinstance(found, Meant):
            return question, meant, found
        meant.append(found)
        filled = meaning.format("{}", **parts, verbs=_third(parts.get("verb", "")))
        question = _written(question, spot, filled, found, known.linker)
    return question, meant, ""


def _inside(question: str, at: int) -> bool:
    return any(m.start() < at < m.end() for m in _QUOTED.finditer(question))


def _third(verb: str) -> str:
    """A verb as it follows somebody: `own` owns, `look after` looks after, `merged` merged."""
    first, _, rest = verb.partition(" ")
    return f"{first}s {rest}".strip() if first in ("own", "maintain", "run", "operate", "look", "answer", "lead") else verb


# -- what is meant ---------------------------------------------------------------------------


def _told(facts: Sequence[Fact]) -> str:
    return f"from what you told me on {listing(dict.fromkeys(day(f.at) for f in facts))}"


def _team(known: Known, said: str, noun: str = "") -> Meant | str:
    facts = known.of(TEAM)
    if facts:
        return Meant(said, tuple((f.key, f.name) for f in facts), _told(facts), tuple(f.id for f in facts))
    rows = known.asking.run("memberships_now", person=known.person).rows if known.person else ()
    teams = {str(r["dst"]): r for r in rows if r["rel"] == "MEMBER_OF"}
    if not teams:
        return f"What “{said}” means is not known: {_nothing(known)} says which team you are in. Tell me, for instance: I am in the … team."
    return Meant(said, tuple((key, str(r["dst_name"] or key)) for key, r in teams.items()), _read(*teams.values()))


def _read(*rows: object) -> str:
    sources = dict.fromkeys(str(r["source"]).partition(":")[2] for r in rows if isinstance(r, dict) and r.get("source"))
    return f"from {listing(sources)}" if sources else "from the lists that you may read"


def _nothing(known: Known) -> str:
    said = "you have not told me, and nothing that you may read"
    return said if known.person else f"{said} says who you are here, so nothing"


def _things(known: Known, said: str, noun: str) -> Meant | str:
    kinds = next((kinds for start, kinds in _HAVE.items() if noun.lower().startswith(start)), ())
    fits = [f for f in known.of(WORKS_ON, OWNS) if not kinds or f.key.partition(":")[0] in kinds]
    fits = fits or [f for f in known.of(ON_CALL) if f.key.partition(":")[0] in kinds]
    found = {f.key: f.name for f in fits}
    source, facts = _told(fits) if fits else "", tuple(f.id for f in fits)
    if not found and known.person:
        rows = known.asking.run("things_of", person=known.person).rows
        found = {str(r["key"]): str(r["name"]) for r in rows if not kinds or str(r["key"]).partition(":")[0] in kinds}
        source = _read(*rows)
    if not found:
        return f"What “{said}” means is not known: {_nothing(known)} says what is yours. Tell me, for instance: I work on …."
    if len(found) > 1 and not noun.lower().endswith("s"):
        return f"“{said}” can be {' or '.join(found.values())}, {source}. Ask about one of them."
    return Meant(said, tuple(found.items()), source, facts)


def _me(known: Known, said: str, noun: str = "") -> Meant | str:
    if not known.person:
        return f"Whom “{said}” means is not known: no login says who you are here. Tell me, for instance: my login is …."
    facts = [f for f in known.of(PERSON) if f.key == known.person]
    login = known.person.partition(":")[2]
    return Meant(said, ((known.person, login),), _told(facts) if facts else "from your login", tuple(f.id for f in facts))


_MEANINGS: dict[str, Callable[[Known, str, str], Meant | str]] = {TEAM: _team, THINGS: _things, ME: _me}


# -- how it is written -----------------------------------------------------------------------


def _written(question: str, spot: re.Match[str], filled: str, meant: Meant, linker: Linker) -> str:
    """The question with the words replaced, each thing written so that it is read back as that thing."""

    def whole(said: str) -> str:
        text = filled.replace("{}", said)
        text = text[:1].upper() + text[1:] if not question[: spot.start()].strip() else text
        return question[: spot.start()] + text + question[spot.end() :]

    return whole(spelled(meant.things, linker, whole))
