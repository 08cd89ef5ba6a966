"""The indexes of a company's graph: what they are on, and how they are made over one that nobody reads yet."""

from __future__ import annotations

from brain.store import Store

KEYS = "CREATE INDEX FOR (e:Entity) ON (e.key)"
EVIDENCE = "CREATE INDEX FOR (e:Evidence) ON (e.id)"
# What queries begin at, and the words of the passages; those of keys and evidence are made first, since rows are written by them.
LOOKED_UP = (
    "CREATE INDEX FOR (e:PullRequest) ON (e.number)",
    "CREATE INDEX FOR (e:PullRequest) ON (e.merged_at)",
    "CREATE INDEX FOR (e:Issue) ON (e.number)",
    "CREATE INDEX FOR (e:Commit) ON (e.sha)",
    "CREATE INDEX FOR (e:File) ON (e.base)",
    "CREATE FULLTEXT INDEX FOR (c:Chunk) ON (c.ft) OPTIONS {nostem:true}",
)


def vectors(dim: int) -> str:
    """The text that makes the index of the passages' vectors of that dimension."""
    options = f"{{dimension:{dim}, similarityFunction:'cosine', M:16, efConstruction:200}}"
    return f"CREATE VECTOR INDEX FOR (c:Chunk) ON (c.emb) OPTIONS {options}"


def make(store: Store, graph: str, *texts: str) -> None:
    """Makes these indexes, one after the other, and returns when they serve."""
    for text in texts:
        store.write(graph, text)
        if "FULLTEXT" not in text:  # the vectors join the index of the words: one build for both
            store.wait_for_indexes(graph)
    store.wait_for_indexes(graph)
