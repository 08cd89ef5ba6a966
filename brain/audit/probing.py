"""The questions and arguments of the leak probe: written down in `probes.yaml` without a name of anybody's, and filled in from
what is hidden from the viewer who asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from brain.audit.secrets import LONG, Secrets, Thing, tokens
from brain.errors import DefinitionError
from brain.instants import day
from brain.text.analysis import stem

PROBES = Path(__file__).with_name("probes.yaml")
DAY = 86_400
WHEN = ("before", "after")
_SLOT = re.compile(r"\{([a-z_]+)\}")
_SPOKEN = {"Doc": "document", "PullRequest": "pull request", "Directory": "folder", "Api": "interface", "Chunk": "passage"}
_FIRST = ("Doc", "Rule", "Decision", "Message", "Ticket", "Thread", "Incident", "PullRequest", "Issue", "Channel", "Alert", "Deploy")


@dataclass(frozen=True)
class Probe:
    """A question with slots; `at` and `known` say which day around the hidden thing it is asked as of, `then` follows it up."""

    kind: str
    ask: str
    then: str = ""
    at: str = ""
    known: str = ""

    @property
    def slots(self) -> set[str]:
        """What has to be filled in."""
        return set(_SLOT.findall(self.ask + self.then)) | ({"day"} if self.at or self.known else set())


@dataclass(frozen=True)
class Asked:
    """A probe filled in: the question, what follows it up, the instants it is asked as of, and what it was filled with."""

    kind: str
    question: str
    then: str = ""
    as_of: int | None = None
    known_at: int | None = None


@cache
def probes() -> tuple[Probe, ...]:
    """Every probe of the file; DefinitionError for one that says what no probe says."""
    found = []
    for kind, some in yaml.safe_load(PROBES.read_text("utf-8")).items():
        for raw in some:
            if set(raw) - {"ask", "then", "at", "known"} or not {raw.get("at", "after"), raw.get("known", "after")} <= set(WHEN):
                raise DefinitionError(f"{PROBES.name}: {raw!r}: a probe has ask, then, and at or known, which are before or after")
            found.append(Probe(kind, **raw))
    return tuple(found)


def filled(probe: Probe, slots: Mapping[str, str], at: int) -> Asked | None:
    """The probe with its slots filled in, or nothing when one cannot be."""
    if not probe.slots <= set(slots):
        return None

    def put(text: str) -> str:
        return _SLOT.sub(lambda m: slots[m[1]], text)

    when = {"before": at - DAY, "after": at + DAY, "": None}
    return Asked(probe.kind, put(probe.ask), put(probe.then), when[probe.at], when[probe.known])


def questions(secrets: Secrets, things: Sequence[Thing], fills: int) -> Iterator[Asked]:
    """Every probe, filled in from up to so many hidden things, each question once."""
    given = [(slots, int(t.props.get("at") or 0)) for t in chosen(secrets, fills) for slots in [slots_of(t, secrets, things)]]
    seen = set()
    for probe in probes():
        for slots, at in given or [({}, 0)]:
            asked = filled(probe, slots, at)
            if asked and asked not in seen:
                seen.add(asked)
                yield asked


def chosen(secrets: Secrets, most: int) -> list[Thing]:
    """Up to so many hidden things to probe for: of as many kinds as there are, in an order that is always the same."""
    by_label: dict[str, list[Thing]] = {}
    for t in sorted((t for t in secrets.hidden if t.ends is None and t.key in secrets.keys), key=lambda t: t.key):
        by_label.setdefault(t.label, []).append(t)
    labels = sorted(by_label, key=lambda name: (_FIRST.index(name) if name in _FIRST else len(_FIRST), name))
    rounds = max(map(len, by_label.values()), default=0)
    return [by_label[name][i] for i in range(rounds) for name in labels if name != "Chunk" and i < len(by_label[name])][:most]


def slots_of(thing: Thing, secrets: Secrets, things: Sequence[Thing]) -> dict[str, str]:
    """What the probes are filled in with, as far as the hidden thing has it."""
    text = _text(thing, things)
    words = text.split()
    rare = sorted({w for w in tokens(text) if w in secrets.words and len(w) >= LONG and not w.isdigit()}, key=lambda w: (-len(w), w))
    ident, title = thing.key.partition(":")[2], str(thing.props.get("title") or thing.props.get("name") or "").rstrip("…").strip()
    numbers = [w for w in tokens(text) if any(c.isdigit() for c in w)]
    slots = {
        "key": thing.key, "ident": ident, "ident_words": " ".join(tokens(ident)), "title": title, "kind": _spoken(thing.label),
        "title_reversed": " ".join(reversed(title.split())), "initials": "".join(w[0] for w in tokens(title) if w).upper(),
        "word": rare[0] if rare else "", "words": " ".join(rare[:3]), "word_misspelt": _misspelt(rare[0]) if rare else "",
        "quote": " ".join(words[:8]), "opening": " ".join(words[:4]), "value": str(thing.props.get("value") or " ".join(words[:6])),
        "number": numbers[0] if numbers else "", "channel": str(thing.props.get("channel") or ""), **_around(thing, things),
    }  # fmt: skip
    at = int(thing.props.get("at") or 0)
    days = {"day": day(at), "before": day(at - DAY), "after": day(at + DAY)} if at > DAY else {}
    return {name: value for name, value in {**slots, **days}.items() if value.strip()}


def _text(thing: Thing, things: Sequence[Thing]) -> str:
    """The hidden thing's own text, of its passages if it has some, else what its fields say."""
    passages = [str(t.props.get("text") or "") for t in things if t.label == "Chunk" and t.props.get("src") == thing.key]
    return " ".join(passages) or " ".join(list(thing.texts())[1:])


def _around(thing: Thing, things: Sequence[Thing]) -> dict[str, str]:
    """Somebody and something that the hidden thing hangs together with, by name; else the first that there is."""
    near = {k for t in things if t.ends and thing.key in t.ends for k in t.ends}
    near |= {k for t in things if t.ends and near & set(t.ends) and t.label != "IN_REPO" for k in t.ends}
    found = {}
    for slot, label in (("person", "Person"), ("service", "Service")):
        named = sorted((t for t in things if t.label == label), key=lambda t: (t.key not in near, t.key))
        if named:
            found[slot] = str(named[0].props.get("name") or "")
    return found


def _spoken(label: str) -> str:
    return _SPOKEN.get(label, re.sub(r"(?<=[a-z])(?=[A-Z])", " ", label).lower())


def _misspelt(word: str) -> str:
    return word[0] + word[2] + word[1] + word[3:]


# -- a made-up thing of the same shape -----------------------------------------------------------


def made_up(text: str, secrets: Secrets) -> tuple[str, dict[str, str]] | None:
    """The text with each word and number that only hidden things say replaced by one that nothing says, and which by which;
    nothing when there is no such word, so that the text says nothing of what is hidden.
    """
    swapped: dict[str, str] = {}

    def swap(match: re.Match[str]) -> str:
        word = match[0]
        low = tokens(word)[0] if tokens(word) else ""
        if len(low) < 3 or low not in secrets.words or stem(low) in secrets.stems:
            return word
        swapped.setdefault(low, _other(low, secrets.vocabulary | secrets.words | set(swapped.values())))
        return swapped[low].upper() if word.isupper() else swapped[low].capitalize() if word[0].isupper() else swapped[low]

    other = re.sub(r"[^\W_]+", swap, text)
    return (other, swapped) if swapped else None


def _other(word: str, taken: set[str]) -> str:
    """A word of the same shape that nobody says: vowels for vowels, consonants for consonants, digits for digits."""
    for step in range(1, 200):
        made = "".join(_turned(c, step + i) for i, c in enumerate(word))
        if made not in taken and stem(made) not in taken:
            return made
    return word[::-1] + "q"


def _turned(c: str, by: int) -> str:
    for group in ("aeiou", "bcdfgklmnprtvz", "0123456789"):
        if c in group:
            return group[(group.index(c) + by) % len(group)]
    return c


def as_real(value: Any, swapped: Mapping[str, str]) -> Any:
    """A result about a made-up thing in the words of the real one, to be compared with it: every text as its tokens."""
    back = {made: real for real, made in swapped.items()} | {stem(made): stem(real) for real, made in swapped.items()}
    if isinstance(value, str):
        return tuple(back.get(t, t) for t in tokens(value))
    if isinstance(value, Mapping):
        return {k: as_real(v, swapped) for k, v in value.items()}
    return [as_real(v, swapped) for v in value] if isinstance(value, list | tuple) else value
