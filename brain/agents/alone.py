"""“Is Ann the only one who …”, “did nobody but Ann …”: who did it is asked, and Ann must be all of them."""

from __future__ import annotations

import re

from brain.agents.plain import Plain, merged, unread, why_not
from brain.agents.run import Draft
from brain.agents.understand import Understanding
from brain.agents.wording import listing, short

_NAME = r"(?:@?%s(?:['\u2019]s)?)"
_ONE = r"(?:one|person|engineer|developer|contributor|author|reviewer|team|service|maintainer|owner|member|committer|colleague|human)"
_ONLY_ONE = re.compile(
    rf"^\W*(?:is|was|are|were)\s+(?:it\s+)?(?:the\s+)?\0(?: team| service)?\s+(?:really\s+|still\s+)?(?:the\s+)?(?:only"
    rf"|sole|single)\s+(?:{_ONE}\s+)?"
    r"(?:(?:who|that|which|to (?:have )?)\s*)?(?P<did>.+)$",
    re.I,
)
_ONLY = re.compile(
    r"^\W*(?P<aux>is|was|are|were|did|does|do|has|have|had|can|may)\s+(?:it\s+)?(?:only|just|solely)\s+(?:the\s+)?\0(?: team| service)?\s+"
    r"(?:(?:who|that|which)\s+)?(?P<did>.+)$",
    re.I,
)
_ALONE = re.compile(
    r"^\W*(?P<aux>is|was|did|does|has|had)\s+(?:the\s+)?\0(?: team| service)?\s+(?:alone|only|by (?:him"
    r"|her|it)self)\s+(?P<did>.+)$",
    re.I,
)
_NOUN = re.compile(
    r"^(?P<noun>owners?|maintainers?|(?:technical |tech )?leads?|authors?|reviewers?|contributors?"
    r"|committers?|members?)\s+(?:of|to|for|in|on)\s+",
    re.I,
)


def answer(u: Understanding, plain: Plain) -> Draft | None:
    """Yes or no, and who else; None for a question that does not ask whether somebody is the only one."""
    for m in (x for x in u.links.mentions if x.label in ("Person", "Team", "Service") and len(x.keys) == 1):
        put = u.question[: m.start] + "\0" + u.question[m.end :]
        found = _ONLY_ONE.match(put) or _ONLY.match(put) or _ALONE.match(put)
        if found:
            return _answered(u, plain, m.keys[0], _who(found), found[0].replace("\0", m.text))
    return None


def _who(found: re.Match[str]) -> str:
    """The question of who did it."""
    did = found["did"].strip(" ?")
    aux = found.groupdict().get("aux") or ""
    if role := _NOUN.match(did):
        return f"Who are the {role['noun'].rstrip('s')}s of {did[role.end() :]}?"
    lead = f"{aux.lower()} " if aux.lower() in ("has", "have", "had", "is", "was", "are", "were", "can", "may") else ""
    return f"Who {lead}{did}?" if not did.lower().startswith(("who ", "with ", "on call", "in ")) else f"Who is {did}?"


def _answered(u: Understanding, plain: Plain, key: str, asked: str, words: str) -> Draft:
    draft, _ = plain(asked, more=20)
    if draft.state != "answered":
        return unread(words, why_not(draft), asked)
    kind = key.partition(":")[0]
    fitting = [i for i in draft.items if i.partition(":")[0] == kind]
    if not fitting:
        return unread(words, f"which {kind} that is, is not told", asked)
    plain.settle()
    others = [i for i in fitting if i != key]
    facts = sorted(draft.facts, key=lambda f: key not in f.cites)
    if key in fitting and not others:
        return merged([draft], ["yes"], facts, "Yes.")
    shown = listing([short(k) for k in others], 8)
    also = f"Others too: {shown}." if key in fitting else f"{short(key)} is not among those: {shown}."
    return merged([draft], ["no"], facts, f"No. {also}")
