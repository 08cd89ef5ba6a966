"""Rules and decisions that a question describes in other words than their names: compared in meaning, with the words they share."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from brain.agents import retrieve
from brain.agents.company_facts import Row, unique
from brain.agents.run import Run
from brain.agents.understand import Understanding
from brain.text.analysis import query_terms, terms
from brain.text.embedding import Embedder

MOST, HELD = 60, 1024
# On 20 questions about rules in far words and 8 about nothing there: a shared word is worth so much of a cosine; what is
# meant came to 0.42 and more with a shared word, to 0.45 without one, and 0.05 before the next.
WORD, SHARED, ALONE, APART = 0.12, 0.4, 0.47, 0.05
_ASIDE = frozenset(
    query_terms("must may can should have long soon quickly many much time rule deadline allowed somebody people person now new")
)
_NUMBER = re.compile(r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|half|quarter)\b", re.I)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n\s*\n")


@lru_cache(maxsize=HELD)
def _vector(embedder: Embedder, text: str) -> tuple[float, ...]:
    return tuple(float(x) for x in embedder.embed([text])[0])


def nearest(run: Run, question: str, told: Mapping[str, str]) -> list[str]:
    """The keys of what is told in the texts that the question most likely means: one, or none when it is not clear."""
    embedder = run.ctx.embedder
    if embedder is None or not told:
        return []
    asked = set(query_terms(question)) - _ASIDE
    own = _vector(embedder, question)
    scored = []
    for key, text in told.items():
        shared = len(asked & set(terms(text)))
        near = sum(a * b for a, b in zip(own, _vector(embedder, text), strict=True))
        scored.append((near + WORD * shared, near, shared, key))
    scored.sort(reverse=True)
    worth, near, shared, key = scored[0]
    clear = len(scored) == 1 or worth - scored[1][0] >= APART
    return [key] if clear and ((shared and worth >= SHARED) or near >= ALONE) else []


def rule_names(u: Understanding, run: Run) -> list[str]:
    """The name of the rule in force that the question means though it does not say it."""
    rows = list(run.call("rule_in_force", "every rule in force, to find the one that is meant", rule="", k=200).rows)
    if len(rows) > MOST:
        near = {p.src for p in retrieve.passages(run, u, "vector", 12, of=["Doc", "Message"])}
        rows = [r for r in rows if r.get("from_key") in near][:MOST]
    if u.says("how_long"):
        rows = [r for r in rows if _NUMBER.search(str(r.get("value") or ""))]
    sentences = _explained(run, rows)
    told: dict[str, str] = {}
    for r in rows:
        said = f"{r['name']}: {r['value']}" + (f" ({r['conditions']})" if r.get("conditions") else "")
        told[str(r["name"])] = f"{told.get(str(r['name']), said)}. {_about(str(r['name']), sentences.get(str(r['from_key']), ()))}".strip()
    return nearest(run, u.question, told)


def _explained(run: Run, rows: Sequence[Row]) -> dict[str, list[str]]:
    """The sentences of the sources of rules, lines of tables left out."""
    keys = unique(r.get("from_key") for r in rows)[:MOST]
    out: dict[str, list[str]] = {}
    for r in run.ctx.run("chunks_for", keys=keys, per=20).rows if keys else ():
        text = "\n".join(line for line in str(r["text"]).split("\n") if not line.lstrip().startswith("|"))
        out.setdefault(str(r["src"]), []).extend(" ".join(s.split()) for s in _SENTENCE.split(text) if s.strip())
    return out


def _about(name: str, sentences: Sequence[str]) -> str:
    """The sentences that name the rule, as far as they fit."""
    words = set(query_terms(name))
    return " ".join(s for s in sentences if len(words & set(query_terms(s))) >= max(1, 0.6 * len(words)))[:400]


def decisions(u: Understanding, run: Run, described: str) -> list[str]:
    """The decision that the question means by what it says of it."""
    keys = sorted(k for k, label in u.lexicon.company.items() if label == "Decision")
    if len(keys) > MOST:
        near = [p.src.removeprefix("doc:").removesuffix(".md") for p in retrieve.passages(run, u, "vector", 12, of=["Doc", "Decision"])]
        keys = [k for k in keys if k.removeprefix("decision:") in near]
    return nearest(run, described, {k: u.lexicon.titles.get(k, k) for k in keys})
