"""The one object a page, a command or an evaluation holds: a workspace with everything to ask it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import Any

from brain import approvals, catalogue, engines, identity, ingest, permissions, private, runs
from brain import ask as asking
from brain.candidates import Queue
from brain.catalogue import Catalogue
from brain.decisions import Decision
from brain.errors import BadInput, StoreDown
from brain.health import Finding, health
from brain.identity import Login
from brain.incident.blackboard import Blackboard
from brain.incident.room import Incidents
from brain.ingest import Fetch, Outcome, Report, Workspace
from brain.known import Known
from brain.llm.talk import Model, OnText
from brain.memory.hearing import Hearing
from brain.memory.memory import Memory
from brain.playbooks import Following, Playbooks, reading
from brain.rebuild import Progress
from brain.schema import FORMAT
from brain.settings import Settings
from brain.store import Store, graph_name
from brain.text.embedding import Embedder, load_embedder
from brain.text.lexicon import Lexicon
from brain.text.vectors import VectorCache, embed_missing
from brain.tools import Tool, tools
from brain.tools.asking import Asking
from brain.types import Answer, Arm, Step, Viewer
from brain.whatif import Comparison, Notice, what_if


@dataclass
class Brain:
    """A workspace: its store, its files, the catalogue of queries, and what is cached about it."""

    settings: Settings
    workspace: str
    store: Store
    catalogue: Catalogue
    files: Workspace
    clock: Callable[[], float] = time.time
    _tools: dict[str, Tool] = field(default_factory=dict)
    _known: Known = field(default_factory=Known)
    _embedder: list[Embedder | None] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    @classmethod
    def open(cls, settings: Settings, workspace: str | None = None) -> Brain:
        """The workspace of that name (the settings' when none is given); the database is started if need be.

        Raises BadInput for a name with other characters than letters, digits, `-` and `_`, StoreDown
        when the database cannot be reached.
        """
        name = workspace or settings.workspace
        if not name or not all(c.isalnum() or c in "-_" for c in name) or len(name) > 60:
            raise BadInput(f"workspace {name!r}: use letters, digits, - and _, at most 60")
        private.close(settings.home)
        opened = cls(settings, name, Store.open(settings), catalogue.shipped(), Workspace(settings.workspaces / name))
        approvals.finish(opened)
        return opened

    def close(self) -> None:
        """Gives the database connection back."""
        self.store.close()

    # -- asking ------------------------------------------------------------------------------

    @property
    def tools(self) -> Mapping[str, Tool]:
        """Every tool by name."""
        if not self._tools:
            self._tools.update(tools(self.catalogue))
        return self._tools

    @property
    def embedder(self) -> Embedder | None:
        """The embedder the settings name, or None when there is none on this machine."""
        with self._lock:
            if not self._embedder:
                self._embedder.append(load_embedder(self.settings))
            return self._embedder[0]

    def loaded(self) -> bool:
        """Is anything loaded in this workspace?"""
        return self.store.exists(graph_name(self.workspace))

    def outdated(self) -> bool:
        """Was the graph made by a version whose graphs lack what the queries need now? `load` with no fetches makes it anew."""
        meta = self.store.meta(self.workspace)
        loaded = bool(meta.get("loaded_at")) and self.loaded()
        return loaded and meta.get("format") != FORMAT and bool(self.files.records.sources())

    def now(self) -> int:
        """The present instant, epoch seconds."""
        return int(self.clock())

    def present(self) -> int:
        """The instant questions are asked at when they name none: where the workspace's data stands still, as the demo's does,
        else now.
        """
        stands = self.store.meta(self.workspace).get("stands_at", "")
        return int(stands) if stands else self.now()

    def asking(self, viewer: Viewer, as_of: int | None = None, known_at: int | None = None) -> Asking:
        """What tools get: this workspace, seen by the viewer at an instant (now when none is given), as far as it was known
        at another (as it is known today when none is given).
        """
        embedder = self.embedder
        if embedder is not None and self.store.meta(self.workspace).get("embedder", embedder.model_id) not in ("", embedder.model_id):
            embedder = None
        return Asking(self.store, self.workspace, viewer, self.present() if as_of is None else as_of, embedder, self.catalogue, known_at)

    def ask(
        self,
        question: str,
        *,
        viewer: Viewer,
        arm: Arm = "graph",
        engine: str = "builtin",
        as_of: int | None = None,
        known_at: int | None = None,
        on_step: Callable[[Step], None] | None = None,
        previous: str | None = None,
        save: bool = True,
        memory: Hearing | None = None,
        playbooks: bool = False,
        model: Model | None = None,
        on_text: OnText | None = None,
        cancelled: Callable[[], bool] = lambda: False,
        fall_back: bool = True,
    ) -> Answer:
        """The checked answer of one arm, kept as a run. `previous` is the run a follow-up refers to; `memory` hears the question
        first (see `brain.memory.hearing`), and knows what it refers to; with `playbooks`, wordings that were kept are tried first.

        With the engine `openai` a model drafts: that of the settings, or `model`. `on_text` is given what it writes as it writes it,
        `cancelled` is asked often and ends it (Cancelled). Where it cannot answer the built-in engine does and says so, unless
        `fall_back` is false: then ModelDown or BudgetSpent is raised.
        """
        made = engines.engine(
            engine, self.settings, self.store, viewer, self.clock, model=model, question=question, on_text=on_text, cancelled=cancelled,
            fall_back=fall_back,
        )  # fmt: skip
        if not self.loaded():
            raise StoreDown(f"nothing is loaded in {self.workspace!r}; load something: brain demo, or brain ingest")
        ctx = self.asking(viewer, as_of, known_at)
        before = self.run(previous, viewer) if previous else memory.previous(arm) if memory else None
        heard = memory.prepare if memory else None
        following = Following(self.playbooks(viewer, as_of), question, heard, before) if playbooks and not made and arm == "graph" else None
        ask = partial(
            asking.ask, question, arm, ctx, self.tools, self.lexicon(viewer), on_step=on_step,
            before=before, suggest=lambda: self.suggestions(viewer), engine=made,
        )  # fmt: skip
        answer = (following and following.concluded(ask(heard=following))) or ask(heard=heard)
        if save:
            runs.save(self.store, self.workspace, answer, self.now(), viewer, self.looking(permissions.local_admin()))
        if save and memory:
            memory.keep(answer)
        return answer

    def memory(self, viewer: Viewer) -> Memory:
        """What is remembered of the viewer."""
        return Memory(self.looking(viewer), self._everything(), lambda: self.lexicon(viewer), self.now())

    def lexicon(self, viewer: Viewer) -> Lexicon:
        """The names the viewer may see, built once for each state of the graph."""
        return self._known.lexicon(Asking(self.store, self.workspace, viewer, self.present(), None, self.catalogue))

    def run(self, run: str, viewer: Viewer) -> Answer:
        """A kept run; BadInput when there is none that the viewer may read now."""
        return runs.load(self.store, self.workspace, run, viewer, self._everything())

    def recent_runs(self, viewer: Viewer, k: int = 20) -> list[dict[str, Any]]:
        """The viewer's latest runs, as far as they may read them now: run, question, arm, state, at."""
        return runs.recent(self.store, self.workspace, viewer, self._everything(), k)

    def suggestions(self, viewer: Viewer) -> list[str]:
        """Questions about what is loaded that it can answer."""
        return self._known.suggestions(self.asking(viewer))

    def viewer(self, who: str | Login | None = None) -> Viewer:
        """The viewer of that name or login (see `brain.identity`): `local` (the administrator here), `guest`, `nobody`, or
        somebody with the teams, roles and channels they are in now. None: the one the settings name, else the administrator.
        """
        return identity.viewer_from(who or self.settings.viewer or "local", self.settings, self.company())

    def company(self) -> identity.Company:
        """What names of people are looked up in."""
        return identity.Company(self._everything(), self.files.addresses())

    def _everything(self) -> Asking | None:
        """What asks as one who may see all that is loaded, for the program's own questions; None when nothing is."""
        return self.looking(permissions.local_admin()) if self.loaded() else None

    # -- deciding ----------------------------------------------------------------------------

    def candidates(self, viewer: Viewer) -> Queue:
        """The claims that wait for a person, as the viewer may see and decide them."""
        return Queue(self.looking(viewer), self.files)

    def decide(self, aids: Iterable[str], state: str, viewer: Viewer, reason: str = "", progress: Progress = lambda *a: None) -> Decision:
        """Approves or rejects claims; BadInput for who may not. Returns when it shows everywhere."""
        made, reaches = self.candidates(viewer).decide(aids, state, self.now(), reason)
        if reaches:
            self.load({}, progress)
        return made

    def undo(self, n: int, viewer: Viewer, progress: Progress = lambda *a: None) -> Decision:
        """Takes a decision back; what stood before stands again."""
        made, reaches = self.candidates(viewer).undo(n, self.now())
        if reaches:
            self.load({}, progress)
        return made

    def incidents(self, viewer: Viewer, as_of: int | None = None) -> Incidents:
        """Where the viewer investigates alerts."""
        board = Blackboard(self.store, self.workspace, viewer, self._everything(), self.now())
        engine = partial(engines.engine, settings=self.settings, store=self.store, viewer=viewer, clock=self.clock)
        return Incidents(self.asking(viewer, as_of), board, self.playbooks(viewer, as_of), lambda: self.lexicon(viewer), engine)

    def playbooks(self, viewer: Viewer, as_of: int | None = None) -> Playbooks:
        """What was confirmed before, to be tried first, as the viewer may see and change it."""
        ctx = self.asking(viewer, as_of)
        return Playbooks(ctx, self._everything(), self.clock, reading(ctx, self.tools, lambda: self.lexicon(viewer)))

    def approvals(self, viewer: Viewer) -> approvals.Approvals:
        """What waits to be done, and what was, as the viewer may see and decide it."""
        return approvals.Approvals(self, viewer)

    def health(self, viewer: Viewer, as_of: int | None = None) -> dict[str, list[Finding]]:
        """What is wrong with what is loaded, by check (see `brain.health.CHECKS`), as far as the viewer may see it."""
        return health(self.looking(viewer, as_of), self.tools)

    def what_if(self, notices: Sequence[Notice], viewer: Viewer, as_of: int | None = None) -> Comparison:
        """What these notices would change if they were published, tried on a copy (see `brain.whatif`)."""
        return what_if(self.looking(viewer, as_of), self.tools, notices, self.now())

    def looking(self, viewer: Viewer, as_of: int | None = None) -> Asking:
        """What tools get that search no vectors: it needs no embedder."""
        at = self.present() if as_of is None else as_of
        return Asking(self.store, self.workspace, viewer, at, None, self.catalogue)

    # -- loading -----------------------------------------------------------------------------

    @property
    def vectors(self) -> VectorCache | None:
        """The vector cache of the embedder, shared by all workspaces; None without an embedder."""
        embedder = self.embedder
        return VectorCache(self.settings.home / "vectors", embedder.model_id, embedder.dim) if embedder else None

    def load(
        self, fetches: dict[str, Fetch], progress: Progress = lambda *a: None, cancelled: Callable[[], bool] = lambda: False
    ) -> Outcome:
        """Loads what the fetches read (see `brain.ingest.load`)."""
        where = (self.store, self.files, self.workspace)
        return ingest.load(
            *where, fetches, self.vectors, progress=progress, cancelled=cancelled, clock=self.clock,
            before_switch=lambda fresh: approvals.again(self.store, self.workspace, fresh, self.files.decisions.states(), self.vectors),
        )  # fmt: skip

    def unembedded(self) -> int:
        """How many stored passages have no vector."""
        rows = self.asking(permissions.local_admin()).run("unembedded_count").rows
        return int(rows[0]["n"]) if rows else 0

    def embed(self, progress: Progress = lambda *a: None, cancelled: Callable[[], bool] = lambda: False) -> int:
        """Makes the missing vectors and switches to a graph that has them; how many were made."""
        cache, embedder = self.vectors, self.embedder
        if cache is None or embedder is None or not self.loaded():
            return 0
        total = self.unembedded()
        if not total:
            return 0
        made = embed_missing(cache, embedder, self._texts(), lambda done, _: progress("embedding", done, total), cancelled)
        self.load({}, progress, cancelled)
        return made

    def _texts(self) -> Iterator[tuple[str, str]]:
        ctx = self.asking(permissions.local_admin())
        after = ""
        while rows := ctx.run("unembedded", after=after).rows:
            yield from ((str(r["hash"]), str(r["text"])) for r in rows)
            after = str(rows[-1]["key"])

    def reports(self, viewer: Viewer) -> list[Report]:
        """The import reports of this workspace, one a source, for its administrator: they name the files, lines and people of
        sources that others may not see, so others get none.
        """
        return self.files.reports() if viewer.admin else []

    def counts(self, viewer: Viewer) -> dict[str, int]:
        """How many things of each label the viewer may see."""
        if not self.loaded():
            return {}
        return {str(r["name"]): int(r["n"]) for r in self.looking(viewer).run("counts").rows}

    def status(self) -> dict[str, Any]:
        """How the workspace stands, for its administrator: loaded, counts by label, vectors, time of the last load."""
        if not self.loaded():
            return {"workspace": self.workspace, "loaded": False, "counts": {}}
        meta = self.store.meta(self.workspace)
        return {
            "workspace": self.workspace, "loaded": True, "counts": self.counts(permissions.local_admin()),
            "loaded_at": int(meta.get("loaded_at") or 0), "embedder": meta.get("embedder", ""), "without_vector": self.unembedded(),
        }  # fmt: skip
