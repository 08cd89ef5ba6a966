"""What a question asks about a company, read from the kinds of things it names and the words around them.

The first topic that fits decides; a question that names nothing of a company and uses none of its words has none.
"""

from __future__ import annotations

import re

from brain.agents import (
    company_deciding,
    company_firing,
    company_handing,
    company_handling,
    company_happened,
    company_moves,
    company_ruling,
    company_services,
    company_sources,
)
from brain.agents.asked import counts_other, unasked
from brain.agents.understand import Understanding
from brain.text.link_things import RUNS

EVENTS = ("Alert", "Incident", "Deploy")
_STRONG = re.compile(r"\b(?:own(?:s|ed|er|ers|ership|ing)?|responsib\w+|accountab\w+|in charge|code ?owners?)\b", re.I)
_CODE = re.compile(
    r"\b(?:prs?|pull[ -]?requests?|merge[ -]?requests?|commits?|issues?|reviews?|reviewed|reviewers?|approv\w+|merged|branch\w*"
    r"|releases?|tags?)\b", re.I
)
_DUTY = re.compile(r"\b(?:rota|shift|night|weekend|handover|handing over)\b", re.I)
WHO = ("people", "teams")
DESCRIBED = 4  # so many words that no role explains describe one thing rather than filter many
_ASKS_OF_IT = re.compile(
    r"^\W*(?:what(?:'s| is| are| does| do| kind of)|which|tell me about|describe|explain|details|information|overview|summar\w+|show|give)"
    r"\b[^,;:]{0,40}?"
    r"(?:SERVICE|TEAM|CHANNEL|ROLE)\d+(?: service| team| do| doing| for| about)?\W*$",
    re.I,
)


# Topics that know by themselves whether they are asked, the first that is decides.
_OF_THEIR_OWN = (
    ("services", company_services.asked), ("happened", company_happened.asked), ("numbered", company_happened.numbered),
    ("decision", company_deciding.verdict), ("handed", company_handing.asked), ("stands", company_firing.stands_asked),
    ("ongoing", company_firing.kind_asked),
)  # fmt: skip


def topic(u: Understanding) -> str:
    """The topic, or empty when the question is about repositories and what hangs on them alone."""
    if not u.lexicon.company:
        return ""
    if u.links.of("PullRequest", "Commit", "Release") and not u.links.of(*RUNS, "Ticket", *EVENTS):
        return "item" if u.cued("deploy", "ticket", "incident", "discuss") and not u.links.of("Release") else ""
    if len(u.links.of(*RUNS)) > 1 and u.cued("chain") and "conflict" not in u.cues:
        return "chain"
    if found := next((name for name, asks in _OF_THEIR_OWN if asks(u)), ""):
        return found
    if happened := _how_often(u):
        return happened
    if u.want == "count" and (unasked(u.masked) or counts_other(u.masked)):
        return "rule" if u.links.of("Rule") else "reading"
    return _named(u) or _conflict(u) or _about(u) or _unanchored(u)


def tells(u: Understanding) -> bool:
    """May a document, ticket or message of the company tell, since the question is not about repositories or a person's work?"""
    if u.links.of("Repo", "PullRequest", "Issue", "Commit", "Release", "File", "Directory") or _CODE.search(u.masked):
        return False
    if u.links.of("Person") and not u.cued("says", "discuss", "rule", "decide"):
        return False
    return u.want not in ("prs", "issues", "commits", "releases", "files", "directories", "labels", "months", "years")


_OFTEN = re.compile(r"\b(?:how many times|how often|number of times)\b(?!.*\b(?:may|must|can|should|allowed|ought|shall|per)\b)", re.I)


def _how_often(u: Understanding) -> str:
    """The kind of event of which it asks how many times it happened."""
    if u.want != "count" or not _OFTEN.search(u.masked) or u.links.of("Ticket", "PullRequest", "Person"):
        return ""
    if u.links.of(*EVENTS):
        return "event"
    return next((f"{cue}s" for cue in ("deploy", "incident", "alert") if u.cued(cue)), "")


def _named(u: Understanding) -> str:
    """Topics that a ticket, an alert, an incident, a deployment, a rule, a decision or a document decides."""
    if u.links.of("Ticket"):
        return "ticket"
    if u.links.of(*EVENTS):
        return "page" if u.cued("page", "oncall") and u.want in WHO and not u.cued("handle") else "event"
    if u.cued("conflict"):
        return ""
    if u.links.of("Rule"):
        return "rule_history" if u.cued("history", "replaced") and not u.cued("says") and not _dated(u) else "rule"
    if u.links.of("Decision") or (u.cued("decide") and company_deciding.records(u)):
        return "decision"
    if u.links.of("Doc") and not (company_sources.source_asked(u) and u.links.of(*RUNS) and u.cued("own", "lead")):
        return _document(u)
    return ""


def _dated(u: Understanding) -> bool:
    """Does it ask how things stand on a day, rather than how they came to be?"""
    to_come = u.says("will_change") and bool(u.window) and u.want != "yesno" and not re.search(r"\b(?:chang|alter|differ)", u.masked, re.I)
    return u.time.as_of is not None or to_come


def _document(u: Understanding) -> str:
    keeps = u.cued("maintain", "own", "lead") or u.says("keeps_document")
    if (u.want in WHO and keeps) or (u.has("author") and u.want in (*WHO, "date")):
        return "keeper"
    if u.want == "date" or (u.cued("valid", "replaced") and u.want in ("yesno", "text", "items")):
        return "document"
    return "reading"


def _conflict(u: Understanding) -> str:
    """Sources that disagree about who answers for something, and rules that contradict each other."""
    if not u.cued("conflict") or (_CODE.search(u.masked) and not u.cued("own", "rule", "lead")):
        return ""
    if u.cued("own", "lead", "maintain") or (u.links.of(*RUNS, "Team", "Repo") and not u.cued("rule")):
        return "disagreement"
    if u.cued("rule", "decide") or u.links.of("Rule", "Decision", "Doc"):
        return "rule_conflict"
    return ""


def _about(u: Understanding) -> str:
    """Topics of what runs and of teams."""
    things, teams = u.links.of(*RUNS), u.links.of("Team")
    if things and u.says("reporting") and u.want in WHO and u.cued("lead", "own") and not u.links.of("Person"):
        return "reports"
    if things and u.cued("lead", "own", "page", "oncall") and u.cued("needs", "needed") and not u.cued("page") and u.want in WHO:
        return "answering_for"
    if things and u.want == "teams" and u.cued("breaks", "needed", "needs") and not u.cued("own", "lead", "ticket", "handle"):
        return "answering_for"
    places = u.links.of("Repo", "Directory", "File")
    if u.links.of("Channel") and not (things or teams or places):
        return "discussed"
    if not (things or teams or places or u.links.of("Person", "Role")):
        return ""
    code = bool(_CODE.search(u.masked))
    runs = things or (places and not code and u.links.of("Repo"))
    if runs and u.want in ("deploys", "alerts", "incidents") and (found := _happening(u)):
        return found
    if runs and (found := _depending(u)):
        return found
    if (things or teams or places) and (found := _answering(u, bool(things or teams))):
        return found
    if runs and (found := _happening(u)):
        return found
    if things or teams:
        return _of_people(u) or _described(u)
    if places or code:
        return ""
    if u.links.of("Person") and u.cued("oncall") and not u.cued("page"):
        return "oncall"
    return "owned" if u.says("owned_by_them") and u.links.of("Person") and u.cued("own", "lead", "role", "maintain") else _of_people(u)


def _depending(u: Understanding) -> str:
    things = u.links.of(*RUNS, "Repo")
    if len(things) > 1 and u.cued("chain"):
        return "chain"
    if u.cued("breaks") and u.want != "date" and not (u.want in WHO and u.cued("page", "oncall", "own", "lead")):
        return "breaks"
    if u.cued("needed") and not (u.want in WHO and u.cued("own", "page", "oncall", "lead")):
        return "needed"
    return "needs" if u.cued("needs") and not u.cued("handle") else ""


def _answering(u: Understanding, runs: bool) -> str:
    """Who owns it, leads it, is on call or to be paged for it."""
    who = u.want in (*WHO, "text", "yesno", "date", "items", "count")
    if u.says("owned_by_them") and u.links.of("Team", "Person") and not u.links.of(*RUNS, "Repo"):
        return "owned"
    if u.cued("busfactor"):
        return "findings"
    if u.cued("orphaned") and runs:
        return "findings"
    if not who:
        return ""
    if runs and u.cued("handle") and u.cued("ticket") and u.want in (*WHO, "items"):
        return "handled"
    if u.want == "teams" and runs and not u.cued("ticket", "rule", "member", "page", "oncall"):
        return "own"
    if u.cued("page") and runs and u.want in (*WHO, "text", "items"):
        return "page"
    if u.cued("oncall"):
        return "oncall"
    if u.cued("lead"):
        return "lead"
    if u.cued("own") and not _belonging(u) and (runs or _STRONG.search(u.masked)) and not (u.cued("ticket") and u.want == "count"):
        return "own"
    return ""


def _belonging(u: Understanding) -> bool:
    """Is it asked who belongs to a team, rather than to whom something belongs?"""
    return bool(u.links.of("Team")) and not u.links.of(*RUNS) and bool(re.search(r"\bwho\b[^?]*\bbelong", u.masked, re.I))


def _happening(u: Understanding) -> str:
    """What changed, fired, went wrong or was worked on."""
    if u.want in WHO and company_happened.at_work(u):
        return "changes"
    if u.want == "count" and u.kind not in ("issues", "deploys", "alerts", "incidents"):
        return ""
    if u.cued("alert") and u.want not in WHO:
        return "alerts"
    if u.cued("incident") and u.want not in WHO:
        return "incidents"
    if u.cued("ticket", "handle") and u.want in WHO and u.links.of(*RUNS, "Team"):
        return "handled"
    if u.cued("ticket") and u.links.of(*RUNS, "Team"):
        return "tickets"
    if u.cued("deploy"):
        return "deploys"
    if u.cued("changed") and u.links.of(*RUNS):
        return "changes"
    if u.has("know") and u.want in WHO:
        return "experts" if u.links.of(*RUNS) else ""
    return ""


def _of_people(u: Understanding) -> str:
    """Membership, roles, and who left."""
    if u.cued("rule") and u.links.of("Team", "Role") and not u.cued("member"):
        return "rule"
    if u.says("reporting") and u.links.of("Person"):
        return "reports"
    if u.links.of("Person") and company_handling.theirs(u) and not _CODE.search(u.masked):
        return "tickets"
    if company_moves.asked(u):
        return "moved"
    if u.cued("departed") and u.links.of("Person"):
        return "person"
    if u.cued("member") and u.links.of("Team", "Person"):
        return "member"
    if u.cued("role") and u.links.of("Role", "Person"):
        return "role"
    if u.links.of("Person") and not u.aspects and u.cued("own", "lead", "oncall", "maintain", "contact"):
        return "person"
    return ""


def _described(u: Understanding) -> str:
    """What is said about a service or team that no other topic asks for."""
    if u.cued("decide"):
        return "decision"
    if u.cued("rule") and not u.cued("says"):
        return "rule"
    if u.cued("discuss"):
        return "discussed"
    if u.cued("says"):
        return "reading"
    if u.cued("tier", "provides", "part", "contact"):
        return "details"
    if u.want in (*WHO, "text", "services") and not _CODE.search(u.masked):
        return ("reading" if u.words else "own") if u.want in WHO else "details" if _ASKS_OF_IT.search(u.masked) else "reading"
    return ""


def _unanchored(u: Understanding) -> str:
    """Topics of questions that name nothing of a company but use its words."""
    if not u.links.of("Repo", "File", "Directory", "Issue") and u.cued("rule", "history") and company_ruling.meant(u):
        return "rule_history" if u.cued("history") and not _dated(u) else "rule"
    if u.links.of("Repo", "File", "Directory", "Issue") or (_CODE.search(u.masked) and not u.cued("decide", "rule")):
        return ""
    if u.cued("orphaned", "busfactor") or (u.cued("departed") and u.cued("own", "lead")):
        return "findings"
    if u.cued("central"):
        return "central"
    if u.cued("oncall"):
        return "oncall"
    for cue, found in (("ticket", "tickets"), ("deploy", "deploys"), ("alert", "alerts"), ("incident", "incidents")):
        listed = u.want == found or (found == "tickets" and u.want in ("issues", "items", *WHO) and len(u.words) < DESCRIBED)
        listed = listed or (found == "tickets" and u.want == "text" and u.has("assign") and bool(u.links.of("Person")))
        told = u.want == "text" and bool(u.window) and len([w for w in u.words if not w.startswith("happen")]) == 0
        ranked = u.want in ("services", "teams") and (u.most or u.least)
        if u.cued(cue) and (listed or told or ranked or (u.want == "count" and u.kind in (found, "issues"))):
            return found
    if u.want == "decisions" or (u.cued("decide") and not u.cued("says")):
        return "decision"
    if u.cued("rule") and not (u.cued("says") and u.cued("discuss")):
        return "rule_history" if u.cued("history") and not _dated(u) else "rule"
    if u.cued("discuss") and not u.aspects:
        return "discussed"
    if u.cued("says") or _DUTY.search(u.masked):
        return "reading"
    return "role" if u.cued("role") and u.want in WHO else ""
