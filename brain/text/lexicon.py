"""The names an organisation knows: every spelling of a repository, person, release and concept, and what
it stands for. Built from the graph for one viewer; nothing here is a fixed dictionary.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rapidfuzz import fuzz, process

from brain.text.analysis import fold
from brain.text.plain_words import QUALIFIERS, STOPS

Rows = Iterable[Mapping[str, Any]]


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words of everyday questions: a name that is one of them needs a sign that it is meant as a name.
COMMON = _set(
    """a about above after again all also am an and any are as at be because been before being below best between both but by
    can could did do does doing done down during each ever every few find first for from further get give go good had has have
    having he her here him his how i if in into is it its just know last latest least less like list long lot made make many me
    more most much my need new next no not now of off often old on once one only or other our out over own part people person
    please put recent recently same see she should show since so some still such take tell than that the their them then there
    these they thing things this those through time to together too top under until up us use used very want was way we well
    were what when where which while who whom whose why will with within without work would year you your never nobody anyone
    someone everybody change changes changed fix fixed fixes bug bugs feature code file files folder directory path repo
    repository repositories project team pr prs pull request requests issue issues ticket commit commits release releases
    version tag tags review reviews reviewed reviewer reviewers author authored wrote written open opened closed close merged
    merge comment comments commented label labels number count total main master test tests doc docs build data name help
    text link links start end day week month today max min will mark art bill may june april august grant rich sunny"""
)


def plain(text: str) -> str:
    """A spelling as it is compared: lower case, no accents, straight apostrophes, one space between words."""
    return " ".join(fold(text).replace("\u2019", "'").lower().split())


# What stands behind "by" without being anybody's name.
_PLAIN = _set(
    """another others somebody anybody everyone member members authors developers engineers contributors maintainers committers bots bot
    humans programs several date size quarter default mistake accident hand itself himself herself themselves merging closing
    whom teams company organisation organization state status title topic"""
)


def is_plain(word: str) -> bool:
    """Is it an English word that names nobody?"""
    low = word.lower()
    return low in COMMON or low in _PLAIN or low in STOPS or low in QUALIFIERS


def tag_forms(tag: str) -> set[str]:
    """The ways people write a tag: with and without v, without its path, with spaces for dashes."""
    low = tag.lower()
    tail = low.rsplit("/", 1)[-1]
    forms = {low, tail}
    for form in (low, tail):
        bare = re.sub(r"^(?:v|ver|version|release|rel)[-_. ]?(?=\d)", "", form)
        forms |= {bare, f"v{bare}"} if bare[:1].isdigit() else {bare}
    return forms


# Things whose name is a sentence, and which are therefore named by a part of it.
_TITLED = ("Doc", "Decision", "Rule")


@dataclass(frozen=True)
class Name:
    """One spelling's meaning: the entity, its label, and how the spelling names it."""

    key: str
    label: str
    how: str


@dataclass
class Lexicon:
    """Spellings to meanings.

    `names`, `repos`, `labels` and `milestones` are by spelling in lower case (`repos` by full name alone);
    `tags` gives each release's repository, tag and instant. `company` gives the label of every team, service, document,
    decision, rule and the like by key, `titles` what each of them is called.
    """

    names: dict[str, list[Name]] = field(default_factory=lambda: defaultdict(list))
    repos: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    tags: dict[str, tuple[str, str, int]] = field(default_factory=dict)
    milestones: dict[str, str] = field(default_factory=dict)
    company: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    _fuzzy: dict[str, list[str]] = field(default_factory=dict)

    def add(self, spelling: str, key: str, label: str, how: str) -> None:
        """Teaches a spelling; the same meaning is kept once."""
        form = plain(spelling)
        if form and all(n.key != key for n in self.names[form]):
            self.names[form].append(Name(key, label, how))

    def get(self, spelling: str) -> list[Name]:
        """What a spelling stands for; empty when nothing."""
        return self.names.get(plain(spelling), [])

    def nearest(self, word: str, label: str, cutoff: float = 87.0) -> list[Name]:
        """The meanings of the one spelling closest to a misspelt word; empty when none or two are close."""
        if label not in self._fuzzy:
            self._fuzzy[label] = [
                s for s, ns in self.names.items() if len(s) >= 4 and any(n.label == label and n.how != "given" for n in ns)
            ]
        found = process.extract(plain(word), self._fuzzy[label], scorer=fuzz.ratio, score_cutoff=cutoff, limit=3)
        meanings = {tuple(sorted(n.key for n in self.names[s] if n.label == label)) for s, score, _ in found if score >= found[0][1] - 3}
        return [n for n in self.names[found[0][0]] if n.label == label] if len(meanings) == 1 else []


def build(
    repos: Rows, people: Rows, releases: Rows, concepts: Rows, labels: Rows, milestones: Rows, things: Rows = (), accounts: Rows = ()
) -> Lexicon:
    """The lexicon from the rows of the `lexicon_*` queries."""
    lex = Lexicon()
    _repos(lex, repos)
    _people(lex, [*people, *_accounts(accounts)])
    _things(lex, things)
    for r in releases:
        lex.tags[r["key"]] = (r["repo"] or "", r["tag"], r["at"] or 0)
        for form in tag_forms(r["tag"]):
            lex.add(form, r["key"], "Release", "tag")
    for c in concepts:
        for form in {c["name"], *(c["terms"] or ())}:
            lex.add(form, c["key"], "Concept", "term")
            if "-" in form or "_" in form:
                lex.add(re.sub(r"[-_]", " ", form), c["key"], "Concept", "term")
    for row in labels:
        lex.labels.setdefault(row["label"].lower(), row["label"])
    for row in milestones:
        lex.milestones.setdefault(row["milestone"].lower(), row["milestone"])
    return lex


def _accounts(rows: Rows) -> Iterator[Mapping[str, Any]]:
    """The accounts as more spellings of their persons: a handle is a login, the rest are names."""
    for r in rows:
        yield {"key": r["key"], "login": r["handle"], "name": "", "names": [n for n in r["names"] or () if "@" not in n]}


_NUMBERED = re.compile(
    r"^\W*(?:(?:adr|decision|rfc|madr)[\s:#_-]*)?\d{1,8}[\s.:)_-]+(?=\D)|^(?:adr|decision|runbook|sop|policy|notice)\s*:\s*", re.I
)


def _things(lex: Lexicon, rows: Rows) -> None:
    """What a company calls its teams, services, documents, decisions and rules."""
    for r in rows:
        key, label = str(r["key"]), str(r["label"])
        tail = key.partition(":")[2]
        said = [str(n) for n in r["names"] or () if n]
        lex.company[key] = label
        if label in ("Doc", "Decision"):
            for form in (tail, tail.rpartition("/")[2]):
                if "/" in form or "-" in form or "." in form:
                    lex.add(form.removesuffix(".md"), key, label, "path")
        elif label != "Rule":
            for form in (tail, tail.rpartition("/")[2]):
                lex.add(form, key, label, "id")
        for form in said:
            bare = _NUMBERED.sub("", form).strip()
            lex.titles.setdefault(key, bare or form)
            for spelling in {form, bare, re.sub(r"[-_]+", " ", form), re.sub(r"[-_]+", " ", tail) if label not in _TITLED else form}:
                lex.add(spelling, key, label, "path" if "/" in spelling else "title" if label in _TITLED else "name")
        if r.get("number") is not None and re.fullmatch(r"0*\d+", str(r["number"])):
            lex.add(f"decision #{int(r['number'])}", key, label, "number")


def _repos(lex: Lexicon, rows: Rows) -> None:
    for r in rows:
        key, full = r["key"], r["key"].removeprefix("repo:")
        short = full.rpartition("/")[2]
        lex.repos[full.lower()] = key
        lex.add(full, key, "Repo", "full")
        lex.add(short, key, "Repo", "name")
        for alias in r["aliases"] or ():
            lex.add(alias, key, "Repo", "alias")
            lex.add(alias.rpartition("/")[2], key, "Repo", "alias")
        spaced = re.sub(r"[-_.]+", " ", short)
        if spaced != short:
            lex.add(spaced, key, "Repo", "name")


def _people(lex: Lexicon, rows: Rows) -> None:
    given: dict[str, set[str]] = defaultdict(set)
    for r in rows:
        key, login = r["key"], r["login"] or ""
        for form in {login, key.partition(":")[2]} - {""}:
            lex.add(form, key, "Person", "login")
            lex.add(f"@{form}", key, "Person", "login")
        for name in {r["name"] or "", *(r["names"] or ())} - {""}:
            lex.add(name, key, "Person", "name")
            first, _, rest = name.partition(" ")
            if rest and len(first) >= 3:
                given[plain(first)].add(key)
            if rest and len(rest.split()[-1]) >= 4:
                given[plain(rest.split()[-1])].add(key)
    for first, keys in given.items():
        if first not in lex.names or all(n.label != "Person" for n in lex.names[first]):
            for key in sorted(keys):
                lex.add(first, key, "Person", "given")
