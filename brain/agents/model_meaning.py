"""What a sentence of a model's means, as far as that is plain: whom and what it names, and who does what to what. It is held against the
relationships that the run returned. No word is understood; a sentence that is not plain is left to the other checks.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from brain.agents import model_prompt, untrusted
from brain.agents.model_cites import abbreviations
from brain.agents.model_hands import Hands
from brain.agents.model_passages import somebody
from brain.agents.model_reckoned import NUMERAL
from brain.agents.model_returned import flat, holds, reach, returned, spelled, telling, words
from brain.agents.model_standing import Standing
from brain.agents.model_told import Told
from brain.agents.model_verbs import CLAUSES, CONTRAST, NEGATED, NOBODY, PAST, Verb, said
from brain.schema import RELS, label_of
from brain.text.analysis import terms
from brain.types import Step

_QUOTED = re.compile(r"“[^”]*”")
_ASKED = re.compile(r"“([^”]+)” is ([a-z]+:\S+?)(?=[;.]\s|$)")
_WHEN = re.compile(r"“([^”]+)” is from (\d{4}-\d{2}-\d{2}) to ")
_UNSAID = "most of its words stand in nothing it cites; keep to what was returned, or quote it"
_ECHO = 6
_FEW, _TELLING, _MOST_HELD = 4, 2, 60_000
_FIGURE = re.compile(r"(?<![\w#/@.-])\d")
_SAYING = frozenset(
    terms(
        "state say tell show list name know find record accord current currently today total number follow include itself day next ago"
    )
)
_POINTING = frozenset(
    "it its they their he she this that these those the a an both all each one some nobody who which there".split(" ")  # noqa: SIM905
)


@dataclass(frozen=True)
class Named:
    """A stretch of a sentence that names something: where it is, and the keys it may stand for."""

    start: int
    end: int
    keys: frozenset[str]


class Meaning:
    """What the steps of a run returned, to hold sentences against. `asked` is the question with what its names stand for, `at` the
    instant it is asked for, `known` the keys of what else there is, whose names would be strange in a sentence.
    """

    def __init__(self, steps: Sequence[Step], entries: Sequence[str], asked: str, at: int, known: Iterable[str] = ()) -> None:
        self._entries, self._asked = frozenset(entries), asked.casefold()
        self._asked_words = frozenset(terms(asked))
        self._names: dict[str, set[str]] = defaultdict(set)
        self._edges: dict[str, set[tuple[str, str]]] = defaultdict(set)
        self._now: dict[str, set[tuple[str, str]]] = defaultdict(set)
        self._rows = [flat(row) for step in steps for row in step.rows]
        self._steps = steps
        self._told = [row for step in steps for row in step.rows]
        for node in (n for step in steps for n in step.nodes):
            self._names[node.key] |= {node.name} - {""}
        when = _WHEN.search(asked)
        self._when = (when[1], when[2]) if when else ("\0", "")
        for called, key in _ASKED.findall(asked):
            self._names[key].add(called)
        for step in steps:
            for rel, src, dst, until in returned(step):
                self._edges[rel].add((src, dst))
                if not until or until > at:
                    self._now[rel].add((src, dst))
        self._known_keys = (*self._names, *known)
        self._standing_of, self._passages = Standing(steps), Told(steps, self._names)
        self._hands = Hands(steps)

    @cached_property
    def _held(self) -> str:
        """Everything that was returned or asked, in one text."""
        called = (name for names in self._names.values() for name in names)
        return "\n".join([self._asked, *(text for texts, _ in self._rows for text in texts), *called]).casefold()

    @cached_property
    def _forms(self) -> dict[str, frozenset[str]]:
        return self._all_forms(self._known_keys)

    def fault(self, sentence: str, cites: Sequence[str], in_vain: bool = False) -> str:
        """Why the sentence does not hold; empty when nothing speaks against it. `in_vain`: it says what is not, and what it cites
        was looked for in vain, so that nothing returned has words for it.
        """
        plain = CONTRAST.sub(lambda m: " " * len(m[0]), _QUOTED.sub(" ", sentence))
        forms = self._all_forms({*cites, *self._entries}, abbreviated=True)
        named = self._mentioned(plain, forms)
        if fault := _echoed(plain) or self._stranger(plain, cites, named) or self._like_others(plain, cites, named):
            return fault
        judged = [self._relation(clause, self._mentioned(clause, forms), cites) for clause in CLAUSES.split(plain)]
        if fault := next(filter(None, judged), "") or self._standing_of.fault(plain, cites) or self._told_of(sentence, cites):
            return fault
        told = in_vain or None not in judged or self._states_a_number(plain, named)
        return "" if told else self._wording(sentence, cites, named)

    # -- whom and what it names --------------------------------------------------------------

    def _stranger(self, text: str, cites: Sequence[str], named: Sequence[Named]) -> str:
        """Something named that the sentence does not cite, and that stands beside nothing it cites."""
        cited = frozenset(cites)
        for other in self._mentioned(text, self._forms):
            if any(n.start < other.end and other.start < n.end for n in named) or all(label_of(key) == "Concept" for key in other.keys):
                continue
            form = text[other.start : other.end]
            beside = any(cited & keys and (other.keys & keys or any(holds(told, form) for told in texts)) for texts, keys in self._rows)
            inside = any(holds(key, form) for key in cited if key.count("/") > 1)
            if not beside and not inside and not other.keys & (cited | self._entries):
                return f"{form} is named, and neither cited nor beside anything cited in what was returned"
        for match in _NAME_LIKE.finditer(text):
            if not any(n.start < match.end() and match.start() < n.end for n in named) and not self._known(match[0]):
                return f"{match[0]} stands in nothing that was returned"
        return ""

    def _known(self, word: str) -> bool:
        return all({part, part.rstrip("s")} & _ORDINARY or self._stands(part) for part in words(word.casefold()))

    def _stands(self, word: str) -> bool:
        plain = word.rstrip("s") or word
        return plain in self._held and re.search(rf"(?<![^\W_]){re.escape(plain)}s*(?![^\W_])", self._held) is not None

    def _all_forms(self, keys: Iterable[str], abbreviated: bool = False) -> dict[str, frozenset[str]]:
        """What the things are called, with the keys that may be meant; also how people abbreviate what they name plainly enough."""
        forms: dict[str, set[str]] = defaultdict(set)
        for key in keys:
            more = [form for form in abbreviations(key) if not _plain_word(form, key)] if abbreviated else ()
            for form in (*spelled(key), *filter(telling, (*self._names.get(key, ()), *more))):
                forms[form].add(key)
        return {form: frozenset(found) for form, found in forms.items()}

    def _mentioned(self, text: str, forms: Mapping[str, frozenset[str]]) -> list[Named]:
        """What of these the text names, the longest forms first, in the order of the text."""
        found: list[Named] = []
        for form in sorted((f for f in forms if f in text), key=len, reverse=True):
            for match in re.finditer(rf"(?<![\w@#/-]){re.escape(form)}(?![\w@#/-])", text):
                if all(match.end() <= n.start or n.end <= match.start() for n in found):
                    found.append(Named(match.start(), match.end(), forms[form]))
        return sorted(found, key=lambda n: n.start)

    def _states_a_number(self, text: str, named: Sequence[Named]) -> bool:
        """Does it state a number or a date of its own, which was found in what it cites?"""
        for n in reversed(named):
            text = f"{text[: n.start]} {text[n.end :]}"
        return bool(_FIGURE.search(text) or NUMERAL.search(text))

    def _like_others(self, text: str, cites: Sequence[str], named: Sequence[Named]) -> str:
        """A word for how a thing stands that was returned of something else beside it, and not of what is cited."""
        for n in reversed(named):
            text = f"{text[: n.start]} {text[n.end :]}"
        said = {t for t in terms(text) if t.isalpha()}
        return self._standing_of.like_others(said, frozenset(cites) - self._entries, self._asked_words)

    def _wording(self, sentence: str, cites: Sequence[str], named: Sequence[Named]) -> str:
        """Does the sentence say anything of what is held of the things it cites? One that only quotes or repeats the question does."""
        plain = _QUOTED.sub(" ", sentence)
        for n in sorted(named, key=lambda n: -n.start):
            plain = f"{plain[: n.start]} {plain[n.end :]}" if n.end <= len(plain) else plain
        own = [t for t in dict.fromkeys(terms(plain)) if t.isalpha() and t not in self._asked_words and t not in _SAYING]
        if len(own) < _TELLING or not cites or _QUOTED.search(sentence):
            return ""
        held = self._held_terms(frozenset(cites))
        return "" if 2 * sum(t in held for t in own) >= len(own) else _UNSAID

    def _held_terms(self, cited: frozenset[str]) -> set[str]:
        """The words of what was returned of the things cited: of the rows, their columns, and the relationships."""
        beside = [(texts, [*row]) for (texts, keys), row in zip(self._rows, self._told, strict=True) if keys & cited]
        rels = {rel for rel, pairs in self._edges.items() if any(src in cited or dst in cited for src, dst in pairs)}
        said = [text for texts, _ in beside for text in texts] + [name for _, columns in beside for name in columns]
        said += [f"{rel.replace('_', ' ')} {RELS[rel].meaning}" for rel in rels]
        said += [label_of(key) for key in cited] + [name for key in cited for name in self._names.get(key, ())]
        return set(terms(" ".join(said)[:_MOST_HELD].replace("_", " ")))

    # -- who does what to what ---------------------------------------------------------------

    def _told_of(self, sentence: str, cites: Sequence[str]) -> str:
        """What the passages that are cited, and what is known of who had a hand in what, say against the sentence."""
        plain = _QUOTED.sub(" ", sentence)
        sentence = sentence.replace(*self._when)
        names = [plain[n.start : n.end] for n in self._mentioned(plain, self._forms)]
        return self._passages.fault(sentence, cites, names, self._forms) or self._hands.fault(plain, cites)

    def _relation(self, text: str, named: Sequence[Named], cites: Sequence[str]) -> str | None:
        """What speaks against what a clause says that one thing does to another: nothing, or None where it does not plainly say one such
        thing.
        """
        found = list(said(text))
        if len(found) != 1:
            return None
        verb, start, end, passive = found[0]
        before, after = [n for n in named if n.end <= start], [n for n in named if n.start >= end and text[n.start : n.end].strip()]
        doing, done = (after, before) if passive else (before, after)
        edges = self._of(verb, self._edges if PAST.search(text) else self._now)
        if NOBODY.search(text[:start] if not passive else text[end:]) and not doing:
            some = any(dst in y.keys for y in done for _, dst in edges)
            return f"what was returned says of somebody that it is so: “{text[start:end].strip()}”" if some else ""
        if not before and (strange := self._unknown_doer(text[:start])):
            return f"{strange} stands in nothing that was returned"
        doing = doing or self._unsaid(verb, named, cites)
        if doing and done:
            return self._between(verb, text, (start, end), doing, done, edges)
        return self._in_passages(verb, text, (start, end, passive), named, cites) or None

    def _unsaid(self, verb: Verb, named: Sequence[Named], cites: Sequence[str]) -> list[Named]:
        """What a sentence cites and does not name, where it is the one thing that may do this."""
        does = {label for rel in verb.rels for label in RELS[rel].domain}
        left = [key for key in cites if label_of(key) in does and not any(key in n.keys for n in named)]
        return [Named(0, 0, frozenset(left))] if len(left) == 1 and verb.alone else []

    def _in_passages(self, verb: Verb, text: str, at: tuple[int, int, bool], named: Sequence[Named], cites: Sequence[str]) -> str:
        """What the passages that are cited say against it that one thing does this to another."""
        if not verb.told or NEGATED.search(text):
            return ""
        start, end, passive = at
        names = [(n.start, n.end) for n in (*self._mentioned(text, self._forms), *named)]
        names += [(m.start(), m.end()) for m in re.finditer("|".join(map(re.escape, somebody(text))) or r"(?!)", text)]
        sides = [text[a:b] for a, b in names if b <= start], [text[a:b] for a, b in names if a >= end]
        doing, done = sides[::-1] if passive else sides
        found = (self._passages.between(x, y, text[start:end].strip(), cites) for x in doing[-1:] for y in done)
        return next(filter(None, found), "")

    def _between(
        self, verb: Verb, text: str, at: tuple[int, int], doing: Sequence[Named], done: Sequence[Named], edges: set[tuple[str, str]]
    ) -> str:
        stands = [any(self._holds(x, y, edges, verb.far) for x in doing) for y in done]
        what = text[at[0] : at[1]].strip()
        begin = max(text.rfind(": ", 0, at[0]), 0)
        if NEGATED.search(text[begin:]) or NOBODY.search(text[begin : at[0]]):
            return f"what was returned says that it is so: “{what}”" if all(stands) else ""
        for y, so in zip(done, stands, strict=True):
            if verb.of and not verb.of & {label_of(key) for key in y.keys}:
                continue
            if not so and any(self._contrary(x, y, edges, verb) for x in doing):
                sides = (text[y.start : y.end], text[doing[-1].start : doing[-1].end])
                return f"what was returned does not say “{what}” of {sides[1]} and {sides[0]}, but of others"
        return ""

    def _unknown_doer(self, words: str) -> str:
        """A name in the few words in front of a verb that nothing returned holds."""
        plain = words.split()
        proper = [w for w in plain if w[:1].isupper() and w.casefold() not in _POINTING and terms(w) and not w.endswith("ly")]
        names = [w for w in proper if not self._known(w)]
        return names[0] if names and len(plain) <= _FEW else ""

    def _of(self, verb: Verb, known: Mapping[str, set[tuple[str, str]]]) -> set[tuple[str, str]]:
        turned = {(dst, src) for rel in verb.turned for src, dst in known.get(rel, ())}
        return turned.union(*(known.get(rel, set()) for rel in verb.rels))

    def _holds(self, x: Named, y: Named, edges: set[tuple[str, str]], far: bool) -> bool:
        if any(src in x.keys and dst in y.keys for src, dst in edges):
            return True
        return far and bool(reach(x.keys, edges) & y.keys)

    def _contrary(self, x: Named, y: Named, edges: set[tuple[str, str]], verb: Verb) -> bool:
        """Was the relationship returned of one of the two, with something else?"""
        kinds = [{label_of(key) for key in side.keys} for side in (x, y)]
        sides = [(RELS[r].domain, RELS[r].range) for r in verb.rels] + [(RELS[r].range, RELS[r].domain) for r in verb.turned]
        fits = any(kinds[0] & {*does} and kinds[1] & {*done} for does, done in sides)
        turned_round = any(src in y.keys and dst in x.keys for src, dst in edges)
        others = any(dst in y.keys or src in x.keys for src, dst in edges)
        if not fits:
            return turned_round or verb.only
        return turned_round or others or self._ended(x, y, verb)

    def _ended(self, x: Named, y: Named, verb: Verb) -> bool:
        """Was it so once?"""
        return self._holds(x, y, self._of(verb, self._edges), verb.far)


_ORDINARY = frozenset(
    word
    for line in (
        "january february march april may june july august september october november december monday tuesday wednesday thursday friday",
        "saturday sunday jan feb mar apr jun jul aug sep oct nov dec utc pr prs adr i github slack git ci api id ids url ok yes no readme",
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
        "codeowners pull request requests issue issues commit commits release releases ticket tickets team service services none nothing",
    )
    for word in line.split()
)
_NAME_LIKE = re.compile(r"(?<![\w@#/.-])(?<!^)(?<!: )(?<!\. )[A-Z][\w'\u2019-]*(?!\w)")


def _plain_word(form: str, key: str) -> bool:
    """Is it one plain word, which names a file only among others?"""
    return form.isalpha() and form.islower() and key.partition(":")[0] in ("doc", "file", "dir")


def _echoed(text: str) -> str:
    """Does it say back what the model was told? Then it says nothing of what was returned."""
    said, told = words(text.casefold()), f" {' '.join(words(f'{model_prompt.SYSTEM} {untrusted.RULE}'.casefold()))} "
    runs = (" ".join(said[i : i + _ECHO]) for i in range(len(said) - _ECHO + 1))
    return "it repeats what the model was told, not what was returned" if any(f" {run} " in told for run in runs) else ""
