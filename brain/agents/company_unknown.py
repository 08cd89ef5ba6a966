"""Names that nothing loaded bears, written where the name of a service must stand: what is said of them cannot be told, and a
list of everything is no answer.
"""

from __future__ import annotations

import re

from brain.agents.understand import Understanding
from brain.text.lexicon import is_plain
from brain.text.link_things import RUNS

_STRANGER = r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+"
_OBJECT = re.compile(
    r"\b(?:depend\w* (?:directly )?(?:up)?on|rel(?:y|ies) (?:directly )?on|needs?|uses?|own(?:s|ed|er)?(?: of| by)?|on call for"
    r"|page(?:d)? for"
    r"|(?:tech|technical) lead (?:of|for)|responsible for|breaks? (?:if|when)|outage of|blast radius of|tickets? (?:of|about|for)"
    r"|deploy\w* (?:of|to|for)|alerts? (?:of|on|for)|incidents? (?:of|on|for)|service|answers? for|leads?)"
    rf"\s+(?:the\s+)?(?P<x>{_STRANGER})\b"
    rf"|\b(?P<y>{_STRANGER})(?:\s+service|['\u2019]s? (?:\w+ )?(?:owner|lead|dependenc\w+|tickets?|deploys?|alerts?|incidents?)"
    r"|:? (?:is|goes|went) down)\b"
    r"|\bthe (?P<z>[a-z][a-z0-9-]+) (?:(?:micro-?)?service|api)\b"
    rf"|\b(?P<w>{_STRANGER})\s+(?:apis?|interfaces?|endpoints?|databases?|buckets?|queues?)\b",
    re.I,
)
_EVERYDAY = re.compile(
    r"(?:on-call|follow-up|cross-\w+|long-\w+|well-\w+|self-\w+|non-\w+|re-\w+|one-\w+"
    r"|\w+-(?:based|level|wide|time|term|related|like|free|ready)"
    r"|public|rest|https?|internal|external|web|graphql|grpc|soap|open|private|same|whole|new|old|right|other|named|given|main|first|next|affected|failing|broken|customer|support)",
    re.I,
)


_HELD = re.compile(
    rf"\b(?P<x>{_STRANGER}) (?:belongs? to|(?:is|are|was) (?:owned|run|led|maintained|managed|looked after) by)"
    r" (?:the )?(?:TEAM|PERSON)\d",
    re.I,
)


def unknown_thing(u: Understanding) -> str:
    """What is written as the name of a service where one must stand, and is known to nothing that is loaded; else empty."""
    if not u.links.of(*RUNS) and (m := _HELD.search(u.masked)) and not is_plain(m["x"]) and not _EVERYDAY.fullmatch(m["x"]):
        return m["x"]
    if u.links.of(*RUNS, "Repo", "PullRequest", "Issue", "Commit", "Team", "Doc", "Ticket"):
        return ""
    for m in _OBJECT.finditer(u.masked):
        name = m["x"] or m["y"] or m["z"] or m["w"]
        taken = any(name.lower() == mention.text.lower() for mention in u.links.mentions)
        if not taken and not _EVERYDAY.fullmatch(name) and not is_plain(name):
            return name
    events = u.cued("deploy", "alert", "incident") and not u.cued("rule", "says", "discuss", "decide")
    return stray(u) if events and not u.links.of("Person") else ""


_EVENTS = r"(?:tickets?|issues?|cases?|alerts?|alarms?|deploy\w*|roll-?\w+|releases?|incidents?|outages?|changes?)"
_FRONT = re.compile(
    r"\b(?:for|on|of|to|in|at|by|from|with|against|hit|hits|hitting|affect\w*|touch\w*|concern\w*|involv\w*|about|mention\w*|deploy\w*|releas\w*"
    r"|did|does|do|has|have|had|was|were|is|are|when|and|or)\s+(?:the\s+)?(?:(?:micro-?)?service\s+|component\s+)?$",
    re.I,
)
_BACK = re.compile(
    rf"(?:['\u2019]s?)?\s*(?:$|[?.,!;:)]|(?:(?:have|has|had|get|got|see|saw|last|ever|never|also|just|already|still|this|in|on|since|before"
    rf"|after|during|between|caus\w+|rais\w+|receiv\w+|fail\w*|go|goes|went|service|is|was|were|be|been|and|or|yet|so|at|today"
    rf"|yesterday|recently|lately|fir\w+|deployed|released|rolled|down)\b|{_EVENTS}\b))",
    re.I,
)
_NAMELIKE = re.compile(
    r"[\"\u201c`](?P<q>[\w][\w .:/-]{1,60}?)[\"\u201d`]|(?<![\w-])(?P<h>[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)+)(?![\w-])"
    r"|(?<=[a-z,] )(?P<c>[A-Z][A-Za-z]{2,}[a-z])(?![\w-])"
)
_WIDELY_KNOWN = """slack jira zendesk github gitlab pagerduty prometheus alertmanager argo argocd kubernetes backstage confluence
    english utc monday tuesday wednesday thursday friday saturday sunday prod production staging"""
_KNOWN = frozenset(_WIDELY_KNOWN.split())


def stray(u: Understanding) -> str:
    """What stands in the question as a name, where a service may stand, and is known to nothing that is loaded; else empty."""
    taken = [mention.text.lower() for mention in u.links.mentions]
    for m in _NAMELIKE.finditer(u.masked):
        name = m["q"] or m["h"] or m["c"]
        low = name.lower()
        if low in _KNOWN or _EVERYDAY.fullmatch(name) or is_plain(name) or any(low in t or t in low for t in taken):
            continue
        front, back = _FRONT.search(u.masked[: m.start()]), _BACK.match(u.masked[m.end() :])
        if (front and back) or re.match(rf"\s+{_EVENTS}\b", u.masked[m.end() :], re.I):
            return name
    return ""
