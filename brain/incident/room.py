"""The investigations of a workspace as one viewer starts, reads and goes on with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from brain.agents.model_talk import Engine
from brain.errors import BadInput
from brain.incident import signal as signals
from brain.incident.blackboard import Blackboard
from brain.incident.findings import Arm, Investigation, Signal
from brain.incident.run import DAY, Surroundings, begun, investigate
from brain.llm.talk import Model, OnText
from brain.playbooks import Playbooks
from brain.text.lexicon import Lexicon
from brain.tools import tools
from brain.tools.asking import Asking
from brain.types import Step


def _no_model(name: str, **how: Any) -> Engine | None:
    if name != "builtin":
        raise BadInput(f"engine is {name!r}; here is only builtin")
    return None


@dataclass(frozen=True)
class Incidents:
    """One viewer's room: what they ask with, their blackboard, the playbooks they may use, and what opens the engine of a name."""

    ctx: Asking
    board: Blackboard
    books: Playbooks
    lexicon: Callable[[], Lexicon]
    engine: Callable[..., Engine | None] = _no_model

    def alerts(self, words: str = "", k: int = 50) -> Sequence[dict[str, Any]]:
        """The latest alerts, those still firing first: key, name, title, severity, at, ended_at, on, on_name."""
        rows = self.ctx.run("alerts_of", words=words.strip().lower(), k=k).rows
        return [{name: value for name, value in row.items() if name not in ("a", "s")} for row in rows]

    def investigate(
        self, alert: str | Signal, *, arm: Arm = "graph", engine: str = "builtin", window: int = DAY, resume: str | None = None,
        playbooks: bool = True, save: bool = True, on_step: Callable[[Step], None] | None = None, model: Model | None = None,
        on_text: OnText | None = None, cancelled: Callable[[], bool] = lambda: False,
    ) -> Investigation:  # fmt: skip
        """A whole investigation of an alert, written down role by role unless `save` is off. `resume` goes on with one that ended in the
        middle: as of the same instant, from the first role that is missing. BadInput for an alert, arm or engine that is not there.

        With the engine `openai` everything is decided as without it, and a model (that of the settings, or `model`) words the summary
        (see `brain.incident.worded`); where none answers the words are the program's own, which is said.
        """
        if resume:
            inv = self.board.read(resume)
            if inv.state == "complete":
                return inv
        else:
            found = alert if isinstance(alert, Signal) else signals.signal(self.ctx, alert)
            if found.at > self.ctx.as_of:
                raise BadInput(f"{found.key or found.name} went off only after the instant asked about; give a later --at")
            inv = begun(found, self.ctx, arm, engine, window)
        around = Surroundings(
            self.ctx.at(inv.as_of),
            tools(self.ctx.catalogue),
            self.lexicon,
            self.board if save else None,
            on_step,
            self.books if playbooks else None,
            self.engine(inv.engine, model=model, on_text=on_text, cancelled=cancelled),
        )
        return investigate(inv, around)

    def read(self, ident: str) -> Investigation:
        """The investigation with that id; BadInput when there is none that the viewer may read now."""
        return self.board.read(ident)

    def recent(self, k: int = 20) -> list[dict[str, Any]]:
        """The viewer's latest investigations: id, alert, title, arm, state, outcome, at, text."""
        return self.board.recent(k)
