"""Loads a snapshot: all of it is unpacked and looked at first, the graph is made from it beside the one that is there, and only then
does it take that one's place. Until that moment, and whenever anything fails, what was there stays as it was.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from brain import approvals, loads
from brain.errors import BadInput
from brain.ingest import Workspace
from brain.rebuild import Progress, Rebuild, rebuild
from brain.schema import FORMAT
from brain.snapshot import unpacking
from brain.snapshot.manifest import Manifest
from brain.snapshot.parts import ordered
from brain.snapshot.reading import Snapshot
from brain.store import graph_name
from brain.types import Viewer

if TYPE_CHECKING:
    from brain.brain import Brain

FILES = ("records", "reports", "decisions.jsonl", "concepts.yaml", "addresses.json", "live")
LEFT = ".snapshot-"


@dataclass
class Restored:
    """What came of it: the manifest, the graph that was made, how many things of each part came, and how many vectors. `own` where
    this installation wrote the file; otherwise addresses are hashed in it with another key than here.
    """

    manifest: Manifest
    rebuild: Rebuild
    own: bool
    parts: dict[str, int] = field(default_factory=dict)
    vectors: int = 0


def load(
    brain: Brain, snapshot: Snapshot, viewer: Viewer, parts: Iterable[str] | None = None, *, replace: bool = False,
    progress: Progress = lambda *a: None, cancelled: Callable[[], bool] = lambda: False,
) -> Restored:  # fmt: skip
    """Loads a snapshot into the workspace that is open, with these of the parts it carries (all but memory when None).

    BadInput, and nothing changed, for who is no administrator, for a file that is cut or was altered, for a part that it does not
    carry, and when the workspace holds something and `replace` was not given. What it does not carry stays as it is here.
    """
    wanted = _wanted(snapshot, viewer, parts)
    snapshot.check()
    try:
        with _locked(brain.files), _apart(brain, snapshot, replace) as (staged, fresh):
            return _Loading(brain, snapshot, staged, fresh, progress, cancelled).run(wanted)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise BadInput(f"{snapshot.path}: its records cannot be read ({type(error).__name__}: {error}); nothing was changed") from error
    except OSError as error:
        raise BadInput(f"cannot write to {brain.files.folder}: {error.strerror or error}; nothing was changed") from error


def _wanted(snapshot: Snapshot, viewer: Viewer, parts: Iterable[str] | None) -> tuple[str, ...]:
    if not viewer.admin:
        raise BadInput(f"only an administrator may load a snapshot; {viewer.id} is none")
    there = snapshot.manifest.parts
    wanted = ordered([p for p in there if p != "memory"] if parts is None else parts)
    if lost := [p for p in wanted if p not in there]:
        raise BadInput(f"{snapshot.path} carries no {lost[0]}; it carries: {', '.join(there) or 'what was loaded, and nothing else'}")
    return wanted


def _room(folder: Path, snapshot: Snapshot) -> None:
    free = shutil.disk_usage(folder).free
    if snapshot.manifest.size > free:
        raise BadInput(f"{snapshot.path} unpacks to {snapshot.manifest.size >> 20} MB, and {free >> 20} MB are free")


@contextmanager
def _locked(files: Workspace) -> Iterator[None]:
    """Holds the load lock. Where nothing came of it, no folder is left of a workspace that there was not."""
    lock = files.lock()
    try:
        yield
    except BaseException:
        with suppress(OSError):
            if [left.name for left in files.folder.iterdir()] == [Path(lock.lock_file).name]:
                shutil.rmtree(files.folder)
        raise
    finally:
        lock.release()


def _clean(brain: Brain) -> None:
    """Takes away what a load that was killed left; there is never more than one at a time."""
    for left in brain.files.folder.glob(f"{LEFT}*"):
        shutil.rmtree(left, ignore_errors=True)
    for graph in brain.store.graphs(f"brain:{brain.workspace}{LEFT}"):
        brain.store.drop(graph)


@contextmanager
def _apart(brain: Brain, snapshot: Snapshot, replace: bool) -> Iterator[tuple[Workspace, str]]:
    """A folder, and the name of a workspace for graphs, that nobody looks into; both are gone at the end."""
    _clean(brain)
    if (brain.loaded() or brain.files.records.sources()) and not replace:
        raise BadInput(f"{brain.workspace!r} holds something already; name another workspace, or give --replace")
    _room(brain.files.folder, snapshot)
    mark = f"{LEFT}{secrets.token_hex(4)}"
    staged, fresh = Workspace(brain.files.folder / mark), f"{brain.workspace}{mark}"
    try:
        staged.folder.mkdir()
        yield staged, fresh
    finally:
        shutil.rmtree(staged.folder, ignore_errors=True)
        for graph in brain.store.graphs(graph_name(fresh, "")):
            brain.store.drop(graph)


@dataclass
class _Loading:
    brain: Brain
    snapshot: Snapshot
    staged: Workspace
    fresh: str
    progress: Progress
    cancelled: Callable[[], bool]

    def run(self, wanted: tuple[str, ...]) -> Restored:
        brain, told = self.brain, self.snapshot.manifest
        own = told.own(loads.identity_key(brain.settings))
        unpacking.files(self.snapshot, self.staged, self.progress)
        cache = brain.vectors
        vectors = unpacking.vectors(self.snapshot, cache, self.progress) if cache is not None and self.snapshot.has("vectors.jsonl") else 0
        beside = unpacking.beside(self.snapshot, brain.store, brain.workspace, self.fresh, wanted, own)
        acting = self.fresh if "approvals" in wanted else brain.workspace
        undo: list[tuple[Path, Path]] = []

        def before_switch(graph: str) -> None:
            approvals.again(brain.store, acting, graph, self.staged.decisions.states(), cache)
            self._exchange(undo)

        try:
            made = rebuild(
                brain.store, brain.workspace, self.staged.records, cache, concepts_file=self.staged.concepts,
                decided=self.staged.decisions.states(), progress=self.progress, cancelled=self.cancelled, before_switch=before_switch,
            )  # fmt: skip
        except BaseException:
            for came, went in reversed(undo):
                os.replace(came, went)
            raise
        for graph, live in beside.graphs:
            brain.store.switch(graph, live)
        meta = {"loaded_at": told.meta.get("loaded_at", ""), "stands_at": told.meta.get("stands_at", "")}
        brain.store.set_meta(brain.workspace, {**meta, "embedder": cache.model_id if cache is not None else "", "format": FORMAT})
        brain.files.keep_addresses(made.addresses)
        return Restored(told, made, own, dict(beside.counts), vectors)

    def _exchange(self, undo: list[tuple[Path, Path]]) -> None:
        """Puts the files where the workspace's were, and those into the folder that goes; `undo` is how to take it back."""
        old = self.staged.folder / "before"
        old.mkdir()
        for name in FILES:
            live, new = self.brain.files.folder / name, self.staged.folder / name
            for src, dst in ((live, old / name), (new, live)):
                with suppress(FileNotFoundError):
                    os.rename(src, dst)
                    undo.append((dst, src))
