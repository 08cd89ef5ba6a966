"""Everything that happens in the invented company, in order: merges, deployments, flags, tickets, alerts. The script's own
changes first, then what an ordinary week brings, where it cannot be mistaken for a part of the script.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eval.incidents.events import PRODUCTION, Alert, Deploy, Flag, Merge, Ticket, Timeline
from eval.incidents.plan import DAY, HOUR, MINUTE, Case, Change, Org, change, instant
from eval.incidents.weeks import Weeks


def timeline(org: Org, cases: Sequence[Case], seed: int) -> Timeline:
    """Everything, numbered and in order; the same for the same script and seed."""
    told = Timeline(org, cases, max(c.at for c in cases) + DAY)
    script = _Script(told)
    for one in org.texts["past"]:
        script.past(one)
    for case in cases:
        script.case(case)
    Weeks(told, seed).fill()
    _number(told)
    return told


def reverted(title: str) -> str:
    """What taking a change back is called."""
    return f"Revert \"{title}\""


class _Script:
    def __init__(self, told: Timeline) -> None:
        self.told, self.org = told, told.org

    def case(self, case: Case) -> None:
        name, severity, summary, description = case.alert
        ended = case.at + case.minutes * MINUTE
        self.told.alerts.append(Alert(case.id, case.service, case.at, ended, name, severity, summary, description))
        for n, one in enumerate(case.changes):
            made = self.told.made[case.id, n] = self.change(one)
            if one.role == "cause":
                self.back(made, ended - 6 * MINUTE)
            self.settled(one, case.at)

    def settled(self, c: Change, at: int) -> None:
        """What was taken back is taken out of the code too, and what was kept back goes out the day after, so that no later deployment
        brings either of them unawares.
        """
        taken = c.kind == "deploy" and (c.role == "cause" or c.herring == "rolled_back")
        if taken:
            brought = next(m for m in self.told.merges if m.title == c.raw["title"] and m.at < c.at)
            self.back(brought, at + 3 * HOUR)
        if taken or c.herring in ("failed", "staging"):
            self._kept(self.told.deploys, Deploy(c.service, at + 20 * HOUR, self.org.services[c.service].lead))

    def past(self, raw: dict[str, Any]) -> None:
        at = instant(raw["start"])
        if "cause" in raw:
            cause = change(raw["cause"], at)
            made = self.change(cause)
            self.settled(cause, at)
            self.told.past[raw["id"]] = (made, self.back(made, at + (raw["minutes"] - 5) * MINUTE))

    def change(self, c: Change) -> Any:
        who = c.raw.get("by") or self.org.services[c.service].lead
        if c.kind == "flag":
            return self._kept(self.told.flags, Flag(c.service, c.at, c.raw["name"], c.raw["action"], who, c.raw["body"]))
        if c.kind == "ticket":
            ticket = Ticket(c.service, c.at - 3 * HOUR, "Change", c.raw["title"], c.raw["body"], who, "Done", c.at)
            return self._kept(self.told.tickets, ticket)
        if c.kind == "merge":
            return self.merge(c, c.at, who)
        return self.deploy(c, who)

    def deploy(self, c: Change, who: str) -> Deploy:
        """The deployment, the merge it brings, and what the script says happened to both."""
        earlier = 2 * DAY if "healthy" in c.raw else 0
        if not c.raw.get("same_version"):
            self.merge(c, c.at - earlier - (25 + len(c.raw["title"]) % 40) * MINUTE, who)
        if earlier:
            self._kept(self.told.deploys, Deploy(c.service, c.at - earlier, who, env=c.raw["healthy"]))
        again = bool(c.raw.get("same_version"))
        made = Deploy(c.service, c.at, who, c.raw.get("env", PRODUCTION), c.raw.get("status", "success"), again, said=c.raw.get("said", ""))
        self._kept(self.told.deploys, made)
        if "back" in c.raw:
            self.back(made, c.at + (int(c.raw["before"]) - int(c.raw["back"])) * MINUTE)
        return made

    def merge(self, c: Change, at: int, who: str) -> Merge:
        others = [p for p in self.org.members(self.org.services[c.service].team, at) if p != who]
        files = tuple(c.raw["files"])
        repo = self.org.services[c.service].repo
        return self._kept(self.told.merges, Merge(repo, c.service, at, c.raw["title"], c.raw["body"], files, who, others[0]))

    def back(self, made: Any, at: int) -> Any:
        """What takes a change back."""
        if isinstance(made, Flag):
            action = "disabled" if made.action == "enabled" else "enabled"
            return self._kept(self.told.flags, Flag(made.service, at, made.name, action, made.by, "Back as it was."))
        if isinstance(made, Ticket):
            ticket = Ticket(made.service, at - 20 * MINUTE, "Change", f"Take back: {made.title}", "As it was before.", made.by, "Done", at)
            return self._kept(self.told.tickets, ticket)
        if isinstance(made, Merge):
            taken = Merge(made.repo, made.service, at, reverted(made.title), "", made.files, made.reviewer, made.author)
            return self._kept(self.told.merges, taken)
        return self._kept(self.told.deploys, Deploy(made.service, at, made.by, made.env, back=made.id))

    @staticmethod
    def _kept(where: list[Any], one: Any) -> Any:
        where.append(one)
        return one


def _number(told: Timeline) -> None:
    """Puts everything in order, counts pull requests and tickets, and says what each deployment brought."""
    for events in (told.merges, told.deploys, told.flags, told.tickets, told.alerts):
        events.sort(key=lambda x: (x.at, x.service))
    counts: dict[str, int] = {}
    for merge in told.merges:
        merge.number = counts[merge.repo] = counts.get(merge.repo, 0) + 1
    for number, ticket in enumerate(told.tickets, 1):
        ticket.number = number
    out: dict[tuple[str, str], list[Deploy]] = {}
    for deploy in told.deploys:
        _brings(deploy, out.setdefault((deploy.service, deploy.env), []), told)


def _brings(deploy: Deploy, before: list[Deploy], told: Timeline) -> None:
    merged = [m for m in told.merges if m.service == deploy.service and m.at < deploy.at]
    good = [d for d in before if d.status == "success"]
    if deploy.back:
        at = next((n for n, d in enumerate(good) if d.id == deploy.back), 0)
        deploy.merge = good[at - 1].merge if at else (merged[-2] if len(merged) > 1 else None)
    elif deploy.again and good:
        deploy.merge = good[-1].merge
    else:
        deploy.merge = merged[-1] if merged else None
    deploy.version = f"v1.{deploy.merge.number}.0" if deploy.merge else "v1.0.0"
    before.append(deploy)
