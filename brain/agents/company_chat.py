"""What somebody said in the chat: the messages of a person about something, and where or by whom something was described, reported
or asked; quoted from the messages themselves.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.agents import reader, retrieve
from brain.agents.company_facts import answered, by_path, by_query, called, nothing, unique
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import day, short, titled
from brain.text.analysis import query_terms, terms
from brain.text.link_things import RUNS
from brain.text.passages import Passage, passage

_SAY = (
    r"(?:sa(?:y|ys|id|ying)|wr(?:ite|ites|ote|itten)|post(?:s|ed)?|mention(?:s|ed)?|talk(?:s|ed)?|sp(?:eak|oke|oken)|t(?:ell|old)"
    r"|ask(?:s|ed)?|describ(?:e|es|ed)|report(?:s|ed)?|complain(?:s|ed)?|explain(?:s|ed)?|announc(?:e|es|ed)|warn(?:s|ed)?|notic(?:e|es|ed)"
    r"|point(?:s|ed)? out|suggest(?:s|ed)?|discuss(?:es|ed)?|rais(?:e|es|ed)|bring up|brought up|admit(?:s|ted)?|promis(?:e|es|ed))"
)
_CHAT = re.compile(r"\b(?:chat|slack|messages?|threads?|channels?|CHANNEL\d+|conversations?|posted)\b", re.I)
_SOMEBODY = r"(?:somebody|someone|anybody|anyone|they|we|people|a colleague|colleagues|a user|users|nobody|it)"
_WHERE = re.compile(
    rf"\bwhere (?:did|does|do|has|have|was|is|were)\b(?: {_SOMEBODY})?(?: \w+)? {_SAY}\b(?! (?:to )?PERSON\d)"
    r"|\b(?:which|what|find|show|the) (?:\w+ )?(?:message|thread|conversation|post)s?\b[^?]{0,40}"
    rf"\b(?:{_SAY}|about|that|where|in which)\b"
    rf"|\b(?:did|has|have) {_SOMEBODY} (?:ever |already )?{_SAY}\b"
    r"|\b(?:where|(?:in )?(?:which|what) channels?) (?:is|was|were|has|have|did) [^?]{1,70}\b(?:discuss|talk|debat)",
    re.I,
)
_WHO = re.compile(rf"\b(?:who|which person|which colleague)\b(?: \w+)? {_SAY}\b", re.I)
_BY = re.compile(
    rf"\bPERSON\d+\b(?: \w+){{0,2}}? {_SAY}\b|\b(?:messages?|posts?|threads?) (?:of|by|from) PERSON\d"
    r"|\bPERSON\d+(?:['\u2019]s)? (?:messages?|posts?)\b",
    re.I,
)
_ABOUT = re.compile(rf"PERSON\d+ (?:\w+ )?{_SAY} (?:\w+ )?about\b", re.I)
_RECORDS = re.compile(r"\b(?:prs?|pull requests?|issues?|reviews?|commits?|tickets?|documents?|docs?|adrs?)\b", re.I)
_ELSEWHERE = ("PullRequest", "Issue", "Commit", "Release", "Ticket", "Decision", "Rule", "Doc", "Incident", "Alert", "Deploy")
_NO_SUBJECT = """say said wrote write written posted post mention mentioned talk talked tell told ask asked describe described report
    reported complain complained explain explained announce announced warn warned notice noticed point suggest suggested
    discuss discussed raise raised chat slack message messages thread threads channel conversation anything something
    somebody someone ever already out"""
_SAYING = frozenset(term for word in _NO_SUBJECT.split() for term in query_terms(word))
SHARE, NEAR, QUOTED, MOST = 0.5, 0.5, 6, 500


def asked(u: Understanding) -> bool:
    """Does it ask what a person said, or where or by whom something was said, in the chat rather than in a document or in code?"""
    if u.links.of(*_ELSEWHERE) or _RECORDS.search(u.masked):
        return False
    in_chat = bool(_CHAT.search(u.masked))
    if u.links.of("Person"):
        return (in_chat and bool(_BY.search(u.masked))) or bool(_ABOUT.search(u.masked))
    return bool(_WHERE.search(u.masked) or (in_chat and _WHO.search(u.masked))) and bool(_terms(u))


def _terms(u: Understanding) -> set[str]:
    """The words for what was said."""
    told = [*u.words, *(m.text for m in u.links.mentions if m.label not in ("Person", "Channel"))]
    return {t for word in told for t in query_terms(word)} - _SAYING


def said(u: Understanding, run: Run) -> Draft | None:
    """The messages that are meant, best first; none that has too few of the words."""
    found = _of_people(u, run) if u.links.of("Person") else _of_anybody(u, run)
    found = [p for p in found if _in_window(u, p) and _in_channel(u, p)]
    people = unique(m.keys[0] for m in u.links.of("Person"))
    if not found:
        about = " about that" if _terms(u) else ""
        whose = f" of {', '.join(short(k) for k in people)}" if people else ""
        none = f"No message{whose}{about} is loaded."
        if u.want == "yesno" and people:
            return answered(["no"], [by_query(run, none, *people)], people, "No.")
        return nothing(none, *people)
    facts = [_fact(p, _terms(u), run) for p in found[:QUOTED]]
    entries = unique([*people, *(p.src for p in found[:QUOTED])])
    if u.want == "yesno":
        return answered(["yes"], facts, entries, "Yes.")
    if u.want == "people":
        return _authors(run, found[0], facts, entries)
    if u.want == "date":
        return answered([day(found[0].at)], facts[:1], entries)
    if u.want == "count":
        return answered([str(len(found))], facts, entries)
    if re.search(r"\bchannels?\b|\bwhere (?:is|was|were|has|have|did|do) [^?]*\b(?:discuss|talk|debat)", u.masked, re.I):
        return answered(unique("channel:" + p.src.partition(":")[2].split("/")[0] for p in found[:1]), facts, entries)
    several = people or re.search(r"\bmessages\b", u.masked, re.I)
    return answered(unique(p.src for p in (found if several else found[:1])), facts, entries)


def _of_people(u: Understanding, run: Run) -> list[Passage]:
    """The messages of the people who are named, those with the words first; all of them when no words are given."""
    own: list[str] = []
    for person in unique(k for m in u.links.of("Person") for k in m.keys)[:3]:
        got = run.call("expand", f"what {short(person)} posted", key=person, rels=["POSTED"], direction="out", labels=["Message"], k=MOST)
        own += unique(r["key"] for r in got.rows)
    wanted = _terms(u)
    texts = _texts(run, own)
    things = {k for m in u.links.of(*RUNS, "Team") for k in m.keys}
    about: set[str] = set()
    for thing in sorted(things)[:2]:
        got = run.call(
            "expand", f"what speaks of {short(thing)}", key=thing, rels=["ABOUT", "MENTIONS"], direction="in", labels=["Message"], k=MOST
        )
        about |= {str(r["key"]) for r in got.rows}
    scored = [(_share(wanted, p) + (1.0 if p.src in about else 0.0), p) for p in texts]
    return [p for s, p in sorted(scored, key=lambda x: (-x[0], -x[1].at)) if s >= SHARE or not wanted]


def _texts(run: Run, keys: Sequence[str]) -> list[Passage]:
    if not keys:
        return []
    got = run.ctx.run("chunks_for", keys=list(keys), per=1)
    run.add("chunks_for", "their messages", {"keys": list(keys)[:20]}, got)
    return [passage(r, 1.0, 1.0) for r in got.rows]


def _share(wanted: set[str], p: Passage) -> float:
    """The share of the words in the message, those of its thread's beginning for half."""
    if not wanted:
        return 1.0
    own = wanted & set(terms(p.body))
    return (len(own) + 0.5 * len((wanted - own) & set(terms(p.text)))) / len(wanted)


def _of_anybody(u: Understanding, run: Run) -> list[Passage]:
    """The messages that come nearest to what is described, in words and in meaning."""
    wanted = _terms(u)
    found = retrieve.passages(run, u, "hybrid", 20, of=["Message"])
    scored = [(_share(wanted, p) + p.near, p) for p in found if _share(wanted, p) >= SHARE or p.near >= NEAR]
    return [p for _, p in sorted(scored, key=lambda x: -x[0])]


def _in_window(u: Understanding, p: Passage) -> bool:
    since, until = u.time.since, u.time.until
    return (since is None or p.at >= since) and (until is None or p.at < until)


def _in_channel(u: Understanding, p: Passage) -> bool:
    named = [k.partition(":")[2] for m in u.links.of("Channel") for k in m.keys]
    return not named or p.src.partition(":")[2].split("/")[0] in named


def _fact(p: Passage, wanted: set[str], run: Run) -> Fact:
    quote = reader.best_sentence(p, sorted(wanted))
    text = f"{titled(p.src, p.title)}, {day(p.at)}: “{quote.text if quote else p.title}”"
    return Fact(text, (p.src,), (quote,) if quote else (), run.last)


def _authors(run: Run, best: Passage, facts: list[Fact], entries: list[str]) -> Draft:
    """Who posted the message that fits best."""
    got = run.call("expand", f"who posted {short(best.src)}", key=best.src, rels=["POSTED"], direction="in", labels=["Person"], k=5)
    told = [by_path(run, f"{called(str(r['key']), r['name'])} posted {short(best.src)}.", str(r["key"]), best.src) for r in got.rows]
    return answered(unique(r["key"] for r in got.rows), [*told, *facts[:1]], entries) if told else nothing("No source says who wrote that.")
