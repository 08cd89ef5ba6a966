"""The replay set: one JSON object a line, an alert with what is right about it; a bad line is refused with the fix."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

from brain.errors import DefinitionError

SETS = Path(__file__).parents[1] / "sets"


@dataclass(frozen=True)
class Replay:
    """One alert. `causes`, `herrings`, `broke`, `page` are keys; no causes means that none is recorded. `page` are those of whom any
    is right in the first place, `baseline` what the dumb rule names ("" for nothing), `baseline_page` whom it turns to; `same` other
    keys of a cause, `hops` how far the cause is from what alerted, None without a way. `viewer` None is a local administrator.
    """

    id: str
    category: str
    alert: str
    workspace: str
    as_of: int
    causes: tuple[str, ...]
    herrings: tuple[str, ...]
    broke: tuple[str, ...]
    page: tuple[str, ...]
    hops: int | None
    baseline: str
    baseline_page: tuple[str, ...]
    cluster: str
    viewer: str | None = None
    same: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def quiet(self) -> bool:
        """Whether nothing recorded is behind it."""
        return not self.causes

    def line(self) -> str:
        """The replay as its line of a set file."""
        return json.dumps(asdict(self), ensure_ascii=False)

    def cause_of(self, key: str) -> str:
        """The cause that a key names, by itself or as another key of the same change; "" for none."""
        return next((c for c in self.causes if key == c or key in self.same.get(c, ())), "")


def load(path: Path) -> list[Replay]:
    """The replays of a set file in order; `DefinitionError` names file, line and the fix."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise DefinitionError(f"{path}: no such replay set; those shipped are incidents*.jsonl in {SETS.name}/") from None
    out: list[Replay] = []
    for n, text in enumerate(lines, 1):
        if text.strip():
            out.append(parse(text, f"{path}:{n}"))
            if any(out[-1].id == other.id for other in out[:-1]):
                raise DefinitionError(f"{path}:{n}: id {out[-1].id!r} stands there twice; give each alert its own")
    if not out:
        raise DefinitionError(f"{path}: holds no alert; write one JSON object a line")
    return out


def parse(text: str, where: str) -> Replay:
    """One line as a replay; `where` (file:line) stands in the error."""
    try:
        raw = json.loads(text)
    except ValueError as error:
        raise DefinitionError(f"{where}: not JSON ({error}); write one JSON object a line") from None
    if not isinstance(raw, dict):
        raise DefinitionError(f"{where}: a {type(raw).__name__}, not an object")
    names = [f.name for f in fields(Replay)]
    unknown, missing = sorted(raw.keys() - set(names)), [n for n in names[:-2] if n not in raw]
    if unknown or missing:
        wrong = f"no field {unknown[0]!r}" if unknown else f"misses {missing[0]!r}"
        raise DefinitionError(f"{where}: {wrong}; the fields are {', '.join(names)}")
    lists = {n: tuple(raw[n]) for n in ("causes", "herrings", "broke", "page", "baseline_page")}
    replay = Replay(**{**raw, **lists, "same": {k: tuple(v) for k, v in raw.get("same", {}).items()}})
    if not replay.page or (replay.causes and not replay.broke) or (replay.quiet and replay.broke):
        raise DefinitionError(f"{where}: {replay.id} needs somebody in 'page', and 'broke' exactly when there are causes")
    return replay
