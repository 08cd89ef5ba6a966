"""How near in meaning the change's own words are to what the alert says, where an embedder is there."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence

from brain.agents.run import Run
from brain.incident.changes import Change
from brain.incident.findings import Signal
from brain.incident.harmless import release_only
from brain.types import Result

MOST = 16


def likeness(run: Run, signal: Signal, changes: Sequence[Change]) -> Mapping[str, float]:
    """Cosine between the alert's title and what each change is called (of a deployment: the changes in it); the nearest in time only.
    Empty without an embedder.
    """
    embedder = run.ctx.embedder
    near = list(changes[:MOST])
    if embedder is None or not near:
        return {}
    began = time.perf_counter()
    names = (signal.service_name, *(c.on.partition(":")[2] for c in near))
    asked, *said = embedder.embed([_unnamed(signal.title or signal.name, names), *(_unnamed(_called(c), names) for c in near)])
    found = {c.key: round(float(asked @ one), 3) for c, one in zip(near, said, strict=True)}
    rows = tuple({"key": key, "cosine": cosine} for key, cosine in found.items())
    ms = (time.perf_counter() - began) * 1000
    run.add("alike", "investigator: how near in meaning their words are to the alert's", {"title": signal.title}, Result(rows), None, ms)
    return found


def _unnamed(text: str, names: Iterable[str]) -> str:
    """The text without the names of the things themselves: how far away a change was made is counted by itself."""
    for name in sorted({n for n in names if n}, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text, flags=re.IGNORECASE)
    return " ".join(text.split()) or "-"


def _called(c: Change) -> str:
    titles = [p.title for p in c.parts if p.title and not release_only(p)][:3]
    return ". ".join(dict.fromkeys(titles)) or c.name
