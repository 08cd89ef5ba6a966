"""The playbooks as one viewer may see, use and change them. One is offered only to whom everything in it is open now, and only while
what it speaks of is still loaded; nobody learns that another one exists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from brain.errors import BadInput
from brain.held import covered
from brain.incident.findings import Investigation, Signal
from brain.playbooks import causes, wordings
from brain.playbooks.kept import Entry, Kept, Row
from brain.playbooks.plays import TRIED, Cause, Playbook
from brain.runs import SHARED
from brain.store import graph_name
from brain.tools.asking import Asking
from brain.types import Answer

ALIKE = 0.65  # measured: the same alert of other places 0.82 and more, other alerts of one service 0.58 and less
SAME_WORDS = 0.5  # of the words of both; measured: 0.62 and more against 0.44 and less


class Playbooks:
    """`ctx` asks as the viewer, `everything` as one who may see all that is loaded (None: nothing is); `read` understands a question
    without answering it.
    """

    def __init__(self, ctx: Asking, everything: Asking | None, clock: Callable[[], float], read: wordings.Read | None = None) -> None:
        self._ctx, self._everything, self._clock, self._read = ctx, everything, clock, read
        self._kept = Kept(ctx.store, ctx.workspace, ctx.embedder)

    # -- incidents ---------------------------------------------------------------------------

    def for_signal(self, signal: Signal) -> Playbook | None:
        """The playbook to try first: of the service that alerted, for the same signal, else one that says nearly the same. One
        that failed last time comes after one that did not; what was learnt from a later alert is not known yet.
        """
        if not signal.service:
            return None
        vector = self._kept.vector(causes.text_of(signal))
        rows = self._kept.near("incident", signal.service, vector, TRIED)
        terms = frozenset(causes.terms_of(signal))
        found = [p for row in self._open(rows) if (p := self._like(row, signal, terms)) is not None]
        found = [p for p in found if p.known_cause().alert == signal.key or p.known_cause().fired_at <= signal.at]
        found.sort(key=lambda p: (p.standing != "active", -p.likeness, -p.held, -p.at, p.id))
        return next((p for p in found if self._there(p.known_cause())), None)

    def _like(self, row: Row, signal: Signal, terms: frozenset[str]) -> Playbook | None:
        seen = row.seen(self._ctx.viewer, 1.0, "same signal")
        if signal.name and seen.known_cause().signal.casefold() == signal.name.casefold():
            return seen
        if row.near is not None:
            return row.seen(self._ctx.viewer, round(row.near, 3), "meaning") if row.near >= ALIKE else None
        shared = len(row.terms & terms) / (len(row.terms | terms) or 1)
        return row.seen(self._ctx.viewer, round(shared, 3), "words") if shared >= SAME_WORDS else None

    def _there(self, cause: Cause) -> bool:
        """Are the things it leads over still loaded, for this viewer at this instant?"""
        wanted = {cause.service, cause.broke, *cause.path[1:]}
        return wanted <= {str(row["key"]) for row in self._ctx.run("by_keys", keys=sorted(wanted)).rows}

    def confirm(self, investigation: Investigation, cause: str = "") -> Playbook:
        """Keeps what led to the cause that a person confirms: the suspect of that key, or the one that was named. Confirmed again,
        it is the same playbook, and active; what the same person took for the cause before is put away. BadInput when there is nothing
        to learn, or nobody to answer for it.
        """
        self._named("confirm a cause")
        suspect = causes.suspect_of(investigation, cause)
        made = self._add(causes.entry(investigation, suspect, self._ctx.viewer, self._loaded()))
        for other in self._others_by_me(made):
            self._kept.put(other.id, "demoted", self._ctx.viewer.owner, f"{made.known_cause().change} was confirmed instead")
        return made

    def _others_by_me(self, made: Playbook) -> Iterable[Playbook]:
        """What whoever confirmed this cause of an alert had confirmed as another cause of it."""
        cause = made.known_cause()
        for p in self.every("incident"):
            was = p.known_cause()
            if p.by == self._ctx.viewer.owner and was.alert == cause.alert and was.change != cause.change and p.standing != "demoted":
                yield p

    def of_run(self, run: str) -> list[Playbook]:
        """The playbooks that were made of that investigation, as far as the viewer may see them."""
        return self._seen(self._kept.of_run(run))

    # -- questions ---------------------------------------------------------------------------

    def keep(self, answer: Answer, failed: Sequence[Answer] = ()) -> list[Playbook]:
        """Keeps the wording of an answer that a person calls right, and with it the wordings that had failed to get it: what is asked
        in those words next is asked in these. BadInput when it is no answer to learn from.
        """
        self._named("keep an answer as a playbook")
        found = wordings.entries(answer, failed, self._reading(), self._ctx.viewer, self._loaded())
        return [self._add(entry) for entry in found]

    def replaceable(self, answer: Answer) -> tuple[str, ...]:
        """The words in the question of an answer that name its things, in whose place other things can be put; none when its wording
        cannot be kept.
        """
        found = wordings.said(answer, self._reading())
        return tuple(words for kind, words in found.slots if kind != wordings.TIME) if found else ()

    def for_question(self, question: str) -> tuple[Playbook, str] | None:
        """The playbook to try first and the question in its words; None when no kept wording is near enough, when this one says
        something else, and when it is understood as it is.
        """
        if not self._kept.any("question"):
            return None
        read = self._reading()
        said = wordings.taken_apart(read(question))
        if said is None:
            return None
        vector = [] if said.placed else self._kept.vector(said.masked)
        rows = self._open(self._kept.near("question", said.place, vector, TRIED))
        for row in sorted(rows, key=lambda r: r.values["standing"] != "active"):
            seen = row.seen(self._ctx.viewer, round(row.near or 1.0, 3), "same words" if row.near is None else "meaning")
            if seen.wording and (asked := wordings.fits(said, seen.wording, row.near, read)):
                return seen, asked
        return None

    def _reading(self) -> wordings.Read:
        if self._read is None:
            raise BadInput("nothing here understands questions; open the playbooks of a workspace by Brain.playbooks")
        return self._read

    # -- all of them -------------------------------------------------------------------------

    def every(self, kind: str = "") -> list[Playbook]:
        """The playbooks the viewer may see, latest first; of a kind (incident or question), or all."""
        return self._seen(self._kept.every(kind))

    def playbook(self, id_: str) -> Playbook:
        """The playbook with that id; BadInput, in the same words, when there is none and when the viewer may not see it."""
        row = self._kept.one(id_)
        if row is None or not self._open([row]):
            raise BadInput(f"there is no playbook {id_!r} for you in workspace {self._ctx.workspace!r}; brain playbooks list shows them")
        return row.seen(self._ctx.viewer)

    def used(self, id_: str, held: bool, steps: int, ms: float, reason: str = "") -> None:
        """Counts a use: whether it held, in how many steps and milliseconds. Failed once it is doubtful and tried after the others,
        failed twice in a row it is demoted and tried no more, until a person restores it. One that was forgotten meanwhile counts nothing.
        """
        row = self._kept.one(id_)
        if row is None or not self._open([row]):
            return
        seen = row.seen(self._ctx.viewer)
        saved = (seen.steps - steps if held else -steps) if seen.steps else 0
        self._kept.used(id_, held, saved, int(self._clock()), self._ctx.viewer.owner, reason)

    def demote(self, id_: str, reason: str = "") -> Playbook:
        """Puts it away by hand; whoever made it and administrators may."""
        self._kept.put(self._mine(id_).id, "demoted", self._ctx.viewer.owner, reason.strip())
        return self.playbook(id_)

    def restore(self, id_: str) -> Playbook:
        """Makes it active again."""
        self._kept.put(self._mine(id_).id, "active", self._ctx.viewer.owner, "")
        return self.playbook(id_)

    def forget(self, id_: str) -> Playbook:
        """Deletes it; gives what was deleted."""
        gone = self._mine(id_)
        self._kept.forget(gone.id)
        return gone

    def compared_by(self) -> str:
        """How likeness is judged here, in words: by meaning, or by words where there is no embedder."""
        return "meaning" if self._ctx.embedder else "words, as no embedder is there"

    def _add(self, entry: Entry) -> Playbook:
        if not self._kept.add(entry, self._ctx.viewer, int(self._clock())):
            self._kept.put(entry.id, "active", self._ctx.viewer.owner, "")
        return self.playbook(entry.id)

    def _loaded(self) -> Asking:
        if self._everything is None:
            raise BadInput(f"nothing is loaded in {self._ctx.workspace!r}; load something: brain demo, or brain ingest")
        return self._everything

    def _mine(self, id_: str) -> Playbook:
        self._named("change a playbook")
        found = self.playbook(id_)
        if not found.mine:
            raise BadInput(f"playbook {id_!r} is {found.by}'s; only they and the administrator change it")
        return found

    def _named(self, what: str) -> None:
        if self._ctx.viewer.owner in SHARED:
            raise BadInput(f"log in to {what}: a person has to answer for it")

    def _seen(self, rows: Iterable[Row]) -> list[Playbook]:
        return [row.seen(self._ctx.viewer) for row in self._open([*rows])]

    def _open(self, rows: Sequence[Row]) -> list[Row]:
        """Those of which the viewer's rights of now cover everything."""
        if self._everything is None or not rows or not self._ctx.store.exists(graph_name(self._ctx.workspace)):
            return []
        open_ = covered({str(r.values["id"]): r.needs for r in rows}, self._ctx.viewer, self._everything)
        return [r for r in rows if r.values["id"] in open_]
