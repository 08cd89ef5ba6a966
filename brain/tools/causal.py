"""The way from an alert to a change that may have caused it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from brain import schema
from brain.errors import ToolError
from brain.tools.asking import Asking, tool
from brain.tools.things import thing
from brain.types import Result

MAX_HOPS = 3
_CHANGES = ("Deploy", "Ticket", "PullRequest", "Commit")


@tool("alert: str, changes: list[str], max_hops: int = 3")
def causal_path(ctx: Asking, alert: str, changes: list[str], max_hops: int) -> Result:
    """The lightest way from an alert, or from a service, to each of some changes: what it fired on, over what that needs (up to
    `max_hops` dependencies; one that is only observed weighs more than one that a record states) to what the change was deployed to
    or alters, and the change. A change that is not known, or that no such way leads to, has no row. Rows: change, weight, hops, path
    (keys from the alert on), rels, on (what changed).
    """
    if not 0 <= max_hops <= MAX_HOPS:
        raise ToolError(f"max_hops must be 0 to {MAX_HOPS}, not {max_hops}")
    key = thing(ctx, alert, ("Alert", "Service", "Resource"))
    keys = list(dict.fromkeys(changes))
    if misfit := next((k for k in keys if schema.LABEL_OF_PREFIX.get(k.partition(":")[0]) not in _CHANGES), None):
        raise ToolError(f"a change is the key of a deployment, ticket, pull request or commit, not {misfit[:80]!r}")
    ends = ctx.run("ends_of", alert=key, changes=keys)
    fired = key.startswith("alert:")
    starts = sorted({str(r["key"]) for r in ends.rows if r["role"] == "start"}) if fired else [key]
    onto = [r for r in ends.rows if r["role"] == "end"]
    targets = sorted({str(r["key"]) for r in onto} - {*starts})
    hops = max_hops + bool(ctx.run("an_interface").rows)
    args = {"starts": starts, "targets": targets, "within": max_hops}
    ways = ctx.fragments("causal_path", ("needs", "ways_to"), args, hops) if targets and starts and max_hops else None
    rows = _rows([key] if fired else [], starts, onto, ways)
    nodes = {n.key: n for r in (ends, ways) if r for n in r.nodes}
    edges = [*ends.edges, *(ways.edges if ways else ())]
    told = ways or ends
    return replace(told, rows=tuple(rows), nodes=tuple(nodes.values()), edges=tuple(edges), ms=told.ms + ends.ms)


def _rows(alert: list[str], starts: list[str], onto: Any, ways: Result | None) -> list[dict[str, Any]]:
    """The lightest way to each change, of those to all it was deployed to."""
    best: dict[str, dict[str, Any]] = {}
    found = {str(r["key"]): r for r in ways.rows} if ways else {}
    for end in onto:
        on = str(end["key"])
        if on in starts:
            way: dict[str, Any] = {"weight": 0.0, "hops": 0, "path": [on], "rels": []}
        elif on in found:
            way = {name: found[on][name] for name in ("weight", "hops", "path", "rels")}
        else:
            continue
        change = str(end["change"])
        via, last = _between(list(end["via"]), list(end["rels"]))
        path, rels = [*alert, *way["path"], *via, change], [*(["FIRED_ON"] if alert else []), *way["rels"], *last]
        row = {"change": change, "weight": way["weight"], "hops": way["hops"], "path": path, "rels": rels, "on": on}
        if change not in best or (row["weight"], len(path), path) < (
            best[change]["weight"],
            len(best[change]["path"]),
            best[change]["path"],
        ):
            best[change] = row
    return sorted(best.values(), key=lambda r: (r["weight"], len(r["path"]), r["change"]))


def _between(via: list[str], rels: list[str]) -> tuple[list[str], list[str]]:
    """What lies between a service and a change of its code, with every directory between its folder and the file."""
    if "IN_DIR" not in rels:
        return via, rels
    folder, file = via
    rest = file.partition(":")[2].removeprefix(folder.partition(":")[2] + "/").split("/")[:-1]
    folders = [folder]
    for name in rest:
        folders.append(f"{folders[-1]}/{name}")
    return [*folders, file], ["CODE_IN", *["IN_DIR"] * len(folders), "TOUCHED"]


TOOLS = (causal_path,)
