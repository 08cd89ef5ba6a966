"""What the words of a statement name: things of the company, by the linker that reads questions, and spans of time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from brain.memory.items import ON_CALL, OWNS, PERSON, TEAM, WORKS_ON
from brain.text.lexicon import Lexicon
from brain.text.link_things import RUNS
from brain.text.linking import Linker
from brain.text.mentions import Ask, Mention
from brain.text.timewords import parse

_RUNNING = (*RUNS, "Repo")
LABELS = {
    TEAM: ("Team",), WORKS_ON: (*_RUNNING, "Directory", "File", "Concept"), OWNS: (*_RUNNING, "Directory", "File"),
    ON_CALL: (*_RUNNING, "Team"), PERSON: ("Person",),
}  # fmt: skip
_KINDS = {
    "Team": r"teams?|squads?|groups?|crews?|tribes?", "Repo": r"repos?|repositor(?:y|ies)", "Service": r"(?:micro-?)?services?",
    "System": r"systems?", "Api": r"apis?", "Resource": r"resources?|databases?", "Module": r"modules?", "Project": r"projects?",
    "Domain": r"domains?",
}  # fmt: skip
_ANY = "|".join(_KINDS.values()) + r"|components?|apps?|applications?|areas?|products?|librar(?:y|ies)|code|codebase"
_BEFORE = re.compile(rf"^(?:(?:the|our|a|an|my)\s+)?(?:(?P<kind>{_ANY})\s+(?:called\s+|named\s+)?)?", re.I)
_AFTER = re.compile(rf"\s+(?P<kind>{_ANY})$", re.I)
_PARTS = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*|\s*;\s*", re.I)
_MOST = 10
_THIS = re.compile(r"\bthis (week|month)\b|\b(?:today|this (?:shift|evening|morning|afternoon))\b", re.I)
_QUOTES = "`\"'\u201c\u201d\u2018\u2019 "


class Named:
    """Reads names for statements, as the viewer of the lexicon may see them."""

    def __init__(self, lexicon: Lexicon, ask: Ask, now: int) -> None:
        self.linker = Linker(lexicon, ask)
        self._names, self._ask, self._now = lexicon, ask, now
        self._read: dict[tuple[str, Sequence[str]], str] = {}

    def timeless(self, clause: str) -> tuple[str, int | None]:
        """The clause without the words that say when, and the instant at which that ends."""
        time = parse(clause, self._now)
        until = time.until if time.until and time.until > self._now + 1 else self._end(clause)
        for start, end in sorted(time.spans, reverse=True):
            clause = f"{clause[:start]} {clause[end:]}"
        return re.sub(r"\s+(?:until|till|since|from|for|in)?\s*$", "", " ".join(clause.split()), flags=re.I), until

    def _end(self, clause: str) -> int | None:
        """When the day, week or month ends that the clause says it holds in."""
        unit = _THIS.search(clause)
        if unit is None:
            return None
        day = datetime.fromtimestamp(self._now, UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        word = (unit[1] or "day").lower()
        ends = {"week": day + timedelta(days=7 - day.weekday()), "month": (day.replace(day=28) + timedelta(days=4)).replace(day=1)}
        return int(ends.get(word, day + timedelta(days=1)).timestamp())

    def named(self, kind: str, phrase: str) -> Sequence[tuple[str, str]] | None:
        """What every part of the phrase names, as (key, name); None when some part names nothing such, or more than one thing."""
        found: list[tuple[str, str]] = []
        parts = [part for part in _PARTS.split(phrase) if part]
        for part in parts if len(parts) <= _MOST else ():
            read = (part.strip(_QUOTES), LABELS[kind])
            key = self._read[read] if read in self._read else self._read.setdefault(read, self._one(*read))
            if not key:
                return None
            found.append((key, self.name(key)))
        return found or None

    def _one(self, part: str, labels: Sequence[str]) -> str:
        """The one thing of these labels that the part is the name of; empty when there is none."""
        before = _BEFORE.match(part)
        after = _AFTER.search(part)
        said = [m["kind"] for m in (before, after) if m and m["kind"]]
        core = part[before.end() if before else 0 : after.start() if after else len(part)].strip(_QUOTES)
        if not core:
            core, said = part, []
        meant = [label for label, kind in _KINDS.items() if label in labels and any(re.fullmatch(kind, word, re.I) for word in said)]
        forms = [(part, ""), (core, "")] if not meant else []
        forms += [(core, label) for label in (meant or [label for label in labels if label in _KINDS])]
        forms += [(f"@{core}", "")] if "Person" in labels and " " not in core else []
        for name, label in forms:
            lead = f"What about the {label.lower() if label != 'Repo' else 'repository'} " if label else ""
            mention = self._whole(f"{lead}{name}", len(lead), (label,) if label else labels)
            if mention is not None and len(mention.keys) == 1:
                return mention.keys[0]
        return ""

    def _whole(self, text: str, start: int, labels: Sequence[str]) -> Mention | None:
        """The mention that takes all of the text from there on."""
        for m in self.linker.link(text).mentions:
            if m.label in labels and m.start <= start + 1 and m.end >= len(text) - 1 and (m.sure or m.label == "Concept"):
                return m
        return None

    def name(self, key: str) -> str:
        """What a thing is called; its key without the kind when it has no name."""
        rows = self._ask("by_keys", keys=[key])
        return str(rows[0].get("name") or "") if rows and rows[0].get("name") else key.partition(":")[2]
