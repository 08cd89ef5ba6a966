"""Premises about decisions, rules, dependencies and tickets, held against the graph; what is so instead, with its source."""

from __future__ import annotations

from brain.agents import company_deciding, company_ruling
from brain.agents.company_depending import FAR, depends, reached
from brain.agents.company_facts import by_path, unique
from brain.agents.company_premise import Premise
from brain.agents.company_values import same_value
from brain.agents.run import Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import day, listing, short

_NEGATIVE = ("superseded", "replaced", "rejected", "proposed", "deprecated", "withdrawn", "obsolete", "overruled", "dead")


class Finding:
    """What the graph says to a premise: does it hold (None: it does not say), with the facts and the right ones."""

    def __init__(self, holds: bool | None, facts: list[Fact], items: list[str], entries: list[str]) -> None:
        self.holds, self.facts, self.items, self.entries = holds, facts, items, entries


def stands(u: Understanding, run: Run, p: Premise) -> Finding:
    """Does the decision stand as it is said to?"""
    rows = run.call("decision", f"how {short(p.subject[0])} stands", topic=p.subject[0], k=1).rows
    if not rows:
        return Finding(None, [], [], [])
    row, status = rows[0], str(rows[0].get("status"))
    facts = [company_deciding.told(row, run)]
    keys = [str(row["key"])]
    if p.value.lower() in _NEGATIVE:
        same = {
            "replaced": "superseded", "overruled": "superseded", "withdrawn": "deprecated", "dead": "rejected"
        }.get(p.value.lower(), p.value.lower())
        return Finding(same in status or (same == "obsolete" and status not in company_deciding.STANDS), facts, keys, keys)
    after = unique(row.get("superseded_by") or ())
    for key in after[:3] if status not in company_deciding.STANDS else ():
        facts += [company_deciding.told(r, run) for r in run.call("decision", f"what {short(key)} says", topic=key, k=1).rows]
    if status == "unknown":
        return Finding(None, facts, keys, keys)
    return Finding(status in company_deciding.STANDS, facts, keys if status in company_deciding.STANDS else after or keys, keys)


def replaced(u: Understanding, run: Run, p: Premise) -> Finding:
    """Has the one replaced the other?"""
    new, old = p.subject[0], p.object[0]
    rows = run.call("decision", f"what replaced {short(old)}", topic=old, k=1).rows
    if not rows:
        return Finding(None, [], [], [])
    after = unique(rows[0].get("superseded_by") or ())
    return Finding(new in after, [company_deciding.told(rows[0], run)], after or [old], [new, old])


def value(u: Understanding, run: Run, p: Premise) -> Finding:
    """A rule has a value."""
    name, _, value = p.value.rpartition("\0")
    names = [u.lexicon.titles.get(p.subject[0], "")] if p.subject else company_ruling.meant_by(u, name)
    rows = [r for n in names[:2] if n for r in run.call("rule_in_force", f"what holds for {n!r}", rule=n, k=10).rows]
    if not rows:
        return Finding(None, [], [], [])
    facts = [company_ruling.stated(r, run) for r in rows[:4]]
    keys = unique(r["key"] for r in rows)
    if any(same_value(value, str(r["value"])) for r in rows):
        return Finding(True, facts, unique(r["value"] for r in rows), keys)
    before = run.call("rule_history", f"how {names[0]!r} changed", rule=names[0]).rows
    facts += [company_ruling.version(r, run) for r in before if same_value(value, str(r["value"]))][:2]
    return Finding(False, facts, unique(r["value"] for r in rows), keys)


def needs(u: Understanding, run: Run, p: Premise) -> Finding:
    """Does the one need the other?"""
    a, b = p.subject[0], p.object[0]
    rows = reached(run, a, "dependencies", FAR)
    step = run.last
    hit = next((r for r in rows if r["key"] == b), None)
    if hit is not None:
        return Finding(True, [depends(hit, a, run)], [b], [a, b])
    near = unique(r["key"] for r in rows if int(r["hops"]) == 1)
    text = f"No dependency of {short(a)} on {short(b)} is loaded, over any number of hops"
    needs = f"; {short(a)} needs {listing([short(k) for k in near])}." if near else "; it needs nothing that is loaded."
    facts = [Fact(text + needs, (a, b, *near[:8]), step=step, aggregate=True)]
    back = reached(run, b, "dependencies", FAR)
    facts += [depends(r, b, run) for r in back if r["key"] == a]
    return Finding(False, facts, near, [a, b])


def ticket(u: Understanding, run: Run, p: Premise) -> Finding:
    """Does the ticket stand as it is said to?"""
    key = p.subject[0]
    got = run.call("details", f"the record of {short(key)}", key=key)
    node = next((n for n in got.nodes if n.key == key), None)
    if node is None:
        return Finding(None, [], [], [])
    done = bool(node.props.get("closed_at")) and int(node.props["closed_at"]) <= run.ctx.as_of
    stated = p.value.lower() not in ("open", "unresolved")
    when = f" on {day(int(node.props['closed_at']))}" if done else ""
    text = f"{short(key)} “{node.name}” {'was closed' if done else 'is open'}{when}."
    return Finding(done == stated, [by_path(run, text, key)], [key], [key])
