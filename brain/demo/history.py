"""The git history of one repository as its people made it: branches, merges, releases, and what was in every file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from brain.demo.company import Company, Repo
from brain.demo.contents import Edit, Tree, applied, begun, counts, data, edit
from brain.demo.objects import blob_id, commit_id, tree_id
from brain.demo.play import Change, Played, branch_name
from brain.demo.story import Item, StoryError, paths
from brain.demo.voice import Signature, Voice


@dataclass(frozen=True)
class Commit:
    """A commit as git keeps it; `ref` is the branch or pull request it was made on, `files` what it
    changes against its first parent, `tree` everything there is after it.
    """

    sha: str
    ref: str
    parents: tuple[str, ...]
    author: Signature
    committer: Signature
    at: datetime
    message: str
    files: tuple[Change, ...]
    tree: Tree


@dataclass(frozen=True)
class _Plan:
    """What an item does to one file: how git names it, the path, the earlier path, the edit."""

    status: str
    path: str
    old: str
    edit: Edit


class History:
    """One repository while it is played: its refs and the commits so far, parents first."""

    def __init__(self, repo: Repo, voice: Voice, first: Tree | None = None) -> None:
        self.name, self.repo, self.voice = repo.name, repo, voice
        self.first: Tree = first or {}
        self.refs: dict[str, str] = {}
        self.commits: dict[str, Commit] = {}
        self.main_line: list[Commit] = []

    def play(self, played: Iterable[Played]) -> None:
        """Makes the commits of pushes, merges, releases and of every pull request's branch."""
        events: list[tuple[datetime, int, Played]] = []
        for n, p in enumerate(played):
            merged = p.item.kind == "pr" and p.item.state == "merged"
            events.append((p.end if merged and p.end else p.at, n, p))
        by_number = {p.item.number: p for _, _, p in events if p.item.kind == "pr"}
        for at, _, p in sorted(events, key=lambda event: event[:2]):
            kind = p.item.kind
            if kind == "pr":
                self._pull(p, at, by_number)
            elif kind in ("push", "tree"):
                self._land(p.item, at, p.item.title, self._plans(p.item))
            elif kind == "release":
                p.target = self._land(p.item, at, f"Release {p.item.tag}", self._release(p.item)).sha
                self.refs[f"refs/tags/{p.item.tag}"] = p.target

    def reachable(self) -> list[Commit]:
        """The commits that a branch or a tag holds, oldest first; heads of unmerged pull requests are not among them."""
        todo = [oid for ref, oid in self.refs.items() if not ref.startswith("refs/pull/")]
        seen: set[str] = set()
        while todo:
            oid = todo.pop()
            if oid not in seen:
                seen.add(oid)
                todo += self.commits[oid].parents
        return [commit for commit in self.commits.values() if commit.sha in seen]

    def _tree(self, oid: str) -> Tree:
        return self.commits[oid].tree if oid else {}

    def _branch(self, item: Item) -> tuple[str, str]:
        """The branch an item goes to and its tip; a branch named for the first time leaves main at `from`."""
        name = item.meta.get("base") or item.meta.get("branch") or "main"
        ref = f"refs/heads/{name}"
        start = item.meta.get("from", "")
        if ref not in self.refs and start:
            tag = self.refs.get(f"refs/tags/{start}")
            self.refs[ref] = tag or [c for c in self.main_line if f"{c.at:%Y-%m-%d}" <= start][-1].sha
        return ref, self.refs.get(ref, "")

    def _plans(self, item: Item) -> list[_Plan]:
        """The edits of an item against the tip of its branch."""
        tree = dict(self._tree(self._branch(item)[1]))
        found = []
        for mark, path, old in paths(item.meta.get("files", "")):
            status = mark or ("M" if path in tree else "A")
            fits = (path not in tree) if status in "AR" else path in tree
            if not (fits and (not old or old in tree)):
                raise StoryError(f"{item.where}: {status} {old or path} does not fit the files of {self.name}")
            lines = tree.pop(old) if old else tree.get(path, ())
            if status == "A":
                change = Edit((), self.first.get(path) or begun(path, item.key))
            else:
                change = Edit(lines, ()) if status == "D" else edit(lines, path, item.key)
            if status == "R":  # most of it stays, or git would not call it a rename
                change = Edit(change.removed[:1], change.added[:1], change.after)
            tree[path] = applied(lines, change)
            if status == "D":
                del tree[path]
            found.append(_Plan(status, path, old, change))
        if item.kind == "tree":
            found += [_Plan("A", path, "", Edit((), lines)) for path, lines in self.first.items() if path not in tree]
        return found + self._more(item, found, tree)

    @staticmethod
    def _more(item: Item, found: list[_Plan], tree: Tree) -> list[_Plan]:
        """Another edit of the first file for each commit of a branch that would else be empty."""
        more: list[_Plan] = []
        stays = next((plan.path for plan in found if plan.status != "D"), "")
        lines = tree.get(stays, ())
        for n in range(len(found), len(item.names("commits", " | "))):
            more.append(_Plan("M", stays, "", edit(lines, stays, f"{item.key}/{n}")))
            lines = applied(lines, more[-1].edit)
        return more

    def _release(self, item: Item) -> list[_Plan]:
        """The notes go into the change log; where the version is kept apart, one line of that file changes."""
        tree, notes = self._tree(self._branch(item)[1]), self.voice.said(item.body).split("\n")
        found = []
        for path in dict.fromkeys(("CHANGELOG.md", self.repo.version_file)):
            status = "M" if path in tree else "A"
            if path == "CHANGELOG.md":
                change = Edit((), (f"## {item.tag} ({item.on}): {item.title}", "", *notes, ""), "")
            else:
                old = next((line for line in tree.get(path, ()) if line.startswith("version = ")), "")
                change = Edit((old,) if old else (), (f"version = {item.tag.removeprefix('v')!r}",), "")
            found.append(_Plan(status, path, "", change))
        return found

    def _land(self, item: Item, at: datetime, message: str, plans: list[_Plan], by: str = "", second: str = "") -> Commit:
        """A commit at the tip of the item's branch."""
        ref, tip = self._branch(item)
        parents = tuple(parent for parent in (tip, second) if parent)
        made = self._commit(ref, parents, self.voice.signature(by or item.who), at, message, plans)
        if ref == "refs/heads/main":
            self.main_line.append(made)
        return made

    def _commit(self, ref: str, parents: tuple[str, ...], by: Signature, at: datetime, message: str, plans: list[_Plan]) -> Commit:
        before = self._tree(parents[0]) if parents else {}
        after = dict(before)
        for plan in plans:
            lines = applied(after.get(plan.old or plan.path, ()), plan.edit)
            for gone in (plan.old, plan.path):
                after.pop(gone, None)
            if plan.status != "D":
                after[plan.path] = lines
        text = self.voice.message(message) + "\n"
        web = self.voice.signature("web") if ref.startswith("refs/heads/") else by
        stamps = [f"{who.name} <{who.mail}> {int(at.timestamp())} +0000" for who in (by, web)]
        oid = commit_id(tree_id({path: blob_id(data(lines)) for path, lines in after.items()}), parents, stamps[0], stamps[1], text)
        made = Commit(oid, ref, parents, by, web, at, text.rstrip("\n"), _changes(plans, before, after), after)
        self.commits[oid] = made
        self.refs[ref] = oid
        return made

    def _pull(self, p: Played, at: datetime, by_number: Mapping[int, Played]) -> None:
        item = p.item
        p.base = self._branch(item)[1]
        plans = self._plans(item)
        reverted = by_number.get(int(item.meta.get("reverts", 0)))
        undo = f"This reverts commit {reverted.merge}." if reverted else ""
        p.commits = [made.sha for made in self._own(p, at, plans, undo)]
        p.head = p.commits[-1]
        p.files = _changes(plans, self._left_at(p.head).tree, self._tree(p.head))
        if item.state != "merged":
            return
        if self.repo.merge == "squash":
            trailers = "\n".join(f"Co-authored-by: {{{who}}}" for who in item.names("co"))
            message = "\n\n".join(part for part in (f"{item.title} (#{item.number})", item.body, undo, trailers) if part)
            p.merge = self._land(item, at, message, plans).sha
        else:
            message = f"Merge pull request #{item.number} from {{{item.who}/}}{branch_name(item)}\n\n{item.title}"
            p.merge = self._land(item, at, message, plans, by=item.closer, second=p.head).sha

    def _own(self, p: Played, at: datetime, plans: list[_Plan], undo: str) -> Iterator[Commit]:
        """The commits of a pull request's branch, from where it left and in the order of their subjects."""
        item = p.item
        subjects = item.names("commits", " | ") or [item.title]
        begun_at = (p.at - timedelta(minutes=20)).replace(microsecond=0)
        parent = self._start(item, begun_at, plans)
        begun_at = max(begun_at, self.commits[parent].at + timedelta(seconds=30))
        step = max(at - max(p.at, begun_at), timedelta(minutes=1)) / (len(subjects) + 1)
        for n, subject in enumerate(subjects):
            share = [plan for i, plan in enumerate(plans) if i % len(subjects) == n]
            when = min((begun_at + step * n).replace(microsecond=0), at)
            message = f"{subject}\n\n{undo}" if undo else subject
            made = self._commit(f"refs/pull/{item.number}/head", (parent,), self.voice.at_home(item.who), when, message, share)
            parent = made.sha
            yield made

    def _start(self, item: Item, at: datetime, plans: list[_Plan]) -> str:
        """Where a branch left: the newest commit before its time that has the files it works on, else the tip (rebased)."""
        tip = self._branch(item)[1]
        if item.meta.get("base"):
            return tip
        early = next((c for c in reversed(self.main_line) if c.at <= at), None)
        if early is None:
            return tip
        fits = all((plan.path not in early.tree) if plan.status in "AR" else plan.path in early.tree for plan in plans)
        return early.sha if fits and all(not plan.old or plan.old in early.tree for plan in plans) else tip

    def _left_at(self, head: str) -> Commit:
        """The commit a branch left from."""
        start = self.commits[head]
        while start.ref == self.commits[head].ref:
            start = self.commits[start.parents[0]]
        return start


def _changes(plans: list[_Plan], before: Tree, after: Tree) -> tuple[Change, ...]:
    found: dict[str, Change] = {}
    for plan in plans:
        was = before.get(plan.old or plan.path, ())
        status = found[plan.path].status if plan.path in found else plan.status
        found[plan.path] = Change(status, plan.path, plan.old, *counts(was, after.get(plan.path, ())))
    return tuple(found.values())


def histories(company: Company, played: Iterable[Played], owners: Mapping[str, str]) -> dict[str, History]:
    """The history of every repository that something happens in; `owners` holds the text of each CODEOWNERS."""
    by_repo: dict[str, list[Played]] = {}
    for p in played:
        by_repo.setdefault(p.item.repo, []).append(p)
    found = {}
    for name in sorted(by_repo):
        found[name] = History(company.repos[name], Voice(company), _first(company, name, owners[name]))
        found[name].play(by_repo[name])
    return found


def _first(company: Company, repo: str, owners: str) -> Tree:
    """What is in a repository from its first commit on, in words and not in seeded lines."""
    facts = company.repos[repo]
    running = [f"- {one.id} ({one.path}): {one.description}" for one in company.services.values() if one.repo == repo]
    readme = (f"# {repo}", "", facts.description, "", *running, "", f"Team: {company.teams[facts.team].name}")
    found = {".github/CODEOWNERS": tuple(owners.splitlines()), "README.md": readme}
    aliases = [one for one in company.people.values() if one.own_machine and repo == "tidewire"]
    voice = Voice(company)
    lines = [f"{one.name} <{voice.signature(one.short).mail}> {' <'.join(one.own_machine)}>" for one in aliases]
    return {**found, ".mailmap": tuple(lines)} if lines else found
