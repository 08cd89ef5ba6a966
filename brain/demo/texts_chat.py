"""The chat of sixty days as a Slack export: what a story needs is written by hand, claims of tickets follow the tickets,
small talk is drawn from a pool.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

from brain.demo.company import Channel, Company
from brain.demo.play import draw
from brain.demo.story import StoryError
from brain.demo.texts_tickets import BOARDS, SITES, Ticket

FIRST, LAST = date(2026, 8, 17), date(2026, 10, 15)
CLAIMED = 34
HANDLES = {"kasia": "kasia", "owen": "owen.p", "opritch": "opritchard"}
SHOWN = {"kasia": "Kasia N."}
_HEAD = re.compile(r"== (\S+) (\d{4}-\d\d-\d\d)")
_LINE = re.compile(r"(> )?(\d\d:\d\d) (\w+): (.+?)( \(edited\))?")


@dataclass(frozen=True)
class Said:
    """One message; `thread` is the moment of the message it answers, None at the top. `bot` names a program."""

    channel: str
    at: datetime
    who: str
    text: str
    thread: datetime | None = None
    edited: bool = False
    kind: str = ""
    bot: str = ""


def write(folder: Path, company: Company, tickets: Sequence[Ticket], scripts: Path) -> Counter[str]:
    """Writes the export."""
    said = [
        *_read(scripts / "key.chat", company),
        *_claims(company, tickets),
        *_small_talk(company, scripts / "chatter.yaml"),
        *_joins(company),
    ]
    said = _apart(said)
    folder.mkdir(parents=True, exist_ok=True)
    _save(folder / "users.json", [_user(company, p.short) for p in company.people.values() if not p.bot])
    for name, private in (("channels.json", False), ("groups.json", True)):
        _save(folder / name, [_channel(company, c) for c in company.channels.values() if c.private == private])
    days: defaultdict[tuple[str, date], list[Said]] = defaultdict(list)
    for one in said:
        days[one.channel, one.at.date()].append(one)
    answers: defaultdict[tuple[str, datetime | None], list[Said]] = defaultdict(list)
    for one in said:
        if one.thread:
            answers[one.channel, one.thread].append(one)
    for (channel, day), lines in sorted(days.items()):
        (folder / channel).mkdir(exist_ok=True)
        _save(
            folder / channel / f"{day}.json",
            [_message(company, one, answers[channel, one.at]) for one in sorted(lines, key=lambda s: s.at)],
        )
    return Counter(channels=len(company.channels), messages=sum(not s.kind for s in said))


def _save(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")


def _read(path: Path, company: Company) -> Iterator[Said]:
    channel, day, top = "", date.min, None
    for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        head, found = _HEAD.fullmatch(line), _LINE.fullmatch(line)
        if line.startswith("#"):
            continue
        if head and head[1] in company.channels:
            channel, day, top = head[1], date.fromisoformat(head[2]), None
        elif found and found[3] in company.people:
            hour, minute = map(int, found[2].split(":"))
            at = datetime(day.year, day.month, day.day, hour, minute, 11, tzinfo=UTC)
            top = top if found[1] else at
            yield Said(channel, at, found[3], found[4], top if found[1] else None, bool(found[5]))
        else:
            raise StoryError(f"{path.name}:{n}: cannot read {line!r}, or it names a channel or person that is not in company.yaml")


def _claims(company: Company, tickets: Sequence[Ticket]) -> Iterator[Said]:
    """People say that they take a ticket, hand it over, have fixed or checked it."""
    recent = [
        t for t in tickets if t.created.date() >= FIRST and t.assignee and t.closed and t.kind != "Change" and not t.body.startswith("From")
    ]
    recent = [t for t in recent if t.notes and len(t.notes) == 1]
    for t in sorted(recent, key=lambda t: draw(t.id, "claimed").random())[:CLAIMED]:
        dice = draw(t.id, "claim")
        team = company.services[t.service].team
        channel = team if team in company.channels and t.assignee in company.channels[team].members else "incidents"
        channel = "duty-desk" if t.assignee in company.channels["duty-desk"].members else channel
        assert t.closed is not None
        at = t.created + timedelta(minutes=dice.randint(12, 170), seconds=dice.randint(1, 58))
        helper = dice.choice([m for m in company.channels[channel].members if m != t.assignee])
        if dice.random() < 0.25:
            yield Said(
                channel,
                at,
                helper,
                dice.choice((f"@{t.assignee} can you take {t.id}? I am on the road.", f"handing {t.id} to @{t.assignee}, I have no key")),
            )
            yield Said(channel, at + timedelta(minutes=6), t.assignee, dice.choice(("yes, taking it", f"ok, {t.id} is mine now")), at)
        else:
            yield Said(channel, at, t.assignee, dice.choice((f"taking {t.id}", f"I'll take {t.id}", f"{t.id} is mine", f"on it: {t.id}")))
        words = t.notes[0][2][0].lower() + t.notes[0][2][1:]
        if dice.random() < 0.7:
            yield Said(
                channel, t.closed + timedelta(minutes=3), t.assignee, dice.choice((f"fixed {t.id}: {words}", f"{t.id} is fixed, {words}"))
            )
        if dice.random() < 0.3:
            yield Said(channel, t.closed + timedelta(minutes=50), helper, f"verified {t.id}, looks good here")


def _small_talk(company: Company, pool: Path) -> Iterator[Said]:
    talk: Mapping[str, Sequence[Sequence[str]]] = yaml.safe_load(pool.read_text(encoding="utf-8"))
    for offset in range((LAST - FIRST).days + 1):
        day = FIRST + timedelta(days=offset)
        for channel, openings in talk.items():
            dice = draw(f"talk/{channel}", str(day))
            if dice.random() > (0.5 if day.weekday() < 5 else 0.12):
                continue
            slots = {"site": dice.choice(SITES), "board": dice.choice(BOARDS), "n": dice.randint(2, 28)}
            people = [m for m in company.channels[channel].members if (company.people[m].until or date.max) > day]
            people = [m for m in people if (company.people[m].since or day) <= day]
            at = datetime(day.year, day.month, day.day, dice.randint(7, 15), dice.randint(0, 59), dice.randint(0, 59), tzinfo=UTC)
            who = dice.sample(people, 3)
            for n, words in enumerate(dice.choice(openings)):
                when = at + timedelta(minutes=7 * n)
                yield Said(channel, when, who[n % 3], words.format(**slots), at if n else None, n == 0 and dice.random() < 0.06)


def _joins(company: Company) -> Iterator[Said]:
    """Lines that are no conversation: joins, a topic, and programs that speak."""
    yield Said("incidents", datetime(2026, 9, 1, 8, 0, 5, tzinfo=UTC), "lachlan", "<@U> has joined the channel", kind="channel_join")
    yield Said("platform", datetime(2026, 8, 24, 8, 1, 9, tzinfo=UTC), "casimir", "<@U> has joined the channel", kind="channel_join")
    yield Said(
        "boards",
        datetime(2026, 8, 18, 9, 0, 2, tzinfo=UTC),
        "tamsin",
        "<@U> set the channel topic: Portal, maps, invoices",
        kind="channel_topic",
    )
    for at, words in (
        (datetime(2026, 9, 22, 21, 17, 20, tzinfo=UTC), "[FIRING] PortalSessionsDropped board-portal critical"),
        (datetime(2026, 10, 14, 2, 41, 20, tzinfo=UTC), "[FIRING] ThresholdEvaluationLag threshold-watch critical"),
    ):
        yield Said("incidents", at, "", words, kind="bot_message", bot="alertmanager")


def _apart(said: Sequence[Said]) -> list[Said]:
    """No two messages of a channel at one second; who answers a moved one moves with it."""
    taken: set[tuple[str, datetime]] = set()
    moved: dict[tuple[str, datetime], datetime] = {}
    found = []
    for one in sorted(said, key=lambda s: (s.channel, s.at, s.thread is not None, s.who, s.text)):
        at = one.at
        while (one.channel, at) in taken:
            at += timedelta(seconds=1)
        taken.add((one.channel, at))
        moved.setdefault((one.channel, one.at), at)
        found.append(replace(one, at=at, thread=moved.get((one.channel, one.thread), one.thread) if one.thread else None))
    return found


# -- how Slack writes it -------------------------------------------------------------------


def _ts(at: datetime) -> str:
    return f"{int(at.timestamp())}.{int(draw(str(at), 'ts').random() * 900000) + 1000:06d}"


def _user(company: Company, who: str) -> dict[str, Any]:
    p = company.people[who]
    shown = SHOWN.get(who, p.name)
    gone = bool(p.until and p.until < LAST)
    handle = HANDLES.get(who, p.login)
    return {
        "id": p.slack,
        "team_id": "T0MEREFOLD",
        "name": handle,
        "deleted": gone,
        "real_name": shown,
        "is_bot": False,
        "is_app_user": False,
        "profile": {"real_name": shown, "display_name": handle, "title": p.title},
    }


def _channel(company: Company, c: Channel) -> dict[str, Any]:
    return {
        "id": c.id,
        "name": c.name,
        "created": 1743400000,
        "creator": company.people["isadora"].slack,
        "is_archived": False,
        "is_general": c.name == "general",
        "members": [company.people[m].slack for m in c.members],
        "topic": {"value": c.topic},
        "purpose": {"value": ""},
    }


def _marked(company: Company, text: str, who: str) -> str:
    """Mentions, channels and addresses as Slack keeps them."""
    text = text.replace("<@U>", f"<@{company.people[who].slack}>") if who else text
    text = re.sub(r"@(\w+)", lambda m: f"<@{company.people[m[1]].slack}>" if m[1] in company.people else m[0], text)
    text = re.sub(r"#([a-z][a-z-]+)\b", lambda m: f"<#{company.channels[m[1]].id}|{m[1]}>" if m[1] in company.channels else m[0], text)
    url = r"https://github.com/merefold/\1/pull/\2"
    return re.sub(r"\bmerefold/([\w-]+)#(\d+)", rf"<{url}|merefold/\1#\2>", text)


def _message(company: Company, one: Said, answers: Sequence[Said]) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "message", "ts": _ts(one.at), "text": _marked(company, one.text, one.who)}
    if one.bot:
        made |= {"subtype": one.kind, "bot_id": "B07MFALERT", "username": one.bot}
    else:
        made |= {"user": company.people[one.who].slack, "team": "T0MEREFOLD", **({"subtype": one.kind} if one.kind else {})}
    if one.edited:
        made["edited"] = {"user": made["user"], "ts": _ts(one.at + timedelta(minutes=2))}
    if one.thread:
        made["thread_ts"] = _ts(one.thread)
    elif answers:
        users = list(dict.fromkeys(company.people[a.who].slack for a in answers))
        made |= {
            "thread_ts": made["ts"],
            "reply_count": len(answers),
            "reply_users": users,
            "replies": [{"user": company.people[a.who].slack, "ts": _ts(a.at)} for a in answers],
        }
    return made
