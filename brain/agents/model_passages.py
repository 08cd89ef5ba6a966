"""What a passage says, statement by statement: a sentence, a line of a list, a cell of a table beside its row and under its heading. What
a model states from a passage is held against the statement that has most of its words. No word is understood.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from brain.agents import model_dates
from brain.agents.model_reckoned import NUMERAL, NUMERALS
from brain.agents.model_returned import alike
from brain.agents.model_verbs import CONTRAST, NEGATED
from brain.text.analysis import terms

LONG = 400
_PIECES = re.compile(r"[;:,]\s|\band\b(?! [A-Z])|\b(?:but|while|whereas|which|who|so|because|since)\b")
_RULE = re.compile(r"^\|?[\s:|-]+\|?$")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)])\s+")
_FIELD = re.compile(r"^\s*(?P<name>[A-Za-z][\w -]{0,40}):(?:\s+(?P<value>\S.*)|\s*)$")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z“\"(])")
_SINCE, _TILL = frozenset({"began", "begin", "start", "from"}), frozenset({"end", "till", "until", "finish"})
_EDGES = re.compile(r"\b(?:from|began|begins?|starts?|started|until|till|to(?= \d)|ends?|ended|finished)\b", re.I)
_SOMEBODY = re.compile(r"(?<![\w./-])[\w.-]+/[\w.-]+#\d+|(?<![\w.])[^\W\d_a-z][\w'\u2019-]+(?: [^\W\d_a-z][\w'\u2019-]+)+")
_NOT = re.compile(r"\b(?:not|never|no longer) (\w+ \w+ \w+|\w+ \w+)")
_ENDS = frozenset({"start", "end"})
_IRREGULAR = (  # noqa: SIM905
    "kept keep led lead wrote write held hold lost lose told tell said say took take made make gave give sent send went go ran run "
    "rang ring "
    "found find brought bring built build knew know broke break chose choose drove drive fell fall met meet paid pay sold sell "
    "spent spend spoke speak stood stand thought think owner own owned own leader lead"
).split(" ")
_BASE = dict(zip(_IRREGULAR[::2], (terms(w)[0] if terms(w) else w for w in _IRREGULAR[1::2]), strict=True))
_UNDONE = re.compile(r"\b(?:is|are|remains?) (?:still )?(?:open|undone|unfinished|outstanding|pending)\b", re.I)
_DONE = re.compile(r"\b(?:done|closed|finished)\b", re.I)
_NAMING = frozenset({"id", "name", "title"})
_NUMBERED = re.compile(rf"\d|{NUMERAL.pattern}", re.I)
_LEAST, _ENOUGH = 2, 2
_NUMBERS = frozenset(terms(" ".join(NUMERALS)))


@dataclass(frozen=True)
class Statement:
    """One thing that a passage says: its own words as written, and the stems of what it is about, its own among them. `beside` is the row
    that a cell stands in and `first` the first cell of it, `field` the name that a value is given under, `own` the stems without those of
    the headings over it, `item` the whole item of a list that it stands in.
    """

    text: str
    about: frozenset[str]
    beside: str = ""
    field: str = ""
    own: frozenset[str] = frozenset()
    first: str = ""
    item: str = ""

    def has(self, form: str) -> bool:
        """Does it hold the form as whole words?"""
        low = self.text.casefold()
        return form.casefold() in low and re.search(rf"(?<!\w){re.escape(form.casefold())}(?!\w)", low) is not None


def _statement(text: str, under: str = "", beside: str = "", field: str = "", first: str = "", item: str = "") -> Statement:
    own = _words(f"{text} {beside} {field}")
    return Statement(model_dates.plain(text), own | _words(under), beside, field.casefold(), own, first, item)


@lru_cache(maxsize=20_000)
def _words(text: str) -> frozenset[str]:
    """The stems of a text, and which end of a time its words name."""
    found = {t for t in terms(text) if not t.isdigit() and t not in _NUMBERS}
    found |= {m[0] for m in re.finditer(r"\d{4}-\d{2}-\d{2}", model_dates.plain(text))}
    found |= {_BASE[w] for w in re.findall(r"[a-z]+", text.casefold()) if w in _BASE}
    edges = {m[0].casefold() for m in _EDGES.finditer(text)}
    found -= _SINCE | _TILL
    found |= {"start"} if edges & (_SINCE | {"begins", "starts", "started"}) else set()
    return frozenset(found | ({"end"} if edges & (_TILL | {"ends", "ended", "finished", "to"}) else set()))


@lru_cache(maxsize=2_000)
def statements(text: str, heads: tuple[str, ...] = ()) -> tuple[Statement, ...]:
    """What the text says, each statement once. `heads` are those of a table that it begins in the middle of."""
    return tuple(dict.fromkeys(_read(text.splitlines(), list(heads))))


def _heads(text: str) -> tuple[str, ...]:
    """The heads of the last table in the text that has some."""
    pairs = pairwise(text.splitlines())
    found = (cells for line, rule in pairs if "-" in rule and _RULE.match(rule) and (cells := _cells(line)))
    return max(enumerate(map(tuple, found)), default=(0, ()))[1]


def _read(lines: Sequence[str], heads: list[str]) -> Iterator[Statement]:
    parent, under, prose, before = "", "", list[str](), heads
    for n, line in enumerate(lines):
        field, cells = _FIELD.match(line), _cells(line)
        if prose and (cells or field or _ITEM.match(line) or not line.strip() or line.startswith("#")):
            yield from _sentences(prose, parent, under)
            prose = []
        if cells:
            if _RULE.match(line):
                continue
            if n + 1 < len(lines) and "-" in lines[n + 1] and _RULE.match(lines[n + 1]):
                heads = cells
            else:
                over = heads or (before if len(before) == len(cells) else [])
                named = enumerate(cells)
                yield from (_statement(cell, over[i] if i < len(over) else "", line, first=cells[0]) for i, cell in named if cell)
            continue
        heads = []
        if field and not line.rstrip().endswith((".", "!")):
            parent = str(field["name"]) if not field["value"] else ""
            yield _statement(line, field=str(field["name"]))
        elif line.startswith("#"):
            parent, under = "", line
        elif not line.strip():
            parent = parent if not prose else ""
        else:
            prose.append(line)
    yield from _sentences(prose, parent, under)


def _cells(line: str) -> list[str]:
    plain = line.strip()
    return [c.strip() for c in plain.strip("|").split("|")] if plain.startswith("|") and plain.count("|") > 1 else []


def _sentences(lines: Sequence[str], parent: str, under: str) -> Iterator[Statement]:
    text = _ITEM.sub("", " ".join(line.strip() for line in lines)).strip()
    item = text if lines and _ITEM.match(lines[0]) else ""
    yield from (_statement(part, f"{parent} {under}", field=parent, item=item) for part in _SENTENCE.split(text) if part)


class Passages:
    """The statements of some passages, to hold sentences against."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = [*dict.fromkeys(texts)]
        heads = next((found for text in self._texts if (found := _heads(text))), ())
        self.statements = [s for text in self._texts for s in statements(text, heads)]

    def holds(self, number: str, sentence: str, spelled: Iterable[str] = ()) -> bool:
        """Does a statement hold the number, and is there none with other numbers that has more of the sentence's words?"""
        forms = (number, *spelled)
        own = self._of_its_row([s for s in self.statements if any(s.has(f) for f in forms)], sentence)
        others = [s for s in self.statements if s not in own and _NUMBERED.search(s.text)] if own else []
        scopes = _scopes(number, sentence) if own else []
        return any((best := _most(own, scope)) and best >= _most(others, scope) and _beside(own, best, scope) for scope in scopes)

    def _of_its_row(self, found: list[Statement], sentence: str) -> list[Statement]:
        """Of the cells found those of the rows that begin with what the sentence names, where it names the beginning of any."""
        rows = {s.beside for s in self.statements if s.first and not s.first.isdigit() and _holds(sentence, s.first)}
        return [s for s in found if not s.first or not rows or s.beside in rows]

    def of_another(self, name: str, sentence: str, absent: bool = False) -> str:
        """Whom the passages say it of, where they name that one and say it of somebody else; empty where they do not. `absent`: they need
        not name that one.
        """
        forms = [name] if any(s.has(name) for s in self.statements) or "#" in name else [name.split(" ")[0]]
        own = [s for s in self.statements if any(s.has(form) for form in forms)]
        rivals = [(s, who) for s in self.statements if (own or absent) and s not in own for who in somebody(s.text)]
        rivals = [(s, who) for s, who in rivals if who not in sentence and ("#" in who) == ("#" in name)]
        told = ""
        people = _words(" ".join(somebody(sentence))) | _words(name)
        for scope in _scopes(name, sentence):
            words = scope - people
            best = _most(own, words)
            least = best + _ENOUGH if best and "#" in name else best + 1
            better = [(n, who) for s, who in rivals if (n := _score(s, words)) >= max(least, 1 if absent and s.field else _ENOUGH)]
            if not better and (best or not rivals):
                return ""
            told = max(better)[1] if better else told
        return told

    def speaks_against(self, x: str, y: str, verb: str) -> bool:
        """Do the passages name both, and say in no statement that the verb holds of x and y? What a passage is about, by its title or
        its name, is what its other statements are about.
        """
        of_x, of_y = ([s for s in self.statements if s.has(form) or _holds(s.beside, form)] for form in (x, y))
        if not of_x or not of_y or any(s in of_y for s in of_x):
            return False
        words = _words(verb)
        said = [s for s in self.statements if any(alike(w, a) for w in words for a in s.about)]
        return not self._about(x) or (bool(said) and not any(s in said for s in of_y))

    def denies(self, sentence: str) -> str:
        """What the passages say is not so, where the sentence says it is: a few words behind a "not" that it has without one."""
        if NEGATED.search(sentence) or CONTRAST.search(sentence):
            return ""
        for statement in self.statements:
            for match in _NOT.finditer(statement.text):
                if _holds(sentence, match[1]) and _score(statement, _words(sentence)) >= _LEAST:
                    return match[0]
        if _UNDONE.search(sentence) and (items := [s for s in self.statements if s.item]):
            likely = max(items, key=lambda s: _score(s, _words(sentence)))
            if _score(likely, _words(sentence)) >= _LEAST and (done := _DONE.search(likely.item)):
                return done[0]
        return ""

    def elsewhere(self, name: str, sentence: str) -> bool:
        """Do the passages name this, and have a statement in words without it that has more of what the sentence says of it?"""
        own = [s for s in self.statements if _holds(f"{s.text} {s.beside} {s.item}", name)]
        rest = [s for s in self.statements if s not in own and not s.first] if own and not self._about(name) else []
        scopes = [scope - _words(name) for scope in _scopes(name, sentence)] if rest else []
        return bool(scopes) and all((best := _most(rest, words)) >= _ENOUGH and best > _most(own, words) for words in scopes)

    def done_by(self, sentence: str, names: Iterable[str], known: Container[str] = ()) -> str:
        """Whom the passages name in front of the very words that the sentence has behind the name of somebody or something else. `known`
        is how things may be called.
        """
        called = [*names]
        for name in called:
            for match in re.finditer(rf"(?<![\w-]){re.escape(name)} (?P<does>[a-z]+ [\w-]+)", sentence):
                does, others = match["does"], [n for n in called if n != name]
                at = [s for s in self.statements if _holds(s.text, does)]
                if not at or any(_holds(s.text, name if " " in name else f"{name} {does}") for s in at):
                    continue
                before = [m[1] for s in at for m in re.finditer(rf"([\w.-]+) {re.escape(does)}", s.text)]
                said = [word for word in before if word in known or (len(word) > 1 and re.search("[A-Z-]", word))]
                said += [n for s in at for n in others if _holds(s.text, f"{n} {does}")]
                if said:
                    return said[0]
        return ""

    def _about(self, name: str) -> bool:
        titles = (text.split("\n", 1)[0] for text in self._texts)
        return any(s.field in _NAMING and s.has(name) for s in self.statements) or any(_holds(title, name) for title in titles)


def _holds(text: str, form: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text, re.I) is not None


def somebody(text: str) -> list[str]:
    """The names of several words in a text, such as people have, and the numbers of issues and the like."""
    return _SOMEBODY.findall(text)


def _scopes(inside: str, sentence: str) -> list[frozenset[str]]:
    """The words of the pieces of a sentence that hold this, where they say enough, and of all of it."""
    pieces = [_words(p) - {inside} for p in _PIECES.split(sentence) if re.search(rf"(?<!\w){re.escape(inside)}(?!\w)", p)]
    whole = _words(sentence) - {inside}
    if whole >= _ENDS and any(len(_ENDS & words) == 1 for words in pieces) and inside[:1].isdigit():
        return pieces
    return [*(words for words in pieces if len(words) >= _LEAST), whole]


def _most(statements: Iterable[Statement], words: frozenset[str]) -> int:
    return max((_score(s, words) for s in statements), default=0)


def _score(statement: Statement, words: frozenset[str]) -> int:
    return _overlap(statement.about, words)


def _beside(statements: Iterable[Statement], best: int, words: frozenset[str]) -> bool:
    """Has one of the best of these a word in itself, and not only in the headings over it?"""
    return any(_overlap(s.own, words) for s in statements if _score(s, words) == best)


def _overlap(about: frozenset[str], words: frozenset[str]) -> int:
    return sum(w in about or (w.isalpha() and any(alike(w, o) for o in about)) for w in words)
