"""The kinds of action there are: how each is proposed, what must still hold when it is approved, what it writes, and when it can
no longer be undone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from brain.approvals import assign, claims, drafts, recording
from brain.approvals.approval import Change, Proposal
from brain.approvals.deciding import Moment
from brain.tools.asking import Asking
from brain.types import Result


@dataclass(frozen=True)
class Kind:
    """One kind. `propose` makes the proposal of what the tool of the same name found, or, where there is no such tool, `write` of
    the arguments alone; `check` raises BadInput when it no longer holds; `change` says what is written; `moved` why it cannot be undone.
    """

    name: str
    check: Callable[[Asking, Proposal], None]
    change: Callable[[Moment, Proposal], Change]
    moved: Callable[[Moment, Change], str]
    propose: Callable[[Asking, Mapping[str, Any], Result], Proposal] | None = None
    write: Callable[[Asking, Mapping[str, Any]], Proposal] | None = None


_DRAFT = (drafts.check, drafts.change, drafts.moved)
KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(assign.NAME, assign.check, assign.change, assign.moved, assign.propose),
        Kind(recording.NAME, recording.check, recording.change, recording.moved, recording.propose),
        Kind(claims.NAME, claims.check, claims.change, claims.moved, claims.propose),
        Kind("draft_triage", *_DRAFT, drafts.propose_triage),
        Kind("draft_reply", *_DRAFT, drafts.propose_reply),
        Kind("draft_post_mortem", *_DRAFT, write=partial(drafts.propose_text, "draft_post_mortem")),
        Kind("draft_message", *_DRAFT, write=partial(drafts.propose_text, "draft_message")),
    )
}
