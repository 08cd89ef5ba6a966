"""What the record of a named document says by itself: its author, who merged it, its dates, state and labels,
and who wrote its reviews and comments. Documents carry this in any passage index; no graph is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.agents.run import Draft, Fact
from brain.agents.understand import Understanding
from brain.agents.wording import day, listing, short, titled
from brain.text.passages import Passage

_AGREES = re.compile(r"lgtm|approv|looks good|ship it|sounds good|\+1|works for me|nice", re.I)
_PARTS: dict[str, tuple[str, ...]] = {
    "approve": ("review",),
    "changes_requested": ("review",),
    "review": ("review",),
    "comment": ("comment", "review-comment"),
}


def recorded(u: Understanding, passages: Sequence[Passage], step: int, entries: list[str]) -> Draft | None:
    """The answer that the named document's own record holds; None when it holds none to this question."""
    named = {k for m in u.links.of("PullRequest", "Issue", "Commit", "Release") for k in m.keys}
    own = [p for p in passages if p.src in named]
    if not own:
        return None
    if u.want == "people":
        return _people(u, own, step, entries)
    if u.want == "date":
        return _date(u, own[0], step, entries)
    if u.want == "labels":
        labels = [str(x) for x in own[0].about.get("labels") or ()]
        return Draft(
            labels, [Fact(f"{titled(own[0].src, own[0].title)} carries {listing(labels)}.", (own[0].src,), step=step)], entries=entries
        )
    if u.want == "yesno" and u.state and own[0].about.get("state"):
        state = str(own[0].about["state"])
        yes = state == ("closed" if u.state == "unmerged" else u.state) or (u.state == "closed" and state == "merged")
        said = Fact(f"{titled(own[0].src, own[0].title)} is {state}.", (own[0].src,), step=step)
        return Draft(["yes" if yes else "no"], [said], entries=entries, lead="Yes." if yes else "No.")
    if u.want == "count" and u.kind in ("comments", "reviews"):
        return _count(u, own, step, entries)
    return None


def _people(u: Understanding, own: Sequence[Passage], step: int, entries: list[str]) -> Draft | None:
    top = own[0]
    aspect = next((a for a in _PARTS if u.has(a)), "")
    if not aspect:
        login = top.about.get("merged_by") if u.has("merge") else top.about.get("author") or top.author
        if not login or (u.has("close", "ship") and not u.has("merge", "author")):
            return None
        verb = "merged" if u.has("merge") else "wrote"
        return Draft([_key(str(login))], [Fact(f"{login} {verb} {titled(top.src, top.title)}.", (top.src,), step=step)], entries=entries)
    author = str(top.about.get("author") or "").lower()
    said = [p for p in own if p.part.startswith(_PARTS[aspect]) and p.author and p.author.lower() != author]
    if aspect == "approve":
        said = [p for p in said if _AGREES.search(p.body)]
    who = list(dict.fromkeys(p.author for p in said))
    facts = [Fact(f"{a} wrote a {aspect if aspect == 'comment' else 'review'} of {short(top.src)}.", (top.src,), step=step) for a in who]
    none = Fact(f"No passage of {short(top.src)} is such a {aspect.replace('_', ' ')}.", (top.src,), step=step)
    return Draft([_key(a) for a in who], facts or [none], entries=entries)


def _key(login: str) -> str:
    return f"person:{login.lower().removesuffix('[bot]')}"


def _date(u: Understanding, top: Passage, step: int, entries: list[str]) -> Draft:
    name = "merged_at" if u.has("merge") else "closed_at" if u.has("close") else "created_at"
    at = top.about.get(name) or (top.at if name == "created_at" else None)
    word = {"merged_at": "merged", "closed_at": "closed", "created_at": "opened"}[name]
    text = f"{titled(top.src, top.title)} was {word} on {day(int(at))}." if at else f"{titled(top.src, top.title)} was not {word}."
    return Draft([day(int(at))] if at else [], [Fact(text, (top.src,), step=step)], entries=entries)


def _count(u: Understanding, own: Sequence[Passage], step: int, entries: list[str]) -> Draft:
    part = "comment" if u.kind == "comments" else "review/"
    n = len({p.part for p in own if p.part.startswith(part)})
    said = Fact(f"{short(own[0].src)}: {n} with words.", (own[0].src,), step=step, aggregate=True)
    return Draft([str(n)], [said], entries=entries)
