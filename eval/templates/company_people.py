"""Who answers for a service, who is to be called, who keeps a document, who has handled the tickets."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import timedelta
from random import Random

from eval.gold.company import Company, day_after
from eval.gold.company_docs import Document
from eval.templates.candidate import Candidate, CompanyTemplate
from eval.templates.slots import Day, Plain

LEAD_OF_TICKETS = 2


def _agreed(company: Company) -> Iterator[tuple[str, str]]:
    for s in company.services.values():
        if s.catalogue_owner == s.registry_owner:
            yield s.id, s.registry_owner


def _owner(company: Company, rng: Random) -> Iterator[Candidate]:
    for service, team in _agreed(company):
        yield Candidate(service, {"service": Plain(service)}, (team,))


def _owned(company: Company, rng: Random) -> Iterator[Candidate]:
    by_team = defaultdict(list)
    for service, team in _agreed(company):
        by_team[team].append(f"service:{service}")
    names = {key: name for name, key in company.teams.items()}
    unsure = {s.registry_owner for s in company.services.values() if s.catalogue_owner != s.registry_owner}
    for team, services in sorted(by_team.items()):
        if team not in unsure:
            yield Candidate(team, {"team": Plain(names[team])}, tuple(sorted(services)))


def _lead(company: Company, rng: Random) -> Iterator[Candidate]:
    for s in company.services.values():
        if company.here(s.lead, company.today):
            yield Candidate(s.id, {"service": Plain(s.id)}, (s.lead,))


def _on_call_now(company: Company, rng: Random) -> Iterator[Candidate]:
    names = {key: name for name, key in company.teams.items()}
    for shift in company.shifts:
        if shift.since <= company.today <= shift.until and shift.primary:
            yield Candidate(shift.team, {"team": Plain(names[shift.team])}, (shift.primary,))


def _on_call_then(company: Company, rng: Random) -> Iterator[Candidate]:
    names = {key: name for name, key in company.teams.items()}
    for shift in company.shifts:
        if shift.until < company.today and shift.primary:
            day = Day(day_after(shift.since + timedelta(days=1)))
            yield Candidate(shift.team, {"team": Plain(names[shift.team]), "day": day}, (shift.primary,))


def _page(company: Company, rng: Random) -> Iterator[Candidate]:
    for service, team in _agreed(company):
        shift = company.on_call(team, company.today)
        if shift and shift.primary:
            yield Candidate(service, {"service": Plain(service)}, (shift.primary,))


def _maintainer(company: Company, rng: Random) -> Iterator[Candidate]:
    for doc in company.docs:
        who = _keeper(company, doc)
        if who and doc.kind in ("runbook", "sop", "guide"):
            yield Candidate(doc.path, {"doc": Plain(doc.title)}, (who,), sources=(doc.key,))


def _keeper(company: Company, doc: Document) -> str:
    name = doc.facts.get("maintainer", "")
    found = {s.person for s in company.roster if s.name == name}
    return next(iter(found)) if len(found) == 1 else ""


def _disagreement(company: Company, rng: Random) -> Iterator[Candidate]:
    for s in company.services.values():
        if s.catalogue_owner != s.registry_owner:
            yield Candidate(s.id, {"service": Plain(s.id)}, (s.catalogue_owner, s.registry_owner))


def handled(company: Company) -> dict[str, dict[str, set[str]]]:
    """Service -> person -> tickets that were closed in their name or that they said in the chat to take or to have fixed."""
    component = {t.id: t.component for t in company.tickets}
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for t in company.tickets:
        if t.closed and t.assignee:
            found[t.component][t.assignee].add(t.id)
    for said in company.said:
        for ticket in re.findall(r"\b[A-Z]{2,}-\d+\b", said.text):
            if ticket in component and re.match(r"(?:taking|I'll take|fixed|on it|ok,)|\S+ is (?:mine|fixed)", said.text):
                found[component[ticket]][said.person].add(ticket)
    return found


def _handler(company: Company, rng: Random) -> Iterator[Candidate]:
    unsure = {t.component for t in company.tickets if t.closed and not t.assignee}
    for service, people in sorted((s, p) for s, p in handled(company).items() if s not in unsure):
        order = Counter({who: len(tickets) for who, tickets in people.items()}).most_common()
        clear = len(order) == 1 or order[0][1] >= order[1][1] + LEAD_OF_TICKETS
        if clear and order[0][1] >= LEAD_OF_TICKETS and company.here(order[0][0], company.today):
            yield Candidate(service, {"service": Plain(service)}, (order[0][0],))


def _closer(company: Company, rng: Random) -> Iterator[Candidate]:
    said = {ticket for m in company.said for ticket in re.findall(r"\b[A-Z]{2,}-\d+\b", m.text)}
    for t in company.tickets:
        if t.closed and t.assignee and t.id not in said:
            yield Candidate(t.component, {"ticket": Plain(t.id)}, (t.assignee,), sources=(f"ticket:{t.id}",))


def _left(company: Company, rng: Random) -> Iterator[Candidate]:
    for s in company.services.values():
        if not company.here(s.lead, company.today):
            yield Candidate(s.id, {"person": Plain(company.name(s.lead))}, (f"service:{s.id}",))


TEMPLATES: dict[str, CompanyTemplate] = {
    "ownership.owner": _owner,
    "ownership.owned": _owned,
    "ownership.lead": _lead,
    "ownership.on_call_now": _on_call_now,
    "ownership.on_call_then": _on_call_then,
    "ownership.page": _page,
    "ownership.maintainer": _maintainer,
    "ownership.left": _left,
    "conflicts.owners": _disagreement,
    "tickets.handler": _handler,
    "tickets.closer": _closer,
}
