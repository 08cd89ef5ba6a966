"""What a model cites, as keys: what it abbreviated or decorated stands for a key only where what the tools returned leaves no choice."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from brain.agents.wording import is_key, short
from brain.schema import LABEL_OF_PREFIX
from brain.statements import keys
from brain.types import Step

_KINDS = {
    "pull request": "pr", "pull-request": "pr", "pull": "pr", "pr": "pr", "merge request": "pr", "mr": "pr", "issue": "issue",
    "commit": "commit", "release": "release", "version": "release", "tag": "release", "ticket": "ticket", "repository": "repo",
    "repo": "repo", "team": "team", "service": "service", "person": "person", "user": "person", "file": "file", "directory": "dir",
    "decision": "decision", "rule": "rule", "document": "doc", "doc": "doc", "runbook": "doc", "alert": "alert", "incident": "incident",
    "deployment": "deploy", "deploy": "deploy", "thread": "thread", "message": "message", "source": "", "key": "", "see": "",
}  # fmt: skip
_KIND = re.compile(rf"^(?P<kind>{'|'.join(sorted(_KINDS, key=len, reverse=True))})\b[\s:]*(?=\S)", re.IGNORECASE)
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
        self._names = [(node.key, node.name) for step in steps for node in step.nodes]
        self._keys = dict.fromkeys([*entries, *(key for key, _ in self._names), *(key for step in steps for key in keys(step.rows))])

    @cached_property
    def _forms(self) -> dict[str, set[str]]:
        """How everything that was returned may be called; worked out when something is not cited by its key."""
        forms: dict[str, set[str]] = defaultdict(set)
        for key, name in self._names:
            if name:
                forms[_folded(name)].add(key)
        for key in self._keys:
            for form in abbreviations(key):
                forms[_folded(form)].add(key)
        return forms

    def resolve(self, written: str) -> Cited:
        """The key that is meant, or why there is none."""
        plain = _bare(written)
        if not plain:
            return Cited(written, reason="it cites nothing")
        for form in dict.fromkeys((written.strip(), plain)):
            if form in self._keys:
                return Cited(written, self._source(form))
        found = next((keys for reading in _readings(plain) if (keys := self._called(reading))), set()) or self._by_hash(plain)
        if len(found) == 1:
            return Cited(written, found.pop())
        if found:
            some = sorted(found)
            more = f" and {len(some) - _SHOWN} more" if len(some) > _SHOWN else ""
            return Cited(written, reason=f"{written.strip()!r} could be any of {', '.join(some[:_SHOWN])}{more}; cite the whole key")
        return Cited(written, reason=f"{written.strip()[:120]!r} was not returned by any tool of this run; cite a key that was")

    def _called(self, reading: tuple[str, str]) -> set[str]:
        """The keys that are called so and, where that is said, of that kind."""
        form, kind = reading
        return {self._source(key) for key in self._forms.get(form, ()) if not kind or key.partition(":")[0] == kind}

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


@lru_cache(maxsize=50_000)
def _folded(text: str) -> str:
    return _bare(text).casefold().removeprefix("@")


def _readings(plain: str) -> list[tuple[str, str]]:
    """How the words may be read: as they are, and as a name behind a word that says what kind of thing it is; each with that kind."""
    found = [(_folded(plain), "")]
    head, _, rest = plain.partition(":")
    if rest and head.casefold() in LABEL_OF_PREFIX:
        return [*found, (_folded(rest), head.casefold())]
    if named := _KIND.match(plain):
        kind, name = _KINDS[named["kind"].casefold()], plain[named.end() :]
        number = f"#{name.lstrip('#')}"
        found += [(form, kind) for form in ([_folded(name), number] if number[1:].isdigit() else [_folded(name)])]
    return found


def abbreviations(key: str) -> Iterable[str]:
    """How people may write the key of a thing: without its kind, without its organisation, by its number, tag or file name alone."""
    if not is_key(key):
        return [key]
    prefix, _, rest = key.partition(":")
    forms = {key, rest, short(key)}
    if prefix in ("pr", "issue"):
        repo, _, number = rest.rpartition("#")
        forms |= {f"#{number}", f"{repo.rpartition('/')[2]}#{number}"}
    elif prefix in ("release", "commit"):
        repo, _, tag = rest.partition("@")
        forms |= {tag, f"{repo.rpartition('/')[2]}@{tag}"}
        if prefix == "release" and re.match(r"v\d", tag):
            forms |= {tag[1:], f"{repo.rpartition('/')[2]}@{tag[1:]}", f"{repo.rpartition('/')[2]} {tag}"}
    elif prefix in ("file", "dir", "doc"):
        name = rest.rpartition("/")[2]
        forms |= {name, *([name.rpartition(".")[0]] if prefix == "doc" and "." in name else [])}
        forms |= {rest.split("/", 2)[2]} if prefix != "doc" and rest.count("/") > 1 else set()
    elif prefix == "repo":
        forms.add(rest.rpartition("/")[2])
    return forms
