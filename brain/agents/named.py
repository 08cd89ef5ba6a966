"""Questions that name pull requests, issues, commits or releases: about one, about several, how many hang on one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brain.agents import anchored
from brain.agents.kinds import narrowed
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import as_at, short, state_of, titled
from brain.text.mentions import Mention
from brain.types import Node

MOST = 4
_LABEL_OF = {"prs": "PullRequest", "issues": "Issue"}
_LINKS = ("close", "mention", "revert", "touch", "cochange", "ship")
_SHARED = ("people", "prs", "issues", "files", "releases")
_HELD = ("people", "files", "directories", "issues", "prs", "commits", "releases", "labels")
_EVENTS: dict[str, tuple[str, list[str]]] = {
    "reviews": ("REVIEWED", []),
    "approvals": ("REVIEWED", ["APPROVED"]),
    "change_requests": ("REVIEWED", ["CHANGES_REQUESTED"]),
    "comments": ("COMMENTED_ON", []),
}


def itself(u: Understanding, mention: Mention) -> bool:
    """Is what has the quoted title asked for, rather than what hangs on it? "Which issue is called ..."."""
    return mention.how == "title" and _LABEL_OF.get(u.want) == mention.label and not u.has(*_LINKS)


def _stand(run: Run, mentions: Sequence[Mention], nodes: Mapping[str, Node]) -> Draft:
    """The named things themselves, and how they stand."""
    keys = [key for mention in mentions for key in mention.keys if key in nodes]
    stood = {key: as_at(nodes[key], run.ctx.as_of) for key in keys}
    facts = [Fact(f"{titled(key, node.name)} is {state_of(node)}.", (key,), step=1) for key, node in stood.items()]
    return Draft(keys, facts, entries=keys)


def about_items(u: Understanding, run: Run, items: Sequence[Mention], nodes: Mapping[str, Node]) -> Draft:
    """The answer about each named item; for several, what they share when the question says so."""
    if all(itself(u, m) for m in items):
        return _stand(run, items[:MOST], nodes)
    drafts = [anchored.answer(u, run, m.keys[0], nodes.get(m.keys[0])) for m in items[:MOST]]
    if len(drafts) == 1:
        return drafts[0]
    entries = [key for draft in drafts for key in draft.entries]
    if "both" in u.flags and u.want in _SHARED:
        shared = [item for item in drafts[0].items if all(item in draft.items for draft in drafts[1:])]
        facts = [fact for draft in drafts for fact in draft.facts if set(fact.cites) & set(shared)]
        return Draft(shared, facts or drafts[0].facts, entries=entries)
    answered = any(draft.state == "answered" for draft in drafts)
    return Draft(
        list(dict.fromkeys(item for draft in drafts for item in draft.items)),
        [fact for draft in drafts for fact in draft.facts],
        "answered" if answered else "insufficient",
        entries=entries,
    )


def how_many(u: Understanding, run: Run, item: Mention) -> Draft:
    """How many of something hang on one item: reviews, comments, files, people."""
    key = item.keys[0]
    if u.kind in _EVENTS:
        rel, states = _EVENTS[u.kind]
        got = run.call("expand", f"its {u.kind.replace('_', ' ')}", key=key, rels=[rel], states=states, k=500)
        n = int(got.rows[0]["total"]) if got.rows else 0
    else:
        n = len(anchored.answer(narrowed(u, want=u.kind if u.kind in _HELD else "people"), run, key, None).items)
    fact = Fact(f"{short(key)}: {n} {u.kind.replace('_', ' ')}.", (key,), step=run.last, aggregate=True)
    return Draft([str(n)], [fact], entries=[key])
