"""The concepts of an organisation, found in its own names and texts: no dictionary of subjects.

A term must be used often enough for the size of the corpus and look like a name: written in capitals, in
code, with hyphens, before a colon, or used as a noun phrase is. A person's YAML file adds and bans.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import yaml

from brain.errors import BadInput
from brain.text import plain_words as plain
from brain.text.usage import Usage, forms
from brain.text.vocabulary import Concept, Vocabulary
from brain.text.words import Phrase, phrase

MAX_CONCEPTS = 2000
NameKind = Literal["repo", "topic", "label", "directory", "person"]
_HEX = re.compile(r"(?=.*\d)[0-9a-f]{6,}")
NAME_KINDS = ("repo", "topic", "label", "directory", "person")


@dataclass(frozen=True)
class Overrides:
    """What a person wants: terms to add by slug, and terms (or slugs) that are never concepts."""

    add: Mapping[str, Sequence[str]] = field(default_factory=dict)
    ban: Sequence[str] = ()


def read_overrides(path: Path) -> Overrides:
    """The overrides of a YAML file `add: {slug: [terms]}`, `ban: [terms]`; none when there is no file."""
    if not path.exists():
        return Overrides()
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    except (OSError, ValueError, yaml.YAMLError) as e:
        raise BadInput(f"{path}: not readable as YAML ({' '.join(str(e).split())})") from None
    shape = "it holds `add: {slug: [terms]}` and `ban: [terms]`, nothing else"
    if not isinstance(data, dict) or set(data) - {"add", "ban"}:
        raise BadInput(f"{path}: {shape}")
    add, ban = data.get("add") or {}, data.get("ban") or []
    if not isinstance(add, dict) or not all(_is_terms(terms) for terms in add.values()) or not _is_terms(ban):
        raise BadInput(f"{path}: {shape}")
    return Overrides({slug_of(str(slug)): tuple(terms or (str(slug),)) for slug, terms in add.items()}, tuple(ban))


def _is_terms(value: object) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(t, str) and t.strip() for t in value))


def slug_of(name: str) -> str:
    """A name as the slug of a concept: lower case, words joined by hyphens."""
    return "-".join(re.findall(r"[^\W_]+", name.lower()))[:100]


class ConceptBuilder:
    """Takes names and texts one by one and then says which terms the organisation uses."""

    def __init__(self) -> None:
        self._usage = Usage()
        self._names: dict[Phrase, tuple[str, str]] = {}
        self._people: set[str] = set()

    def add_name(self, kind: NameKind, name: str) -> None:
        """A name from the organisation's structure; a person's login or name bars it from the concepts."""
        if kind not in NAME_KINDS:
            raise ValueError(f"kind is {kind!r}; legal: {', '.join(NAME_KINDS)}")
        if kind == "person":
            self._people.update(phrase(name))
            self._people.add(" ".join(phrase(name)))
            return
        last = re.split(r"[/:]", name.strip().strip("/"))[-1].strip(" -_?!*#")
        banned = {"label": plain.LABELS, "directory": plain.FOLDERS}.get(kind, frozenset())
        form = phrase(last)
        if not form or last.lower() in banned or last.startswith(".") or len("".join(form)) < 2:
            return
        if form not in self._names or kind in ("repo", "topic"):
            self._names[form] = (kind, last)

    def add_text(self, title: str, body: str, weight: float = 1) -> None:
        """A text of the organisation; a weight of 0 leaves it out."""
        if weight > 0:
            self._usage.add(title, body)

    def finish(self, overrides: Overrides | Path | None = None) -> Vocabulary:
        """The vocabulary, at most 2,000 concepts: the added and the named ones, then the most used.

        A path is read as `read_overrides` does.
        """
        if not isinstance(overrides, Overrides):
            overrides = read_overrides(overrides) if overrides else Overrides()
        usage = self._usage
        least = max(2, round(usage.texts**0.5 / 12))
        found: dict[Phrase, Concept] = {}
        for form, kind, spellings in self._candidates(least):
            self._take(found, form, kind, spellings)
        found = {f: c for f, c in found.items() if c.uses or c.kind in ("repo", "topic")}
        banned = {phrase(term) for term in overrides.ban}
        found = {f: c for f, c in found.items() if f not in banned and phrase(c.slug) not in banned}
        for slug, terms in overrides.add.items():
            for term in terms:
                found.pop(phrase(term), None)
            uses = sum(usage.uses(phrase(t)) for t in terms)
            found[("", slug)] = Concept(slug, terms[0], tuple(dict.fromkeys(terms)), "added", uses)
        return Vocabulary(_by_slug(sorted(found.values(), key=_importance)[:MAX_CONCEPTS]))

    def _take(self, found: dict[Phrase, Concept], form: Phrase, kind: str, spellings: Sequence[str]) -> None:
        old = found.get(form)
        if old is not None:
            found[form] = replace(old, terms=tuple(dict.fromkeys((*old.terms, *spellings))))
            return
        name = spellings[0] if spellings else self._usage.spelling(form)
        slug = slug_of(name)
        if slug:
            terms = tuple(dict.fromkeys(spellings)) or (name,)
            seen = (self._usage.identifiers[term] for term in terms)
            found[form] = Concept(slug, name, terms, kind, max(self._usage.uses(form), *seen))

    def _candidates(self, least: int) -> Iterator[tuple[Phrase, str, Sequence[str]]]:
        for form, (kind, name) in self._names.items():
            if kind != "directory" or (self._usage.uses(form) >= least and not self._is_person(form)):
                yield form, kind, [name]
        for kind, source in (
            ("acronym", self._acronyms(least)),
            ("identifier", self._identifiers(least)),
            ("component", self._components(least)),
            ("name", self._proper_names(least)),
            ("heading", self._headings(least)),
            ("term", self._hyphenated(least)),
            ("phrase", self._phrases(least)),
            ("word", self._nouns(least)),
        ):
            for form, spellings in source:
                if not self._is_person(form):
                    yield form, kind, spellings

    def _is_person(self, form: Phrase) -> bool:
        return form not in self._names and (all(w in self._people for w in form) or " ".join(form) in self._people)

    def _acronyms(self, least: int) -> Iterator[tuple[Phrase, list[str]]]:
        for word, use in self._usage.words.items():
            raws = [raw for raw in use.raws if len(raw) > 1 and raw.rstrip("s").isupper()]
            known = plain.SHOUTED | plain.STOPS | plain.LITERALS
            usual = use.texts >= least and use.shouted >= max(least, 0.6 * use.whole, 0.3 * use.n)
            if not raws or not usual or {word, *(r.lower() for r in raws)} & known:
                continue
            raw = max(sorted(raws), key=lambda r: (r.isupper(), use.raws[r]))
            if raw[0].isalpha() and len(raw) <= 12 and not re.fullmatch(r"[A-F0-9]*\d[A-F0-9]*", raw):
                yield (word,), [raw]

    def _identifiers(self, least: int) -> Iterator[tuple[Phrase, list[str]]]:
        quoted = forms(self._usage.quoted)
        for form, names in forms(self._usage.identifiers).items():
            texts = names.total()
            if texts < least or len(form) > 6 or max(map(len, form)) < 3 or plain.LITERALS & set(form[:1]):
                continue
            if len(form) == 1:
                often = quoted.get(form, Counter()).total() >= 0.3 * self._usage.uses(form)
                if not often or texts < 2 * least or form[0] in plain.STOPS or re.fullmatch(r"[0-9a-f]{6,}", form[0]):
                    continue
            elif any(_HEX.fullmatch(word) for word in form):
                continue
            best = [name for name, _ in sorted(names.items(), key=lambda p: (-p[1], p[0]))][:6]
            words_first = len(form) > 1 and texts < 0.5 * self._usage.uses(form)
            yield form, [self._usage.spelling(form), *best] if words_first else best

    def _components(self, least: int) -> Iterator[tuple[Phrase, list[str]]]:
        for form, names in forms(self._usage.prefixes).items():
            texts = names.total()
            plainly = set(form) & (plain.COMMIT_TYPES | plain.STOPS | plain.POINTERS | plain.FOLDERS)
            if texts >= 2 * least and len(form) <= 2 and not plainly and max(map(len, form)) > 1:
                yield form, [self._usage.spelling(form)]

    def _proper_names(self, least: int) -> Iterator[tuple[Phrase, list[str]]]:
        unfit = plain.STOPS | plain.CALENDAR | plain.QUALIFIERS | plain.POINTERS | plain.SHOUTED | plain.LITERALS
        for word, use in self._usage.words.items():
            if use.texts >= least and use.mid >= least and use.capital >= 0.7 * use.mid and len(word) > 2:
                raw = max(sorted(use.raws), key=lambda r: use.raws[r])
                if raw[0].isupper() and word not in unfit and raw.lower() not in unfit and raw.isalpha():
                    yield (word,), [raw]

    def _headings(self, least: int) -> Iterator[tuple[Phrase, list[str]]]:
        template = max(5, 0.02 * self._usage.texts)
        for form, names in forms(self._usage.headings).items():
            if 2 <= len(form) <= 3 and names.total() < template and self._usage.uses(form) >= least and _names_it(form):
                yield form, []

    def _hyphenated(self, least: int) -> Iterator[tuple[Phrase, list[str]]]:
        for form, names in forms(self._usage.hyphenated).items():
            word = max(sorted(names), key=lambda n: names[n])
            first, last = word.split("-")[0], word.split("-")[-1]
            odd = first in plain.PARTICLES or last in plain.PARTICLES or set(form) & plain.STOPS or last.endswith(("ed", "ing"))
            if names.total() >= least and names.total() >= 0.3 * self._usage.uses(form) and not odd and _names_it(form):
                yield form, [word]

    def _phrases(self, least: int) -> Iterator[tuple[Phrase, list[str]]]:
        named = set(forms(self._usage.identifiers))
        fit = {form for form, use in self._usage.phrases.items() if use.texts >= least and self._is_noun_phrase(form)}
        fit = {form for form in fit if len(form) == 2 or not {form[:2], form[1:]} & named}
        longer: Counter[Phrase] = Counter()
        for form in fit:
            for i in range(len(form) - 1) if len(form) > 2 else ():
                longer[form[i : i + 2]] += self._usage.phrases[form].n
        for form in sorted(fit):
            if self._usage.phrases[form].n - longer[form] >= least:
                yield form, []

    def _is_noun_phrase(self, form: Phrase) -> bool:
        use, words = self._usage.phrases[form], self._usage.words
        if not _names_it(form) or any(w not in words for w in form):
            return False
        bound = use.n / min(words[w].n for w in form)
        settled = use.left >= max(2, 0.3 * (use.n - use.opens)) and use.right >= 0.4 * use.n and bound >= 0.04
        first, last = words[form[0]], words[form[-1]]
        acts = last.like_verb > max(last.like_noun, 0.1 * last.n) or max(first.verbness, last.verbness) >= 0.25
        return settled and not acts and not (form[-1].endswith("ed") and len(form[-1]) > 5)

    def _nouns(self, least: int) -> Iterator[tuple[Phrase, list[str]]]:
        """Single words that several noun phrases are made of and that texts keep coming back to."""
        members: Counter[str] = Counter()
        for form, use in self._usage.phrases.items():
            if len(form) == 2 and use.texts >= least and self._is_noun_phrase(form):
                members.update(form)
        for word, n in members.items():
            alone = self._usage.words[word]
            noun = alone.like_noun >= 0.2 * alone.n and alone.verbness < 0.15 and alone.n >= 1.3 * alone.texts
            general = word in plain.GENERAL | plain.POINTERS or len(word) < 4
            general = general or word.endswith(("ed", "ly", "ible", "able"))
            if n >= 2 and noun and 2 * least <= alone.texts <= 0.1 * self._usage.texts and not general:
                yield (word,), []


def _names_it(form: Phrase) -> bool:
    unfit = plain.STOPS | plain.QUALIFIERS | plain.CALENDAR
    return (
        not set(form) & unfit
        and form[-1] not in plain.POINTERS
        and all(len(w) > 1 and w.isalnum() and not _HEX.fullmatch(w) for w in form)
        and not form[0].endswith("ly")
        and not form[-1].endswith("ly")
    )


def _importance(concept: Concept) -> tuple[int, int, str]:
    return {"added": 0, "repo": 1, "topic": 1, "label": 2}.get(concept.kind, 3), -concept.uses, concept.slug


def _by_slug(concepts: Iterable[Concept]) -> list[Concept]:
    """The concepts, with those that share a slug made one."""
    merged: dict[str, Concept] = {}
    for c in concepts:
        old = merged.get(c.slug)
        merged[c.slug] = c if old is None else replace(old, terms=tuple(dict.fromkeys((*old.terms, *c.terms))))
    return list(merged.values())
