"""Chooses, from the roles found in a question, what to ask the graph. It never guesses: what links
to nothing is said, with what could be asked instead."""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain import schema
from brain.agents import anchored, people, reader, retrieve, sets, special
from brain.agents.asked import unasked
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import listing, short, titled
from brain.agents.words import words
from brain.text.analysis import query_terms
from brain.text.linking import Mention
from brain.types import Node

_LABEL_OF_NOUN = {"prs": "PullRequest", "issues": "Issue", "commits": "Commit", "releases": "Release"}
_GENERIC = frozenset(
    "someone somebody anyone anything something everything nothing loaded stored data information detail details thing things time times date dates far long together usually often typically main major currently right person people expert most active busiest recent recently lately organisation organization company org whole entire overall altogether".split()
)


def answer(u: Understanding, run: Run, nodes: dict[str, Node]) -> Draft:
    """The graph arm's draft for a question."""
    stop = _cannot(u, run)
    if stop:
        return stop
    items = [
        m
        for m in u.links.of(*anchored.ITEMS)
        if not (m.label == "Release" and (u.want == "count" or len(u.links.of("Release")) > 1 or _release_bound(u)))
    ]
    chosen = _special(u, run, items)
    if chosen:
        return chosen
    if items and u.want != "count":
        return _many_anchored(u, run, items, nodes)
    if items and u.want == "count":
        return _count_at(u, run, items[0])
    return _unanchored(u, run)


def _release_bound(u: Understanding) -> bool:
    return bool(
        re.search(r"(?:since|after|until|up to|before|between|newer than|later than) (?:the )?(?:\w+ )?RELEASE", u.masked, re.I)
    ) and u.want in ("prs", "issues", "commits", "people")


def _cannot(u: Understanding, run: Run) -> Draft | None:
    """What stands in the way of an answer: a name nobody knows, or a number that means several."""
    for text, why in u.links.unknown:
        near = f" {_options(u)}" if _options(u) else ""
        return Draft(state="insufficient", facts=[Fact(f"{text}: {why}.{near}")])
    thing = unasked(u.masked)
    if thing and re.search(r"how many|number of", u.masked, re.I) and len(thing.split()) <= 2 and u.words:
        return reader.measured(u, retrieve.passages(run, u, "hybrid", 12), thing.split()[-1], run.last)
    if thing:
        return Draft(state="insufficient", facts=[Fact(f"Nothing that is loaded tells of {thing}.")])
    for m in u.links.ambiguous:
        if m.how == "path" and (u.want in (*sets.MEASURED, "count") or (u.want in ("text", "people") and u.state)):
            continue
        if (
            m.how in ("number", "sha", "tag", "path")
            and len({_repo(k) for k in m.keys}) > 1
            and not (m.label == "Release" and not u.links.of("Repo") and len(m.keys) < 2)
        ):
            options = listing([short(k) if m.how != "path" else k.partition(":")[2] for k in m.keys], 6)
            return Draft(
                state="insufficient",
                facts=[Fact(f"{m.text} could be {options}. Name the repository.", m.keys[:6], step=run.last)],
                entries=list(m.keys[:6]),
            )
    return None


def _repo(key: str) -> str:
    return re.split(r"[#@]", "/".join(key.partition(":")[2].split("/")[:2]))[0]


def _options(u: Understanding) -> str:
    known = [m.text for m in u.links.mentions if m.label in ("Repo", "Person")]
    return f"{listing(known, 3)} is known." if known else ""


def _special(u: Understanding, run: Run, items: Sequence[Mention]) -> Draft | None:
    named = [m for m in u.links.mentions if m.sure and m.label != "Concept"]
    if u.special == "triage" and items and items[0].label == "Issue":
        return special.triage(u, run, items[0].keys[0])
    if u.special == "connect" and len(named) >= 2:
        return special.connect(u, run, named[0].keys[0], named[1].keys[0])
    if u.special == "rank" and not items and not u.links.of("Person", "File"):
        return special.rank(u, run)
    if u.special == "activity" and not items:
        targets = [m.keys[0] for m in named if m.label in ("Repo", "Person", "Directory", "File")]
        if targets and u.want in ("text", "items", "yesno"):
            return special.activity(u, run, targets, run.ctx.as_of)
    paths = u.links.of("File", "Directory")
    if (
        paths
        and paths[0].label == "File"
        and (u.has("cochange") or u.want == "files")
        and not u.links.of("Person")
        and u.want not in ("people", "count", "prs")
    ):
        return special.cochange(u, run, paths[0].keys[0])
    if items and items[0].label == "PullRequest" and u.want in ("prs", "items", "count") and _OVERLAP.search(u.masked):
        return special.overlap(u, run, items[0].keys[0])
    if (
        "cross" in u.flags
        and u.has("close")
        and not items
        and u.want in ("issues", "prs", "items", "count", "text")
        and not u.links.of("Person")
    ):
        return special.cross_closes(u, run)
    repos = [m.keys[0] for m in u.links.of("Repo")]
    if (
        len(repos) == 2
        and not items
        and not u.links.of("Person")
        and u.has("mention", "close")
        and u.want not in ("people", "repositories")
        and not u.most
    ):
        return special.references(u, run, *_direction(u, repos))
    return None


_OVERLAP = re.compile(
    r"same files?|its files|one of its|overlap\w*|conflict\w*|collid\w*|in the way|clash\w*|touch(?:es|ed|ing)? the same|common files?|files? in common|shares? (?:a|any|some) files?|in common with",
    re.I,
)


def _direction(u: Understanding, repos: list[str]) -> tuple[str, str]:
    """Which of two repositories holds the references: the one before the verb, or the one after by, from or in."""
    a, b = repos
    if re.search(
        r"(?:referenced|mentioned|cited|linked|pointed (?:at|to)|referred to) (?:from|in|by|inside|within) (?:\w+ ){0,6}REPO\d",
        u.masked,
        re.I,
    ):
        return b, a
    if re.search(r"(?:to|of|at) (?:\w+ ){0,5}REPO\d+ (?:from|in|inside|within) (?:\w+ ){0,6}REPO\d", u.masked, re.I):
        return b, a
    return a, b


def _many_anchored(u: Understanding, run: Run, items: Sequence[Mention], nodes: dict[str, Node]) -> Draft:
    """The answer about each named item; for two items, what they share when the question says so."""
    drafts = [anchored.answer(u, run, m.keys[0], nodes.get(m.keys[0])) for m in items[:4]]
    if len(drafts) == 1:
        return drafts[0]
    if "both" in u.flags and u.want in ("people", "prs", "issues", "files", "releases"):
        shared = [i for i in drafts[0].items if all(i in d.items for d in drafts[1:])]
        facts = [f for d in drafts for f in d.facts if set(f.cites) & set(shared)]
        return Draft(shared, facts or drafts[0].facts, entries=[k for d in drafts for k in d.entries])
    merged = Draft(
        entries=[k for d in drafts for k in d.entries], state="answered" if any(d.state == "answered" for d in drafts) else "insufficient"
    )
    for d in drafts:
        merged.items += [i for i in d.items if i not in merged.items]
        merged.facts += d.facts
    return merged


def _count_at(u: Understanding, run: Run, item: Mention) -> Draft:
    """How many of something hang on one item: reviews, comments, files, people."""
    key = item.keys[0]
    wants = {
        "people": "people",
        "files": "files",
        "directories": "directories",
        "issues": "issues",
        "prs": "prs",
        "commits": "commits",
        "releases": "releases",
        "labels": "labels",
    }
    rels = {
        "reviews": (["REVIEWED"], []),
        "approvals": (["REVIEWED"], ["APPROVED"]),
        "change_requests": (["REVIEWED"], ["CHANGES_REQUESTED"]),
        "comments": (["COMMENTED_ON"], []),
    }
    if u.kind in rels:
        kinds, states = rels[u.kind]
        got = run.call("expand", f"its {u.kind.replace('_', ' ')}", key=key, rels=kinds, states=states, k=500)
        n = int(got.rows[0]["total"]) if got.rows else 0
    else:
        draft = anchored.answer(sets.narrowed(u, want=wants.get(u.kind, "people")), run, key, None)
        n = len(draft.items)
    noun = {"people": "people"}.get(u.kind, u.kind.replace("_", " "))
    return Draft([str(n)], [Fact(f"{short(key)}: {n} {noun}.", (key,), step=run.last, aggregate=True)], entries=[key])


def content(u: Understanding) -> list[str]:
    """The words that describe something rather than name a relation, a state or a measure."""
    named = (*words().aspects.values(), *words().states.values())

    def relational(word: str) -> bool:
        return word in _GENERIC or any(p.fullmatch(word) for p in named)

    return [w for w in u.words if not relational(w) and not w.isdigit()]


def _describes(u: Understanding, about: list[str]) -> bool:
    """Is one thing meant by a description, rather than all that pass the filters? Singular nouns with
    several words that no filter explains are."""
    hard = bool(
        u.links.of("Person", "File", "Directory", "Release")
        or u.milestone
        or u.flags & {"self_merged", "bot_made", "not_planned", "largest", "discussed"}
        or u.labels
        or u.time.since
        or u.time.until
    )
    limit = 4 if hard else 2 if u.state or u.links.of("Repo") or u.flags & {"without_approval"} else 1
    described = len(about) + len(u.links.of("Concept"))
    plural = re.search(
        r"\b(?:prs|pull requests|issues|commits|releases|tags|reviews|comments|tickets|bugs|pulls|patches|versions|approvals)\b",
        u.masked,
        re.I,
    )
    return described >= limit + (2 if plural else 0)


def _filtered(u: Understanding) -> bool:
    return bool(
        u.links.of("Person", "File", "Directory")
        or u.milestone
        or u.labels
        or u.state
        or u.time.since
        or u.time.until
        or u.flags & {"without_approval", "others"}
        or u.links.of("Release")
    )


def _unanchored(u: Understanding, run: Run) -> Draft:
    paths, repos, persons = u.links.of("File", "Directory"), u.links.of("Repo"), u.links.of("Person")
    about = content(u)
    if u.want == "count":
        if u.kind == "people" and len({p.key for p in u.places}) > 1 and not persons:
            return people.across(u, run)
        return sets.counted(u, run)
    if u.want == "people":
        return _people(u, run, about)
    if u.want in ("repositories", "directories", "files", "labels", "years", "months"):
        return _structure(u, run, about)
    if u.group and u.want in sets.MEASURED:
        return sets.ranked(u, run)
    if u.want in sets.MEASURED and not _describes(u, about):
        return sets.listed(u, run)
    if u.want == "date" and paths and u.has("touch"):
        return sets.listed(sets.narrowed(u, want="prs", top=1), run)
    if u.want in ("text", "yesno", "items") and (paths or repos) and (u.state or (paths and u.has("merge"))) and len(about) < 2:
        return sets.listed(sets.narrowed(u, want="prs", kind="prs"), run)
    if u.want in ("text", "yesno", "date", "prs") and paths and paths[0].label == "File" and u.has("cochange"):
        return special.cochange(u, run, paths[0].keys[0])
    if u.want in ("text", "yesno", "date") and paths and not about and u.has("touch"):
        return special.impact(u, run, paths[0].keys[0])
    if u.want == "items" and (_filtered(u) or u.milestone):
        return sets.both(u, run)
    if about or u.links.of("Concept"):
        return _described(u, run)
    for mention in [*persons, *paths, *repos, *u.links.of("Concept")]:
        return anchored.relations(run, mention.keys[0])
    return Draft(state="insufficient", facts=[Fact("Nothing in the question names anything that is loaded.")])


def _people(u: Understanding, run: Run, about: list[str]) -> Draft:
    paths, repos, persons = u.links.of("File", "Directory"), u.links.of("Repo"), u.links.of("Person")
    places = [m.keys[0] for m in (*paths, *repos)]
    if (u.most or u.minimum) and re.search(
        r"(?:number of|most|different|many|more|\d|two|three|four|five) (?:different |distinct )?(?:repos|repositories|projects)\b",
        u.masked,
        re.I,
    ):
        return people.widest(u, run)
    spots = {p.key for p in u.places}
    excluding = len(u.places) > 1 and any(p.negated for p in u.places)
    if (len(spots) > 1 or excluding) and not persons and not u.most and (excluding or not paths or len(paths) > 1):
        return people.across(u, run)
    if persons and u.has("review") and not places and not (u.time.since or u.time.until):
        return people.reviews_between(u, run, persons[0].keys[0])
    ranking = bool(u.most or u.least or u.top or u.group) and not _knowing(u)
    if ranking or (persons and not about) or u.time.since or u.time.until:
        if not (_knowing(u) and places):
            return sets.ranked(u, run)
    if u.state and {"prs", "issues"} & {u.kind, *u.nouns} and places and not _knowing(u):
        return sets.ranked(u, run)
    if paths and not places[1:] and not _knowing(u) and (u.state or u.has("author")) and len(about) < 3:
        return sets.ranked(u, run)
    if places and (_knowing(u) or not about):
        return (
            people.who_knows(u, run, places)
            if _knowing(u) or paths or not u.has("review", "merge", "comment", "approve", "author")
            else sets.ranked(u, run)
        )
    concepts = u.links.of("Concept")
    if _knowing(u) and concepts:
        return people.who_knows(u, run, [m.keys[0] for m in concepts if m.sure] or [concepts[0].keys[0]])
    if about or concepts:
        return _described(u, run)
    return sets.ranked(u, run)


def _knowing(u: Understanding) -> bool:
    return u.has("know") and not re.search(
        r"\bmost (?:\w+ )?(?:reviews?|prs?|pull requests?|commits?|issues?|comments?|approvals?|merges?)\b", u.masked, re.I
    )


def _structure(u: Understanding, run: Run, about: list[str]) -> Draft:
    """Repositories, directories, files and labels as the answer."""
    by = {"repositories": "repository", "directories": "directory", "files": "file", "labels": "label", "years": "year", "months": "month"}[
        u.want
    ]
    persons, paths = u.links.of("Person"), u.links.of("File", "Directory")
    if persons and by in ("repository", "directory", "file"):
        return people.works_on(u, run, persons[0].keys[0], by)
    if paths and by == "file" and paths[0].label == "File":
        return special.cochange(u, run, paths[0].keys[0])
    if by == "repository" and (u.links.of("Concept") or about) and not (u.most or u.least or u.top or u.has("author", "review")):
        return _described(u, run)
    if by in ("year", "month") or not about or _filtered(u) or u.most or u.top or u.least or u.links.of("Repo"):
        return sets.ranked(u, run)
    return _described(u, run)


def _described(u: Understanding, run: Run) -> Draft:
    """A question that describes what it means: found by its words, then asked about as if named."""
    found = retrieve.passages(run, u, "hybrid", 12)
    if not found or not _covers(u, found):
        return Draft(state="insufficient", facts=[Fact("No passage that is loaded has the words of the question.")])
    entries = [m.keys[0] for m in u.links.mentions if m.sure and m.label not in ("Repo", "Concept")][:3]
    top = found[0]
    if u.want in ("people", "releases", "files", "directories", "labels", "date", "commits") or (
        u.want in ("prs", "issues") and top.label not in _LABEL_OF_NOUN.get(u.want, "")
    ):
        named = anchored.answer(u, run, top.src, None)
        quote = reader.best_sentence(top, query_terms(u.question))
        named.facts.insert(
            0, Fact(f"Taken to mean {titled(top.src, top.title)}.", (top.src,), (quote,) if quote else (), step=run.steps[1].n)
        )
        named.entries = [*entries, top.src]
        return named
    return reader.read(u, found, run.last, entries)


_HEAD = re.compile(
    r"\b(?:which|what|how much)\s+((?!the\b|is\b|are\b|was\b|were\b|did\b|does\b|do\b|has\b|have\b|kind\b|sort\b|type\b|about\b|if\b)[a-z][a-z-]{3,})\s+[a-z]",
    re.I,
)


def _covers(u: Understanding, found: Sequence[retrieve.Passage]) -> bool:
    """Does the best document have enough of the words the question describes its subject with, and the
    thing it asks for?"""
    held = {t for p in found if p.src == found[0].src for t in query_terms(p.text)}
    head = _HEAD.search(u.masked)
    asked = set(query_terms(head[1])) if head and u.want == "text" else set()
    if asked and not asked & held:
        return False
    wanted = set(query_terms(" ".join([*content(u), *(m.text for m in u.links.of("Concept"))])))
    if not wanted:
        return True
    share = len(wanted & held) / len(wanted)
    return share >= (0.5 if len(wanted) <= 2 else 0.2 if u.want in ("people", "count", "date") else 0.0)


def label_of(keys: Sequence[str]) -> str:
    """The label of the first key; empty when there is none."""
    return schema.label_of(keys[0]) if keys else ""
