"""The nouns everything hangs on. Frozen, plain, and importing nothing of ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Arm = Literal["graph", "vector", "hybrid"]
State = Literal["answered", "insufficient", "premise_corrected", "refused"]
Verdict = Literal["supported", "unsupported", "contradicted"]
ARMS: tuple[Arm, ...] = ("graph", "vector", "hybrid")


@dataclass(frozen=True)
class Origin:
    """Where a record was read: a file (or address) and a line, 0 when lines mean nothing there."""

    file: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True)
class NodeRow:
    """One entity to store; its label follows from the key's prefix (`schema.label_of`)."""

    key: str
    name: str
    source: str
    props: Mapping[str, Any] = field(default_factory=dict)
    origin: Origin = Origin("?")


@dataclass(frozen=True)
class EdgeRow:
    """One relationship to store; `id` tells parallel edges of one type between two nodes apart."""

    src: str
    rel: str
    dst: str
    props: Mapping[str, Any] = field(default_factory=dict)
    origin: Origin = Origin("?")
    id: str = ""


@dataclass(frozen=True)
class TextRow:
    """Text of a source, to be cut into chunks. `key` is the source it belongs to, `part` tells the
    texts of one source apart ("body", "comment/123"), `line` is where the text starts in `origin`.
    """

    key: str
    part: str
    title: str
    body: str
    at: int
    author: str = ""
    repo: str = ""
    access: str = ""
    aud: tuple[str, ...] = ()
    url: str = ""
    origin: Origin = Origin("?")


@dataclass(frozen=True)
class Skip:
    """Something read and not stored, and why; `count` things share the reason."""

    reason: str
    origin: Origin
    count: int = 1


@dataclass(frozen=True)
class ClaimRow:
    """A claim somebody made: `src` `rel` `dst`, an assertion of the schema, with what it rests on.

    `source` is the key of the thing whose stored text holds `quote` on its line `line` (1 is the first line of
    the text); its `access` and `aud` govern who sees the claim. `at` is when it was said, `valid_from` and
    `valid_to` when it holds (0: since nobody knows; None: until further notice). `read_by` names the rule, column or
    field that gave it. All times are epoch seconds. `ident`, where given, stands for `src` and `dst` in the claim's id:
    the key of a person changes when identities join, and a decision about the claim must outlast that.
    """

    src: str
    rel: str
    dst: str
    source: str
    line: int
    quote: str
    authority: str
    at: int = 0
    valid_from: int = 0
    valid_to: int | None = None
    state: str = "approved"
    scope: str = ""
    props: Mapping[str, Any] = field(default_factory=dict)
    access: str = ""
    aud: tuple[str, ...] = ()
    read_by: str = ""
    origin: Origin = Origin("?")
    ident: str = ""


Row = NodeRow | EdgeRow | TextRow | ClaimRow | Skip


@dataclass(frozen=True)
class Node:
    """An entity as a query returned it; `props` never holds an embedding."""

    key: str
    label: str
    name: str
    props: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Edge:
    """A relationship as a query returned it, between two keys."""

    src: str
    rel: str
    dst: str
    props: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Viewer:
    """Who asks. `clearance` holds the access labels open to them, `groups` the keys of the teams,
    roles and channels whose restricted sources they may read. Nothing granted sees nothing.
    `by` is the administrator who looks as this viewer; empty when it is the viewer who looks.
    """

    id: str
    clearance: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    admin: bool = False
    by: str = ""

    @property
    def owner(self) -> str:
        """Whose runs and jobs are made: the one who looks."""
        return self.by or self.id


@dataclass(frozen=True)
class Result:
    """What one query gave: data rows, and every node and edge that stood in a column.

    `ms` is wall time around the call, `server_ms` what the server says it spent executing.
    `query` and `params` are exactly what ran, so that "run again" runs the same.
    """

    rows: tuple[Mapping[str, Any], ...]
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    query: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    ms: float = 0.0
    server_ms: float = 0.0


@dataclass(frozen=True)
class Step:
    """One tool call of a run; the log, the page and the evidence graph are views of these."""

    n: int
    tool: str
    why: str
    args: Mapping[str, Any]
    cypher: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    rows: tuple[Mapping[str, Any], ...] = ()
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    ms: float = 0.0
    server_ms: float = 0.0
    error: str | None = None


@dataclass(frozen=True)
class Quote:
    """Words taken from a stored text: the source's key, the line there, and the words."""

    source: str
    line: int
    text: str


@dataclass(frozen=True)
class Claim:
    """One sentence of an answer with its citations and what the verifier says of them."""

    text: str
    cites: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()
    verdict: Verdict = "unsupported"
    hops: int = 0
    path: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Usage:
    """What a run cost: wall milliseconds, and tokens and money where a model took part; `usd` is None where no price is known.
    `model_ms` of `ms` were spent waiting for a model in `turns` exchanges; `cached_tokens` of the prompt the server had read before.
    """

    ms: float = 0.0
    model: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float | None = 0.0
    cached_tokens: int = 0
    model_ms: float = 0.0
    turns: int = 0
    estimated: bool = False


@dataclass(frozen=True)
class Answer:
    """An answer by one arm. `items` are the keys or values that follow ANSWER; `dropped` are the
    claims that failed verification twice and are shown as dropped, outside the answer.
    """

    run: str
    question: str
    arm: Arm
    engine: str
    viewer: str
    as_of: int
    state: State
    text: str
    items: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    dropped: tuple[Claim, ...] = ()
    steps: tuple[Step, ...] = ()
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    suggestions: tuple[str, ...] = ()
    usage: Usage = Usage()
