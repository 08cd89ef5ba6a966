"""A query on its way: which fragments of `queries/measure` it will be made of, and the parameters they read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Selection:
    """The fragments so far, by where they stand in the query, and the parameters they read. `event` is
    "reviews", "comments" or "" when the items themselves are meant; `single` when each item counts once.
    """

    kind: str
    items: str
    event: str
    single: bool
    base: list[str] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    tail: list[str] = field(default_factory=list)
    args: dict[str, Any] = field(default_factory=dict)

    def where(self, name: str, **args: Any) -> None:
        """Adds a condition on the items."""
        self.conditions.append(name)
        self.args |= args

    def step(self, name: str, **args: Any) -> None:
        """Adds a fragment that keeps some of the items."""
        self.steps.append(name)
        self.args |= args

    def then(self, *names: str, **args: Any) -> None:
        """Adds what comes after the items are known."""
        self.tail += names
        self.args |= args

    @property
    def parts(self) -> tuple[str, ...]:
        """Every fragment in its order."""
        return (*self.base[:1], *self.conditions, *self.base[1:], *self.steps, *self.tail)
