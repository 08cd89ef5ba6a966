"""Questions about people that are not plain counts: who knows, whose work, who works on both."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from brain.agents.counts import SHOWN
from brain.agents.filters import filters
from brain.agents.kinds import event_kind
from brain.agents.roles import Place
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import count, day, is_key, plural, short, titled

_LAST = re.compile(r"\b(?:last|latest|most recently)\b", re.I)


def who_knows(u: Understanding, run: Run, targets: list[str]) -> Draft:
    """The people who changed and reviewed a repository, path or concept, most and latest first."""
    limit = u.top or (1 if u.says("one_expert") else 5)
    draft = Draft(entries=targets)
    last = bool(_LAST.search(u.masked)) and not u.has("know")
    for target in targets[:3]:
        why = f"who changed and reviewed {short(target)}, fading with time"
        got = run.call("who_knows", why, target=target, k=200 if last else max(limit, 5), **u.window)
        rows = _latest(got.rows) if last else got.rows
        people = int(got.rows[0].get("people") or 0) if got.rows else 0
        if people > limit > 1 and not last and not draft.lead:
            draft.lead = f"The first {limit} of {people} people, by changes and reviews that fade with time:"
        for r in rows[:limit]:
            if r["key"] in draft.items:
                continue
            draft.items.append(str(r["key"]))
            did = [f"{r[n]} {word}" for n, word in (("authored", "changes"), ("reviewed", "reviews"), ("commits", "commits")) if r[n]]
            gone = "; not active for a year" if r.get("inactive") else ""
            draft.facts.append(
                Fact(
                    f"{titled(str(r['key']), str(r['name']))}: {', '.join(did)} in {short(target)}, last on {day(r['last_at'])}{gone}.",
                    (str(r["key"]), target),
                    step=run.last,
                )
            )
    if not draft.items:
        draft.facts.append(
            Fact(
                f"Nobody that is loaded changed or reviewed {short(targets[0])}{' then' if u.window else ''}.", (targets[0],), step=run.last
            )
        )
    return draft


def _latest(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The one whose change is the latest."""
    return sorted((r for r in rows if r["authored"] or r["commits"]), key=lambda r: -int(r["last_at"] or 0))[:1]


def reviews_between(u: Understanding, run: Run, person: str) -> Draft:
    """Whose work a person reviews, or who reviews theirs, from the derived edge between people."""
    given = u.says("whose_work_they_review") and not u.says("reviews_they_get")
    got = run.call("expand", "who reviews whom", key=person, rels=["REVIEWS_FOR"], direction="out" if given else "in", k=200)
    often = {e.dst if given else e.src: int(e.props.get("n", 0)) for e in got.edges if e.rel == "REVIEWS_FOR"}
    others = sorted(
        ((often.get(str(r["key"]), 0), str(r["key"]), str(r["name"])) for r in got.rows), key=lambda other: (-other[0], other[1])
    )
    limit = u.top or (1 if u.most else 10)
    kept = [other for i, other in enumerate(others) if i < limit or (limit == 1 and other[0] == others[0][0])]
    how = "by them reviewed by" if given else "reviewed for"
    facts = [Fact(f"{titled(key, name)}: {n} pull requests {how} {short(person)}.", (key, person), step=run.last) for n, key, name in kept]
    none = Fact(f"No reviews between {short(person)} and others are loaded.", (person,), step=run.last)
    return Draft([key for _, key, _ in kept], facts or [none], entries=[person])


def _members(u: Understanding, run: Run, place: Place) -> dict[str, tuple[int, str]]:
    """Who plays the place's part there, with how often and their names."""
    where: dict[str, Any] = {"repos": [place.key]} if place.key.startswith("repo:") else {"path": place.key}
    args: dict[str, Any] = {**where, **u.window, "by": "person", "top": 5000}
    if place.role in ("reviewer", "approver"):
        args |= {"kind": "approvals" if place.role == "approver" else "reviews", "exclude_own": True, "once": True}
    elif place.role == "commenter":
        args |= {"kind": "comments"}
    elif place.role == "committer":
        args |= {"kind": "commits"}
    elif place.role == "opener":
        args |= {"kind": "issues", "by_role": "opener"}
    else:
        args |= {"kind": "prs", "by_role": "merger" if place.role == "merger" else "author"}
        if place.merged:
            args |= {"state": "merged"}
    got = run.call("measure", f"{place.role}s in {short(place.key)}", **args)
    return {str(r["key"]): (int(r["n"]), str(r["name"])) for r in got.rows}


def across(u: Understanding, run: Run) -> Draft:
    """People with a part in every place the question wants and in none it excludes."""
    found = [(p, _members(u, run, p)) for p in u.places]
    wanted = [m for p, m in found if not p.negated]
    excluded = {k for p, m in found if p.negated for k in m}
    if not wanted:
        return Draft(state="insufficient", facts=[Fact("The question only excludes places; name one that is wanted.")])
    shared = set.intersection(*(set(m) for m in wanted)) - excluded
    order = sorted(shared, key=lambda k: (-min(m[k][0] for m in wanted), k))
    order = order[: u.top] if u.top else order
    facts = []
    for k in order[:SHOWN]:
        parts = [f"{m[k][0]} in {short(p.key)} as {p.role}" for p, m in found if not p.negated]
        without = "".join(f", none in {short(p.key)}" for p, _ in found if p.negated)
        places = tuple(p.key for p, _ in found if not p.negated)
        facts.append(Fact(f"{titled(k, wanted[0][k][1])}: {' and '.join(parts)}{without}.", (k, *places), step=run.last))
    entries = [p.key for p, _ in found]
    if not facts:
        facts = [Fact("Nobody that is loaded fits all of that.", tuple(entries), step=run.last, aggregate=True)]
    draft = Draft(order, facts, entries=entries)
    return Draft([str(len(order))], facts, entries=entries) if u.want == "count" else draft


def widest(u: Understanding, run: Run) -> Draft:
    """People by the number of repositories they are at work in."""
    role = "reviewer" if u.has("review", "approve") else "author"
    got = run.call(
        "spread",
        f"in how many repositories each {role} is at work",
        role=role,
        k=200,
        **u.window,
        **({"least": u.minimum} if u.minimum else {}),
    )
    limit = u.top or (200 if u.minimum else 1)
    rows = [r for i, r in enumerate(got.rows) if i < limit or (limit == 1 and r["n"] == got.rows[0]["n"])]
    facts = [
        Fact(f"{titled(str(r['key']), str(r['name']))}: {r['n']} repositories.", (str(r["key"]),), step=run.last, aggregate=True)
        for r in rows
    ]
    return Draft([str(r["key"]) for r in rows], facts or [Fact("Nobody that is loaded fits.", (), step=run.last, aggregate=True)])


def works_on(u: Understanding, run: Run, person: str, by: str) -> Draft:
    """The repositories, directories or files a person works on, most first."""
    kind = event_kind(u)
    role = "reviewer" if u.has("review", "approve") else "author"
    args = {**filters(u, kind), "persons": [person], "role": role}
    limit = u.top or (1 if u.most and not u.says("several_groups") else 200 if by == "repository" else 10)
    got = run.call("measure", f"where {short(person)} is at work", **args, by=by, top=limit)
    rows = [r for r in got.rows if is_key(str(r["key"]))]
    facts = [
        Fact(
            f"{titled(str(r['key']), str(r['name']))}: {count(int(r['n']), kind)} by {short(person)}.",
            (str(r["key"]), person),
            step=run.last,
            aggregate=True,
        )
        for r in rows[:SHOWN]
    ]
    if not facts:
        facts = [Fact(f"No {plural(kind)} by {short(person)} are loaded there.", (person,), step=run.last, aggregate=True)]
    return Draft([str(r["key"]) for r in rows], facts, entries=[person])
