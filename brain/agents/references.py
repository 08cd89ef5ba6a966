"""Questions about links between repositories: what refers to what, what is closed from elsewhere."""

from __future__ import annotations

from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import short, titled


def between(u: Understanding, run: Run, repos: tuple[str, str]) -> Draft:
    """The issues and pull requests of one of two repositories that refer to items of the other.

    The one before the verb holds the references, unless the words turn it round ("referred to from").
    """
    source, target = reversed(repos) if u.says("first_repo_referred_to") else repos
    why = f"what in {short(source)} refers to {short(target)}"
    got = run.call("references_between", why, source=short(source), target=short(target))
    end = "dst" if u.says("referred_to_from") else "src"
    prefix = "" if u.says("issues_and_prs") else {"prs": "pr:", "issues": "issue:"}.get(u.want, "")
    items = [key for key in dict.fromkeys(str(r[end]) for r in got.rows) if key.startswith(prefix)]
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
    return Draft([str(len(items))] if u.want == "count" else items, facts, entries=[source, target])


def cross_closes(u: Understanding, run: Run) -> Draft:
    """Issues that a change from another repository closes, anywhere or in the named repositories."""
    got = run.call("cross_closes", "issues closed from another repository", k=1000)
    homes = tuple(f"{short(key)}#" for m in u.links.of("Repo") for key in m.keys)
    rows = [r for r in got.rows if not homes or any(str(r[end]).partition(":")[2].startswith(homes) for end in ("src", "dst"))]
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
    none = Fact("No change that is loaded closes an issue of another repository.", (), step=run.last, aggregate=True)
    return Draft([str(len(items))] if u.want == "count" else items, facts or [none])
