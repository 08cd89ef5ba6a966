"""The files under what a person named: in order, and not into what programs keep for themselves."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

LEFT_OUT = frozenset({"node_modules", "bower_components", "__pycache__", "site-packages", "dist-packages", "__MACOSX"})
_DEPENDENCIES = ("pyvenv.cfg", "conda-meta")


def left_out(folder: Path) -> bool:
    """Whether a folder holds what programs made or fetched: version control, dependencies, environments."""
    hidden = folder.name.startswith(".") and folder.name not in (".github", ".gitlab")
    return hidden or folder.name in LEFT_OUT or any((folder / name).exists() for name in _DEPENDENCIES)


def entries(folder: Path) -> tuple[list[Path], list[Path], list[str]]:
    """The folders to search, the files, and the names of what is left out, of those that lie directly in a folder."""
    with os.scandir(folder) as found:
        listed = sorted(found, key=lambda entry: entry.name)
    folders, files, left = list[Path](), list[Path](), list[str]()
    for entry in listed:
        if entry.is_file():
            files.append(Path(entry.path))
        elif entry.is_dir(follow_symlinks=False) and not left_out(Path(entry.path)):
            folders.append(Path(entry.path))
        else:
            left.append(entry.name)
    return folders, files, left


def files_under(paths: Iterable[Path]) -> Iterator[Path]:
    """Every file of the paths, and under those that are folders, each once, folder by folder."""
    seen: set[Path] = set()
    waiting = list(reversed(list(paths)))
    while waiting:
        path = waiting.pop()
        if path.is_dir():
            folders, files, _ = entries(path)
            waiting += reversed(folders)
            found = files
        else:
            found = [path]
        for file in found:
            if file not in seen:
                seen.add(file)
                yield file


def place(file: Path, base: Path) -> str:
    """A file's path from `base`, with slashes."""
    return file.relative_to(base).as_posix() if file.is_relative_to(base) else file.as_posix()
