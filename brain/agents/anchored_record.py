"""What the record of one thing says itself: its title, state, milestone, labels, dates."""

from __future__ import annotations

from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import as_at, day, listing, short, state_of, titled
from brain.types import Node

_PROPERTIES = ("milestone", "base", "merge_sha", "head_sha", "title", "state", "url", "n_files")


def property_asked(u: Understanding) -> str:
    """The property of an item that is asked for by its name; empty when none is."""
    if u.want in ("people", "count", "releases", "files") or len(u.words) > 3:
        return ""
    return next((name for name in _PROPERTIES if u.says(name)), "")


def stated(run: Run, key: str, node: Node | None, name: str) -> Draft:
    """One property of an item, as its record says."""
    node = read(run, key, node, f"its {name.replace('_', ' ')}")
    value = node.name if node and name == "title" else (node.props.get(name) if node else None)
    noun = name.replace("_", " ")
    if value in (None, ""):
        return Draft([], [Fact(f"{short(key)} has no {noun}.", (key,), step=run.last)], entries=[key])
    text = f"{titled(key, node.name if node else '')}: {noun} {value}."
    return Draft([str(value)], [Fact(text, (key,), step=run.last)], entries=[key])


def listed_property(run: Run, key: str, node: Node | None, name: str) -> Draft:
    """The values of a property that has several, such as labels."""
    node = read(run, key, node, f"its {name.replace('_', ' ')}")
    values = [str(value) for value in (node.props.get(name) if node else None) or []]
    text = f"{titled(key, node.name if node else '')} carries {listing(values)}." if values else f"{short(key)} carries no {name}."
    return Draft(values, [Fact(text, (key,), step=run.last)], entries=[key])


def dated(u: Understanding, run: Run, key: str, node: Node | None) -> Draft:
    """When it was opened, merged, closed, committed or published."""
    node = read(run, key, node, "its dates")
    if node is None:
        return Draft(state="insufficient")
    wanted, done = ("merged_at", "merged") if u.has("merge") else ("closed_at", "closed") if u.has("close") else ("created_at", "opened")
    if key.startswith(("release:", "commit:")):
        wanted, done = "at", "published" if key.startswith("release:") else "committed"
    value = node.props.get(wanted) or (node.props.get("at") if wanted == "created_at" else None)
    if not value:
        text = f"{titled(key, node.name)} was not {done}: it is {state_of(node)}."
        return Draft([], [Fact(text, (key,), step=run.last)], entries=[key])
    text = f"{titled(key, node.name)} was {done} on {day(value)}."
    return Draft([day(value)], [Fact(text, (key,), step=run.last)], entries=[key])


def verdict(u: Understanding, run: Run, node: Node) -> Draft | None:
    """Yes or no to how it stands; None when the question is not about that. The step before read the record."""
    state = str(node.props.get("state") or "")
    asked = u.state or ("merged" if u.has("merge") else "")
    holds = {"merged": ("merged",), "open": ("open",), "closed": ("closed", "merged"), "unmerged": ("closed",)}.get(asked)
    if holds is None:
        return None
    fact = Fact(f"{titled(node.key, node.name)} is {state_of(node)}.", (node.key,), step=run.last)
    yes = state in holds
    return Draft(["yes" if yes else "no"], [fact], entries=[node.key], lead="Yes." if yes else "No.")


def read(run: Run, key: str, node: Node | None, why: str) -> Node | None:
    """The record of a thing as it stood at the run's instant; None when it is not there."""
    got = run.call("details", why, key=key)
    node = next((n for n in got.nodes if n.key == key), node)
    return as_at(node, run.ctx.as_of) if node else None
