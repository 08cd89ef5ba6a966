"""What is worked out once for each state of a graph and each set of rights: the names in it, and what can be asked about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from brain.store import graph_name
from brain.suggest import suggestions
from brain.text import lexicon
from brain.text.lexicon import Lexicon
from brain.tools.asking import Asking

LEXICON = ("repos", "people", "releases", "concepts", "labels", "milestones", "things", "accounts")
MOST = 8


@dataclass
class Known:
    """Kept by the version of the graph and by rights, so that nothing passes to somebody with others."""

    _lexicons: dict[tuple[Any, ...], Lexicon] = field(default_factory=dict)
    _suggested: dict[tuple[Any, ...], list[str]] = field(default_factory=dict)

    def lexicon(self, ctx: Asking) -> Lexicon:
        """The names that whoever asks may see."""
        key = _state(ctx)
        found = self._lexicons.get(key)
        if found is None:
            found = lexicon.build(*[ctx.run(f"lexicon_{name}").rows for name in LEXICON])
            if len(self._lexicons) > MOST:
                self._lexicons.clear()
            self._lexicons[key] = found
        return found

    def suggestions(self, ctx: Asking) -> list[str]:
        """Questions about what is loaded that it can answer."""
        key = _state(ctx)
        found = self._suggested.get(key)
        if found is None:
            found = suggestions(ctx)
            self._suggested = {key: found}
        return found


def _state(ctx: Asking) -> tuple[Any, ...]:
    return (ctx.store.version(graph_name(ctx.workspace)), ctx.viewer.clearance, ctx.viewer.groups)
