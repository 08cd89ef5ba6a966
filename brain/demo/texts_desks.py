"""Tickets as the two systems export them: Jira's CSV with its repeated headers, and a line of JSON a request."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from brain.demo.company import Company
from brain.demo.texts_tickets import Ticket


def write(folder: Path, found: Sequence[Ticket], company: Company) -> Counter[str]:
    """Writes jira.csv and support.jsonl."""
    folder.mkdir(parents=True, exist_ok=True)
    ops = [t for t in found if t.system == "OPS"]
    most = max(len(t.notes) for t in ops)
    head = [
        "Summary",
        "Issue key",
        "Issue id",
        "Issue Type",
        "Status",
        "Project key",
        "Project name",
        "Priority",
        "Resolution",
        "Assignee",
        "Reporter",
        "Created",
        "Updated",
        "Resolved",
        "Component/s",
        "Labels",
        "Labels",
        "Description",
        *["Comment"] * most,
    ]
    with (folder / "jira.csv").open("w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(head)
        rows.writerows(_jira(t, company, most) for t in reversed(ops))
    lines = [json.dumps(_zendesk(t, company), ensure_ascii=False) + "\n" for t in found if t.system == "FLD"]
    (folder / "support.jsonl").write_text("".join(lines), encoding="utf-8", newline="\n")
    return Counter(tickets=len(found))


def _name(company: Company, who: str) -> str:
    return company.people[who].name if who else ""


def _jira_time(at: datetime | None) -> str:
    return f"{at:%d/%b/%y} {at.hour % 12 or 12}:{at:%M %p}" if at else ""


def _jira(t: Ticket, company: Company, most: int) -> list[str]:
    notes = [f"{_jira_time(at)};{_name(company, who)};{words}" for at, who, words in t.notes]
    updated = max([t.created, *(at for at, _, _ in t.notes), *([t.closed] if t.closed else [])])
    labels = [*t.labels, "", ""][:2]
    return [
        t.title,
        t.id,
        str(20000 + int(t.id[4:])),
        t.kind,
        t.status,
        "OPS",
        "Operations",
        t.priority,
        "Done" if t.closed else "",
        _name(company, t.assignee),
        _name(company, t.reporter),
        _jira_time(t.created),
        _jira_time(updated),
        _jira_time(t.closed),
        t.service,
        *labels,
        t.body,
        *notes,
        *[""] * (most - len(notes)),
    ]


def _zendesk(t: Ticket, company: Company) -> dict[str, object]:
    login = {who: company.people[who].login for who in {t.assignee, t.reporter, *(w for _, w, _ in t.notes)} if who}
    updated = max([t.created, *(at for at, _, _ in t.notes), *([t.closed] if t.closed else [])])
    return {
        "id": t.id,
        "subject": t.title,
        "type": t.kind,
        "status": t.status,
        "priority": t.priority,
        "created_at": f"{t.created:%Y-%m-%dT%H:%M:%SZ}",
        "updated_at": f"{updated:%Y-%m-%dT%H:%M:%SZ}",
        "solved_at": f"{t.closed:%Y-%m-%dT%H:%M:%SZ}" if t.closed else None,
        "requester": login[t.reporter],
        "assignee": login.get(t.assignee),
        "tags": [t.service],
        "description": t.body,
        "comments": [{"author": login[who], "created_at": f"{at:%Y-%m-%dT%H:%M:%SZ}", "body": words} for at, who, words in t.notes],
    }
