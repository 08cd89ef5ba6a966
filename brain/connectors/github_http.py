"""GitHub's REST pages over HTTP: each page is kept on disk, asked for again only on condition, and waited for.

The token goes into one request header and nowhere else: not into a file, a message or another host.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from brain.errors import BadInput

Query = Mapping[str, str | int]
TRIES = 6
LONGEST_WAIT_S = 3700
_VERSION = "2022-11-28"
_GONE = (404, 409, 410, 451)


class NotThere(Exception):
    """The address holds nothing (any more): 404, 410, 451, or 409 for an empty repository."""


@dataclass(frozen=True)
class Page:
    """A stored page: its items, the address of the next one, and what makes the next request conditional."""

    url: str
    run: str
    items: Any
    next: str = ""
    etag: str = ""


def _silent(seconds: float, reason: str) -> None:
    """Nobody wants to know of a wait."""


@dataclass
class Pages:
    """The pages of one API root. What this run has read, even before an interruption, is not asked
    again; what an earlier run has read is asked for on condition and reused on 304.

    `on_wait(seconds, reason)` hears of every wait before it begins.
    """

    root: str
    token: str = field(repr=False)
    state: Path
    run: str
    client: httpx.Client
    on_wait: Callable[[float, str], None] = _silent
    clock: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep
    asked: int = field(default=0, init=False)
    _not_before: float = field(default=0.0, init=False)
    _used: set[str] = field(default_factory=set, init=False, repr=False)

    def all(self, path: str, query: Query, limit: int = 0) -> Iterator[dict[str, Any]]:
        """The items of every page of a list; at most `limit` pages when given. Raises NotThere, BadInput."""
        url, count = self._address(path, query), 0
        while url and not (limit and count >= limit):
            page = self._page(url)
            if not isinstance(page.items, list):
                raise BadInput(f"{url}: answered {type(page.items).__name__} where a list was expected")
            yield from (item for item in page.items if isinstance(item, dict))
            url, count = page.next, count + 1

    def one(self, path: str) -> dict[str, Any]:
        """The object at an address. Raises NotThere, BadInput."""
        page = self._page(self._address(path, {}))
        if not isinstance(page.items, dict):
            raise BadInput(f"{page.url}: answered {type(page.items).__name__} where an object was expected")
        return page.items

    def forget_the_rest(self) -> None:
        """Remove the pages that this run had no use for."""
        for file in self.state.glob("*.json.gz"):
            if file.name not in self._used:
                file.unlink(missing_ok=True)

    def _address(self, path: str, query: Query) -> str:
        return str(httpx.URL(f"{self.root.rstrip('/')}/{path.lstrip('/')}", params=dict(query) or None))

    def _page(self, url: str) -> Page:
        if urlsplit(url)[:2] != urlsplit(self.root)[:2]:
            raise BadInput(f"{url}: the next page is on another host than {self.root}; not followed")
        file = self.state / f"{hashlib.sha256(url.encode()).hexdigest()[:32]}.json.gz"
        self._used.add(file.name)
        kept = _load(file, url)
        if kept is not None and kept.run == self.run:
            return kept
        response = self._ask(url, kept.etag if kept else "")
        if response.status_code == 304 and kept is not None:
            page = Page(url, self.run, kept.items, kept.next, kept.etag)
        else:
            page = Page(url, self.run, _body(response), _next(response), response.headers.get("etag", ""))
        _store(file, page)
        return page

    def _ask(self, url: str, etag: str) -> httpx.Response:
        """The answer to a request, after as many waits and tries as it takes; an unusable one raises."""
        problem = ""
        for attempt in range(TRIES):
            self._wait_for_budget()
            try:
                self.asked += 1
                response = self.client.get(url, headers=self._headers(etag))
            except httpx.TransportError as error:
                problem = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
                self._wait(2.0**attempt, f"no answer ({type(error).__name__})", attempt)
                continue
            self._note_budget(response)
            pause = self._pause(response, attempt)
            if pause is None:
                return self._checked(response, url)
            problem = f"HTTP {response.status_code}"
            self._wait(*pause, attempt)
        raise BadInput(f"{_shown(url)}: gave up after {TRIES} tries ({problem}); run again to continue where it stopped")

    def _headers(self, etag: str) -> dict[str, str]:
        headers = {"accept": "application/vnd.github+json", "x-github-api-version": _VERSION, "user-agent": "hopcheck"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        if etag:
            headers["if-none-match"] = etag
        return headers

    def _pause(self, response: httpx.Response, attempt: int) -> tuple[float, str] | None:
        """How long to wait before the same request once more, and why; None when it is answered."""
        status, headers = response.status_code, response.headers
        if status >= 500:
            return 2.0**attempt, f"server error {status}"
        if status not in (403, 429):
            return None
        if headers.get("retry-after", "").isdigit():
            return float(headers["retry-after"]), "rate limit (retry-after)"
        if headers.get("x-ratelimit-remaining") == "0":
            self._not_before = 0.0
            return max(_number(headers, "x-ratelimit-reset") - self.clock(), 0) + 1, "rate limit"
        if status == 429 or "secondary rate limit" in response.text.lower():
            return 60.0 * 2**attempt, "secondary rate limit"
        return None

    def _note_budget(self, response: httpx.Response) -> None:
        if response.headers.get("x-ratelimit-remaining") == "0":
            self._not_before = _number(response.headers, "x-ratelimit-reset") + 1

    def _wait_for_budget(self) -> None:
        left = self._not_before - self.clock()
        self._not_before = 0.0
        if left > 0:
            self._wait(left, "rate limit")

    def _wait(self, seconds: float, reason: str, attempt: int = 0) -> None:
        if attempt == TRIES - 1:
            return
        if seconds > LONGEST_WAIT_S:
            raise BadInput(f"{self.root}: asks to wait {int(seconds)} s ({reason}); run again later to continue where it stopped")
        self.on_wait(seconds, reason)
        self.sleep(seconds)

    def _checked(self, response: httpx.Response, url: str) -> httpx.Response:
        status = response.status_code
        if status in _GONE:
            raise NotThere(url)
        if status == 401:
            raise BadInput(f"{self.root}: refuses the token (401); set GITHUB_TOKEN to one that is valid")
        if status == 403:
            raise BadInput(f"{_shown(url)}: the token may not read this (403); it needs read access to the repository")
        if status not in (200, 304):
            raise BadInput(f"{_shown(url)}: answered HTTP {status}")
        return response


def _shown(url: str) -> str:
    return url.partition("?")[0]


def _number(headers: httpx.Headers, name: str) -> float:
    value = headers.get(name, "")
    return float(value) if value.isdigit() else 0.0


def _next(response: httpx.Response) -> str:
    return str(response.links.get("next", {}).get("url", ""))


def _body(response: httpx.Response) -> Any:
    try:
        return json.loads(response.content)
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        raise BadInput(f"{_shown(str(response.url))}: did not answer with JSON; is this the root of a GitHub API?") from None


def _load(file: Path, url: str) -> Page | None:
    """The stored page; None when there is none, or when what is stored cannot be used."""
    try:
        stored = json.loads(gzip.decompress(file.read_bytes()))
        page = Page(**stored)
    except (OSError, EOFError, ValueError, TypeError):
        return None
    return page if page.url == url else None


def _store(file: Path, page: Page) -> None:
    part = file.with_suffix(".part")
    part.write_bytes(gzip.compress(json.dumps(asdict(page)).encode(), compresslevel=1))
    os.replace(part, file)
