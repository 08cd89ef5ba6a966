"""What is said about who answers for a thing, gathered from every source at once, and what follows from it: who is gone, who
nobody knows, who disagrees, and whom to turn to. The order of trust is here, once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from brain import schema
from brain.tools.asking import Asking
from brain.types import Result

YEAR = 365 * 86_400
HANDS = ("changed", "reviewed", "handled")
KEEPS = "KEEPS"  # maintains a document about the thing, which is no responsibility for the thing
SOURCES = ("catalogue", "registry", "codeowners", "document", "roster", "chat", *HANDS)
CATALOGUED = ("Service", "Module", "System", "Api", "Resource", "Project")  # what should have an owner
_CONNECTORS = {"catalogue": "catalogue", "backstage": "catalogue", "codeowners": "codeowners", "slack": "chat"}
_RANKS = {"primary": 1, "secondary": 2, "tertiary": 3}

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Said:
    """What is said about one thing. `places` are the keys whose owners count for it, the thing itself first; `systems` those it
    belongs to; `teams` those that own it; `counted` whether it is known who belongs to which team.
    """

    key: str
    as_of: int
    result: Result
    rows: tuple[Row, ...]
    places: tuple[str, ...]
    systems: tuple[str, ...]
    teams: tuple[str, ...]
    counted: bool

    def of(self, *rels: str) -> list[Row]:
        """The rows of these relations."""
        return [r for r in self.rows if r["rel"] in rels]

    def current(self, row: Row) -> bool:
        """Does the claim hold, or the deed count, at the instant asked about?"""
        return row["valid_to"] is None or row["valid_to"] > self.as_of

    def departed(self, row: Row) -> bool:
        """Has the person left?"""
        return row["departed_at"] is not None and row["departed_at"] <= self.as_of

    def unknown(self, row: Row) -> bool:
        """Is it a name that nobody stands behind?"""
        return bool(row["unknown"]) or (self.counted and row["label"] == "Team" and not row["members"])

    def living(self, row: Row) -> bool:
        """Can somebody be asked?"""
        return self.current(row) and not self.departed(row) and not self.unknown(row)

    def reachable(self, row: Row) -> bool:
        """Is there a way to the person: an account, a handle, a team?"""
        return self.living(row) and bool(row["login"] or row["contact"] or row["teams"])

    def orphaned(self) -> bool:
        """Is nobody left who owns it: no owner that can be asked, or every person who was named as its owner has gone?"""
        owners = [r for r in self.of("OWNS") if self.current(r)]
        persons = [r for r in owners if r["label"] == "Person"]
        if persons and not any(self.living(r) for r in persons):
            return True
        stated = bool(self.of("OWNS")) or schema.label_of(self.key) in CATALOGUED
        return stated and not any(self.living(r) for r in owners)

    def owners(self) -> list[Row]:
        """The claims of ownership that hold, the most trusted owner first: by how many sources name it, then by the source."""
        claims = [r for r in self.of("OWNS") if self.current(r)]
        named = {r["key"]: len({source(q) for q in claims if q["key"] == r["key"]}) for r in claims}
        own = self.key
        return sorted(claims, key=lambda r: (not self.living(r), r["on_key"] != own, -named[r["key"]], SOURCES.index(source(r)), r["key"]))


def source(row: Row) -> str:
    """What kind of source a row comes from."""
    if row["rel"] in HANDS:
        return str(row["rel"])
    told = _CONNECTORS.get(row["connector"])
    if told is None and row["rel"] in ("ON_CALL_FOR", "MEMBER_OF", "HOLDS_ROLE"):
        return "roster"
    return told or ("registry" if row["kind"] == "registry" else "document")


def rank(row: Row) -> int:
    """Who is paged first: 1 for primary."""
    told = str(row["rank"] or "").strip().lower()
    return int(told) if told.isdigit() else _RANKS.get(told, 1 if not told else 9)


def agree(a: Row, b: Row) -> bool:
    """Do two rows mean the same, or one of them a person of the other's team?"""
    return bool(a["key"] == b["key"] or a["key"] in b["teams"] or b["key"] in a["teams"])


def gather(ctx: Asking, key: str) -> Said:
    """Everything said about a thing. Of directories above one another the nearest that anybody owns counts."""
    label = schema.label_of(key)
    chain = above(key) if label in ("File", "Directory", "Repo") else []
    scopes = ctx.run("responsible_scopes", key=key, chain=chain).rows
    code = [str(r["key"]) for r in scopes if r["role"] == "code"] or ([key] if chain else [])
    systems = tuple(str(r["key"]) for r in scopes if r["role"] == "system")
    teams = _teams(scopes, [key, *chain])
    if not teams and not chain and code:
        teams = _teams(ctx.run("responsible_scopes", key=key, chain=above(code[0])).rows, above(code[0]))
    if label == "Team":
        teams = (key,)
    chains = [above(c) for c in code]
    keys = list(dict.fromkeys([key, *systems, *(k for c in chains for k in c)]))
    base, args = _code(code)
    result = ctx.fragments("responsible", (base, "responsible"), {"target": key, "keys": keys, "teams": list(teams), **args})
    places = [key, *(p for c in chains for p in _nearest(result.rows, c, ctx.as_of))]
    if label != "Team":
        teams = tuple(t for t in teams if any(r["rel"] == "OWNS" and r["key"] == t and r["on_key"] in places for r in result.rows))
    counted = any(r["role"] == "members" for r in scopes)
    rows = tuple(_kept(result.rows, places, systems, teams, label))
    return Said(key, ctx.as_of, result, rows, tuple(dict.fromkeys(places)), systems, teams, counted)


def above(key: str) -> list[str]:
    """A file or directory and the directories above it, up to its repository, the nearest first."""
    kind, _, path = key.partition(":")
    if kind == "repo":
        return [key]
    parts = path.split("/")
    first = [key] if kind == "file" else []
    folders = ["dir:" + "/".join(parts[:n]) for n in range(len(parts) - (kind == "file"), 1, -1)]
    return [*first, *folders, "repo:" + "/".join(parts[:2])]


def _teams(scopes: Iterable[Row], chain: list[str]) -> tuple[str, ...]:
    """The teams among those who own the nearest place that anybody owns."""
    owned: dict[str, list[str]] = {}
    for row in scopes:
        if row["role"] == "owner":
            owned.setdefault(str(row["of"]), []).append(str(row["key"]))
    nearest = next((owned[k] for k in chain if k in owned), [])
    return tuple(k for k in nearest if k.startswith("team:"))


def _code(places: list[str]) -> tuple[str, dict[str, Any]]:
    """The fragment that finds the changes to these places, and its arguments."""
    repos = [k[5:] for k in places if k.startswith("repo:") or k.count("/") == 1]
    if repos:
        return "changes_in_repos", {"repos": [r.removeprefix(":") for r in repos]}
    files = [k for k in places if k.startswith("file:")]
    if files:
        return "changes_of_files", {"files": files}
    if places:
        return "changes_under", {"under": [f"file:{k[4:]}/" for k in places], "files": []}
    return "no_changes", {}


def _nearest(rows: Iterable[Row], chain: list[str], as_of: int) -> list[str]:
    """The nearest place of the chain that somebody owns now; none where the nearest word is that nobody does."""
    owned = {r["on_key"] for r in rows if r["rel"] == "OWNS" and (r["valid_to"] is None or r["valid_to"] > as_of)}
    free = {r["key"] for r in rows if r["rel"] == "unowned"}
    for place in chain:
        if place in owned or place in free:
            return [place] if place in owned else []
    return []


def _kept(rows: Iterable[Row], places: list[str], systems: tuple[str, ...], teams: tuple[str, ...], label: str) -> Iterable[Row]:
    """The rows that are about the thing, each claim once."""
    met = set()
    for row in rows:
        on, rel = row["on_key"], row["rel"]
        fits = (
            rel in (*HANDS, KEEPS)
            or (on == places[0] and rel != "MEMBER_OF")
            or (on in places and rel in ("OWNS", "MAINTAINED_BY"))
            or (on in (*systems, *teams) and rel == "ON_CALL_FOR")
            or (on in teams and rel in ("TECH_LEAD_OF", "MEMBER_OF"))
        )
        mark = (row["key"], on, row["aid"] or rel)
        if fits and rel != "unowned" and mark not in met:
            met.add(mark)
            yield row


def resting(said: Said, rows: list[dict[str, Any]], *more: Result) -> Result:
    """The rows as a result, with the nodes and relationships they rest on."""
    found = said.result
    keys = {r["key"] for r in rows} | {said.key, *said.places, *said.teams, *said.systems}
    edges = [e for e in found.edges if {e.src, e.dst} & keys]
    ends = keys | {e.src for e in edges} | {e.dst for e in edges}
    nodes = {n.key: n for n in (*found.nodes, *(n for m in more for n in m.nodes)) if n.key in ends or any(n in m.nodes for m in more)}
    return replace(
        found, rows=tuple(rows), nodes=tuple(nodes.values()), edges=(*edges, *(e for m in more for e in m.edges)),
        ms=found.ms + sum(m.ms for m in more), server_ms=found.server_ms + sum(m.server_ms for m in more),
    )  # fmt: skip
