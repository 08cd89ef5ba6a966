"""“Who made more, A or B?”, “more in 2024 than in 2025?”: what is compared is counted once for each, and both numbers are told."""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.agents.plain import Plain, merged, unread, why_not
from brain.agents.run import Draft, Fact
from brain.agents.understand import Understanding
from brain.agents.wording import day, listing, short

_MORE = r"(?P<more>more|fewer|less)"
_WHO = re.compile(
    rf"^\W*(?:who|which(?: \w+)?|what(?: \w+)?|whose?)\s+(?P<verb>\w+)\s+(?:the\s+)?(?:{_MORE}|(?P<most>most|least))\s+(?P<what>.+?)"
    r"\s*[,:\u2013-]?\s*(?:either\s+)?(?P<a>\0\d+)\s*(?:,?\s*or|,|/|versus|vs\.?)\s*(?P<b>\0\d+)\s*\??$",
    re.I,
)
_DID = re.compile(
    rf"^\W*(?P<aux>did|does|do|has|have"
    rf"|had)\s+(?P<a>\0\d+)\s+(?P<verb>\w+)\s+{_MORE}\s+(?P<what>.+?)\s+than\s+(?P<b>\0\d+)(?P<tail>[^?]*)\??$", re.I
)
_TIMES = re.compile(
    rf"^\W*(?:did|does|do|has|have|were|was|are|is)\s+(?:there\s+)?{_MORE}\s+(?P<what>.+?)\s+than\s+(?P<b>(?:in|during|since|on)\s+)?(?P<tail>[^?]+?)\s*\??$",
    re.I,
)
_HOW_MUCH_MORE = re.compile(r"\bhow (?:many|much) more\b", re.I)


def answer(u: Understanding, plain: Plain) -> Draft | None:
    """Which of two has more, with both numbers; None for a question that compares nothing so."""
    if plain.arm != "graph" or _HOW_MUCH_MORE.search(u.question):
        return None
    return _apart(u, plain) or _things(u, plain) or _times(u, plain)


def _masked(u: Understanding) -> tuple[str, dict[str, tuple[str, str]]]:
    """The question with its names as marks, and for each mark the words and the key."""
    text, names = u.question, {}
    for i, m in reversed([*enumerate(x for x in u.links.mentions if x.label != "Concept" and x.keys)]):
        names[f"\0{i}"] = (m.text, m.keys[0])
        text = f"{text[: m.start]}\0{i}{text[m.end :]}"
    return text, names


def _filled(text: str, names: dict[str, tuple[str, str]]) -> str:
    for mark in sorted(names, key=len, reverse=True):
        text = text.replace(mark, names[mark][0])
    return text


def _things(u: Understanding, plain: Plain) -> Draft | None:
    """Two people, teams, services or repositories."""
    text, names = _masked(u)
    m = _WHO.match(text) or _DID.match(text)
    if not m:
        return None
    a, b = names[m["a"]], names[m["b"]]
    if a[1].partition(":")[0] != b[1].partition(":")[0]:
        return None
    what = _filled(f"{m['what']}{m.groupdict().get('tail') or ''}", names)
    noun, _, rest = what.partition(" ")
    asked = [f"How many {noun} did {name} {_plain_verb(m['verb'])} {rest}?" for name, _ in (a, b)]
    fewer = (m.groupdict().get("more") or "").lower() in ("fewer", "less") or (m.groupdict().get("most") or "").lower() == "least"
    return _compared(plain, asked, [a[0], b[0]], [a[1], b[1]], fewer, whether=u.want == "yesno" and bool(_DID.match(text)))


_PLAIN = {"made": "make", "wrote": "write", "did": "do", "has": "have", "had": "have", "left": "leave", "got": "get", "gave": "give"}


def _plain_verb(verb: str) -> str:
    low = verb.lower()
    return _PLAIN.get(low) or re.sub(r"(?<=[^aeiou])ied$", "y", re.sub(r"(?:(?<=e)d|(?<=[^e])ed|(?<=[a-z])s)$", "", low))


def _times(u: Understanding, plain: Plain) -> Draft | None:
    """The same in two stretches of time."""
    m = _TIMES.match(u.question)
    if not m or len(u.time.spans) < 1:
        return None
    at = m.start("b") if m["b"] else m.start("tail")
    spans = sorted(u.time.spans)
    first = next((s for s in spans if s[1] <= m.end("what")), None)
    if first is None or re.search(r"[a-z]{3,}", _beside(u.question, spans, at), re.I):
        return None
    one = m["what"]
    cut = u.question[: first[0]].rstrip() + " \1 " + u.question[first[1] :]
    asked_for = cut[m.start("what") : cut.index("than", m.start("what")) if "than" in cut else len(cut)].strip()
    words = [u.question[first[0] : first[1]].strip(), f"{m['b'] or ''}{m['tail']}".strip()]
    prep = re.match(r"(in|during|since|on)\b", words[0], re.I)
    if prep and not re.match(r"(?:in|during|since|on|last|this|yesterday|today)\b", words[1], re.I):
        words[1] = f"{prep[1]} {words[1]}"
    asked = [f"How many {asked_for.replace(chr(1), '').strip()} {w}?".replace("  ", " ") for w in words]
    return _compared(plain, asked, words, [], m["more"].lower() in ("fewer", "less"), whether=True) if one else None


def _beside(text: str, spans: Sequence[tuple[int, int]], at: int) -> str:
    """What stands behind a place besides time words."""
    for a, b in sorted(spans, reverse=True):
        text = text[:a] + " " * (b - a) + text[b:]
    return re.sub(r"\b(?:in|during|since|on|the)\b", "", text[at:], flags=re.I)


_APART = re.compile(
    r"\bhow (?:many (?P<unit>days|weeks|months|years)|long)\b[^?]*\b(?:between|from|after)\b|\bhow (?:many (?P<u2>days"
    r"|weeks|months|years)|long) (?:after|before)\b",
    re.I,
)
_DATED = ("Release", "PullRequest", "Issue", "Commit", "Incident", "Alert", "Deploy", "Decision", "Ticket")
_LENGTH = {"days": 1, "weeks": 7, "months": 30.4375, "years": 365.25}


def _apart(u: Understanding, plain: Plain) -> Draft | None:
    """How much time lies between two things that have a date: from the one to the other, in the unit asked for."""
    m = _APART.search(u.question)
    keys = [x.keys[0] for x in u.links.mentions if x.label in _DATED and len(x.keys) == 1]
    if not m or len(keys) != 2 or u.kind in ("prs", "issues", "commits", "people"):
        return None
    got = plain.run.look("by_keys", "their dates", keys=keys)
    at = {n.key: int(n.props.get("at") or n.props.get("created_at") or 0) for n in got.nodes}
    if not all(at.get(k) for k in keys):
        return None
    days = abs(at[keys[1]] - at[keys[0]]) // 86_400
    unit = m["unit"] or m["u2"] or "days"
    facts = [Fact(f"{short(k)}: {day(at[k])}.", (k,), step=plain.run.last, aggregate=True) for k in keys]
    n = int(days / _LENGTH[unit])
    lead = f"{days} days{f', {n} full {unit}' if unit != 'days' else ''}."
    return Draft([str(n)], facts, entries=keys, lead=lead)


def _compared(plain: Plain, asked: list[str], names: list[str], keys: list[str], fewer: bool, whether: bool) -> Draft:
    drafts = [plain(q)[0] for q in asked]
    numbers: list[int] = []
    for question, d in zip(asked, drafts, strict=True):
        if d.state != "answered" or len(d.items) != 1 or not re.fullmatch(r"\d+", d.items[0]):
            return unread(question, f"not answered with a number: {why_not(d)}")
        numbers.append(int(d.items[0]))
    first = numbers[0] < numbers[1] if fewer else numbers[0] > numbers[1]
    told = listing([f"{name}: {n}" for name, n in zip(names, numbers, strict=True)])
    facts = [f for d in drafts for f in d.facts[:1]]
    if whether:
        return merged(drafts, ["yes" if first else "no"], facts, f"{'Yes' if first else 'No'}. {told}.")
    if numbers[0] == numbers[1]:
        return merged(drafts, keys, facts, f"As many: {told}.")
    return merged(drafts, [keys[0 if first else 1]], facts, f"{told}.")
