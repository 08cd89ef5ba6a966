"""Files under their latest names, the directories they lie in, and which change touched them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from brain.connectors.git_section import Section
from brain.schema import MAX_KEY_BYTES
from brain.types import EdgeRow, Row, Skip

Raw = dict[str, Any]
MOST_FILES = 2000


class Files:
    """Collects the files of one repository while its changes go by."""

    def __init__(self, section: Section) -> None:
        self._section = section
        self._touched: dict[str, list[int | None]] = {}  # path: born at, changed at

    def present(self, paths: Iterable[str]) -> None:
        """Notes files at the tip of the default branch."""
        for path in paths:
            self._touched.setdefault(path, [None, None])

    def touched(
        self, key: str, files: list[list[Any]], sha: str, at: int, record: Raw, seen: set[str] | None = None
    ) -> Iterator[Row]:
        """TOUCHED edges from a change that is, or starts at, commit `sha`; at most 2,000 of them, and
        none to the files in `seen`, which grows.
        """
        if len(files) > MOST_FILES:
            reason = f"{key} touches more than {MOST_FILES} files"
            yield Skip(reason, self._section.origin(record), len(files) - MOST_FILES)
        seen = set() if seen is None else seen
        for status, path, _, added, deleted in files[:MOST_FILES]:
            latest = self._section.context.latest_path(self._section.repo, path, sha)
            node = self._key(latest)
            if node is None:
                yield Skip(f"path longer than {MAX_KEY_BYTES} bytes", self._section.origin(record))
                continue
            if node in seen:
                continue
            seen.add(node)
            span = self._touched.setdefault(latest, [None, None])
            span[0] = at if span[0] is None else min(span[0], at)
            span[1] = at if span[1] is None else max(span[1], at)
            yield self._section.edge(key, "TOUCHED", node, record, status=status, path=path, added=added, deleted=deleted, at=at)

    def _key(self, path: str) -> str | None:
        key = f"file:{self._section.repo}/{path}"
        return key if len(key.encode()) <= MAX_KEY_BYTES else None

    def rows(self) -> Iterator[Row]:
        """The nodes of all files and directories, and where they lie."""
        section, repo = self._section, self._section.repo
        earlier = section.context.earlier_paths(repo)
        folders: set[str] = {""}
        for path, (born, changed) in sorted(self._touched.items()):
            key = self._key(path)
            if key is None:
                continue
            folder, _, base = path.rpartition("/")
            props: dict[str, Any] = {"repo": repo, "path": path, "base": base, "born_at": born, "changed_at": changed}
            props["ext"] = base.rpartition(".")[2].lower() if "." in base[1:] else ""
            props["exists"] = section.context.path_exists(repo, path)
            yield section.node(key, path, None, **props, earlier_names=earlier.get(path))
            yield section.edge(key, "IN_REPO", f"repo:{repo}", None)
            yield section.edge(key, "IN_DIR", _dir_key(repo, folder), None)
            while folder not in folders:
                folders.add(folder)
                folder = folder.rpartition("/")[0]
        for folder in sorted(folders):
            yield from self._folder(folder)

    def _folder(self, folder: str) -> Iterator[Row]:
        section, repo = self._section, self._section.repo
        depth = folder.count("/") + 1 if folder else 0
        key = _dir_key(repo, folder)
        yield section.node(key, folder or repo, None, repo=repo, path=folder, depth=depth)
        yield section.edge(key, "IN_REPO", f"repo:{repo}", None)
        if folder:
            yield EdgeRow(key, "IN_DIR", _dir_key(repo, folder.rpartition("/")[0]), {}, section.origin())


def _dir_key(repo: str, folder: str) -> str:
    return f"dir:{repo}/{folder}" if folder else f"dir:{repo}"
