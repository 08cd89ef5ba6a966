"""An answer as HTML of our own: every word of the corpus or a model passes `esc` on its way in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from brain.instants import DAY
from brain.permissions import FOREVER
from brain.schema import LABEL_OF_PREFIX
from brain.text.passages import Passage, passage
from brain.text.ranking import rrf
from brain.types import Answer, Claim, Node, Step
from brain.ui import text, turns
from brain.ui.graph import facts
from brain.ui.text import esc

Link = Callable[[str], str]
ITEMS, PASSAGES, RETRIEVED = 12, 6, 40
RANKINGS = {"vector_search": "meaning", "vector_scan": "meaning", "search_text": "words"}


def answer_html(answer: Answer, link: Link) -> str:
    """The answer: its state and cost, its claims with citations and verdicts, and what was dropped.

    `link` gives the address for a citation key.
    """
    parts = [_meta(answer), turns.notes_html(answer.steps), _items(answer, link)]
    if lead := turns.told_besides(said_besides(answer), answer.steps):
        parts.append(f'<p class="hc-lead">{esc(lead)}</p>')
    names = {n.key: n.name for n in answer.nodes}
    parts.append(claims_html(answer.claims, answer.dropped, names, link))
    return "".join(parts)


def claims_html(claims: Sequence[Claim], dropped: Sequence[Claim], names: Mapping[str, str], link: Link) -> str:
    """Claims with citations and verdicts, and those that the verifier dropped, folded; `names` say what the keys are called."""
    said = f'<ul class="hc-claims">{"".join(_claim(c, names, link) for c in claims)}</ul>' if claims else ""
    if not dropped:
        return said
    items = "".join(f"<li>{esc(c.text)} <em>{esc(c.reason)}</em></li>" for c in dropped)
    head = f"{text.count(len(dropped), 'statement')} dropped by the verifier"
    return f'{said}<details class="hc-fold"><summary>{head}</summary><ul>{items}</ul></details>'


def _meta(answer: Answer) -> str:
    symbol, words = text.STATES[answer.state]
    facts = [
        f'<span class="hc-state">{symbol} {words}</span>',
        f"<span>{text.took(answer.usage.ms)}</span>",
        f"<span>{text.count(len(answer.steps), 'step')}</span>",
        *(f"<span>{esc(fact)}</span>" for fact in turns.facts(answer)),
        f"<span>as of {text.when(answer.as_of)}</span>" if answer.as_of > DAY else "",
        f"<span>as known on {text.when(known)}</span>" if (known := known_at(answer)) else "",
    ]
    return f'<p class="hc-meta">{"".join(facts)}</p>'


def known_at(answer: Answer) -> int | None:
    """The instant whose knowledge the run was held to; None when it took what is known today."""
    said = [int(s.params["known_at"]) for s in answer.steps if s.params.get("known_at")]
    return min((k for k in said if k < FOREVER), default=None)


def said_besides(answer: Answer) -> str:
    """The lines of the answer's text that its claims and its items do not say already."""
    claimed = {text.plain(c.text) for c in answer.claims}
    lines = (line.strip() for line in answer.text.splitlines())
    return "\n".join(
        line for line in lines if text.plain(line.removeprefix("- ")) not in claimed and not line.startswith("ANSWER:")
    ).strip()


def _items(answer: Answer, link: Link) -> str:
    if not answer.items:
        return ""
    names = {n.key: n.name for n in answer.nodes}
    shown = [_item(i, names, link) for i in dict.fromkeys(answer.items)]
    head = ", ".join(shown[:ITEMS])
    rest = ", ".join(shown[ITEMS:])
    more = f'<details class="hc-fold"><summary>and {len(shown) - ITEMS} more</summary>{rest}</details>' if rest else ""
    return f'<p class="hc-items">{head}</p>{more}'


def _item(item: str, names: Mapping[str, str], link: Link) -> str:
    prefix = item.partition(":")[0]
    return _cite(item, names.get(item, ""), link) if prefix in LABEL_OF_PREFIX else esc(item)


def _claim(claim: Claim, names: Mapping[str, str], link: Link) -> str:
    symbol, words = text.verdict(claim)
    hops = f", {text.count(claim.hops, 'hop')}" if claim.verdict == "supported" and claim.hops else ""
    bare = claim.verdict == "supported" and not claim.cites
    badge = "" if bare else f'<span class="hc-badge hc-{claim.verdict}">{symbol} {words}{hops}</span>'
    cites = "".join(_cite(key, names.get(key, ""), link) for key in dict.fromkeys(claim.cites))
    reason = f"<span>{esc(claim.reason)}</span>" if claim.reason and claim.verdict != "supported" else ""
    quotes = "".join(
        f'<p class="hc-quote">“{esc(text.short(q.text, 400))}” — {_cite(q.source, "", link)}, line {q.line}</p>'
        for q in claim.quotes
        if text.plain(q.text) not in text.plain(claim.text)
    )
    return f'<li>{esc(claim.text)}<div class="hc-foot">{badge}{cites}{reason}</div>{quotes}</li>'


def _cite(key: str, name: str, link: Link) -> str:
    title = f' title="{esc(text.short(name, 120))}"' if name else ""
    return f'<a class="hc-cite" href="{esc(link(key))}"{title}>{esc(text.short(text.key_label(key), 140))}</a>'


@dataclass(frozen=True)
class Found:
    """A passage a run retrieved, and its score in each ranking it came by."""

    passage: Passage
    scores: Mapping[str, float]


def passages(answer: Answer) -> list[Found]:
    """The passages a run retrieved, best first, with their score in each ranking; rankings count alike."""
    rankings: dict[str, dict[str, Mapping[str, Any]]] = {}
    for step in answer.steps:
        for row in step.rows:
            if {"chunk", "text", "src", "score"} <= row.keys():
                rankings.setdefault(RANKINGS.get(step.tool, text.words(step.tool)), {}).setdefault(str(row["chunk"]), row)
    rows = {chunk: row for ranking in rankings.values() for chunk, row in ranking.items()}
    return [
        Found(passage(rows[chunk]), {name: float(r[chunk]["score"]) for name, r in rankings.items() if chunk in r})
        for chunk, _ in rrf([list(ranking) for ranking in rankings.values()])[:RETRIEVED]
    ]


def passages_html(found: Sequence[Found], link: Link) -> str:
    """Passages with their scores, each linked to its source, the first ones open; nothing in them is live."""
    items = [_passage(f, link) for f in found]
    html = f'<ol class="hc-passages">{"".join(items[:PASSAGES])}</ol>'
    rest = "".join(items[PASSAGES:])
    if not rest:
        return html
    more = text.count(len(items) - PASSAGES, "more passage")
    return f'{html}<details class="hc-fold"><summary>{more}</summary><ol class="hc-passages">{rest}</ol></details>'


def _passage(found: Found, link: Link) -> str:
    p = found.passage
    scores = ", ".join(f"{name} {score:.3f}" for name, score in found.scores.items())
    by = ", ".join(part for part in (p.author, text.when(p.at)) if part)
    head = f'{_cite(p.src, p.title, link)}<span class="hc-score">{esc(by)} · score by {esc(scores)}</span>'
    return f"<li>{head}<br><b>{esc(text.short(p.title, 120))}</b><p>{esc(_lines(p.body))}</p></li>"


def _lines(body: str, limit: int = 420) -> str:
    body = "\n".join(line.strip() for line in body.splitlines() if line.strip())
    return body if len(body) <= limit else body[:limit].rstrip() + "…"


def steps_html(steps: Sequence[Step]) -> str:
    """The steps of a run so far, one line each."""
    items = "".join(f"<li>{_step(s)}</li>" for s in steps)
    return f'<ol class="hc-steps">{items}</ol>'


def _step(step: Step) -> str:
    why = f": {esc(text.short(step.why, 140))}" if step.why else ""
    if step.tool == turns.DOWN:
        return f"<b>{esc(text.words(step.tool))}</b>: {esc(text.short(step.why, 400))}"
    failed = f"failed: {esc(text.short(step.error, 120))}" if step.error else text.count(len(step.rows), "row")
    end = esc(turns.line(step)) if step.tool == turns.TURN else failed
    return f"<b>{esc(text.words(step.tool))}</b>{why} · {end} · {text.took(step.ms)}"


def facts_html(facts: Sequence[Sequence[str]]) -> str:
    """Names and values as a definition list; a value that is a web address becomes a link."""
    items = "".join(f"<dt>{esc(k)}</dt><dd>{_fact(v)}</dd>" for k, v in facts)
    return f'<dl class="hc-facts">{items}</dl>'


def _fact(value: str) -> str:
    address = text.web_url(value)
    if not address:
        return esc(value)
    return f'<a class="hc-cite" href="{esc(address)}" target="_blank" rel="noopener noreferrer">{esc(address)}</a>'


def source_html(answer: Answer, key: str) -> str:
    """All that a run saw of one source: its properties, quotes and passages, and the claims it carries."""
    node = source(answer, key)
    parts = [facts_html(facts(node)) if node else f"<p>{esc(key)} is not among what this run returned.</p>"]
    quotes = [q for c in answer.claims for q in c.quotes if q.source == key]
    parts += [f'<p class="hc-quote">“{esc(q.text)}” (line {q.line})</p>' for q in quotes]
    read = [f.passage for f in passages(answer) if key in (f.passage.chunk, f.passage.src)]
    parts += [f'<p class="hc-quote">{esc(_lines(p.body, 1500))}</p>' for p in read]
    cited = [c for c in answer.claims if key in c.cites]
    if cited:
        said = "".join(f"<li>{esc(c.text)}</li>" for c in cited)
        parts.append(f"<p>Cited for:</p><ul>{said}</ul>")
    return "".join(parts)


def compared(graph: Answer, other: Answer) -> dict[str, list[str]]:
    """The items of two answers: named by both, only by the first, only by the second."""
    a, b = list(dict.fromkeys(graph.items)), list(dict.fromkeys(other.items))
    return {
        "both": [i for i in a if i in b],
        "first": [i for i in a if i not in b],
        "second": [i for i in b if i not in a],
    }


def source(answer: Answer, key: str) -> Node | None:
    """The node of that key among what the run saw."""
    everything = [*answer.nodes, *(n for s in answer.steps for n in s.nodes)]
    return next((n for n in everything if n.key == key), None)


def draw(html: str) -> None:
    """Put our HTML on the page."""
    st.html(html)


def runs_html(recent: Sequence[Mapping[str, Any]], link: Link) -> str:
    """Runs to open, newest first: question, arm, state, day."""
    items = "".join(
        f'<li><a class="hc-cite" href="{esc(link(r["run"]))}">{esc(text.short(r["question"], 140))}</a>'
        f'<span class="hc-score">{esc(text.arm(r["arm"]).lower())}, {text.STATES[r["state"]][1]}, {text.when(r["at"])}</span></li>'
        for r in recent
    )
    return f'<ul class="hc-runs">{items}</ul>'


def trace_html(answer: Answer) -> str:
    """Every step of a run with its query, folded."""
    items = "".join(
        f"<details class='hc-fold'><summary>{_step(s)}</summary><pre class='hc-code'>{esc(s.cypher or 'no query')}</pre>"
        f"<pre class='hc-code'>{esc(text.as_json(dict(s.args)))}</pre></details>"
        for s in answer.steps
    )
    return items or "<p>No step was taken.</p>"

