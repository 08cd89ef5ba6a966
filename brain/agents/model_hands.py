"""Who had a hand in what: a person that a model names beside a piece of work must have been returned with it, where others were."""

from __future__ import annotations

import calendar
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from brain.agents.model_passages import somebody
from brain.agents.model_returned import flat
from brain.agents.model_verbs import NEGATED, NOBODY
from brain.text.analysis import terms
from brain.types import Step

WORK = frozenset({"ticket", "pr", "issue", "commit", "deploy", "decision", "message"})
_BY = ("author", "authors", "assignee", "assigned", "person", "by")
_NEAR = 3
_MAKING = {
    "deploy": "deployed|rolled out|released", "pr": "opened|wrote|authored|proposed|created",
    "ticket": "opened|reported|created|raised|filed", "issue": "opened|reported|created|raised|filed", "commit": "wrote|committed|authored",
}  # fmt: skip
_AGREED_BY = re.compile(
    r"\b(?P<did>accepted|approved|decided|agreed|proposed|rejected|declined|ratified|adopted|signed off)(?: \w+ly)?"
    r" by (?:the |an? )?(?P<who>[^\W\d][\w'-]*)", re.I
)  # fmt: skip
_SHORT = 120
_PARTS = re.compile(r"[.!?]\s|\n")
_CALENDAR = frozenset(name.casefold() for names in (calendar.month_name, calendar.month_abbr, calendar.day_name) for name in names)


class Hands:
    """Who was returned with which work, and who made it."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._with: dict[str, set[str]] = defaultdict(set)
        self._names: dict[str, set[str]] = defaultdict(set)
        self._titles: dict[str, str] = {}
        self._made: dict[str, set[str]] = defaultdict(set)
        self._authors: dict[str, set[str]] = defaultdict(set)
        self._texts: list[str] = []
        for node in (n for step in steps for n in step.nodes):
            if node.key.startswith("person:"):
                self._names[node.key] |= {node.name, node.key, node.key.partition(":")[2]} - {""}
        self._key = {form: key for key, forms in self._names.items() for form in forms}
        for step in steps:
            for e in step.edges:
                self._join(e.src, e.dst)
            for node in step.nodes:
                self._titles[node.key] = node.name
                self._wrote(node.key, str(node.props.get("author") or ""))
            for row in step.rows:
                self._row(row)

    def _row(self, row: object) -> None:
        if not isinstance(row, dict):
            return
        texts, keys = flat(row)
        self._texts += [" ; ".join(t for t in texts if len(t) <= _SHORT).casefold(), *(t.casefold() for t in texts if len(t) > _SHORT)]
        about = row.get("src") or row.get("key")
        if row.get("key") and isinstance(row.get("author"), str):
            self._wrote(str(row["key"]), row["author"])
        for person in {*keys} | {self._key[t] for t in texts if t in self._key}:
            for work in {*keys, str(about)}:
                self._join(person, work)

    def _join(self, one: str, other: str) -> None:
        for person, work in ((one, other), (other, one)):
            if person.startswith("person:") and work.partition(":")[0] in WORK:
                self._with[work].add(person)

    def _wrote(self, work: str, author: str) -> None:
        if author:
            self._authors[work].add(author)
        if person := self._key.get(author, author if author.startswith("person:") else ""):
            self._made[work].add(person)
            self._join(person, work)

    def fault(self, sentence: str, cites: Sequence[str]) -> str:
        """Why the person that the sentence names did not do this with what it cites; empty where nothing speaks against it."""
        if NEGATED.search(sentence) or NOBODY.search(sentence):
            return ""
        if who := self._agreed_by_nobody(sentence):
            return f"nothing that was returned says that it was by {who}"
        named = dict(self._people(sentence))
        works = [key for key in cites if key.partition(":")[0] in WORK]
        if maker := self._made_by_another(sentence, works):
            return f"{works[0]} was made by {maker}"
        for person, form in named.items() if works and len(named) == 1 else ():
            if all(self._with.get(w) and person not in self._with[w] for w in works) and all(c in works or c in named for c in cites):
                return f"{form} was returned beside none of what it cites"
            if maker := self._maker(sentence, person, works):
                return f"{works[0]} was made by {maker}, and not by {form}"
        return ""

    def _agreed_by_nobody(self, sentence: str) -> str:
        """Who is said to have agreed or not, where that is no name, and no text says so of them."""
        for match in _AGREED_BY.finditer(sentence):
            who = match["who"].casefold()
            named = any(form and sentence.startswith(form, match.start("who")) for form in (*self._titles.values(), *self._key))
            by, did = re.compile(rf"\bby (?:the |an? )?{re.escape(who)}\b"), re.compile(rf"\b{match['did'][:4].casefold()}")
            whole, value = re.compile(rf"\b{re.escape(who)}\b"), re.compile(rf"(?:^|; )(?:the |an? )?{re.escape(who)}\b")
            parts = [(part, value if " ; " in part else whole) for text in self._texts for part in _PARTS.split(text)]
            told = any(by.search(part) or (did.search(part) and names.search(part)) for part, names in parts)
            if not named and not told and who not in _CALENDAR:
                return match["who"]
        return ""

    def _made_by_another(self, sentence: str, works: Sequence[str]) -> str:
        """Who made the one piece of work of its kind that is cited, where the sentence says that somebody else did."""
        for work in works:
            kind, authors = work.partition(":")[0], self._authors.get(work, set())
            known = any(" " in a or a in self._key for a in authors)
            if not known or kind not in _MAKING or sum(w.startswith(f"{kind}:") for w in works) != 1:
                continue
            own = {form for author in authors for form in self._names.get(self._key.get(author, ""), {author})}
            for name in {*somebody(sentence), *(form for form in self._key if form in sentence)} - own:
                told = rf"{re.escape(name)} (?:\w+ly )?(?:{_MAKING[kind]})\b|\b(?:{_MAKING[kind]}) by {re.escape(name)}"
                if re.search(told, sentence):
                    return min(authors)
        return ""

    def _people(self, sentence: str) -> Iterator[tuple[str, str]]:
        for key, forms in self._names.items():
            by_length = sorted(forms, key=len, reverse=True)
            if found := next((f for f in by_length if re.search(rf"(?<![\w./-]){re.escape(f)}(?![\w./-])", sentence)), ""):
                yield key, found

    def _maker(self, sentence: str, person: str, works: Sequence[str]) -> str:
        """Who made the work that is cited, where the sentence has the person do what the title of the work says that it does."""
        for work in works:
            title, made = terms(self._titles.get(work, "")), self._made.get(work, set())
            if not title or not made or person in made:
                continue
            for form in self._names[person]:
                rest = sentence.partition(form)[2] if form in sentence else ""
                said = terms(re.sub(r"^\s*\([^)]*\)", " ", rest))
                if title[0] in said[:_NEAR] and len({*title[1:]} & {*said}) >= min(2, len(title) - 1):
                    return next(iter(sorted(made)))
        return ""
