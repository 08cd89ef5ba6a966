"""What a question takes for granted about a company: that somebody owns, leads or belongs to something, that a decision
stands, that a rule has a value, that one thing needs another. Read from its grammar; what is asked is no premise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from brain.agents import company_strangers
from brain.agents.understand import Understanding, mask
from brain.text.timewords import TimeWords


@dataclass(frozen=True)
class Premise:
    """One thing taken for granted: its kind, the keys of who or what it is about, what is said of it, and where in which text it
    stands.
    """

    kind: str
    subject: tuple[str, ...]
    object: tuple[str, ...] = ()
    value: str = ""
    start: int = 0
    end: int = 0
    text: str = ""


_S = r"(?P<s>(?:PERSON|TEAM|STRANGER)\d+)"
_O = r"(?P<o>(?:SERVICE|REPO|PATH|TEAM)\d+)"
_T = r"(?P<o>TEAM\d+)"
_D = (
    r"(?:(?:the|our|a|an|its|their|this|that|whole|entire|current|present|official|actual|sole|main|whichever|service|system|team|squad) )*"
)
_ADV = (
    r"(?:(?:still|currently|now|also|actually|officially|after all|really|already|alone|of course|indeed|apparently|anyway|both|always) )*"
)
_BE = rf"(?:(?:is|are|was|were|has been|remains|acts as|serves as|being) {_ADV}{_D})"
_WHO = r"(?: team| squad| group| crew)?(?:,? (?:who|that|which)|,)?"
_THING = rf"{_D}{_O}"
_OWNER = r"(?:(?:\w+ )?owners?|person responsible|one responsible|responsible person|custodian|steward)"
_LEADER = r"(?:tech(?:nical)?[ -]?leads?|leads?|technical (?:head|leader|owner)|head|lead (?:engineer|developer))"
_OWN_VERB = (
    r"(?:owns?|holds?|(?:is|are) (?:responsible|accountable|answerable) for|(?:is|are) in charge of|answers? for|looks? after"
    r"|takes? care of|runs?|maintains?|manages?)"
)
_MEMBER = r"(?:member|part|engineer|developer|colleague|someone|person|employee)"
_MODAL = r"(?:,? (?:can|could|may|should|must|shall|might|will|would|is|does|do|has|ought)\b(?: \w+){0,2}?|,(?: \w+){0,3}?)? ?"
_VALUE = (
    r"(?P<v>(?:(?:about|only|just|at|still|now|always|exactly|already) )*(?:\d[\d.,:]*"
    r"|an? (?=hour|day|week|month|minute|year|quarter|half)|one|two|three|four|five|six|seven|eight|nine"
    r"|ten|twelve|twenty|thirty"
    r"|forty|fifty|sixty|ninety|half|no|none|never|not|required|optional|every|each|mon|tues|wednes|thurs|fri|satur|sun)[\w:.,%°€$ -]*?)"
)
_END = r"(?=\s*(?:[,;?!]|\.\s|\.$|$|\bso\b|\band\b|\bbut\b|\bthen\b|\bare\b|\bis\b|\bdo\b|\bdoes\b|\bcan\b|\bshould\b|\bwhat\b|\bwho\b))"
_SPAN = r"(?P<v>(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty)[- ](?:minute|hour|day|week|month)s?)"
_SLOT = (
    r"(?P<n>(?:[a-z][\w-]* ){0,6}?(?:deadline|limit|window|period|time|rule|freeze|interval|threshold|retention|policy|minimum"
    r"|maximum|quota|lifetime|approval))"
)

_PATTERNS: tuple[tuple[str, str], ...] = (
    ("own", rf"{_S}{_WHO} {_ADV}{_OWN_VERB} {_THING}"),
    ("own", rf"{_S}{_WHO} {_BE}{_OWNER} (?:of|for) {_THING}"),
    ("own", rf"{_S} ?[,(] ?{_D}{_OWNER} (?:of|for) {_THING}"),
    ("own", rf"{_OWNER} (?:of|for) {_THING},? {_S}"),
    ("own", rf"{_O}(?:['\u2019]s)? (?:\w+ )?owner,? {_S}"),
    (
        "own", rf"{_O},? (?:which |that )?{_ADV}(?:belongs to|(?:is|are) {_ADV}(?:owned|run|maintained|managed|looked after"
            rf"|held) by) {_D}{_S}"
    ),
    ("own", rf"(?:\bas|being) {_D}{_OWNER} (?:of|for) {_THING},?{_MODAL}{_S}"),
    ("own", rf"{_S}(?:['\u2019]s)? ownership of {_THING}"),
    ("own", rf"{_O}['\u2019]s {_OWNER} (?:is|being) {_D}{_S}"),
    ("own", rf"(?:\bas|being) {_O}['\u2019]s {_OWNER},?{_MODAL}{_S}"),
    ("own", rf"{_S},? as {_D}{_OWNER} (?:of|for) {_THING}"),
    ("own", rf"{_S},? being {_ADV}(?:responsible for|accountable for|in charge of) {_THING}"),
    ("possessive", rf"{_O} (?:is|are) {_ADV}{_D}{_S}(?=\s*(?:[,;.]|so\b|and\b))"),
    ("own", rf"why (?:is|was|are) {_S} {_D}{_OWNER} (?:of|for) {_THING}"),
    ("own", rf"why (?:does|do|did) {_S} own {_THING}"),
    ("lead", rf"{_S}{_WHO} {_ADV}(?:leads|heads|runs) {_THING}(?: technically)?"),
    ("lead", rf"{_S}{_WHO} {_BE}{_LEADER} (?:of|for|on|behind|in) {_THING}"),
    ("lead", rf"{_S} ?[,(] ?{_D}{_LEADER} (?:of|for|on|in) {_THING}"),
    ("lead", rf"{_S} ?[,(] ?{_O}['\u2019]s {_LEADER}"),
    ("lead", rf"{_S} ?\( ?{_D}{_LEADER},? {_THING} ?\)"),
    ("own", rf"{_S} ?\( ?{_D}{_OWNER},? {_THING} ?\)"),
    ("lead", rf"{_LEADER} (?:of|for|on) {_THING},? {_S}"),
    ("lead", rf"{_O}(?:['\u2019]s)? {_LEADER},? (?:is |being )?{_S}"),
    ("oncall", rf"{_S}(?:,| who is|, who is) on[- ]call (?:for|of|in) {_THING}"),
    ("lead", rf"{_O},? (?:which |that )?(?:is|being) {_ADV}(?:technically )?(?:led|headed) by {_D}{_S}"),
    ("lead", rf"(?:\bas|being) {_D}{_LEADER} (?:of|for|on|in) {_THING},?{_MODAL}{_S}"),
    ("lead", rf"(?:\bas|being) {_O}['\u2019]s {_LEADER},?{_MODAL}{_S}"),
    ("lead", rf"{_S},? as {_D}{_LEADER} (?:of|for|on|in) {_THING}"),
    ("lead", rf"why (?:is|was) {_S} {_D}{_LEADER} (?:of|for|on) {_THING}"),
    ("oncall", rf"{_S}{_WHO} {_BE}(?:on[- ]call|on duty|primary|secondary)(?: \w+)? (?:for|of|in|at) {_THING}"),
    ("oncall", rf"(?:\bas|being) {_D}(?:on[- ]call|primary|secondary)(?: \w+)? (?:for|of|in) {_THING},?{_MODAL}{_S}"),
    ("member", rf"{_S}{_WHO} {_BE}(?:{_MEMBER} (?:of|in|on)|in|on|with) {_D}{_T}"),
    ("member", rf"{_S}{_WHO} {_ADV}(?:works|sits|belongs|serves|is working|is based) {_ADV}(?:in|on|for|to|with|at) {_D}{_T}"),
    ("member", rf"{_S} ?[,(] ?{_D}{_MEMBER} (?:of|in|on|from) {_D}{_T}"),
    ("member", rf"(?:\bas|being) {_D}{_MEMBER} (?:of|in|on|from) {_D}{_T},?{_MODAL}{_S}"),
    ("role", rf"{_S}{_WHO} (?:{_BE}|holds {_D})(?P<o>ROLE\d+)"),
    ("role", rf"(?:\bas|being) {_D}(?P<o>ROLE\d+),?{_MODAL}{_S}"),
    ("role", rf"{_S} ?[,(] ?{_D}(?P<o>ROLE\d+)[,)]"),
    ("manages", rf"(?:\bas|being) {_D}(?:line |direct )?(?:manager|boss|supervisor|superior) of (?P<o>PERSON\d+),?{_MODAL}{_S}"),
    ("reports", rf"{_S}{_WHO} {_ADV}(?:reports|answers) (?:directly )?to (?P<o>PERSON\d+)"),
    ("manages", rf"{_S}{_WHO} {_BE}(?P<o>PERSON\d+)(?:['\u2019]s)? (?:line |direct )?(?:manager|boss|supervisor|superior)"),
    ("manages", rf"{_S}{_WHO} {_BE}(?:line |direct )?(?:manager|boss|supervisor|superior) of (?P<o>PERSON\d+)"),
    ("left", rf"{_S}{_WHO} (?:has |have )?{_ADV}(?:left|quit|resigned|departed|gone)\b"),
    ("left", rf"{_S}{_WHO} (?:is|are) (?:gone|no longer (?:here|with us|employed|working))"),
    ("keeps", rf"{_S}{_WHO} {_ADV}(?:maintains|keeps|curates|wrote|edits) {_D}(?P<o>DOC\d+)"),
    (
        "stands", rf"(?P<s>DECISION\d+)(?:,? (?:which|that))? (?:{_BE}|has (?:been )?)(?P<v>in force|in effect|accepted|valid|binding"
            rf"|active|approved|adopted|current|effective)"
    ),
    ("stands", r"(?P<s>DECISION\d+)(?:,? (?:which|that))? (?:still )?(?P<v>holds|applies|stands|binds us|is what we follow)\b"),
    (
        "stands", rf"(?P<s>DECISION\d+)(?:,? (?:which|that))? (?:{_BE}|has (?:been )?)(?P<v>superseded|replaced|rejected|proposed"
            rf"|deprecated|withdrawn|obsolete|overruled|dead)"
    ),
    ("stands", r"(?:under|according to|following|because of) (?:the )?(?:accepted|valid|binding|current) (?P<s>DECISION\d+)(?P<v>)"),
    (
        "replaced", r"(?P<s>DECISION\d+) (?:has |have )?(?:replaces|replaced|supersedes|superseded|overrides"
            r"|overruled) (?:the )?(?P<o>DECISION\d+)"
    ),
    ("replaced", r"(?P<o>DECISION\d+) (?:is|was|has been|got) (?:replaced|superseded|overruled) by (?:the )?(?P<s>DECISION\d+)"),
    (
        "value", rf"(?P<s>RULE\d+)(?:,? (?:which|that))? (?:is|are|stands at|lies at|was set to|equals|remains|has become|being|of|says"
            rf"|:) {_VALUE}{_END}"
    ),
    (
        "value", rf"\b(?:the|our|a|an|with)(?: the| our| an?)? (?:current |present )?{_SLOT} "
        rf"(?:is|are|of|(?:now )?(?:stands |set |fixed |standing )?at|set to|being|remains|says) {_VALUE}{_END}"
    ),
    (
        "value",
        rf"\b(?:under|with|given|because of|despite|due to|considering) (?:the|our|an?) (?:new |current )?{_SPAN}[- ]{_SLOT}\b",
    ),
    ("value", rf"\b(?:under|with|given|because of|despite|due to) (?:the|our|an?) (?:new |current )?{_SPAN}[- ](?P<s>RULE\d+)"),
    ("needs", rf"(?P<s>SERVICE\d+)(?:,? (?:which|that))? {_ADV}(?:directly )?(?:depends (?:directly )?(?:on|upon)|needs"
            rf"|relies (?:directly )?(?:on|upon)|uses|requires|calls|consumes"
              rf"|builds on|is (?:directly )?dependent on|sits on|rests on) {_D}(?P<o>SERVICE\d+)"),
    (
        "needs", rf"(?P<o>SERVICE\d+)(?:,? (?:which|that))? (?:is|are) {_ADV}(?:needed|required|used|called"
            rf"|consumed) by {_D}(?P<s>SERVICE\d+)"
    ),
    ("ticket", rf"(?P<s>TICKET\d+) (?:{_BE}|has (?:been )?)(?P<v>open|closed|resolved|done|fixed|solved|unresolved)"),
)  # fmt: skip
_COMPILED = tuple((kind, re.compile(pattern, re.I)) for kind, pattern in _PATTERNS)
_ASKED = re.compile(
    r"(?:\b(?:is it|was it|whether|true|think(?:s)?|sure|confirm|check|if|suppose|imagine|which|what|when|until|unless|how|who(?:m)?"
    r"|does|did|do"
    r"|since when|(?<!given )(?<!now )(?<!seeing )(?<!knowing )"
    r"(?<!assuming )(?<!considering )(?<!fact )(?<!told )(?<!heard )(?<!know )(?<!read )(?<!learned )"
    r"(?<!understand )(?<!believe )(?<!thought )(?<!assume )that)\s*(?:the |our )?)$",
    re.I,
)
_WHAT_SOMETHING_SAYS = re.compile(
    r"\b(?:does|do|did|has|have)\b[^,;]*\b(?:name|list|give|show|have|count|mention|record|register|know|treat|named|listed)\s*$", re.I
)
_TAG = re.compile(
    r"^\W*(?:right|correct|true|yes|no|or not|isn't (?:it|he|she)|doesn't (?:it|he|she)|is that (?:so|right|true|correct)|agreed?"
    r"|ok(?:ay)?)?\W*$", re.I
)
_OPENING = re.compile(
    r"\b(?:so|since|given that|given|because|as|now that|seeing that|considering that|considering|assuming|knowing that|and|but|with"
    r"|then|while|although)\b\W*$", re.I
)
_ASKS = re.compile(
    r"(?:^|[,;:.]|\b(?:and|so|but|then|by|of|to|for|in|from|with|on|at)\b)\W*(?:who|whom|whose|which|what|when|where|why|how|list"
    r"|name|show)\b", re.I
)


def premises(u: Understanding) -> list[Premise]:
    """What the question takes for granted, the longest reading of each stretch; a value may be made of days and times of day."""
    return _premises(u, u.masked) or [p for p in _premises(u, mask(u.question, u.links.mentions, TimeWords())[0]) if p.kind == "value"]


def _premises(u: Understanding, masked: str) -> list[Premise]:
    text, strangers = company_strangers.read(masked)
    names = {name: mention.keys for name, mention in u.names.items()} | {name: (f"stranger:{who}",) for name, who in strangers.items()}
    owning = {name for name, mention in u.names.items() if mention.text.endswith(("'s", "\u2019s", "s'"))}
    found = sorted(_all(text, names, owning), key=lambda p: (p.start - p.end, p.start))
    kept: list[Premise] = []
    for p in found:
        if all(p.end <= k.start or k.end <= p.start for k in kept) and _taken_for_granted(text, p):
            kept.append(replace(p, text=masked))
    return sorted(kept, key=lambda p: p.start)


def _all(masked: str, names: dict[str, tuple[str, ...]], owning: set[str]) -> Iterator[Premise]:
    """Every reading of every pattern; "it is Ann's" counts where the name is in the possessive, as `owning` has it."""
    for said, pattern in _COMPILED:
        for m in pattern.finditer(masked):
            groups = m.groupdict()
            if said == "possessive" and str(groups["s"]).upper() not in owning:
                continue
            kind = "own" if said == "possessive" else said
            subject = names.get(str(groups.get("s") or "").upper(), ())
            if groups.get("n"):
                yield Premise(kind, (), (), f"{groups['n']}\0{(groups.get('v') or '').strip()}", m.start(), m.end())
            elif subject:
                yield Premise(
                    kind, subject, names.get(str(groups.get("o") or "").upper(), ()), (groups.get("v") or "").strip(), m.start(), m.end()
                )


def _taken_for_granted(masked: str, p: Premise) -> bool:
    """Is it stated beside a question, rather than asked itself?"""
    before, after = masked[: p.start], masked[p.end :]
    if masked[p.start :].lower().startswith("why"):
        return True
    if _ASKED.search(before) or _WHAT_SOMETHING_SAYS.search(before):
        return False
    rest = _OPENING.sub("", before) + " " + after
    return not (_TAG.match(after) and len(re.findall(r"\w+", _OPENING.sub("", before))) < 2) and bool(re.search(r"\w", rest))


def remainder(u: Understanding, found: list[Premise]) -> str:
    """The question without its premises, where it then still asks about something that is named; else empty."""
    rest, strangers = company_strangers.read(found[0].text if found else u.masked)
    for p in reversed(found):
        rest = f"{_OPENING.sub('', rest[: p.start])} {rest[p.end :]}"
    rest = re.sub(r"^\W*(?:so|then|and|but|therefore)?\b\W*", "", rest.strip())
    if not _ASKS.search(rest) or not re.search(r"[A-Z]{3,}\d", rest):
        return ""
    for name in sorted(u.names, key=len, reverse=True):
        rest = rest.replace(name, u.names[name].text)
    for name, who in strangers.items():
        rest = rest.replace(name, who)
    return rest
