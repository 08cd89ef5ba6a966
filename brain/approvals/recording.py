"""Recording a decision: a Decision of its own with its text, what it is about, what justifies it, and who approved it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from brain.approvals import effects
from brain.approvals.approval import Change, Proposal
from brain.approvals.deciding import Moment, narrowest, still
from brain.schema import label_of
from brain.spool import Text, chunk_props
from brain.store import graph_name
from brain.text.chunks import chunk
from brain.tools.asking import Asking
from brain.types import Origin, Result, TextRow

NAME = "record_decision"
SOURCE = "approvals"


def propose(ctx: Asking, args: Mapping[str, Any], found: Result) -> Proposal:
    """A decision with the title and text given, about and because of the things that the tool's rows name."""
    keys = {part: [str(r["key"]) for r in found.rows if r["section"] == part] for part in ("about", "because")}
    title = str(found.rows[0]["name"])
    told = {"title": title, "text": str(found.rows[0]["text"]), **keys}
    called = still(ctx, [*keys["about"], *keys["because"]])
    about = f" about {', '.join(called[k] for k in keys['about'])}" if keys["about"] else ""
    why = [f"because of {called[k]} ({k})" for k in keys["because"]] or ["it cites nothing"]
    cites = tuple(dict.fromkeys([*keys["about"], *keys["because"]]))
    return Proposal(NAME, told, f"Record the decision “{title}”{about}", (), ({**told},), tuple(why), cites)


def check(ctx: Asking, p: Proposal) -> None:
    """BadInput when something that it is about or cites has gone."""
    still(ctx, p.cites)


def change(moment: Moment, p: Proposal) -> Change:
    """The decision, no more open than what it is about and cites, with its text as passages that are searched like any other."""
    about, because = ([str(k) for k in p.args[part]] for part in ("about", "because"))
    title, text = str(p.args["title"]), str(p.args["text"]).strip()
    label = narrowest(moment.everything, [*about, *because])
    key = f"decision:recorded/{re.sub(r'[^a-z0-9]+', '-', title.lower()).strip('-')[:60] or 'decision'}-{moment.id}"
    words = moment.words("Approved")
    body = f"{text}\n\n{words}"
    node = {"name": title, "source": SOURCE, "title": title, "stated": "accepted", "reason": text, "at": moment.holds, **label}
    open_to = {"access": label["access"], "aud": tuple(label.get("aud", ()))}
    row = TextRow(key, "body", title, body, moment.holds, origin=Origin(moment.proof, 1), **open_to)
    pieces = [chunk_props(Text(row, 0, SOURCE), c) for c in chunk(row)]
    edges: list[tuple[str, str, str, str, Mapping[str, Any]]] = [(str(c["key"]), "PART_OF", key, "", {}) for c in pieces]
    edges += [(key, "ABOUT", k, f"{moment.aid}a{n}", {"at": moment.holds}) for n, k in enumerate(about)]
    who = moment.person()
    claims = [(key, "JUSTIFIED_BY", k) for k in because] + ([(who, "DECIDED", key)] if who else [])
    for n, (src, rel, dst) in enumerate(claims, 1):
        claim = moment.claim(n, label, key, NAME)
        edges.append((src, rel, dst, claim["aid"], claim))
    proof = moment.evidence(label, key, len(body.splitlines()), words, NAME)
    needs = dict.fromkeys([*about, *because, *([who] if who else [])])
    nodes = ((key, node), *((str(c["key"]), c) for c in pieces))
    return Change(tuple(needs), nodes, tuple(edges), (proof,))


def moved(moment: Moment, done: Change) -> str:
    """Why the decision cannot be taken out; empty when nothing hangs on it but what was made with it."""
    key = next(k for k, _ in done.nodes if label_of(k) == "Decision")
    hangs = effects.hanging(moment.everything.store, graph_name(moment.everything.workspace), key)
    if hangs is None:
        return f"{key!r} is not there any more"
    own = sum(key in (src, dst) for src, _, dst, _, _ in done.edges)
    return "" if hangs == own else f"something else has been joined to {key!r} since"
