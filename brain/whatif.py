"""What would change if a notice were published: tried on a copy of the graph, which nobody else sees and which goes at once.

The live graph is never touched. Both sides are told at one instant, with the notice and without, so that nothing else that
begins or ends in the meantime is taken for its doing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from brain.assertions import Evidence, Texts, assertion
from brain.bulk import Loader
from brain.connectors.identities import slug
from brain.errors import BadInput
from brain.permissions import FOREVER
from brain.rulecopy import copied
from brain.schema import AUTHORITIES
from brain.tools.asking import Asking, Tool
from brain.types import ClaimRow, EdgeRow, NodeRow, Origin, TextRow

SOURCE = "what-if"
TRIED = f"rule:{SOURCE}/"
K = 1000
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Notice:
    """A rule as a notice would state it. `applies_to` and `replaces` are keys, `start` and `end` epoch seconds; `key` is given
    when the notice is one that is loaded already and not in force yet.
    """

    name: str
    value: str
    start: int
    end: int | None = None
    applies_to: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()
    conditions: str = ""
    authority: str = "formal_rule"
    key: str = ""


@dataclass(frozen=True)
class Change:
    """One rule before and after; `what` is new, gone, changed or stays. A side that does not hold is None."""

    what: str
    before: Row | None
    after: Row | None


@dataclass(frozen=True)
class Comparison:
    """What a notice would do at the instant `as_of`: to the rules in force, and to the conflicts between them."""

    as_of: int
    rules: tuple[Change, ...]
    conflicts: tuple[Change, ...]

    def changed(self) -> bool:
        """Would anything be other than it is?"""
        return any(c.what != "stays" for c in (*self.rules, *self.conflicts))


def spans(ctx: Asking) -> list[Row]:
    """Every rule the viewer may read, past, present and future: key, name, slot, value, conditions, subject, valid_from,
    valid_to, authority, doc, applies and replaces (lists of keys).
    """
    return list(replace(ctx, as_of=FOREVER - 1).run("rule_spans").rows)


def coming(rules: Sequence[Row], as_of: int) -> list[Notice]:
    """The rules that are announced and not in force yet, as notices, soonest first."""
    ahead = sorted((r for r in rules if int(r["valid_from"] or 0) > as_of), key=lambda r: (r["valid_from"], r["name"], r["key"]))
    return [
        Notice(
            str(r["name"]), str(r["value"] or ""), int(r["valid_from"]), r["valid_to"], tuple(r["applies"]), tuple(r["replaces"]),
            str(r["conditions"] or ""), str(r["authority"] or "formal_rule"), str(r["key"]),
        )
        for r in ahead
    ]  # fmt: skip


def what_if(ctx: Asking, tools: Mapping[str, Tool], notices: Sequence[Notice], now: int) -> Comparison:
    """What the notices would change together, at the viewer's instant or, where that is later, at the last one's start.

    Raises BadInput for a notice without a name, value or start, one that ends before it starts, or keys that the viewer cannot
    see, and when too many of these are under way.
    """
    rules = {str(r["key"]): r for r in spans(ctx)}
    for notice in notices:
        _check(notice, rules)
    names = _bound(ctx, notices)
    as_of = max([ctx.as_of, *(n.start for n in notices)])
    made = list(_claims(notices, rules))
    with copied(replace(ctx, as_of=as_of), now, [asdict(proof) for _, proof in made]) as (there, loader):
        _shown(loader, notices, rules, hidden=True)
        before = _state(there, tools)
        _shown(loader, notices, rules, hidden=False)
        _apply(loader, notices, names, [edge for edge, _ in made])
        after = _state(there, tools)
    rules_, conflicts = (list(zip(before, after, strict=True))[i] for i in (0, 1))
    return Comparison(as_of, _changes(*rules_, ("key",), ("value", "conditions")), _changes(*conflicts, ("a", "b"), ()))


def _check(notice: Notice, rules: Mapping[str, Row]) -> None:
    if not slug(notice.name) or not notice.value.strip():
        raise BadInput("a notice needs the name of its rule, with letters in it, and a value")
    if notice.start <= 0 or (notice.end is not None and notice.end <= notice.start):
        raise BadInput("a notice starts on a day, and ends after it")
    if notice.authority not in AUTHORITIES:
        raise BadInput(f"a notice's authority is {', '.join(AUTHORITIES)}, not {notice.authority!r}")
    for key in (*notice.replaces, *([notice.key] if notice.key else ())):
        if key not in rules:
            raise BadInput(f"there is no rule {key!r} that a notice could name")


def _bound(ctx: Asking, notices: Sequence[Notice]) -> dict[str, str]:
    """The names of what the notices apply to, by key."""
    wanted = list(dict.fromkeys(key for n in notices for key in n.applies_to))
    rows = replace(ctx, as_of=FOREVER - 1).run("entities", keys=wanted).rows if wanted else ()
    names = {str(r["key"]): str(r["name"]) for r in rows}
    if unseen := [key for key in wanted if key not in names]:
        raise BadInput(f"there is nothing called {unseen[0]!r} that a notice could bind")
    return names


def _key(notice: Notice) -> str:
    return notice.key or f"{TRIED}{slug(notice.name)}"


def _shown(loader: Loader, notices: Sequence[Notice], rules: Mapping[str, Row], hidden: bool) -> None:
    """Takes the notices that are loaded already out of the copy, or puts them back."""
    for notice in notices:
        if notice.key in rules:
            loader.node(NodeRow(notice.key, notice.name, SOURCE, {"gone": 1 if hidden else FOREVER}, Origin(SOURCE)))
    loader.flush()


def _claims(notices: Sequence[Notice], rules: Mapping[str, Row]) -> Iterator[tuple[EdgeRow, Evidence]]:
    """What the notices claim, through the checks that a load makes."""
    for i, notice in enumerate(notices, 1):
        key, line, texts = _key(notice), f"{notice.name}: {notice.value}", Texts()
        texts.add(TextRow(key, "body", notice.name, line, notice.start))
        for rel, dst in _said(notice, rules):
            claim = ClaimRow(
                key, rel, dst, key, 1, line, notice.authority, valid_from=notice.start, valid_to=notice.end, access="open",
                read_by=f"{SOURCE}:{rel.lower()}", origin=Origin(SOURCE, i),
            )  # fmt: skip
            yield assertion(claim, texts, {})


def _apply(loader: Loader, notices: Sequence[Notice], names: Mapping[str, str], claims: Sequence[EdgeRow]) -> None:
    """Writes the notices into the copy."""
    for i, notice in enumerate(notices, 1):
        props = {
            "title": notice.name, "slot": slug(notice.name), "value": notice.value, "conditions": notice.conditions, "access": "open",
            "at": notice.start, "valid_from": notice.start, "valid_to": notice.end, "authority": notice.authority,
            "subject": ", ".join(names[key] for key in notice.applies_to),
        }  # fmt: skip
        loader.node(NodeRow(_key(notice), notice.name, SOURCE, props, Origin(SOURCE, i)))
    loader.flush()
    for rel in sorted({edge.rel for edge in claims}):
        loader.edges(rel, [edge for edge in claims if edge.rel == rel])


def _said(notice: Notice, rules: Mapping[str, Row]) -> Iterator[tuple[str, str]]:
    """What the notice claims and the loaded one, if there is one, does not claim by then."""
    known = rules.get(notice.key, {})
    moved = notice.start < int(known.get("valid_from") or 0)
    for rel, keys, there in (("APPLIES_TO", notice.applies_to, "applies"), ("SUPERSEDES", notice.replaces, "replaces")):
        yield from ((rel, key) for key in keys if moved or key not in known.get(there, ()))


def _state(ctx: Asking, tools: Mapping[str, Tool]) -> tuple[list[Row], list[Row]]:
    """The rules in force, and the conflicts between rules."""
    rules = tools["rule_in_force"].run(ctx, k=K).rows
    return list(rules), [r for r in tools["conflicts"].run(ctx).rows if r.get("kind") == "rule"]


def _changes(before: Sequence[Row], after: Sequence[Row], name: tuple[str, ...], compared: tuple[str, ...]) -> tuple[Change, ...]:
    """Both sides joined by what names a row, what is other first."""
    old, new = ({tuple(str(r[n]) for n in name): r for r in rows} for rows in (before, after))
    found = [_change(old.get(k), new.get(k), compared) for k in dict.fromkeys((*old, *new))]
    return tuple(sorted(found, key=lambda c: c.what == "stays"))


def _change(before: Row | None, after: Row | None, compared: tuple[str, ...]) -> Change:
    if before is None or after is None:
        return Change("new" if before is None else "gone", before, after)
    return Change("changed" if any(before.get(c) != after.get(c) for c in compared) else "stays", before, after)
