"""What is asked for: people, a number, a date, a reason, yes or no, or a kind of thing. Read from where the
question words stand, so that any phrasing is read the same.
"""

from __future__ import annotations

import re
from itertools import pairwise

from brain.agents.words import words

_BY_NUMBER = ("by ", "by the ", "largest ", "greatest ", "highest ", "biggest ", "smallest ", "lowest ", "which ")
_COUNTABLE = r"(?:prs?|pull requests?|issues?|reviews?|approvals?|comments?|commits?|releases?|tags?|files?)"
COUNT = re.compile(
    "".join(rf"(?<!\b{word})" for word in _BY_NUMBER)
    + r"(?:\b(?:how many|how much|(?:total )?number of(?! PERSON\d)|count of|how often|how frequently|how long is"
    rf"|total (?:number|count|of)|total(?= (?:\w+ ){{0,2}}{_COUNTABLE}\b)|tally|what'?s the (?:total|count)|amount of|quantity of"
    r"|in total|how large|how big)"
    r"|,\s*count(?:,? please)?\W*$"
    r"|(?:^|[.?!;:]\s*|\b(?:please|and|then|just|to|can you|could you)\s+)count\b"
    r"(?! (?:each|every|once|single|prs|pull requests)\b.*\bnot\b))",
    re.I,
)
_ASKS = (
    r"(?:^|[.?!,;:(\u2013-]\s*"
    r"|\b(?:and|or|but|from|by|with|to|for|of|me|us|know|say|tell|show|name|list|then|so|exactly|did|say,?)\s+)"
)
_THOSE = r"(?:(?:those|everyone|everybody|anyone|anybody|the (?:ones|people|person)) )?"
_WHO = re.compile(rf"(?:{_ASKS}{_THOSE}|^\W*[A-Z]+\d+\W+)(?P<who>who|whose|whom|who['\u2019]?s)\b|\b(?P<by>by)\s*\?", re.I)
_WHEN = re.compile(
    rf"{_ASKS}when\b"
    r"|\b(?:what (?:date|day|time)|which (?:date|day)|at what point|on (?:what|which) (?:date|day)|how long ago|since when)\b",
    re.I,
)
_YESNO = re.compile(
    r"^[\s,;:]*(?:so,?\s+|and\s+|but\s+)?(?:is|are|was|were|did|does|do|has|have|had|can|could|will|would)\b"
    r"(?! (?:you|we) (?:tell|list|show|name|give|find|say))",
    re.I,
)
_OFTEN = re.compile(r"\b(?:how often|how frequently|how many times|how long)\b", re.I)

_NOT_A_THING = r"(?i:of|in|on|at|did|does|do|has|have|were|was|are|is|there|different|distinct)"
_AFTER_COUNT = r"(?i:did|does|do|has|have|had|were|was|are|is|run|runs|use|uses|in|on|at|for|by|with|per|may|might|can|could|should|must)"
_AFTER_WHOSE = r"(?i:did|does|do|has|have|is|are|was|were|should|can|would|in|on|for|i|we)"
_UNASKED = re.compile(
    rf"(?:\b(?i:how many|by how many)|(?:^|\b(?i:the|total|what is the|count the)\s+)(?i:number of))\s+(?!{_NOT_A_THING}\b)"
    rf"(?P<count>(?:[\w-]+\s+){{0,3}}?)(?={_AFTER_COUNT}\b|[A-Z]+\d)"
    rf"|(?:^|[.?!]\s+)(?i:whose)\s+(?P<whose>(?:[\w-]+\s+){{1,3}}?)(?={_AFTER_WHOSE}\b)"
)
_FUTURE = re.compile(r"\bwill\b.{0,60}\b(?:next|tomorrow|future|upcoming|soon|eventually)\b|^\W*(?:who|when|which \w+) will\b", re.I)
_OWNED_WORDS = re.compile(
    r"\b(?:work|code|reviews?|approvals?|prs?|pull|requests?|changes?|patch(?:es)?|issues?|tickets?|commits?|comments?|idea|proposal"
    r"|name|merges?|contributions?|turn|job|side|opinion|feedback|times|loc|lines?)\b",
    re.I,
)


def unasked(masked: str) -> str:
    """A thing the question asks for that no organisation's repositories can tell, such as a phone number
    or customers; empty when what it asks for is known.
    """
    if _FUTURE.search(masked):
        return "what has not happened yet"
    much = re.search(r"\bhow much\b", masked, re.I)
    if much and not words().noun.search(" ".join(masked[much.end() :].split()[:3])):
        return "amounts of that kind"
    for m in _UNASKED.finditer(masked):
        thing = (m["count"] or m["whose"] or "").strip()
        if thing and not words().noun.search(thing) and not _OWNED_WORDS.search(thing) and not re.search(r"[A-Z]+\d", thing):
            return thing
    return ""


_MANY = re.compile(r"\b(?:how many|number of|count of)\s+((?:[a-z-]+\s+){0,2}?[a-z-]+)\b", re.I)


def counts_other(masked: str) -> bool:
    """Is a number of something asked for that is no kind of thing that is loaded, such as minutes or warnings?"""
    m = _MANY.search(masked)
    return bool(m) and not words().noun.search(" ".join(masked[m.start(1) :].split()[:3]) if m else "")


_NOT_HEAD = re.compile(
    r"(?:\b(?:in|of|from|to|at|on|for|by|with|without|lacking|into|across|outside|inside|within|over|under|than|per|through|via|and|or|both|between"
    r"|against|as)(?: (?:the|a|an|any|all|each|every|own|other|another|its|their|his|her|our|same|that|this|new|merged|open|closed|two))*"
    r"|\b(?:its|their|his|her) own)\s*$",
    re.I,
)
_IMPERATIVE = (
    r"\b(?:list|show(?: me)?|name|give(?: me| us)?|find(?: me| us| out)?|tell me|enumerate|identify|get(?: me)?|display|need|want"
    r"|like to know|looking for|please)\b"
)
_ASKS_FOR = re.compile(rf"\b(?:which|what|whichever|any|all(?: the)?|are there|is there|were there|was there)\b|{_IMPERATIVE}", re.I)
_ANOTHER_CLAUSE = re.compile(
    r"\b(?:is|are|was|were|did|does|do|has|have|had|about|that|who|whose|when|why|how|where|which|what|if|whether)\b|[?;]|PERSON\d", re.I
)
_SUPERLATIVE = re.compile(
    r"\bwhat(?:['\u2019]s| is| was| are| were) (?:the|REPO\d+['\u2019]s?|PERSON\d+['\u2019]s?) (?:\w+ )?"
    r"(?:largest|biggest|smallest|latest|newest|oldest|earliest|longest|most \w+|last|first) ",
    re.I,
)
_WHAT_IS_THE = re.compile(r"\bwhat (?:is|was|are|were) (?:the|that) (?!number|name|title|state|status|reason|point)", re.I)
_EXPLAINED = re.compile(r"\w+ (?:that|which|where|who|whose|about|on|in which|with|for|from|asking|proposing|to)\b")
_VERBISH = re.compile(r"changes?|fix(?:es)?|reports|reviews|releases|comments|documents|(?:ask|request)s? (?:for )?changes", re.I)


def heads(masked: str) -> list[tuple[int, str]]:
    """The nouns that may be what is asked for: not those that a preposition or possessive makes a place."""
    masked = re.sub(r"cross-?repo\w*", lambda m: "x" * len(m[0]), masked, flags=re.I)
    every = list(words().noun.finditer(masked))
    found = [m for i, m in enumerate(every) if not (i and every[i - 1].end() + 1 == m.start() and _VERBISH.fullmatch(m[0]))]
    last = [m for m, after in pairwise([*found, None]) if m and (after is None or masked[m.end() : after.start()] not in (" ", "-"))]
    return [(m.start(), str(m.lastgroup)) for m in last if not _NOT_HEAD.search(masked[: _phrase_start(found, m)])]


def _phrase_start(found: list[re.Match[str]], m: re.Match[str]) -> int:
    """Where a compound such as "commit author" begins."""
    before = [f for f in found if f.end() + 1 == m.start()]
    return before[-1].start() if before else m.start()


def want(masked: str) -> tuple[str, str]:
    """(answer type, the kind of thing asked about): the first of who, when, why, how many, or a noun
    asked for by which, what or an imperative decides.
    """
    nouns = heads(masked)
    every = [(m.start(), str(m.lastgroup)) for m in words().noun.finditer(masked)]
    first = nouns[0][1] if nouns else every[0][1] if every else ""
    asked = _asked_noun(masked, nouns)
    found: list[tuple[int, str, str]] = []
    if count := COUNT.search(masked):
        found.append((count.start(), "count", _counted(masked, count, nouns, every) or first))
    if why := words().flags["why"].search(masked):
        found.append((why.start(), "text", first))
    if when := _WHEN.search(masked):
        found.append((when.start(), "date", first))
    if who := _WHO.search(masked):
        found.append((who.start(), "people", first if first != "people" else next((n for _, n in every if n != "people"), "people")))
    if asked:
        found.append((asked[0], asked[1], asked[1]))
    if found:
        return _first_of(sorted(found), masked)
    if polite := re.search(r"[?.!]\s*(?:just |only )?(?:the )?(\w[\w -]*?),? please\W*$", masked, re.I):
        noun = words().noun.search(polite[1])
        if noun:
            return str(noun.lastgroup), str(noun.lastgroup)
    if _YESNO.search(masked):
        return "yesno", first
    if re.match(r"\s*(?:what|how|explain|describe|tell me about|summar\w+|where)\b", masked, re.I):
        return "text", first
    return (first, first) if nouns and not _narrative(masked, nouns[0][0]) else ("text", first)


_SUBJECT = re.compile(
    r"\W*(?:\w+\s+){0,2}?(?:tickets?|issues?|bugs?|prs?|pull requests?|commits?|reviewers?|authors?|releases?|tags?)\b", re.I
)


def _narrative(masked: str, at: int) -> bool:
    """A description without a question word whose first kind of thing comes late: it describes, it does not ask for it."""
    before = masked[:at]
    return len(before.split()) > 3 and not _SUBJECT.match(masked) and not re.search(r"\b(?:REPO|PERSON|PATH|ITEM|RELEASE)\d", before)


def _counted(masked: str, count: re.Match[str], nouns: list[tuple[int, str]], every: list[tuple[int, str]]) -> str:
    """What a count phrase counts: the noun right behind it, else the next head, else the last before it."""
    near = next(((at, n) for at, n in every if at >= count.end() - 1), None)
    if near and len(masked[count.end() : near[0]].split()) <= 3 and not _OFTEN.search(masked):
        return near[1]
    if _OFTEN.search(masked):
        return next((n for at, n in nouns if at >= count.end() and n in EVENTS), "")
    after = next((n for at, n in nouns if at >= count.end() - 1 and n in EVENTS), "")
    return after or next((n for at, n in reversed(nouns) if at < count.start()), "")


EVENTS = (
    "change_requests",
    "approvals",
    "reviews",
    "comments",
    "commits",
    "releases",
    "issues",
    "prs",
    "files",
    "people",
    "repositories",
    "directories",
    "labels",
)


_CLAUSE_FIRST = re.compile(r"\W*when\b[^?,]*,\s*(?:then\s+)?(?:what|which|who|whom|how|where|why|should|must|can|do|does|is|are)\b", re.I)


def _first_of(found: list[tuple[int, str, str]], masked: str) -> tuple[str, str]:
    """The first asker wins, except that an imperative with a noun later overrides who ("give me the issues"),
    and a yes/no question that goes on with which is a which question.
    """
    at, want, kind = found[0]
    if want == "date" and _CLAUSE_FIRST.match(masked):
        others = [f for f in found[1:] if f[1] != "date"]
        return (others[0][1], others[0][2]) if others else ("text", kind)
    later = [f for f in found[1:] if f[1] not in ("count", "text", "date", "people")]
    ranked = [f for f in found[1:] if f[1] not in ("count", "text", "date")]
    if want == "count" and ranked and re.search(r"[:,;]\s*(?:\w+\s+){0,2}$", masked[: ranked[0][0]]):
        return ranked[0][1], kind if ranked[0][1] == "people" else ranked[0][2]
    if want == "date" and later and re.match(r"\s*when\b[^?]*,", masked, re.I):
        return later[0][1], later[0][2]
    if want in ("people", "text", "date") and later:
        rest = masked[at:]
        command = re.search(r"[.?!:;]\s*(?:give|list|show|name|i (?:need|want))\b", rest, re.I)
        exact = re.search(r"(?:i\.?e\.?,?|that is,?|namely) (?:in )?(?:what|which)\b", rest, re.I)
        if command or exact:
            return later[0][1], later[0][2]
    return want, kind


def _asked_noun(masked: str, nouns: list[tuple[int, str]]) -> tuple[int, str] | None:
    """The noun that which, what or an imperative asks for, with where the asking starts."""
    for match in _ASKS_FOR.finditer(masked):
        at, noun = next(((at, noun) for at, noun in nouns if at >= match.end()), (0, ""))
        between = masked[match.end() : at]
        if noun and len(between.split()) <= 6 and not _ANOTHER_CLAUSE.search(between):
            return match.start(), noun
    most = _SUPERLATIVE.search(masked)
    at, noun = next(((at, noun) for at, noun in nouns if most and at >= most.end()), (0, ""))
    if most and noun and len(masked[most.end() : at].split()) <= 1:
        return most.start(), noun
    said = _WHAT_IS_THE.search(masked)
    at, noun = next(((at, noun) for at, noun in nouns if said and at >= said.end()), (0, ""))
    if said and noun and len(masked[said.end() : at].split()) <= 3 and _EXPLAINED.match(masked[at:]):
        return said.start(), noun
    return None


def flags(masked: str) -> list[str]:
    """The question words that stand in a question: who, when, count, often."""
    return [name for name, pattern in (("who", _WHO), ("when", _WHEN), ("count", COUNT), ("often", _OFTEN)) if pattern.search(masked)]
