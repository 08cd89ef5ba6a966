"""Who: reviewers, approvers, authors, committers. Own reviews, programs and deleted users never count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from eval.gold import facts
from eval.gold.records import Item
from eval.gold.world import Repo, World
from eval.templates.candidate import Candidate, Template, found, nothing
from eval.templates.slots import FileIn, Numbered, Person, Plain, Repository


def years(repo: Repo) -> list[int]:
    """Whole years that the repository's GitHub data covers from its first item on."""
    if not repo.items:
        return []
    first = 1970 + min(i.created for i in repo.items.values()) // 31556952
    last = 1970 + max(max(i.created, i.closed or 0) for i in repo.items.values()) // 31556952
    return [y for y in range(first, last + 1) if facts.settled(repo, facts.instant(y + 1))]


def window(year: int) -> tuple[int, int]:
    """The year's first instant and the next year's."""
    return facts.instant(year), facts.instant(year + 1)


def _no_program(pull: Item) -> bool:
    return all(facts.person(r.author) for r in pull.reviews)


def _reviewers(world: World, rng: Random) -> Iterator[Candidate]:
    for pull in world.pulls():
        who = facts.reviewers(pull)
        if len(who) > 1 and _no_program(pull):
            yield from found(pull.repo, {"pr": Numbered("pr", pull.repo, pull.number)}, who, (pull.key,))


def _approvers(world: World, rng: Random) -> Iterator[Candidate]:
    for pull in world.pulls():
        who = facts.reviewers(pull, "APPROVED")
        if who < facts.reviewers(pull) and _no_program(pull):
            yield from found(pull.repo, {"pr": Numbered("pr", pull.repo, pull.number)}, who, (pull.key,))


def _change_requests(world: World, rng: Random) -> Iterator[Candidate]:
    for pull in world.pulls():
        who = facts.reviewers(pull, "CHANGES_REQUESTED")
        if who < facts.reviewers(pull) and _no_program(pull):
            yield from found(pull.repo, {"pr": Numbered("pr", pull.repo, pull.number)}, who, (pull.key,))


def _unreviewed(world: World, rng: Random) -> Iterator[Candidate]:
    for pull in world.pulls():
        if not pull.reviews and not pull.remarks:
            yield from nothing(pull.repo, {"pr": Numbered("pr", pull.repo, pull.number)}, frozenset(), ())


def _reviewed_pulls(repo: Repo, start: int, end: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for pull in repo.pulls:
        counts.update({k for r in facts.reviews(pull) if start <= r.at < end and (k := facts.person(r.author))})
    return counts


def _top_reviewers(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        for year in years(repo):
            counts = _reviewed_pulls(repo, *window(year))
            for n, word in ((1, "one"), (2, "two"), (3, "three")):
                slots = {"repo": Repository(repo.name), "year": Plain(str(year)), "n": Plain(word), "d": Plain(str(n))}
                if n > 1:
                    yield from found(repo.name, slots, facts.top(counts, n))


def _top_reviewer(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        for year in years(repo):
            slots = {"repo": Repository(repo.name), "year": Plain(str(year))}
            yield from found(repo.name, slots, facts.top(_reviewed_pulls(repo, *window(year)), margin=2))


def _pairs(world: World) -> Counter[tuple[str, str]]:
    pairs: Counter[tuple[str, str]] = Counter()
    for pull in world.pulls():
        author = facts.person(pull.author)
        if author:
            pairs.update((reviewer, author) for reviewer in facts.reviewers(pull))
    return pairs


def _reviews_for(world: World, rng: Random) -> Iterator[Candidate]:
    pairs = _pairs(world)
    for reviewer in sorted({r for r, _ in pairs}):
        best = facts.top(Counter({a: n for (r, a), n in pairs.items() if r == reviewer}), margin=2)
        yield from found(reviewer, {"person": Person(spelled(world, reviewer))}, best)


def _reviewed_by(world: World, rng: Random) -> Iterator[Candidate]:
    pairs = _pairs(world)
    for author in sorted({a for _, a in pairs}):
        best = facts.top(Counter({r: n for (r, a), n in pairs.items() if a == author}), margin=2)
        yield from found(author, {"person": Person(spelled(world, author))}, best)


def spelled(world: World, key: str) -> str:
    """The login of a person's key as people spell it."""
    return world.spelling[key.removeprefix("person:")]


def busy_files(repo: Repo) -> list[str]:
    """Today's files that at least four pull requests change, busiest first."""
    counts = Counter(p for pull in repo.pulls for p in {repo.path_now(c.path) for c in pull.changes or ()})
    order = sorted(counts, key=lambda p: (-counts[p], p))
    return [p for p in order if counts[p] >= 4 and (repo.git is None or p in repo.git.tree)]


def _file_authors(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        for path in busy_files(repo) if repo.complete else []:
            counts = Counter(k for p in repo.pulls if p.merged and facts.touches(repo, p, path) and (k := facts.person(p.author)))
            yield from found(repo.name, {"file": FileIn(repo.name, path)}, facts.top(counts, margin=2))


def _committers(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        if repo.git:
            main = [c for c in repo.git.commits.values() if c.sha in repo.git.on_default and len(c.parents) < 2]
            counts = Counter(facts.person(c.login) or f"?{c.author}" for c in main)
            best = facts.top(counts, margin=5)
            if best and not any(k.startswith("?") for k in best):
                yield from found(repo.name, {"repo": Repository(repo.name)}, best)


def _mergers(world: World, rng: Random) -> Iterator[Candidate]:
    for pull in world.pulls():
        who = facts.person(pull.merged_by)
        if who and who != facts.person(pull.author):
            yield from found(pull.repo, {"pr": Numbered("pr", pull.repo, pull.number)}, frozenset({who}), (pull.key,))


def _unknowable(world: World, rng: Random) -> Iterator[Candidate]:
    """What neither GitHub data nor git can tell."""
    for repo in world.repos.values():
        yield Candidate(repo.name, {"repo": Repository(repo.name)}, ("insufficient", "refused"), "state")


TEMPLATES: dict[str, Template] = {
    "expertise.reviewers": _reviewers, "expertise.approvers": _approvers, "expertise.change_requests": _change_requests,
    "expertise.unreviewed": _unreviewed, "expertise.top_reviewer": _top_reviewer, "expertise.top_reviewers": _top_reviewers,
    "expertise.reviews_for": _reviews_for, "expertise.reviewed_by": _reviewed_by, "expertise.file_authors": _file_authors,
    "expertise.committers": _committers, "expertise.mergers": _mergers, "expertise.unknowable": _unknowable,
}
