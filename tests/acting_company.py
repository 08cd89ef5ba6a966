"""A company of a few people in which something can be done: a service with its team, tickets that are somebody's and nobody's, a
claim that waits, and a ticket that only some may read.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from claims_graph import Company, at, lines
from tiny_org import brain_of

from brain.brain import Brain
from brain.settings import Settings
from brain.store import graph_name
from brain.types import Viewer

NOW = at("2025-12-01")
ROSTER = lines(
    "Ada is in heat", "Dee is in heat", "Cy is in gas", "heat owns kiln-control", "gas owns burner", "Bo was in heat until June",
    "I think Ada handled KIL-4",
)  # fmt: skip
SECRET = lines("KIL-9 is Cy's", "the kiln may explode")
ADMIN, ADA, DEE, CY = "local", "ada", "dee", "cy"


def made() -> Company:
    """The company, not yet loaded."""
    c = Company()
    for who in ("ada", "bo", "cy", "dee"):
        c.node(f"person:{who}", who.title(), login=who, departed_at=at("2025-06-01") if who == "bo" else None)
    c.node("person:made-up", "Made Up", generated=True)
    c.node("person:robot", "Robot", login="robot", bot=True)
    for key in ("team:heat", "team:gas", "service:kiln-control", "service:burner"):
        c.node(key)
    c.doc("roster.md", ROSTER, at=at("2025-01-01"))
    for line, (who, team) in enumerate((("ada", "heat"), ("dee", "heat"), ("cy", "gas")), 1):
        c.claim(f"person:{who}", "MEMBER_OF", f"team:{team}", "doc:roster.md", line, f"{who.title()} is in {team}")
    c.claim("team:heat", "OWNS", "service:kiln-control", "doc:roster.md", 4, "heat owns kiln-control")
    c.claim("team:gas", "OWNS", "service:burner", "doc:roster.md", 5, "gas owns burner")
    c.claim("person:bo", "MEMBER_OF", "team:heat", "doc:roster.md", 6, "Bo was in heat until June", valid_to=at("2025-06-01"))
    for n, day, about in ((1, "2025-11-01", "kiln-control"), (2, "2025-11-02", "kiln-control"), (3, "2025-11-03", "burner"), (4, "2025-10-01", "kiln-control")):
        closed = at("2025-10-05") if n == 4 else None
        c.node(f"ticket:KIL-{n}", f"Kiln cools {n}", access="open", at=at(day), created_at=at(day), closed_at=closed, state="Done" if closed else "Open")
        c.text(f"ticket:KIL-{n}", f"Kiln cools {n}\nAssignee: Cy" if n == 2 else f"Kiln cools {n}")
        c.edge(f"ticket:KIL-{n}", "ABOUT", f"service:{about}")
    c.claim("ticket:KIL-2", "ASSIGNED_TO", "person:cy", "ticket:KIL-2", 2, "Assignee: Cy", authority="record")
    c.claim("ticket:KIL-4", "HANDLED_BY", "person:ada", "doc:roster.md", 7, "I think Ada handled KIL-4", state="candidate")
    c.node("doc:secret.md", access="restricted", aud=["team:gas"], path="secret.md", at=at("2025-01-01"))
    c.node("ticket:KIL-9", "The kiln may explode", access="restricted", aud=["team:gas"], at=at("2025-11-04"), state="Open")
    c.text("ticket:KIL-9", SECRET, "restricted")
    c.chunks[-1]["aud"] = ["team:gas"]
    c.edge("ticket:KIL-9", "ABOUT", "service:burner")
    return c


def brain(settings: Settings, workspace: str) -> Brain:
    """The company, loaded afresh into the workspace, with nothing proposed or decided in it; it is 1 December 2025 there."""
    opened = brain_of(settings, workspace)
    made().build(opened.store, workspace)
    opened.store.drop(graph_name(workspace, "runs"))
    (opened.files.folder / "decisions.jsonl").unlink(missing_ok=True)
    opened.clock = lambda: NOW
    return opened


@contextmanager
def office(settings: Settings, workspace: str) -> Iterator[Brain]:
    """The company in a workspace of its own, of whose graphs nothing stays."""
    opened = brain(settings, workspace)
    yield opened
    for part in ("", "runs"):
        opened.store.drop(graph_name(workspace, part))
    opened.close()


def assigned(brain: Brain, ticket: str, who: Viewer | str = ADMIN) -> list[str]:
    """Whose the ticket is, as answers tell it."""
    viewer = brain.viewer(who) if isinstance(who, str) else who
    rows = brain.tools["expand"].run(brain.looking(viewer), key=ticket, rels=["ASSIGNED_TO"]).rows
    return [str(r["key"]) for r in rows]
