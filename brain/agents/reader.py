"""Reads an answer out of passages: the answer type the question asks for, the documents' own
metadata, and how far the passages agree. Used over whatever an arm retrieved; it reads no graph.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from brain.agents import defining, reader_company, since
from brain.agents.reader_record import recorded
from brain.agents.run import Draft, Fact
from brain.agents.understand import Understanding
from brain.agents.wording import day, short, titled
from brain.text.analysis import query_terms
from brain.text.passages import Passage
from brain.types import Quote

# Questions about nothing that is loaded came to 0.37 at most on two organisations, real ones to 0.47 and more.
NEAR = 0.42
_LABEL = {"prs": "PullRequest", "issues": "Issue", "commits": "Commit", "releases": "Release"}
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_REF = re.compile(r"(?:([\w.-]+/[\w.-]+))?#(\d+)\b")
_FILE = re.compile(r"(?<![\w/])(?:[\w.-]+/)*[\w-][\w.-]*\.[A-Za-z][A-Za-z0-9]{0,7}\b")
_VERSION = re.compile(
    r"\bv\d+(?:\.\d+)+[\w-]*|(?<=release )\d+(?:\.\d+)+[\w-]*|(?<=version )\d+(?:\.\d+)+[\w-]*|\bdraft-[\w-]+-\d{2}\b", re.I
)
_CLOSING = re.compile(r"\b(?:clos\w+|fix\w*|resolv\w+)\b:?\s+(?:[\w.-]+/[\w.-]+)?#(\d+)", re.I)
_UNIT = {
    "millisecond": "ms", "second": "s", "minute": "min",
    "megabyte": "MB", "kilobyte": "kB", "percent": "%",
    "euro": "€",
    "dollar": r"\$",
    "metre": "m",
    "centimetre": "cm",
    "millimetre": "mm",
}
_ROLE_PART = {"review": "review", "approve": "review", "changes_requested": "review", "comment": "comment"}


def bears(passages: Sequence[Passage]) -> bool:
    """Does any passage come near the question in meaning? True where nothing was compared."""
    near = max((p.near for p in passages), default=0.0)
    return near == 0.0 or near >= NEAR


def read(u: Understanding, passages: Sequence[Passage], step: int, entries: list[str], sure: bool = False) -> Draft:
    """What the passages say to the question; insufficient when nothing in them bears on it, which is not asked when `sure`."""
    found = _fitting(u, passages)
    if not found or not (sure or bears(found)):
        return Draft(state="insufficient", entries=entries)
    want = u.want
    if told := defining.defined(u, found, step, entries):
        return told
    if reader_company.is_company(found):
        return reader_company.read(u, found, _scored_sentences(found, query_terms(u.question)), step, entries)
    if _anchors(u):
        known = recorded(u, found, step, entries)
        if known:
            return known
    if want == "count":
        return _count(u, found, step, entries)
    if want == "people":
        return _people(u, found, step, entries)
    if want in _LABEL:
        return _sources(u, found, _LABEL[want], step, entries)
    if want in ("files", "directories"):
        return _mentioned(found, _FILE, "file", step, entries)
    if want == "date":
        return _dates(u, found, step, entries)
    if want == "repositories":
        return _repos(u, found, step, entries)
    return sentences(u, found, step, entries)


def _fitting(u: Understanding, passages: Sequence[Passage]) -> list[Passage]:
    """The passages whose document agrees with what the question fixes: repository, item, time."""
    repos = {k.removeprefix("repo:") for m in u.links.of("Repo") for k in m.keys}
    kept = [p for p in passages if not repos or p.repo in repos] or list(passages)
    since, until = u.time.since, u.time.until
    if since is not None or until is not None:
        kept = [p for p in kept if p.label == "Doc" or ((since is None or p.at >= since) and (until is None or p.at < until))]
    return kept


def _anchors(u: Understanding) -> list[str]:
    return [k for m in u.links.of("PullRequest", "Issue", "Commit", "Release") for k in m.keys]


def _about(u: Understanding, passages: Sequence[Passage]) -> list[Passage]:
    """Passages of the items the question names, then those that refer to them, then the rest."""
    anchors = set(_anchors(u))
    if not anchors:
        return list(passages)
    numbers = {a.rpartition("#")[2] for a in anchors if "#" in a}
    own = [p for p in passages if p.src in anchors]
    near = [p for p in passages if p.src not in anchors and numbers & {m[1] for m in re.finditer(r"#(\d+)\b", p.text)}]
    return [*own, *near] or list(passages)


def _cite(p: Passage, text: str, step: int) -> Fact:
    quote = best_sentence(p, [])
    return Fact(text, (p.src,), (quote,) if quote else (), step)


def best_sentence(p: Passage, terms: Sequence[str]) -> Quote | None:
    """The sentence of a passage with most of the terms, as a quote with its line."""
    scored = _scored_sentences([p], terms)
    return scored[0][1] if scored else None


def _scored_sentences(passages: Sequence[Passage], terms: Sequence[str]) -> list[tuple[float, Quote, Passage]]:
    wanted = set(terms)
    seen: Counter[str] = Counter()
    rows: list[tuple[set[str], Quote, Passage, int]] = []
    for rank, p in enumerate(passages):
        line = p.line
        for raw in p.body.split("\n"):
            for piece in _SENTENCE.split(raw):
                text = piece.strip()
                if len(text) >= 12 or (text and len(p.body) < 40):
                    stems = set(query_terms(text))
                    rows.append((stems, Quote(p.src, min(line, p.line_end or line), text), p, rank))
                    seen.update(stems & wanted)
            line += 1
    total = max(len(rows), 1)
    weight = {t: 1.0 + (total / (1 + seen[t])) ** 0.25 for t in wanted}
    scored = [
        (sum(weight[t] for t in stems & wanted) / (1 + 0.15 * max(0, len(stems) - 25)) / (1 + 0.08 * rank), quote, p)
        for stems, quote, p, rank in rows
    ]
    return sorted(scored, key=lambda x: (-x[0], x[2].src, x[1].line))


def sentences(u: Understanding, passages: Sequence[Passage], step: int, entries: list[str], n: int = 3) -> Draft:
    """The sentences that answer best, quoted, with their sources as items."""
    terms = query_terms(u.question)
    about = _about(u, passages)
    scored = [s for s in _scored_sentences(about, terms) if s[0] > 0][:n]
    if not scored:
        top = about[0]
        return Draft([top.src], [_cite(top, f"{titled(top.src, top.title)}, {day(top.at)}.", step)], entries=entries)
    facts = [Fact(f"{titled(p.src, p.title)}: “{q.text}”", (p.src,), (q,), step) for _, q, p in scored]
    told = next((p for p in about if p.label != "Commit"), about[0])  # a commit only repeats what its pull request says
    return Draft([told.src], facts, entries=entries)


def _sources(u: Understanding, passages: Sequence[Passage], label: str, step: int, entries: list[str]) -> Draft:
    """Documents of the label asked for: by agreement of their passages, or named in the text."""
    anchors = set(_anchors(u))
    scores: dict[str, float] = defaultdict(float)
    best: dict[str, Passage] = {}
    about = _about(u, passages)
    for p in about:
        if p.label == label and p.src not in anchors:
            scores[p.src] = max(scores[p.src], p.score or 1.0)
            best.setdefault(p.src, p)
    if anchors and u.has("close") and label == "PullRequest":
        closing = {p.src: p for p in about if p.label == label and _closes(p, anchors)}
        if closing:
            scores, best = defaultdict(float, dict.fromkeys(closing, 1.0)), closing
    elif anchors:
        for p in about:
            for key in _named_items(p, label):
                if key not in anchors and (p.src in anchors or not u.has("close") or _CLOSING.search(p.text)):
                    scores[key] += (p.score or 1.0) * (2 if p.src in anchors else 0.5)
                    best.setdefault(key, p)
    if not scores:
        return sentences(u, passages, step, entries, 2) if label != "Release" else _mentioned(passages, _VERSION, "release", step, entries)
    order = sorted(scores, key=lambda k: (-scores[k], k))
    keep = u.top or (1 if not u.says("several_documents") else min(8, sum(scores[k] >= 0.45 * scores[order[0]] for k in order)))
    facts = [_document(u, k, best[k], step) for k in order[:keep]]
    return Draft(order[:keep], facts, entries=entries)


def _document(u: Understanding, key: str, p: Passage, step: int) -> Fact:
    """A document that answers, or the words of another that name it."""
    if p.src == key:
        quote = best_sentence(p, query_terms(u.question))
        return Fact(f"{titled(key, p.title)}, {day(p.at)}.", (key,), (quote,) if quote else (), step)
    said = next((q for _, q, _ in _scored_sentences([p], []) if f"#{key.rpartition('#')[2]}" in q.text), None)
    return Fact(f"{titled(p.src, p.title)}: “{said.text if said else p.title}”", (p.src,), (said,) if said else (), step)


def _closes(p: Passage, anchors: set[str]) -> bool:
    """Does the passage say that its document closes one of the items?"""
    numbers = {a.rpartition("#")[2] for a in anchors if a.startswith(f"issue:{p.repo}#")}
    return any(m[1] in numbers for m in _CLOSING.finditer(p.text))


def _named_items(p: Passage, label: str) -> Iterable[str]:
    prefix = {"PullRequest": "pr", "Issue": "issue"}.get(label)
    if prefix:
        for m in _REF.finditer(p.body):
            yield f"{prefix}:{m[1] or p.repo}#{m[2]}"


def _people(u: Understanding, passages: Sequence[Passage], step: int, entries: list[str]) -> Draft:
    """Authors of the passages in the role the question asks for, by agreement."""
    part = next((v for a, v in _ROLE_PART.items() if u.has(a)), "")
    about = _about(u, passages)
    in_role = [p for p in about if p.author and (p.part.startswith(part) if part else True)]
    scores: dict[str, float] = defaultdict(float)
    first: dict[str, Passage] = {}
    pool = in_role or [p for p in about if p.author]
    if not part and pool and not u.says("several_writers"):
        pool = [p for p in pool if p.src == pool[0].src and p.part == "body"] or pool[:1]
    for p in pool:
        scores[p.author] += p.score or 1.0
        first.setdefault(p.author, p)
    if not scores:
        return Draft(state="insufficient", entries=entries)
    order = sorted(scores, key=lambda a: (-scores[a], a))
    keep = u.top or (1 if not u.says("several_people") else min(5, sum(scores[a] >= 0.35 * scores[order[0]] for a in order)))
    facts = [
        Fact(
            f"{a} wrote in {titled(first[a].src, first[a].title)} on {day(first[a].at)}.",
            (first[a].src,),
            tuple(q for q in [best_sentence(first[a], query_terms(u.question))] if q),
            step,
        )
        for a in order[:keep]
    ]
    return Draft([f"person:{a.lower()}" for a in order[:keep]], facts, entries=entries)


def _count(u: Understanding, passages: Sequence[Passage], step: int, entries: list[str]) -> Draft:
    """How many fitting documents are among the passages: all that passages alone can count."""
    label = _LABEL.get(u.kind)
    people = {k.partition(":")[2] for m in u.links.of("Person") for k in m.keys}
    docs = {p.src: p for p in passages if (label is None or p.label == label) and (not people or p.author.lower() in people)}
    docs = {k: p for k, p in docs.items() if _stands(u, p)}
    facts = [Fact(f"{len(docs)} fitting among the passages found.", tuple(docs), step=step)]
    return Draft([str(len(docs))], facts, entries=entries) if docs else Draft(state="insufficient", entries=entries)


def _stands(u: Understanding, p: Passage) -> bool:
    """Does the document's record agree with the state and labels the question fixes?"""
    state = {"unmerged": "closed"}.get(u.state, u.state)
    labels = set(p.about.get("labels") or ())
    return (not state or p.about.get("state") in (None, state)) and (not u.labels or bool(labels & set(u.labels)))


def _mentioned(passages: Sequence[Passage], pattern: re.Pattern[str], prefix: str, step: int, entries: list[str]) -> Draft:
    """Things named in the text of the passages, by how many passages name them."""
    votes: dict[str, float] = defaultdict(float)
    where: dict[str, Passage] = {}
    for p in passages:
        if prefix == "release" and p.label == "Release":
            votes[p.src] += (p.score or 1.0) * 2
            where.setdefault(p.src, p)
        for m in pattern.finditer(p.body):
            key = f"release:{p.repo}@{m[0]}" if prefix == "release" else f"{prefix}:{p.repo}/{m[0]}"
            votes[key] += p.score or 1.0
            where.setdefault(key, p)
    if not votes:
        return Draft(state="insufficient", entries=entries)
    order = sorted(votes, key=lambda k: (-votes[k], k))[: 1 if prefix == "release" else 3]
    return Draft(
        order,
        [Fact(f"{titled(where[k].src, where[k].title)} names {short(k)}.", (where[k].src,), step=step) for k in order],
        entries=entries,
    )


def _dates(u: Understanding, passages: Sequence[Passage], step: int, entries: list[str]) -> Draft:
    top = _about(u, passages)[0]
    if since.asked(u):
        return Draft(state="insufficient", facts=[Fact("No passage says since when that holds.")], entries=entries)
    return Draft([day(top.at)], [_cite(top, f"{titled(top.src, top.title)} is of {day(top.at)}.", step)], entries=entries)


def _repos(u: Understanding, passages: Sequence[Passage], step: int, entries: list[str]) -> Draft:
    votes: Counter[str] = Counter()
    where: dict[str, Passage] = {}
    for p in passages:
        votes[p.repo] += 1
        where.setdefault(p.repo, p)
    order = [r for r, _ in votes.most_common(u.top or (3 if u.says("several_documents") else 1)) if r]
    return Draft(
        [f"repo:{r}" for r in order],
        [Fact(f"{titled(where[r].src, where[r].title)} is in {r}.", (where[r].src,), step=step) for r in order],
        entries=entries,
    )


def measured(u: Understanding, passages: Sequence[Passage], unit: str, step: int) -> Draft:
    """A number with its unit, read from a sentence that shares enough of the question's words; insufficient
    when none gives it.
    """
    stem = unit.lower().rstrip("s")
    number = re.compile(rf"(?<![\w.])(\d[\d,.]*)[\s-]*(?:{re.escape(stem)}s?|{_UNIT.get(stem, re.escape(stem))})(?!\w)", re.I)
    terms = set(query_terms(u.question)) - set(query_terms("how many"))
    for score, quote, p in _scored_sentences(passages, sorted(terms))[:6]:
        found = number.search(quote.text)
        if found and score > 0 and len(terms & set(query_terms(f"{quote.text} {p.title}"))) >= 0.4 * len(terms):
            fact = Fact(f"{titled(p.src, p.title)}: “{quote.text}”", (p.src,), (quote,), step)
            return Draft([found[1].rstrip(".,")], [fact], entries=[p.src])
    return Draft(state="insufficient", facts=[Fact(f"No passage that is loaded says how many {unit}.")])
