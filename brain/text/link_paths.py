"""Paths in a question: where they stand, and which files and directories they name."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from brain import schema
from brain.text.lexicon import COMMON
from brain.text.mentions import Ask, Links, Mention, Stock, repo_of

QUOTED = re.compile(
    r"[\"“”„]([^\"“”„]{2,200})[\"“”]|`([^`]{1,200})`|(?<!\w)'([^']{2,200})'(?!\w)"
    r"|[\u2018]([^\u2019]{2,200})[\u2019]|[«]([^»]{2,200})[»]"
)
_PATH = re.compile(
    r"(?<![\w@:/.-])(?:\.{0,2}/)?(?:[\w@.+-]+/+)*[\w@.+\[\]~'-]+(?:/|\.[A-Za-z][A-Za-z0-9]{0,9})(?![\w/])"
    r"|(?<![\w@:/-])(?:\.{0,2}/)?(?:[\w@.+~\[\]-]+/+)+[\w@.+~\[\]-]+/?"
    r"|(?<![\w.])/?\.[a-z][\w.-]+(?:/[\w.-]+)*/?"
)
_BARE = re.compile(
    r"\b(Makefile|README|LICENSE|CHANGELOG|Dockerfile|CONTRIBUTING|CODEOWNERS|NOTICE|Gemfile|Rakefile|Procfile|Vagrantfile"
    r"|Jenkinsfile|AUTHORS|SECURITY|MAINTAINERS)\b"
)
_DIR_AFTER = re.compile(
    r"[`\"']?([\w@.+~-]+(?:/[\w@.+~-]+)*)/?[`\"']?\s+(?:directory|folder|dir|subdirectory|subfolder|subtree|tree)\b", re.I
)
_DIR_BEFORE = re.compile(
    r"\b(?:directory|folder|dir|path|under|beneath|below|underneath|inside)\s+(?:the\s+)?[`\"']?([\w@.+~-]+(?:/[\w@.+~-]+)*)/?", re.I
)
_ENDING = re.compile(
    r"\.(?:md|rst|txt|py|pyi|ipynb|c|h|cc|cpp|hpp|cs|js|mjs|cjs|jsx|ts|tsx|go|rs|java|kt|rb|php|swift|sh|ya?ml|json|toml|ini|cfg|xml"
    r"|html?|css|scss|sql|proto|lock|mk|cmake|gradle|svg|png)$",
    re.I,
)


def quoted_in(text: str) -> Iterator[tuple[int, int, str]]:
    """What stands between quotation marks or backticks: start, end, words."""
    for match in QUOTED.finditer(text):
        group = int(match.lastindex or 1)
        yield match.start(group), match.end(group), match[group]


def link_paths(text: str, links: Links, stock: Stock, finder: PathFinder, repos: Collection[str]) -> None:
    """Adds what paths name, in the named repositories (keys) where they are there; the longest stretch first."""
    free = {spot: path for spot, path in spots(text).items() if links.free(*spot) and stock.repo_key(path) is None}
    found = finder.find(list(dict.fromkeys(clean(path) for path in free.values()))) if free else {}
    for (start, end), raw in sorted(free.items(), key=lambda item: item[0][0] - item[0][1]):
        keys = found.get(clean(raw), [])
        if len(keys) > 1:
            keys = [key for key in keys if repo_of(key) in repos] or keys
        if keys:
            links.add(Mention(start, end, raw, tuple(keys), schema.label_of(keys[0]), "path"))
        elif looks_like_path(raw) and links.free(start, end) and not stock.lexicon.get(raw):
            links.unknown.append((raw, "no such file or directory"))


def spots(text: str) -> dict[tuple[int, int], str]:
    """Stretches of the question that may be paths, with the path as typed."""
    found: dict[tuple[int, int], str] = {}
    for start, end, raw in quoted_in(text):
        if not re.search(r"\s", raw) or re.search(r"[/\\]|\.\w{1,6}$", raw):
            found[start, end] = raw
    for pattern in (_PATH, _BARE):
        for match in pattern.finditer(text):
            found.setdefault(match.span(), match[0].rstrip(".,;:?!'"))
    for pattern in (_DIR_AFTER, _DIR_BEFORE):
        for match in pattern.finditer(text):
            if match[1].lower() not in COMMON or match[0][match.end(1) - match.start() :].startswith("/"):
                found.setdefault(match.span(1), match[1].rstrip(".,;:?!"))
    return found


class PathFinder:
    """Finds stored files and directories for typed paths; a path may begin with a repository's name."""

    def __init__(self, ask: Ask, repo_key: Callable[[str], str | None]) -> None:
        self._ask, self._repo_key = ask, repo_key

    def find(self, paths: Sequence[str]) -> dict[str, list[str]]:
        """Cleaned path -> keys of the files, else the directories, else the files that once had that path."""
        tails = {path: self._tails(path) for path in paths}
        below = sorted({tail for readings in tails.values() for _, tail in readings if tail})
        files = self._ask("files_by_base", bases=sorted({tail.rsplit("/", 1)[-1] for tail in below}))
        dirs = self._ask("dirs_by_tail", tails=below)
        return {path: _best(tails[path], files) or _best(tails[path], dirs) or self._renamed(tails[path]) for path in paths}

    def _renamed(self, readings: Sequence[tuple[str | None, str]]) -> list[str]:
        rows = self._ask("files_renamed", tails=[tail for _, tail in readings if tail])
        return [str(row["key"]) for row in rows][:5]

    def _tails(self, path: str) -> list[tuple[str | None, str]]:
        """(repository or None, path below it) readings of a typed path."""
        readings: list[tuple[str | None, str]] = [(None, path)]
        parts = path.split("/")
        for n in (2, 1):
            if len(parts) > n and (repo := self._repo_key("/".join(parts[:n]))):
                readings.insert(0, (repo, "/".join(parts[n:])))
        return readings


def looks_like_path(raw: str) -> bool:
    """Typed so that nothing but a path is meant: two slashes, a slash at an end, or a known ending."""
    return raw.count("/") > 1 or raw.endswith("/") or raw.startswith("/") or bool(_ENDING.search(raw) or _BARE.fullmatch(raw))


def clean(path: str) -> str:
    """A typed path as it is compared: lower case, no leading ./, no trailing slash, no doubled ones."""
    path = re.sub(r"/{2,}", "/", path.replace("\\", "/").strip().strip("`\"'"))
    path = re.sub(r"^(?:\./)+|^/+", "", path)
    return re.sub(r"(?:/\*\*?)?/*$", "", path).lower()


def _best(readings: Sequence[tuple[str | None, str]], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Exact paths first, then paths that end in the typed one."""
    for exact in (True, False):
        for repo, tail in readings:
            hits = [str(row["key"]) for row in rows if tail and _is_at(row, repo, tail, exact)]
            if hits:
                return hits
    return []


def _is_at(row: Mapping[str, Any], repo: str | None, tail: str, exact: bool) -> bool:
    path = str(row["path"]).lower()
    return (repo is None or f"repo:{row['repo']}" == repo) and (path == tail if exact else path.endswith(f"/{tail}"))
