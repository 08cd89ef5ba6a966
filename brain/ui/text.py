"""Words on the page. Text from the corpus or a model is inert here: no HTML, image, link or directive."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, urlencode

from brain.text.inert import inert, written_out
from brain.text.markup import web_url as web_url
from brain.types import Claim

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-!|~$:^=.&@/])")
_BARE = re.compile(r"[a-z]+:(?=//)|\bwww(?=\.)|(?<=\w)@(?=\w)", re.I)
_FORMULA = re.compile(r"\s*(?:[=\uff1d\t]|[-+@\uff0d\uff0b\uff20](?=.*[(|!]))", re.S)
_SHORT = {
    "pr": "PR",
    "issue": "issue",
    "release": "release",
    "commit": "commit",
    "dir": "directory",
    "file": "file",
    "concept": "term",
    "person": "",
    "repo": "",
    "doc": "",
    "ticket": "",
}

VERDICTS = {
    "supported": ("✓", "supported"),
    "unsupported": ("?", "unsupported"),
    "contradicted": ("✗", "contradicted"),
}
STATES = {
    "answered": ("✓", "answered"),
    "insufficient": ("∅", "not enough evidence"),
    "premise_corrected": ("↺", "premise corrected"),
    "refused": ("⦸", "refused"),
}
ARM_NAMES = {"graph": "Graph", "vector": "Passages", "hybrid": "Hybrid passages", "baseline": "Latest deploy rule"}


def arm(name: str) -> str:
    """An arm as people call it."""
    return ARM_NAMES.get(name, name)


def plain(text: object) -> str:
    """The text on one line, without characters that command, reorder or hide."""
    return " ".join(inert(text).split())


def safe_md(text: object) -> str:
    """The text as Markdown that shows its characters: nothing in it is fetched, styled or a link.

    Bare addresses become links without any markup, so an invisible joiner parts them.
    """
    return _MARKDOWN.sub(r"\\\1", _BARE.sub("\\g<0>\u2060", plain(text)))


def esc(text: object) -> str:
    """The text for an HTML body or a quoted attribute."""
    return html.escape(inert(text), quote=True)


def chart(text: object) -> str:
    """The text for a chart, whose library takes tags and links in labels for markup."""
    return html.escape(plain(text), quote=False)


def as_json(value: object) -> str:
    """The value as JSON to read, with what cannot be seen written out."""
    return written_out(json.dumps(value, indent=1, ensure_ascii=False, default=str))


def in_sheet(value: object) -> object:
    """The value for a table that can be taken along as a file: text that a spreadsheet would compute stands behind a quote."""
    if not isinstance(value, str):
        return value
    shown = inert(value)
    return f"'{shown}" if _FORMULA.match(shown) else shown


def short(text: object, limit: int = 60) -> str:
    """The text on one line and at most `limit` characters, with an ellipsis where it was cut."""
    line = plain(text)
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def words(name: str) -> str:
    """`PullRequest` or `IN_REPO` as people say it: `Pull request`, `in repo`."""
    if name.isupper() or "_" in name:
        return name.replace("_", " ").lower()
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).capitalize()


def when(epoch: object) -> str:
    """An instant as `2024-03-01`, or nothing for what is no instant."""
    if isinstance(epoch, bool) or not isinstance(epoch, int | float) or not 0 < epoch < 253402300800:
        return ""
    return datetime.fromtimestamp(epoch, UTC).strftime("%Y-%m-%d")


def took(ms: float) -> str:
    """A duration as a person reads it: `42 ms`, `1.3 s`, `2 min 5 s`."""
    if ms < 10:
        return f"{ms:.1f} ms"
    if ms < 1000:
        return f"{ms:.0f} ms"
    if ms < 60_000:
        return f"{ms / 1000:.1f} s"
    return f"{ms // 60_000:.0f} min {ms % 60_000 / 1000:.0f} s"


def count(n: int, one: str, many: str = "") -> str:
    """`1 step`, `3 steps`, `1,204 steps`."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def key_label(key: str) -> str:
    """A citation key as it stands in a sentence: `pr:org/name#12` is `PR name#12`."""
    prefix, colon, rest = key.partition(":")
    if not colon:
        return plain(key)
    if prefix == "chunk":
        source, _, n = rest.rpartition("/")
        return f"{key_label(source)} ¶{n}" if source else plain(rest)
    if prefix in ("pr", "issue", "release", "commit", "file", "dir") and "/" in rest:
        rest = rest.split("/", 1)[1]
    if prefix == "rule":
        rest = rest.rpartition("/")[2].replace("-", " ")
    if prefix == "commit" and "@" in rest:
        name, _, sha = rest.partition("@")
        rest = f"{name}@{sha[:8]}"
    return plain(f"{_SHORT.get(prefix, prefix)} {rest}")


def verdict(claim: Claim) -> tuple[str, str]:
    """The symbol and the words of a claim's verdict."""
    return VERDICTS[claim.verdict]


def url(page: str, params: Mapping[str, Any] | None = None) -> str:
    """A link to a page of the app, relative so that it works under a base path; `page` "" is Ask."""
    pairs = {k: v for k, v in (params or {}).items() if v not in (None, "", [])}
    query = urlencode(pairs, doseq=True, quote_via=quote)
    return (page or "./") + (f"?{query}" if query else "")
