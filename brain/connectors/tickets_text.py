"""A ticket as text: a line for each field, then the description. What is claimed of a ticket quotes these lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

_FIELDS = {
    "id": "Ticket", "type": "Type", "state": "Status", "resolution": "Resolution", "priority": "Priority", "components": "Component",
    "labels": "Labels", "group": "Group", "assignee": "Assignee", "reporter": "Reporter", "resolved_by": "Resolved by",
    "created_at": "Created", "updated_at": "Updated", "closed_at": "Resolved", "links": "Links",
}  # fmt: skip


@dataclass(frozen=True)
class Lines:
    """The text of a ticket and the line that each field stands on."""

    body: str
    at: Mapping[str, int]

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Lines:
        """The text of a ticket record."""
        lines: list[str] = []
        at: dict[str, int] = {}
        for field, name in _FIELDS.items():
            shown = _shown(field, record[field])
            if shown:
                lines.append(f"{name}: {shown}")
                at[field] = len(lines)
        return cls("\n".join([*lines, "", record["description"]]).rstrip(), at)

    def of_field(self, field: str) -> tuple[int, str]:
        """The line a field stands on, by number and by its words."""
        line = self.at[field]
        return line, self.body.split("\n")[line - 1]


def _shown(field: str, value: Any) -> str:
    if not value:
        return ""
    if field.endswith("_at"):
        return datetime.fromtimestamp(value, UTC).strftime("%Y-%m-%d %H:%M UTC")
    if field in ("assignee", "reporter", "resolved_by"):
        return str(value["name"] or value["login"] or f"unnamed-{str(value['email'])[2:8]}")
    if field == "links":
        return ", ".join(f"{link['how']} {link['to']}".strip() for link in value)
    return ", ".join(value) if isinstance(value, list) else str(value)
