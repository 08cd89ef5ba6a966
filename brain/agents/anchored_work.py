"""The files one change touches, and everything the graph holds directly about one thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from brain.agents.run import Draft, Fact, Run
from brain.agents.wording import VERB, as_at, listing, short, state_of, titled


def files(run: Run, key: str, want: str) -> Draft:
    """The files a change touches, or the changes that close an issue; or the directories they lie in."""
    rows = _touched(run, key, "the files it changes")
    if not rows and key.startswith("issue:"):
        fixes = run.call("expand", "the changes that close it", key=key, rels=["CLOSES"], direction="in", k=20)
        for fix in (str(row["key"]) for row in fixes.rows):
            rows += _touched(run, fix, f"the files {short(fix)} changes")
    items = list(dict.fromkeys(str(r["key"]) for r in rows))
    if want == "directories":
        return _directories(run, key, items)
    facts = [Fact(f"{short(key)} changes {short(path)}.", (key, path), step=run.last) for path in items]
    return Draft(items, facts or [Fact(f"No changed file of {short(key)} is loaded.", (key,), step=run.last)], entries=[key])


def _touched(run: Run, key: str, why: str) -> list[Mapping[str, Any]]:
    return list(run.call("expand", why, key=key, rels=["TOUCHED"], labels=["File"], k=400).rows)


def _directories(run: Run, key: str, paths: Sequence[str]) -> Draft:
    found = list(dict.fromkeys("dir:" + path.partition(":")[2].rpartition("/")[0] for path in paths))
    shown = run.call("expand", "where they lie", key=paths[0], rels=["IN_DIR"]) if paths else None
    known = {n.key for n in shown.nodes} if shown else set()
    facts = [
        Fact(f"{short(key)} changes files in {short(folder)}.", (key, folder) if folder in known else (key,), step=run.last)
        for folder in found
    ]
    return Draft(found, facts, entries=[key])


def relations(run: Run, key: str) -> Draft:
    """What the graph holds directly about a thing: the answer where no more special one fits."""
    got = run.call("details", f"what is known of {short(key)}", key=key)
    found = next((n for n in got.nodes if n.key == key), None)
    if found is None:
        return Draft(state="insufficient")
    node = as_at(found, run.ctx.as_of)
    facts = [Fact(f"{titled(key, node.name)} is {state_of(node)}.", (key,), step=run.last)] if node.props.get("state") else []
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in got.rows:
        if row["rel"] and row["key"]:
            groups.setdefault((str(row["rel"]), str(row["direction"])), []).append(row)
    facts += [_related(key, rel, direction, rows, run.last) for (rel, direction), rows in groups.items()]
    return Draft([key], facts, entries=[key])


def _related(key: str, rel: str, direction: str, rows: Sequence[Mapping[str, Any]], step: int) -> Fact:
    """All of one relation of a thing as one fact."""
    others = listing([titled(str(r["key"]), str(r["name"])) for r in rows], 6)
    verb = VERB.get(rel, rel.lower().replace("_", " "))
    text = f"{short(key)} {verb} {others}" if direction == "out" else f"{others} {verb} {short(key)}"
    total = int(rows[0]["total"])
    in_all = f" ({total} in all)" if total > len(rows) else ""
    return Fact(f"{text}{in_all}.", (key, *(str(r["key"]) for r in rows)), step=step)
