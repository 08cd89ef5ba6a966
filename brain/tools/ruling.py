"""Rules in force, how they came to be, and where what is said contradicts itself: both sides told, the higher authority first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

from brain.connectors.identities import slug
from brain.errors import ToolError
from brain.text.analysis import query_terms
from brain.tools.asking import Asking, tool
from brain.tools.responsible import SOURCES, agree, source
from brain.tools.standing import Rule, Rules
from brain.tools.things import thing
from brain.tools.wording import nearest, with_lines
from brain.types import Result

_BOUND = ("Team", "Service", "Role", "Person", "Module", "System", "Project", "Domain", "Api", "Resource", "Repo", "Channel", "Doc")
_KIND_WORDS = "rule rules policy policies regulation procedure current currently force valid apply applies"


@tool("rule: str = '', target: str = '', k: int = 20")
def rule_in_force(ctx: Asking, rule: str, target: str, k: int) -> Result:
    """The rules in force at the instant asked about: those called so (`rule`: a key, a name, or words of the name), those that bind a
    team, service, role or person (`target`; rules that bind everybody included), or both, or all. Higher authority first. A rule
    replaced in part stays in force for the rest. Rows: key, name, slot, value, conditions, subject, valid_from, valid_to, authority,
    from_key, line, quote, replaces (keys), conflict (whether another rule in force contradicts it), partly_replaced_by, scope.
    """
    rules = Rules.known(ctx)
    held = rules.in_force()
    if rule.strip():
        slots = _slots(ctx, rules, rule)
        held = [r for r in held if r.slot in slots]
    if target.strip():
        held = _binding(rules, held, _related(ctx, target))
    everything = rules.in_force()
    found = _shown(ctx, held[:k])
    rows = [_in_force(rules, rules.by_key[r["key"]], r, everything) for r in found.rows]
    return replace(found, rows=tuple(rows))


@tool("rule: str, k: int = 50")
def rule_history(ctx: Asking, rule: str, k: int) -> Result:
    """Every rule of one name in the order they began: what held earlier, what holds, and what had been announced by the instant asked
    about. Give a key, a name, or words of it. Rows: key, name, value, subject, conditions, authority, valid_from, valid_to (when it
    ended or will), status (past, in_force, future), superseded_by, scope (the part that was replaced), from_key, line, quote.
    """
    rules = Rules.known(ctx)
    slots = _slots(ctx, rules, rule)
    told = sorted((r for r in rules.by_key.values() if r.slot in slots), key=lambda r: (r.start, r.weight, r.key))
    found = _shown(ctx, told[:k])
    rows = [_past(rules, rules.by_key[r["key"]], r) for r in found.rows]
    return replace(found, rows=tuple(rows))


@tool("target: str = '', k: int = 50")
def conflicts(ctx: Asking, target: str, k: int) -> Result:
    """What contradicts itself at the instant asked about and nobody resolved: rules of one name for the same people with values that
    exclude each other under conditions that can meet, and owners that sources of record or rule name differently. Of one target
    (a rule, team, service, directory ...) or of everything. Rows: kind (rule or ownership), subject, slot, a, a_name, a_value,
    a_authority, a_from, a_line, a_quote, and the same of b, which has the lower authority; since, until.
    """
    rules = Rules.known(ctx)
    keys = _related(ctx, target) if target.strip() else set()
    pairs = [(a, b) for a, b in combinations(rules.in_force(), 2) if rules.conflict(a, b)]
    if keys:
        for_all = any(key.startswith(("team:", "role:", "person:")) for key in keys) and not any(key.startswith("service:") for key in keys)
        pairs = [(a, b) for a, b in pairs if {a.key, b.key} & keys or (a.binds | b.binds) & keys or (for_all and not a.binds)]
    found = _shown(ctx, list({r.key: r for pair in pairs for r in pair}.values()))
    shown = {r["key"]: r for r in found.rows}
    rows = [_contradiction(a, b, shown) for a, b in pairs if a.key in shown and b.key in shown]
    owned = ctx.run("owners_that_differ", keys=sorted(keys))
    rows += list(_owned_differently(owned.rows))
    result = found if rows and rows[0]["kind"] == "rule" else owned
    nodes = {n.key: n for n in (*found.nodes, *owned.nodes)}
    return replace(
        result, rows=tuple(rows[:k]), nodes=tuple(nodes.values()), edges=(*found.edges, *owned.edges), ms=found.ms + owned.ms,
        server_ms=found.server_ms + owned.server_ms,
    )  # fmt: skip


def _slots(ctx: Asking, rules: Rules, words: str) -> set[str]:
    """The slots of the rules that a key, a name or words mean; none when nothing is called so."""
    text = words.strip()
    if text in rules.by_key:
        return {rules.by_key[text].slot}
    known = {r.slot for r in rules.by_key.values()}
    if slug(text.removeprefix("rule:")) in known:
        return {slug(text.removeprefix("rule:"))}
    terms = query_terms(text)
    if not terms:
        raise ToolError("'rule' needs a key, or at least one word of the rule's name")
    names: dict[str, list[str]] = {slot: [slot.replace("-", " ")] for slot in known}
    for rule in rules.by_key.values():
        names[rule.slot].append(rule.name)
    said = {r["term"]: r["keys"] for r in ctx.run("words_said", terms=terms, labels=["Doc", "Message", "Ticket"]).rows}
    found = nearest(text, names, said, _KIND_WORDS)
    return {slot for slot, score in found if score >= found[0][1] - 0.1}


def _related(ctx: Asking, target: str) -> set[str]:
    """The keys, and the names, of the target and of all whose rules it is under."""
    key = thing(ctx, target, (*_BOUND, "Rule"))
    rows = ctx.run("bound_to", key=key).rows
    return {str(r["key"]) for r in rows} | {" ".join(str(r["name"]).lower().split()) for r in rows}


def _binding(rules: Rules, held: Iterable[Rule], keys: set[str]) -> list[Rule]:
    """The rules that bind one of the keys, or everybody, unless they were replaced for just these."""
    bound = [r for r in held if not r.binds or r.binds & keys]
    parts = [(r, rules.by_key.get(one.by)) for r in bound for one in rules.replacing(r, whole=False)]
    narrowed = {r.key for r, newer in parts if newer is not None and newer.binds & keys}
    return sorted((r for r in bound if r.key not in narrowed), key=lambda r: (r.weight, not r.binds, -r.start, r.key))


def _shown(ctx: Asking, rules: list[Rule]) -> Result:
    """The rules as rows that quote where they stand."""
    found = ctx.run("rules_shown", keys=[r.key for r in rules], k=max(len(rules), 1))
    rows = with_lines(ctx, found.rows, {r.key: (r.name, r.value) for r in rules}, "doc")
    return replace(found, rows=tuple(rows))


def _in_force(rules: Rules, rule: Rule, row: Mapping[str, Any], held: list[Rule]) -> dict[str, Any]:
    part = rules.replacing(rule, whole=False)
    columns = ("key", "name", "slot", "value", "conditions", "subject", "valid_from", "valid_to", "authority", "from_key", "line", "quote")
    replaced = sorted(r.key for r in rules.by_key.values() if any(one.by == rule.key and one.start <= rules.as_of for one in r.replaced))
    return {
        **{c: row[c] for c in columns}, "replaces": replaced, "conflict": any(rules.conflict(rule, other) for other in held),
        "partly_replaced_by": [one.by for one in part], "scope": "; ".join(one.scope for one in part) or None,
    }  # fmt: skip


def _past(rules: Rules, rule: Rule, row: Mapping[str, Any]) -> dict[str, Any]:
    newer = next(iter((*rules.replacing(rule, whole=True), *rules.replacing(rule, whole=False), *rules.coming(rule))), None)
    columns = ("key", "name", "value", "subject", "conditions", "authority", "valid_from")
    return {
        **{c: row[c] for c in columns}, "valid_to": rules.ends(rule), "status": rules.status(rule),
        "superseded_by": newer.by if newer else None, "scope": (newer.scope or None) if newer else None,
        **{c: row[c] for c in ("from_key", "line", "quote")},
    }  # fmt: skip


def _contradiction(a: Rule, b: Rule, shown: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    common = sorted(a.binds & b.binds)
    sides = (_side(side, r.key, r.name, r.value, shown[r.key]) for side, r in (("a", a), ("b", b)))
    return _pair("rule", common[0] if common else "", a.slot, sides, max(a.start, b.start), (a.end, b.end))


def _side(side: str, key: str, name: str, value: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """One side of a contradiction, in columns of its own."""
    told = {"authority": row["authority"], "from": row["from_key"], "line": row["line"], "quote": row["quote"]}
    return {side: key, f"{side}_name": name, f"{side}_value": value, **{f"{side}_{c}": v for c, v in told.items()}}


def _pair(
    kind: str, subject: str, slot: str, sides: Iterable[Mapping[str, Any]], since: int, ends: Iterable[int | None]
) -> dict[str, Any]:  # fmt: skip
    told = {column: value for side in sides for column, value in side.items()}
    until = min((t for t in ends if t is not None), default=None)
    return {"kind": kind, "subject": subject, "slot": slot, **told, "since": since, "until": until}


def _owned_differently(rows: Iterable[Mapping[str, Any]]) -> Iterable[dict[str, Any]]:
    """One row for every two sources that name owners of whom none is the other's or in the other's team."""
    things: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for row in rows:
        claim = {**row, "key": row["owner"], "rel": "OWNS"}
        things.setdefault(str(row["thing"]), {}).setdefault(str(row["from_key"]), []).append(claim)
    for key, sources in sorted(things.items()):
        told = sorted(sources.values(), key=lambda claims: (SOURCES.index(source(claims[0])), claims[0]["from_key"]))
        met: set[frozenset[str]] = set()
        for mine, theirs in combinations(told, 2):
            a, b = mine[0], theirs[0]
            if {a["owner"], b["owner"]} not in met and not any(agree(x, y) for x in mine for y in theirs):
                met.add(frozenset((a["owner"], b["owner"])))
                sides = (_side(side, r["owner"], r["owner_name"], r["owner_name"], r) for side, r in (("a", a), ("b", b)))
                yield _pair("ownership", key, "owner", sides, max(a["valid_from"], b["valid_from"]), (a["valid_to"], b["valid_to"]))


TOOLS = (rule_in_force, rule_history, conflicts)
