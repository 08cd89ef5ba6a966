"""What can be read by its address: things, kept runs and investigations, and what is loaded. What somebody may not read, and what is not
there, is refused in the same words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from brain.ask import as_json
from brain.errors import BadInput, ToolError
from brain.incident.findings import Investigation
from brain.incident.message import message
from brain.incident.postmortem import post_mortem
from brain.incident.record import as_json as incident_json
from brain.mcp_server import addresses, bounded
from brain.mcp_server.offers import Asker
from brain.mcp_server.schemas import DATA
from brain.text.inert import inert

JSON, MARKDOWN = "application/json", "text/markdown"
LISTED, PASSAGES, LONGEST = 20, 50, 200_000
_LEFT_OUT = frozenset({"access", "aud"})


@dataclass(frozen=True)
class Listed:
    """A resource as a list shows it."""

    address: str
    name: str
    description: str
    kind: str = JSON


def listed(asker: Asker) -> list[Listed]:
    """What is loaded, and the latest runs and investigations of whoever asks."""
    brain, viewer = asker.brain, asker.viewer
    found = [Listed(addresses.WORKSPACE, f"Workspace {brain.workspace}", "What is loaded, and questions that it can answer.")]
    if not brain.loaded():
        return found
    for run in brain.recent_runs(viewer, LISTED):
        about = f"Run: {run['arm']}, {run['state']}, {bounded.utc(int(run['at']))}"
        found.append(Listed(addresses.of("run", str(run["run"])), bounded.line(run["question"])[:200], about))
    for inv in brain.incidents(viewer).recent(LISTED):
        about = f"Investigation: {inv['arm']}, {inv['state']}, {inv['outcome']}, {bounded.utc(int(inv['at']))}"
        found.append(Listed(addresses.of("incident", str(inv["id"])), bounded.line(inv["title"] or inv["alert"])[:200], about))
    return found


def read(asker: Asker, address: str) -> tuple[str, str]:
    """The media type and the text of what is there. BadInput, in the same words, where nothing is and where they may not read it."""
    try:
        found = _found(asker, address)
    except (BadInput, ToolError):
        raise BadInput(f"there is nothing at {bounded.line(address)[:200]!r} that you may read") from None
    if isinstance(found, str):
        return MARKDOWN, inert(found)
    told = bounded.timed(bounded.fit(found, LONGEST, bounded.CHARS))
    return JSON, orjson.dumps({"note": DATA, **told}, option=orjson.OPT_INDENT_2).decode()


def _found(asker: Asker, address: str) -> str | Mapping[str, Any]:
    kind, ident, form = addresses.parts(address)
    if address == addresses.WORKSPACE:
        return _workspace(asker)
    if kind == "entity" and ident:
        return _entity(asker, ident)
    if kind == "run" and ident:
        return as_json(asker.brain.run(ident, asker.viewer))
    if kind == "incident" and ident:
        inv = asker.brain.incidents(asker.viewer).read(ident)
        forms: dict[str, Callable[[Investigation], str | Mapping[str, Any]]]
        forms = {"": incident_json, "post-mortem": post_mortem, "message": message}
        if form in forms:
            return forms[form](inv)
    raise BadInput(f"{address!r} is no address of ours")


def _workspace(asker: Asker) -> dict[str, Any]:
    brain, viewer = asker.brain, asker.viewer
    told = {"workspace": brain.workspace, "viewer": viewer.id, "loaded": brain.loaded(), "counts": brain.counts(viewer)}
    return {**told, "as_of": brain.present(), "questions": brain.suggestions(viewer)} if told["loaded"] else told


def _entity(asker: Asker, key: str) -> dict[str, Any]:
    """The thing, its relations as the tool `details` gives them, and the passages of its text in reading order."""
    ctx = asker.brain.looking(asker.viewer)
    found = asker.brain.tools["details"].run(ctx, key=key)
    node = next((n for n in found.nodes if n.key == key), None)
    if node is None:
        raise BadInput(f"nothing is known under {key!r}")
    told = ("line", "line_end", "at", "author", "title", "text", "url")
    passages = [{name: row[name] for name in told} for row in ctx.run("chunks_of", key=key, k=PASSAGES).rows]
    own = {name: value for name, value in node.props.items() if name not in _LEFT_OUT}
    relations, _ = bounded.page(found, 0)
    return {
        "key": key, "label": node.label, "name": node.name, "properties": own, "as_of": ctx.as_of,
        "relations": relations["rows"], "left_out": relations["left_out"] and "more relations: the tools details and expand give them",
        "passages": passages,
    }  # fmt: skip

