"""Which files and folders a rule is about, and which rule has the last word on one. A pattern that covers a folder
whole stands for the folder; other patterns stand for the files they match.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from codeowners import CodeOwners

MOST_FILES = 500
_UNSEEN = "~no-such-name~"
_BLANK = "\x02"  # for the library a blank in a path is twenty slashes
_GLOB = frozenset("*?\\")


@dataclass(frozen=True)
class Target:
    """A folder (`whole`) or a file by its path; the folder "" is the repository, a `flat` one has no folder in it."""

    path: str
    whole: bool
    flat: bool = False

    @property
    def probe(self) -> str:
        """A path that stands for all of it."""
        if self.flat:
            return f"{self.path}/{_UNSEEN}"
        return f"{self.path}/{_UNSEEN}/{_UNSEEN}".lstrip("/") if self.whole else self.path


@dataclass(frozen=True)
class Matched:
    """What one rule is about and has the last word on; `more` files beyond the bound, `any` whether it matches at all."""

    rule: Mapping[str, Any]
    targets: tuple[Target, ...]
    more: int = 0
    any: bool = True


class Tree:
    """The files of a repository and their folders, as far as known; `whole`: there are no others."""

    def __init__(self, paths: Iterable[str], whole: bool) -> None:
        self.whole = whole
        self.files = sorted(paths)
        self.folders: set[str] = set()
        for path in self.files:
            folder = path.rpartition("/")[0]
            while folder and folder not in self.folders:
                self.folders.add(folder)
                folder = folder.rpartition("/")[0]
        self._folders = sorted(self.folders)
        self._present = frozenset(self.files)
        self._named: defaultdict[str, list[Target]] = defaultdict(list)
        for folder in sorted(self.folders):
            self._named[folder.rpartition("/")[2]].append(Target(folder, True))
        for path in self.files:
            self._named[path.rpartition("/")[2]].append(Target(path, False))

    def at(self, path: str, folder: bool) -> list[Target]:
        """What lies at exactly this path; where nobody knows, what the path looks like."""
        if path in self.folders:
            return [Target(path, True)]
        if path in self._present and not folder:
            return [Target(path, False)]
        looks = folder or "." not in path.rpartition("/")[2].lstrip(".")
        return [] if self.whole else [Target(path, looks)]

    def named(self, name: str, folder: bool) -> list[Target]:
        """What is called so anywhere."""
        return [t for t in self._named.get(name, ()) if t.whole or not folder] or self.at(name, folder)

    def under(self, folder: str) -> tuple[list[str], list[str]]:
        """The folders and files that lie somewhere in a folder, "" being the repository."""
        found = []
        for paths in (self._folders, self.files):
            start, end = (bisect_left(paths, f"{folder}{c}") for c in "/0") if folder else (0, len(paths))
            found.append(paths[start:end])
        return found[0], found[1]

    def has(self, target: Target) -> bool:
        """Whether it is known to be there."""
        return not target.path or (target.path in self.folders if target.whole else target.path in self._present)


def matched(rules: Sequence[Mapping[str, Any]], tree: Tree) -> Iterator[Matched]:
    """For every rule what it has the last word on, the last rule that matches winning; each section has its own."""
    sections: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for rule in rules:
        sections[rule["section"]].append(rule)
    for section in sections.values():
        lines = [""] * max(rule["line"] for rule in section)
        for rule in section:
            lines[rule["line"] - 1] = _line(rule["pattern"])
        last = CodeOwners("\n".join(lines))
        for rule in section:
            targets, more = _targets(rule["pattern"], tree)
            mine = tuple(t for t in targets if _wins(last, t) == rule["line"])
            yield Matched(rule, mine, more, bool(targets))


def _line(pattern: str) -> str:
    return pattern.replace("\\ ", _BLANK) + " @x"


def _wins(rules: CodeOwners, target: Target) -> int | None:
    return rules.matching_line(target.probe.replace(" ", _BLANK))[1]


def _targets(pattern: str, tree: Tree) -> tuple[list[Target], int]:
    path = pattern.strip("/").replace("\\ ", " ")
    if not _GLOB & set(path):
        anchored = "/" in pattern.rstrip("/")
        return (tree.at if anchored else tree.named)(path, pattern.endswith("/")), 0
    one = CodeOwners(_line(pattern))

    def fits(target: Target) -> bool:
        return _wins(one, target) is not None

    if fits(Target("", True)):
        return [Target("", True)], 0
    stem = path.removesuffix("/**/*").removesuffix("/**")
    if stem != path and not _GLOB & set(stem):
        return tree.at(stem, True), 0
    folders, files = tree.under(_plain_start(pattern))
    stem = path.removesuffix("/*")
    if stem in tree.folders and stem != path and not folders:
        return [Target(stem, True, flat=True)], 0
    found = [Target(f, True) for f in folders if fits(Target(f, True)) and not fits(Target(f.rpartition("/")[0], True))]
    inside = tuple(f"{t.path}/" for t in found)
    possible = () if pattern.endswith("/") else (Target(f, False) for f in files if not f.startswith(inside))
    single = [target for target in possible if fits(target)]
    return found + single[:MOST_FILES], max(len(single) - MOST_FILES, 0)


def _plain_start(pattern: str) -> str:
    """The folder that everything lies in that an anchored pattern can match; "" for none."""
    parts = pattern.strip("/").split("/")
    if "/" not in pattern.rstrip("/"):
        return ""
    plain = list(takewhile(lambda part: not _GLOB & set(part), parts[:-1]))
    return "/".join(plain)
