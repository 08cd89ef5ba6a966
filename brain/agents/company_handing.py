"""Tickets that one person passed on to another, as the chat tells."""

from __future__ import annotations

import re

from brain.agents.company_facts import answered, by_path, nothing, person_of, unique
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import short

_HANDED = re.compile(
    r"\b(?:(?:pass|hand|giv|transferr|reassign|forward)(?:s|es|ed|ing|e)?|transfer|gave|given|delegat\w*)\b[^?]*\b(?:to|from|by)\b", re.I
)
MOST = 40


def asked(u: Understanding) -> bool:
    """Is it asked which tickets went from one person to another?"""
    return len(u.links.of("Person")) == 2 and u.cued("ticket") and bool(_HANDED.search(u.masked)) and not u.links.of("Ticket")


def handed(u: Understanding, run: Run) -> Draft:
    """The tickets that somebody passed on to somebody else; the message that did it says so."""
    people = {name: m.keys[0] for name, m in u.names.items() if m.label == "Person"}
    m = re.search(r"\bto (PERSON\d+)", u.masked)
    receiver = m[1] if m and m[1] in people else list(people)[-1]
    giver = next(name for name in people if name != receiver)
    who, to = people[giver], people[receiver]
    got = run.call("expand", f"what was passed to {short(to)}", key=to, rels=["HANDLED_BY"], direction="in", labels=["Ticket"], k=500)
    items, facts = list[str](), list[Fact]()
    passed = {(e.src, str(e.props.get("access_key") or "")) for e in got.edges if e.dst == to and e.props.get("what") == "transferred"}
    for ticket, message in sorted(passed)[:MOST]:
        if not message.startswith("message:"):
            continue
        said = run.call("expand", f"who wrote {short(message)}", key=message, rels=["POSTED"], direction="in", labels=["Person"], k=3)
        if any(r["key"] == who for r in said.rows):
            items.append(ticket)
            facts.append(by_path(run, f"{person_of(run, who)} passed {short(ticket)} to {short(to)} in {short(message)}.", who, message))
    if u.want == "count":
        return answered([str(len(set(items)))], facts or [by_path(run, f"None went from {short(who)} to {short(to)}.", who)], [who, to])
    none = f"No source that is loaded says that {short(who)} passed a ticket to {short(to)}."
    return answered(unique(items), facts, [who, to]) if items else nothing(none, who, to)
