"""Grows a repository around what was written by hand: script/<repo>.repo.yaml says what there is and who works on it,
script/moves.yaml what people do to such things. Seeded; no two changes of a repository are the same.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

from brain.demo.company import Company
from brain.demo.play import draw
from brain.demo.story import Item, Said, StoryError, Verb

_REPORTERS = dict.fromkeys(("eunice", "jonas", "wren", "kofi", "marcellus", "abigail", "noor"), 2)
_MANIFEST = {"Go": "go.mod", "Python": "pyproject.toml", "TypeScript": "package.json"}
_ALMOST_NOW = timedelta(days=2)


@dataclass(frozen=True)
class Thing:
    """Something that changes are made to, with the weights of who makes them."""

    name: str
    kind: str
    file: str
    labels: tuple[str, ...]
    owners: Mapping[str, Any]


@dataclass
class _Wish:
    """An issue that waits for its change."""

    number: int
    thing: Thing
    move: Mapping[str, Any]
    due: int


@dataclass
class Growth:
    """One repository while its numbers are filled."""

    repo: str
    plan: Mapping[str, Any]
    moves: Mapping[str, Any]
    company: Company
    bodies: set[str]
    wishes: list[_Wish] = field(default_factory=list)
    done: set[tuple[str, str]] = field(default_factory=set)
    things: list[Thing] = field(default_factory=list)

    def __post_init__(self) -> None:
        for area in self.plan["areas"]:
            labels = tuple(dict.fromkeys([*self.plan["labels"], area.get("label", self.plan["labels"][0])]))
            self.things += [Thing(**thing, labels=labels, owners=area["owners"]) for thing in area["things"]]

    def items(self, written: list[Item]) -> list[Item]:
        """The items of the repository: the first files, then each number once, written or grown, then the releases."""
        fixed = {item.number: item for item in written}
        days = _days(self.plan["tree"]["day"], self.plan["numbers"], fixed, self.company.as_of.date())
        numbered: list[Item] = []
        for number, day in enumerate(days, start=1):
            numbered.append(fixed.get(number) or self._grown(number, day))
        numbered = list(_settled(numbered))
        return [self._tree(), *numbered, *self._releases(numbered)]

    def _tree(self) -> Item:
        tree = self.plan["tree"]
        files = " ".join([tree["files"], *(thing.file for thing in self.things)])
        return Item(self.repo, "tree", tree["who"], tree["day"], tree["title"], meta={"files": files}, where=f"{self.repo}.repo.yaml")

    def _grown(self, number: int, day: date) -> Item:
        dice = draw(f"{self.repo}#{number}", "grow")
        due = next((wish for wish in self.wishes if wish.due <= number), None)
        if due:
            self.wishes.remove(due)
            return self._change(number, day, dice, due.thing, due.move, due)
        roll = dice.random()
        if roll < 0.05:
            return self._bump(number, day, dice)
        thing, move = self._choice(dice, wished=roll < 0.24)
        if "issue" in move and roll < 0.24:
            return self._issue(number, day, dice, thing, move)
        return self._change(number, day, dice, thing, move, None)

    def _choice(self, dice: random.Random, wished: bool) -> tuple[Thing, Mapping[str, Any]]:
        """A thing and something that nobody has done to it yet."""
        free = [
            (thing, move)
            for thing in self.things
            for move in self.moves[thing.kind]
            if (thing.name, move["title"]) not in self.done and (not wished or "issue" in move)
        ]
        if not free:
            return self._choice(dice, wished=False) if wished else _nothing_left(self.repo)
        thing, move = dice.choice(free)
        self.done.add((thing.name, move["title"]))
        return thing, move

    def _who(self, weights: Mapping[str, Any], day: date, dice: random.Random, without: tuple[str, ...] = ()) -> str:
        """Somebody by weight who works there on that day; a weight may be a list with the days it holds."""
        found = {}
        for who, weight in weights.items():
            count, since, until = weight if isinstance(weight, list) else (weight, "2000-01-01", "2999-01-01")
            works = date.fromisoformat(str(since)) <= day <= date.fromisoformat(str(until)) and self.company.there(who, day)
            if works and who not in without:
                found[who] = count
        if not found:
            raise StoryError(f"{self.repo}.repo.yaml: nobody for {day} among {', '.join(weights)}")
        return dice.choices(list(found), weights=list(found.values()))[0]

    def _words(self, text: str, thing: Thing, dice: random.Random) -> str:
        return text.format(
            thing=thing.name, Thing=thing.name[0].upper() + thing.name[1:],
            site=dice.choice(self.moves["sites"]), board=dice.choice(self.moves["boards"]),
            few=dice.randint(2, 9), some=dice.randint(11, 94), many=dice.randint(120, 980), ms=10 * dice.randint(4, 92),
        )  # fmt: skip

    def _told(self, move: Mapping[str, Any], parts: tuple[str, ...], thing: Thing, dice: random.Random) -> str:
        """What a text says, in words that no other text of the demo has; the last resort is to name the file."""
        for attempt in range(40):
            said = [self._words(dice.choice(move[part]), thing, dice) for part in parts]
            body = " ".join(said[:2]) + (f"\n\n{said[2]}" if said[2:] else "")
            body = body if attempt < 30 else f"{body} It is all in {thing.file}."
            if body not in self.bodies:
                self.bodies.add(body)
                return body
        raise StoryError(f"moves.yaml: {move['title']!r} has too few ways to say it")

    def _issue(self, number: int, day: date, dice: random.Random, thing: Thing, move: Mapping[str, Any]) -> Item:
        who = self._who({**thing.owners, **_REPORTERS}, day, dice)
        body = self._told(move, ("report",), thing, dice)
        told = dice.sample(self.moves["remarks"]["talk"], dice.randint(0, 2))
        talk = tuple(Said(self._who(thing.owners, day, dice, (who,)), "comment", self._words(text, thing, dice)) for text in told)
        if dice.random() < 0.8:
            self.wishes.append(_Wish(number, thing, move, number + dice.randint(2, 9)))
        title = self._words(move["issue"], thing, dice)
        labels = ", ".join(("bug", *thing.labels))
        return Item(
            self.repo, "issue", who, day, title, number, state="open", body=body, meta={"labels": labels}, talk=talk,
            where=f"{self.repo}.repo.yaml: #{number}",
        )  # fmt: skip

    def _change(self, number: int, day: date, dice: random.Random, thing: Thing, move: Mapping[str, Any], wish: _Wish | None) -> Item:
        who = self._who(thing.owners, day, dice)
        body = self._told(move, ("why", "how", "check"), thing, dice) + (f" Fixes #{wish.number}." if wish else "")
        state, end = self._outcome(day, dice, sure=wish is not None)
        first = self._who(self.plan["reviewers"], day, dice, (who,))
        closer = first if state == "merged" and dice.random() < 0.7 else who
        meta = {"labels": ", ".join(thing.labels), "files": self._files(thing, dice)}
        title, talk = self._words(move["title"], thing, dice), tuple(self._talk(state, who, first, day, thing.file, dice))
        return Item(
            self.repo, "pr", who, day, title, number, state=state, end=end, closer=closer if end else "",
            body=body, meta=meta, talk=talk, where=f"{self.repo}.repo.yaml: #{number}",
        )  # fmt: skip

    def _files(self, thing: Thing, dice: random.Random) -> str:
        """The thing's file, mostly its test, sometimes a neighbour, the settings or the page about it."""
        stem, _, ending = thing.file.rpartition(".")
        test = f"{stem}_test.go" if ending == "go" else f"tests/test_{stem.split('/')[-1]}.{ending}"
        near = dice.choice([other.file for other in self.things if other.file.split("/")[0] == thing.file.split("/")[0]])
        docs = [word for word in self.plan["docs"] if word.endswith(".md")]
        found = [thing.file, *([test] if dice.random() < 0.75 else []), *([near] if dice.random() < 0.4 else [])]
        found += [dice.choice(docs)] if dice.random() < 0.2 else []
        return " ".join(dict.fromkeys([*found, *(["deploy/values.yaml"] if dice.random() < 0.12 else [])]))

    def _outcome(self, day: date, dice: random.Random, sure: bool) -> tuple[str, date | None]:
        end = day + timedelta(days=int(11 * dice.random() ** 2))
        end += timedelta(days={5: 2, 6: 1}.get(end.weekday(), 0))
        if end > self.company.as_of.date() - _ALMOST_NOW:
            return ("draft" if dice.random() < 0.2 else "open"), None
        return ("closed" if not sure and dice.random() < 0.05 else "merged"), end

    def _talk(self, state: str, who: str, first: str, day: date, path: str, dice: random.Random) -> Iterator[Said]:
        remarks = self.moves["remarks"]
        if dice.random() < 0.22:
            yield Said(first, "CHANGES_REQUESTED", dice.choice(remarks["ask"]))
            yield Said(who, "comment", dice.choice(remarks["answer"]))
        elif dice.random() < 0.2:
            yield Said(first, "inline", dice.choice(remarks["inline"]), path)
        verdict: Verb = "APPROVED" if state == "merged" else "COMMENTED"
        if state == "merged" or dice.random() < 0.4:
            yield Said(first, verdict, dice.choice(remarks["approve"]) if state == "merged" else dice.choice(remarks["ask"]))
        if dice.random() < 0.35:
            second = self._who(self.plan["reviewers"], day, dice, (who, first))
            yield Said(second, verdict, dice.choice(remarks["approve"]) if state == "merged" else dice.choice(remarks["ask"]))

    def _bump(self, number: int, day: date, dice: random.Random) -> Item:
        repo = self.company.repos[self.repo]
        library, major, minor = dice.choice(self.moves["libraries"][repo.language]), dice.randint(1, 5), dice.randint(0, 20)
        title = f"Bump {library} from {major}.{minor} to {major}.{minor + 1 + number % 3}"
        body = f"Updates {library}, which {self.repo} uses; its notes are behind the link. The lock file of #{number} was written anew."
        state, end = self._outcome(day, dice, sure=True)
        closer = self._who(self.plan["reviewers"], day, dice)
        talk = (Said(closer, "APPROVED", ""),) if dice.random() < 0.6 and end else ()
        return Item(
            self.repo, "pr", "dep", day, title, number, state=state, end=end, closer=closer if end else "", body=body,
            meta={"labels": "dependencies", "files": _MANIFEST[repo.language]}, talk=talk, where=f"{self.repo}.repo.yaml: #{number}",
        )  # fmt: skip

    def _releases(self, numbered: list[Item]) -> Iterator[Item]:
        """The releases of the plan; the notes name what was merged since the one before."""
        last = date.min
        for tag, on, who, title in self.plan["releases"]:
            shipped = [item for item in numbered if item.kind == "pr" and item.state == "merged" and item.end and last < item.end <= on]
            notes = "\n".join(f"- {item.title} (#{item.number})." for item in shipped if item.who != "dep")
            yield Item(self.repo, "release", who, on, title, tag=tag, body=notes or f"- {title}.", where=f"{self.repo}.repo.yaml: {tag}")
            last = on


def grown(scripts: Path, company: Company, written: list[Item]) -> list[Item]:
    """Every item of the demo: those of repositories without a plan as they were written, the others grown around theirs.

    Raises StoryError for a plan that does not work out.
    """
    moves = yaml.safe_load((scripts / "moves.yaml").read_text(encoding="utf-8"))
    bodies = {item.body for item in written}
    by_repo: defaultdict[str, list[Item]] = defaultdict(list)
    for item in written:
        by_repo[item.repo].append(item)
    for path in sorted(scripts.glob("*.repo.yaml")):
        repo = path.name.removesuffix(".repo.yaml")
        plan = yaml.safe_load(path.read_text(encoding="utf-8"))
        by_repo[repo] = Growth(repo, plan, moves, company, bodies).items(by_repo[repo])
    return [item for repo in sorted(by_repo) for item in by_repo[repo]]


def _days(first: date, count: int, fixed: Mapping[int, Item], today: date) -> Iterator[date]:
    """A day for each number: evenly between those that are fixed, no weekends, never back."""
    stops = [(1, first + timedelta(days=1)), *((n, item.on) for n, item in sorted(fixed.items())), (count + 1, today)]
    last = first
    for (low, start), (high, end) in pairwise(stops):
        for n in range(low, high):
            day = start + (end - start) * (n - low) / (high - low)
            if n not in fixed and day.weekday() > 4:
                day += timedelta(days=7 - day.weekday())
            last = max(last, min(day, end))
            yield last


def _settled(items: list[Item]) -> Iterator[Item]:
    """Issues that a merged change fixes are fixed; a few of the others were not wanted."""
    merged = " ".join(item.body for item in items if item.kind == "pr" and item.state == "merged")
    for item in items:
        if item.kind == "issue" and ".repo.yaml" in item.where:
            dice = draw(item.key, "settle")
            if f"Fixes #{item.number}." in merged:
                item = replace(item, state="fixed")
            elif dice.random() < 0.3 and (items[-1].on - item.on).days > 60:
                item = replace(item, state="not_planned", end=item.on + timedelta(days=dice.randint(20, 50)), closer=item.who)
        yield item


def _nothing_left(repo: str) -> Any:
    raise StoryError(f"{repo}.repo.yaml: more numbers than there is to do; add things, or lower numbers")
