"""The relationships a model may propose: the assertions of the schema, but for those that are read in another way and those that
grant rights. The list is made from the schema, and so is what a model is told of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brain import schema

WITHHELD = {
    "MEMBER_OF": "it grants access, which no model may propose",
    "HOLDS_ROLE": "it grants access, which no model may propose",
    "SAME_AS": "who is who is told by rules about accounts",
    "SIMILAR_TO": "it is measured, not stated",
    "DECIDED": "it comes with a decision",
    "JUSTIFIED_BY": "it comes with a decision",
    "WROTE": "it comes with a decision",
    "APPLIES_TO": "it comes with a decision",
}
OFFERED = {r.name: r for r in schema.RELS.values() if r.cls == "assertion" and r.name not in WITHHELD}
EVENTS = frozenset({"HANDLED_BY", "CAUSED_BY", "FIXED_BY", "SUPERSEDES", "ASSIGNED_TO"})
"""Those that are told as something that happened: they stay true when they are over."""


def told() -> str:
    """The list as a model is given it, a line a relationship: what it joins, and what it says of the first."""
    return "\n".join(f"- {r.name}: {' or '.join(r.domain)} -> {' or '.join(r.range)}. {r.meaning}" for r in OFFERED.values())


def reply_schema() -> Mapping[str, Any]:
    """The JSON schema of a reply."""
    text, number = {"type": "string"}, {"type": "integer"}
    line = {"line": number, "quote": text}
    names = {"subject": text, "predicate": {"type": "string", "enum": list(OFFERED)}, "object": text}
    claim = {**line, **names, "from": text, "until": text, "why": text}
    decision = {**line, "title": text, "by": text, "because": _list(_object(line)), "about": _list(text)}
    return _object({"claims": _list(_object(claim)), "decisions": _list(_object(decision))})


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": list(properties), "additionalProperties": False}


def _list(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": dict(items)}
