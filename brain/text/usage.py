"""How an organisation's texts use words: counted text by text, in bounded memory."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from brain.text.plain_words import BEFORE_NOUNS, BEFORE_VERBS, STOPS
from brain.text.words import BREAK, Phrase, Word, phrase, prose, words

MAX_PHRASES = 400_000
MAX_WORDS = 200_000
LONGEST = 3

_CODE = re.compile(r"`{1,2}([^`\n]{2,60})`{1,2}")
_IDENTIFIER = re.compile(r"\b[A-Za-z]\w*(?:_\w+)+|\b[A-Za-z0-9]*[a-z][A-Z][A-Za-z0-9]*\b")
_NAME = re.compile(r"[A-Za-z][\w:.-]*(?:\(\))?")
_HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.{2,80}?)\s*#*\s*$", re.M)
_HYPHENATED = re.compile(r"\b[A-Za-z]{2,}(?:-[A-Za-z]{2,}){1,2}\b(?![-_/])")
_PREFIX = re.compile(r"^\[?([A-Za-z][\w.+ -]{0,23}(?:[,/] ?[A-Za-z][\w.+ -]{0,23})*)(?:\(([\w.,/ -]{2,30})\))?\]?!?:\s")


@dataclass
class WordUse:
    """How one word is used: `whole` counts uses outside identifiers, `mid` where a capital would
    mean a name, `shouted` all capitals.
    """

    n: int = 0
    whole: int = 0
    texts: int = 0
    like_verb: int = 0
    like_noun: int = 0
    mid: int = 0
    capital: int = 0
    shouted: int = 0
    raws: Counter[str] = field(default_factory=Counter)

    @property
    def verbness(self) -> float:
        """The share of uses that look like a verb's."""
        return self.like_verb / (self.n or 1)


@dataclass
class PhraseUse:
    """How a run of words is used: in how many texts, how often, how often with a noun phrase's left and
    right neighbours, and how often it opens a clause.
    """

    texts: int = 0
    n: int = 0
    left: int = 0
    opens: int = 0
    right: int = 0


class Usage:
    """The counts over all texts seen so far; rare phrases are forgotten when there are too many."""

    def __init__(self) -> None:
        self.texts = 0
        self.words: dict[str, WordUse] = {}
        self.phrases: dict[Phrase, PhraseUse] = {}
        self.identifiers: Counter[str] = Counter()
        self.quoted: Counter[str] = Counter()
        self.hyphenated: Counter[str] = Counter()
        self.headings: Counter[str] = Counter()
        self.prefixes: Counter[str] = Counter()

    def add(self, title: str, body: str) -> None:
        """Counts one text."""
        self.texts += 1
        text = prose(body)
        title = prose(title)
        seen: set[str] = set()
        grams: dict[Phrase, list[int]] = {}
        self._add_words(words(title), seen, grams, is_title=True)
        self._add_words(words(text), seen, grams, is_title=False)
        for gram, (n, left, opens, right) in grams.items():
            use = self.phrases.get(gram)
            if use is None:
                use = self.phrases[gram] = PhraseUse()
            use.texts, use.n, use.left = use.texts + 1, use.n + n, use.left + left
            use.opens, use.right = use.opens + opens, use.right + right
        for word in seen:
            self.words[word].texts += 1
        self._add_shapes(title, text)
        if len(self.phrases) > MAX_PHRASES:
            self._forget()

    def _add_words(self, tokens: list[Word], seen: set[str], grams: dict[Phrase, list[int]], is_title: bool) -> None:
        capitals = sum(1 for t in tokens if t.raw[:1].isupper())
        headline = is_title and capitals > len(tokens) * 0.6
        before = BREAK
        for i, token in enumerate(tokens):
            norm = token.norm
            if norm is not BREAK and not token.raw.isdigit():
                self._add_word(token, before, is_title and before is BREAK, headline, before is not BREAK)
                seen.add(norm)
                if norm not in STOPS and token.raw.lower() not in STOPS:
                    self._add_grams(tokens, i, before, grams)
            before = norm

    def _add_word(self, token: Word, before: str, opens_title: bool, headline: bool, middle: bool) -> None:
        use = self.words.get(token.norm)
        if use is None:
            use = self.words[token.norm] = WordUse()
        use.n += 1
        use.like_verb += before in BEFORE_VERBS or opens_title
        use.like_noun += before in BEFORE_NOUNS
        raw = token.raw
        if token.part:
            return
        use.whole += 1
        if raw.rstrip("s").isupper() and len(raw) > 1:
            use.shouted += 1
        if middle and not headline:
            use.mid += 1
            use.capital += raw[0].isupper()
        if len(use.raws) < 8 or raw in use.raws:
            use.raws[raw] += 1

    def _add_grams(self, tokens: list[Word], i: int, before: str, grams: dict[Phrase, list[int]]) -> None:
        left, opens = before in BEFORE_NOUNS, before is BREAK
        gram: Phrase = (tokens[i].norm,)
        for j in range(i + 1, min(i + LONGEST, len(tokens))):
            token = tokens[j]
            norm = token.norm
            if norm is BREAK or norm in STOPS or token.raw.lower() in STOPS or not norm[0].isalpha():
                return
            gram += (norm,)
            after = tokens[j + 1].norm if j + 1 < len(tokens) else BREAK
            counts = grams.setdefault(gram, [0, 0, 0, 0])
            counts[0] += 1
            counts[1] += left
            counts[2] += opens
            counts[3] += after is BREAK or after in STOPS

    def _add_shapes(self, title: str, text: str) -> None:
        both = f"{title}\n{text}"
        names = {m.removesuffix("()") for m in _CODE.findall(both) if _NAME.fullmatch(m)} if "`" in both else set[str]()
        self.quoted.update(names)
        self.identifiers.update(set(_IDENTIFIER.findall(both)) | names)
        if "-" in both:
            self.hyphenated.update({m.lower() for m in _HYPHENATED.findall(both)})
        if "#" in text:
            self.headings.update({h.strip("*_ :").lower() for h in _HEADING.findall(text)})
        prefix = _PREFIX.match(title)
        if prefix:
            self.prefixes.update({p.strip().lower() for g in prefix.groups() if g for p in re.split("[,/]", g)})

    def _forget(self) -> None:
        least = 1
        while len(self.phrases) > MAX_PHRASES // 2:
            self.phrases = {g: u for g, u in self.phrases.items() if u.texts > least}
            least += 1
        if len(self.words) > MAX_WORDS:
            self.words = {w: u for w, u in self.words.items() if u.texts > 1}

    def uses(self, form: Phrase) -> int:
        """In how many texts a term was found; exact for up to three words."""
        if len(form) == 1:
            return self.words[form[0]].texts if form[0] in self.words else 0
        if len(form) <= LONGEST:
            return self.phrases[form].texts if form in self.phrases else 0
        return min((self.uses(form[i : i + LONGEST]) for i in range(len(form) - LONGEST + 1)), default=0)

    def spelling(self, form: Phrase) -> str:
        """A normal form as people write it, in the singular where they use it."""
        return " ".join(self._spelling(word) for word in form)

    def _spelling(self, word: str) -> str:
        use = self.words.get(word)
        if use is None or not use.raws:
            return word
        usual = max(sorted(use.raws), key=lambda raw: use.raws[raw])
        single = [raw for raw in use.raws if raw.lower() == word and use.raws[raw] >= 0.2 * use.raws[usual]]
        return max(sorted(single), key=lambda raw: use.raws[raw], default=usual)


def forms(names: Counter[str]) -> dict[Phrase, Counter[str]]:
    """Names by their normal form, so that several spellings of one count together."""
    found: dict[Phrase, Counter[str]] = {}
    for name, n in names.items():
        form = phrase(name)
        if form:
            found.setdefault(form, Counter())[name] += n
    return found
