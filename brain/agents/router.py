"""Chooses, from the roles found in a question, what to ask the graph. It never guesses: what links
to nothing is said, with what could be asked instead.
"""

from __future__ import annotations

from collections.abc import Sequence

from brain.agents import anchored, anchored_work, company, counts, ever, files, people, references, sets, special
from brain.agents.described import content, described, describes
from brain.agents.kinds import GROUPS, MEASURED, narrowed
from brain.agents.missing import unclear, unknown, untold
from brain.agents.named import about_items, how_many
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import listing, short
from brain.text.mentions import Mention, repo_of
from brain.types import Node

_STRUCTURE = ("repositories", "directories", "files", "labels", "years", "months")


def answer(u: Understanding, run: Run, nodes: dict[str, Node]) -> Draft:
    """The graph arm's draft for a question."""
    stop = unknown(u) or unclear(u, run)
    if stop:
        return stop
    about = ever.answer(u, run) or company.answer(u, run)
    if about:
        return about
    stop = untold(u, run)
    if stop:
        return stop
    items = [m for m in u.links.of(*anchored.ITEMS) if m.label != "Release" or not _bounds(u)]
    if u.want == "yesno":
        items = [m for m in items if m.label != "Release"] or items
    chosen = _special(u, run, items) or _about_files(u, run, items) or _between_repos(u, run, items)
    if chosen:
        return chosen
    if items:
        return how_many(u, run, items[0]) if u.want == "count" else about_items(u, run, items, nodes)
    return _unanchored(u, run)


def _bounds(u: Understanding) -> bool:
    """Do the releases it names bound a set, rather than being what it asks about?"""
    bound = u.want in ("prs", "issues", "commits", "people") and u.says("release_as_bound")
    return u.want == "count" or len(u.links.of("Release")) > 1 or bound


def _special(u: Understanding, run: Run, items: Sequence[Mention]) -> Draft | None:
    """Triage, connections, rankings and activity, where the question asks for them by their words."""
    sure = [m for m in u.links.mentions if m.sure and m.label != "Concept"]
    if u.special == "triage" and items and items[0].label == "Issue":
        return special.triage(u, run, items[0].keys[0])
    if u.special == "connect" and len(sure) >= 2:
        return special.connect(run, sure[0].keys[0], sure[1].keys[0])
    if u.special == "rank" and not items and not u.links.of("Person", "File"):
        return special.rank(u, run)
    if u.special == "activity" and not items and u.want in ("text", "items", "yesno"):
        targets = [m.keys[0] for m in sure if m.label in ("Repo", "Person", "Directory", "File")]
        return special.activity(u, run, targets, run.ctx.as_of) if targets else None
    return None


def _about_files(u: Understanding, run: Run, items: Sequence[Mention]) -> Draft | None:
    """Files that change with a file, pull requests that change the same files as one."""
    paths = u.links.of("File", "Directory")
    together = u.has("cochange") or u.want == "files"
    if paths and paths[0].label == "File" and together and not u.links.of("Person") and u.want not in ("people", "count", "prs"):
        return files.cochange(u, run, paths[0].keys[0])
    if items and items[0].label == "PullRequest" and u.want in ("prs", "items", "count") and u.says("same_files"):
        return files.overlap(run, items[0].keys[0])
    return None


def _between_repos(u: Understanding, run: Run, items: Sequence[Mention]) -> Draft | None:
    """What one repository closes or refers to in another."""
    if items or u.links.of("Person"):
        return None
    if "cross" in u.flags and u.has("close") and u.want in ("issues", "prs", "items", "count", "text"):
        return references.cross_closes(u, run)
    repos = [m.keys[0] for m in u.links.of("Repo")]
    if len(repos) == 2 and u.has("mention", "close") and u.want not in ("people", "repositories") and not u.most:
        return references.between(u, run, (repos[0], repos[1]))
    return None


def _unanchored(u: Understanding, run: Run) -> Draft:
    """Questions about many things, or about one that is described."""
    about = content(u)
    if u.want == "count":
        return _count(u, run)
    if u.want == "people":
        return _people(u, run, about)
    if u.want in _STRUCTURE:
        return _structure(u, run, about)
    if u.want in MEASURED and (u.group or not describes(u, about)):
        return counts.ranked(u, run) if u.group else sets.listed(u, run)
    chosen = _about_place(u, run, about)
    if chosen:
        return chosen
    if u.want == "items" and _filtered(u):
        return sets.both(u, run)
    named = [*u.links.of("Person"), *u.links.of("File", "Directory"), *u.links.of("Repo")]
    if about or u.links.of("Concept"):
        draft = described(u, run)
        if draft.state == "answered" or len(about) > 1 or not (named and u.aspects) or u.want != "text":
            return draft
    if named:
        return anchored_work.relations(run, named[0].keys[0])
    return Draft(state="insufficient", facts=[Fact("Nothing in the question names anything that is loaded.")])


def _count(u: Understanding, run: Run) -> Draft:
    """How many, of what the question says; it may be people in several places, or what nobody reviewed."""
    if "without_review" in u.flags and u.kind == "prs":
        unreviewed = sets.listed(narrowed(u, want="prs"), run)
        said = Fact(f"{len(unreviewed.items)} pull requests without any review.", tuple(unreviewed.entries), step=run.last, aggregate=True)
        return Draft([str(len(unreviewed.items))], [said], entries=unreviewed.entries)
    if not (u.kind or u.nouns or u.aspects or u.state):
        return Draft(state="insufficient", facts=[Fact("The question does not say what is to be counted.")])
    several = u.kind == "people" and len({p.key for p in u.places}) > 1 and not u.links.of("Person")
    return people.across(u, run) if several else counts.counted(u, run)


def _about_place(u: Understanding, run: Run, about: Sequence[str]) -> Draft | None:
    """A date, a yes or no, or no kind of thing at all, asked of a path, a repository or what somebody did."""
    paths, repos = u.links.of("File", "Directory"), u.links.of("Repo")
    if u.want == "date" and paths and u.has("touch"):
        return sets.when(u, run)
    stands = (u.state and (paths or repos)) or (paths and u.has("merge"))
    if u.want in ("text", "yesno", "items") and stands and len(about) < 2:
        return sets.listed(narrowed(u, want="prs", kind="prs"), run)
    if u.want == "text" and u.links.of("Person") and u.has("review", "approve", "merge", "comment", "author") and len(about) < 2:
        return sets.listed(narrowed(u, want="prs", kind="prs"), run)
    if u.want in ("text", "yesno", "date", "prs") and paths and paths[0].label == "File" and u.has("cochange"):
        return files.cochange(u, run, paths[0].keys[0])
    if u.want in ("text", "yesno", "date") and paths and not about and u.has("touch"):
        return files.impact(run, paths[0].keys[0])
    return None


def _filtered(u: Understanding) -> bool:
    linked = u.links.of("Person", "File", "Directory", "Release")
    return bool(linked or u.milestone or u.labels or u.state or u.window or u.flags & {"without_approval", "others"})


def _people(u: Understanding, run: Run, about: Sequence[str]) -> Draft:
    """Who: across places, by numbers, by knowledge of a place or a concept, or who did what is described."""
    paths, repos, persons = u.links.of("File", "Directory"), u.links.of("Repo"), u.links.of("Person")
    homes = {repo_of(m.keys[0]) for m in paths}
    places = [*(m.keys[0] for m in paths), *(m.keys[0] for m in repos if m.keys[0] not in homes)]
    if (u.most or u.minimum) and u.says("number_of_repos"):
        return people.widest(u, run)
    excluding = len(u.places) > 1 and any(p.negated for p in u.places)
    several = len({p.key for p in u.places}) > 1 and (not paths or len(paths) > 1)
    if (several or excluding) and not persons and not u.most:
        return people.across(u, run)
    if persons and u.has("review") and not places and not u.window:
        return people.reviews_between(u, run, persons[0].keys[0])
    knowing = u.has("know") and not u.says("most_of_something")
    if _by_numbers(u, about, places, knowing):
        return counts.ranked(u, run)
    if knowing and places and (within := _area(u, run)):
        return within
    if places and (knowing or (not about and not u.has("review", "merge", "comment", "approve", "author"))):
        return _whole(people.who_knows(u, run, places), places, about)
    if places and not about:
        return counts.ranked(u, run)
    concepts = u.links.of("Concept")
    if knowing and concepts:
        return people.who_knows(u, run, [m.keys[0] for m in concepts if m.sure] or [concepts[0].keys[0]])
    if about or concepts:
        return described(u, run)
    if not (u.aspects or u.nouns):
        return Draft(state="insufficient", facts=[Fact("The question names nothing that is loaded and no part that people play.")])
    return counts.ranked(u, run)


def _whole(draft: Draft, places: Sequence[str], about: Sequence[str]) -> Draft:
    """The draft with what it says nothing of: words that describe a part of a repository, where the whole is told of."""
    if about and draft.items and all(p.startswith("repo:") for p in places):
        said = f"Of the whole of {listing(map(short, places))}; not taken into account: {listing(about, 5)}."
        draft.lead = "\n".join(filter(None, (said, draft.lead)))
    return draft


def _area(u: Understanding, run: Run) -> Draft | None:
    """Who knows an area of a repository that is described by a word: of the folders and files that are called so."""
    found, word = ever.area(u, run)
    if not word or word in {part for m in u.links.of("Repo") for part in m.text.lower().split("/")}:
        return None
    if not found:
        return Draft(state="insufficient", facts=[Fact(f"No folder or file that is loaded there is called \u201c{word}\u201d.")])
    return people.who_knows(u, run, found[:3])


def _by_numbers(u: Understanding, about: Sequence[str], places: Sequence[str], knowing: bool) -> bool:
    """Are the people asked for those with the most, or all who did what the filters say?"""
    if knowing:
        return not places and bool((u.links.of("Person") and not about) or u.window)
    if u.most or u.least or u.top or u.group or u.window or (u.links.of("Person") and not about):
        return True
    if u.state and {"prs", "issues"} & {u.kind, *u.nouns} and places:
        return True
    one_path = bool(u.links.of("File", "Directory")) and len(places) == 1
    return one_path and bool(u.state or u.has("author")) and len(about) < 3


def _structure(u: Understanding, run: Run, about: Sequence[str]) -> Draft:
    """Repositories, directories, files and labels as the answer."""
    by = GROUPS[u.want]
    persons, paths = u.links.of("Person"), u.links.of("File", "Directory")
    ranking = bool(u.most or u.least or u.top)
    if persons and by in ("repository", "directory", "file"):
        return people.works_on(u, run, persons[0].keys[0], by)
    if paths and by == "file" and paths[0].label == "File":
        return files.cochange(u, run, paths[0].keys[0])
    if by == "repository" and (u.links.of("Concept") or about) and not (ranking or u.has("author", "review")):
        return described(u, run)
    if by in ("year", "month") or not about or _filtered(u) or ranking or u.links.of("Repo"):
        return counts.ranked(u, run)
    return described(u, run)
