"""What undid a ticket, a change or a deployment, and what one of them undid: read where one refers to the other in words of undoing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from brain.agents.company_facts import Row, answered, called, nothing, unique
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import day, short
from brain.text.passages import passage
from brain.types import Quote

_UNDOING = re.compile(
    r"\b(?:un(?:do|does|did|done|doing)|revers(?:e|es|ed|ing|al)|revert\w*|(?:roll|back)(?:s|ed|ing)?[ -]?(?:back|out)"
    r"|(?:tak(?:e|es|en|ing)|took|puts?|putting|sets?|goe?s?|went) (?:\w+ ){0,3}back|restor(?:e|es|ed|ing)|withdr[ae]w\w*|cancel\w*)\b",
    re.I,
)
_SUBJECT = re.compile(r"\b(?:did|does|do|has|have)\s+(?:the )?(?:TICKET|ITEM|DEPLOY|COMMIT)\d+\s+(?:\w+ )?\w+", re.I)
_LABELS = ["Ticket", "PullRequest", "Issue", "Commit", "Deploy"]


def asked(u: Understanding) -> bool:
    """Is it asked what undid the ticket that is named, or what it undid?"""
    return bool(_UNDOING.search(u.masked)) and u.want not in ("date", "count")


def told(u: Understanding, run: Run, key: str) -> Draft:
    """What undid it, or what it undid, each with the words that say so."""
    forward = bool((m := _SUBJECT.search(u.masked)) and _UNDOING.search(m[0]))
    got = run.call(
        "expand", f"what refers to {short(key)} or is referred to by it", key=key, rels=["REFERENCES", "CLOSES", "FIXED_BY", "CAUSED_BY"],
        direction="out" if forward else "in", labels=_LABELS, k=100,
    )  # fmt: skip
    others = unique(r["key"] for r in got.rows)
    names = {str(r["key"]): r for r in got.rows}
    sources = [key] if forward else others
    quotes = list(_sentences(run, sources, others if forward else [key]))
    found = [(q.source if not forward else k, q) for q, k in quotes]
    facts = [_fact(names[k], key, q, forward, run) for k, q in found if k in names]
    items = unique(k for k, _ in found if k in names)
    if u.want == "people" and items:
        return _who(run, items, facts, key)
    if u.want == "yesno":
        none = [Fact(f"Nothing that is loaded says that it undid {short(key)}.", (key,), step=run.last, aggregate=True)]
        return answered(["yes" if items else "no"], facts or none, [key], "Yes." if items else "No.")
    what = f"what {short(key)} undid" if forward else f"what undid {short(key)}"
    return answered(items, facts, [key]) if items else nothing(f"Nothing that is loaded says {what}.", key)


def _sentences(run: Run, sources: Sequence[str], named: Sequence[str]) -> Iterator[tuple[Quote, str]]:
    """The sentences of the sources that name one of the things in words of undoing, with the thing."""
    if not sources:
        return
    rows = run.ctx.run("chunks_for", keys=list(sources[:40]), per=40)
    run.add("chunks_for", "the words of what refers to it", {"keys": list(sources[:40])}, rows)
    ids = {k: re.compile(rf"(?<![\w-]){re.escape(short(k).rpartition('/')[2])}(?![\w-])", re.I) for k in named}
    for row in rows.rows:
        p = passage(row, 1.0, 1.0)
        for n, line in enumerate(p.body.split("\n")):
            for piece in re.split(r"(?<=[.!?;])\s+", line):
                for k, pattern in ids.items():
                    if pattern.search(piece) and _UNDOING.search(piece):
                        yield Quote(p.src, p.line + n, piece.strip()), k


def _fact(r: Row, key: str, quote: Quote, forward: bool, run: Run) -> Fact:
    when = f" on {day(int(r['at']))}" if r.get("at") else ""
    other = called(str(r["key"]), r["name"])
    text = f"{short(key)} undid {other}" if forward else f"{other}{when} undid {short(key)}"
    return Fact(f"{text}: “{quote.text}”", (str(r["key"]), key), (quote,), run.last)


def _who(run: Run, items: Sequence[str], facts: Sequence[Fact], key: str) -> Draft:
    """Who handled or wrote what undid it."""
    people, more = list[str](), list[Fact]()
    for item in items[:3]:
        got = run.call(
            "expand", f"who made {short(item)}", key=item, rels=["HANDLED_BY", "AUTHORED", "ASSIGNED_TO"], labels=["Person"], k=20
        )
        people += unique(r["key"] for r in got.rows)
        more += [
            Fact(f"{called(str(r['key']), r['name'])} worked on {short(item)}.", (str(r["key"]), item), step=run.last) for r in got.rows[:4]
        ]
    return answered(unique(people), [*more, *facts], [key]) if people else nothing(f"No source says who undid {short(key)}.", key)
