"""From an issue to the pull request that closes it, on to the release that ships it, and back."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from eval.gold import facts
from eval.gold.records import Item
from eval.gold.world import Repo, World
from eval.templates.candidate import Candidate, Template, found, nothing
from eval.templates.slots import Numbered, Plain, Repository, Sha, Tag


def home(key: str) -> str:
    """The repository of an item's key."""
    return key.split(":", 1)[1].split("#")[0]


def _slot(key: str) -> Numbered:
    return Numbered(key.split(":")[0], home(key), int(key.rsplit("#", 1)[1]))


def _item(world: World, key: str) -> Item:
    return world.repos[home(key)].items[int(key.rsplit("#", 1)[1])]


def _closes(world: World, rng: Random) -> Iterator[Candidate]:
    for pull in world.pulls():
        if pull.merged:
            gold = facts.closed_issues(world, pull)
            yield from found(pull.repo, {"pr": Numbered("pr", pull.repo, pull.number)}, gold, (pull.key,))


def _closed_by(world: World, rng: Random) -> Iterator[Candidate]:
    for issue, pulls in facts.closers(world).items():
        yield from found(home(issue), {"issue": _slot(issue)}, pulls, (issue, *sorted(pulls)))


def _single(releases: frozenset[str]) -> bool:
    return len(releases) == 1


def _first_release(world: World, rng: Random) -> Iterator[Candidate]:
    for pull in world.pulls():
        gold = facts.first_release(world.repos[pull.repo], pull)
        if _single(gold):
            yield from found(pull.repo, {"pr": Numbered("pr", pull.repo, pull.number)}, gold, (pull.key, *gold))


def _first_releases(world: World, rng: Random) -> Iterator[Candidate]:
    for pull in world.pulls():
        gold = facts.first_release(world.repos[pull.repo], pull)
        if len(gold) > 1:
            yield from found(pull.repo, {"pr": Numbered("pr", pull.repo, pull.number)}, gold, (pull.key, *sorted(gold)))


def _issue_release(world: World, rng: Random) -> Iterator[Candidate]:
    for issue, pulls in facts.closers(world).items():
        if len(pulls) == 1:
            fix = _item(world, next(iter(pulls)))
            gold = facts.first_release(world.repos[fix.repo], fix)
            if _single(gold):
                yield from found(home(issue), {"issue": _slot(issue)}, gold, (issue, *pulls, *gold))


def _release_pulls(repo: Repo) -> dict[str, set[str]]:
    out: dict[str, set[str]] = {}
    for pull in repo.pulls:
        for release in facts.first_release(repo, pull):
            out.setdefault(release, set()).add(pull.key)
    return out


def _shipped(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        if repo.complete:
            for release, pulls in sorted(_release_pulls(repo).items()):
                slots = {"tag": Tag(repo.name, release.split("@", 1)[1])}
                if len(pulls) > 1:
                    yield from found(repo.name, slots, frozenset(pulls), (release,))


def _release_issues(world: World, rng: Random) -> Iterator[Candidate]:
    by_issue = facts.closers(world)
    for repo in world.repos.values():
        if not repo.complete:
            continue
        closes = {p.key: facts.closed_issues(world, p) for p in repo.pulls}
        for release, pulls in sorted(_release_pulls(repo).items()):
            parts = [closes[p] for p in pulls]
            issues = frozenset(i for part in parts for i in part or ())
            if None not in parts and issues <= by_issue.keys() and all(by_issue[i] <= pulls for i in issues):
                yield from found(repo.name, {"tag": Tag(repo.name, release.split("@", 1)[1])}, issues, (release,))


def _commit_pull(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        known = {p.merge_sha: p.number for p in repo.pulls if p.merged and p.merge_sha}
        if not repo.items:
            known = {sha: n for n, sha in repo.git_pulls.items()}
        for sha, n in sorted((s, n) for s, n in known.items() if s and repo.git and s in repo.git.commits):
            yield from found(repo.name, {"commit": Sha(repo.name, sha)}, frozenset({f"pr:{repo.name}#{n}"}), (f"pr:{repo.name}#{n}",))


def _fix_reviewers(world: World, rng: Random) -> Iterator[Candidate]:
    for issue, pulls in facts.closers(world).items():
        who = frozenset(k for p in pulls for k in facts.reviewers(_item(world, p)))
        if len(pulls) == 1:
            yield from found(home(issue), {"issue": _slot(issue)}, who, (issue, *pulls))


def _fix_author(world: World, rng: Random) -> Iterator[Candidate]:
    for issue, pulls in facts.closers(world).items():
        opener = facts.person(_item(world, issue).author)
        who = frozenset(k for p in pulls if (k := facts.person(_item(world, p).author)))
        if opener and opener not in who:
            yield from found(home(issue), {"issue": _slot(issue)}, who, (issue, *sorted(pulls)))


def _unreleased(world: World, rng: Random) -> Iterator[Candidate]:
    for pull in world.pulls():
        repo = world.repos[pull.repo]
        never = pull.state == "closed" and not (repo.git and pull.head_sha in repo.git.on_default)
        waiting = pull.merged and repo.git and pull.merge_sha in repo.git.commits and not facts.first_release(repo, pull)
        if never or waiting:
            yield from nothing(pull.repo, {"pr": Numbered("pr", pull.repo, pull.number)}, frozenset(), ())


def _no_such(world: World, rng: Random) -> Iterator[Candidate]:
    for repo in world.repos.values():
        if repo.items:
            last = max(max(repo.items), max(repo.git.heads, default=0) if repo.git else 0)
            absent = (last // 1000 + 4) * 1000 + rng.randrange(7, 900)
            slots = {"issue": Numbered("issue", repo.name, absent), "repo": Repository(repo.name), "number": Plain(str(absent))}
            yield Candidate(repo.name, slots, ("insufficient", "premise_corrected"), "state")


TEMPLATES: dict[str, Template] = {
    "trace.closes": _closes, "trace.closed_by": _closed_by, "trace.first_release": _first_release,
    "trace.first_releases": _first_releases, "trace.issue_release": _issue_release, "trace.shipped": _shipped,
    "trace.release_issues": _release_issues, "trace.commit_pull": _commit_pull, "trace.fix_reviewers": _fix_reviewers,
    "trace.fix_author": _fix_author, "trace.unreleased": _unreleased, "trace.no_such": _no_such,
}
