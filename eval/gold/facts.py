"""The definitions. Every question of a generated set means exactly what the function here says.

- *Review*: a submitted review of any state; replies count as GitHub counts them. Never one by the pull
  request's own author, by a program, or by a deleted user (when people are asked for).
- *Approved by*: gave at least one review of state APPROVED.
- *Merged in a window*: `start <= merged_at < end`; a year, month or day is that period in UTC, "between
  A and B" includes the whole of both days.
- *Open on a day*: created before that day began in UTC and not closed until it was over. Days on which
  something relevant changed are not asked about, so that any reading of "on" gives the same list.
- *Closes*: a closing keyword (close, fix, resolve and their forms) directly before the number or address of an
  issue of the organisation, outside code, in the title or description. Not asked where the messages of the merge
  commit, or a list such as "fixes #1, #2", would say something else.
- *Mentions*: the number or address of an item of another repository of the organisation in title,
  description, comment, review or inline comment. Not asked where only a quoted line names it.
- *Changes a file*: the diff from merge base to head holds the path, under today's or an earlier name.
- *First release*: the tags of the earliest instant among the tags that contain the merge commit; where
  there is no git, the first published release not older than the merge, not asked about where release notes
  name the pull request for another one.
- *Author* of a pull request: who opened it; of a commit: its author. Co-authors do not count.
- *In common*, *merged in*: by authors of merged pull requests there.
- *Without approval*: no review of state APPROVED by anybody.
- *Labelled*: the label is on the issue when the data ends. Pull requests are never counted as issues.
- *Between tags*: merge commits that the later tag holds and the earlier one does not.
- People are told by login, case ignored; programs and deleted users are never an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime

from eval.gold.records import Item, Review, is_bot
from eval.gold.references import mentions
from eval.gold.world import Repo, World, paths, reach


def person(login: str | None) -> str | None:
    """The key of a person; None for a deleted user or a program."""
    return None if login is None or is_bot(login) else f"person:{login.lower()}"


def instant(year: int, month: int = 1, day: int = 1) -> int:
    """Midnight UTC that begins the day."""
    return int(datetime(year, month, day, tzinfo=UTC).timestamp())


def reviews(pull: Item) -> list[Review]:
    """Reviews of a pull request by people other than its author."""
    mine = (pull.author or "").lower()
    return [r for r in pull.reviews if person(r.author) and (r.author or "").lower() != mine and r.state != "PENDING"]


def reviewers(pull: Item, state: str | None = None) -> frozenset[str]:
    """Who reviewed it, or who gave a review of that state."""
    return frozenset(k for r in reviews(pull) if state in (None, r.state) and (k := person(r.author)))


def merged(pulls: Iterable[Item], start: int, end: int) -> list[Item]:
    """Those merged in the window."""
    return [p for p in pulls if p.merged is not None and start <= p.merged < end]


def closed_issues(world: World, pull: Item) -> frozenset[str] | None:
    """Keys of the issues it closes; None where readings differ."""
    repo = world.repos[pull.repo]
    texts = [pull.title, pull.body]
    said = _targets(world, repo, texts, False)
    generous = _targets(world, repo, [*texts, *_messages(repo, pull)], True)
    if said != generous or any(not key.startswith("issue:") for key in said):
        return None
    return said


def _targets(world: World, repo: Repo, texts: Iterable[str], generous: bool) -> frozenset[str]:
    found = set()
    for text in texts:
        for m in mentions(text):
            if m.maybe_closing if generous else m.closing:
                key = world.find(m.repo, m.number, repo.name)
                found.add(key or f"?{m.repo}#{m.number}")
    return frozenset(found)


def _messages(repo: Repo, pull: Item) -> list[str]:
    """Messages of the merge commit and of the branch's own commits."""
    git = repo.git
    if git is None or pull.merge_sha not in git.commits:
        return []
    own = {pull.merge_sha or ""}
    if pull.head_sha and pull.base_sha:
        own |= reach(git, pull.head_sha) - reach(git, pull.base_sha)
    return [git.commits[sha].message for sha in sorted(own)]


def closers(world: World) -> dict[str, frozenset[str]]:
    """Issue key -> pull requests that close it, of any repository; only issues on which all readings agree."""
    sure: dict[str, set[str]] = {}
    unsure: set[str] = set()
    for pull in world.pulls():
        said = closed_issues(world, pull)
        if said is None:
            repo = world.repos[pull.repo]
            unsure |= _targets(world, repo, [pull.title, pull.body, *_messages(repo, pull)], True)
            continue
        for issue in said:
            sure.setdefault(issue, set()).add(pull.key)
            if pull.state != "merged":
                unsure.add(issue)
    return {k: frozenset(v) for k, v in sorted(sure.items()) if k not in unsure}


def first_release(repo: Repo, pull: Item) -> frozenset[str]:
    """Keys of the releases that first hold it; empty when none does."""
    if pull.merged is None:
        return frozenset()
    if repo.git is not None:
        return frozenset(f"release:{repo.name}@{t}" for t in repo.first_tags.get(pull.merge_sha or "", ()))
    return _by_time(repo, pull.number, pull.merged)


def _by_time(repo: Repo, number: int, merged_at: int) -> frozenset[str]:
    later = sorted((r.at, r.tag) for r in repo.releases if r.at >= merged_at)
    first = frozenset(tag for at, tag in later if at == later[0][0])
    named = {r.tag for r in repo.releases if any(m.repo is None and m.number == number for m in mentions(r.notes))}
    return frozenset(f"release:{repo.name}@{tag}" for tag in first if named <= first)


def outside(world: World, item: Item) -> frozenset[str] | None:
    """Keys of items of other repositories of the organisation that it mentions; None where readings differ."""
    texts = [item.title, item.body, *(r.body for r in item.remarks)]
    texts += [t for r in item.reviews for t in (r.body, *r.remarks)]
    everything = _elsewhere(world, item, texts, True)
    return everything if everything == _elsewhere(world, item, texts, False) else None


def _elsewhere(world: World, item: Item, texts: Iterable[str], quotes: bool) -> frozenset[str]:
    found = set()
    for text in texts:
        for m in mentions(text, quotes):
            if m.repo and (key := world.find(m.repo, m.number, item.repo)) and _repo_of(key) != item.repo:
                # an earlier name numbers differently than today's repository
                found.add(key if m.repo.lower() == _repo_of(key).lower() else f"?{m.repo}#{m.number}")
    return frozenset(found)


def _repo_of(key: str) -> str:
    return key.split(":", 1)[1].split("#")[0]


def touches(repo: Repo, pull: Item, path: str) -> bool:
    """Whether it changes the file that is or was called `path`."""
    now = repo.path_now(path)
    return any(repo.path_now(p) == now for c in pull.changes or () for p in (c.path, c.old) if p)


def touches_under(pull: Item, folder: str) -> bool:
    """Whether it changes a file anywhere below the folder."""
    return any(p.startswith(folder.rstrip("/") + "/") for c in pull.changes or () for p in (c.path, c.old) if p)


def files_of(repo: Repo, pull: Item) -> frozenset[str] | None:
    """The files it changes, by key; None where merge diff and branch diff differ or a name was left behind."""
    if not pull.changes or any(c.status == "R" for c in pull.changes):
        return None
    own = paths(pull.changes)
    if repo.git and pull.merge_sha in repo.git.commits and paths(repo.git.commits[pull.merge_sha].changes) != own:
        return None
    if any(repo.path_now(p) != p for p in own):
        return None
    return frozenset(f"file:{repo.name}/{p}" for p in own)


def open_on(pulls: Iterable[Item], day: int) -> list[Item] | None:
    """Those open through the day that begins at `day`; None when one was opened or closed on it or a day around."""
    around = range(day - 86400, day + 2 * 86400)
    known = list(pulls)
    if any(p.created in around or (p.closed is not None and p.closed in around) for p in known):
        return None
    return [p for p in known if p.created < day and (p.closed is None or p.closed >= day + 86400)]


def top(counts: Counter[str], n: int = 1, margin: int = 1) -> frozenset[str] | None:
    """The n largest keys; None where the n-th does not lead the next by `margin`."""
    order = counts.most_common(n + 1)
    if len(order) < n or (len(order) > n and order[n - 1][1] - order[n][1] < margin) or order[n - 1][1] < 2:
        return None
    return frozenset(k for k, _ in order[:n])


def settled(repo: Repo, end: int) -> bool:
    """Whether GitHub data of the repository covers everything before `end`."""
    return bool(repo.items) and (repo.as_of is None or end <= repo.as_of)
