"""Questions of a kind of their own: connections, rankings, activity, triage drafts."""

from __future__ import annotations

from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import count, day, listing, short, titled
from brain.types import Result

DAY = 86_400
MANY = 200


def connect(run: Run, a: str, b: str) -> Draft:
    """The shortest ways between two things over work, hubs left out."""
    got = run.call("connect", f"how {short(a)} and {short(b)} hang together", a=a, b=b)
    names = run.names()
    facts, items = [], []
    for row in got.rows:
        path = [str(k) for k in row["path"]]
        steps = " → ".join(
            [
                titled(path[0], names.get(path[0], "")),
                *(f"[{rel}] {titled(k, names.get(k, ''))}" for rel, k in zip(row["rels"], path[1:], strict=False)),
            ]
        )
        facts.append(Fact(f"{steps} ({row['hops']} hops).", tuple(path), step=run.last))
        items += [k for k in path[1:-1] if k not in items]
    if not facts:
        facts = [Fact(f"No way of at most four hops between {short(a)} and {short(b)} is loaded.", (a, b), step=run.last)]
    return Draft(items, facts, entries=[a, b])


_RANKINGS = {
    "clusters": "groups of files that change together",
    "bridges": "who and what connects the rest",
    "reviewers": "whose reviews matter most",
}
_MEASURES = {
    "bridges": "Passes between repositories and people most often (betweenness)",
    "reviewers": "Reviews for those who review much themselves (PageRank)",
}


def rank(u: Understanding, run: Run) -> Draft:
    """Who or what stands out by graph measures, in plain words."""
    by = "clusters" if u.says("file_clusters") else "bridges" if u.says("bridges") else "reviewers"
    persons = by == "bridges" and u.says("persons")  # repositories stand between them in that ranking
    got = run.call("rank", _RANKINGS[by], by=by, k=MANY if persons else u.top or 10)
    if by == "clusters":
        return _clusters(run, got)
    rows = [r for r in got.rows if not u.says("persons") or str(r["key"]).startswith("person:")]
    rows = rows[: u.top or (1 if u.most and not u.says("several_ranked") else 10)]
    facts = [Fact(f"{r['place']}. {titled(str(r['key']), str(r['name']))}.", (str(r["key"]),), step=run.last, aggregate=True) for r in rows]
    return Draft([str(r["key"]) for r in rows], facts, lead=f"{_MEASURES[by]}:")


def _clusters(run: Run, got: Result) -> Draft:
    facts = [
        Fact(
            f"Group {r['place']}: {count(int(r['size']), 'files')}, among them {listing([short(k) for k in r['keys']], 6)}.",
            tuple(str(k) for k in r["keys"][:6]),
            step=run.last,
            aggregate=True,
        )
        for r in got.rows
    ]
    return Draft([str(k) for r in got.rows for k in r["keys"]], facts, lead="Files that change together, by label propagation:")


def activity(u: Understanding, run: Run, targets: list[str], as_of: int) -> Draft:
    """What happened in a repository, path or to a person in a window (the last 30 days by default)."""
    until = u.time.until or as_of
    since = u.time.since or until - 30 * DAY
    draft = Draft(entries=targets)
    for target in targets[:5]:
        got = run.call("activity", f"what happened in {short(target)}", target=target, since=since, until=until)
        names = run.names()
        for r in got.rows:
            if not r["n"]:
                continue
            keys = [str(k) for k in r["keys"] or []]
            what = str(r["what"]).replace("prs_", "pull requests ").replace("issues_", "issues ").replace("_", " ")
            draft.facts.append(
                Fact(
                    f"{short(target)}: {r['n']} {what}, such as {listing([titled(k, names.get(k, '')) for k in keys], 3)}.",
                    (target, *keys),
                    step=run.last,
                    aggregate=True,
                )
            )
            draft.items += [k for k in keys if k not in draft.items]
    draft.lead = f"From {day(since)} to {day(until)}:"
    if not draft.facts:
        draft.facts.append(
            Fact(
                f"Nothing that is loaded happened in {listing([short(t) for t in targets])} from {day(since)} to {day(until)}.",
                tuple(targets),
                step=run.last,
                aggregate=True,
            )
        )
    return draft


_SECTIONS = {"duplicate": "duplicates", "reviewer": "reviewers_for_it", "label": "labels_for_it"}
_MAYBE = {"duplicate": "may be the same", "reviewer": "could review it", "label": "as a label"}


def triage(u: Understanding, run: Run, key: str) -> Draft:
    """Likely duplicates, reviewers and labels for an issue, as a draft for a person."""
    got = run.call("draft_triage", "what similar issues came to", key=key)
    wanted = {section for section, turn in _SECTIONS.items() if u.says(turn)}
    rows = [r for r in got.rows if not wanted or r["section"] in wanted]
    facts = [
        Fact(
            f"Draft: {titled(str(r['key']), str(r['name']))} {_MAYBE[r['section']]}"
            f"{', because of ' + listing([short(str(b)) for b in r['because']], 3) if r['because'] else ''}.",
            (*([str(r["key"])] if ":" in str(r["key"]) else []), *(str(b) for b in r["because"][:3])),
            step=run.last,
            aggregate=True,
        )
        for r in rows
    ]
    if not facts:
        facts = [Fact(f"Nothing similar to {short(key)} is loaded.", (key,), step=run.last)]
    return Draft([str(r["key"]) for r in rows], facts, entries=[key], lead="A draft, nothing was changed:")
