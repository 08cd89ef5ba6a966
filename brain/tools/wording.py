"""Which of several named things a few words mean, and on which line of a stored text something stands."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rapidfuzz import fuzz

from brain.text.analysis import query_terms, terms
from brain.text.irregular import forms
from brain.tools.asking import Asking

ENOUGH, NEAR = 0.45, 0.7
_TYPO, _BESIDE = 86, 0.35
_AMOUNTS = "long many much often soon fast quick quickly far big small large high low time times"


def nearest(
    words: str, names: Mapping[str, Sequence[str]], said: Mapping[str, Iterable[str]] | None = None, kind_words: str = ""
) -> list[tuple[str, float]]:
    """(key, score of at most 1) of what the words mean, best first: `names` are the names of each key, `said` the keys, also of
    other things, whose text has a word. A rare word says more than a common one; a word that stands nowhere counts against all,
    one that only other texts have does so less, and words that ask for an amount or name the kind of thing not at all. Empty when
    nothing comes near; what comes much less near than the best is left out.
    """
    asking = {*terms(_AMOUNTS), *terms(kind_words)}
    wanted = [t for t in query_terms(words) if t not in asking] or query_terms(words)
    held = {key: {t for name in many if name for t in terms(name)} for key, many in names.items()}
    if not wanted or not held:
        return []
    known = {t for stems in held.values() for t in stems}
    meant = {t: _closest(t, known) for t in wanted}
    told = {t: set(keys) for t, keys in (said or {}).items()}
    told = {t: set().union(*(told.get(form, set()) for form in forms(t))) for t in {*told, *wanted}}
    weight = {t: _weight(meant[t], told.get(t, set()), held) for t in wanted}
    whole = sum(weight.values())
    scores = {}
    for key, stems in held.items():
        got = sum(weight[t] * (1.0 if meant[t] & stems else 0.5 if key in told.get(t, ()) else 0.0) for t in wanted)
        extra = len(stems - set().union(*meant.values())) if stems else 0
        scores[key] = got / whole - 0.01 * extra
    best = max(scores.values())
    kept = [(key, score) for key, score in scores.items() if best >= ENOUGH and score >= NEAR * best]
    return sorted(kept, key=lambda item: (-item[1], item[0]))


def _closest(term: str, known: set[str]) -> set[str]:
    """The known words that a word means: itself and the other forms of its verb, else what it may be a slip of."""
    if same := forms(term) & known:
        return set(same)
    return {k for k in known if len(term) > 4 and fuzz.ratio(term, k) >= _TYPO}


def _weight(meant: set[str], told: set[str], held: Mapping[str, set[str]]) -> float:
    """How much a word says: the more, the fewer things have it."""
    n = sum(bool(meant & stems) for stems in held.values()) or len(told & held.keys())
    return math.log(1 + (len(held) + 1) / (n or 0.7)) * (_BESIDE if told and not n else 1.0)


def standing(ctx: Asking, wanted: Mapping[str, tuple[str, Sequence[str]]]) -> dict[str, tuple[int, str]]:
    """Key -> (line, its words) where a stored text says something: `wanted` gives for each key the source and the phrases, of
    which the line must hold all, or else the first. What stands nowhere is left out.
    """
    sources = sorted({source for source, _ in wanted.values() if source})
    if not sources:
        return {}
    texts: dict[str, list[tuple[int, str]]] = {}
    for row in ctx.run("chunks_for", keys=sources, per=200).rows:
        title, lines = str(row["title"] or ""), str(row["text"]).split("\n")
        body = lines[1:] if row["line"] and lines[0].strip() == " ".join(title.split()) else lines
        first, last = int(row["line"] or 0), int(row["line_end"] or 0)
        texts.setdefault(str(row["src"]), []).extend((min(first + i, max(last, first)), line) for i, line in enumerate(body))
    found = {}
    for key, (source, phrases) in wanted.items():
        plain = [" ".join(p.split()).lower() for p in phrases if p]
        held = [(n, " ".join(text.split())) for n, text in texts.get(source, []) if text.strip()]
        hit = next((x for x in held if plain and all(p in x[1].lower() for p in plain)), None)
        hit = hit or next((x for x in held if plain and plain[0] in x[1].lower()), None)
        if hit:
            found[key] = hit
    return found


def with_lines(ctx: Asking, rows: Sequence[Mapping[str, Any]], phrases: Mapping[str, Sequence[str]], source: str) -> list[dict[str, Any]]:
    """The rows, each that quotes nothing yet with the line of its `source` column that says its phrases."""
    wanted = {str(r["key"]): (str(r[source] or ""), phrases[r["key"]]) for r in rows if not r["quote"] and r[source]}
    found = {k: {"from_key": wanted[k][0], "line": line, "quote": text} for k, (line, text) in standing(ctx, wanted).items()}
    return [{**r, **found.get(r["key"], {})} for r in rows]
