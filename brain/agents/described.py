"""Things that are described rather than named: found by their words, then asked about as if named."""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.agents import anchored, company_decisions, reader, retrieve, since
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import titled
from brain.agents.words import words
from brain.text.analysis import query_terms, terms
from brain.text.passages import Passage

_LABEL_OF_NOUN = {"prs": "PullRequest", "issues": "Issue", "commits": "Commit", "releases": "Release"}
_HANGS_ON_ONE = ("people", "releases", "files", "directories", "labels", "date", "commits")
_SAYS_NOTHING = """someone somebody anyone anything something everything nothing loaded stored data information detail details
    thing things time times date dates far long together usually often typically main major currently right person
    people turned away expert most active busiest still work works working worked recent recently lately organisation
    organization company org whole entire overall altogether"""
_GENERIC = frozenset(_SAYS_NOTHING.split())
_NO_HEAD = r"(?:the|is|are|was|were|did|does|do|has|have|kind|sort|type|about|if)"
_HEAD = re.compile(rf"\b(?:which|what|how much)\s+((?!{_NO_HEAD}\b)[a-z][a-z-]{{3,}})\s+[a-z]", re.I)


def content(u: Understanding) -> list[str]:
    """The words that describe something rather than name a relation, a state or a measure."""
    named = (*words().aspects.values(), *words().states.values())
    return [w for w in u.words if w not in _GENERIC and not w.isdigit() and not any(p.fullmatch(w) for p in named)]


def describes(u: Understanding, about: Sequence[str]) -> bool:
    """Is one thing meant by a description, rather than all that pass the filters?

    Singular nouns with several words that no filter explains are.
    """
    hard = (
        u.links.of("Person", "File", "Directory", "Release")
        or u.milestone
        or u.flags & {"self_merged", "bot_made", "not_planned", "largest", "discussed"}
        or u.labels
        or u.window
    )
    soft = u.state or u.links.of("Repo") or "without_approval" in u.flags
    limit = 4 if hard else 2 if soft else 1
    return len(about) + len(u.links.of("Concept")) >= limit + (2 if u.says("several_items") else 0)


def described(u: Understanding, run: Run) -> Draft:
    """The answer about what a question describes; insufficient when no document has its words."""
    found = retrieve.passages(run, u, "hybrid", 12)
    if not found or not _covers(u, found) or (u.lexicon.company and not _held(u, found)):
        return Draft(state="insufficient", facts=[Fact("No passage that is loaded has the words of the question.")])
    entries = [m.keys[0] for m in u.links.mentions if m.sure and m.label not in ("Repo", "Concept")][:3]
    top = found[0]
    if u.want not in _HANGS_ON_ONE and not (u.want in ("prs", "issues") and top.label != _LABEL_OF_NOUN[u.want]):
        return reader.read(u, found, run.last, entries, sure=_sure(u, found))
    if since.asked(u):
        return since.told(u, run, top, company_decisions.answer)
    if not _of_them(u, found):
        return Draft(state="insufficient", facts=[Fact("No passage that is loaded tells that of whom the question names.")])
    named = anchored.answer(u, run, top.src, None)
    quote = reader.best_sentence(top, query_terms(u.question))
    taken = Fact(f"Taken to mean {titled(top.src, top.title)}.", (top.src,), (quote,) if quote else (), step=run.steps[1].n)
    named.facts.insert(0, taken)
    named.entries = [*entries, top.src]
    return named


def _of_them(u: Understanding, found: Sequence[Passage]) -> bool:
    """Do the passages of the best document name the people that the question names, or are they by them?"""
    for m in u.links.of("Person"):
        names = {*query_terms(m.text), *(query_terms(k.partition(":")[2])[0] for k in m.keys if query_terms(k.partition(":")[2]))}
        own = [p for p in found if p.src == found[0].src]
        logins = {k.partition(":")[2] for k in m.keys}
        if not any(p.author.lower() in logins or names & set(terms(f"{p.title} {p.text} {p.author}")) for p in own):
            return False
    return True


SURE, NEAR = 0.67, 0.5


def _wanted(u: Understanding) -> set[str]:
    """The words the question describes its subject with, as they are compared."""
    return set(query_terms(" ".join([*content(u), *(m.text for m in u.links.of("Concept"))])))


def share(u: Understanding, found: Sequence[Passage]) -> float:
    """The share of the words the question describes its subject with that the best document has."""
    wanted = _wanted(u)
    held = {t for p in found if p.src == found[0].src for t in terms(p.text)}
    return len(wanted & held) / len(wanted) if wanted else 0.0


def _sure(u: Understanding, found: Sequence[Passage]) -> bool:
    """Are the words alone enough, however far the passages are in meaning? A reason asked for by a rare word, or several words."""
    return share(u, found) >= SURE and ("why" in u.flags or len(_wanted(u)) >= 3)


def _held(u: Understanding, found: Sequence[Passage]) -> bool:
    """Where a company has much more to find by a stray word: are all of two words there, or is it near in meaning?"""
    return len(_wanted(u)) != 2 or share(u, found) == 1.0 or max(p.near for p in found) >= NEAR


def _covers(u: Understanding, found: Sequence[Passage]) -> bool:
    """Does the best document have enough of the words the question describes its subject with, and the
    thing it asks for?
    """
    held = {t for p in found if p.src == found[0].src for t in terms(p.text)}
    head = _HEAD.search(u.masked)
    asked = set(query_terms(head[1])) if head and u.want == "text" else set()
    if asked and not asked & held:
        return False
    wanted = _wanted(u)
    if not wanted:
        return True
    has = share(u, found)
    if has < SURE and not reader.bears(found):
        return False
    return has >= (0.5 if len(wanted) <= 2 else 0.2 if u.want in ("people", "count", "date") else 0.0)
