"""What a question asks for: the type of answer, the relations its verbs name, and its filters.

No list of questions. Words are read by role (what is asked for, who did what, when, in which
state), so that any phrasing built from these roles is understood the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from brain.agents import asked
from brain.agents.roles import Place, places, roles
from brain.agents.words import NUMBERS, words
from brain.text.lexicon import Lexicon
from brain.text.link_things import RUNS
from brain.text.linking import Links, Mention
from brain.text.timewords import TimeWords

_MASK = {
    "Person": "PERSON",
    "Repo": "REPO",
    "PullRequest": "ITEM",
    "Issue": "ITEM",
    "Commit": "COMMIT",
    "Release": "RELEASE",
    "File": "PATH",
    "Directory": "PATH",
    "Concept": "CONCEPT",
    **dict.fromkeys(RUNS, "SERVICE"),
    **{label: label.upper() for label in ("Team", "Role", "Channel", "Doc", "Decision", "Rule", "Ticket", "Deploy", "Alert", "Incident")},
}
_N = r"(\d{1,3}|" + "|".join(NUMBERS) + r")"
_FIRST = r"(?:top|first|leading|best|main|biggest|busiest|last|latest|newest|oldest|earliest|most recent)"
_RANKED = (
    r"(?:most|top|biggest|busiest|best|leading|main|largest|latest|newest|oldest|recent|people|persons|reviewers|authors|contributors"
    r"|experts|files|directories|repos|repositories|prs|pull requests|issues|labels|releases|commits)"
)
_TOP_N = re.compile(rf"\b{_FIRST}[ -]{_N}\b|\b{_N} {_RANKED}\b", re.I)
_LEAST_N = re.compile(rf"\b(?:at least|no fewer than|minimum of|more than|over)\s+{_N}\b|\b{_N} or more\b|\b{_N}\+", re.I)
_LABELLED = re.compile(r"\b(?:label(?:l?ed|s)?|tagged|marked|carr(?:y|ies|ying)|with (?:the )?label)\b", re.I)
_TURNS = (
    "without_approval",
    "others",
    "most",
    "least",
    "first",
    "recent",
    "self_merged",
    "bot_made",
    "not_planned",
    "largest",
    "discussed",
    "any_state",
)


@dataclass(frozen=True)
class Understanding:
    """The roles found in a question.

    `want` is the answer type: a noun of words.yaml, or count, date, text, yesno. `masked` is the question
    with every mention replaced by its kind and number. `cues` are the words about a company in it,
    `names` what each placeholder of `masked` stands for, `chosen` the things out of which some are asked for.
    """

    question: str
    masked: str
    links: Links
    time: TimeWords
    want: str
    kind: str
    aspects: tuple[str, ...] = ()
    special: str = ""
    group: str = ""
    top: int = 0
    state: str = ""
    roles: dict[str, str] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    flags: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    nouns: tuple[str, ...] = ()
    tags: Mapping[str, tuple[str, str, int]] = field(default_factory=dict)
    milestone: str = ""
    minimum: int = 0
    cues: frozenset[str] = frozenset()
    lexicon: Lexicon = field(default_factory=Lexicon)
    names: Mapping[str, Mention] = field(default_factory=dict)
    chosen: tuple[str, ...] = ()

    def cued(self, *names: str) -> bool:
        """Does the question use any of these words about a company (the section `company` of words.yaml)?"""
        return any(name in self.cues for name in names)

    @property
    def most(self) -> bool:
        """Does it ask for what there is most of?"""
        return "most" in self.flags

    @property
    def least(self) -> bool:
        """Does it ask for what there is least of?"""
        return "least" in self.flags

    def order(self, release: str) -> int:
        """When a release was published, for putting two in order."""
        return self.tags.get(release, ("", "", 0))[2]

    def has(self, *aspects: str) -> bool:
        """Does the question speak of any of these relations?"""
        return any(a in self.aspects for a in aspects)

    def says(self, turn: str) -> bool:
        """Does the question use this turn of phrase (the section `turns` of words.yaml)?"""
        return bool(words().turns[turn].search(self.masked))

    @property
    def window(self) -> dict[str, int]:
        """The stretch of time the question names, as arguments of a tool."""
        ends = (("since", self.time.since), ("until", self.time.until))
        return {name: at for name, at in ends if at is not None}


def mask(question: str, mentions: Sequence[Mention], time: TimeWords) -> tuple[str, dict[str, Mention]]:
    """The question with mentions as PERSON0, REPO1, ... and time words taken out."""
    names: dict[str, Mention] = {}
    pieces: list[tuple[int, int, str]] = [(a, b, " ") for a, b in time.spans]
    for i, m in enumerate(mention for mention in mentions if mention.label != "Concept"):
        name = f"{_MASK.get(m.label, 'THING')}{i}"
        names[name] = m
        pieces.append((m.start, m.end, name))
    text = question
    for a, b, name in sorted(pieces, reverse=True):
        text = text[:a] + name + text[b:]
    return text, names


def understand(question: str, links: Links, time: TimeWords, lexicon: Lexicon) -> Understanding:
    """Reads the roles of a question whose mentions and time words are known."""
    masked, names = mask(question, links.mentions, time)
    labels, masked = _labels(masked, lexicon.labels)
    milestone, masked = _milestone(masked, lexicon.milestones)
    aside = re.sub(r"\([^()]*\)", lambda m: " " * len(m[0]), masked)
    want, kind = asked.want(aside if re.search(r"[a-z]{3}", aside) else masked)
    flags = frozenset([*words().found("flags", masked), *asked.flags(masked)])
    return Understanding(
        question,
        masked,
        links,
        time,
        want,
        kind,
        aspects=tuple(words().found("aspects", masked)),
        special=next(iter(words().found("special", masked)), ""),
        group=next(iter(words().found("groups", masked)), ""),
        top=_number(_TOP_N.search(masked)),
        state=_state(masked, flags),
        roles=roles(masked, names, kind),
        labels=labels,
        flags=flags,
        words=tuple(_content(masked)),
        places=places(masked, names),
        nouns=tuple(str(m.lastgroup) for m in words().noun.finditer(masked)),
        tags=lexicon.tags,
        milestone=milestone,
        minimum=_minimum(masked),
        cues=frozenset(words().found("company", masked)) if lexicon.company else frozenset(),
        lexicon=lexicon,
        names=names,
    )


def _state(masked: str, flags: frozenset[str]) -> str:
    """How the things asked about stand; "did they open" names a deed, not a state."""
    if "any_state" in flags:
        return ""
    return next(iter(words().found("states", words().turns["open_as_verb"].sub(" ", masked))), "")


def _number(m: re.Match[str] | None) -> int:
    """The number a match holds, in digits or as a word; 0 when there is none."""
    word = next((g for g in m.groups() if g), "").lower() if m else ""
    return int(word) if word.isdigit() else NUMBERS.get(word, 0)


def _quoted(words: str) -> re.Pattern[str]:
    """These words, with quotation marks around them or without."""
    return re.compile(rf"[`\"'“”]?(?<![\w-]){re.escape(words)}(?![\w-])[`\"'“”]?", re.I)


def _labels(masked: str, labels: dict[str, str]) -> tuple[tuple[str, ...], str]:
    """Issue labels named as labels: quoted or beside the word label, or tagged, or marked."""
    found: list[str] = []
    if not _LABELLED.search(masked):
        return (), masked
    for low in sorted(labels, key=len, reverse=True):
        spot = _quoted(low).search(masked)
        cue = spot and _LABELLED.search(masked[max(0, spot.start() - 40) : spot.end() + 24])
        if spot and cue:
            found.append(labels[low])
            masked = masked[: spot.start()] + "XLBL" + masked[spot.end() :]
    return tuple(found), masked


def _milestone(masked: str, milestones: Mapping[str, str]) -> tuple[str, str]:
    """The milestone a question names, and the question without it."""
    for low in sorted(milestones, key=len, reverse=True):
        spot = _quoted(low).search(masked)
        if spot and ("milestone" in masked.lower() or len(low) > 8):
            return milestones[low], masked[: spot.start()] + " MILESTONE " + masked[spot.end() :]
    return "", masked


def _minimum(masked: str) -> int:
    """The least number a group must have, as in "three or more" or "more than 5"; 0 when none is named."""
    m = _LEAST_N.search(masked)
    if not m:
        return 0
    n = _number(m)
    return n + 1 if re.match(r"more than|over", m[0], re.I) else n


_GRAMMAR = """a an the of in on at to for from by with and or but not no is are was were be been being do does did done has have had i we
    you they he she it its this that these those there here which what who whose whom when where why how many much any all each every some
    can could should would will may might must please tell me us show list name give find about into onto over under between among
    as than then so such if my our your their his her them one ones also ever just only most more least fewest top first last latest
    up out off down there's what's who's s t re ve ll d m get got make made say says said if"""
_FUNCTION = frozenset(_GRAMMAR.split())


def _content(masked: str) -> list[str]:
    """The words that are neither mentions, grammar, kinds of things nor relations: what it is about."""
    bare = words().noun.sub(" ", masked)
    bare = re.sub(r"\b[A-Z]{3,}\d+\b|\bXLBL\b|\bmilestone\b", " ", bare)
    for name in _TURNS:
        bare = words().flags[name].sub(" ", bare)
    for pattern in (asked.COUNT, _TOP_N, _LEAST_N):
        bare = pattern.sub(" ", bare)
    return [w for w in re.findall(r"[\w-]+", bare.lower()) if w not in _FUNCTION and len(w) > 1]
