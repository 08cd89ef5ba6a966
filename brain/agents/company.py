"""Questions about a company: the topic chooses who answers; what it takes for granted is held against the graph first."""

from __future__ import annotations

import re
from collections.abc import Callable

from brain.agents import (
    company_authors,
    company_changing,
    company_chat,
    company_decisions,
    company_depending,
    company_duty,
    company_events,
    company_findings,
    company_firing,
    company_handing,
    company_handling,
    company_happened,
    company_moves,
    company_owning,
    company_people,
    company_reporting,
    company_ruling,
    company_services,
    company_telling,
    company_tickets,
    company_trouble,
)
from brain.agents.company_asked import tells, topic
from brain.agents.company_facts import answered, by_path, by_query, instant, nothing, unique
from brain.agents.company_unknown import unknown_thing
from brain.agents.run import Draft, Run
from brain.agents.understand import Understanding
from brain.agents.wording import short
from brain.text.analysis import query_terms, terms
from brain.text.link_things import RUNS
from brain.text.time_ahead import unread

Answering = Callable[[Understanding, Run], Draft | None]
# Topics whose time words name a window of events, not an instant at which things stood.
_WINDOWED = frozenset(
    {"changes", "deploys", "alerts", "incidents", "tickets", "handled", "discussed", "event", "ticket", "item", "reading", "document",
     "trouble", "said", "ongoing", "handed", "happened", "stands"}
)
_HAPPENED = frozenset({"changes", "deploys", "alerts", "incidents", "tickets", "handled", "trouble", "moved"})
# Topics after which what is not told by documents may still stand in a pull request or issue.
_LOOSE = frozenset({"", "reading", "discussed", "document", "experts", "item"})
_AHEAD = frozenset(
    {"rule", "rule_history", "oncall", "rule_conflict", "member", "page", "own", "owned", "lead", "keeper", "role"}
)
# Topics whose answer changes with the time asked about, so that a time that was not understood must not be left out.
_TIMED = _AHEAD | {"changes", "deploys", "alerts", "incidents", "tickets", "handled", "findings", "disagreement"}


def answer(u: Understanding, run: Run) -> Draft | None:
    """The draft for a question about a company; None for one that is about repositories alone."""
    if not u.lexicon.company:
        return None
    described = company_telling.with_document(u)
    u = described if described is not u else company_trouble.with_incident(u, run)
    about = "trouble" if company_trouble.asked(u) else "said" if company_chat.asked(u) else topic(u)
    if company_moves.whole_company(u):
        return company_moves.left_altogether(u, run)
    strange = unknown_thing(u) or company_depending.unknown_target(u)
    if strange:
        return nothing(f"{strange}: nothing of that name is loaded.")
    if company_trouble.unfound(u):
        return nothing("No incident of that day or description is loaded.")
    if described is u and company_telling.document_unknown(u):
        return nothing("No document of that description is loaded.")
    untimed = unread(u.question, u.time.spans) if about in _TIMED and not (about == "rule" and company_ruling.permission(u)) else ""
    if untimed:
        return nothing(f"\u201c{untimed}\u201d: which time that means is not understood.")
    if about in _HAPPENED and (u.time.since or 0) > run.ctx.as_of:
        return nothing("That time has not come yet: nothing of it is loaded.")
    if about and about not in _WINDOWED:
        instant(u, run, ahead=about in _AHEAD, midway=about in ("oncall", "page"))
    draft = _ANSWERS[about](u, run) if about else None
    if draft is None and (about or tells(u)):
        draft = company_telling.read(u, run)
    role = company_people.unheld(u) if about in ("", "reading", "role", "document", "rule") and draft is not None else ""
    if role and draft is not None and not _says(draft, role):
        return nothing(f"No source that is loaded says who is the {role}.")
    return None if draft is not None and draft.state != "answered" and about in _LOOSE else draft


def _says(draft: Draft, role: str) -> bool:
    """Do the words that an answer rests on have those of the role?"""
    said = " ".join([f.text for f in draft.facts[:1]] + [q.text for f in draft.facts[:1] for q in f.quotes])
    return draft.state == "answered" and set(query_terms(role)) <= set(terms(said))


def _listed(kind: str) -> Answering:
    """Events of what is named, else of the whole company."""

    def one(u: Understanding, run: Run) -> Draft | None:
        if u.links.of(*RUNS, "Team", "Repo"):
            return company_changing.of_things(u, run, kind)
        return company_handling.listed(u, run, kind)

    return one


def _experts(u: Understanding, run: Run) -> Draft | None:
    """Who knows a service: who changed and reviewed its code and handled its tickets, most first."""
    place = u.links.of(*RUNS)[0].keys[0]
    rows = [
        r for r in company_owning.ownership(run, place) if r.get("source") in ("changed", "reviewed", "handled") and not r.get("departed")
    ]
    score: dict[str, int] = {}
    for r in rows:
        score[str(r["key"])] = score.get(str(r["key"]), 0) + int(r.get("n") or 0)
    order = sorted(score, key=lambda k: (-score[k], k))[: u.top or (1 if u.says("one_expert") else 5)]
    facts = [company_owning.said(r, place, run) for r in rows if r["key"] in order][:10]
    return answered(order, facts, [place]) if order else company_owning.owners(u, run)


def _details(u: Understanding, run: Run) -> Draft | None:
    """What is recorded of a service, team, system or document: what it is, its relations, who answers for it."""
    mention = u.links.of(*RUNS, "Team", "Doc", "Channel", "Role")[0]
    key = mention.keys[0]
    got = run.call("details", f"what is recorded of {short(key)}", key=key)
    node = next((n for n in got.nodes if n.key == key), None)
    if node is None:
        return None
    told = [f"{name} {node.props[name]}" for name in ("tier", "kind", "lifecycle", "system", "contact") if node.props.get(name)]
    facts = [by_path(run, f"{node.name}: {', '.join(told)}.", key)] if told else []
    described = str(node.props.get("description") or "")
    if described:
        facts.append(by_path(run, f"{node.name}: “{described}”", key))
    for r in got.rows[:24]:
        if r.get("key") and r["rel"] not in ("MENTIONS", "KNOWS"):
            verb = str(r["rel"]).lower().replace("_", " ")
            pair = (node.name, short(str(r["key"]))) if r["direction"] == "out" else (short(str(r["key"])), node.name)
            facts.append(by_query(run, f"{pair[0]} {verb} {pair[1]}.", key, str(r["key"])))
    if u.cued("tier") and not node.props.get("tier") and not u.cued("provides", "part", "contact"):
        return nothing(f"No tier of {short(key)} is told by what is loaded.", key)
    if u.cued("tier") and node.props.get("tier"):
        return answered([str(node.props["tier"])], facts[:1], [key])
    if re.search(r"\b(?:kind|type|sort) (?:of|is|has)\b", u.masked, re.I) and node.props.get("kind"):
        return answered([str(node.props["kind"])], facts[:2], [key])
    if u.cued("contact") and node.props.get("contact"):
        return answered([str(node.props["contact"])], facts[:1], [key])
    if u.cued("provides"):
        items = unique(r["key"] for r in got.rows if r["rel"] in ("PROVIDES", "PROVIDED_BY"))
        return answered(items, facts, [key]) if items else nothing(f"No interface of {short(key)} is loaded.", key)
    if u.cued("part"):
        way = "in" if u.want == "services" else "out"
        more = run.call("expand", f"what {short(key)} belongs to", key=key, rels=["PART_OF"], direction=way, k=200)
        fitting = ("Service", "Module") if u.says("only_services") else (*RUNS, "Team")
        items = unique(r["key"] for r in more.rows if r["label"] in fitting)
        if items:
            return answered(items, [by_query(run, f"{short(k)} and {short(key)} belong together.", k, key) for k in items], [key])
    return answered([key], facts, [key]) if facts else None


def _item(u: Understanding, run: Run) -> Draft | None:
    """The deployment a pull request or commit went out in, or the ticket, incident or thread it is linked with."""
    key = u.links.of("PullRequest", "Commit")[0].keys[0] if u.links.of("PullRequest", "Commit") else ""
    if not key:
        return None
    if u.cued("deploy"):
        went = company_events.went_out(run, key)
        if went is not None:
            return went
        rels, labels, what = ["INCLUDES", "CAUSED_BY", "FIXED_BY"], ["Deploy"], "deployment"
    elif u.cued("incident"):
        rels, labels, what = ["CAUSED_BY", "FIXED_BY", "REFERENCES"], ["Incident", "Alert"], "incident"
    elif u.cued("ticket") and u.want in ("issues", "items", "text", "count"):
        rels, labels, what = ["CLOSES", "FIXED_BY", "CAUSED_BY", "REFERENCES"], ["Ticket", "Issue"], "ticket"
    elif u.cued("discuss") and (u.says("which_channel") or u.want in ("threads", "channels")):
        rels, labels, what = ["DISCUSSED_IN", "REFERENCES", "MENTIONS"], ["Thread", "Message"], "thread"
    else:
        return None
    got = run.call("expand", f"the {what}s of {short(key)}", key=key, rels=rels, labels=labels, k=100)
    if not got.rows and what in ("ticket", "thread"):
        return None
    shown = got.rows[:20]
    facts = [by_path(run, f"{short(str(r['key']))} “{r['name']}” is linked with {short(key)}.", str(r["key"]), key) for r in shown]
    items = unique(r["key"] for r in got.rows)
    if u.says("which_channel") and what == "thread":
        items = unique("channel:" + k.partition(":")[2].split("/")[0] for k in items)
    return answered(items, facts, [key]) if items else nothing(f"No {what} of {short(key)} is loaded.", key)


_ANSWERS: dict[str, Answering] = {
    "own": company_owning.owners,
    "owned": company_owning.owned,
    "lead": company_owning.leads,
    "keeper": company_owning.keepers,
    "findings": company_findings.findings,
    "disagreement": company_findings.disagreement,
    "page": company_duty.paged,
    "oncall": company_duty.on_call,
    "member": company_people.members,
    "moved": company_moves.moved,
    "role": company_people.roles,
    "reports": company_reporting.reports,
    "person": lambda u, run: company_people.departed(u, run) if u.cued("departed") else company_people.about(u, run),
    "needs": lambda u, run: company_depending.reach(u, run, "dependencies", False),
    "needed": lambda u, run: company_depending.reach(u, run, "dependents", False),
    "breaks": lambda u, run: company_depending.reach(u, run, "dependents", True),
    "chain": company_depending.chain,
    "central": company_depending.central,
    "answering_for": company_depending.answering,
    "decision": company_decisions.answer,
    "rule": company_ruling.in_force,
    "rule_history": company_ruling.history,
    "rule_conflict": company_ruling.contradictions,
    "ticket": company_tickets.one,
    "handled": company_handling.experienced,
    "experts": _experts,
    "event": company_trouble.event,
    "trouble": company_trouble.went_wrong,
    "said": company_chat.said,
    "changes": company_changing.recent,
    "deploys": _listed("deploys"),
    "alerts": _listed("alerts"),
    "incidents": _listed("incidents"),
    "tickets": _listed("tickets"),
    "discussed": company_telling.discussed,
    "reading": lambda u, run: company_authors.by_words(u, run) or company_telling.read(u, run),
    "document": company_telling.read,
    "details": _details,
    "services": company_services.listed,
    "item": _item,
    "ongoing": company_firing.ongoing,
    "stands": company_firing.stands,
    "handed": company_handing.handed,
    "happened": company_happened.happened,
    "numbered": company_happened.numbers,
}
