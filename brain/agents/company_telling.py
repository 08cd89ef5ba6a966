"""What documents and chat say: passages of a document with their lines, and the threads in which something was discussed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from brain.agents import reader, reader_company, retrieve
from brain.agents.company_asked import WHO, tells
from brain.agents.company_facts import answered, by_path, by_query, nothing, unique
from brain.agents.described import content
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import day, short, titled
from brain.text.analysis import query_terms, terms
from brain.text.link_things import RUNS
from brain.text.linking import Mention
from brain.text.passages import Passage, passage

_KIND_WORDS = query_terms(
    "runbook playbook guide document doc page policy sop procedure notice registry handbook manual meeting minutes notes post-mortem"
    " postmortem rulebook checklist report plan spec wiki faq howto"
)
# Kinds of document that one is called by as well as the other.
_SAME = tuple(set(query_terms(words)) for words in ("runbook playbook sop procedure", "post-mortem postmortem report", "doc document page"))


def meant(u: Understanding, generic: bool = False) -> list[str]:
    """The documents a question means: those it names, else those whose title its words cover for the greater part; `generic`: even
    when it calls it no more than a document.
    """
    named = unique(k for m in u.links.of("Doc") for k in m.keys)
    if named:
        return named
    asked = set(query_terms(u.question))
    scored = []
    for key, label in u.lexicon.company.items():
        if label != "Doc":
            continue
        path = set(query_terms(re.sub(r"[-_/.]", " ", key.partition(":")[2].removesuffix(".md"))))
        title = set(query_terms(u.lexicon.titles.get(key, ""))) | path
        own = title - set(_KIND_WORDS)
        shared = own & asked
        called_one = bool(title & asked & set(_KIND_WORDS)) or any(title & same and asked & same for same in _SAME)
        called_one |= generic and bool(asked & _SAME[-1])
        if shared and called_one and len(shared) >= 0.5 * min(len(own), 4):
            scored.append((len(shared) / max(len(own), 1), key))
    best = sorted(scored, key=lambda s: (-s[0], s[1]))
    return [key for share, key in best[:3] if share >= 0.7 * best[0][0]]


def with_document(u: Understanding) -> Understanding:
    """The question with the document it describes among what it names, when it is asked who wrote it or keeps it."""
    keeps = u.cued("maintain") or u.has("author") or u.says("keeps_document")
    if u.want not in WHO or not keeps or u.links.of("Doc", "Ticket", "PullRequest", "Issue", "Commit", "Decision", "Rule"):
        return u
    docs = meant(u, generic=True) if u.says("a_document") else _titled(u)
    if len(docs) != 1:
        return u
    mention = Mention(0, 0, short(docs[0]), (docs[0],), "Doc", "described")
    return replace(u, links=replace(u.links, mentions=[*u.links.mentions, mention]))


def _titled(u: Understanding) -> list[str]:
    """The documents whose whole title stands in a question that names nothing else."""
    asked = set(query_terms(u.masked))
    if u.links.of(*RUNS, "Team", "Repo", "Person", "File", "Directory"):
        return []
    titles = {k: set(query_terms(u.lexicon.titles.get(k, ""))) for k, label in u.lexicon.company.items() if label == "Doc"}
    return [k for k, words in titles.items() if words and words <= asked]


_ITS_KEEPER = re.compile(
    r"\b(?:maintain\w*|wrote|written|keep\w*|kept|author of|edit\w*|updat\w*|owns?|owner of) (?:up |to |date )*(?:the |our |an? |that )?"
    r"(?:[\w-]+ ){0,3}?(?:runbook|playbook|guide|document|doc|manual|handbook|post-?mortem|checklist|how-?to|faq)s?\b",
    re.I,
)


def document_unknown(u: Understanding) -> bool:
    """Is it asked who wrote or keeps a document, and no document fits what is said of it?"""
    return u.want in WHO and bool(_ITS_KEEPER.search(u.masked)) and not u.links.of("Doc", "File") and not meant(u)


def read(u: Understanding, run: Run) -> Draft | None:
    """What is written to the question, quoted with its lines: in the document that is meant, in any document, else anywhere.
    Insufficient when nothing bears on it.
    """
    docs = meant(u)
    found = _of(run, docs) or next((f for f in _tries(u, run, "hybrid") if bears(u, f) and _beyond_names(u, f)), [])
    if not found:
        return nothing("No passage that is loaded bears on that.")
    if u.want == "count" and not reader_company.is_company(found):
        return nothing("No document that is loaded says how many.")
    entries = unique(m.keys[0] for m in u.links.mentions if m.sure and m.label not in ("Concept", ""))
    draft = reader.read(u, found, run.last, entries or docs[:1], sure=True)
    if draft.state != "answered":
        return draft
    if u.want == "date" and draft.items == [day(0)]:
        return nothing(f"Nothing that is loaded dates {short(docs[0]) if docs else 'that'}.", *docs[:1])
    draft.entries = unique([*draft.entries, *(f.cites[0] for f in draft.facts if f.cites)])
    return draft


PASSAGES = 12
_KINDS = (
    (("discuss",), ["Thread", "Message"]),
    (("ticket",), ["Ticket", "Message"]),
    (("alert", "deploy", "incident"), ["Alert", "Deploy", "Incident", "Doc"]),
)


def _tries(u: Understanding, run: Run, how: str) -> Iterator[list[Passage]]:
    """The passages of the kinds of text that would state it, documents mostly; then of any kind."""
    kinds = next((kinds for cues, kinds in _KINDS if u.cued(*cues) and not u.cued("says")), ["Doc"])
    yield retrieve.passages(run, u, how, PASSAGES, of=kinds)
    yield retrieve.passages(run, u, how, PASSAGES, of=[])


def found(u: Understanding, run: Run, how: str) -> list[Passage]:
    """What the arms that only search find: in a company first what would state it, unless code is asked about."""
    if not u.lexicon.company or not tells(u):
        return retrieve.passages(run, u, how, PASSAGES)
    return next((f for f in _tries(u, run, how) if bears(u, f)), None) or retrieve.passages(run, u, how, PASSAGES)


# From how near in meaning, with half the share of the question's words it holds, a document bears on the question: of 48
# questions about documents this keeps 46, and of 25 about nothing there none. Of one or two words both must be high, and so
# in chat, tickets and pull requests, which are so many that something is near to everything.
BEARING, FEW = 0.62, 3
BOTH = ((0.35, 0.5), (0.6, 0.44), (0.75, 0.0))


def bears(u: Understanding, found: Sequence[Passage]) -> bool:
    """Has one document enough of the words the question describes its subject with, for as near as it comes in meaning?"""
    wanted = set(query_terms(" ".join([*content(u), *(m.text for m in u.links.mentions)])))
    held: dict[str, set[str]] = {}
    near: dict[str, float] = {}
    for p in found:
        held.setdefault(p.src, set()).update(terms(f"{p.title} {p.text} {p.src}"))
        near[p.src] = max(near.get(p.src, 0.0), p.near)
    shares = {src: len(wanted & words) / len(wanted) for src, words in held.items()} if wanted else {}
    few = len(wanted) < FEW
    return any(
        any(share >= s and near[src] >= n for s, n in BOTH[: 1 if few else None])
        or (not few and src.startswith("doc:") and near[src] + share / 2 >= BEARING)
        for src, share in shares.items()
    )


def _beyond_names(u: Understanding, found: Sequence[Passage]) -> bool:
    """Has what was found for a question after somebody more of its words than the names that it brings itself?"""
    told = set(query_terms(" ".join(content(u)))) - set(query_terms(" ".join(m.text for m in u.links.mentions)))
    return u.want not in WHO or not told or any(told & set(query_terms(f"{p.title} {p.text} {p.src}")) for p in found)


def _of(run: Run, docs: Sequence[str]) -> list[Passage]:
    """All passages of the documents."""
    if not docs:
        return []
    got = run.ctx.run("chunks_for", keys=list(docs[:3]), per=60)
    run.add("chunks_for", "passages of the document that is meant", {"keys": list(docs[:3])}, got)
    return [passage(r, 1.0, 1.0) for r in got.rows]


def lines_about(run: Run, docs: Sequence[str], words: Sequence[str], n: int = 2) -> list[Fact]:
    """The sentences of the documents that have most of the words, quoted."""
    found = _of(run, docs)
    facts = []
    for p in found:
        quote = reader.best_sentence(p, query_terms(" ".join(words)))
        if quote and any(w.lower() in p.text.lower() for w in words):
            facts.append(Fact(f"{titled(p.src, p.title)}: “{quote.text}”", (p.src,), (quote,), run.last))
    return facts[:n]


def discussed(u: Understanding, run: Run) -> Draft | None:
    """The threads that are about a service or team, or that have the question's words."""
    places = unique(m.keys[0] for m in u.links.of(*RUNS, "Team", "PullRequest", "Issue", "Incident", "Alert", "Decision", "Rule", "Doc"))
    items, facts = list[str](), list[Fact]()
    for place in places[:2]:
        rels = ["ABOUT", "MENTIONS", "REFERENCES", "DISCUSSED_IN"]
        got = run.call("expand", f"the threads about {short(place)}", key=place, rels=rels, labels=["Thread"], k=200, **_span(u))
        items += unique(r["key"] for r in got.rows)
        facts += [
            by_path(run, f"{short(str(r['key']))} “{r['name']}”, {day(int(r['at'] or 0))}.", str(r["key"]), place)
            for r in got.rows[:20]
        ]
    if not items:
        return _searched(u, run, places)
    if u.want == "count":
        return answered([str(len(items))], [by_query(run, f"{len(items)} threads.", *places), *facts], places)
    if u.says("which_channel"):
        items = unique("channel:" + k.partition(":")[2].split("/")[0] for k in items)
    if u.want == "yesno":
        return answered(["yes"], facts, places, "Yes.")
    return answered(items, facts, places)


def _span(u: Understanding) -> dict[str, int]:
    return {name: int(at) for name, at in (("since", u.time.since), ("until", u.time.until)) if at is not None}


def _searched(u: Understanding, run: Run, entries: Sequence[str]) -> Draft | None:
    """The messages and threads whose words come nearest."""
    words = " ".join([*u.words, *(m.text for m in u.links.mentions if m.label in ("Concept", *RUNS))])
    if not words.strip():
        words = " ".join(m.text for m in u.links.of("Channel"))
    if not words.strip():
        return None
    got = run.call("search_text", "messages with the question's words", text=words, k=60, labels=["Thread", "Message"])
    channels = [f"{kind}:{k.partition(':')[2]}/" for m in u.links.of("Channel") for k in m.keys for kind in ("message", "thread")]
    found = [p for p in (passage(r, 1.0, 0.0) for r in got.rows) if not channels or p.src.startswith(tuple(channels))]
    asked = set(query_terms(words))
    fitting = [p for p in found if len(asked & set(terms(p.text))) >= max(1, 0.5 * len(asked))]
    if not fitting:
        return nothing("No message that is loaded has these words.", *entries)
    facts = []
    for p in fitting[:3]:
        quote = reader.best_sentence(p, sorted(asked))
        facts.append(
            Fact(
                f"{titled(p.src, p.title)}, {day(p.at)}: “{quote.text if quote else p.title}”", (p.src,),
                (quote,) if quote else (),
                run.last,
            )
        )
    items = unique(p.src for p in fitting[:1])
    if u.want == "people":
        authors = unique(p.author for p in fitting[:1])
        return answered([f"person:{a.lower()}" for a in authors], facts, [p.src for p in fitting[:3]]) if authors else None
    if u.want == "date":
        return answered([day(fitting[0].at)], facts[:1], [fitting[0].src])
    if u.says("which_channel"):
        items = unique("channel:" + k.partition(":")[2].split("/")[0] for k in items)
    return answered(items, facts, unique(p.src for p in fitting[:3]))
