"""GitHub loaded over the network: the same records as from files, page by page, resumable.

An interrupted load, started again with the same wishes, goes on where it stopped; a finished one
asks on condition the next time. Everything it keeps lies in `state_dir`.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from brain.connectors.github import section
from brain.connectors.github_collect import Collected, Record
from brain.connectors.github_fields import repo_of
from brain.connectors.github_http import NotThere, Pages, Query
from brain.errors import BadInput

PER_PAGE = 100
FILE_PAGES = 3
COMMIT_PAGES = 3
_NAME = re.compile(r"[\w.-]+")


def fetch_live(
    org: str,
    *,
    state_dir: Path,
    repos: Sequence[str] = (),
    since: int | None = None,
    token: str = "",
    api_root: str = "https://api.github.com",
    access: str = "open",
    timeout_s: float = 30,
    transport: httpx.BaseTransport | None = None,
    on_wait: Callable[[float, str], None] | None = None,
    on_progress: Callable[[str, int], None] | None = None,
    clock: Callable[[], float] = time.time,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[Record]:
    """The records of an organisation's repositories (or of `repos`: "name" or "org/name"), one section each.

    `since` (epoch seconds) takes only issues and pull requests updated from then on; the sources are
    then not complete. `on_wait(seconds, reason)` hears of each wait, `on_progress(repository, number
    of requests so far)` of each step. Raises BadInput with one line for a refused token, an unknown
    organisation or repository, or a server that stays silent.
    """
    state = _folder(state_dir)
    wish = {"api": api_root, "org": org, "repos": sorted(repos), "since": since}
    run, started = _resume(state / "run.json", wish, clock)
    with httpx.Client(timeout=timeout_s, follow_redirects=True, transport=transport) as client:
        pages = Pages(api_root, token, state, run, client, clock=clock, sleep=sleep)
        if on_wait is not None:
            pages.on_wait = on_wait
        for info in list(_repositories(pages, org, repos)):
            data = _Repository(pages, info, since, on_progress).collect()
            yield from section(data, f"{api_root}/repos/{data.repo}", complete=since is None, access=access, as_of=started)
        if since is None:
            pages.forget_the_rest()
    (state / "run.json").unlink(missing_ok=True)


def _folder(path: Path) -> Path:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{path}: cannot be made to keep pages in: {error.strerror}") from None
    return path


def _resume(file: Path, wish: dict[str, Any], clock: Callable[[], float]) -> tuple[str, int]:
    """The id and start of the unfinished run with the same wish, or of a new one."""
    try:
        kept = json.loads(file.read_text())
        if kept["wish"] == wish:
            return str(kept["run"]), int(kept["started"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    started = int(clock())
    run = f"{started}-{os.urandom(4).hex()}"
    file.write_text(json.dumps({"run": run, "started": started, "wish": wish}))
    return run, started


def _repositories(pages: Pages, org: str, repos: Sequence[str]) -> Iterator[dict[str, Any]]:
    for name in repos:
        full = name if "/" in name else f"{org}/{name}"
        if not all(_NAME.fullmatch(part) for part in full.split("/")) or full.count("/") != 1:
            raise BadInput(f"{name!r} is not the name of a repository; expected NAME or ORG/NAME")
        try:
            yield pages.one(f"repos/{full}")
        except NotThere:
            raise BadInput(f"{full}: no such repository at {pages.root}, or the token may not see it (404)") from None
    if repos:
        return
    if not _NAME.fullmatch(org):
        raise BadInput(f"{org!r} is not the name of an organisation or user")
    for kind in ("orgs", "users"):
        try:
            yield from pages.all(f"{kind}/{org}/repos", {"per_page": PER_PAGE})
            return
        except NotThere:
            continue
    raise BadInput(f"{org}: no such organisation or user at {pages.root}, or the token may not see it (404)")


class _Repository:
    """One repository on its way in: lists first, then what each pull request holds."""

    def __init__(self, pages: Pages, info: dict[str, Any], since: int | None, on_progress: Callable[[str, int], None] | None) -> None:
        self.pages, self.since, self.on_progress = pages, since, on_progress
        name = repo_of(info)
        if name is None:
            raise BadInput(f"{pages.root}: lists a repository without a name; is this the root of a GitHub API?")
        self.path = f"repos/{name}"
        self.data = Collected(name)
        self.data.add("repo", info, self.path, "")

    def collect(self) -> Collected:
        self._list("label", "labels")
        self._list("release", "releases")
        sorting = {"state": "all", "sort": "updated", "direction": "asc"}
        numbers: dict[int, bool] = {}
        for raw in self._all("issues", {**sorting, **self._since()}):
            self.data.add("issue", raw, f"{self.path}/issues", f"#{raw.get('number')}")
            if isinstance(raw.get("number"), int):
                numbers[raw["number"]] = "pull_request" in raw
        if self.since is None:
            self._list("comment", "issues/comments", {"sort": "created", "direction": "asc"})
            self._list("review_comment", "pulls/comments", {"sort": "created", "direction": "asc"})
        for number, is_pull in sorted(numbers.items()):
            self._item(number, is_pull)
        return self.data

    def _since(self) -> dict[str, str]:
        if self.since is None:
            return {}
        return {"since": datetime.fromtimestamp(self.since, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}

    def _item(self, number: int, is_pull: bool) -> None:
        if self.since is not None:
            self._list("comment", f"issues/{number}/comments")
        if not is_pull:
            return
        if self.since is not None:
            self._list("review_comment", f"pulls/{number}/comments")
        where = f"{self.path}/pulls/{number}"
        try:
            raw_pull = self.pages.one(where)
        except NotThere:
            self.data.skipped.other(where, "pull request is no longer there")
            return
        self.data.add("pull", raw_pull, where, f"#{number}")
        for raw in self._all(f"pulls/{number}/reviews"):
            self.data.add("review", raw, where, f"review of #{number}")
        files = list(self._all(f"pulls/{number}/files", limit=FILE_PAGES))
        commits = list(self._all(f"pulls/{number}/commits", limit=COMMIT_PAGES))
        for name, had in (("changed_files", len(files)), ("commits", len(commits))):
            if isinstance(stated := raw_pull.get(name), int) and stated > had:
                self.data.skipped.other(where, f"{name.replace('_', ' ')} beyond the first {had}", stated - had)
        self.data.changed(number, files, commits, where)

    def _list(self, kind: str, part: str, query: Query | None = None) -> None:
        for raw in self._all(part, query):
            self.data.add(kind, raw, f"{self.path}/{part}", f"{kind} {raw.get('id', '')}".strip())

    def _all(self, part: str, query: Query | None = None, limit: int = 0) -> Iterator[dict[str, Any]]:
        """A list of the repository; one that is not there (issues switched off) is noted and empty."""
        if self.on_progress is not None:
            self.on_progress(self.data.repo, self.pages.asked)
        try:
            yield from self.pages.all(f"{self.path}/{part}", {"per_page": PER_PAGE, **(query or {})}, limit)
        except NotThere:
            self.data.skipped.other(f"{self.path}/{part}", "switched off or not there")
