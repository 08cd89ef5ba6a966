"""Paths in a question: where they stand, and which files and directories they name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from brain.text.lexicon import COMMON

Ask = Callable[..., Sequence[Mapping[str, Any]]]

QUOTED = re.compile(r"[\"“”„]([^\"“”„]{2,200})[\"“”]|`([^`]{1,200})`|(?<!\w)'([^']{2,200})'(?!\w)|[‘]([^’]{2,200})[’]|[«]([^»]{2,200})[»]")
_PATH = re.compile(
    r"(?<![\w@:/.-])(?:\.{0,2}/)?(?:[\w@.+-]+/)*[\w@.+\[\]~'-]+(?:/|\.[A-Za-z][A-Za-z0-9]{0,9})(?![\w/])|(?<![\w@:/-])(?:\.{0,2}/)?(?:[\w@.+~\[\]-]+/)+[\w@.+~\[\]-]+/?|(?<![\w.])/?\.[a-z][\w.-]+(?:/[\w.-]+)*/?"
)
_BARE = re.compile(
    r"\b(Makefile|README|LICENSE|CHANGELOG|Dockerfile|CONTRIBUTING|CODEOWNERS|NOTICE|Gemfile|Rakefile|Procfile|Vagrantfile|Jenkinsfile|AUTHORS|SECURITY|MAINTAINERS)\b"
)
_DIR_AFTER = re.compile(
    r"[`\"']?([\w@.+~-]+(?:/[\w@.+~-]+)*)/?[`\"']?\s+(?:directory|folder|dir|subdirectory|subfolder|subtree|tree)\b", re.I
)
_DIR_BEFORE = re.compile(
    r"\b(?:directory|folder|dir|path|under|beneath|below|underneath|inside)\s+(?:the\s+)?[`\"']?([\w@.+~-]+(?:/[\w@.+~-]+)*)/?", re.I
)
_ENDING = re.compile(
    r"\.(?:md|rst|txt|py|pyi|ipynb|c|h|cc|cpp|hpp|cs|js|mjs|cjs|jsx|ts|tsx|go|rs|java|kt|rb|php|swift|sh|ya?ml|json|toml|ini|cfg|xml|html?|css|scss|sql|proto|lock|mk|cmake|gradle|svg|png)$",
    re.I,
)


def spots(text: str, quoted: Sequence[re.Match[str]]) -> dict[tuple[int, int], str]:
    """Stretches of the question that may be paths, with the path as typed."""
    found: dict[tuple[int, int], str] = {}
    for m in quoted:
        i = next(i for i in range(1, 6) if m[i] is not None)
        if not re.search(r"\s", m[i]) or re.search(r"[/\\]|\.\w{1,6}$", m[i]):
            found[m.start(i), m.end(i)] = m[i]
    for pattern in (_PATH, _BARE):
        for m in pattern.finditer(text):
            found.setdefault((m.start(), m.end()), m[0].rstrip(".,;:?!'"))
    for pattern in (_DIR_AFTER, _DIR_BEFORE):
        for m in pattern.finditer(text):
            if m[1].lower() not in COMMON or m[0][m.end(1) - m.start() :].startswith("/"):
                found.setdefault((m.start(1), m.end(1)), m[1].rstrip(".,;:?!"))
    return found


class PathFinder:
    """Finds stored files and directories for typed paths; a path may begin with a repository's name."""

    def __init__(self, ask: Ask, repo_key: Callable[[str], str | None]) -> None:
        self._ask, self._repo_key = ask, repo_key

    def find(self, paths: list[str]) -> dict[str, list[str]]:
        """Cleaned path -> keys; a path may start with the repository's name."""
        out: dict[str, list[str]] = {}
        tails = {p: self._tails(p) for p in paths}
        bases = sorted({t.rsplit("/", 1)[-1] for ts in tails.values() for _, t in ts})
        files = self._ask("files_by_base", bases=bases)
        flat = sorted({t for ts in tails.values() for _, t in ts if t})
        dirs = self._ask("dirs_by_tail", tails=flat)
        for path in paths:
            hits = _best_paths(tails[path], files) or _best_paths(tails[path], dirs)
            if not hits:
                old = self._ask("files_renamed", tails=[t for _, t in tails[path] if t])
                hits = [str(r["key"]) for r in old][:5]
            out[path] = hits
        return out

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


def _best_paths(tails: list[tuple[str | None, str]], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Exact paths first, then paths that end in the typed one."""
    for exact in (True, False):
        for repo, tail in tails:
            hits = [
                str(r["key"])
                for r in rows
                if tail and (repo is None or f"repo:{r['repo']}" == repo) and _matches(str(r["path"]).lower(), tail, exact)
            ]
            if hits:
                return hits
    return []


def _matches(path: str, tail: str, exact: bool) -> bool:
    return path == tail if exact else path.endswith(f"/{tail}")
