"""Earlier names of a repository, from the addresses in its own issues and pull requests.

A transfer keeps the numbers: then somebody has linked to a remark of the very page they wrote on, by the
address it had. A copy restarts them: then a number is named that this repository did not have yet. One
such contradiction, and the name is another repository's.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

Raw = dict[str, Any]

_ADDRESS = re.compile(
    r"https?://(?:www\.)?github\.com/(?P<repo>[\w.-]+/[\w.-]+)/(?P<kind>issues|pull)/(?P<n>\d{1,8})"
    r"(?P<remark>#(?:issuecomment|discussion_r|pullrequestreview)-?\d)?"
)


class _Link(NamedTuple):
    number: int
    at: int
    on: int
    remark: bool


class OldAddresses:
    """Collects the addresses in one repository's texts that name another repository."""

    def __init__(self, name: str) -> None:
        self._own = name.lower()
        self._links: defaultdict[str, list[_Link]] = defaultdict(list)
        self._pages: set[str] = set()

    def add(self, record: Raw) -> None:
        """Notes an issue or a pull request."""
        page = _ADDRESS.match(record.get("url") or "")
        if page and int(page["n"]) == record["number"] and page["repo"].lower() != self._own:
            self._pages.add(page["repo"].lower())
        created = record.get("created_at") or 0
        for text, at in _texts(record, created):
            for match in _ADDRESS.finditer(text) if "github.com/" in text else ():
                name = match["repo"].lower()
                if name != self._own:
                    self._links[name].append(_Link(int(match["n"]), at, record["number"], bool(match["remark"])))

    def names(self, created: Mapping[int, int]) -> set[str]:
        """The earlier names, in lower case; `created` tells when each number of the repository began."""
        return self._pages | {name for name, links in self._links.items() if _is_ours(links, created)}


def _is_ours(links: list[_Link], created: Mapping[int, int]) -> bool:
    own = any(link.remark and link.number == link.on for link in links)
    return own and all(created.get(link.number, link.at + 1) <= link.at for link in links)


def _texts(record: Raw, created: int) -> Iterator[tuple[str, int]]:
    yield record.get("body") or "", created
    for remark in (*(record.get("comments") or ()), *(record.get("reviews") or ())):
        yield remark.get("body") or "", remark.get("at") or created
        for inline in remark.get("comments") or ():
            yield inline.get("body") or "", inline.get("at") or created
