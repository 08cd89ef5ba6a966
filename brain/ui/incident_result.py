"""What an investigation came to, as the page tells it: the first screen, then severity, reach, past incidents and what was clean."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from brain.incident import telling
from brain.incident.findings import Investigation, Paged, Past, Quote, Reason
from brain.text.passages import Passage
from brain.ui import answers, listing, text
from brain.ui.text import esc

Link = Callable[[str], str]
OUTCOMES = {"cause": ("✓", "cause named"), "rivals": ("≈", "rivals, none stands out"), "none": ("∅", "no cause found")}
STANDINGS = {"cause": ("cause", "supported"), "rival": ("could be", "unsupported"), "discounted": ("discounted", "")}
PEOPLE = 3
UNFINISHED = {"running": "still running", "incomplete": "incomplete", "stopped": "stopped"}


def first_screen(inv: Investigation, link: Link) -> str:
    """The outcome, whom to page, what fixed it last time, how bad it is, and the rule of thumb beside it."""
    outcome = f'<p class="hc-verdict hc-outcome" role="status">{esc(telling.headline(inv))}</p>'
    parts = [_meta(inv), outcome, _cards(inv, link), summary(inv, link)]
    if inv.error:
        parts.append(f'<p class="hc-note">It ended early: {esc(inv.error)}</p>')
    return "".join(parts)


def summary(inv: Investigation, link: Link) -> str:
    """The summary where a model was to word it, each sentence with its sources, and which are the program's own; else nothing."""
    told = inv.worded
    if told is None:
        return ""
    own = " <small>(the program\u2019s own words)</small>"
    items = "".join(
        f"<li>{esc(s.text)} <small>{named(inv, s.cites, link)}</small>{own if told.model and s.by == 'code' else ''}</li>"
        for s in told.sentences
    )
    head = f"Summary, worded by {esc(told.model)}" if told.model else "Summary"
    note = f'<p class="hc-note">{esc(told.note)}</p>' if told.note else ""
    decided = '<p class="hc-meta"><span>What it says was decided without a model.</span></p>'
    return f'<section aria-label="Summary"><p><b>{head}</b></p><ul class="hc-plain">{items}</ul>{decided}{note}</section>'


def _meta(inv: Investigation) -> str:
    symbol, words = OUTCOMES[inv.outcome] if inv.state == "complete" else ("…", UNFINISHED[inv.state])
    facts = (
        f'<span class="hc-state">{symbol} {words}</span>',
        f"<span>{text.took(inv.usage.ms)}</span>",
        f"<span>{text.count(len(inv.steps), 'step')}</span>",
        f"<span>{esc(inv.usage.model or 'no model')}</span>",
        f"<span>as of {telling.clock(inv.as_of)}</span>",
        f"<span>searched: {esc(telling.searched(inv))}</span>",
    )
    return f'<p class="hc-meta">{"".join(facts)}</p>'


def _cards(inv: Investigation, link: Link) -> str:
    order = telling.paged(inv)
    first = _person(inv, order[0], link) if order else esc(telling.ended(_capital(telling.whom(inv))))
    then = "".join(f"<li>{_person(inv, p, link)}</li>" for p in order[1:PEOPLE])
    cards = {
        "Page": first + (f'<ol class="hc-plain" start="2">{then}</ol>' if then else ""),
        "What fixed it last time": esc(telling.ended(_capital(telling.last_time(inv)))),
        "Runbook": ", ".join(listing.link(link(t.key), t.name, t.key) for t in telling.runbooks(inv)),
        "Severity": f"<b>{esc(inv.severity.level)}</b> {esc(telling.because(inv.severity.reasons))}",
        "The rule of thumb": esc(telling.baseline(inv)),
        "Playbook": esc(telling.followed(inv)),
    }
    items = "".join(f"<div><dt>{esc(name)}</dt><dd>{body}</dd></div>" for name, body in cards.items() if body)
    return f'<dl class="hc-cards">{items}</dl>'


def _person(inv: Investigation, paged: Paged, link: Link) -> str:
    why = esc(telling.reached(inv, paged))
    return f"{listing.link(link(paged.key), paged.name, paged.key)}{f', {why}' if why else ''}"


def _capital(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


def draw_sections(inv: Investigation, link: Link) -> None:
    """Draw severity and reach, whom to page, what was clean, past incidents, and the report's claims; what is empty says so."""
    st.header("Severity and reach")
    answers.draw(f"<p><b>{esc(inv.severity.level)}</b></p>{reasons(inv, inv.severity.reasons, link)}")
    answers.draw(reach(inv, link) if inv.affected else "<p>Nothing is known to depend on it.</p>")
    if table := people(inv, link):
        st.header("Whom to page")
        answers.draw(table)
    st.header("Checked")
    answers.draw(checked(inv) if inv.checked else "<p>Nothing is noted as checked.</p>")
    if inv.past or inv.told or any(r.causes or r.fixes for r in inv.recorded):
        st.header("Before, and in writing")
        answers.draw((past(inv, link) if inv.past else "") + runbooks(inv, link) + recorded(inv, link))
    if inv.claims or inv.dropped:
        st.header("Claim by claim")
        answers.draw(claims(inv, link))


def people(inv: Investigation, link: Link) -> str:
    """Whom to turn to in order, and who was passed over and why; nothing when nobody was found."""
    rows = [
        (str(p.place or ""), listing.link(link(p.key), p.name, p.key), esc(telling.reached(inv, p)), esc(p.skipped), quotes(p.quotes, link))
        for p in (*telling.paged(inv), *telling.passed_over(inv))
    ]
    return listing.table("Whom to page", ("Place", "Who", "Why", "Passed over because", "Where it stands"), rows) if rows else ""


def reach(inv: Investigation, link: Link) -> str:
    """What needs what alerted, with its owners, the nearest first."""
    found = sorted(inv.affected, key=lambda a: (a.hops, a.tier if a.tier is not None else 9, a.name))
    rows = [
        (listing.link(link(a.key), a.name, a.key), text.count(a.hops, "hop"), "" if a.tier is None else str(a.tier),
         listing.link(link(a.owner), a.owner_name or text.key_label(a.owner), a.owner) if a.owner else "nobody known")
        for a in found
    ]  # fmt: skip
    return listing.table("Affected", ("What", "How far", "Tier", "Owner"), rows)


def checked(inv: Investigation) -> str:
    """What was looked at, how much was found, and whether it is clean."""
    found: dict[tuple[bool, str, str], list[str]] = {}
    for c in sorted(inv.checked, key=lambda c: not c.clean):
        words = f"{c.text}, none that fits" if c.clean and c.found else c.text
        found.setdefault((c.clean, c.what, words), []).append(telling.called(inv, c.on) if ":" in c.on else c.on)
    clean, other = listing.badge("clean", "supported"), listing.badge("see suspects")
    rows = [(clean if good else other, esc(what), esc(words), esc(", ".join(on))) for (good, what, words), on in found.items()]
    return listing.table("Checked", ("Result", "Looked for", "Found", "On"), rows)


def past(inv: Investigation, link: Link) -> str:
    """Incidents of before that are like this one, with what caused and what fixed each."""
    columns = ("Incident", "Like this one", "Caused by", "Fixed by", "Lesson", "Where it stands")
    shown = telling.worth_telling(inv)
    silent = len(inv.past) - len(shown)
    said = f"{text.count(silent, 'more incident')} of which neither cause nor cure is written down."
    more = f'<p class="hc-note">{said}</p>' if silent else ""
    return listing.table("Incidents like this one", columns, [_past(inv, p, link) for p in shown]) + more


def _past(inv: Investigation, p: Past, link: Link) -> tuple[str, ...]:
    name = listing.link(link(p.key), p.name, p.key)
    day = f" <small>{telling.minute(p.at)[:10]}</small>" if p.at > 0 else ""
    ends = (named(inv, p.causes, link), named(inv, p.fixes, link))
    return name + day, f"{p.likeness:.0%}: {esc(p.why)}", *ends, esc(p.lesson), quotes(p.quotes, link)


def runbooks(inv: Investigation, link: Link) -> str:
    """What runbooks and procedures say of such an alert, those that name it first."""
    named_so = listing.badge("names this alert")
    rows = [
        (listing.link(link(t.key), t.name, t.key), named_so if t.named else "", listing.quote(t.text, esc(t.name), t.line))
        for t in sorted(inv.told, key=lambda t: not t.named)
    ]
    return listing.table("What runbooks say", ("Document", "About", "Words"), rows) if rows else ""


def recorded(inv: Investigation, link: Link) -> str:
    """What people wrote down about this very alert afterwards, which the result does not rest on."""
    return "".join(
        f"<p>Written down afterwards in {listing.link(link(r.incident), r.name, r.incident)}, and not used above:"
        f" caused by {named(inv, r.causes, link)}; fixed by {named(inv, r.fixes, link)}.</p>"
        for r in inv.recorded
        if r.causes or r.fixes
    )


def named(inv: Investigation, keys: Sequence[str], link: Link) -> str:
    """Keys as links that say what people call them; `not known` for none."""
    return ", ".join(listing.link(link(k), text.short(telling.called(inv, k), 90), k) for k in keys) or telling.NOT_KNOWN


def reasons(inv: Investigation, found: Sequence[Reason], link: Link) -> str:
    """Reasons as a list: points, words, what they cite."""
    items = "".join(f"<li>{_reason(inv, r, link)}</li>" for r in found)
    return f'<ul class="hc-plain">{items}</ul>' if items else "<p>Nothing.</p>"


def _reason(inv: Investigation, r: Reason, link: Link) -> str:
    return f'<span class="hc-points">{r.points:+.1f}</span> {esc(r.text)} {_cites(inv, r, link)} {quotes(r.quotes, link)}'


def _cites(inv: Investigation, reason: Reason, link: Link) -> str:
    return f"<small>{named(inv, reason.cites, link)}</small>" if reason.cites else ""


def quotes(found: Sequence[Quote], link: Link) -> str:
    """Quoted words, each with its source and line."""
    where = {q.source: listing.link(link(q.source), text.short(text.key_label(q.source), 60), q.source) for q in found}
    return "<br>".join(listing.quote(q.text, where[q.source], q.line) for q in found)


def claims(inv: Investigation, link: Link) -> str:
    """The report's sentences with citations and verdicts, and those that were dropped."""
    return answers.claims_html(inv.claims, inv.dropped, inv.names, link)


def passages(inv: Investigation, link: Link) -> str:
    """The passages that the search without the graph gave, best first; nothing in them is live."""
    found = [
        answers.Found(Passage(p.key, p.source, "", p.title, p.text, p.line, p.line, p.at, "", "", "", p.score), {"meaning": p.score})
        for p in inv.passages
    ]
    return answers.passages_html(found, link) if found else "<p>The search gave no passage.</p>"
