"""GitHub data from files: i-d-template archives, raw REST lists, python-github-backup folders and
`gh ... --json` output, told apart by content. Nothing is dropped in silence: what is left out is a skip record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from brain.connectors.github_collect import Collected, Record, Skipped, Totals, complete
from brain.connectors.github_fields import Malformed, instant_of, repo_of
from brain.connectors.github_kinds import kind_of
from brain.connectors.github_rows import rows
from brain.connectors.github_shapes import item
from brain.connectors.github_structure import label
from brain.connectors.json_files import Element, elements
from brain.errors import BadInput

__all__ = ["fetch", "is_backup", "recognise", "rows", "source_record"]

_LISTS = ("labels", "issues", "pulls")
_BACKUP_READ = ("issues", "pulls", "labels", "releases")
_BACKUP_CLONES = ("repository", "wiki")


def recognise(path: Path) -> str | None:
    """Which GitHub layout a file or folder holds: "archive", "backup", "gh", "rest"; None for none.
    Only the beginning of a file is read, and of a folder only what tells.
    """
    if path.is_dir():
        if _backup_repos(path):
            return "backup"
        return next((found for file in _json_files(path) if (found := recognise(file))), None)
    try:
        first = next(_elements(path), None)
    except BadInput:
        return None
    if first is None or first.part:
        return "archive" if first else None
    if kind_of(first.value) is None:
        return None
    return "gh" if {"createdAt", "nameWithOwner", "tagName"} & first.value.keys() else "rest"


def fetch(path: Path | Sequence[Path], *, org: str | None = None, repo: str | None = None, access: str = "open") -> Iterator[Record]:
    """The raw records of the file, the folder, or several of them joined.

    One section a repository: a `source` record, its records, a `totals` record. `repo` ("org/name")
    is for lists that do not name their repository, `org` for backups that do not. Raises BadInput,
    naming the file, for what is missing, cut off, wrongly encoded, or not GitHub's.
    """
    paths = [path] if isinstance(path, Path) else list(path)
    loose: list[Path] = []
    found = False
    for one in paths:
        backups = _backup_repos(one)
        for folder in backups:
            beside = _beside(one) if folder is backups[0] else []
            yield from _backup(one, folder, org, access, beside)
            found = True
        loose += [] if backups else _json_files(one) if one.is_dir() else [one]
    pile = _Pile(repo)
    for file in loose:
        stream = _elements(file)
        first = next(stream, None)
        if first is not None and first.part == "head":
            yield from _archive(file, first.value, stream, access)
            found = True
        elif first is not None:
            pile.add_file(file, [first], stream, must=file in paths)
    pile.settle()
    if not found and not pile.holds_something:
        raise BadInput(f"{paths[0]}: {pile.first_reason or 'nothing in it is GitHub data that can be loaded'}")
    for _, data in sorted(pile.repos.items()):
        yield from section(data, str(paths[0]), complete=False, access=access)
    yield from pile.strange.records()


def source_record(repo: str, path: str, *, complete: bool, as_of: int, access: str) -> Record:
    """The record that opens a section."""
    return {
        "kind": "source",
        "format": "github",
        "source": f"github:{repo}",
        "repo": repo,
        "complete": complete,
        "as_of": as_of,
        "access": access,
        "path": path,
        "totals": {},
    }


def section(data: Collected, path: str, *, complete: bool, access: str, as_of: int | None = None) -> Iterator[Record]:
    """The records of one collected repository; a private one is never open."""
    private = bool(data.info and data.info["private"])
    label_ = "internal" if private and access == "open" else access
    moment = data.as_of if as_of is None else as_of
    yield source_record(data.repo, path, complete=complete, as_of=moment, access=label_)
    yield from data.records()


def _elements(file: Path) -> Iterator[Element]:
    return elements(file, marker="magic", streamed=_LISTS)


def _json_files(folder: Path) -> list[Path]:
    """The JSON files under a folder, clones of repositories and linked folders left out."""
    found: list[Path] = []
    for entry in _entries(folder):
        if entry.is_dir():
            clone = entry.name.startswith(".") or (entry / ".git").exists() or (entry / "HEAD").exists()
            found += [] if clone or entry.is_symlink() else _json_files(entry)
        elif entry.suffix == ".json":
            found.append(entry)
    return found


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise BadInput(f"{folder}: cannot be read: {error.strerror}") from None


def _archive(file: Path, head: dict[str, Any], stream: Iterator[Element], access: str) -> Iterator[Record]:
    repo = head.get("repo")
    if not isinstance(repo, str) or repo.count("/") != 1:
        raise BadInput(f"{file}: the archive names its repository {repo!r:.60}; expected org/name")
    try:
        as_of = instant_of(head, "timestamp")
    except Malformed as error:
        raise BadInput(f"{file}: {error}") from None
    totals, skipped = Totals(), Skipped()
    yield source_record(repo, str(file), complete=True, as_of=as_of or 0, access=access)
    for element in stream:
        lost: list[str] = []
        try:
            yield totals.add(_archived(element, repo, lost))
        except Malformed as error:
            lost.append(str(error))
        for reason in lost:
            skipped.bad(str(file), element.where, reason)
    for record in skipped.records():
        yield totals.add(record)
    yield totals.record()


def _archived(element: Element, repo: str, lost: list[str]) -> Record:
    if not isinstance(element.value, dict):
        raise Malformed(f"is {type(element.value).__name__}, not an object")
    if element.part == "labels":
        return label(element.value, repo)
    return complete(item(element.value, repo, element.part == "pulls", lost))


class _Pile:
    """Records of several files on their way to the repository each belongs to."""

    def __init__(self, repo: str | None) -> None:
        self.default = repo
        self.repos: dict[str, Collected] = {}
        self.homeless: list[tuple[str, Element, Path]] = []
        self.strange = Skipped()

    def of(self, repo: str) -> Collected:
        return self.repos.setdefault(repo.lower(), Collected(repo))

    def add_file(self, file: Path, first: list[Element], rest: Iterator[Element], must: bool) -> None:
        """Take every record of a file; one that must be GitHub's and is not raises BadInput."""
        strange: list[str] = []
        known = 0
        for element in chain(first, rest):
            kind = kind_of(element.value)
            if kind is None:
                strange.append(element.where)
                continue
            known += 1
            name = repo_of(element.value) or self.default
            if name:
                self._place(self.of(name), kind, element, file)
            else:
                self.homeless.append((kind, element, file))
        if strange and not known and must:
            raise BadInput(f"{file}: is JSON, but nothing that GitHub, gh or a backup of them writes")
        for where in strange if known else ():
            self.strange.bad(str(file), where, "is no record of GitHub's")
        if strange and not known:
            self.strange.other(str(file), "not GitHub data")

    def _place(self, home: Collected, kind: str, element: Element, file: Path) -> None:
        if kind.startswith("other:"):
            home.skipped.other(str(file), f"{kind.removeprefix('other:')} not stored")
        else:
            home.add(kind, element.value, str(file), element.where)

    def settle(self) -> None:
        """Find a home for records that name no repository: the only one there is. Raises BadInput."""
        only = next(iter(self.repos.values())) if len(self.repos) == 1 else None
        for kind, element, file in self.homeless:
            home = only or (next(iter(self.repos.values()), None) if kind == "person" else None)
            if home is None:
                raise BadInput(f"{file}: does not say which repository it is from; pass --repo ORG/NAME")
            self._place(home, kind, element, file)
        self.homeless.clear()
        for data in list(self.repos.values())[:1]:
            data.skipped.take(self.strange)

    @property
    def holds_something(self) -> bool:
        return any(data.holds_something for data in self.repos.values())

    @property
    def first_reason(self) -> str:
        skips = (skip for data in self.repos.values() for skip in data.skipped.records())
        return next((f"nothing could be used: {skip['reason']}" for skip in skips), "")


def _backup_repos(folder: Path) -> list[Path]:
    """The folders of single repositories when this is a python-github-backup folder."""
    inner = folder if folder.name == "repositories" else folder / "repositories"
    candidates = _entries(inner) if inner.is_dir() else [folder]
    return [one for one in candidates if any(_numbered(one / part) for part in ("issues", "pulls")) or _listed(one)]


def is_backup(folder: Path) -> bool:
    """Whether a folder is one that python-github-backup made."""
    return bool(_backup_repos(folder))


def _beside(root: Path) -> list[Path]:
    """What a backup holds next to its repositories: the account, starred repositories, gists."""
    if not (root / "repositories").is_dir():
        return []
    return [entry for entry in _entries(root) if entry.is_dir() and entry.name != "repositories"]


def _numbered(folder: Path) -> bool:
    return folder.is_dir() and any(file.stem.isdigit() for file in folder.glob("*.json"))


def _listed(folder: Path) -> bool:
    return (folder / "labels" / "labels.json").is_file() or any((folder / "releases").glob("*.json"))


def _backup(root: Path, folder: Path, org: str | None, access: str, beside: list[Path]) -> Iterator[Record]:
    pile = _Pile(f"{org}/{folder.name}" if org else None)
    for part in _BACKUP_READ:
        for file in sorted((folder / part).glob("*.json")):
            pile.add_file(file, [], _elements(file), must=True)
    pile.settle()
    if not pile.repos:
        raise BadInput(f"{folder}: the backup of this repository is empty")
    data = max(pile.repos.values(), key=lambda one: len(one.items))
    unread = [e for e in _entries(folder) if e.is_dir() and e.name not in (*_BACKUP_READ, *_BACKUP_CLONES)]
    for other in sorted(unread) + beside:
        data.skipped.other(str(other), f"{other.name} not stored", max(sum(1 for _ in other.rglob("*.json")), 1))
    whole = all((folder / name).is_dir() for name in ("issues", "pulls"))
    for one in pile.repos.values():
        yield from section(one, str(root), complete=whole and one is data, access=access)
