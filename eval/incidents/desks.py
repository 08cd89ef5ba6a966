"""The company's desks: catalogue, registries, decisions, policies, runbooks, reports, alerts, tickets, flags."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

from eval.incidents.code import stamp
from eval.incidents.events import Alert, Deploy, Flag, Merge, Ticket, Timeline
from eval.incidents.plan import DAY, MINUTE, Org, instant

_COLUMNS = ("Summary", "Issue key", "Issue Type", "Status", "Project key", "Priority", "Resolution", "Assignee", "Reporter", "Created",
            "Updated", "Resolved", "Component/s", "Description")  # fmt: skip


def write(folder: Path, told: Timeline) -> None:
    """Writes everything but the code under `folder`. The merges must know their commits."""
    for path, text in _files(told):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    with (folder / "tickets.csv").open("w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(_COLUMNS)
        rows.writerows(_ticket(one, told.org) for one in reversed(told.tickets))


def alert_key(org: Org, alert: Alert) -> str:
    """The key of an alert."""
    return f"alert:{_fingerprint(org, alert)}"


def ticket_id(org: Org, ticket: Ticket) -> str:
    """What the desk calls a ticket."""
    return f"{org.title[:2].upper()}CHG-{ticket.number}"


def key(org: Org, made: Any) -> str:
    """The key of a change."""
    if isinstance(made, Merge):
        return f"pr:{org.name}/{made.repo}#{made.number}"
    if isinstance(made, Ticket):
        return f"ticket:{ticket_id(org, made)}"
    return f"deploy:flag/lines/{made.id}" if isinstance(made, Flag) else f"deploy:{made.id}"


def _files(told: Timeline) -> Iterator[tuple[str, str]]:
    yield "catalog/all.yaml", "---\n".join(yaml.safe_dump(one, sort_keys=False, allow_unicode=True) for one in _catalogue(told.org))
    yield "docs/registry/people.md", _people(told.org)
    yield "docs/registry/services.md", _services(told.org)
    yield "docs/registry/oncall.md", _oncall(told)
    yield from _documents(told.org)
    for raw in told.org.texts["past"]:
        yield f"incidents/{str(raw['start'])[:10]}-{raw['id'].lower()}.md", _report(raw, told)
    yield "alerts/alertmanager.jsonl", "".join(json.dumps(m) + "\n" for one in told.alerts for m in _messages(one, told.org))
    yield "flags/flags.jsonl", "".join(json.dumps(_flag(one)) + "\n" for one in told.flags)


# -- catalogue and registries ----------------------------------------------------------------


def _catalogue(org: Org) -> Iterator[dict[str, Any]]:
    head = {"apiVersion": "backstage.io/v1alpha1"}
    yield {**head, "kind": "Group", "metadata": {"name": org.name}, "spec": {"type": "organization", "children": list(org.teams)}}
    for team, name in org.teams.items():
        spec = {"type": "team", "profile": {"displayName": name}, "parent": org.name, "children": []}
        yield {**head, "kind": "Group", "metadata": {"name": team}, "spec": spec}
    for login, (name, team, _) in org.people.items():
        meta = {"name": login, "annotations": {"github.com/user-login": login}}
        spec = {"profile": {"displayName": name}, "memberOf": [] if login in org.left else [team]}
        yield {**head, "kind": "User", "metadata": meta, "spec": spec}
    for s in org.services.values():
        place = f"url:https://github.com/{org.name}/{s.repo}/tree/main/{s.folder}/"
        notes = {"github.com/project-slug": f"{org.name}/{s.repo}", "backstage.io/source-location": place}
        needs = {"dependsOn": [f"component:{n}" for n in s.needs]} if s.needs else {}
        spec = {"type": "service", "lifecycle": "production", "owner": f"group:default/{s.team}", **needs}
        yield {**head, "kind": "Component", "metadata": {"name": s.name, "description": s.about, "annotations": notes}, "spec": spec}


def _people(org: Org) -> str:
    since = "2021-04-01"
    rows = [(name, title, org.teams[team], login, since, org.left.get(login, "-")) for login, (name, team, title) in org.people.items()]
    return _page("People", "registry", {}, "Who is who.", ("Name", "Role", "Team", "GitHub", "From", "Until"), rows)


def _services(org: Org) -> str:
    rows = [(s.name, org.teams[s.team], org.people[s.lead][0], s.repo, ", ".join(s.needs) or "-") for s in org.services.values()]
    columns = ("Service", "Owner", "Technical lead", "Repository", "Depends on")
    return _page("Services", "registry", {}, "What runs and who answers for it.", columns, rows)


def _oncall(told: Timeline) -> str:
    org, rows = told.org, []
    monday = org.start - datetime.fromtimestamp(org.start, UTC).weekday() * DAY
    for week, start in enumerate(range(monday, told.end, 7 * DAY)):
        days = [f"{datetime.fromtimestamp(t, UTC):%Y-%m-%d}" for t in (start, start + 6 * DAY)]
        for n, (team, name) in enumerate(org.teams.items()):
            here = org.members(team, start + 7 * DAY)
            if team not in org.without_rota:
                rows.append((name, *(org.people[here[(week + n + m) % len(here)]][0] for m in (0, 1)), *days))
    columns = ("Team", "Primary", "Secondary", "From", "Until")
    return _page("On call", "registry", {}, "From Monday to Sunday, both included.", columns, rows)


def _page(title: str, kind: str, facts: dict[str, Any], text: str, columns: tuple[str, ...] = (), rows: Any = ()) -> str:
    head = yaml.safe_dump({"title": title, "kind": kind, **facts}, sort_keys=False, allow_unicode=True)
    lines = [f"| {' | '.join(row)} |" for row in ([columns, tuple("---" for _ in columns), *rows] if columns else ())]
    return f"---\n{head}---\n\n# {title}\n\n{text}\n" + ("\n" + "\n".join(lines) + "\n" if lines else "")


# -- documents ---------------------------------------------------------------------------------


def _documents(org: Org) -> Iterator[tuple[str, str]]:
    for number, title, day, people, on, context, decision, after in org.texts["decisions"]:
        who = ", ".join(org.people[p][0] for p in people)
        slug = "-".join(title.lower().split())[:50]
        parts = [f"# {number}. {title}", f"Date: {day}", "## Status", "Accepted", f"Deciders: {who}", f"Applies to: {', '.join(on)}",
                 "## Context", context, "## Decision", decision, "## Consequences", after]  # fmt: skip
        head = yaml.safe_dump({"applies_to": on}, default_flow_style=None)
        yield f"docs/adr/{number:04d}-{slug}.md", f"---\n{head}---\n\n" + "\n\n".join(parts) + "\n"
    for name, title, text, rules in org.texts["policies"]:
        rows = [(rule, value, org.teams[of], "", str(since), "", "") for rule, value, of, since in rules]
        columns = ("Rule", "Value", "Applies to", "Conditions", "From", "Until", "Replaces")
        yield f"docs/policies/{name}.md", _page(title, "policy", {}, text, columns, rows)
    for name, title, team, maintainer, on, alert, text in org.texts["runbooks"]:
        facts = {"owner": org.teams[team], "maintainer": org.people[maintainer][0], "applies_to": on}
        yield f"docs/runbooks/{name}.md", _page(title, "runbook", facts, f"Alert: `{alert}`.\n\n{text}")


def _report(raw: dict[str, Any], told: Timeline) -> str:
    """What somebody wrote down after an incident of before."""
    org, start = told.org, instant(raw["start"])
    facts = {
        "id": raw["id"], "title": raw["title"], "severity": raw["severity"], "start": stamp(start),
        "end": stamp(start + raw["minutes"] * MINUTE), "services": [raw["service"]], "lead": org.people[raw["by"]][0],
    }  # fmt: skip
    story = raw["story"]
    if raw["id"] in told.past:
        made, back = told.past[raw["id"]]
        facts |= {"cause": _said(org, made), "fix": _said(org, back)}
        brought = made.merge if isinstance(made, Deploy) else made
        story = story.format(pr=f"{org.name}/{brought.repo}#{brought.number}" if isinstance(brought, Merge) else _said(org, brought))
    after = {"recorded": f"{datetime.fromtimestamp(start, UTC) + timedelta(days=1):%Y-%m-%d}"}
    head = yaml.safe_dump({**facts, **after}, sort_keys=False, allow_unicode=True)
    parts = [f"# {raw['title']}", "## Impact", raw["impact"], "## Root cause", story, "## Resolution", raw["fixed"], "## Action items"]
    return f"---\n{head}---\n\n" + "\n\n".join([*parts, "\n".join(f"- {item}" for item in raw["items"])]) + "\n"


def _said(org: Org, made: Any) -> str:
    return key(org, made).partition(":")[2]


# -- alerts, tickets, flags ----------------------------------------------------------------------


def _fingerprint(org: Org, alert: Alert) -> str:
    return hashlib.sha256(f"{org.name}/{alert.id}/{alert.at}".encode()).hexdigest()[:16]


def _messages(alert: Alert, org: Org) -> Iterator[dict[str, Any]]:
    team = org.services[alert.service].team
    labels = {"alertname": alert.name, "service": alert.service, "severity": alert.severity, "team": team}
    notes = {"summary": alert.summary, **({"description": alert.description} if alert.description else {})}
    for status, ends in (("firing", "0001-01-01T00:00:00Z"), ("resolved", stamp(alert.ended))):
        one = {
            "status": status, "labels": labels, "annotations": notes, "startsAt": stamp(alert.at), "endsAt": ends,
            "generatorURL": f"https://metrics.{org.name}.example/graph", "fingerprint": _fingerprint(org, alert),
        }  # fmt: skip
        yield {
            "receiver": team, "status": status, "alerts": [one], "groupLabels": {"alertname": alert.name}, "commonLabels": labels,
            "commonAnnotations": notes, "externalURL": f"https://alerts.{org.name}.example", "version": "4",
            "groupKey": f"{{}}:{{alertname=\"{alert.name}\"}}", "truncatedAlerts": 0,
        }  # fmt: skip


def _ticket(t: Ticket, org: Org) -> list[str]:
    def day(at: int | None) -> str:
        return f"{datetime.fromtimestamp(at, UTC):%d/%b/%y %I:%M %p}" if at else ""

    who, id_ = org.people[t.by][0], ticket_id(org, t)
    return [t.title, id_, t.kind, t.state, id_.partition("-")[0], "Medium", "Done" if t.closed else "", who, who, day(t.at),
            day(t.closed or t.at), day(t.closed), t.service, t.body]  # fmt: skip


def _flag(f: Flag) -> dict[str, Any]:
    before, after = ("off", "on") if f.action == "enabled" else ("on", "off")
    return {"id": f.id, "flag": f.name, "service": f.service, "environment": "production", "at": stamp(f.at), "by": f.by,
            "action": f.action, "from": before, "to": after, "description": f.said}  # fmt: skip
