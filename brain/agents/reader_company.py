"""Reads an answer out of what a company writes: documents, tickets, messages, reports. A name, a date or a number is taken
from the sentence that shares most of the question's words; else the sentences themselves, quoted, are the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from brain.agents import since
from brain.agents.run import Draft, Fact
from brain.agents.understand import Understanding
from brain.agents.wording import day, titled
from brain.text.analysis import query_terms, terms
from brain.text.link_names import known_names
from brain.text.mentions import Links
from brain.text.passages import Passage
from brain.types import Quote

LABELS = ("Doc", "Ticket", "Message", "Thread", "Incident", "Alert", "Deploy", "Decision", "Rule")
Scored = Sequence[tuple[float, Quote, Passage]]
_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_N = (
    r"(?:\d[\d.,]*|half an?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty"
    r"|seventy|eighty|ninety|hundred|quarter of an?)"
    r"(?:[- ](?:one|two|three|four|five|six|seven|eight|nine|and a half|hundred|thousand|more|full|whole))*"
)
_TIME = r"(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?)"
_LENGTH = r"(?:(?:milli|centi|kilo)?met(?:re|er)s?|degrees?|per ?cent|%|km|cm|mm|m)"
_DOES = "(?:may|can|could|must|should|do|does|did|is|are|was|were|has|have|had|will|would|in|of|on|per)"
_BOUND = re.compile(rf"(?:at most|at least|up to|no more than|not more than|maximum of|limited to|exactly) (?P<n>{_N})", re.I)
# What a question word wants to hear: the words of a question, and what a sentence that answers it holds.
_SHAPES = (
    (
        rf"\bhow (?:many|much) (?P<unit>[a-z]+(?: (?!{_DOES}\b)[a-z]+)?)",
        rf"(?<![\w./-])(?:an? UNIT|(?!an?\b){_N}\b\W{{0,2}}(?:[a-z]+ ){{0,2}}?UNIT)",
    ),
    (r"\b(?:how (?:long|soon|quickly)|within what)\b", rf"\b{_N}[- ]?{_TIME}\b"),
    (r"\bhow fast\b", rf"\b{_N}[- ]?[a-z]+ (?:an?|per|every|each) [a-z]+\b"),
    (r"\b(?:how (?:far|wide|high|deep|tall|big|large|thick|off)|deviation|distance)\b", rf"\b{_N}[- ]?{_LENGTH}\b"),
    (r"\b(?:until when|how late|how early|(?:at )?what time|from when)\b", rf"\b(?:\d\d?:\d\d|(?:after|before|until|at|from|by) {_N})\b"),
    (r"\b(?:command|run|type|execute)\b", r"`[^`]+`"),
)
SHAPED, NAMED, DATED, COMMIT = 1.5, 1.5, 1.5, 0.8
_THEM = ("people", "persons", "users", "customers", "members", "colleagues", "operators", "engineers", "employees", "clients")
_PEOPLE = rf"(?:{'|'.join(_THEM)}|person|user|customer)"
_HEAD = re.compile(
    r"#|-{3,}|(?:title|kind|aliases|tags|last_reviewed|deployment|ticket|component|service|id):\s"
    r"|\|\s*(?:rule|name|team|service|primary|date|time|item|person|term)\s*\|", re.I
)
SENTENCES, LOOKED_AT, TRUSTED = 4, 8, 3
_FIRST = re.compile(r"\bfirst (?:thing|step|of all)\b|\b(?:do|check|look|start|try|begin)\w*\b[^?]*\b(?:first|begin)\b", re.I)
_STEP = re.compile(r"1[.)] ")
STEP = 6.0
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_BLOCK = re.compile(r"\s*(?:[-*+] |\d+[.)] |#|\|)")
_NUMBER = re.compile(r"(?<![\w.-])\d[\d,.]*(?![\w-])")


def is_company(passages: Sequence[Passage]) -> bool:
    """Does the best passage come from a document, ticket, message or the like?"""
    return bool(passages) and passages[0].label in LABELS


def read(u: Understanding, passages: Sequence[Passage], scored: Scored, step: int, entries: list[str]) -> Draft:
    """What the passages say to the question; `scored` are their sentences with the weight of the words they share with it."""
    found = _ordered(u, passages, scored)
    if not found:
        return Draft(state="insufficient", entries=entries)
    entries = list(dict.fromkeys([*entries, *(p.src for _, _, p in found)]))
    if u.want == "services" or (u.cued("needs", "needed", "breaks") and u.want in ("text", "count")):
        services = _services(found, u)
        if services:
            facts = [_fact(quote, p, step) for _, quote, p in found[:SENTENCES]]
            return Draft([str(len(services))] if u.want == "count" else services, facts, entries=entries)
    if u.want in ("people", "teams"):
        return _taken(found, lambda text: _names(text, u), step, entries) or _quoted(found, step, entries)
    if u.want == "date":
        dated = _taken(found, lambda text: _DATE.findall(text)[:1], step, entries)
        return dated or (Draft(state="insufficient", entries=entries) if since.asked(u) else _at(found[0], step, entries))
    if u.want == "count":
        number = shaped(u) or _NUMBER
        looked = LOOKED_AT if shaped(u) else TRUSTED
        return (
            _taken(found, lambda text: [m[0] for m in number.finditer(text)][:1], step, entries, looked)
            or _taken(found, lambda text: [m["n"].rstrip(".,") for m in _BOUND.finditer(text)][:1], step, entries)
            or _quoted(found, step, entries)
        )
    return _quoted(found, step, entries)


def _ordered(u: Understanding, passages: Sequence[Passage], scored: Scored) -> Scored:
    """The sentences that answer best, first: those with words that their title does not already have, in a passage that is
    about the question, of the form its question word asks for; headings and the fields at the head of a document last.
    """
    asked, shape = set(query_terms(u.question)), shaped(u)
    titled_with = {p.src: set(query_terms(p.title)) for p in passages}
    covered = {p.chunk: len(asked & set(terms(f"{p.title} {p.text}"))) / max(len(asked), 1) for p in passages}
    rows = []
    named = {k for m in u.links.mentions for k in m.keys}
    fits = _documents(passages, covered)
    first = bool(_FIRST.search(u.question))
    for score, quote, p in scored:
        own = (asked - titled_with[p.src]) & set(query_terms(quote.text))
        worth = (score * 0.5 + len(own)) * (0.4 + covered[p.chunk] + p.near) * fits[p.src]
        worth += SHAPED if shape and shape.search(quote.text) else 0.0
        worth += NAMED if p.src in named and p.label != "Doc" else 0.0
        worth += DATED if u.time.since is not None and u.time.since <= p.at < (u.time.until or p.at + 1) else 0.0
        worth *= COMMIT if p.label == "Commit" else 1.0
        worth += STEP if first and _STEP.match(_line_of(p, quote)) else 0.0
        rows.append((worth * (0.1 if _HEAD.match(quote.text) else 1.0), quote, p))
    return sorted((r for r in rows if r[0] > 0), key=lambda r: -r[0])[:LOOKED_AT]


def _documents(passages: Sequence[Passage], covered: Mapping[str, float]) -> dict[str, float]:
    """How well each document fits, beside the one that fits best: by nearness and by half the share of the question's words."""
    fits: dict[str, float] = {}
    for p in passages:
        fits[p.src] = max(fits.get(p.src, 0.0), p.near + covered[p.chunk] / 2)
    best = max(fits.values(), default=0.0) or 1.0
    return {src: (fit / best) ** 2 for src, fit in fits.items()}


def _line_of(p: Passage, quote: Quote) -> str:
    """The line that a sentence stands in."""
    lines = p.body.split("\n")
    at = quote.line - p.line
    return lines[at].strip() if 0 <= at < len(lines) else ""


def shaped(u: Understanding) -> re.Pattern[str] | None:
    """What a sentence that answers the question holds, by its question word: so many hours, a distance, a time of day."""
    for asked, wanted in _SHAPES:
        if m := re.search(asked, u.question, re.I):
            words = (m.groupdict().get("unit") or "").lower().split()
            unit = "|".join(_PEOPLE if w in _THEM else re.escape(w.rstrip("s")) + r"\w*" for w in words)
            return re.compile(wanted.replace("UNIT", f"(?:{unit})"), re.I)
    return None


def _taken(found: Scored, values: Callable[[str], list[str]], step: int, entries: list[str], looked: int = TRUSTED) -> Draft | None:
    """The values in the best sentence that holds any, with what stands in the next ones shown beside it."""
    for i, (_, quote, p) in enumerate(found[:looked]):
        items = values(quote.text)
        if items:
            others = [s for s in found[: i + 3] if s[1] is not quote][:2]
            return Draft(items, [_fact(quote, p, step), *(_fact(q, o, step) for _, q, o in others)], entries=entries)
    return None


def _services(found: Scored, u: Understanding) -> list[str]:
    """The services that the best passage names and the question does not."""
    asked = {k for m in u.links.mentions for k in m.keys}
    named = known_names(found[0][2].text, Links(), u.lexicon)
    return list(dict.fromkeys(m.keys[0] for m in named if m.label == "Service" and m.keys[0] not in asked))


def _names(text: str, u: Understanding) -> list[str]:
    """The people and teams that a sentence names and the question does not."""
    asked = {k for m in u.links.mentions for k in m.keys}
    of_team = u.want == "teams" or u.says("which_team") or (u.cued("own") and not u.cued("lead", "page"))
    wanted = ("Team",) if of_team and not u.says("which_person") else ("Person", "Team")
    named = [m for m in known_names(text, Links(), u.lexicon) if m.label in wanted and len(m.keys) == 1]
    people = [m.keys[0] for m in named if m.label == "Person"] or [m.keys[0] for m in named]
    return list(dict.fromkeys(k for k in people if k not in asked))


def _at(best: tuple[float, Quote, Passage], step: int, entries: list[str]) -> Draft:
    _, quote, p = best
    return Draft(
        [day(p.at)], [_fact(quote, p, step), Fact(f"{titled(p.src, p.title)} is of {day(p.at)}.", (p.src,), step=step)], entries=entries
    )


def _quoted(found: Scored, step: int, entries: list[str]) -> Draft:
    """The best sentences with their sources, what follows the first one in its paragraph beside it."""
    _, first, source = found[0]
    told = [(first, source), *((q, source) for q in following(source, first)), *((q, p) for _, q, p in found[1:SENTENCES])]
    facts = [_fact(quote, p, step) for quote, p in {q: (q, p) for q, p in told}.values()]
    return Draft([source.src], facts, entries=entries)


def following(p: Passage, quote: Quote, n: int = 3) -> list[Quote]:
    """The next sentences of the same paragraph or list item, since an answer often follows the words it is asked with."""
    found: list[Quote] = []
    seen = False
    for i, raw in enumerate(p.body.split("\n")):
        if seen and (not raw.strip() or _BLOCK.match(raw)):
            break
        for piece in _SENTENCE.split(raw):
            text = piece.strip()
            if seen and text:
                found.append(Quote(p.src, min(p.line + i, p.line_end or p.line + i), text))
            seen = seen or (text == quote.text and p.line + i == quote.line)
    return found[:n]


def _fact(quote: Quote, p: Passage, step: int) -> Fact:
    return Fact(f"{titled(p.src, p.title)}: “{quote.text}”", (p.src,), (quote,), step)

