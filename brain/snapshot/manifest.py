"""The first thing that is read of a snapshot: whose it is, what is in it and how long each entry is, sealed by who wrote it."""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import asdict, dataclass, field
from typing import Any

import orjson

from brain.errors import BadInput
from brain.snapshot.parts import PARTS

KIND, VERSION = "hopcheck-snapshot", 1
NAME = "manifest.json"
META = ("loaded_at", "embedder", "stands_at")
INSTANT = re.compile(r"[0-9]{1,10}")
ENTRY = re.compile(r"(?:(?:records|reports|memory)/[0-9]{5}|decisions|concepts|vectors|runs|approvals|playbooks)\.(?:jsonl|json|yaml)")


@dataclass(frozen=True)
class Manifest:
    """What a snapshot says of itself. `files` are its entries: how many bytes, and their SHA-256. `sources` are those loaded, with
    their access label and how many records each has. Times are epoch seconds.
    """

    version: int
    made_by: str
    made_at: int
    workspace: str
    meta: dict[str, str]
    parts: list[str]
    sources: list[dict[str, Any]]
    files: dict[str, list[Any]] = field(default_factory=dict)
    seal: str = ""

    @property
    def size(self) -> int:
        """How long all entries are together, unpacked."""
        return sum(int(size) for size, _ in self.files.values())

    def sealed(self, key: bytes) -> Manifest:
        """The same with the seal of an installation, which its secret key makes and no other can."""
        return Manifest(**{**asdict(self), "seal": self._seal(key)})

    def own(self, key: bytes) -> bool:
        """Did the installation with that key write it? Then addresses are hashed in it as they are here."""
        return hmac.compare_digest(self.seal, self._seal(key))

    def _seal(self, key: bytes) -> str:
        told = {k: v for k, v in asdict(self).items() if k != "seal"}
        return hmac.new(key, KIND.encode() + orjson.dumps(told, option=orjson.OPT_SORT_KEYS), hashlib.sha256).hexdigest()

    def dumps(self) -> bytes:
        """As it stands in the file."""
        return orjson.dumps({"kind": KIND, **asdict(self)}, option=orjson.OPT_INDENT_2)


def loads(text: bytes, where: str) -> Manifest:
    """The manifest; BadInput when it is none, or of a newer version than this."""
    try:
        told = orjson.loads(text)
        kind, version = told.pop("kind"), int(told["version"])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadInput(f"{where}: not a snapshot") from None
    if kind != KIND:
        raise BadInput(f"{where}: not a snapshot")
    if version > VERSION:
        raise BadInput(f"{where} is a snapshot of format {version}, and this version reads up to {VERSION}: load it with a newer hopcheck")
    try:
        made = Manifest(**told)
        _check(made)
    except (TypeError, ValueError, AttributeError) as error:
        raise BadInput(f"{where}: its list of contents is damaged ({error})") from None
    return made


def _check(m: Manifest) -> None:
    """ValueError when something in it is not of the kind it must be."""
    texts = (m.made_by, m.workspace, m.seal, *m.meta.values(), *m.parts, *(digest for _, digest in m.files.values()))
    if not all(isinstance(text, str) and len(text) < 500 for text in texts) or not isinstance(m.made_at, int):
        raise ValueError("a value is of another kind")
    if not INSTANT.fullmatch(str(m.made_at)):
        raise ValueError("it was made at no time")
    times = (m.meta.get("loaded_at", ""), m.meta.get("stands_at", ""))
    if not set(m.meta) <= set(META) or any(time and not INSTANT.fullmatch(time) for time in times):
        raise ValueError("it notes what it should not")
    if not set(m.parts) <= PARTS.keys():
        raise ValueError("it carries a part that is not known")
    if not all(ENTRY.fullmatch(name) and type(size) is int and size >= 0 for name, (size, _) in m.files.items()):
        raise ValueError("an entry has a name or length that none has")
    if not all(isinstance(s, dict) and {"source", "access", "records"} <= s.keys() for s in m.sources):
        raise ValueError("its sources are not told")
