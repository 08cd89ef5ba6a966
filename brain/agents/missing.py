"""What stands in the way of an answer: names nobody knows, names of several things, things nobody records."""

from __future__ import annotations

from brain.agents import reader, retrieve
from brain.agents.asked import unasked
from brain.agents.kinds import MEASURED
from brain.agents.named import itself
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import listing, short
from brain.text.link_things import COMPANY, RUNS
from brain.text.mentions import Mention, repo_of

_OF_A_COMPANY = ("services", "teams", "deploys", "alerts", "incidents", "rules", "decisions", "channels", "threads")
_ONE_IN_EACH_REPO = ("number", "sha", "tag", "path", "title")


def missing(u: Understanding, run: Run) -> Draft | None:
    """The draft that says what is unknown or could be several things; None when nothing stands in the way."""
    return unknown(u) or untold(u, run) or unclear(u, run)


def unknown(u: Understanding) -> Draft | None:
    """That a name is known to nothing that is loaded."""
    for text, why in u.links.unknown:
        known = [m.text for m in u.links.mentions if m.label in ("Repo", "Person")]
        near = f" {listing(known, 3)} is known." if known else ""
        return Draft(state="insufficient", facts=[Fact(f"{text}: {why}.{near}")])
    return None


def untold(u: Understanding, run: Run) -> Draft | None:
    """That what is asked for is of a kind that nothing loaded tells of; a number is looked for in passages."""
    thing = unasked(u.masked)
    if thing and u.says("a_number") and len(thing.split()) <= 2 and u.words:
        of = ["PullRequest", "Issue"] if u.lexicon.company else None
        return reader.measured(u, retrieve.passages(run, u, "hybrid", 12, of=of), thing.split()[-1], run.last)
    if not thing and u.want == "count" and u.kind in _OF_A_COMPANY:
        thing = u.kind
    return Draft(state="insufficient", facts=[Fact(f"Nothing that is loaded tells of {thing}.")]) if thing else None


def unclear(u: Understanding, run: Run) -> Draft | None:
    """That a name could be several things."""
    return next((_which(m, run) for m in u.links.ambiguous if _unclear(u, m)), None)


def _unclear(u: Understanding, mention: Mention) -> bool:
    """Must the question say which one it means?

    Sets and counts take a path in all repositories that have it; all things of a title are told of when
    they are what is asked for.
    """
    if mention.text == "CODEOWNERS" and u.cued("own", "conflict"):
        return False
    if mention.label == "Person":
        return u.want != "text"
    if mention.label in COMPANY:
        return mention.label in (*RUNS, "Team") or (mention.label == "Decision" and mention.how == "decision")
    if mention.how not in _ONE_IN_EACH_REPO or len({repo_of(key) for key in mention.keys}) < 2:
        return False
    all_of_them = u.want in (*MEASURED, "count") or (u.want in ("text", "people") and bool(u.state))
    return not (mention.how == "path" and all_of_them) and not itself(u, mention)


def _which(mention: Mention, run: Run) -> Draft:
    if mention.label in COMPANY:
        fact = Fact(f"{mention.text} could be {listing(mention.keys, 6)}. Give the key.", mention.keys[:6], step=run.last)
        return Draft(state="insufficient", facts=[fact], entries=list(mention.keys[:6]))
    options = [key.partition(":")[2] if mention.how == "path" else short(key) for key in mention.keys]
    which = "Say who" if mention.label == "Person" else "Name the repository"
    fact = Fact(f"{mention.text} could be {listing(options, 6)}. {which}.", mention.keys[:6], step=run.last)
    return Draft(state="insufficient", facts=[fact], entries=list(mention.keys[:6]))
