"""What people decided about candidates, kept beside the records, so that a graph made anew knows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from brain.errors import BadInput

STATES = ("approved", "rejected", "candidate")


@dataclass(frozen=True)
class Decision:
    """One decision: which claims (their aids), what was decided, by whom, when and why; `was` is what each was before, in the
    order of `aids`. `undoes` is the number of the decision it takes back, `action` the id of the approval that it carries out.
    """

    n: int
    aids: tuple[str, ...]
    state: str
    by: str
    at: int
    reason: str = ""
    undoes: int = 0
    was: tuple[str, ...] = ()
    action: str = ""


class Decisions:
    """The decisions of one workspace, the latest word on each claim counting."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def history(self) -> list[Decision]:
        """Every decision in order."""
        if not self._path.exists():
            return []
        lines = self._path.read_bytes().splitlines()
        return [Decision(**{**d, "aids": tuple(d["aids"]), "was": tuple(d.get("was", ()))}) for d in map(orjson.loads, lines)]

    def states(self) -> dict[str, str]:
        """Claim id -> what stands decided; a claim taken back is not in it."""
        history = self.history()
        undone = {d.undoes for d in history if d.undoes}
        return {aid: d.state for d in history if d.n not in undone and not d.undoes for aid in d.aids}

    def read_as(self) -> dict[str, str]:
        """Claim id -> what its connector took it for, of every claim ever decided about."""
        first: dict[str, str] = {}
        for d in self.history():
            for aid, was in zip(d.aids, d.was, strict=False):
                first.setdefault(aid, was)
        return first

    def add(
        self, aids: Iterable[str], state: str, by: str, at: int, reason: str = "", undoes: int = 0, was: Mapping[str, str] | None = None,
        action: str = "",
    ) -> Decision:  # fmt: skip
        """Writes a decision; BadInput for an unknown state or none to decide."""
        aids = tuple(dict.fromkeys(aids))
        if state not in STATES:
            raise BadInput(f"a candidate can become {', '.join(STATES)}, not {state!r}")
        if not aids:
            raise BadInput("name at least one candidate")
        before = tuple((was or {}).get(aid, "candidate") for aid in aids)
        made = Decision(len(self.history()) + 1, aids, state, by, at, reason, undoes, before, action)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("ab") as out:
            out.write(orjson.dumps(asdict(made)) + b"\n")
        return made

    def undo(self, n: int, by: str, at: int) -> Decision:
        """Takes decision `n` back; BadInput when there is none, or it was taken back before."""
        history = {d.n: d for d in self.history()}
        if n not in history or history[n].undoes or any(d.undoes == n for d in history.values()):
            raise BadInput(f"there is no decision {n} that could be taken back")
        return self.add(history[n].aids, "candidate", by, at, undoes=n)
