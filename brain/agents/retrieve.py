"""Retrieval as steps of a run: the passages an arm may see for a question, best first."""

from __future__ import annotations

from typing import Any

from brain.agents.run import Run
from brain.errors import ToolError
from brain.text.analysis import query_terms
from brain.text.passages import Passage, fused
from brain.types import Result

FETCH = 100


def passages(run: Run, question: str, how: str, k: int = 12, **where: Any) -> list[Passage]:
    """The k best passages: `how` is "vector" (nearest vectors alone) or "hybrid" (both, fused).

    Without an embedder, or where no vector is stored yet, words alone decide, and the step says so.
    `where` may hold labels, repos, since and until.
    """
    lists = []
    vectors = _nearest(run, question, k if how == "vector" else FETCH // 2, where)
    if vectors is not None:
        lists.append(list(vectors.rows))
    if how == "hybrid" or vectors is None:
        why = "passages with the question's words" if vectors is not None else "no vectors are stored yet: passages with the question's words"
        if query_terms(question):
            lists.append(list(run.call("search_text", why, text=question, k=FETCH // 2, **where).rows))
    return fused(lists, k)


def _nearest(run: Run, question: str, k: int, where: dict[str, Any]) -> Result | None:
    """The nearest passages; an exact scan stands in where the index gave fewer than asked. None
    when there is nothing to compare with."""
    embedder = run.ctx.embedder
    if embedder is None:
        return None
    vector = [float(x) for x in embedder.embed([question])[0]]
    got = None
    args = {"k": k, **where}
    try:
        got = run.ctx.run("vector_search", vector=vector, fetch=max(FETCH, 5 * k), **args)
    except ToolError as err:
        run.add("vector_search", "nearest passages", args, Result(()), str(err).splitlines()[0])
        return None
    if len(got.rows) < k and where:
        got = run.ctx.run("vector_scan", vector=vector, **args)
    if not got.rows:
        return None
    run.add("vector_search", f"the {len(got.rows)} passages nearest in meaning", {**args, "vector": f"<{len(vector)} numbers>"}, got)
    return got
