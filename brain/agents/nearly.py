"""A name that nothing loaded bears and that is nearly that of something: said with what it is near to, where nothing else is answered."""

from __future__ import annotations

import re

from brain.agents.understand import Understanding
from brain.agents.wording import listing, short
from brain.text.lexicon import COMMON, is_plain, plain
from brain.text.link_things import RUNS

_TOKEN = re.compile(r"(?<![\w/@.-])[A-Za-z][\w-]{4,}(?![\w/.-])")
_LABELS = (*RUNS, "Team", "Repo", "Person")
CLOSE = 80.0


_FOR = re.compile(
    r"\b(?:on[- ]call|on duty|(?:carries|has|holds) the pager|standby) (?:for|of|in|at) (?:the |our )?"
    r"(?P<word>[a-z][\w-]{3,})(?: team| service| squad)?\W*$",
    re.I,
)
_ALL = """everything anything company organisation organization whole incidents alerts production weekend night today tonight tomorrow
    moment"""
_WHOLE = frozenset(_ALL.split())


def stray_duty(u: Understanding) -> str:
    """What somebody is said to be on call for that nothing loaded is called; empty where all is asked for or a known thing."""
    m = _FOR.search(" ".join(u.masked.split()))
    if not m or [x for x in u.links.mentions if x.label not in ("Concept", "")] or m["word"].lower() in _WHOLE:
        return ""
    return m["word"]


def near(u: Understanding) -> str:
    """One sentence that names what is written like a name and what it is near to; empty where nothing is."""
    for m in _TOKEN.finditer(u.question):
        word = m[0]
        named = bool(re.search(r"[-_\d]", word)) or not is_plain(word)
        one = word.rstrip("s")
        known = plain(word) in COMMON or is_plain(one) or u.lexicon.get(one) or u.lexicon.get(word)
        if not named or known or not u.links.free(m.start(), m.end()):
            continue
        found = list(dict.fromkeys(n.key for label in _LABELS for n in u.lexicon.nearest(word, label, CLOSE)))
        if found:
            near_to = f"near to it {'is' if len(found) == 1 else 'are'} {listing(map(short, found), 4)}"
            return f"\u201c{word}\u201d: nothing of that name is loaded; {near_to}."
    return ""
