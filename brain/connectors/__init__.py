"""One module a source format. The table is checked against the folder by a test."""

from collections.abc import Iterable, Mapping
from typing import Any

from brain.connectors import alerts, auto, backstage, codeowners, deploys, extracted, flags, git, github, markdown, slack, tickets
from brain.connectors.context import Context

FORMATS = {
    "alerts": alerts,
    "auto": auto,
    "backstage": backstage,
    "codeowners": codeowners,
    "deploys": deploys,
    "extracted": extracted,
    "flags": flags,
    "git": git,
    "github": github,
    "markdown": markdown,
    "slack": slack,
    "tickets": tickets,
}


def context(sources: Iterable[Iterable[dict[str, Any]]], decided: Mapping[str, str] | None = None) -> Context:
    """What must be known of all sources (their records, heads first) before any becomes a row; `decided` maps ids of claims to
    what people decided about them.
    """
    knowing = {name: module.known for name, module in FORMATS.items() if hasattr(module, "known")}
    return Context.build(sources, knowing=knowing, decided=decided)
