"""What somebody must be allowed to read to be shown an answer of a run: all that its asker was, of what there was.

An answer is shaped by everything its asker may read, not by what it cites alone: a count, an order, a "nobody". So a record
carries its asker's rights, and whoever has fewer gets the scores of the run and neither question, answer nor gold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from brain import permissions
from brain.brain import Brain
from brain.schema import LABEL_OF_PREFIX
from brain.types import Viewer
from eval.questions import Question
from eval.records import Record, Run
from eval.summary import summarise

WITHHELD = "not for you to see"


@dataclass(frozen=True)
class Present:
    """The access labels and the groups that anything in a workspace carries."""

    labels: frozenset[str]
    groups: frozenset[str]


def present(brain: Brain) -> Present:
    """What can be hidden from anybody in this workspace."""
    rows = brain.looking(permissions.local_admin()).run("labels_present").rows
    labels = frozenset(str(r["access"]) for r in rows if r["access"])
    return Present(labels, frozenset(str(g) for r in rows for g in r["aud"] or ()))


def of(viewer: Viewer, there: Present) -> dict[str, list[str]]:
    """The viewer's rights as a record keeps them: those that opened anything."""
    return {"access": sorted(viewer.clearance & there.labels), "groups": sorted(viewer.groups & there.groups)}


def gold_open(question: Question, viewer: Viewer, brain: Brain, there: Present) -> bool:
    """May the viewer read what the right answer is made of? Where that is no thing that can be looked up, only who may read
    everything that is there.
    """
    if there.labels <= viewer.clearance:
        return True
    said = [*question.sources, *(part for g in question.gold for part in (g if isinstance(g, tuple) else (g,)))]
    keys = sorted({s for s in said if isinstance(s, str) and s.partition(":")[0] in LABEL_OF_PREFIX})
    if not keys:
        return False
    return len(brain.looking(viewer, question.as_of).run("entities", keys=keys).rows) == len(keys)


def rights_of(record: Record, run: Run) -> Mapping[str, list[str]] | None:
    """With which rights a record was asked: what it says itself, else what the summary of its run says of all; None: not known."""
    found: Mapping[str, list[str]] | None = record.get("rights") or run.summary.get("rights")
    return found


def covers(viewer: Viewer, rights: Mapping[str, list[str]] | None) -> bool:
    """May the viewer be shown what was asked with these rights? Where they are not known, only an administrator may."""
    if viewer.admin or rights is None:
        return viewer.admin
    return set(rights["access"]) <= viewer.clearance and set(rights["groups"]) <= viewer.groups


def readable(run: Run, viewer: Viewer) -> Run:
    """The run with the records that the viewer may be shown, the gold withheld that they may not read, and the scores of all."""
    kept = tuple(_withheld(r, run, viewer) for r in run.records if covers(viewer, rights_of(r, run)))
    return replace(run, records=kept, summary=run.summary or (summarise(run.records) if run.records else {}))


def _withheld(record: Record, run: Run, viewer: Viewer) -> Record:
    if viewer.admin or record.get("gold_open", run.summary.get("gold_open")):
        return record
    return {**record, "gold": [WITHHELD], "sources": []}


def said(run: Run) -> str:
    """Who may be shown these answers, in one sentence."""
    if not run.records:
        return "Its answers were asked with other rights than yours; here are its scores."
    labels: set[str] = set()
    groups: set[str] = set()
    for record in run.records:
        asked = rights_of(record, run)
        if asked is None:
            return "Asked by an administrator; show it to nobody else."
        labels.update(asked["access"])
        groups.update(asked["groups"])
    if labels <= {"open"} and not groups:
        return "Asked as one who reads what is open; anybody may see it."
    return f"Asked with the right to read {', '.join(sorted(labels | groups))}; show it to nobody who may read less."
