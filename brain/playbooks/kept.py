"""Playbooks in the graph beside the company's. A node with a vector is never written again, as an index that forgets what it
held would give too little back; how the playbook stands is another node. The words of another embedder are never compared.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from brain.errors import ToolError
from brain.held import Held
from brain.playbooks.plays import Cause, Playbook, Wording, dumps, loads
from brain.store import Store, graph_name
from brain.text.embedding import Embedder
from brain.types import Viewer
from brain.values import header

EXACT, DOUBTED, DEMOTED = 2000, 1, 2
_FIELDS = (
    "p.id AS id, p.kind AS kind, p.title AS title, p.by AS by, p.at AS at, p.steps AS steps, p.ms AS ms, p.json AS json, p.terms AS terms,"
    " p.needs AS needs, p.groups AS groups, p.keys AS keys, p.made_clearance AS made_clearance, p.made_groups AS made_groups,"
    " s.state AS standing, s.uses AS uses, s.held AS held, s.failures AS failures, s.saved AS saved, s.reason AS reason, s.last AS last,"
    " s.used_by AS used_by"
)
_CREATED = (
    "MERGE (p:Playbook {id: $id}) ON CREATE SET p.kind = $kind, p.place = $place, p.title = $title, p.by = $by, p.at = $at,"
    " p.steps = $steps, p.ms = $ms, p.json = $json, p.terms = $terms, p.needs = $needs, p.groups = $groups, p.keys = $keys,"
    " p.made_clearance = $made_clearance, p.made_groups = $made_groups, p.model = $model, p.token = $token%s"
    " MERGE (p)-[:STANDS]->(s:Standing) ON CREATE SET s.id = $id, s.state = 'active', s.uses = 0, s.held = 0, s.failures = 0,"
    " s.saved = 0, s.reason = '', s.last = 0, s.used_by = '' RETURN p.token = $token"
)
_STANDS = "MATCH (p:Playbook {id: $id})-[:STANDS]->(s:Standing) "


@dataclass(frozen=True)
class Entry:
    """A playbook to keep: what it holds, the text it is found by, and the rights that what is in it needs. `place` is what it is
    only looked for under: the key of the service that alerted, or the kinds of the things a question names.
    """

    id: str
    place: str
    title: str
    content: Cause | Wording
    text: str
    terms: tuple[str, ...]
    needs: Held
    steps: int
    ms: float


@dataclass(frozen=True)
class Row:
    """A kept playbook before anybody was asked whether they may see it; `near` is how near in meaning, None where not compared."""

    values: Mapping[str, Any]
    near: float | None

    @property
    def needs(self) -> Held:
        """The rights that what is in it needs."""
        groups = frozenset(map(str, self.values["groups"] or ()))
        return Held(frozenset(map(str, self.values["needs"] or ())), groups, groups, tuple(map(str, self.values["keys"] or ())))

    @property
    def terms(self) -> frozenset[str]:
        """The words it is found by where there are no vectors."""
        return frozenset(map(str, self.values["terms"] or ()))

    def seen(self, viewer: Viewer, likeness: float = 0.0, how: str = "") -> Playbook:
        """The playbook as the viewer may see it: how long it took tells of all that was looked at, not of what it holds alone,
        and a reason is in the words of whoever used it.
        """
        v = self.values
        made = (frozenset(map(str, v[part] or ())) for part in ("made_clearance", "made_groups"))
        whole = viewer.admin or all(a <= b for a, b in zip(made, (viewer.clearance, viewer.groups), strict=True))
        return Playbook(
            str(v["id"]), str(v["title"]), str(v["by"]), int(v["at"]), int(v["steps"]) if whole else 0, float(v["ms"]) if whole else 0.0,
            **loads(str(v["kind"]), str(v["json"])), standing=v["standing"], uses=int(v["uses"]), held=int(v["held"]),
            failures=int(v["failures"]), saved_steps=int(v["saved"]) if whole else 0,
            reason=str(v["reason"]) if viewer.admin or v["used_by"] == viewer.owner else "", last_at=int(v["last"]),
            likeness=likeness, how=how, mine=viewer.admin or v["by"] == viewer.owner,
        )  # fmt: skip


class Kept:
    """The playbooks of a workspace, as they stand in the graph of its runs."""

    def __init__(self, store: Store, workspace: str, embedder: Embedder | None, exact: int = EXACT) -> None:
        self._store, self._graph, self._embedder, self._exact = store, graph_name(workspace, "runs"), embedder, exact

    def add(self, entry: Entry, viewer: Viewer, at: int) -> bool:
        """Keeps it, unless it is kept already; whether it was not."""
        vector = self.vector(entry.text)
        needs = entry.needs
        params: dict[str, Any] = {
            "id": entry.id, "kind": "incident" if isinstance(entry.content, Cause) else "question", "place": entry.place,
            "title": entry.title, "by": viewer.owner, "at": at, "steps": entry.steps, "ms": entry.ms, "json": dumps(entry.content),
            "terms": list(entry.terms), "needs": sorted(needs.clearance), "groups": sorted(needs.groups), "keys": list(needs.keys),
            "made_clearance": sorted(viewer.clearance), "made_groups": sorted(viewer.groups),
            "model": self._embedder.model_id if self._embedder and vector else "", **({"emb": vector} if vector else {}),
            "token": uuid.uuid4().hex,
        }  # fmt: skip
        self.prepare(len(vector))
        made = self._store.write(self._graph, header(params) + _CREATED % (", p.emb = vecf32($emb)" if vector else ""))
        return bool(made and made[0][0])

    def prepare(self, dim: int) -> None:
        """The indexes, before the first playbook: where nothing of a kind was ever kept, the database does not see that two who keep
        the same at once keep one thing.
        """
        options = f"{{dimension:{dim}, similarityFunction:'cosine', M:16, efConstruction:200}}"
        wanted = {"id": "CREATE INDEX FOR (p:Playbook) ON (p.id)"}
        if dim:
            wanted["emb"] = f"CREATE VECTOR INDEX FOR (p:Playbook) ON (p.emb) OPTIONS {options}"
        known: set[str] = set()
        if self._store.exists(self._graph):
            rows = self._store.read(self._graph, "CALL db.indexes() YIELD label, properties RETURN label, properties").rows
            known = {str(name) for row in rows if row["label"] == "Playbook" for name in row["properties"]}
        for name in wanted.keys() - known:
            try:
                self._store.write(self._graph, wanted[name])
            except ToolError as error:
                if "already indexed" not in str(error):
                    raise

    def vector(self, text: str) -> list[float]:
        """The vector of a text; none without an embedder."""
        return [float(x) for x in self._embedder.embed([text])[0]] if self._embedder else []

    def one(self, id_: str) -> Row | None:
        """The playbook with that id."""
        return next(iter(self._rows("p.id = $id", {"id": id_}, [])), None)

    def any(self, kind: str) -> bool:
        """Is any playbook of that kind kept?"""
        if not self._store.exists(self._graph):
            return False
        return bool(self._store.read(self._graph, "MATCH (p:Playbook) WHERE p.kind = $kind RETURN p.id LIMIT 1", {"kind": kind}).rows)

    def every(self, kind: str = "") -> list[Row]:
        """All playbooks, or those of a kind, latest first."""
        return self._rows("$kind = '' OR p.kind = $kind", {"kind": kind}, [])

    def of_run(self, run: str) -> list[Row]:
        """Those that were made of that run or investigation."""
        return self._rows("p.json CONTAINS $run", {"run": f'"{run}"'}, [])

    def near(self, kind: str, place: str, vector: Sequence[float], states: Sequence[str]) -> list[Row]:
        """The playbooks of a kind and place that stand so, with how near each is to the vector: all of them, compared one by one;
        where there are very many, those the index names.
        """
        given = {"kind": kind, "place": place, "states": list(states)}
        return self._rows("p.kind = $kind AND p.place = $place AND s.state IN $states", given, vector)

    def _rows(self, where: str, params: Mapping[str, Any], vector: Sequence[float]) -> list[Row]:
        if not self._store.exists(self._graph):
            return []
        given, found, near = dict(params), "MATCH (p:Playbook)", "null"
        if vector and self._embedder:
            given |= {"v": list(vector), "model": self._embedder.model_id}
            near = "CASE WHEN p.model = $model THEN 1 - vec.cosineDistance(p.emb, vecf32($v)) END"
            if self._many():
                given["k"] = self._exact
                found = "CALL db.idx.vector.queryNodes('Playbook', 'emb', $k, vecf32($v)) YIELD node AS p WITH p"
        query = f"{found} MATCH (p)-[:STANDS]->(s:Standing) WHERE {where} WITH p, s, {near} AS near"
        rows = self._store.read(self._graph, f"{query} RETURN {_FIELDS}, near ORDER BY near DESC, at DESC, id", given).rows
        return [Row(row, None if row["near"] is None else float(row["near"])) for row in rows]

    def _many(self) -> bool:
        return int(self._store.read(self._graph, "MATCH (p:Playbook) RETURN count(p) AS n").rows[0]["n"]) > self._exact

    def used(self, id_: str, held: bool, saved: int, at: int, by: str, reason: str) -> None:
        """Counts a use in one step, so that uses at once are all counted. What held is active again, unless a person or failures
        put it away meanwhile; what failed is doubtful, and put away the second time in a row.
        """
        params = {"id": id_, "saved": saved, "at": at, "by": by, "reason": "" if held else reason, "held": 1 if held else 0}
        change = (
            "SET s.uses = s.uses + 1, s.held = s.held + $held, s.saved = s.saved + $saved, s.last = $at, s.used_by = $by,"
            " s.reason = $reason, s.failures = CASE WHEN $held = 1 THEN 0 ELSE s.failures + 1 END WITH s SET s.state = CASE"
            f" WHEN s.state = 'demoted' OR s.failures >= {DEMOTED} THEN 'demoted' WHEN s.failures >= {DOUBTED} THEN 'doubtful'"
            " ELSE 'active' END"
        )
        self._store.write(self._graph, header(params) + _STANDS + change)

    def put(self, id_: str, state: str, by: str, reason: str) -> None:
        """Makes it stand so, by a person's word: failures before count no more."""
        change = "SET s.state = $state, s.failures = 0, s.reason = $reason, s.used_by = $by"
        self._store.write(self._graph, header({"id": id_, "state": state, "by": by, "reason": reason}) + _STANDS + change)

    def forget(self, id_: str) -> None:
        """Deletes it and how it stood."""
        self._store.write(self._graph, header({"id": id_}) + _STANDS + "DETACH DELETE s, p")
