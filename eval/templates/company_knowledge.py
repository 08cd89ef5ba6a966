"""Decisions and what replaced them, rules on a day, premises that are not so, and what nobody can know."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random

from eval.gold.company import Company, day_after
from eval.gold.company_docs import Decision, Rule, decisions, in_force, rules
from eval.templates.candidate import Candidate, CompanyTemplate
from eval.templates.slots import Day, Plain


def _name(d: Decision) -> Plain:
    return Plain(f"ADR-{d.number:04d}")


def _decision_date(company: Company, rng: Random) -> Iterator[Candidate]:
    for d in decisions(company.docs).values():
        yield Candidate(d.key, {"adr": _name(d)}, (f"{d.on}",), "text", (f"doc:{d.path}",))


def _decision_titled(company: Company, rng: Random) -> Iterator[Candidate]:
    for d in decisions(company.docs).values():
        yield Candidate(d.key, {"title": Plain(d.title[0].lower() + d.title[1:])}, ((d.key, f"doc:{d.path}"),), sources=(f"doc:{d.path}",))


def _replaced_by(company: Company, rng: Random) -> Iterator[Candidate]:
    records = decisions(company.docs)
    for d in records.values():
        for old in (*d.replaces, *d.replaces_part):
            yield Candidate(d.key, {"adr": _name(records[old])}, ((d.key, f"doc:{d.path}"),), sources=(f"doc:{d.path}",))


def _replaces(company: Company, rng: Random) -> Iterator[Candidate]:
    records = decisions(company.docs)
    for d in records.values():
        if olds := (*d.replaces, *d.replaces_part):
            yield Candidate(
                d.key, {"adr": _name(d)}, tuple((records[o].key, f"doc:{records[o].path}") for o in olds), sources=(f"doc:{d.path}",)
            )


def _standing(company: Company, rng: Random) -> Iterator[Candidate]:
    """Proposed or rejected records: the one word that says how they stand."""
    for d in decisions(company.docs).values():
        if d.status in ("proposed", "rejected"):
            yield Candidate(d.key, {"adr": _name(d)}, (d.status,), "text", (f"doc:{d.path}",))


def _rules(company: Company) -> list[Rule]:
    messages = [(f"message:{m.channel}/{m.at}", m.text) for m in company.said]
    return rules(company.docs, messages)


def _holding(company: Company, name: str, day: date) -> Rule | None:
    found = in_force(_rules(company), name, day)
    return found[0] if len(found) == 1 else None


def _rule_now(company: Company, rng: Random) -> Iterator[Candidate]:
    for name in sorted({r.name for r in _rules(company)}):
        rule = _holding(company, name, company.today)
        if rule:
            yield Candidate(
                name, {"rule": Plain(name.lower())}, (rule.value,), "text", (rule.source,) if rule.source.startswith("doc:") else ()
            )


def _rule_then(company: Company, rng: Random) -> Iterator[Candidate]:
    every = _rules(company)
    for name in sorted({r.name for r in every}):
        starts = sorted({r.since for r in every if r.name == name})
        for start in starts:
            for day in (start - timedelta(days=20), start + timedelta(days=9), start + timedelta(days=31)):
                rule = _holding(company, name, day)
                if rule and (len(starts) > 1 or day > start):
                    yield Candidate(
                        name, {"rule": Plain(name.lower()), "day": Day(day_after(day - timedelta(days=1)))}, (rule.value,), "text"
                    )


def _rule_conflict(company: Company, rng: Random) -> Iterator[Candidate]:
    for name in sorted({r.name for r in _rules(company)}):
        found = in_force(_rules(company), name, company.today)
        if len(found) > 1 and len({r.conditions for r in found}) == 1:
            yield Candidate(name, {"rule": Plain(name.lower())}, tuple((r.value, r.source) for r in found))


def _no_rule_conflict(company: Company, rng: Random) -> Iterator[Candidate]:
    for name in sorted({r.name for r in _rules(company)}):
        if _holding(company, name, company.today):
            yield Candidate(name, {"rule": Plain(name.lower())}, ())


# -- premises ------------------------------------------------------------------------------


def _not_the_lead(company: Company, rng: Random) -> Iterator[Candidate]:
    """Somebody else's name where the technical lead's belongs."""
    leads = sorted({s.lead for s in company.services.values() if company.here(s.lead, company.today) and company.unique(s.lead)})
    for s in company.services.values():
        others = [who for who in leads if who != s.lead and not _in_team(company, who, s.registry_owner)]
        yield Candidate(s.id, {"service": Plain(s.id), "person": Plain(company.name(rng.choice(others)))}, ("premise_corrected",), "state")


def _in_team(company: Company, who: str, team: str) -> bool:
    return any(stay.person == who and stay.team == team for stay in company.roster)


def _keeper_not_owner(company: Company, rng: Random) -> Iterator[Candidate]:
    """Who keeps the document about a service, taken for who owns the service."""
    for doc in company.docs:
        for service in doc.facts.get("applies_to") or ():
            keeper = next((s.person for s in company.roster if s.name == doc.facts.get("maintainer")), None)
            s = company.services.get(service)
            if s and keeper and keeper != s.lead and not _in_team(company, keeper, s.registry_owner):
                yield Candidate(
                    service, {"service": Plain(service), "person": Plain(company.name(keeper))}, ("premise_corrected",), "state"
                )


def _left_owner(company: Company, rng: Random) -> Iterator[Candidate]:
    for s in company.services.values():
        if not company.here(s.lead, company.today):
            yield Candidate(s.id, {"service": Plain(s.id), "person": Plain(company.name(s.lead))}, ("premise_corrected",), "state")


def _moved(company: Company, rng: Random) -> Iterator[Candidate]:
    names = {key: name for name, key in company.teams.items()}
    for stay in company.roster:
        if stay.until < company.today and any(
            o.person == stay.person and o.team != stay.team and o.until > company.today for o in company.roster
        ):
            yield Candidate(stay.team, {"person": Plain(stay.name), "team": Plain(names[stay.team])}, ("premise_corrected",), "state")


def _replaced_record(company: Company, rng: Random) -> Iterator[Candidate]:
    records = decisions(company.docs)
    for d in records.values():
        for old in d.replaces:
            yield Candidate(d.key, {"adr": _name(records[old])}, ("premise_corrected",), "state")
        if d.status in ("proposed", "rejected"):
            yield Candidate(d.key, {"adr": _name(d)}, ("premise_corrected",), "state")


def _old_value(company: Company, rng: Random) -> Iterator[Candidate]:
    for rule in _rules(company):
        now = _holding(company, rule.name, company.today)
        if now and now is not rule and now.value != rule.value:
            yield Candidate(rule.name, {"rule": Plain(rule.name.lower()), "value": Plain(rule.value)}, ("premise_corrected",), "state")


def _not_needed(company: Company, rng: Random) -> Iterator[Candidate]:
    for s in company.services.values():
        strangers = sorted(set(company.services) - company.reach(s.id, up=False) - company.reach(s.id, up=True) - {s.id})
        if strangers:
            yield Candidate(s.id, {"service": Plain(s.id), "other": Plain(rng.choice(strangers))}, ("premise_corrected",), "state")


def _true_lead(company: Company, rng: Random) -> Iterator[Candidate]:
    for s in company.services.values():
        if company.here(s.lead, company.today) and company.unique(s.lead):
            yield Candidate(s.id, {"service": Plain(s.id), "person": Plain(company.name(s.lead))}, ("answered",), "state")


# -- what nobody can know --------------------------------------------------------------------

_NO_SERVICE = ("harbour-radar", "payroll-sync", "quay-lights", "drone-dock", "soil-probe", "ticket-printer")
_NO_RULE = ("dress code", "bicycle allowance", "maximum blast radius of a fax", "parking deadline", "lunch window")


def _no_service(company: Company, rng: Random) -> Iterator[Candidate]:
    for name in _NO_SERVICE:
        if name not in company.services:
            yield Candidate(name, {"service": Plain(name)}, ("insufficient",), "state")


def _no_decision(company: Company, rng: Random) -> Iterator[Candidate]:
    last = max(decisions(company.docs))
    for n in (last + 3, last + 19, last + 41):
        yield Candidate(str(n), {"adr": Plain(f"ADR-{n:04d}")}, ("insufficient",), "state")


def _no_ticket(company: Company, rng: Random) -> Iterator[Candidate]:
    for prefix in sorted({t.id.split("-")[0] for t in company.tickets}):
        last = max(int(t.id.split("-")[1]) for t in company.tickets if t.id.startswith(prefix))
        for n in (last + 13, last + 507):
            yield Candidate(prefix, {"ticket": Plain(f"{prefix}-{n}")}, ("insufficient",), "state")


def _no_rule(company: Company, rng: Random) -> Iterator[Candidate]:
    for name in _NO_RULE:
        yield Candidate(name, {"rule": Plain(name)}, ("insufficient",), "state")


def _no_shift(company: Company, rng: Random) -> Iterator[Candidate]:
    first = min(s.since for s in company.shifts)
    names = {key: name for name, key in company.teams.items()}
    for team in sorted(names):
        day = Day(day_after(first - timedelta(days=40 + 7 * len(team))))
        yield Candidate(team, {"team": Plain(names[team]), "day": day}, ("insufficient",), "state")


TEMPLATES: dict[str, CompanyTemplate] = {
    "decision.date": _decision_date,
    "decision.titled": _decision_titled,
    "decision.replaced_by": _replaced_by,
    "decision.replaces": _replaces,
    "decision.standing": _standing,
    "rule in force.now": _rule_now,
    "rule on a date.then": _rule_then,
    "conflicts.rules": _rule_conflict,
    "conflicts.no_rules": _no_rule_conflict,
    "premise.not_the_lead": _not_the_lead,
    "premise.keeper_not_owner": _keeper_not_owner,
    "premise.left_owner": _left_owner,
    "premise.moved": _moved,
    "premise.replaced_record": _replaced_record,
    "premise.old_value": _old_value,
    "premise.not_needed": _not_needed,
    "premise.true_lead": _true_lead,
    "unanswerable.no_service": _no_service,
    "unanswerable.no_decision": _no_decision,
    "unanswerable.no_ticket": _no_ticket,
    "unanswerable.no_rule": _no_rule,
    "unanswerable.no_shift": _no_shift,
}
