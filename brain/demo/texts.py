"""Writes what Merefold's people wrote outside of GitHub: documents, incident reports, chat and tickets. Documents are
written by hand and copied; registries come from the company file; see texts_chat.py and texts_tickets.py for the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path

from brain.demo import texts_chat, texts_desks, texts_tickets
from brain.demo.company import Company, Person
from brain.demo.play import draw

SCRIPT = Path(__file__).parent / "script" / "texts"
FIRST_WEEK, WEEKS = date(2026, 8, 24), 9
# The weeks a planted case needs: Monday -> team -> primary and secondary.
ON_CALL = {
    date(2026, 9, 21): (
        "gates femi tomasz, telemetry georg samira, forecast emeka daudi, console noor luc,"
        " duty aurelie kofi, platform jasper leila, trust greta ilmari, boards ruben clemens"
    ),
    date(2026, 10, 5): (
        "gates rurik femi, telemetry lachlan georg, forecast daudi emeka, console luc tobias,"
        " duty kofi marcellus, platform mateus jasper, trust ilmari greta, boards clemens ruben"
    ),
    date(2026, 10, 12): (
        "gates tomasz rurik, telemetry samira lachlan, forecast kasia emeka, console tobias noor,"
        " duty marcellus aurelie, platform ayo mateus, trust nadia greta, boards hyejin ruben"
    ),
}
MARRIED = {"kasia": "Katarzyna Nowicka-Bell"}


def write(folder: Path, company: Company) -> Counter[str]:
    """Writes docs/, incidents/, slack/ and tickets/ under `folder` and gives the number of things in them."""
    counts: Counter[str] = Counter()
    for part in ("docs", "incidents"):
        for path in sorted((SCRIPT / part).rglob("*.md")):
            _save(folder / part / path.relative_to(SCRIPT / part), path.read_text(encoding="utf-8"))
            counts["documents" if part == "docs" else part] += 1
    for name, text in (("services", services(company)), ("people", people(company)), ("oncall", on_call(company))):
        _save(folder / "docs" / "registry" / f"{name}.md", text)
        counts["documents"] += 1
    tickets = texts_tickets.tickets(company, SCRIPT / "tickets")
    counts.update(texts_desks.write(folder / "tickets", tickets, company))
    counts.update(texts_chat.write(folder / "slack", company, tickets, SCRIPT / "chat"))
    return counts


def _save(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def services(company: Company) -> str:
    """The registry of services, as last read in June: it still names who has left since."""
    rows = [
        (
            s.id,
            company.teams[s.team].name,
            company.people[s.lead].name,
            s.repo,
            s.tier,
            ", ".join(s.depends_on) or "-",
            f"#{company.teams[s.team].channel}",
        )
        for s in company.services.values()
    ]
    head = ("Service", "Owner", "Technical lead", "Repository", "Tier", "Depends on", "Channel")
    said = "What runs, who answers for it, and what it needs. Rosalind Achterberg maintains this page, not the services."
    return _page("Services", "2026-06-15", said, [_table(head, rows)])


def people(company: Company) -> str:
    """The roster: one line for each stay in a team."""
    rows = []
    for person in company.people.values():
        if not person.bot:
            rows += list(_stays(company, person))
    head = ("Name", "Role", "Team", "GitHub", "Slack", "Reports to", "From", "Until")
    said = "Who is who. A role says what somebody is employed as, not what they answer for; that is in the registry of services."
    return _page("People", "2026-10-01", said, [_table(head, rows)])


def _stays(company: Company, person: Person) -> Iterator[Sequence[object]]:
    name = MARRIED.get(person.short, person.name)
    boss = company.people[person.reports_to].name if person.reports_to else "-"
    since = person.since
    for stay in company.earlier_teams:
        if stay.who == person.short:
            yield name, "Engineer, messaging", company.teams[stay.team].name, person.login, person.slack, "-", since, stay.until
            since = stay.until + timedelta(days=1)
    team = company.teams[person.team].name if person.team else "-"
    yield name, person.title, team, person.login, person.slack, boss, since, person.until or "-"


def on_call(company: Company) -> str:
    """Who is on call, week by week."""
    tables = []
    for week in range(WEEKS):
        monday = FIRST_WEEK + timedelta(days=7 * week)
        rows = []
        for team, (first, second) in _pairs(company, monday).items():
            names = (company.people[who].name for who in (first, second))
            rows.append((company.teams[team].name, *names, monday, monday + timedelta(days=6)))
        tables.append(f"## Week of {monday}\n\n" + _table(("Team", "Primary", "Secondary", "From", "Until"), rows))
    return _page("On call", "2026-10-12", "The weeks run from Monday to Sunday, both included.", tables)


def _pairs(company: Company, monday: date) -> dict[str, tuple[str, str]]:
    if monday in ON_CALL:
        return {team: (first, second) for team, first, second in (words.split() for words in ON_CALL[monday].split(","))}
    return {team: _pair(company, team, monday) for team in company.teams}


def _pair(company: Company, team: str, monday: date) -> tuple[str, str]:
    ready = [
        p.short
        for p in company.people.values()
        if p.team == team
        and "ngineer" in p.title
        and "manager" not in p.title
        and (p.since or monday) <= monday
        and (p.until or date.max) > monday
    ]
    first, second = draw(f"oncall/{team}", str(monday)).sample(sorted(ready), 2)
    return first, second


def _page(title: str, reviewed: str, said: str, parts: Iterable[str]) -> str:
    facts = {"title": title, "kind": "registry", "maintainer": "Rosalind Achterberg", "last_reviewed": reviewed}
    head = "---\n" + "".join(f"{name}: {value}\n" for name, value in facts.items()) + f"---\n\n# {title}\n\n{said}\n\n"
    return head + "\n".join(parts)


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(str(cell) for cell in line)} |\n" for line in lines)
