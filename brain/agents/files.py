"""Questions about what happens to files: what changes together, what a change runs into."""

from __future__ import annotations

from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import as_at, day, listing, short, titled


def cochange(u: Understanding, run: Run, path: str) -> Draft:
    """The files that change together with a file, most often first."""
    why = f"which files the merged pull requests touch that touch {short(path)}"
    got = run.call("measure", why, kind="prs", state="merged", path=path, by="file", top=60, **u.window)
    counts = [(int(r["n"]), str(r["key"])) for r in got.rows if r["key"] != path]
    merged = bool(counts)
    if not merged:
        counts = _in_commits(run, path)
    limit = u.top or (1 if u.says("one_file") or (u.most and not u.says("several_files")) else 10)
    kept = [c for i, c in enumerate(counts) if i < limit or (limit == 1 and c[0] == counts[0][0])]
    what = "merged pull requests" if merged else "changes"
    facts = [
        Fact(f"{short(key)} changed together with {short(path)} in {n} {what}.", (key, path), step=run.last, aggregate=merged)
        for n, key in kept
    ]
    none = Fact(f"No file that is loaded changed together with {short(path)} more than once.", (path,), step=run.last)
    return Draft([key for _, key in kept], facts or [none], entries=[path])


def _in_commits(run: Run, path: str) -> list[tuple[int, str]]:
    """How often each file changed with a file, where no merged pull request tells."""
    got = run.call("expand", f"what changes together with {short(path)} in commits", key=path, rels=["CO_CHANGES"], k=200)
    often = {frozenset((e.src, e.dst)): int(e.props.get("n", 0)) for e in got.edges if e.rel == "CO_CHANGES"}
    counts = [(often.get(frozenset((path, str(r["key"]))), 0), str(r["key"])) for r in got.rows]
    return sorted(counts, key=lambda found: (-found[0], found[1]))


def impact(run: Run, path: str) -> Draft:
    """What a change to a path runs into: open pull requests there, and what changes together."""
    got = run.call("impact", f"what touches {short(path)}", path=path)
    rows = {section: [r for r in got.rows if r["section"] == section] for section in ("open", "merged", "co_changes")}
    facts = [
        Fact(
            f"Open: {titled(str(r['key']), str(r['name']))} by {short(str(r['author']))},"
            f" touching {listing([short(str(f)) for f in r['files']], 4)}.",
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


def overlap(run: Run, key: str) -> Draft:
    """The pull requests that were open when one was merged (or are now) and change the same files."""
    got = run.call("details", f"when {short(key)} was merged", key=key)
    node = next((n for n in got.nodes if n.key == key), None)
    at = int((as_at(node, run.ctx.as_of).props.get("merged_at") if node else None) or run.ctx.as_of)
    files = run.call("expand", "the files it changes", key=key, rels=["TOUCHED"], labels=["File"], k=60)
    draft = Draft(entries=[key])
    for row in files.rows:
        path = str(row["key"])
        found = run.call("list_items", f"open then, touching {short(path)}", kind="prs", state="open", path=path, as_of=at, limit=100)
        for r in found.rows:
            other = str(r["key"])
            if other != key and other not in draft.items:
                text = f"{titled(other, str(r['name']))} was open on {day(at)} and changes {short(path)}."
                draft.items.append(other)
                draft.facts.append(Fact(text, (other, path), step=run.last, aggregate=True))
    if not draft.items:
        draft.facts.append(Fact(f"No pull request that was open on {day(at)} changes a file of {short(key)}.", (key,), step=1))
    return draft
