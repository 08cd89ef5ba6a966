"""Who made a change that is described by its words: the author of the pull request or commit of a service whose title has them all."""

from __future__ import annotations

from brain.agents.company_facts import answered, by_path, called, unique
from brain.agents.run import Draft, Run
from brain.agents.understand import Understanding
from brain.agents.wording import day, short, titled
from brain.text.analysis import query_terms
from brain.text.link_things import RUNS
from brain.text.passages import passage

FEWEST = 2  # words that a title must share, lest it is found by one that stands in many


def by_words(u: Understanding, run: Run) -> Draft | None:
    """The author of the change to the service named; None when no change has all the words, or nobody made it."""
    things = unique(m.keys[0] for m in u.links.of(*RUNS))
    words = set(query_terms(" ".join([*u.words, *(m.text for m in u.links.of("Concept"))])))
    if u.want != "people" or len(things) != 1 or len(words) < FEWEST:
        return None
    homes = _homes(u, run, things[0])
    why = f"changes to {short(things[0])} with the question's words"
    got = run.call("search_text", why, text=" ".join(sorted(words)), k=60, labels=["PullRequest", "Commit"])
    found = [p for p in (passage(r, 1.0, 0.0) for r in got.rows) if words <= set(query_terms(p.title)) and p.repo.lower() in homes]
    chosen = [p for p in found if p.src.startswith("pr:")] or found
    authors = {p.src: f"person:{p.author.lower()}" for p in chosen if p.author}
    if not authors:
        return None
    when = {p.src: (p.title, p.at) for p in chosen}
    facts = [
        by_path(run, f"{titled(src, when[src][0])}, {day(when[src][1])}, is by {called(who)}.", src, who) for src, who in authors.items()
    ]
    return answered(unique(authors.values()), facts, [things[0], *authors])


def _homes(u: Understanding, run: Run, thing: str) -> set[str]:
    """The repositories that may hold the code of a service: the one it says, else those of its name."""
    node = next((n for n in run.ctx.run("by_keys", keys=[thing]).nodes if n.key == thing), None)
    said = str(node.props.get("repo") or "") if node else ""
    same = {n.key.removeprefix("repo:") for n in u.lexicon.get(short(thing).rpartition("/")[2]) if n.label == "Repo"}
    return {said.removeprefix("repo:").lower()} if said else {name.lower() for name in same}
