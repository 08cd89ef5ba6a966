"""A graph small enough to count by hand, of the demo's shape, made through the loader that real loads use.

`canary` adds restricted items that are linked to everything; nothing a viewer without a grant is told may change by it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import numpy as np

from brain import admission, indexes, permissions, schema
from brain.bulk import Loader
from brain.derive import derived
from brain.store import Store, graph_name
from brain.text.analysis import analyse
from brain.tools.asking import Asking
from brain.types import EdgeRow, NodeRow, Origin, Viewer

G, F = "merefold/gatekeeper", "merefold/floodline"
CANARY = "xyzzy"
SHA = "705fabdfb691098b5d03c91a482eb5fc2a8f28cd"
EARLIER = {"client.go": ["modbus/client.go"], "build.yaml": [".github/workflows/build.yaml"]}
VECTOR = [1.0, 0.0, 0.0, 0.0]


def at(text: str) -> int:
    """Midnight UTC of a day, or the instant of an ISO text."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


NOW = at("2025-12-01")


@dataclass
class Rows:
    """Rows to load, by the calls that make them."""

    nodes: list[NodeRow]
    edges: list[EdgeRow]
    chunks: list[dict[str, Any]]
    evidence: list[dict[str, Any]] = field(default_factory=list)

    def node(self, key: str, name: str, **props: Any) -> str:
        self.nodes.append(admission.check_node(NodeRow(key, name, "test", props, Origin("small_graph"))))
        return key

    def edge(self, src: str, rel: str, dst: str, id: str = "", **props: Any) -> None:
        self.edges.append(admission.check_edge(EdgeRow(src, rel, dst, props, Origin("small_graph"), id)))

    def chunk(self, key: str, title: str, text: str, when: int, access: str = "open", **more: Any) -> None:
        words = f"{title}\n{text}"
        self.chunks.append(
            {
                "key": f"chunk:{key}/0",
                "name": title,
                "source": "test",
                "text": words,
                "ft": analyse(words),
                "src": key,
                "src_label": schema.label_of(key),
                "title": title,
                "line": 1,
                "line_end": 3,
                "n": 0,
                "hash": key,
                "at": when,
                "repo": key.split(":")[1].split("#")[0].split("@")[0],
                "part": "body",
                "access": access,
                **more,
            }
        )
        self.edges.append(EdgeRow(f"chunk:{key}/0", "PART_OF", key))

    def pr(self, repo: str, number: int, author: str | None, title: str, day: str, **props: Any) -> str:
        merged, closed = props.pop("merged", None), props.pop("closed", None)
        files, access = props.pop("files", ()), props.pop("access", "open")
        made = at(day)
        key = self.node(
            f"pr:{repo}#{number}", title, repo=repo, number=number, title=title, created_at=made, at=made, access=access,
            merged_at=at(merged) if merged else None, closed_at=at(closed or merged) if closed or merged else None,
            state="merged" if merged else "closed" if closed else "open", author=author, n_files=len(files), **props,
        )  # fmt: skip
        self.edge(key, "IN_REPO", f"repo:{repo}")
        if author:
            self.edge(f"person:{author}", "AUTHORED", key, at=made)
        for path in files:
            old, _, new = path.partition(">")
            self.edge(key, "TOUCHED", f"file:{repo}/{new or old}", status="M", path=old)
        self.chunk(key, title, props.pop("body", "nothing more"), made, access)
        return key

    def issue(
        self, repo: str, number: int, author: str, title: str, day: str, closed: str | None = None, access: str = "open", **props: Any
    ) -> str:
        made = at(day)
        key = self.node(
            f"issue:{repo}#{number}", title, repo=repo, number=number, title=title, created_at=made, at=made, access=access,
            closed_at=at(closed) if closed else None, state="closed" if closed else "open", author=author, **props,
        )  # fmt: skip
        self.edge(key, "IN_REPO", f"repo:{repo}")
        self.edge(f"person:{author}", "OPENED", key, at=made)
        self.chunk(key, title, "seen at the lock", made, access)
        return key

    def review(self, who: str, pr: str, day: str, state: str = "APPROVED") -> None:
        self.edge(f"person:{who}", "REVIEWED", pr, id=f"r{len(self.edges)}", at=at(day), state=state)

    def comment(self, who: str, key: str, day: str) -> None:
        self.edge(f"person:{who}", "COMMENTED_ON", key, id=f"c{len(self.edges)}", at=at(day))

    def commit(
        self,
        repo: str,
        sha: str,
        who: str,
        subject: str,
        day: str,
        files: tuple[str, ...] = (),
        on_default: bool = True,
        access: str = "open",
    ) -> str:
        when = at(day)
        key = self.node(
            f"commit:{repo}@{sha}",
            subject,
            repo=repo,
            sha=sha,
            subject=subject,
            at=when,
            access=access,
            on_default=on_default,
            n_files=len(files),
        )
        self.edge(key, "IN_REPO", f"repo:{repo}")
        self.edge(f"person:{who}", "AUTHORED", key, at=when)
        for path in files:
            old, _, new = path.partition(">")
            self.edge(key, "TOUCHED", f"file:{repo}/{new or old}", status="M", path=old)
        return key

    def release(self, repo: str, tag: str, day: str) -> str:
        key = self.node(f"release:{repo}@{tag}", tag, repo=repo, tag=tag, at=at(day), published_at=at(day))
        self.edge(key, "IN_REPO", f"repo:{repo}")
        return key


def _structure(r: Rows) -> None:
    for repo in (G, F):
        r.node(f"repo:{repo}", repo, short=repo.split("/")[1], org="merefold", aliases=["oldorg/gate"] if repo == G else [])
        r.node(f"dir:{repo}", repo, repo=repo, path="", depth=0)
    for login, bot in (
        ("sannakivela", False),
        ("ncarrowby", False),
        ("tdabrowski", False),
        ("ekoh", False),
        ("dag", False),
        ("ci[bot]", True),
    ):
        r.node(f"person:{login}", login, login=login, bot=bot)
    paths = {
        G: (
            "internal/modbus/client.go",
            "internal/modbus/serial.go",
            "internal/command/queue.go",
            ".github/workflows/ci.yaml",
            "README.md",
        ),
        F: ("floodline/alerts.py", "README.md", "ci/build.yaml"),
    }
    for repo, files in paths.items():
        for path in files:
            parts = path.split("/")
            earlier = EARLIER.get(parts[-1])
            r.node(
                f"file:{repo}/{path}",
                path,
                repo=repo,
                path=path,
                base=parts[-1],
                exists=True,
                earlier_names=earlier,
                born_at=at("2025-04-07"),
            )
            for depth in range(1, len(parts)):
                folder = "/".join(parts[:depth])
                r.node(f"dir:{repo}/{folder}", folder, repo=repo, path=folder, depth=depth)
                r.edge(f"dir:{repo}/{folder}", "IN_DIR", f"dir:{repo}/{'/'.join(parts[: depth - 1])}".rstrip("/"))
            r.edge(f"file:{repo}/{path}", "IN_DIR", f"dir:{repo}/{'/'.join(parts[:-1])}".rstrip("/"))
            r.edge(f"file:{repo}/{path}", "IN_REPO", f"repo:{repo}")
    r.node("concept:modbus", "Modbus", terms=["modbus"], kind="directory", uses=3)
    r.release(G, "v2.1.0", "2025-06-10")
    r.release(G, "v2.1.1", "2025-07-03")


def _work(r: Rows) -> None:
    client, serial, queue = "internal/modbus/client.go", "internal/modbus/serial.go", "internal/command/queue.go"
    one = r.pr(G, 1, "ncarrowby", "Talk Modbus over serial lines as well", "2025-04-10", merged="2025-04-15", labels=["enhancement"],
               files=(serial, f"modbus/client.go>{client}"), base="main", merged_by="sannakivela")  # fmt: skip
    two = r.issue(
        G,
        2,
        "ekoh",
        "Gate shows moving after the local key was used",
        "2025-04-14",
        closed="2025-04-28",
        labels=["bug", "field-report"],
        closed_by="sannakivela",
    )
    three = r.pr(
        G,
        3,
        "sannakivela",
        "Read the local key switch",
        "2025-04-22",
        merged="2025-04-28",
        labels=["bug"],
        files=(client, queue),
        base="main",
        merged_by="sannakivela",
    )
    four = r.issue(
        G, 4, "sannakivela", "Two gates of one lock can both be told to open", "2025-05-02", closed="2025-05-26", labels=["bug", "safety"]
    )
    five = r.pr(
        G,
        5,
        "sannakivela",
        "Evaluate interlocks when a command is queued",
        "2025-05-13",
        merged="2025-06-20",
        labels=["safety"],
        files=(queue,),
        base="main",
        merged_by="tdabrowski",
    )
    eight = r.issue(G, 8, "ncarrowby", "Gate shows moving after a restart", "2025-06-04", labels=["bug"])
    eleven = r.pr(G, 11, "tdabrowski", "Poll faster", "2025-07-02", closed="2025-07-04", files=(client,), base="main")
    forty = r.pr(G, 40, "ncarrowby", "Retry a lost frame", "2025-11-10", files=(serial, client), base="main", draft=True)
    r.pr(F, 6, "ci[bot]", "Bump numpy", "2025-08-01", merged="2025-08-02", files=("README.md",), base="main")
    seven = r.pr(
        F,
        7,
        "tdabrowski",
        "Warn twice",
        "2025-08-05",
        merged="2025-08-09",
        files=("floodline/alerts.py", ".github/workflows/build.yaml>ci/build.yaml"),
        base="main",
    )
    for pr, who, day in (
        (one, "sannakivela", "2025-04-15"),
        (three, "sannakivela", "2025-04-28"),
        (five, "tdabrowski", "2025-06-20"),
        (seven, "tdabrowski", "2025-08-09"),
    ):
        r.edge(f"person:{who}", "MERGED", pr, at=at(day))
    for who, pr, day, state in (
        ("tdabrowski", one, "2025-04-11", "COMMENTED"), ("tdabrowski", one, "2025-04-12", "APPROVED"), ("ncarrowby", three, "2025-04-23", "APPROVED"),
        ("ekoh", three, "2025-04-24", "APPROVED"), ("tdabrowski", five, "2025-05-14", "CHANGES_REQUESTED"), ("tdabrowski", five, "2025-06-19", "APPROVED"),
        ("sannakivela", eleven, "2025-07-03", "CHANGES_REQUESTED"), ("tdabrowski", eleven, "2025-07-03", "COMMENTED"), ("ci[bot]", forty, "2025-11-11", "COMMENTED"),
    ):  # fmt: skip
        r.review(who, pr, day, state)
    for who, key, day in (
        ("sannakivela", two, "2025-04-15"),
        ("ekoh", two, "2025-04-16"),
        ("ncarrowby", four, "2025-05-03"),
        ("ncarrowby", forty, "2025-11-12"),
        ("sannakivela", eight, "2025-06-05"),
    ):
        r.comment(who, key, day)
    r.edge(three, "CLOSES", two, keyword="fixes", at=at("2025-04-22"))
    r.edge(five, "CLOSES", four, keyword="closes", at=at("2025-05-13"))
    r.edge(seven, "REFERENCES", three, crossRepo=True, at=at("2025-08-05"))
    r.edge(eight, "REFERENCES", two, crossRepo=False, at=at("2025-06-04"))
    a = r.commit(G, SHA, "ncarrowby", "Frame RTU telegrams", "2025-04-14", (serial, f"modbus/client.go>{client}"))
    b = r.commit(G, "b" * 40, "sannakivela", "Read the local key switch (#3)", "2025-04-28", (client, queue))
    c = r.commit(G, "c" * 40, "sannakivela", "Tidy", "2025-07-01", ("README.md",))
    r.commit(G, "d" * 40, "tdabrowski", "Try something", "2025-07-02", (client,), on_default=False)
    r.commit(F, "e" * 40, "dag", "First", "2023-01-05", ("floodline/alerts.py",))
    r.edge(one, "INCLUDES", a, how="head")
    r.edge(three, "INCLUDES", b, how="mergeCommit.oid")
    # b ships with the pull request it belongs to, as connectors leave it; a and c have the edge themselves
    for what, tag in ((one, "v2.1.0"), (three, "v2.1.0"), (a, "v2.1.0"), (five, "v2.1.1"), (c, "v2.1.1")):
        r.edge(what, "SHIPPED_IN", f"release:{G}@{tag}", how="tag", source="first tag that contains the merge commit")
    for key in (one, three, two):
        r.edge(key, "MENTIONS", "concept:modbus", n=1, at=at("2025-04-22"))


def _secret(r: Rows, access: str | None, aud: list[str] | None) -> None:
    """Restricted items beside the others, linked to all that the others are linked to."""
    client, serial = "internal/modbus/client.go", "internal/modbus/serial.go"
    pr = r.pr(
        G,
        900,
        "sannakivela",
        f"{CANARY} Talk Modbus over serial lines as well",
        "2025-04-10",
        merged="2025-04-16",
        labels=["bug", CANARY],
        files=(client, serial),
        access=access,
        aud=aud,
        base="main",
    )
    still = r.pr(
        G,
        901,
        "dag",
        f"{CANARY} gate moving key",
        "2025-11-01",
        labels=["bug", CANARY],
        files=(client, serial),
        access=access,
        aud=aud,
        base="main",
    )
    issue = r.issue(
        G,
        902,
        "dag",
        f"{CANARY} Gate shows moving after the local key was used",
        "2025-04-14",
        labels=["bug", CANARY],
        access=access,
        aud=aud,
    )
    shut = r.issue(
        G,
        903,
        "dag",
        f"{CANARY} Gate shows moving after the local key",
        "2025-04-14",
        closed="2025-04-20",
        labels=["bug", CANARY],
        access=access,
        aud=aud,
    )
    commit = r.commit(G, "9" * 40, "dag", f"{CANARY} commit", "2025-06-30", (client, serial), access=access)
    for who in ("ncarrowby", "tdabrowski", "ekoh", "dag"):
        r.review(who, pr, "2025-04-12")
        r.review(who, still, "2025-11-12", "COMMENTED")
        for key in (pr, still, issue, shut):
            r.comment(who, key, "2025-11-12")
    for number in (2, 4, 8):
        r.edge(pr, "CLOSES", f"issue:{G}#{number}", keyword="fixes", at=at("2025-04-10"))
    r.edge(f"pr:{G}#3", "CLOSES", shut, keyword="fixes", at=at("2025-04-10"))
    r.edge(f"pr:{F}#7", "CLOSES", shut, keyword="fixes", at=at("2025-08-05"))
    r.edge(commit, "CLOSES", f"issue:{G}#2", keyword="fixes", at=at("2025-04-10"))
    for other in (f"pr:{G}#1", f"pr:{G}#3", f"issue:{G}#2", f"pr:{F}#7"):
        r.edge(pr, "REFERENCES", other, at=at("2025-04-11"))
        r.edge(other, "REFERENCES", issue, at=at("2025-11-11"))
    r.edge(pr, "INCLUDES", f"commit:{G}@{SHA}", how="head")
    r.edge(f"pr:{G}#3", "INCLUDES", commit, how="head")
    r.edge("person:ncarrowby", "MERGED", pr, at=at("2025-04-16"))
    for key in (pr, commit):
        r.edge(key, "SHIPPED_IN", f"release:{G}@v2.1.0", how="tag")
    for key in (pr, issue, still):
        r.edge(key, "MENTIONS", "concept:modbus", n=1, at=at("2025-04-22"))
    for node in r.nodes:
        if "90" in node.key and aud:
            r.edge(node.key, "VISIBLE_TO", "team:secret") if node.key.startswith(("pr:", "issue:")) else None


def rows(canary: str | None = None) -> Rows:
    """All rows; `canary` is the kind of restriction: "restricted", "aud" or "unlabelled" (no label at all)."""
    r = Rows([], [], [])
    _structure(r)
    _work(r)
    r.node("team:secret", "Secret")
    if canary:
        _secret(
            r, {"restricted": "restricted", "aud": "restricted", "unlabelled": None}[canary], ["team:secret"] if canary == "aud" else None
        )
    return r


def build(store: Store, workspace: str, canary: str | None = None, extra: Rows | None = None) -> None:
    """Loads the graph into a workspace, with derived edges and indexes, as a load does."""
    graph, r = graph_name(workspace), rows(canary)
    if extra:
        r = Rows(r.nodes + extra.nodes, r.edges + extra.edges, r.chunks + extra.chunks, extra.evidence)
    loader = Loader(store, graph)
    loader.prepare()
    for node in r.nodes:
        loader.node(node)
    loader.flush()
    vectors = [np.array(VECTOR if "Modbus" in c["text"] else [0.1, 1.0, 0.0, len(c["text"]) / 100], dtype="float32") for c in r.chunks]
    loader.chunks(r.chunks, vectors)
    for rel in sorted({e.rel for e in r.edges}):
        loader.edges(rel, [e for e in r.edges if e.rel == rel])
    assert not loader.missing, loader.missing
    loader.evidence(r.evidence)
    for rel, edges in derived(store, graph):
        loader.edges(rel, edges)
    for text in indexes.LOOKED_UP:
        store.write(graph, text)
    store.write(graph, "CREATE VECTOR INDEX FOR (c:Chunk) ON (c.emb) OPTIONS {dimension:4, similarityFunction:'cosine'}")
    store.wait_for_indexes(graph)


def asking(store: Store, workspace: str, viewer: Viewer | None = None, as_of: int = NOW) -> Asking:
    """Everything a tool needs; by default a guest, who sees what is open."""
    return Asking(store, workspace, viewer or permissions.guest(), as_of)
