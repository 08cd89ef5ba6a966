"""How long the server worked for a question: its surroundings, which add up what the server says of each query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from brain.catalogue import Query
from brain.tools.asking import Asking
from brain.types import Result


@dataclass(frozen=True)
class Timed(Asking):
    """An asking that adds up what the server says it spent, in milliseconds, a query at a time."""

    spent: list[float] = field(default_factory=list)

    def query(self, query: Query, args: Mapping[str, Any]) -> Result:
        """The rows, as always."""
        result = super().query(query, args)
        self.spent.append(result.server_ms)
        return result
