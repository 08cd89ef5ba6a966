"""How many, which most, when most: counts that a reader could make by hand, windows in UTC."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from random import Random

from eval.gold import facts
from eval.gold.world import Repo, World, reach
from eval.templates.candidate import Candidate, Template, found, number
from eval.templates.expertise import spelled, window, years
from eval.templates.impact import DAY, some_days
from eval.templates.slots import Day, Numbered, Person, Plain, Repository, Tag


def _repo_years(world: World) -> Iterator[tuple[Repo, int, dict[str, Repository | Plain]]]:
    for repo in world.repos.values():
        for year in years(repo):
            yield repo, year, {"repo": Repository(repo.name), "year": Plain(str(year))}


def _merged_in_year(world: World, rng: Random) -> Iterator[Candidate]:
    for repo, year, slots in _repo_years(world):
        yield from number(repo.name, slots, len(facts.merged(repo.pulls, *window(year))))


def _opened_in_year(world: World, rng: Random) -> Iterator[Candidate]:
    for repo, year, slots in _repo_years(world):
        start, end = window(year)
        yield from number(repo.name, slots, sum(start <= i.created < end for i in repo.issues))


def _issues_by(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        counts = Counter(k for i in repo.issues if (k := facts.person(i.author)))
        for key, n in sorted(counts.items()) if repo.complete else []:
            yield from number(repo.name, {"person": Person(spelled(world, key)), "repo": Repository(repo.name)}, n, 3)


def _approvals(world: World, rng: Random) -> Iterator[Candidate]:
    for repo, year, slots in _repo_years(world):
        start, end = window(year)
        given = [r for p in repo.pulls for r in facts.reviews(p) if r.state == "APPROVED" and start <= r.at < end]
        yield from number(repo.name, slots, len(given))


def _reviews_by(world: World, rng: Random) -> Iterator[Candidate]:
    for repo, year, slots in _repo_years(world):
        start, end = window(year)
        counts = Counter(facts.person(r.author) for p in repo.pulls for r in facts.reviews(p) if start <= r.at < end)
        for key, n in sorted((k, n) for k, n in counts.items() if k):
            yield from number(repo.name, {**slots, "person": Person(spelled(world, key))}, n, 3)


def _unapproved(world: World, rng: Random) -> Iterator[Candidate]:
    for repo, year, slots in _repo_years(world):
        bare = [p for p in facts.merged(repo.pulls, *window(year)) if not any(r.state == "APPROVED" for r in p.reviews)]
        yield from number(repo.name, slots, len(bare))


def _labelled(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        counts = Counter(label for i in repo.issues for label in i.labels)
        for label, n in sorted(counts.items()) if repo.complete else []:
            yield from number(repo.name, {"repo": Repository(repo.name), "label": Plain(label)}, n, 3)


def _open_issues(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        for day in some_days(repo, rng, 8) if repo.issues else []:
            still = facts.open_on(repo.issues, day)
            if still and facts.settled(repo, day + DAY):
                yield from number(repo.name, {"repo": Repository(repo.name), "day": Day(day)}, len(still))


def _open_at(world: World, rng: Random) -> Iterator[Candidate]:
    """The question says "now"; the instant it is asked for lies in the past."""
    for c in _open_issues(world, rng):
        day = c.slots["day"]
        assert isinstance(day, Day)
        yield replace(c, slots={"repo": c.slots["repo"]}, as_of=day.at + DAY // 2)


def _unknowable(world: World, rng: Random) -> Iterator[Candidate]:
    """What neither GitHub data nor git can tell."""
    for repo in world.repos.values():
        for tag in [t for t, _, _ in repo.git.tags] if repo.git else [r.tag for r in repo.releases]:
            yield Candidate(repo.name, {"tag": Tag(repo.name, tag)}, ("insufficient", "refused"), "state")


def _busiest_year(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        counts = Counter(str(datetime.fromtimestamp(p.merged, UTC).year) for p in repo.pulls if p.merged)
        best = facts.top(counts, margin=3)
        if best and repo.complete:
            yield Candidate(repo.name, {"repo": Repository(repo.name)}, (int(next(iter(best))),), "number")


def _between_tags(world: World, rng: Random) -> Iterator[Candidate]:
    """Pull requests that the second tag holds and the first does not, by merge commit."""
    for repo in world.repos.values():
        if repo.git is None or not repo.complete:
            continue
        held = _held(repo)
        series: dict[str, list[str]] = {}
        for tag, _, _ in repo.git.tags:
            series.setdefault(tag.rstrip("0123456789"), []).append(tag)
        for tags in series.values():
            for i, one in enumerate(tags):
                for two in tags[i + 1:i + 4]:
                    if held[one] <= held[two]:
                        slots = {"tag": Tag(repo.name, one), "later": Plain(two)}
                        yield from number(repo.name, slots, len(held[two] - held[one]))


def _held(repo: Repo) -> dict[str, set[int]]:
    assert repo.git is not None
    out = {}
    for tag, sha, _ in repo.git.tags:
        inside = reach(repo.git, sha)
        out[tag] = {p.number for p in repo.pulls if p.merged and p.merge_sha in inside}
    return out


def _top_authors(world: World, rng: Random) -> Iterator[Candidate]:
    for repo, year, slots in _repo_years(world):
        counts = Counter(k for p in facts.merged(repo.pulls, *window(year)) if (k := facts.person(p.author)))
        for n, word in ((2, "two"), (3, "three")):
            yield from found(repo.name, {**slots, "n": Plain(word), "d": Plain(str(n))}, facts.top(counts, n))


def _comments(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        for issue in repo.issues:
            slots = {"issue": Numbered("issue", repo.name, issue.number)}
            for c in number(repo.name, slots, len(issue.remarks), 4):
                yield Candidate(c.about, c.slots, c.gold, c.match, (issue.key,))


def _busiest_repo(world: World, rng: Random) -> Iterator[Candidate]:
    known = [r for r in world.repos.values() if r.items]
    for year in sorted({y for r in known for y in years(r)}):
        start, end = window(year)
        if all(facts.settled(r, end) or max(i.created for i in r.items.values()) < start for r in known):
            counts = Counter({f"repo:{r.name}": sum(start <= i.created < end for i in r.issues) for r in known})
            yield from found("*", {"year": Plain(str(year))}, facts.top(counts, margin=3))


def _tags(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        if repo.git:
            counts = Counter(datetime.fromtimestamp(at, UTC).year for _, _, at in repo.git.tags)
            for year, n in sorted(counts.items()):
                yield from number(repo.name, {"repo": Repository(repo.name), "year": Plain(str(year))}, n)


TEMPLATES: dict[str, Template] = {
    "aggregation.merged_in_year": _merged_in_year, "aggregation.opened_in_year": _opened_in_year,
    "aggregation.issues_by": _issues_by, "aggregation.approvals": _approvals, "aggregation.reviews_by": _reviews_by,
    "aggregation.unapproved": _unapproved, "aggregation.labelled": _labelled, "aggregation.open_issues": _open_issues,
    "aggregation.open_at": _open_at, "aggregation.unknowable": _unknowable,
    "aggregation.busiest_year": _busiest_year, "aggregation.between_tags": _between_tags,
    "aggregation.top_authors": _top_authors, "aggregation.comments": _comments,
    "aggregation.busiest_repo": _busiest_repo, "aggregation.tags": _tags,
}
