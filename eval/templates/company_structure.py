"""What needs what, what happened to it, and where the same thing stands in chat, tickets, reports and code."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random

from eval.gold.company import Company
from eval.templates.candidate import LARGEST, Candidate, CompanyTemplate
from eval.templates.slots import Plain

_TICKET = re.compile(r"\b[A-Z]{2,}-\d+\b")


def _keys(services: frozenset[str] | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(f"service:{s}" for s in services))


def _needs(company: Company, rng: Random) -> Iterator[Candidate]:
    for s in company.services.values():
        if s.needs and not s.resources:
            yield Candidate(s.id, {"service": Plain(s.id)}, _keys(s.needs))


def _needed_by(company: Company, rng: Random) -> Iterator[Candidate]:
    for service, others in company.dependents.items():
        if others:
            yield Candidate(service, {"service": Plain(service)}, _keys(others))


def _breaks(company: Company, rng: Random) -> Iterator[Candidate]:
    for service in company.services:
        others = company.reach(service, up=True)
        if company.dependents[service] < others and len(others) <= LARGEST:
            yield Candidate(service, {"service": Plain(service)}, _keys(others))


def _all_needs(company: Company, rng: Random) -> Iterator[Candidate]:
    for service, s in company.services.items():
        others = company.reach(service, up=False)
        stores = {r for o in (service, *others) if o in company.services for r in company.services[o].resources}
        gold = (*_keys(others), *sorted(f"resource:{r}" for r in stores))
        if set(s.needs) < others and len(gold) <= LARGEST:
            yield Candidate(service, {"service": Plain(service)}, gold)


def _how_many(company: Company, rng: Random) -> Iterator[Candidate]:
    for service, others in company.dependents.items():
        if len(others) > 1:
            yield Candidate(service, {"service": Plain(service)}, (len(others),), "number")


def _deploys(company: Company, rng: Random) -> Iterator[Candidate]:
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for d in company.deploys:
        at = datetime.fromtimestamp(d.at, UTC)
        if at.date().replace(day=1) < company.today.replace(day=1):
            found[d.service, f"{at:%B %Y}"].append(f"deploy:{d.id}")
    for (service, month), keys in sorted(found.items()):
        if service in company.services and len(keys) <= LARGEST:
            yield Candidate(service, {"service": Plain(service), "month": Plain(month)}, tuple(sorted(keys)))


def _alerts(company: Company, rng: Random) -> Iterator[Candidate]:
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for a in company.alerts:
        found[a.service, f"{datetime.fromtimestamp(a.at, UTC):%Y}"].append(f"alert:{a.id}")
    for (service, year), keys in sorted(found.items()):
        if service in company.services:
            yield Candidate(service, {"service": Plain(service), "year": Plain(year)}, tuple(sorted(keys)))


def _discussed(company: Company, rng: Random) -> Iterator[Candidate]:
    where: dict[str, set[str]] = defaultdict(set)
    for said in company.said:
        for ticket in _TICKET.findall(said.text):
            where[ticket].add(f"channel:{said.channel}")
    known = {t.id for t in company.tickets}
    for ticket, channels in sorted(where.items()):
        if ticket in known and len(channels) == 1:
            yield Candidate(ticket, {"ticket": Plain(ticket)}, tuple(channels))


def _verified(company: Company, rng: Random) -> Iterator[Candidate]:
    for said in company.said:
        m = re.match(r"verified ([A-Z]+-\d+)", said.text)
        if m:
            yield Candidate(m[1], {"ticket": Plain(m[1])}, (said.person,))


def _component(company: Company, rng: Random) -> Iterator[Candidate]:
    for t in company.tickets:
        yield Candidate(t.component, {"ticket": Plain(t.id)}, (f"service:{t.component}",), sources=(f"ticket:{t.id}",))


def _open_tickets(company: Company, rng: Random) -> Iterator[Candidate]:
    waiting: dict[str, list[str]] = defaultdict(list)
    for t in company.tickets:
        if t.closed is None:
            waiting[t.component].append(f"ticket:{t.id}")
    for service, keys in sorted(waiting.items()):
        yield Candidate(service, {"service": Plain(service)}, tuple(sorted(keys)))


def _incident_part(part: str) -> CompanyTemplate:
    def template(company: Company, rng: Random) -> Iterator[Candidate]:
        tickets = {t.id for t in company.tickets}
        for doc in company.docs:
            name = str(doc.facts.get(part, ""))
            if doc.facts.get("id") and name:
                key = f"ticket:{name}" if name in tickets else f"deploy:{name}"
                yield Candidate(name, {"incident": Plain(str(doc.facts["id"]))}, (key,), sources=(doc.key,))

    return template


def _incident_tickets(company: Company, rng: Random) -> Iterator[Candidate]:
    known = {t.id for t in company.tickets}
    for doc in company.docs:
        if doc.facts.get("id"):
            whole = " ".join([doc.text, *(str(v) for v in doc.facts.values())])
            named = sorted({f"ticket:{t}" for t in _TICKET.findall(whole) if t in known})
            if named:
                yield Candidate(doc.path, {"incident": Plain(str(doc.facts["id"]))}, tuple(named), sources=(doc.key,))


def _incidents_of(company: Company, rng: Random) -> Iterator[Candidate]:
    found: dict[str, list[str]] = defaultdict(list)
    for doc in company.docs:
        for service in doc.facts.get("services") or ():
            found[service].append(f"incident:{doc.facts['id']}")
    for page in company.pages:
        if page.service in company.services:
            found[page.service].append(f"incident:{page.id}")
    for service, keys in sorted(found.items()):
        yield Candidate(service, {"service": Plain(service)}, tuple(sorted(keys)))


def _shared_lead(company: Company, rng: Random) -> Iterator[Candidate]:
    """Over two hops: who leads what a service directly needs."""
    for s in company.services.values():
        leads = {company.services[n].lead for n in s.needs if n in company.services}
        if 1 < len(leads) == sum(company.here(who, company.today) for who in leads):
            yield Candidate(s.id, {"service": Plain(s.id)}, tuple(sorted(leads)))


TEMPLATES: dict[str, CompanyTemplate] = {
    "dependency.needs": _needs,
    "dependency.needed_by": _needed_by,
    "dependency.breaks": _breaks,
    "dependency.all_needs": _all_needs,
    "dependency.how_many": _how_many,
    "tickets.component": _component,
    "tickets.open": _open_tickets,
    "cross-source.deploys": _deploys,
    "cross-source.alerts": _alerts,
    "cross-source.discussed": _discussed,
    "cross-source.verified": _verified,
    "cross-source.caused": _incident_part("cause"),
    "cross-source.fixed": _incident_part("fix"),
    "cross-source.incident_tickets": _incident_tickets,
    "cross-source.incidents_of": _incidents_of,
    "cross-source.leads_needed": _shared_lead,
}
