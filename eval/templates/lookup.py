"""One fact that stands in one text: found by its title, or by words that only this text holds."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from random import Random

from eval.gold import facts
from eval.gold.records import Item
from eval.gold.world import World
from eval.templates.candidate import Candidate, Template, found
from eval.templates.slots import Plain, Repository

_WORD = re.compile(r"[A-Za-z][\w'-]+")
_STOP = frozenset(re.split(" ", "a an and are as at be by can do does for from has have how if in into is it its more no not of on or "
                  "should so some that the there this to use using we what when with would fix add update remove make"))


def _told_apart(world: World) -> Iterator[tuple[Item, str]]:
    """Items with a title of four words and more that no other item of the organisation shares."""
    items = [i for r in world.repos.values() for i in r.items.values()]
    holders: defaultdict[str, list[str]] = defaultdict(list)
    for item in items:
        for word in _words(item.title):
            holders[word].append(item.key)
    for item in items:
        own = _words(item.title)
        shared = Counter(key for word in own for key in holders[word] if key != item.key)
        if len(own) >= 4 and max(shared.values(), default=0) < 3:
            yield item, item.title.strip().rstrip(".")


def _words(text: str) -> frozenset[str]:
    return frozenset(w.lower() for w in _WORD.findall(text)) - _STOP


def _kind(world: World, kind: str) -> Iterator[tuple[Item, dict[str, Plain | Repository]]]:
    for item, title in _told_apart(world):
        if item.kind == kind:
            yield item, {"title": Plain(title), "repo": Repository(item.repo)}


def _pull_titled(world: World, rng: Random) -> Iterator[Candidate]:
    for pull, slots in _kind(world, "pr"):
        yield from found(pull.repo, slots, frozenset({pull.key}), (pull.key,))


def _issue_titled(world: World, rng: Random) -> Iterator[Candidate]:
    for issue, slots in _kind(world, "issue"):
        yield from found(issue.repo, slots, frozenset({issue.key}), (issue.key,))


def _who_opened(world: World, rng: Random) -> Iterator[Candidate]:
    for issue, slots in _kind(world, "issue"):
        who = facts.person(issue.author)
        yield from found(issue.repo, slots, frozenset({who} if who else ()), (issue.key,))


def _rare_words(world: World, rng: Random) -> Iterator[Candidate]:
    """Three words that stand together in the body of one item alone."""
    items = [i for r in world.repos.values() for i in r.items.values()]
    bodies = {i.key: frozenset(w.lower() for w in _WORD.findall(i.body) if len(w) > 3) - _STOP for i in items}
    seen = Counter(w for words in bodies.values() for w in words)
    holders: defaultdict[str, set[str]] = defaultdict(set)
    for key, words in bodies.items():
        for word in words:
            holders[word].add(key)
    for item in items:
        rare = sorted((w for w in bodies[item.key] - _words(item.title) if 2 <= seen[w] <= 6), key=lambda w: (seen[w], w))[:3]
        if len(rare) == 3 and len(set.intersection(*(holders[w] for w in rare))) == 1:
            slots = {"one": Plain(rare[0]), "two": Plain(rare[1]), "three": Plain(rare[2]), "repo": Repository(item.repo)}
            yield from found(item.repo, slots, frozenset({item.key}), (item.key,))


TEMPLATES: dict[str, Template] = {
    "lookup.pull_titled": _pull_titled, "lookup.issue_titled": _issue_titled,
    "lookup.who_opened": _who_opened, "lookup.rare_words": _rare_words,
}
