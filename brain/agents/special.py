"""Questions of a kind of their own: connections, rankings, activity, impact, triage drafts."""

from __future__ import annotations

import re

from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import count, day, listing, short, titled

DAY = 86_400


def connect(u: Understanding, run: Run, a: str, b: str) -> Draft:
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


def rank(u: Understanding, run: Run) -> Draft:
    """Who or what stands out by graph measures, in plain words."""
    m = u.masked
    by = (
        "clusters"
        if re.search(r"clusters?|groups? of files|communit", m, re.I)
        else "bridges"
        if re.search(r"bridg|bottleneck|together|connects?", m, re.I)
        else "reviewers"
    )
    got = run.call(
        "rank",
        {
            "clusters": "groups of files that change together",
            "bridges": "who and what connects the rest",
            "reviewers": "whose reviews matter most",
        }[by],
        by=by,
        k=u.top or 10,
    )
    if by == "clusters":
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
    rows = [r for r in got.rows if not re.search(r"\b(?:who|person|people)\b", m, re.I) or str(r["key"]).startswith("person:")]
    rows = rows[: u.top or (1 if u.most and not re.search(r"people|reviewers|who are", m, re.I) else len(rows))]
    what = (
        "Passes between repositories and people most often (betweenness)"
        if by == "bridges"
        else "Reviews for those who review much themselves (PageRank)"
    )
    return Draft(
        [str(r["key"]) for r in rows],
        [Fact(f"{r['place']}. {titled(str(r['key']), str(r['name']))}.", (str(r["key"]),), step=run.last, aggregate=True) for r in rows],
        lead=f"{what}:",
    )


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


def triage(u: Understanding, run: Run, key: str) -> Draft:
    """Likely duplicates, reviewers and labels for an issue, as a draft for a person."""
    got = run.call("draft_triage", "what similar issues came to", key=key)
    wanted = {
        s
        for s, p in (("duplicate", r"duplicat|similar|like"), ("reviewer", r"reviewer|assign|people|who"), ("label", r"label"))
        if re.search(p, u.masked, re.I)
    }
    rows = [r for r in got.rows if not wanted or r["section"] in wanted]
    words = {"duplicate": "may be the same", "reviewer": "could review it", "label": "as a label"}
    facts = [
        Fact(
            f"Draft: {titled(str(r['key']), str(r['name']))} {words[r['section']]}, because of {listing([short(str(b)) for b in r['because']], 3)}.",
            (*([str(r["key"])] if ":" in str(r["key"]) else []), *(str(b) for b in r["because"][:3])),
            step=run.last,
        )
        for r in rows
    ]
    if not facts:
        facts = [Fact(f"Nothing similar to {short(key)} is loaded.", (key,), step=run.last)]
    return Draft([str(r["key"]) for r in rows], facts, entries=[key], lead="A draft, nothing was changed:")


def cochange(u: Understanding, run: Run, path: str) -> Draft:
    """The files that change together with a file, most often first."""
    window = {k: v for k, v in (("since", u.time.since), ("until", u.time.until)) if v is not None}
    got = run.call(
        "measure",
        f"which files the merged pull requests touch that touch {short(path)}",
        kind="prs",
        state="merged",
        path=path,
        by="file",
        top=60,
        **window,
    )
    counts = [(int(r["n"]), str(r["key"])) for r in got.rows if r["key"] != path]
    what = "merged pull requests"
    if not counts:
        got = run.call("expand", f"what changes together with {short(path)} in commits", key=path, rels=["CO_CHANGES"], k=200)
        n_of = {frozenset((e.src, e.dst)): int(e.props.get("n", 0)) for e in got.edges if e.rel == "CO_CHANGES"}
        counts = sorted(((n_of.get(frozenset((path, str(r["key"]))), 0), str(r["key"])) for r in got.rows), key=lambda c: (-c[0], c[1]))
        what = "changes"
    limit = u.top or (
        1
        if re.search(r"\bwhich (?:other |single |one )?file\b|\bwhat (?:other )?file\b|\bthe file\b", u.masked, re.I)
        or (u.most and not re.search(r"\bfiles\b", u.masked, re.I))
        else 10
    )
    kept = [c for i, c in enumerate(counts) if i < limit or (limit == 1 and c[0] == counts[0][0])]
    facts = [
        Fact(f"{short(k)} changed together with {short(path)} in {n} {what}.", (k, path), step=run.last, aggregate=what != "changes")
        for n, k in kept
    ]
    others = [k for _, k in kept]
    if not facts:
        facts = [Fact(f"No file that is loaded changed together with {short(path)} more than once.", (path,), step=run.last)]
    return Draft(others, facts, entries=[path])


def impact(u: Understanding, run: Run, path: str) -> Draft:
    """What a change to a path runs into: open pull requests there, and what changes together."""
    got = run.call("impact", f"what touches {short(path)}", path=path)
    rows = {s: [r for r in got.rows if r["section"] == s] for s in ("open", "merged", "co_changes")}
    facts = [
        Fact(
            f"Open: {titled(str(r['key']), str(r['name']))} by {r['author']}, touching {listing([short(str(f)) for f in r['files']], 4)}.",
            (str(r["key"]), path),
            step=run.last,
        )
        for r in rows["open"]
    ]
    if not facts:
        facts.append(Fact(f"No open pull request that is loaded touches {short(path)}.", (path,), step=run.last))
    facts += [
        Fact(f"Changes together: {short(str(r['key']))} ({r['n']} times).", (str(r["key"]), path), step=run.last)
        for r in rows["co_changes"][:8]
    ]
    facts += [
        Fact(f"Merged lately: {titled(str(r['key']), str(r['name']))} on {day(r['at'])}.", (str(r["key"]), path), step=run.last)
        for r in rows["merged"][:5]
    ]
    return Draft([str(r["key"]) for r in rows["open"]], facts, entries=[path])


def references(u: Understanding, run: Run, source: str, target: str) -> Draft:
    """The issues and pull requests of one repository that refer to items of another."""
    got = run.call("references_between", f"what in {short(source)} refers to {short(target)}", source=short(source), target=short(target))
    passive = re.search(r"(?:referenced|mentioned|cited|linked|pointed (?:at|to)|referred to) (?:from|in|by)\b", u.masked, re.I)
    prefix = (
        {"prs": "pr:", "issues": "issue:"}.get(u.want, "")
        if not re.search(
            r"\b(?:issues?|tickets?)\b.{0,12}\b(?:prs?|pull)|\b(?:prs?|pull requests?)\b.{0,6}\b(?:issues?|tickets?)", u.masked, re.I
        )
        else ""
    )
    keys = list(dict.fromkeys(str(r["dst" if passive else "src"]) for r in got.rows))
    items = [k for k in keys if k.startswith(prefix)]
    facts = [
        Fact(
            f"{titled(str(r['src']), str(r['src_name']))} refers to {titled(str(r['dst']), str(r['dst_name']))}.",
            (str(r["src"]), str(r["dst"])),
            step=run.last,
            aggregate=True,
        )
        for r in got.rows
    ]
    if not items:
        facts = [Fact(f"Nothing in {short(source)} that is loaded refers to {short(target)}.", (), step=run.last, aggregate=True)]
    draft = Draft(items, facts, entries=[source, target])
    return Draft([str(len(items))], facts, entries=[source, target]) if u.want == "count" else draft


def overlap(u: Understanding, run: Run, key: str) -> Draft:
    """The pull requests that were open when one was merged (or are now) and change the same files."""
    got = run.call("details", f"when {short(key)} was merged", key=key)
    node = next((n for n in got.nodes if n.key == key), None)
    at = int((node.props.get("merged_at") if node else None) or run.ctx.as_of)
    files = run.call("expand", "the files it changes", key=key, rels=["TOUCHED"], labels=["File"], k=60)
    draft = Draft(entries=[key])
    for row in files.rows:
        path = str(row["key"])
        found = run.call("list_items", f"open then, touching {short(path)}", kind="prs", state="open", path=path, as_of=at, limit=100)
        for r in found.rows:
            other = str(r["key"])
            if other != key and other not in draft.items:
                draft.items.append(other)
                draft.facts.append(
                    Fact(
                        f"{titled(other, str(r['name']))} was open on {day(at)} and changes {short(path)}.",
                        (other, path),
                        step=run.last,
                        aggregate=True,
                    )
                )
    if not draft.items:
        draft.facts.append(Fact(f"No pull request that was open on {day(at)} changes a file of {short(key)}.", (key,), step=1))
    return draft


def cross_closes(u: Understanding, run: Run) -> Draft:
    """Issues that a change from another repository closes, anywhere or in the named repositories."""
    got = run.call("cross_closes", "issues closed from another repository", k=1000)
    repos = {short(k) for m in u.links.of("Repo") for k in m.keys}
    rows = [
        r
        for r in got.rows
        if not repos or any(str(r[end]).partition(":")[2].startswith(f"{repo}#") for repo in repos for end in ("src", "dst"))
    ]
    items = list(dict.fromkeys(str(r["src" if u.want == "prs" else "dst"]) for r in rows))
    facts = [
        Fact(
            f"{titled(str(r['src']), str(r['src_name']))} closes {titled(str(r['dst']), str(r['dst_name']))}.",
            (str(r["src"]), str(r["dst"])),
            step=run.last,
            aggregate=True,
        )
        for r in rows
    ]
    draft = Draft(
        items, facts or [Fact("No change that is loaded closes an issue of another repository.", (), step=run.last, aggregate=True)]
    )
    return Draft([str(len(items))], draft.facts) if u.want == "count" else draft
