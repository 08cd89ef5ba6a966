"""Drafts: a text for a person to read. Approving one says that somebody stands behind it; nothing is ever sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from brain.approvals.approval import Change, Proposal
from brain.approvals.deciding import Moment, names, still
from brain.errors import BadInput
from brain.held import keys_in
from brain.tools.asking import Asking
from brain.types import Result

LONGEST = 200_000
_WHAT = {"draft_triage": "triage", "draft_reply": "reply", "draft_post_mortem": "post-mortem", "draft_message": "message"}


def propose_triage(ctx: Asking, args: Mapping[str, Any], found: Result) -> Proposal:
    """The rows of draft_triage as a text."""
    key = str(args["key"])
    parts = {"duplicate": "Looks like", "reviewer": "Could look at it", "label": "Labels that fit"}
    lines = []
    for section, head in parts.items():
        rows = [r for r in found.rows if r["section"] == section]
        told = [f"- {r['name']}" + (f" ({r['key']})" if section != "label" else "") for r in rows[:3]]
        lines += [f"{head}:", *told, ""] if told else []
    if not lines:
        raise BadInput(f"nothing is known that would help to triage {key!r}")
    named = [str(r["key"]) for r in found.rows if r["section"] != "label"]
    cites = [key, *named, *(str(k) for r in found.rows for k in r["because"])]
    return _draft("draft_triage", ctx, {"key": key}, "\n".join(lines).strip(), cites, key)


def propose_reply(ctx: Asking, args: Mapping[str, Any], found: Result) -> Proposal:
    """The rows of draft_reply as a text: its sentences, each with the source it quotes."""
    key = str(args["key"])
    rows = [r for r in found.rows if r["sentence"]]
    if not rows:
        raise BadInput(f"nothing was found that answers {key!r}")
    told = "\n\n".join(f"{r['sentence']}" + (f" [{r['key']}, line {r['line']}]" if r["key"] else "") for r in rows)
    return _draft("draft_reply", ctx, {"key": key}, told, [key, *(str(r["key"]) for r in rows if r["key"])], key)


def propose_text(kind: str, ctx: Asking, args: Mapping[str, Any]) -> Proposal:
    """A text that was written elsewhere, as for an incident: `args` hold title, text, cites (keys), and what else tells where it is
    from, such as the investigation.
    """
    text, title, cites = str(args.get("text") or "").strip(), str(args.get("title") or "").strip(), args.get("cites") or []
    if not text or not title or len(text) > LONGEST or not isinstance(cites, Sequence) or isinstance(cites, str):
        raise BadInput(f"{kind} needs a title, a text of at most {LONGEST:,} characters, and cites, a list of keys")
    own = {k: v for k, v in args.items() if k != "text"}
    return _draft(kind, ctx, own, text, sorted(names(ctx, {*map(str, cites), *keys_in(own)})), title)


def _draft(kind: str, ctx: Asking, args: Mapping[str, Any], text: str, cites: Sequence[str], of: str) -> Proposal:
    cites = list(dict.fromkeys(cites))
    called = names(ctx, [of]).get(of, of) if ":" in of else of
    told = f"Stand behind this draft of a {_WHAT[kind]}: {called}; nothing is sent"
    return Proposal(kind, args, told, cites=tuple(cites), draft=text)


def check(ctx: Asking, p: Proposal) -> None:
    """BadInput when something that it cites has gone."""
    still(ctx, p.cites)


def change(moment: Moment, p: Proposal) -> Change:
    """Nothing changes."""
    return Change()


def moved(moment: Moment, done: Change) -> str:
    """Nothing stands in the way."""
    return ""
