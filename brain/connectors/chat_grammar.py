"""What a chat message says was done with a ticket, by the phrases of chat.yaml and nothing else. A question, a wish, a
condition, somebody else's words and a negation say nothing.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from brain.connectors.chat_words import Sentence, Words, words
from brain.errors import BadInput

FILE = Path(__file__).with_name("chat.yaml")
ACTS = ("transferred", "claimed", "verified", "fixed")
_TICKETS = r"(?:(?:the |this |that )?(?:ticket |issue |case )?⟦t\d+⟧(?: ⟦t\d+⟧)*)"
_IT = rf"(?:{_TICKETS}|it|this|that|this one|that one|them|these|both|(?:the|this|that) (?:ticket|issue|case|one))"
_PERSON = r"⟦p\d+⟧"
_MARK = re.compile(r"⟦([tp])(\d+)⟧")
_END = r"(?= ,|$)"
_BARE = r"(?<!⟧ )(?<!team )(?<!all )(?<!folks )(?<!everyone )(?<!guys )(?<!both )"
_BY = re.compile(rf"(?:^|\bfixed |\bresolved |\bsolved )by (?:({_PERSON})|([\w.'-]+(?: [\w.'-]+){{0,2}}))")
_WHOLE = r"(?!(?<=[\w-])[\w-])"
_HINT = re.compile(r"[a-z]", re.IGNORECASE)


@dataclass(frozen=True)
class Act:
    """Something done with a ticket. `tickets` are the ids it names, `near` the only one the message names elsewhere (both
    empty: the one the thread is about); `person` is who did or got it, by id or @handle, "" for the writer; `by` the words
    after a "by", which may name somebody; `sure` whether the phrase leaves no doubt.
    """

    what: str
    line: int
    tickets: tuple[str, ...] = ()
    near: str = ""
    person: str = ""
    sure: bool = True
    by: str = ""


@dataclass(frozen=True)
class _Phrases:
    says: tuple[re.Pattern[str], ...]
    maybe: tuple[re.Pattern[str], ...]
    never_after: re.Pattern[str] | None


class Grammar:
    """The phrases of one file. Raises BadInput, naming the phrase, for one that is no regular expression."""

    def __init__(self, said: Mapping[str, Any], file: str) -> None:
        lead = "|".join(re.escape(word) for word in _listed(said["lead_in"]))
        self._lead = rf"(?:(?:{lead}|{_PERSON}|just)(?= )\s){{0,5}}"
        self._only_lead = re.compile(rf"(?:(?:{lead}|{_PERSON}|⟦t\d+⟧)(?: |$))+")
        self._to_come = rf"(?:{'|'.join(re.escape(word) for word in _listed(said['to_come']))})\b"
        self._never_before, self._doubt = _any(said["never_before"]), _any(said["doubt"])
        self._undone, self._refused = _any(said["undone"]), _any(said["transferred"]["refused"])
        self._accepted = tuple(str(w).lower() for w in said["transferred"]["accepted"])
        self._phrases = {act: self._compiled(said[act], f"{file}: {act}") for act in ACTS}

    def _compiled(self, section: Mapping[str, Any], where: str) -> _Phrases:
        after = section.get("never_after")
        return _Phrases(
            tuple(self._regex(p, where) for p in section.get("says") or ()),
            tuple(self._regex(p, where) for p in section.get("maybe") or ()),
            _any(after) if after else None,
        )

    def _regex(self, phrase: str, where: str) -> re.Pattern[str]:
        text = phrase.replace("$", _END).replace("{ticket}", _TICKETS).replace("{it}", _IT).replace("{person}", _PERSON)
        text = text.replace("{when}", self._to_come).replace("{bare}", _BARE)
        try:
            return re.compile(rf"(?P<lead>{self._lead})(?P<said>{text}){_WHOLE}")
        except re.error as err:
            raise BadInput(f"{where}: {phrase!r} is no regular expression: {err}") from None

    def acts(self, text: str) -> list[Act]:
        """What a raw message says was done, in order, each once."""
        if not _HINT.search(text):
            return []
        taken = words(text)
        found: dict[tuple[str, tuple[str, ...], str], Act] = {}
        named: list[str] = []
        for sentence in taken.sentences:
            read_to = 0
            for i, clause in enumerate(sentence.clauses):
                act, spans = self._act(sentence, i, taken, named) if i >= read_to else (None, 0)
                if act is not None:
                    found.setdefault((act.what, act.tickets or (act.near,), act.person), act)
                    read_to = i + spans
                named += [taken.tickets[int(n)] for sort, n in _MARK.findall(clause) if sort == "t"]
        return list(found.values())

    def _act(self, sentence: Sentence, clause: int, taken: Words, named: list[str]) -> tuple[Act | None, int]:
        """The act that a clause says, and how many clauses it takes up."""
        rest = sentence.rest(clause)
        for what in ACTS:
            for sure, phrases in ((True, self._phrases[what].says), (False, self._phrases[what].maybe)):
                for phrase in phrases:
                    match = phrase.match(rest)
                    if match and self._stands(what, sentence, clause, rest[match.end() :], match["said"]):
                        return self._made(what, sentence, clause, match, taken, named, sure), 1 + match.group().count(" , ")
        return None, 0

    def _stands(self, what: str, sentence: Sentence, clause: int, after: str, said: str) -> bool:
        if what == "transferred":
            return True
        start = max((i for i, mark in sentence.breaks.items() if mark == "but" and i <= clause), default=0)
        before = sentence.clauses[start:clause]
        colon = max((i for i, mark in sentence.breaks.items() if mark == ":" and i <= clause), default=0)
        if sentence.asks or any(self._never_before.search(c) for c in before):
            return False
        if any(not self._only_lead.fullmatch(c) for c in sentence.clauses[:colon]):
            return False
        never = self._phrases[what].never_after
        if self._doubt.search(f"{said} {after}") or (never and never.search(after.partition(" ,")[0])):
            return False
        return what == "claimed" or not self._undone.search(after)

    def _made(
        self, what: str, sentence: Sentence, clause: int, match: re.Match[str], taken: Words, named: list[str], sure: bool
    ) -> Act | None:
        rest = sentence.rest(clause)
        after = rest[match.end() :].partition(" ,")[0].strip()
        person = ""
        if what == "transferred":
            found = _people(match["said"]) or _people(" ".join([*sentence.clauses[:clause], match["lead"]])) or _people(rest)
            if len(found) != 1:
                return None
            person = taken.people[found[0]]
        by = _BY.search(f"{match['said']}{after}" if match["said"].endswith("by ") else after)
        if what != "transferred" and by and by[1]:
            person, sure = taken.people[_people(by[1])[0]], False
        tickets = tuple(taken.tickets[int(n)] for sort, n in _MARK.findall(match["said"]) if sort == "t")
        next_to = re.match(r"\s*,\s*((?:⟦t\d+⟧ ?)+)(?= ,|$)", rest[match.end() :])
        if not tickets and next_to:
            tickets = tuple(taken.tickets[int(n)] for _, n in _MARK.findall(next_to[1]))
        before = list(dict.fromkeys(named))
        if not tickets and len(before) == 1:
            tickets = (before[0],)
        near = taken.tickets[0] if not tickets and not before and len(taken.tickets) == 1 else ""
        return Act(what, sentence.line, tickets, near, person, sure, by[2] or "" if by and not person else "")

    def accepts(self, text: str) -> bool:
        """Does the message say yes to what was asked?"""
        raw = text.strip().lower()
        plain = words(text).sentences
        if plain and plain[0].asks:
            return False
        start = plain[0].rest(0) if plain else ""
        start = re.sub(rf"^(?:{_PERSON}\s*,?\s*)+", "", start).replace(" , ", ", ")
        signs, said = [w for w in self._accepted if not w[0].isalpha()], [w for w in self._accepted if w[0].isalpha()]
        if raw.startswith(tuple(signs)):
            return not self._refused.search(start)
        said_at = (re.match(rf"(?:(?:thanks|thank you|thx|ah|oh|hi|hey)(?:,? |$))*{re.escape(word)}(?!\w)", start) for word in said)
        return any(match and not self._refused.search(start[match.end() :]) for match in said_at)


def _people(text: str) -> list[int]:
    return list(dict.fromkeys(int(n) for sort, n in _MARK.findall(text) if sort == "p"))


def _listed(said: str) -> list[str]:
    return shlex.split(said)


def _any(said: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w⟦])(?:{'|'.join(re.escape(word) for word in _listed(said))})(?!\w)")


def phrases_file(path: Path = FILE) -> Mapping[str, Any]:
    """What a phrases file says. Raises BadInput when it is no YAML or lacks a section."""
    try:
        said = yaml.safe_load(path.read_text("utf-8"))
    except (OSError, yaml.YAMLError) as err:
        raise BadInput(f"{path}: cannot be read: {err}") from None
    missing = [name for name in ("lead_in", "never_before", "doubt", "undone", "to_come", "rule_change", *ACTS) if name not in (said or {})]
    if missing:
        raise BadInput(f"{path}: lacks {', '.join(missing)}")
    return dict(said)


@cache
def grammar() -> Grammar:
    """The grammar that comes with the product."""
    return Grammar(phrases_file(), FILE.name)
