"""What people call a thing of the company, as its key: by key, name, alias or path. What fits nothing is refused, and what fits
several things of one kind is refused with their keys.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain import schema
from brain.errors import ToolError
from brain.tools import naming
from brain.tools.asking import Asking

KINDS = (
    "Service", "System", "Api", "Resource", "Module", "Project", "Team", "Domain", "Repo", "Doc", "Decision", "Rule", "Ticket", "Alert",
    "Incident", "Deploy", "Role", "Channel",
)  # fmt: skip


def thing(ctx: Asking, name: str, kinds: Sequence[str] = KINDS) -> str:
    """The key of the thing called so, of the first of these kinds that fits; a path where no name does."""
    text = name.strip()
    if text.partition(":")[0] in schema.LABEL_OF_PREFIX and ":" in text:
        return naming.entity(ctx, text)
    spaced = re.sub(r"[\s_-]+", " ", text.lower())
    forms = list(dict.fromkeys([text.lower(), spaced, spaced.replace(" ", "-"), spaced.replace(" ", "_")]))
    keys = [f"{schema.NODES[kind].prefix}:{form}" for kind in kinds for form in dict.fromkeys((text, text.upper(), *forms))]
    rows = list(ctx.run("entities", keys=keys).rows) or list(ctx.run("things_called", names=forms, labels=list(kinds)).rows) if text else []
    for kind in kinds:
        found = [r for r in rows if r["label"] == kind]
        exact = list(dict.fromkeys(str(r["key"]) for r in [r for r in found if r.get("how") == "name"] or found))
        if len(exact) > 1:
            raise ToolError(f"{name!r} may be {', '.join(exact[:5])}; give the key")
        if exact:
            return exact[0]
    return _place(ctx, text)


def _place(ctx: Asking, text: str) -> str:
    """The one file, directory or repository that a path means."""
    if "/" in text or "." in text:
        keys = naming.places(ctx, text, []).keys
        if len(keys) > 1:
            raise ToolError(f"{text!r} may be {', '.join(keys[:5])}; give the key")
        return keys[0]
    raise ToolError(f"nothing is known that is called {text!r}; find_entities and search_text find keys")
