"""What a model cites, as keys: what it abbreviated or decorated stands for a key only where what the tools returned leaves no choice."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from brain.agents.wording import is_key, short
from brain.schema import LABEL_OF_PREFIX
from brain.statements import keys
from brain.types import Node, Step

_KIND = re.compile(
    r"^(?:pull request|pull-request|pull|pr|merge request|mr|issue|commit|release|version|tag|ticket|repository|repo|team|service"
    r"|person|user|file|directory|decision|rule|document|doc|runbook|alert|incident|deployment|deploy|source|key|see|chunk)\b[\s:#]*(?=\S)",
    re.IGNORECASE,
)
_SHA = re.compile(r"[0-9a-f]{7,40}")
_SHOWN = 5


@dataclass(frozen=True)
class Cited:
    """What a citation stands for: its `key`, or empty with the `reason` why it stands for none."""

    written: str
    key: str = ""
    reason: str = ""


class Citations:
    """Resolves what is cited against what the steps of a run returned, and against `entries`, the things the question names."""

    def __init__(self, steps: Sequence[Step], entries: Sequence[str] = ()) -> None:
        self._keys: dict[str, None] = {}
        self._forms: dict[str, set[str]] = defaultdict(set)
        for key in entries:
            self._learn(key, "")
        for step in steps:
            for node in step.nodes:
                self._learn_node(node)
            for key in keys(step.rows):
                self._learn(key, "")

    def _learn_node(self, node: Node) -> None:
        self._learn(node.key, node.name)

    def _learn(self, key: str, name: str) -> None:
        if name:
            self._forms[_folded(name)].add(key)
        if key not in self._keys:
            self._keys[key] = None
            for form in _abbreviations(key):
                self._forms[_folded(form)].add(key)

    def resolve(self, written: str) -> Cited:
        """The key that is meant, or why there is none."""
        plain = _bare(written)
        if not plain:
            return Cited(written, reason="it cites nothing")
        for form in dict.fromkeys((written.strip(), plain)):
            if form in self._keys:
                return Cited(written, self._source(form))
        found = {self._source(key) for form in _readings(plain) for key in self._forms.get(form, ())} or self._by_hash(plain)
        if len(found) == 1:
            return Cited(written, found.pop())
        if found:
            some = sorted(found)
            more = f" and {len(some) - _SHOWN} more" if len(some) > _SHOWN else ""
            return Cited(written, reason=f"{written.strip()!r} could be any of {', '.join(some[:_SHOWN])}{more}; cite the whole key")
        return Cited(written, reason=f"{written.strip()[:120]!r} was not returned by any tool of this run; cite a key that was")

    def _by_hash(self, plain: str) -> set[str]:
        """Commits whose hash begins so."""
        sha = plain.rpartition("@")[2].lower()
        if not _SHA.fullmatch(sha):
            return set()
        return {key for key in self._keys if key.startswith("commit:") and key.rpartition("@")[2].startswith(sha)}

    def _source(self, key: str) -> str:
        """What a passage stands in, for the key of a passage."""
        if not key.startswith("chunk:"):
            return key
        source = key.removeprefix("chunk:").rpartition("/")[0]
        return source if source in self._keys else key


def _bare(written: str) -> str:
    """The words without the signs around them, full-width signs as their plain ones."""
    plain = re.sub(r"\s+", " ", unicodedata.normalize("NFKC", written))
    start, end = 0, len(plain)
    while start < end and _sign(plain[start]):
        start += 1
    while end > start and _sign(plain[end - 1]):
        end -= 1
    return plain[start:end]


def _sign(c: str) -> bool:
    """A bracket, quotation mark, full stop and the like, or a gap; not what a key may begin with."""
    return c in "`|$^~ " or (c not in "#@" and unicodedata.category(c).startswith("P"))


def _folded(text: str) -> str:
    return _bare(text).casefold().removeprefix("@")


def _readings(plain: str) -> list[str]:
    """How the words may be read: as they are, and without a word in front that only says what kind of thing it is."""
    found = [_folded(plain)]
    head, _, rest = plain.partition(":")
    if rest and head.casefold() in LABEL_OF_PREFIX:
        return [*found, f"{head.casefold()}:{_folded(rest)}"]
    without = _KIND.sub("", plain, count=1)
    if without != plain:
        found += [_folded(without), *([f"#{without.lstrip('#')}"] if without.lstrip("#").isdigit() else [])]
    return found


def _abbreviations(key: str) -> Iterable[str]:
    """How people write the key of a thing: without its kind, without its organisation, by its number, tag or file name alone."""
    if not is_key(key):
        return [key]
    prefix, _, rest = key.partition(":")
    forms = {key, rest, short(key)}
    if prefix in ("pr", "issue"):
        repo, _, number = rest.rpartition("#")
        forms |= {f"#{number}", f"{repo.rpartition('/')[2]}#{number}"}
        forms |= {f"{prefix}:{repo.rpartition('/')[2]}#{number}", f"{prefix}:#{number}", f"{prefix}:{number}", f"{prefix}#{number}"}
    elif prefix in ("release", "commit"):
        repo, _, tag = rest.partition("@")
        forms |= {tag, f"{repo.rpartition('/')[2]}@{tag}", f"{prefix}:{tag}", f"{prefix}:{repo.rpartition('/')[2]}@{tag}"}
        if prefix == "release" and re.match(r"v\d", tag):
            forms |= {tag[1:], f"{repo.rpartition('/')[2]}@{tag[1:]}", f"{repo.rpartition('/')[2]} {tag}"}
    elif prefix in ("file", "dir", "doc"):
        name = rest.rpartition("/")[2]
        forms |= {name, f"{prefix}:{name}", *([name.rpartition(".")[0]] if prefix == "doc" and "." in name else [])}
        forms |= {rest.split("/", 2)[2]} if prefix != "doc" and rest.count("/") > 1 else set()
    elif prefix == "repo":
        forms |= {rest.rpartition("/")[2], f"repo:{rest.rpartition('/')[2]}"}
    return forms
