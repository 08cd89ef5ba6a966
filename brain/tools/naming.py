"""What people type, as keys: repositories, persons, releases and paths. Case, slashes at the ends and
earlier names do not matter; what fits nothing is refused with what there is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from brain.errors import ToolError
from brain.tools.asking import Asking


@dataclass(frozen=True)
class Places:
    """What a path means: keys of files, beginnings of the keys of files below directories ("file:o/n/src/"),
    and the keys of the entities themselves.
    """

    files: tuple[str, ...] = ()
    under: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    repos: tuple[str, ...] = ()


def repositories(ctx: Asking, names: Iterable[str]) -> list[str]:
    """The "org/name" of every name given, be it a key, a full, short or earlier name."""
    wanted = [n.strip() for n in names if n.strip()]
    if not wanted:
        return []
    rows = ctx.run("repositories").rows
    found = []
    for name in wanted:
        plain = name.removeprefix("repo:").strip("/").lower()
        fits = [r["key"][5:] for r in rows if plain in (r["key"][5:].lower(), *map(str.lower, r["aliases"]))]
        fits = fits or [r["key"][5:] for r in rows if plain == (r["short"] or r["key"].rsplit("/", 1)[-1]).lower()]
        if not fits:
            raise ToolError(f"no repository is called {name!r}; there are {', '.join(r['key'][5:] for r in rows[:20]) or 'none'}")
        found += fits
    return list(dict.fromkeys(found))


def persons(ctx: Asking, names: Iterable[str]) -> list[str]:
    """The key of every person named by key, login or name."""
    found = []
    for name in names:
        login = name.strip().removeprefix("person:").removeprefix("@")
        if not login:
            continue
        key = f"person:{login.lower()}"
        if not ctx.run("entities", keys=[key]).rows:
            rows = ctx.run("find_entities", names=[login], labels=["Person"], k=5).rows
            if len({r["key"] for r in rows}) != 1:
                there = f"; it could be {', '.join(r['key'] for r in rows)}" if rows else ""
                raise ToolError(f"no one person is called {name!r}{there}")
            key = rows[0]["key"]
        found.append(key)
    return list(dict.fromkeys(found))


@dataclass(frozen=True)
class Release:
    """A release: its key, its repository, and when it was published."""

    key: str
    repo: str
    at: int


def release(ctx: Asking, name: str, repos: list[str]) -> Release:
    """The release given by key, or by tag where that is one release; of tags that differ in case alone, the one spelled so."""
    name = name.strip()
    rows = ctx.run("release_named", tags=[name.lower()], repos=repos).rows
    if len({r["repo"] for r in rows}) != 1:
        which = f"; name the repository: {', '.join(r['key'] for r in rows)}" if rows else ""
        raise ToolError(f"there is not one release called {name!r}{which}")
    row = next((r for r in rows if name in (r["key"], r["tag"])), rows[0])
    return Release(str(row["key"]), str(row["repo"]), int(row["at"]))


def entity(ctx: Asking, key: str) -> str:
    """The key as it is stored; ToolError when the viewer can see no such thing."""
    text = key.strip()
    if text.startswith(("dir:", "repo:")):
        text = text.rstrip("/")
    for attempt in dict.fromkeys((text, text.lower() if text.startswith("person:") else text)):
        if ctx.run("entities", keys=[attempt]).rows:
            return attempt
    rows = ctx.run("same_key", key=text).rows
    if not rows:
        raise ToolError(f"nothing is known under the key {key!r}; find_entities and search_text find keys")
    return str(rows[0]["key"])


def places(ctx: Asking, path: str, repos: list[str]) -> Places:
    """The files and directories that a typed path or a key means."""
    repos, rest = _split(ctx, path, repos)
    if rest == "":
        if not repos:
            raise ToolError(f"{path!r} names no path; give a file, a directory, or a repository")
        return Places((), tuple(f"file:{r}/" for r in repos), tuple(f"repo:{r}" for r in repos), tuple(repos))
    for attempt in (rest, f".{rest}"):
        found = _lookup(ctx, attempt.lower(), repos)
        if found:
            return found
    where = f" in {', '.join(repos)}" if repos else ""
    raise ToolError(f"no file or directory{where} is or was called {rest!r}")


def _split(ctx: Asking, path: str, repos: list[str]) -> tuple[list[str], str]:
    """(repositories, path inside them) of what was typed."""
    text = re.sub(r"/{2,}", "/", path.strip().replace("\\", "/"))
    kind, _, inner = text.partition(":")
    if kind in ("file", "dir", "repo") and inner:
        owner, _, tail = inner.partition("/")
        name, _, rest = tail.partition("/")
        return repositories(ctx, [f"{owner}/{name}"]), rest.strip("/")
    while text.startswith("./"):
        text = text[2:]
    text = "" if text.strip("/") == "." else text.strip("/")
    return repos, text


def _lookup(ctx: Asking, path: str, repos: list[str]) -> Places | None:
    rows = ctx.run("paths_like", path=path, repos=repos).rows
    for how in ("path", "earlier", "tail"):
        fits = [r for r in rows if r["how"] == how]
        if how != "path":
            folders = ctx.run("folders_like", path=path, repos=repos).rows if how == "earlier" else ()
            if folders:
                under = tuple(f"file:{r['repo']}/{r['path']}/" for r in folders)
                return Places(tuple(r["key"] for r in fits if r["label"] == "File"), under, tuple(r["key"] for r in fits), ())
        if fits:
            files = tuple(r["key"] for r in fits if r["label"] == "File")
            under = tuple("file:" + r["key"][4:] + "/" for r in fits if r["label"] == "Directory")
            return Places(files, under, tuple(r["key"] for r in fits), ())
    return None
