"""What an ordinary week brings, where it cannot be mistaken for a part of the script."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import yaml

from eval.incidents.events import Alert, Deploy, Flag, Merge, Ticket, Timeline
from eval.incidents.plan import DAY, HERE, HOUR, MINUTE, instant

LOCK = {"go": "go.sum", "py": "uv.lock", "rs": "Cargo.lock", "ts": "pnpm-lock.yaml"}


class Weeks:
    """Fills a timeline that holds the script already; the same for the same seed."""

    def __init__(self, told: Timeline, seed: int) -> None:
        self.told, self.org, self.seed = told, told.org, seed
        self.pool = yaml.safe_load((HERE / "chores.yaml").read_text(encoding="utf-8"))
        self.shut = list(self._shut())

    def fill(self) -> None:
        """Adds roll-outs of every service, and what people file, flip and are called for by day."""
        for n, (name, service) in enumerate(self.org.services.items()):
            if name not in self.org.unrecorded:
                self.told.deploys.append(Deploy(name, self.org.start + 10 * HOUR + n * MINUTE, service.lead))
            self._rollouts(name, Random(f"{self.seed}/{name}"))
        dice = Random(f"{self.seed}/days")
        for day in range(self.org.start, self.told.end - DAY, DAY):
            self._day(day, dice)

    def _shut(self) -> Iterator[tuple[str, int, int]]:
        """Where and when nothing of an ordinary week happens: around an alert on what alerted and on what the script changed, and
        where nothing is behind it, on all that it needs.
        """
        for case in self.told.cases:
            names = {case.service, *(c.service for c in case.changes), *(self.org.hops(case.service) if case.quiet else ())}
            first = min([case.at, *(c.at for c in case.changes if c.role == "cause")])
            yield from ((name, first - 30 * HOUR, case.at + 4 * HOUR) for name in sorted(names))
        for one in self.org.texts["past"]:
            at = instant(one["start"])
            yield from ((name, at - 30 * HOUR, at + 8 * HOUR) for name in sorted(self.org.hops(one["service"])))

    def _free(self, name: str, at: int) -> bool:
        return self.org.start < at < self.told.end - 6 * HOUR and not any(n == name and a <= at <= b for n, a, b in self.shut)

    def _rollouts(self, name: str, dice: Random) -> None:
        """Every five to fifteen days: one to three merges, perhaps a look on staging, and out."""
        at = self.org.start + dice.randint(1, 9) * DAY
        while at < self.told.end:
            day = at - at % DAY + dice.choice((1, 5, 8, 9, 10, 11, 13, 14, 15, 16)) * HOUR + dice.randint(0, 59) * MINUTE
            who = dice.choice(self.org.members(self.org.services[name].team, day))
            merged = [day - dice.randint(20, 2400) * MINUTE for _ in range(dice.randint(1, 3))]
            if all(self._free(name, t) for t in (day, *merged)):
                for t in sorted(merged):
                    self._merge(name, t, dice)
                if name not in self.org.unrecorded:
                    self._out(name, day, who, dice)
            at += dice.randint(5, 15) * DAY

    def _out(self, name: str, at: int, who: str, dice: Random) -> None:
        if dice.random() < 0.25:
            self.told.deploys.append(Deploy(name, at - 15 * MINUTE, who, env="staging"))
        if dice.random() < 0.08:
            self.told.deploys.append(Deploy(name, at - 9 * MINUTE, who, status="failure"))
        self.told.deploys.append(Deploy(name, at, who))

    def _merge(self, name: str, at: int, dice: Random) -> None:
        service = self.org.services[name]
        title, body, stems = dice.choice(self.pool["merges"])
        team = self.org.members(service.team, at)
        author = dice.choice(team)
        files = tuple(_path(service.folder, stem, self.org.repos[service.repo]) for stem in stems)
        reviewer = dice.choice([p for p in team if p != author])
        n = dice.randint(2, 40)
        self.told.merges.append(Merge(service.repo, name, at, title.format(n=n), body.format(n=n), files, author, reviewer))

    def _day(self, day: int, dice: Random) -> None:
        names = list(self.org.services)
        at = day + dice.randint(0, 23) * HOUR + dice.randint(0, 59) * MINUTE
        name, n = dice.choice(names), dice.randint(2, 95)
        who = dice.choice(self.org.members(self.org.services[name].team, at))
        if dice.random() < 0.5:
            kind, severity, summary, text = dice.choice(self.pool["alerts"])
            told = [t.format(thing=name, n=n) for t in (summary, text)]
            self.told.alerts.append(Alert(f"noise-{at}", name, at, at + dice.randint(3, 40) * MINUTE, kind, severity, *told))
        if dice.random() < 0.7:
            kind, title, body, state = dice.choice(self.pool["tickets"])
            closed = at + dice.randint(1, 60) * HOUR if state == "Done" else None
            self.told.tickets.append(Ticket(name, at, kind, title.format(thing=name, n=n), body, who, state, closed))
        other, when = dice.choice(names), at + dice.randint(-5, 5) * HOUR
        if dice.random() < 0.3 and self._free(other, when):
            self._change(other, when, dice, n)

    def _change(self, name: str, at: int, dice: Random, n: int) -> None:
        who = dice.choice(self.org.members(self.org.services[name].team, at))
        flag, said = dice.choice(self.pool["flags"])
        if dice.random() < 0.6:
            self.told.flags.append(Flag(name, at, f"{flag}-{name}", dice.choice(("enabled", "disabled")), who, said))
        else:
            title = f"Change: keep the logs of {name} for {n} days"
            self.told.tickets.append(Ticket(name, at - 5 * HOUR, "Change", title, "Storage is cheap now.", who, "Done", at))


def _path(folder: str, stem: str, language: str) -> str:
    if stem == "lock":
        return f"{folder}/{LOCK[language]}"
    if stem == "docs":
        return f"{folder}/docs/laptop.md"
    if stem == "locale":
        return f"{folder}/locales/pl.json"
    return f"{folder}/tests/test_order.{language}" if stem == "test" else f"{folder}/{stem}.{language}"
