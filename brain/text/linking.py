"""Entity linking: which stored things a question names, and where in the text.

Keys, addresses, numbers with their repository, commit ids, paths, names by longest match, quoted titles,
then one careful correction of a misspelling. A mention keeps every reading that fits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from rapidfuzz import fuzz

from brain import schema
from brain.text.analysis import query_terms
from brain.text.lexicon import Lexicon, plain
from brain.text.link_addresses import link_addresses, link_commits
from brain.text.link_names import known_names, link_actors, link_misspelt, misspelt_repos
from brain.text.link_numbers import link_numbers
from brain.text.link_parts import link_parts
from brain.text.link_paths import PathFinder, link_paths, quoted_in
from brain.text.link_things import link_things
from brain.text.mentions import Ask, Links, Mention, Stock, repo_of

ALIKE = 88
_JOINED = re.compile(r"(?:['\u2019]s)?[\s`,(]*(?:(?:of|in|from|the|a|repo|repository|project|release|version|tag|file)[\s`,(]+)*", re.I)
_ISSUE = re.compile(r"\b(?:issues?|tickets?|bugs?)\b", re.I)
_PULL = re.compile(r"\b(?:prs?|pull[ -]?requests?|merge[ -]?requests?)\b", re.I)
_HELD_BY_ONE = ("Release", "File", "Directory", "PullRequest", "Issue")


class Linker:
    """Links questions against a lexicon; `ask(query name, **params)` reads what is not in it."""

    def __init__(self, lexicon: Lexicon, ask: Ask) -> None:
        self._lexicon, self._stock = lexicon, Stock(lexicon, ask)
        self._finder = PathFinder(ask, self._stock.repo_key)

    def link(self, question: str, context_repos: Sequence[str] = ()) -> Links:
        """The mentions of the question. `context_repos` (keys) stand in where a number has no repository."""
        links = Links()
        link_addresses(question, links, self._stock)
        link_things(question, links, self._stock)
        names = known_names(question, links, self._lexicon)
        if not any(m.label == "Repo" for m in names):
            names += misspelt_repos(question, names, self._lexicon)
        repos = [m for m in names if m.label == "Repo"]
        link_numbers(question, links, self._stock, repos, context_repos)
        link_commits(question, links, self._stock)
        link_paths(question, links, self._stock, self._finder, {key for m in repos for key in m.keys})
        for mention in names:
            links.add(mention)
        _link_titles(question, links, self._stock)
        link_misspelt(question, links, self._lexicon)
        link_parts(question, links, self._lexicon)
        link_actors(question, links, self._lexicon)
        links.mentions.sort(key=lambda m: (m.start, -m.end))
        _refuse_strays(question, links)
        _narrow(links)
        return links


def _link_titles(text: str, links: Links, stock: Stock) -> None:
    """Adds what a quoted title names; it takes the place of names inside it."""
    for start, end, raw in quoted_in(text):
        phrase = raw.strip()
        whole = any(m.start <= start and end <= m.end and m.how != "term" for m in links.mentions)
        terms = query_terms(phrase)
        if len(phrase.split()) < 2 or whole or not terms:
            continue
        rows = stock.ask("titles", terms=terms, k=40)
        scored = sorted(((fuzz.ratio(plain(phrase), plain(str(r["title"]))), str(r["key"])) for r in rows), reverse=True)
        if scored and scored[0][0] >= ALIKE:
            best = _of_kind(text, sorted(key for score, key in scored if score >= scored[0][0] - 1))
            links.mentions = [m for m in links.mentions if m.end <= start or end <= m.start]
            links.add(Mention(start, end, phrase, best, schema.label_of(best[0]), "title"))


def _of_kind(text: str, keys: Sequence[str]) -> tuple[str, ...]:
    """Of an issue and a pull request with one title, those of the kind the question speaks of."""
    issue, pull = _ISSUE.search(text), _PULL.search(text)
    prefix = "issue:" if issue and not pull else "pr:" if pull and not issue else ""
    return tuple(key for key in keys if key.startswith(prefix)) or tuple(keys)


def _refuse_strays(text: str, links: Links) -> None:
    """Makes unknown what is written beside a repository that does not have it: a tag or path of another one."""
    for i, mention in enumerate(links.mentions):
        if mention.how not in ("tag", "path") or not mention.keys:
            continue
        beside = [m for m in links.mentions[max(0, i - 1) : i + 2] if m.label == "Repo" and _JOINED.fullmatch(_between(text, m, mention))]
        if beside and not any(repo_of(key) in m.keys for m in beside for key in mention.keys):
            name = beside[0].keys[0].removeprefix("repo:")
            links.unknown.append((mention.text, f"no such {'release' if mention.how == 'tag' else 'file or directory'} in {name}"))


def _between(text: str, a: Mention, b: Mention) -> str:
    return text[a.end : b.start] if a.start < b.start else text[b.end : a.start]


def _narrow(links: Links) -> None:
    """Lets readings in the named repositories, else in those of the numbers beside them, win over readings
    elsewhere, and notes what stays ambiguous.
    """
    numbers = [m.keys[0] for m in links.mentions if m.how == "number" and len(m.keys) == 1]
    repos = {key for m in links.of("Repo") for key in m.keys} or {repo_of(key) for key in numbers}
    kept: list[Mention] = []
    for mention in links.mentions:
        if mention.label in _HELD_BY_ONE and len(mention.keys) > 1 and repos:
            mention = replace(mention, keys=tuple(k for k in mention.keys if repo_of(k) in repos) or mention.keys)
        if mention.keys:
            kept.append(mention)
    links.mentions = kept
    links.ambiguous += [m for m in kept if len(m.keys) > 1]
