"""What a change meets: files, open pull requests on a day, what changes together, what overlaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from eval.gold import facts
from eval.gold.records import Item
from eval.gold.world import Repo, World
from eval.templates.candidate import Candidate, Template, found, nothing, number
from eval.templates.expertise import busy_files
from eval.templates.slots import Day, FileIn, FolderIn, Numbered

DAY = 86400


def _names(repo: Repo, path: str) -> list[str]:
    """Today's name of a file and its earlier ones."""
    return [path, *sorted(old for old, now in repo.later_names.items() if now == path)]


def some_days(repo: Repo, rng: Random, n: int) -> list[int]:
    """Days between the first pull request and the end of the data."""
    pulls = repo.pulls
    if not pulls:
        return []
    first = min(p.created for p in pulls)
    last = min(max(max(p.created, p.closed or 0) for p in pulls), (repo.as_of or 2**40) - DAY)
    return sorted({(rng.randrange(first, last) // DAY) * DAY for _ in range(n)}) if last > first else []


def _busy(repo: Repo) -> list[tuple[str, list[Item]]]:
    """(a name the file has or had, the pull requests that change it) for files often changed."""
    out = []
    for path in busy_files(repo)[:6]:
        touching = [p for p in repo.pulls if facts.touches(repo, p, path)]
        out += [(name, touching) for name in _names(repo, path)[:2]]
    return out


def _open_on_file(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        for path, touching in _busy(repo):
            for day in some_days(repo, rng, 8):
                still = facts.open_on(touching, day)
                if still is not None:
                    slots = {"file": FileIn(repo.name, path), "day": Day(day)}
                    yield from found(repo.name, slots, frozenset(p.key for p in still))


def _none_open_on_file(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        for path, touching in _busy(repo):
            for day in some_days(repo, rng, 3):
                still = facts.open_on(touching, day)
                if still is not None:
                    yield from nothing(repo.name, {"file": FileIn(repo.name, path), "day": Day(day)}, frozenset(p.key for p in still))


def _open_at(world: World, rng: Random) -> Iterator[Candidate]:
    """The question says "now"; the instant it is asked for lies in the past."""
    for repo in world.repos.values():
        for path, touching in _busy(repo):
            for day in some_days(repo, rng, 6):
                still = facts.open_on(touching, day)
                for c in found(repo.name, {"file": FileIn(repo.name, path)}, frozenset(p.key for p in still or ())):
                    yield replace(c, as_of=day + DAY // 2)


def _authors_open(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        for path, touching in _busy(repo):
            for day in some_days(repo, rng, 6):
                still = facts.open_on(touching, day)
                if still and all(facts.person(p.author) for p in still):
                    who = frozenset(k for p in still if (k := facts.person(p.author)))
                    if len(who) > 1:
                        yield from found(repo.name, {"file": FileIn(repo.name, path), "day": Day(day)}, who)


def _folders(repo: Repo) -> list[str]:
    seen: set[str] = set()
    for pull in repo.pulls:
        for change in pull.changes or ():
            parts = change.path.split("/")[:-1]
            seen |= {"/".join(parts[:n]) for n in range(1, len(parts) + 1)}
    return sorted(seen)


def _under_folder(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        for folder in _folders(repo) if repo.complete else []:
            gold = frozenset(p.key for p in repo.pulls if facts.touches_under(p, folder))
            yield from found(repo.name, {"folder": FolderIn(repo.name, folder)}, gold)


def _open_under_folder(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        for folder in _folders(repo):
            touching = [p for p in repo.pulls if facts.touches_under(p, folder)]
            for pull in touching:
                day = (pull.created // DAY + 3) * DAY
                if facts.settled(repo, day + DAY) and (still := facts.open_on(touching, day)):
                    yield from found(repo.name, {"folder": FolderIn(repo.name, folder), "day": Day(day)}, frozenset(p.key for p in still))


def _merged_in_window(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        for path, touching in _busy(repo):
            for start in some_days(repo, rng, 6):
                end = start + rng.choice((21, 30, 45, 60, 91)) * DAY
                near = any(abs((p.merged or 0) - edge) < DAY for p in touching for edge in (start, end + DAY))
                if facts.settled(repo, end + DAY) and not near:
                    gold = frozenset(p.key for p in facts.merged(touching, start, end + DAY))
                    slots = {"file": FileIn(repo.name, path), "start": Day(start), "end": Day(end)}
                    if len(gold) > 1:
                        yield from found(repo.name, slots, gold)


def _files_of(world: World, rng: Random) -> Iterator[Candidate]:
    for pull in world.pulls():
        gold = facts.files_of(world.repos[pull.repo], pull)
        if gold and (len(gold) > 1 or rng.random() < 0.05):
            yield from found(pull.repo, {"pr": Numbered("pr", pull.repo, pull.number)}, gold, (pull.key,))


def _together(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        for path in busy_files(repo) if repo.complete else []:
            counts: Counter[str] = Counter()
            for pull in repo.pulls:
                names = {repo.path_now(p) for c in pull.changes or () for p in (c.path, c.old) if p}
                if pull.merged and path in names:
                    counts.update(f"file:{repo.name}/{n}" for n in names - {path})
            yield from found(repo.name, {"file": FileIn(repo.name, path)}, facts.top(counts, margin=2))


def _overlap(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        now = {p.number: {repo.path_now(c.path) for c in p.changes or ()} for p in repo.pulls}
        for pull in repo.pulls:
            if pull.merged:
                gold = frozenset(p.key for p in repo.pulls if p.number != pull.number and now[p.number] & now[pull.number]
                                 and p.created < pull.merged and (p.closed is None or p.closed > pull.merged + 3600))
                near = any(abs(t - pull.merged) < 3600 for p in repo.pulls if p.number != pull.number for t in (p.created, p.closed or 0))
                if not near and len(gold) < 7:
                    yield from found(repo.name, {"pr": Numbered("pr", pull.repo, pull.number)}, gold, (pull.key,))


def _given_up(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        for path, touching in _busy(repo) if repo.complete else []:
            gold = frozenset(p.key for p in touching if p.state == "closed")
            yield from found(repo.name, {"file": FileIn(repo.name, path)}, gold)


def _how_often(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        for path, touching in _busy(repo) if repo.complete else []:
            yield from number(repo.name, {"file": FileIn(repo.name, path)}, sum(p.merged is not None for p in touching))


TEMPLATES: dict[str, Template] = {
    "impact.open_on_file": _open_on_file, "impact.none_open_on_file": _none_open_on_file,
    "impact.authors_open": _authors_open, "impact.open_at": _open_at,
    "impact.under_folder": _under_folder, "impact.open_under_folder": _open_under_folder,
    "impact.merged_in_window": _merged_in_window, "impact.files_of": _files_of, "impact.together": _together,
    "impact.overlap": _overlap, "impact.given_up": _given_up, "impact.how_often": _how_often,
}
