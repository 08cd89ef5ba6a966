"""Across repositories: mentions of each other's items, and people at work in more than one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations, permutations
from random import Random

from eval.gold import facts
from eval.gold.records import Item
from eval.gold.world import Repo, World
from eval.templates.candidate import LARGEST, Candidate, Template, found, nothing, number
from eval.templates.expertise import spelled, window, years
from eval.templates.slots import Numbered, Person, Plain, Repository
from eval.templates.trace import home


def _slot(item: Item) -> Numbered:
    return Numbered(item.kind, item.repo, item.number)


def _mentions(world: World) -> dict[str, frozenset[str] | None]:
    return {i.key: facts.outside(world, i) for r in world.repos.values() for i in r.items.values()}


def _sure(targets: frozenset[str] | None) -> bool:
    return targets is not None and not any(t.startswith("?") for t in targets)


def _pairs(world: World) -> Iterator[tuple[Repo, Repo, frozenset[str] | None]]:
    said = _mentions(world)
    for one, other in permutations(world.repos.values(), 2):
        own = {k: t for k, t in said.items() if home(k) == one.name}
        if one.items and all(_sure(t) for t in own.values()):
            yield one, other, frozenset(k for k, t in own.items() if any(home(x) == other.name for x in t or ()))


def _mentioning(world: World, rng: Random) -> Iterator[Candidate]:
    for one, other, keys in _pairs(world):
        yield from found(one.name, {"repo": Repository(one.name), "other": Repository(other.name)}, keys)


def _mentioning_none(world: World, rng: Random) -> Iterator[Candidate]:
    for one, other, keys in _pairs(world):
        if len(one.items) > 60 and other.items:
            yield from nothing(one.name, {"repo": Repository(one.name), "other": Repository(other.name)}, keys)


def _mentioned_in(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        for item in repo.items.values():
            gold = facts.outside(world, item)
            if _sure(gold):
                yield from found(repo.name, {"item": _slot(item)}, gold, (item.key,))


def _mentioned_by(world: World, rng: Random) -> Iterator[Candidate]:
    back: defaultdict[str, set[str]] = defaultdict(set)
    said = _mentions(world)
    for key, targets in said.items():
        for target in targets or ():
            back[target].add(key)
    for target, keys in sorted(back.items()):
        if not target.startswith("?") and all(_sure(t) for t in said.values()):
            kind, rest = target.split(":", 1)
            repo, n = rest.rsplit("#", 1)
            yield from found(repo, {"item": Numbered(kind, repo, int(n))}, frozenset(keys), tuple(sorted(keys)))


def _closed_elsewhere(world: World, rng: Random) -> Iterator[Candidate]:
    for issue, pulls in facts.closers(world).items():
        if all(home(p) != home(issue) for p in pulls):
            slot = Numbered("issue", home(issue), int(issue.rsplit("#", 1)[1]))
            yield from found(home(issue), {"issue": slot}, pulls, (issue, *sorted(pulls)))


def _authors(repo: Repo, start: int = 0, end: int = 2**40) -> frozenset[str]:
    return frozenset(k for p in facts.merged(repo.pulls, start, end) if (k := facts.person(p.author)))


def _reviewers(repo: Repo) -> frozenset[str]:
    return frozenset(k for p in repo.pulls for k in facts.reviewers(p))


def _common_authors(world: World, rng: Random) -> Iterator[Candidate]:
    whole = [r for r in world.repos.values() if r.complete]
    for one, other in combinations(whole, 2):
        slots = {"repo": Repository(one.name), "other": Repository(other.name)}
        yield from found(one.name, slots, _authors(one) & _authors(other))


def _common_in_year(world: World, rng: Random) -> Iterator[Candidate]:
    for one, other in combinations(world.repos.values(), 2):
        for year in sorted(set(years(one)) & set(years(other))):
            both = _authors(one, *window(year)) & _authors(other, *window(year))
            slots = {"repo": Repository(one.name), "other": Repository(other.name), "year": Plain(str(year))}
            yield from found(other.name, slots, both)


def _reviews_and_writes(world: World, rng: Random) -> Iterator[Candidate]:
    for one, other in permutations(world.repos.values(), 2):
        if other.complete:
            slots = {"repo": Repository(one.name), "other": Repository(other.name)}
            yield from found(one.name, slots, _reviewers(one) & _authors(other))


def _only_here(world: World, rng: Random) -> Iterator[Candidate]:
    whole = [r for r in world.repos.values() if r.complete]
    for one, other in permutations(whole, 2):
        slots = {"repo": Repository(one.name), "other": Repository(other.name)}
        yield from found(one.name, slots, _authors(one) - _authors(other))


def _review_repos(world: World) -> dict[str, frozenset[str]]:
    out: defaultdict[str, set[str]] = defaultdict(set)
    for repo in world.repos.values():
        for key in _reviewers(repo):
            out[key].add(f"repo:{repo.name}")
    return {k: frozenset(v) for k, v in sorted(out.items())}


def _where_reviewed(world: World, rng: Random) -> Iterator[Candidate]:
    for key, repos in _review_repos(world).items():
        if 1 < len(repos) <= LARGEST:
            yield from found(key, {"person": Person(spelled(world, key))}, repos)


def _how_many_repos(world: World, rng: Random) -> Iterator[Candidate]:
    for key, repos in _review_repos(world).items():
        yield from number(key, {"person": Person(spelled(world, key))}, len(repos), 3)


def _widest(world: World, rng: Random) -> Iterator[Candidate]:
    counts = Counter({k: len(v) for k, v in _review_repos(world).items()})
    yield from found("*", {}, facts.top(counts))


def _elsewhere(world: World, rng: Random) -> Iterator[Candidate]:
    """Merged pull requests of a person outside one repository, in a year that GitHub data covers everywhere."""
    for key in _review_repos(world):
        login = key.removeprefix("person:")
        mine = [p for p in world.pulls() if p.merged and (p.author or "").lower() == login]
        for repo in sorted({p.repo for p in mine}):
            for year in years(world.repos[repo]):
                start, end = window(year)
                if _covered(world, login, start, end):
                    gold = frozenset(p.key for p in facts.merged(mine, start, end) if p.repo != repo)
                    slots = {"person": Person(spelled(world, key)), "repo": Repository(repo), "year": Plain(str(year))}
                    yield from found(key, slots, gold)


def _covered(world: World, login: str, start: int, end: int) -> bool:
    """No commit of theirs in the window in a repository whose pull requests are not known then."""
    for repo in world.repos.values():
        if repo.git and not facts.settled(repo, end) and any(
            start <= c.at < end and (c.login or "").lower() == login for c in repo.git.commits.values()
        ):
            return False
    return True


TEMPLATES: dict[str, Template] = {
    "cross-repository.mentioning": _mentioning, "cross-repository.mentioning_none": _mentioning_none,
    "cross-repository.closed_elsewhere": _closed_elsewhere, "cross-repository.mentioned_in": _mentioned_in,
    "cross-repository.mentioned_by": _mentioned_by,
    "cross-repository.common_authors": _common_authors, "cross-repository.common_in_year": _common_in_year,
    "cross-repository.reviews_and_writes": _reviews_and_writes, "cross-repository.only_here": _only_here,
    "cross-repository.where_reviewed": _where_reviewed, "cross-repository.how_many_repos": _how_many_repos,
    "cross-repository.widest": _widest, "cross-repository.elsewhere": _elsewhere,
}
