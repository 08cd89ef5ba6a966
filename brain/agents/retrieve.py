"""Retrieval as steps of a run: the passages an arm may see for a question, best document first.

A document's rank is fused from how its best passage ranks and how the passage it begins with ranks,
by words and by meaning; so a long discussion does not outweigh the text that says it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from brain.agents.run import Run
from brain.agents.understand import Understanding
from brain.agents.wording import as_at
from brain.errors import ToolError
from brain.text.analysis import query_terms
from brain.text.passages import Passage, passage
from brain.text.ranking import rrf
from brain.types import Result

FETCH = 60
ENOUGH = 3
NAMED, PER_NAMED = 6, 60
# Chosen on 83 questions about two organisations: the words' ranking counts twice the vectors', a document's
# first passage half as much as its best one. Equal weights and k = 60 put 62 of them first, these 67.
K, WORDS, FIRST = 10, 2.0, 0.5
_WITH_TEXT = ("PullRequest", "Issue", "Commit", "Release", "Doc", "Ticket", "Incident", "Alert", "Deploy", "Decision", "Rule")
_ANY = ["PullRequest", "Issue", "Doc", "Ticket", "Message", "Thread", "Incident", "Decision", "Rule"]
_LABEL = {"prs": ["PullRequest"], "issues": ["Issue"], "commits": ["Commit"], "releases": ["Release"]}


def labels_for(u: Understanding) -> list[str]:
    """The kinds of document the question asks for; discussions when it names none."""
    if u.want in _LABEL:
        return _LABEL[u.want]
    if u.lexicon.company and not set(u.nouns) & set(_LABEL):
        return _ANY
    nouns = [n for n in u.nouns if n in _LABEL]
    return _LABEL[nouns[0]] if len(set(nouns)) == 1 else ["PullRequest", "Issue"]


def passages(run: Run, u: Understanding, how: str, k: int = 12, of: Sequence[str] | None = None) -> list[Passage]:
    """The passages of the documents the question names, then the k best others.

    `how` is "vector" (nearest in meaning alone) or "hybrid" (words as well). They come from the
    repositories and kinds of document the question names, or from anywhere when too few do. Without an
    embedder, or before vectors are stored, words alone decide; the step says so. `of` keeps to these kinds of document.
    """
    own = _named(run, u)
    repos = [key.removeprefix("repo:") for m in u.links.of("Repo") for key in m.keys]
    labels = labels_for(u) if of is None else list(of)
    where: dict[str, Any] = {**({"labels": labels} if labels else {}), **({"repos": repos} if repos else {})}
    numbers = list(dict.fromkeys(p.src.rpartition("#")[2] for p in own if "#" in p.src))
    found = _fused(run, u.question, how, k, where, numbers)
    if len({p.src for p in found}) < ENOUGH and of is None:
        wider = _fused(run, u.question, how, k, {"repos": repos} if repos else {})
        known = {p.chunk for p in found}
        found += [p for p in wider if p.chunk not in known]
    known = {p.chunk for p in own}
    return own + [p for p in found if p.chunk not in known][:k]


def like(run: Run, text: str, k: int, labels: Sequence[str] = (), how: str = "hybrid") -> list[Passage]:
    """The k passages most like a text, by words and by meaning (`how` "vector": by meaning alone), of documents of these kinds (any
    when none is given).
    """
    return _fused(run, text, how, k, {"labels": [*labels]} if labels else {})


def _named(run: Run, u: Understanding) -> list[Passage]:
    """The passages of the pull requests, issues, commits and releases the question names."""
    named = [key for m in u.links.of(*_WITH_TEXT) for key in m.keys]
    keys = list(dict.fromkeys(f"doc:{k.partition(':')[2]}.md" if k.startswith("decision:") else k for k in named))[:NAMED]
    if not keys:
        return []
    got = run.ctx.run("chunks_for", keys=keys, per=PER_NAMED)
    run.add("chunks_for", "passages of what the question names", {"keys": keys}, got)
    about = {n.key: as_at(n, run.ctx.as_of).props for n in got.nodes}
    return [passage(r, 1.0, 1.0, about.get(str(r["src"]))) for r in got.rows]


def _fused(run: Run, question: str, how: str, k: int, where: dict[str, Any], numbers: Sequence[str] = ()) -> list[Passage]:
    lists: list[tuple[float, Result]] = []
    nearest = _nearest(run, question, where)
    if nearest is not None:
        lists.append((1.0, nearest))
    if (how == "hybrid" or nearest is None) and query_terms(question):
        why = "passages with the question's words"
        if nearest is None:
            why = f"no vectors are stored yet: {why}"
        lists.append((WORDS, run.call("search_text", why, text=question, k=FETCH, **where)))
        if numbers:
            text = f"close fix resolve {' '.join(numbers)}"
            lists.append((WORDS, run.call("search_text", "passages that refer to what the question names", text=text, k=FETCH, **where)))
    near = {str(r["chunk"]): float(r["score"]) for r in nearest.rows} if nearest is not None else {}
    return _by_document(lists, k, near, run.ctx.as_of)


def _by_document(lists: Sequence[tuple[float, Result]], k: int, near: Mapping[str, float], at: int) -> list[Passage]:
    """The best passages of the best documents, each with its document's fused score; at most three of one."""
    legs = [([str(r["src"]) for r in got.rows], weight) for weight, got in lists]
    legs += [([str(r["src"]) for r in got.rows if r["part"] == "body"], weight * FIRST) for weight, got in lists]
    documents = rrf([leg for leg, _ in legs], K, [weight for _, weight in legs])
    ranks = dict(rrf([[str(r["chunk"]) for r in got.rows] for _, got in lists], K, [weight for weight, _ in lists]))
    rows = {str(r["chunk"]): r for _, got in lists for r in got.rows}
    about = {n.key: as_at(n, at).props for _, got in lists for n in got.nodes}
    out: list[Passage] = []
    for src, score in documents:
        own = sorted((c for c, r in rows.items() if r["src"] == src), key=lambda c: -ranks[c])
        out += [passage(rows[c], score, near.get(c, 0.0), about.get(src)) for c in own[:3]]
        if len(out) >= k:
            break
    return out[:k]


def _nearest(run: Run, question: str, where: dict[str, Any]) -> Result | None:
    """The nearest passages; None when there is nothing to compare with.

    Exactly where the question names repositories, since the filter then leaves few to compare, and for everybody but
    administrators; else by the index, and exactly again when it gives too few after the filters.
    """
    embedder = run.ctx.embedder
    if embedder is None:
        return None
    vector = [float(x) for x in embedder.embed([question])[0]]
    args = {"k": FETCH, **where}
    said = {**args, "vector": f"<{len(vector)} numbers>"}
    try:
        exact = where.get("repos") or not run.ctx.viewer.admin  # the index is approximate: what is hidden in it could move what is near
        got = Result(()) if exact else run.ctx.run("vector_search", vector=vector, fetch=20 * FETCH, **args)
        if len(got.rows) < FETCH:
            got = run.ctx.run("vector_scan", vector=vector, **args)
    except ToolError as err:
        run.add("vector_search", "nearest passages", said, Result(()), str(err).splitlines()[0])
        return None
    if not got.rows:
        return None
    run.add("vector_search", f"the {len(got.rows)} passages nearest in meaning", said, got)
    return got
