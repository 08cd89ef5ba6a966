"""A company of a few files whose texts say what the tests of extraction need, loaded as any other; and what a model says of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chat_export
import tiny_org
from company_files import written

from brain import loads
from brain.brain import Brain
from brain.llm.talk import Reply, Request, Tokens

NOW = 1_790_000_000
CATALOGUE = """apiVersion: backstage.io/v1alpha1
kind: Component
metadata: {name: kiln-control, title: Kiln control}
spec: {type: service, owner: group:heat, dependsOn: ["component:sensor-hub"]}
---
apiVersion: backstage.io/v1alpha1
kind: Component
metadata: {name: sensor-hub}
spec: {type: service}
---
apiVersion: backstage.io/v1alpha1
kind: Component
metadata: {name: glaze-store}
spec: {type: service}
---
apiVersion: backstage.io/v1alpha1
kind: Group
metadata: {name: heat}
spec: {type: team, profile: {displayName: Heat}, children: []}
---
apiVersion: backstage.io/v1alpha1
kind: Group
metadata: {name: glaze}
spec: {type: team, profile: {displayName: Glaze}, children: []}
"""
GUIDE = """# How firing works

Ada Byron is the tech lead of kiln-control.
The glaze-store service depends on sensor-hub.
Bo Diddley doesn't own sensor-hub.
Does the Glaze team own glaze-store?
Team Glaze owns kiln-control.
"""
TALK = (
    ("U0000001", 1, "I own glaze-store now", 1),
    ("U0000002", 2, "we decided to cool glaze-store for one hour, not two", 1),
    ("U0000001", 3, "because two hours block the next firing", 1),
    ("U0000003", 4, "the Bunker needs sensor-hub", 1),
)
SECRET = (("U0000001", 10, "Cy Twombly works on sensor-hub", 10),)


def folder(path: Path) -> Path:
    """The company's files."""
    written(path / "catalog" / "all.yaml", CATALOGUE)
    written(path / "docs" / "firing.md", GUIDE)
    said = {"heat": [chat_export.message(w, n, t, th) for w, n, t, th in TALK], "vault": [chat_export.message(w, n, t, th) for w, n, t, th in SECRET]}
    chat_export.export(path / "chat", said, private=("vault",))
    items = tiny_org.two_of_each()
    items["pulls"][0]["reviews"] = [tiny_org.review("cy", "APPROVED", "2025-01-20", "Agreed: hold the heat for an hour, since glaze cracks otherwise.")]
    tiny_org.archive(path / "kiln.json", **items)
    return path


def loaded(brain: Brain, path: Path) -> Brain:
    """The workspace with the company in it."""
    brain.clock = lambda: NOW
    brain.load(loads.auto(brain.settings, folder(path), "acme"))
    return brain


def claim(line: int, quote: str, subject: str, predicate: str, object_: str, **more: str) -> dict[str, Any]:
    """A claim as a model writes it."""
    return {"line": line, "quote": quote, "subject": subject, "predicate": predicate, "object": object_, "from": "", "until": "", "why": "", **more}


def decision(line: int, quote: str, title: str, *because: tuple[int, str], by: str = "", about: tuple[str, ...] = ()) -> dict[str, Any]:
    """A decision as a model writes it."""
    return {"line": line, "quote": quote, "title": title, "by": by, "because": [{"line": n, "quote": q} for n, q in because], "about": list(about)}


def reply(*claims: dict[str, Any], decisions: tuple[dict[str, Any], ...] = ()) -> str:
    """A whole reply."""
    return json.dumps({"claims": list(claims), "decisions": list(decisions)})


def numbered(prompt: str) -> dict[str, int]:
    """The lines of a prompt by what they say, with their numbers."""
    return {m[2]: int(m[1]) for m in re.finditer(r"^\| (\d+): (.*)$", prompt, re.MULTILINE)}


def honest(prompt: str) -> str:
    """What a good model says of the company's texts."""
    at = numbered(prompt)
    wanted = (
        ("Ada Byron is the tech lead of kiln-control.", "Ada Byron", "TECH_LEAD_OF", "kiln-control"),
        ("The glaze-store service depends on sensor-hub.", "glaze-store", "DEPENDS_ON", "sensor-hub"),
        ("Bo Diddley doesn't own sensor-hub.", "Bo Diddley", "OWNS", "sensor-hub"),
        ("Does the Glaze team own glaze-store?", "Glaze team", "OWNS", "glaze-store"),
        ("Team Glaze owns kiln-control.", "Team Glaze", "OWNS", "kiln-control"),
        ("I own glaze-store now", "I", "OWNS", "glaze-store"),
        ("the Bunker needs sensor-hub", "the Bunker", "DEPENDS_ON", "sensor-hub"),
        ("Cy Twombly works on sensor-hub", "Cy Twombly", "WORKS_ON", "sensor-hub"),
    )
    made = [claim(at[text], text, *names) for text, *names in wanted if text in at]
    decided = "we decided to cool glaze-store for one hour, not two"
    resolved = ()
    if decided in at:
        why = "because two hours block the next firing"
        resolved = (decision(at[decided], decided, "Cool glaze-store for one hour", (at[why], why), by="Bo Diddley", about=("glaze-store",)),)
    return reply(*made, decisions=resolved)


class Reads:
    """A model that says what a function of its prompt says, and counts how often it was asked."""

    def __init__(self, said: Callable[[str], str] = honest, name: str = "tiny-1") -> None:
        self.said, self.name, self.asked = said, name, list[Request]()

    def ask(self, request: Request, on_text: Any = None, cancelled: Any = lambda: False) -> Reply:
        """The reply to a slice."""
        self.asked.append(request)
        return Reply(self.said(request.messages[-1].text), model=self.name, tokens=Tokens(100, 20), usd=0.001)
