"""A short message for the chat of those on call, in its own markup (mrkdwn): a draft that a person reads, and sends or does not.

It holds no ids, calls nobody, and is short enough to be read half asleep.
"""

from __future__ import annotations

from collections.abc import Sequence

from brain.incident import telling
from brain.incident.findings import Investigation
from brain.text.markup import chat, chat_link, short

LONGEST = 900
_UNDONE = {
    "deploy": "rolling it back", "flag": "turning it back", "ticket": "taking it back", "pr": "reverting it", "commit": "reverting it",
}  # fmt: skip
_ROOM = (110, 80, 50, 30, 16)


def message(inv: Investigation) -> str:
    """What is wrong and since when, what most likely caused it, who is paged, what helped last time, and what to do next."""
    for room in _ROOM:
        said = "\n".join(line for line in _lines(inv, room) if line)
        if len(said) < LONGEST:
            return said
    return "\n".join(line for line in _lines(inv, _ROOM[-1], bare=True) if line)[: LONGEST - 1]


def _lines(inv: Investigation, room: int, bare: bool = False) -> Sequence[str]:
    signal = inv.signal
    name = short(signal.title or signal.name or "An alert", room)
    head = chat(name) if bare else _linked(inv, signal.key, name)
    on = f" on {chat(short(signal.service_name, room))}" if signal.service_name else ""
    over = f", over at {telling.clock(signal.ended_at)}" if signal.ended_at else ", still firing"
    begun = "" if inv.state == "complete" else "_This investigation is not finished._"
    return (
        f"*{inv.severity.level}: {head}*{on}",
        f"Since {telling.clock(signal.at)}{over}",
        begun,
        _cause(inv, room, bare),
        _page(inv, room),
        _helped(inv, room),
        _runbook(inv, room),
        f"*Next:* {_next(inv, room)}",
        "_Draft by Hopcheck, to be read before it is sent._",
    )


def _cause(inv: Investigation, room: int, bare: bool) -> str:
    named = inv.causes
    if not named:
        return f"*Cause:* none found in what was searched ({chat(telling.searched(inv))})"
    some = [
        f"{chat(short(s.name, room)) if bare else _linked(inv, s.key, short(s.name, room))}, {telling.before(inv, s.at)},"
        f" {telling.sure(s.confidence)}"
        for s in (named[:1] if inv.outcome == "cause" else named[:3])
    ]
    return f"*{'Likely cause' if inv.outcome == 'cause' else 'Could be, none stands out'}:* {'; '.join(some)}"


def _page(inv: Investigation, room: int) -> str:
    order = telling.paged(inv)
    if not order:
        return "*Page:* nobody found who answers for it"
    first, rest = order[0], order[1:2]
    then = f"; then {chat(short(rest[0].name, room))}" if rest else ""
    contact = f", {chat(short(first.contact, room))}" if first.contact else ""
    return f"*Page:* {chat(short(first.name, room))} ({chat(short(telling.why_paged(first), room))}){contact}{then}"


def _helped(inv: Investigation, room: int) -> str:
    past = telling.helped(inv)
    if past is None:
        return ""
    return f"*Last time:* {chat(short(telling.remedy(inv, past), room))} ({chat(short(telling.told(past), room))})"


def _runbook(inv: Investigation, room: int) -> str:
    found = telling.runbooks(inv, 1)
    return f"*Runbook:* {_linked(inv, found[0].key, short(found[0].name, room))}" if found else ""


def _next(inv: Investigation, room: int) -> str:
    """The next step for whoever reads this; never an order that was found in what was read."""
    first = next(iter(telling.paged(inv)), None)
    who = chat(short(first.name, room)) if first else "whoever answers for it"
    if inv.state != "complete":
        return "let the investigation come to its end"
    if inv.signal.ended_at and inv.causes:
        return f"it is over; ask {who} to confirm what it was"
    if inv.outcome == "cause" and inv.causes:
        return f"ask {who} about {_UNDONE[inv.causes[0].kind]}"
    if inv.causes:
        return f"ask {who} which of them it can be"
    return f"ask {who} what changed that nobody wrote down"


def _linked(inv: Investigation, key: str, name: str) -> str:
    return chat_link(next((str(n.props.get("url", "")) for n in inv.nodes if n.key == key), ""), name)
