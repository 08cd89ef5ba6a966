"""What the replays ask: the product's own door for investigations in its two arms, and the dumb rule beside them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import cast

from brain import loads
from brain.brain import Brain
from brain.errors import BadInput
from brain.incident.findings import Arm
from brain.types import Viewer
from eval import rights
from eval.incidents import scoring, variants
from eval.incidents.replay import Replay
from eval.incidents.run import Look
from eval.incidents.scoring import Said, Stands
from eval.incidents.sets import WORKSPACES, company_of

NOTE = "replays"
# What can carry a cause to an alert. Nothing that merely names a thing, and nothing that everything hangs on.
CARRIES = ("FIRED_ON", "DEPENDS_ON", "USES", "PROVIDES", "PROVIDED_BY", "HAS_RESOURCE", "DEPLOYED_TO", "MODIFIES", "INCLUDES", "CODE_IN",
           "TOUCHED", "IN_DIR")  # fmt: skip
Progress = Callable[[str, int, int], None]


def ready(brain: Brain, only: Sequence[str] | None = None, embed: bool = True, progress: Progress = lambda *a: None) -> bool:
    """Makes sure that the invented company of the brain's workspace is loaded as this version writes it; True when it had to be loaded.
    Its workspace is its own: whatever else was loaded there is taken out. Vectors are made where there is what makes them,
    unless `embed` is off.
    """
    found = company_of(brain.workspace)
    if found is None:
        raise BadInput(f"{brain.workspace!r} holds no invented company; those are {', '.join(WORKSPACES.values())}")
    name, seed = found
    wanted = f"{name} {variants.VERSION} {seed} {','.join(only or ())}"
    if brain.loaded() and brain.store.meta(brain.workspace).get(NOTE) == wanted:
        return False
    folder = brain.files.folder / name
    shutil.rmtree(folder, ignore_errors=True)
    variants.write(folder, name, seed, only)
    for source in brain.files.records.sources():
        brain.files.records.remove(source)
    outcome = brain.load(loads.auto(brain.settings, folder, name), progress)
    if outcome.failures:
        raise BadInput(f"the invented company {name} did not load: {outcome.failures[0]}")
    if embed:
        brain.embed(progress)
    brain.store.set_meta(brain.workspace, {NOTE: wanted})
    return True


def looker(brains: Mapping[str, Brain], viewer: Callable[[Brain, str | None], Viewer], engine: str = "builtin") -> Look:
    """Looks into alerts with the brain of their workspace; `viewer` turns a replay's viewer (None: whoever runs the set) into who asks.
    Nothing is written down and no playbook is followed, so that each alert is as new.
    """
    there = {name: rights.present(brain) for name, brain in brains.items()}

    def look(replay: Replay, arm: str) -> tuple[Said, Stands | None, Mapping[str, list[str]] | None]:
        brain = brains[replay.workspace]
        who = viewer(brain, replay.viewer)
        asked = rights.of(who, there[replay.workspace])
        if arm == "baseline":
            return scoring.baseline(replay), None, asked
        room = brain.incidents(who, replay.as_of)
        made = room.investigate(replay.alert, arm=cast(Arm, arm), engine=engine, playbooks=False, save=False)
        return scoring.said(made), stands(brain, who, replay.as_of), asked

    return look


def stands(brain: Brain, viewer: Viewer, as_of: int | None = None) -> Stands:
    """Tells whether every step of a way is a relationship in the graph that can carry a cause, in either direction, at that instant."""

    def check(way: Sequence[str]) -> bool:
        steps = list(pairwise(way))
        both = [f"{a}\n{b}" for one in steps for a, b in (one, one[::-1])]
        found = {row["pair"] for row in brain.looking(viewer, as_of).run("edges_stand", pairs=both, rels=list(CARRIES)).rows}
        return all(f"{a}\n{b}" in found or f"{b}\n{a}" in found for a, b in steps)

    return check
