"""The rights that just the content of a playbook needs: less than all that whoever made it has, so that others are helped by it, and
never less than its things and what tells of them need.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from brain.held import Held, resting
from brain.schema import ACCESS_LABELS
from brain.text.analysis import query_terms
from brain.tools.asking import Asking
from brain.types import Viewer


def needed(keys: Iterable[str], viewer: Viewer, everything: Asking, whole: bool = False) -> Held:
    """What opens all of these things: the fewest access labels, and of the viewer's groups those without which something is closed.

    `whole` asks for every right the viewer has, for what may rest on more than the keys name; so does a key that is closed even to
    them. `everything` asks as one who may see all.
    """
    named = sorted(set(keys))
    if whole:
        return resting(named, viewer, everything)
    for n in range(len(ACCESS_LABELS) + 1):
        labels = sorted(frozenset(ACCESS_LABELS[:n]) & viewer.clearance)
        if not everything.run("closed_to", keys=named, labels=labels, groups=sorted(viewer.groups)).rows:
            closed = everything.run("closed_to", keys=named, labels=labels).rows if viewer.groups else ()
            used = frozenset(str(g) for row in closed for g in row["aud"] or ()) & viewer.groups
            return Held(frozenset(labels), used, used, tuple(named))
    return resting(named, viewer, everything)


def tells_hidden(text: str, needs: Held, everything: Asking) -> bool:
    """Does a word of the text stand in some passage, and in none that those rights open?"""
    terms = query_terms(text)
    reader = replace(everything, viewer=Viewer("reader", needs.clearance, needs.groups))
    said, open_ = ({str(row["term"]) for row in ctx.run("word_counts", terms=terms).rows} for ctx in (everything, reader))
    return bool(said - open_)
