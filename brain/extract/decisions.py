"""Decisions read out of a talk: what was decided and by whom, and the lines that justify it, each quoted. All of it waits for a person,
the decision itself too.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from brain.connectors.extracted import RESOLVED
from brain.extract import moods
from brain.extract.judging import Judge, Place, Refusal
from brain.extract.outcome import Claimed, Decided, Refused, Unsettled
from brain.extract.proposals import Resolved
from brain.schema import RELS
from brain.text.analysis import analyse

REASON = 600
SHARE = 0.5
"""How much of a title has to be in the words of the text."""
_UNDECIDED = re.compile(
    r"\b(?:maybe|perhaps|might|could|would|should (?:we|i)|what if|propos\w+|suggest\w*|consider\w*|not sure|i (?:think|guess|hope|wish)"
    r"|ideally|to be decided|open question|not decided|undecided)\b"
)


def judged(judge: Judge, d: Resolved) -> Iterator[Decided | Refused | Unsettled]:
    """The decision with its claims, or why it is none; and every part of it that was left out."""
    try:
        place = judge.place(d.said)
        if why := moods.asks(place.sentence) or _open(place):
            raise Refusal(why)
        _own_words(judge, d)
    except Refusal as reason:
        yield judge.refused(str(reason), f"decision: {d.title}", d.said)
        return
    key = _key(judge.part.about, place)
    reasons, left = _reasons(judge, d)
    yield from left
    if not reasons:
        yield judge.refused("no line that justifies the decision is quoted", f"decision: {d.title}", d.said)
        return
    claims = [judge.made(key, "JUSTIFIED_BY", _at(p), p) for p in dict.fromkeys(reasons)]
    for one in (*_people(judge, d, key, place), *_things(judge, d, key, place)):
        if isinstance(one, Claimed):
            claims.append(one)
        else:
            yield one
    words = " ".join(dict.fromkeys(p.kept for p in reasons))[:REASON]
    yield Decided(key, d.title, words, judge.part.about, place.line.at, tuple(dict.fromkeys(claims)))


def _key(home: str, place: Place) -> str:
    """The same however the decision is called, and whichever model reads it."""
    said = "\0".join((home, place.line.source, place.kept))
    return RESOLVED + hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _at(place: Place) -> str:
    """What justifies: the message, or the request, issue or document that the comment stands at."""
    return place.line.source


def _open(place: Place) -> str:
    """Why nothing is decided in the sentence yet."""
    found = _UNDECIDED.search(moods.written_out(place.sentence.text))
    return f"nothing is decided yet ({found[0]})" if found else ""


def _own_words(judge: Judge, d: Resolved) -> None:
    """The title has to be in the words of the text."""
    told, title = set(analyse(judge.part.words).split()), analyse(d.title).split()
    if not title or sum(word in told for word in title) / len(title) < SHARE:
        raise Refusal("its title is in other words than the text")


def _reasons(judge: Judge, d: Resolved) -> tuple[list[Place], list[Refused]]:
    found: list[Place] = []
    left: list[Refused] = []
    for quoted in d.because:
        try:
            place = judge.place(quoted)
            if "?" in place.sentence.text:
                raise Refusal("a question justifies nothing")
            found.append(place)
        except Refusal as reason:
            left.append(judge.refused(str(reason), f"reason of: {d.title}", quoted))
    return found, left


def _people(judge: Judge, d: Resolved, key: str, place: Place) -> Iterator[Claimed | Refused | Unsettled]:
    """Who decided, where that is said."""
    if not d.by:
        return
    labels = RELS["DECIDED"].domain
    found = judge.look(d.by, labels, place)
    if found.key:
        yield judge.made(found.key, "DECIDED", key, place)
    elif found.nothing:
        yield judge.refused(found.why, f"{d.by} DECIDED: {d.title}", d.said)
    else:
        yield judge.unsettled(d.by, labels, found, f"{d.by} DECIDED: {d.title}", place)


def _things(judge: Judge, d: Resolved, key: str, place: Place) -> Iterator[Claimed | Refused | Unsettled]:
    """What the decision is about, where that is something known; what else it names is no claim."""
    for name in d.about:
        found = judge.look(name, RELS["APPLIES_TO"].range, place)
        if found.key:
            yield judge.made(key, "APPLIES_TO", found.key, place)
        elif found.candidates:
            yield judge.unsettled(name, RELS["APPLIES_TO"].range, found, f"{d.title} APPLIES_TO {name}", place)
