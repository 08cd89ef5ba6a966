"""Makes a workspace's graph from its record files, beside the live graph, and switches.

The order is fixed: context over all sources, nodes, edges, concepts and chunks, derived edges,
indexes, switch. Nothing of the live graph is written, so readers go on undisturbed.
"""

from __future__ import annotations

import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from brain import admission, connectors, indexes, schema
from brain.assertions import Texts, assertion
from brain.bulk import Loader
from brain.connectors import FORMATS
from brain.connectors.extracted import SOURCE as READ_BY_MODELS
from brain.derive import derived
from brain.errors import Cancelled, SchemaError
from brain.labels import Sources, Structure, label_of
from brain.records import Records
from brain.resting import settled
from brain.spool import Spool, batched, chunk_props, pack, unpack
from brain.store import Store, graph_name
from brain.streams import Stream, more_than, narrowest, said, teaches
from brain.text.chunks import chunk
from brain.text.terms import Terms
from brain.text.vectors import VectorCache
from brain.types import ClaimRow, EdgeRow, NodeRow, Origin, Row, Skip, TextRow

Progress = Callable[[str, int, int], None]
_GOES = frozenset(
    {"PullRequest", "Issue", "Commit", "Release", "Doc", "Decision", "Rule", "Thread", "Message", "Ticket", "Deploy", "Alert", "Incident"}
)
_MENTIONING = schema.RELS["MENTIONS"].domain
MAX_MENTIONS = 8
MOST_QUOTED = 1_000_000


@dataclass
class SourceReport:
    """What became of one source: entities by label and rows by relationship that were accepted, and what was
    left out and why.
    """

    source: str
    stored: Counter[str] = field(default_factory=Counter)
    skipped: dict[str, tuple[int, str]] = field(default_factory=dict)
    _met: set[int] = field(default_factory=set)

    def node(self, label: str, key: str) -> None:
        """Counts an entity of the source, each once however many records tell of it."""
        mark = hash(key)
        if mark not in self._met:
            self._met.add(mark)
            self.stored[label] += 1

    def skip(self, skip: Skip) -> None:
        """Counts something left out; the first place it was seen is kept."""
        count, where = self.skipped.get(skip.reason, (0, str(skip.origin)))
        self.skipped[skip.reason] = (count + skip.count, where)


@dataclass
class Rebuild:
    """The outcome of a rebuild; `unembedded` are (hash, text) of chunks whose vector is not cached, `addresses` the people by
    the hashes of the e-mail addresses that lists of people and chat state.
    """

    reports: dict[str, SourceReport]
    counts: Counter[str]
    seconds: dict[str, float]
    unembedded: int = 0
    chunks: int = 0
    addresses: dict[str, str] = field(default_factory=dict)


class _Pass:
    """One rebuild on its way."""

    def __init__(
        self, store: Store, workspace: str, records: Records, progress: Progress, cancelled: Callable[[], bool], decided: Mapping[str, str]
    ) -> None:
        self.store, self.workspace, self.records, self.decided = store, workspace, records, decided
        self.progress, self.cancelled = progress, cancelled
        self.fresh = graph_name(workspace, "next")
        self.loader = Loader(store, self.fresh)
        self.terms, self.sources, self.read_texts = Terms(), Sources(), Texts()
        self.reports: dict[str, SourceReport] = {}
        self.seconds: dict[str, float] = {}
        self.addresses: dict[str, str] = {}
        self._began = time.perf_counter()

    def mark(self, stage: str, stop: bool = True) -> None:
        now, began = time.perf_counter(), self._began
        self.seconds[stage], self._began = now - began, now
        if stop and self.cancelled():
            raise Cancelled("stopped; what was loaded before is unchanged")

    def rows(self, spool: Spool) -> None:
        """Nodes go into the graph, edges and texts onto the spool, everything refused into the report."""
        sources, labels = sorted(self.records.sources(), key=READ_BY_MODELS.__eq__), defaultdict[str, set[str]](set)
        self.structure = Structure(spool)
        context = connectors.context((self.records.read(s) for s in sources), self.decided)
        self.as_told = context.as_told
        self.addresses = context.company.accounts.addresses()
        self.mark("context")
        for i, source in enumerate(sources):
            self.progress(f"reading {source}", i, len(sources))
            report = self.reports.setdefault(source, SourceReport(source))
            rows = FORMATS[source.partition(":")[0]].rows
            if source == READ_BY_MODELS:
                self._read_by_models(rows(self.records.read(source), context), report, spool)
                continue
            for gone in (False, True):
                stream = Stream(self.records.read(source, gone=gone), gone)
                for row in rows(iter(stream), context):
                    self._take(row, report, spool, stream.gone, stream.label)
            labels[source.partition(":")[0]].add(stream.label)
            self.mark(f"rows {source}")
        for row in context.company.accounts.made(narrowest(labels["git"] | labels["github"])):
            self._take(row, self.reports.setdefault("identities", SourceReport("identities")), spool, 0, "open")
        for node in self.structure.nodes():
            self._store(node)
        for edge in self.structure.edges():
            spool.put(edge.rel, [edge.src, edge.dst, edge.id, dict(edge.props), ""])
        self.loader.flush()
        self.mark("nodes")

    def _read_by_models(self, rows: Iterable[Row], report: SourceReport, spool: Spool) -> None:
        """Takes what models read, once every text that it can rest on has gone by."""
        self.read_texts = Texts(size=MOST_QUOTED)
        for row, gone in settled(rows, spool, self.decided, self.read_texts):
            self._take(row, report, spool, gone, "restricted")

    def _take(self, row: Any, report: SourceReport, spool: Spool, gone: int, section: str) -> None:
        """A row on its way to the graph; `section` is the label of the section it stands in."""
        try:
            if isinstance(row, NodeRow):
                self._node(admission.check_node(row), report, gone, section)
            elif isinstance(row, EdgeRow):
                row = admission.check_edge(row)
                report.stored[row.rel] += 1
                if (edge := self.structure.edge(row, section)) is not None:
                    spool.put(row.rel, [row.src, row.dst, row.id, dict(edge.props), report.source])
            elif isinstance(row, TextRow):
                access, aud = self.sources.covered(row.key, row.access, row.aud)
                row = replace(row, access=access, aud=aud)
                self.read_texts.add(row)
                if teaches(row, gone):
                    self.terms.add_text(*said(row))
                spool.put("text", pack(row, gone, report.source))
                report.stored["text"] += 1
            elif isinstance(row, ClaimRow):
                access, aud = self.sources.covered(row.source, row.access, row.aud)
                row = replace(row, access=access, aud=aud)
                edge, proof = assertion(row, self.read_texts, self.decided, gone)
                spool.put(edge.rel, [edge.src, edge.dst, edge.id, dict(edge.props), report.source])
                spool.put("evidence", asdict(proof))
                report.stored[edge.rel] += 1
            else:
                report.skip(row)
        except SchemaError as err:
            where, _, reason = str(err).partition(": ")
            report.skip(Skip(reason or str(err), Origin(where)))

    def _node(self, row: NodeRow, report: SourceReport, gone: int, section: str) -> None:
        label = schema.label_of(row.key)
        if label == "Person":
            row = self.as_told(row, label_of(row.props, section))
        if gone and label in _GOES:
            row = NodeRow(row.key, row.name, row.source, {**row.props, "gone": gone}, row.origin)
        if label == "File" and row.props.get("base"):
            row = NodeRow(row.key, row.name, row.source, {**row.props, "base": str(row.props["base"]).lower()}, row.origin)
        report.node(label, row.key)
        if schema.NODES[label].kind == "source":
            self.sources.note(row)
            self._store(row)
        elif (taken := self.structure.node(row, section)) is not None:
            self._store(taken)

    def _store(self, row: NodeRow) -> None:
        """A node goes into the graph, and its names among those that may be terms, as open as it is."""
        self.loader.node(row)
        label, access = schema.label_of(row.key), str(row.props.get("access") or "")
        if label == "Repo":
            self.terms.add_name("repo", str(row.props.get("short") or row.name), access)
            for topic in row.props.get("topics") or ():
                self.terms.add_name("topic", topic, access)
        elif label == "Directory" and row.props.get("depth"):
            self.terms.add_name("directory", row.name.rsplit("/", 1)[-1], access)
        elif label == "Person":
            for name in {row.name, *(row.props.get("names") or ()), str(row.props.get("login") or row.name)}:
                self.terms.add_name("person", name, access)
        for name in row.props.get("labels") or ():
            self.terms.add_name("label", name, access)

    def edges(self, spool: Spool) -> None:
        """Writes the spooled edges, one type after the other."""
        names = [n for n in spool.names() if n in schema.RELS]
        for i, rel in enumerate(names):
            self.progress(f"joining {rel}", i, len(names))
            self.loader.edges(rel, (EdgeRow(r[0], rel, r[1], r[3], id=r[2]) for r in spool.take(rel)))
        self.loader.evidence(spool.take("evidence"))
        for skip in self.loader.missing:
            report = self.reports.setdefault("joins", SourceReport("joins"))
            report.skip(skip)
        self.mark("edges")

    def learn(self, spool: Spool, concepts_file: Path | None) -> None:
        """Settles which terms there are, and stores them."""
        again = (unpack(t) for t in spool.take("text"))
        self.terms.finish(concepts_file, (said(text.row) for text in again if teaches(text.row, text.gone)))
        for concept, label in self.terms.concepts():
            props = {"terms": list(concept.terms), "kind": concept.kind, "uses": concept.uses, "access": label}
            self.loader.node(NodeRow(f"concept:{concept.slug}", concept.name, "concepts", props))
        self.loader.flush()

    def texts(self, spool: Spool, cache: VectorCache | None) -> tuple[int, int]:
        """Chunks with their vectors, and which text names which concept. Gives (chunks, without vector)."""
        total = missing = 0
        for batch in batched((unpack(t) for t in spool.take("text")), 200):
            chunks = [(text, c) for text in batch for c in chunk(text.row)]
            found = cache.get_many([c.hash for _, c in chunks]) if cache is not None else {}
            vectors = [found.get(c.hash) for _, c in chunks]
            self.loader.chunks([chunk_props(text, c) for text, c in chunks], vectors)
            for text, c in chunks:
                spool.put("PART_OF.late", [c.key, text.row.key, "", {}])
            for row in (text.row for text in batch):
                if schema.label_of(row.key) in _MENTIONING:
                    label = {"access": row.access, "aud": list(row.aud)} if self.sources.narrower(row.key, row.access) else {}
                    for slug, n, line in self.terms.mentions(f"{row.title}\n{row.body}", MAX_MENTIONS):
                        told = {"n": n, "at": row.at, "line": line, **label}
                        spool.put("MENTIONS.narrow" if label else "MENTIONS.late", [row.key, f"concept:{slug}", "", told])
            total += len(chunks)
            missing += sum(v is None for v in vectors)
            self.progress("cutting texts", total, 0)
        spool.put_all("MENTIONS.late", more_than(spool, "MENTIONS.narrow", "MENTIONS.late"))
        for rel in ("PART_OF", "MENTIONS"):
            self.loader.edges(rel, (EdgeRow(r[0], rel, r[1], r[3]) for r in spool.take(f"{rel}.late")))
        self.mark("texts")
        return total, missing

    def derive(self) -> None:
        """Runs every query of queries/derive and stores what it found as edges."""
        for rel, edges in derived(self.store, self.fresh, self.progress):
            self.loader.edges(rel, edges)
        self.mark("derived")

    def index(self, dim: int | None) -> None:
        """Builds the indexes and waits until they serve."""
        self.progress("building indexes", 0, 1)
        indexes.make(self.store, self.fresh, *indexes.LOOKED_UP, *([indexes.vectors(dim)] if dim else []))
        self.mark("indexes")


def rebuild(
    store: Store,
    workspace: str,
    records: Records,
    cache: VectorCache | None,
    *,
    concepts_file: Path | None = None,
    decided: Mapping[str, str] | None = None,
    progress: Progress = lambda stage, done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
    before_switch: Callable[[str], None] = lambda graph: None,
) -> Rebuild:
    """Builds the workspace's graph from its records and switches to it, once `before_switch` has had it. Until then, and when
    anything fails, the live graph stays as it was. `decided` maps ids of claims to what people decided about them.
    """
    work = _Pass(store, workspace, records, progress, cancelled, decided or {})
    store.drop(work.fresh)
    try:
        with tempfile.TemporaryDirectory(prefix="hopcheck-") as folder:
            spool = Spool(Path(folder))
            try:
                work.loader.prepare()
                work.rows(spool)
                work.edges(spool)
                work.learn(spool, concepts_file)
                chunks, missing = work.texts(spool, cache)
            finally:
                spool.close()
        work.derive()
        work.index(cache.dim if cache is not None and chunks > missing else None)
        before_switch(work.fresh)
        store.switch(work.fresh, graph_name(workspace))
        work.mark("switch", stop=False)
    finally:
        store.drop(work.fresh)
    return Rebuild(work.reports, work.loader.counts, work.seconds, missing, chunks, work.addresses)
