"""What the moment of a decision knows: who decides, with what rights, when, and how open what it writes may be."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from brain import viewers
from brain.errors import BadInput
from brain.labels import LABELS, label_of
from brain.tools.asking import Asking

if TYPE_CHECKING:
    from brain.ingest import Workspace


@dataclass(frozen=True)
class Moment:
    """One decision about approval `id`: `ctx` asks as whoever decides, `proposer` with the rights it was proposed with, which the
    former's cover, `everything` as one who may see all; `at` is when the button was pressed and `holds` the instant from which on the
    company is another one.
    """

    id: str
    ctx: Asking
    proposer: Asking
    everything: Asking
    files: Workspace
    at: int
    reason: str = ""

    @property
    def holds(self) -> int:
        """The present of the workspace."""
        return self.ctx.as_of

    @property
    def aid(self) -> str:
        """The id of the claim that the decision makes; one for each thing it makes is made of it."""
        return hashlib.sha256(f"approval\0{self.id}".encode()).hexdigest()[:16]

    @property
    def proof(self) -> str:
        """The id of what those claims rest on."""
        return f"approval-{self.id}"

    def words(self, did: str) -> str:
        """What was done, by whom, when and why, as evidence quotes it."""
        why = " ".join(self.reason.split())
        return f"{did} by {self.ctx.viewer.id} on {day(self.holds)}{f': {why}' if why else ''}"

    def person(self) -> str:
        """The person of the company who decides; empty when nobody there is known to be."""
        own = next((g for g in sorted(self.ctx.viewer.groups) if g.startswith("person:")), "")
        found = None if own else viewers.person(self.ctx.viewer.id, self.everything)
        return own or (found[0] if found else "")

    def claim(self, n: int, label: Mapping[str, Any], on: str, rule: str) -> dict[str, Any]:
        """The properties of the n-th claim that the decision makes, as open as `label` says, resting on its own words."""
        return {
            "aid": f"{self.aid}{n or ''}", "authority": "practice", "state": "approved", "valid_from": self.holds,
            "recorded_at": self.holds, "evidence": [self.proof], "access_key": on, "rule": f"approvals:{rule}", **label,
        }  # fmt: skip

    def evidence(self, label: Mapping[str, Any], on: str, line: int, quote: str, rule: str) -> dict[str, Any]:
        """What the claims rest on: the words of the decision itself."""
        return {"id": self.proof, "source": on, "line": line, "quote": quote, "file": self.proof, "rule": f"approvals:{rule}", **label}


def narrowest(everything: Asking, keys: Iterable[str]) -> dict[str, Any]:
    """The label that is open to nobody who may not read every one of these: access, and the groups where all that is restricted is
    open to the same. BadInput for a key that is not there.
    """
    found: list[tuple[str, frozenset[str]]] = []
    for key in dict.fromkeys(keys):
        rows = everything.run("label_of", key=key).rows
        if not rows:
            raise BadInput(f"{key!r} is not there any more")
        found.append((label_of({"access": rows[0]["access"] or "restricted"}, ""), frozenset(map(str, rows[0]["aud"] or ()))))
    access = max((a for a, _ in found), key=LABELS.index, default="internal")
    narrow = [aud for a, aud in found if a != "open"]
    aud = frozenset.intersection(*narrow) if access == "restricted" else frozenset[str]()
    return {"access": access, "aud": sorted(aud)} if aud else {"access": access}


def names(ctx: Asking, keys: Iterable[str]) -> dict[str, str]:
    """The names of those things that may be read, by key."""
    wanted = list(dict.fromkeys(keys))
    return {str(r["key"]): str(r["name"]) for r in ctx.run("may_read", keys=wanted).rows} if wanted else {}


def still(ctx: Asking, keys: Iterable[str]) -> dict[str, str]:
    """The names of all of these; BadInput when one of them cannot be read (any more)."""
    wanted = list(dict.fromkeys(keys))
    found = names(ctx, wanted)
    if lost := [key for key in wanted if key not in found]:
        raise BadInput(f"{lost[0]!r} is not there any more, so this cannot be done; propose again")
    return found


def day(at: int) -> str:
    """The day of an instant, UTC."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d")
