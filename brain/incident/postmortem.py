"""The draft of a post-mortem, as Markdown: what the investigation found, each statement with its source, and `not known` for the rest.

Nothing is invented: a section that nothing found can fill says so. Words of others are shown, never rendered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from brain.incident import telling
from brain.incident.findings import Investigation, Quote, Reason, Suspect
from brain.incident.timeline import said, timeline
from brain.text.markup import code, markdown, short, web_url

UNKNOWN = "Not known."
NOT_ESTABLISHED = "Not established."
EVENTS, AFFECTED, LISTED, QUOTE = 60, 25, 40, 240


def post_mortem(inv: Investigation) -> str:
    """The draft, ready to be read, mended and sent by a person."""
    parts = (
        ("Summary", _summary(inv)),
        ("Impact", _impact(inv)),
        ("Causes", _causes(inv)),
        ("Trigger", _trigger(inv)),
        ("Detection", _detection(inv)),
        ("Resolution", _resolution(inv)),
        ("Action items", _actions(inv)),
        ("Lessons", _lessons(inv)),
        ("Timeline", _timeline(inv)),
        ("What was looked at", _looked(inv)),
    )
    head = f"# {markdown(_title(inv))}\n\n{_head(inv)}"
    return "\n\n".join([head, *(f"## {name}\n\n{body}" for name, body in parts)]) + "\n"


def _title(inv: Investigation) -> str:
    return short(inv.signal.title or telling.alerted(inv), 160)


def _head(inv: Investigation) -> str:
    signal = inv.signal
    ended = telling.clock(signal.ended_at) if signal.ended_at else "not over when this was written"
    lines = (
        "Status: draft, made by a program and not yet read by a person",
        f"Severity: {markdown(inv.severity.level)}{_because(inv.severity.reasons)}",
        f"Began: {telling.clock(signal.at)}",
        f"Ended: {ended}",
        f"Investigation: as of {telling.clock(inv.as_of)}, {'with the graph' if inv.arm == 'graph' else 'by passages alone'}",
        "" if inv.state == "complete" else f"**{markdown(telling.headline(inv))}**",
    )
    return "\n".join(f"- {line}" for line in lines if line)


def _because(reasons: Sequence[Reason]) -> str:
    return f" ({markdown(telling.because(reasons).rstrip('.'))})" if reasons else ""


def _summary(inv: Investigation) -> str:
    alert = f"{markdown(telling.alerted(inv))} went off at {telling.clock(inv.signal.at)}. {markdown(telling.headline(inv))}"
    return f"{alert} Source: {_source(inv, inv.signal.key)}." if inv.signal.key else alert


def _impact(inv: Investigation) -> str:
    on = f" on {markdown(inv.signal.service_name)}" if inv.signal.service_name else ""
    stood = f"stood for {telling.span(inv.signal.ended_at - inv.signal.at)}" if inv.signal.ended_at else "still stood when this was written"
    hit = f"The alert{on} {stood}. How many people noticed, and how badly it hit them, is {telling.NOT_KNOWN}."
    if not inv.affected:
        return f"{hit} Nothing that is loaded is known to need it."
    shown = sorted(inv.affected, key=lambda a: (a.hops, a.name))
    rows = [
        f"- {markdown(a.name)}, {a.hops} {'hop' if a.hops == 1 else 'hops'} away, answered for by"
        f" {markdown(a.owner_name or telling.called(inv, a.owner)) if a.owner else 'nobody known'}"
        for a in shown[:AFFECTED]
    ]
    more = [f"- and {len(shown) - AFFECTED} more"] if len(shown) > AFFECTED else []
    return "\n".join([f"{hit} These depend on it and may have been hit; how they fared is {telling.NOT_KNOWN}:", "", *rows, *more])


def _causes(inv: Investigation) -> str:
    if not inv.causes:
        return f"{NOT_ESTABLISHED} {markdown(telling.headline(inv))}"
    if inv.outcome == "cause":
        return _cause(inv, inv.causes[0], "Named by the investigation")
    return "\n\n".join([NOT_ESTABLISHED + " These could have caused it:", *(_cause(inv, s, "Could be") for s in inv.causes[:5])])


def _cause(inv: Investigation, suspect: Suspect, standing: str) -> str:
    head = f"{standing}, {telling.sure(suspect.confidence)}: {markdown(telling.change(inv, suspect))}. Source: {_source(inv, suspect.key)}."
    pro, contra = telling.sides(suspect)
    lines = [*(f"- For: {_reason(inv, r)}" for r in pro), *(f"- Against: {_reason(inv, r)}" for r in contra)]
    if len(suspect.path) > 2:
        way = " → ".join(markdown(telling.called(inv, key)) for key in suspect.path)
        lines.append(f"- The way to it: {way}")
    return "\n".join([head, "", *lines]) if lines else head


def _reason(inv: Investigation, reason: Reason) -> str:
    return f"{markdown(telling.ended(reason.text))}{_cited(inv, reason.cites)}{_quoted(inv, reason.quotes)}"


def _trigger(inv: Investigation) -> str:
    if inv.outcome != "cause" or not inv.causes:
        return NOT_ESTABLISHED
    cause = inv.causes[0]
    who = f" by {markdown(cause.author)}" if cause.author else ""
    changes = telling.listed(_source(inv, key) for key in cause.changes)
    what = f"{markdown(cause.name)} at {telling.clock(cause.at)}{who}{f', with {changes}' if changes else ''}"
    return f"{what}. Source: {_source(inv, cause.key)}."


def _detection(inv: Investigation) -> str:
    signal = inv.signal
    words = f"The alert {markdown(signal.name or signal.title)} fired at {telling.clock(signal.at)}"
    late = ""
    if inv.outcome == "cause" and inv.causes and inv.causes[0].at <= signal.at:
        late = f", {telling.span(signal.at - inv.causes[0].at)} after the change that is named"
    return f"{words}{late}. Source: {_source(inv, signal.key) if signal.key else 'the message that came in'}."


def _resolution(inv: Investigation) -> str:
    wrote = [f"- Written down in {_source(inv, r.incident)}: fixed by {_all(inv, r.fixes)}" for r in inv.recorded if r.fixes]
    if wrote:
        return "\n".join(wrote)
    ended = _ending(inv)
    past = telling.helped(inv)
    if past is None:
        return ended
    helped = f"What helped with an incident like this one: {markdown(telling.remedy(inv, past).rstrip('.'))}."
    return f"{ended} {helped} Source: {_source(inv, past.key)}."


def _ending(inv: Investigation) -> str:
    """When the alert ended, and what was taken back just before, which need not be what ended it."""
    if not inv.signal.ended_at:
        return UNKNOWN
    over = f"The alert ended at {telling.clock(inv.signal.ended_at)}"
    named = inv.causes[0].reasons if inv.outcome == "cause" and inv.causes else ()
    fits = next((r for r in named if r.kind == "ended_with" and r.points > 0), None)
    if fits is None:
        return f"{over}; what ended it is {telling.NOT_KNOWN}."
    return f"{over}. What fits, and is for a person to confirm: {_reason(inv, fits)}"


def _actions(inv: Investigation) -> str:
    first = next(iter(telling.paged(inv)), None)
    owner = markdown(first.name) if first else telling.NOT_KNOWN
    todo = [f"- [ ] Read this draft and put right what is wrong in it. Owner: {owner}"]
    if inv.outcome == "cause" and inv.causes:
        todo.append(f"- [ ] Confirm or refute the cause: {markdown(inv.causes[0].name)}. Owner: {owner}")
    elif inv.causes:
        some = markdown(telling.listed(s.name for s in inv.causes[:3]))
        todo.append(f"- [ ] Find out which it was: {some}. Owner: {owner}")
    else:
        todo.append(f"- [ ] Establish the cause; {markdown(telling.searched(inv))} held none. Owner: {owner}")
    for reason in inv.causes[0].reasons if inv.outcome == "cause" and inv.causes else ():
        if reason.kind == "rule" and reason.points > 0:
            todo.append(f"- [ ] Decide how this is kept from happening again: {_reason(inv, reason)} Owner: {owner}")
    return "\n".join(todo)


def _lessons(inv: Investigation) -> str:
    before = telling.alike(inv)[:3]
    learnt = [f"- From the report of {_source(inv, p.key)}: {markdown(p.learnt)}" for p in before if p.learnt and inv.arm == "graph"]
    again = [f"- It was like {_source(inv, p.key)}: {markdown(p.why)}" for p in before if p.why]
    return "\n".join([*again, *learnt]) or "None yet; for whoever reads this to add."


def _timeline(inv: Investigation) -> str:
    events = timeline(inv)
    if not events:
        return UNKNOWN
    rows = [f"| {telling.minute(e.at)} | {markdown(said(inv, e))} | {_source(inv, e.key) if e.key else ''} |" for e in events[-EVENTS:]]
    return "\n".join(["All times in UTC.", "", "| When | What | Source |", "|---|---|---|", *rows])


def _looked(inv: Investigation) -> str:
    clean = telling.clean(inv).items()
    lines = [f"- Clean: {markdown(words)}: {markdown(telling.listed(on, most=LISTED))}" for words, on in clean]
    for s in inv.suspects:
        if s.standing == "discounted":
            why = telling.against(s)
            lines.append(f"- Discounted: {_source(inv, s.key)}{f', because: {markdown(why)}' if why else ''}")
    lines += [f"- Dropped, as nothing read bears it out: {markdown(c.text)}" for c in inv.dropped]
    return "\n".join([f"Searched: {markdown(telling.searched(inv))}.", *([""] if lines else []), *lines])


def _source(inv: Investigation, key: str) -> str:
    """What the thing is called, as a link where an address of it is known, with the key to find it by."""
    name = markdown(short(telling.called(inv, key), 120))
    address = web_url(next((n.props.get("url", "") for n in inv.nodes if n.key == key), ""))
    return f"[{name}](<{address}>)" if address else f"{name} ({code(key)})"


def _all(inv: Investigation, keys: Iterable[str]) -> str:
    return telling.listed(_source(inv, key) for key in keys) or telling.NOT_KNOWN


def _cited(inv: Investigation, keys: Iterable[str]) -> str:
    shown = telling.listed((_source(inv, key) for key in keys), most=4)
    return f" Source: {shown}." if shown else ""


def _quoted(inv: Investigation, quotes: Iterable[Quote]) -> str:
    return "".join(f" “{markdown(short(q.text, QUOTE))}” ({markdown(telling.called(inv, q.source))}, line {q.line})" for q in quotes)
