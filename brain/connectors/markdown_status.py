"""What a record says of its own standing: its status, and which records it replaces, is replaced by, or amends. A form's
placeholder is no status, and neither is an empty mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from brain.connectors.markdown_front import Value, field_name
from brain.connectors.markdown_kind import Document, is_placeholder, says
from brain.connectors.markdown_page import Line, Link, Section, plain_title

_STATES: tuple[tuple[str, str], ...] = (
    ("partly superseded", r"(?:part(?:ly|ially)|in part),? (?:super[sc]+e+ded|replaced|obsoleted)"),
    ("superseded", r"super[sc]+e+ded|replaced by|obsoleted by"),
    ("rejected", r"rejected|declined|refused|withdrawn|abandoned|not accepted|dismissed"),
    ("deprecated", r"deprecated|retired|obsolete|no longer (?:valid|relevant|applies)|expired"),
    (
        "proposed",
        r"proposed|proposal|draft|pending|in review|under (?:review|discussion)|in progress|open|rfc|wip|last call|on hold"
        r"|deferred|postponed",
    ),
    (
        "accepted",
        r"accepted|approved|adopted|agreed|decided|implemented|active|in (?:force|effect)|final|done|completed?|ratified|valid|current"
        r"|published",
    ),
)
_STATE = re.compile("|".join(f"(?P<s{i}>\\b(?:{words})\\b)" for i, (_, words) in enumerate(_STATES)), re.IGNORECASE)
_PART = r"(?:part(?:ly|ially)?|in part|(?:some )?(?:parts?|aspects|portions?|sections?) of|partial(?:ly)?|some of)"
_VERBS: tuple[tuple[str, str], ...] = (
    (
        "replaced",
        rf"(?:{_PART},? )?(?:super[sc]+e+ded|replaced|obsoleted|overruled)(?: \(?(?:in )?{_PART}\)?)?,? (?:by|with|in favou?r of)\b",
    ),
    ("replaces", rf"(?:{_PART},? )?(?:super[sc]+e+des?|replaces|obsoletes|overrules|super[sc]+e+ding)(?:,? {_PART})?\b"),
    ("amended", r"(?:amended|supplemented|clarified|extended|refined|updated|complemented) (?:by|in)\b"),
    ("amends", r"(?:amends|supplements|clarifies|extends|refines|complements|builds on)\b"),
)
_VERB = re.compile("|".join(f"(?P<{name}>\\b{words})" for name, words in _VERBS), re.IGNORECASE)
_PARTLY = re.compile(rf"\b{_PART}\b", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?:\b(?P<word>ADR|RFC|MADR|decision|record)s?[ -]*(?:no\.? ?|number )?#?[ -]?|#|(?<![\w.-]))0*(?P<n>\d{1,5})\b(?![\w%:/]|\.\d)",
    re.IGNORECASE,
)
_SELF = re.compile(
    r"^\W*(?:this|the present|it)\b(?: (?:adr|decision|record|document|policy|notice|sop|procedure|rule|page|text))?"
    r"(?: has been| was| is| are| also| now|,|\b)*",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.;](?:\s|$)|,? but\b|\bwhich\b|\bbecause\b|\buntil\b")
_LINKING = frozenset(
    {
        "links", "related", "references", "related decisions", "more information", "see also", "related adrs", "relations", "status",
        "supersedes", "superseded by",
    }
)  # fmt: skip
# `Until now we have been recommending ... through ADR013`: replacement told in passing, for a person to decide on.
_PROSE = re.compile(
    r"\b(?:until now|previously|so far|up to now|formerly|no longer|instead of|in place of|moves? away from|revisits?|reverses?)\b",
    re.IGNORECASE,
)
_AS_TO = re.compile(
    r"(?:with respect to|regarding|concerning|as regards|on the|only (?:for|as to|the)|as to|for the|in respect of"
    r"|the parts? (?:on|about|of)) "
    r"(?P<what>[^.;()]{3,100})",
    re.IGNORECASE,
)
# `Supersedes the refund section of ADR-0002`
_PIECE = re.compile(
    r"\s*(?:only )?(?P<what>[^.;]{0,60}?\b(?:sections?|parts?|clauses?|paragraphs?|chapters?|portions?|aspects?|provisions?|points?)\b"
    r"[^.;]{0,40}?) (?:of|in|from)\W*$",
    re.IGNORECASE,
)
FIELDS = {
    "superseded_by": "replaced", "replaced_by": "replaced", "supersededby": "replaced", "supersedes": "replaces", "supercedes": "replaces",
    "superceded_by": "replaced", "replaces": "replaces", "obsoletes": "replaces", "obsoleted_by": "replaced", "amends": "amends",
    "amended_by": "amended", "partially_supersedes": "replaces", "partly_supersedes": "replaces", "partially_superseded_by": "replaced",
    "partly_superseded_by": "replaced", "extends": "amends",
}  # fmt: skip


@dataclass(frozen=True)
class Pointer:
    """How another record is named: by a link, a number, or words."""

    href: str = ""
    number: int | None = None
    text: str = ""


@dataclass(frozen=True)
class Statement:
    """A record says `verb` (replaced, replaces, amended, amends) of other records. `scope` is what of it, empty for all of it;
    `sure` whether it is said in so many words where such things are said; `at` where it was read: front matter, status...
    """

    verb: str
    to: tuple[Pointer, ...]
    line: int
    scope: str = ""
    sure: bool = True
    at: str = "status"


def status(document: Document) -> Value | None:
    """The status as it is written, and its line; None when none is stated."""
    for value in (*document.page.front.all("status", "state"), *_section_status(document), *document.field("status", "state")):
        text = value.text.strip().strip("\"'")
        if says(text) and not is_form(text):
            return Value(text[:200], value.line)
    return None


def state(text: str) -> str:
    """What a written status comes to: accepted, proposed, rejected, deprecated, superseded, partly superseded; empty when it
    is none of them.
    """
    found = _STATE.search(text)
    return "" if found is None else _STATES[int(str(found.lastgroup)[1:])][0]


def is_form(text: str) -> bool:
    """Is a status the list of what could be chosen?"""
    parts = [p for p in re.split(r"\||/|, or | or ", re.sub(r"\[[^\]]*\]\([^)]*\)", "", text)) if p.strip()]
    return is_placeholder(text) or (sum(bool(_STATE.search(p)) for p in parts) > 1 and "|" in text)


def _section_status(document: Document) -> Iterator[Value]:
    section = document.page.section("status", "state", "decision status")
    for line in section.lines if section is not None else ():
        yield Value(line.text.strip(), line.line)


def statements(document: Document) -> Iterator[Statement]:
    """Every statement about other records, those of front matter first."""
    if document.is_template or document.is_index:
        return
    for name, verb in FIELDS.items():
        for value in document.page.front.all(name):
            to = tuple(_pointers(Line(value.text, value.line), 0, whole=True))
            if to and not is_form(value.text):
                yield Statement(verb, to, value.line, "part" if name.startswith("part") else "", True, name)
    sheet = document.sheet()
    for name, value in sheet:
        to = tuple(_pointers(Line(value.text, value.line), 0, whole=True)) if name in FIELDS and not is_form(value.text) else ()
        if to:
            yield Statement(FIELDS[name], to, value.line, "part" if name.startswith("part") else "", True, name)
    for value in (*document.page.front.all("status"), *(v for name, v in sheet if name == "status")):
        if not is_form(value.text):
            yield from _of_line(Line(value.text, value.line), "status", True, partly=False)
    written = status(document)
    told = state(written.text) if written else ""
    open_ = told in ("superseded", "partly superseded") and not any(True for _ in _named_in_status(document))
    for section in document.page.sections:
        yield from _of_section(section, document, told, open_)


def _named_in_status(document: Document) -> Iterator[Pointer]:
    section = document.page.section("status", "state", "decision status")
    for line in section.lines if section is not None else ():
        yield from _pointers(line, 0)


def _of_section(section: Section, document: Document, told: str, open_: bool) -> Iterator[Statement]:
    title = plain_title(section.title)
    formal = title in _LINKING
    if title in FIELDS or field_name(title) in FIELDS:
        for line in section.lines:
            to = tuple(_pointers(line, 0, whole=True))
            if to:
                yield Statement(FIELDS[field_name(title)], to, line.line, "", True, field_name(title))
        return
    for block in section.paragraphs():
        for line in block:
            if title == "status" and is_form(line.text):
                continue
            stated = title == "status" or bool(re.match(r"\W*status\b", line.text, re.IGNORECASE))
            partly = told == "partly superseded"
            yield from _of_line(line, "status" if stated else "text", formal or stated, partly, waiting=open_)
            if _PROSE.search(line.text) and not _VERB.search(line.text) and not formal:
                to = tuple(p for p in _pointers(line, 0) if p.href or re.search(r"ADR|RFC|decision", p.text, re.IGNORECASE))
                if to:
                    yield Statement("replaces", to, line.line, "", False, "prose")


def _of_line(line: Line, at: str, formal: bool, partly: bool, waiting: bool = False) -> Iterator[Statement]:
    found = list(_VERB.finditer(line.text))
    for i, match in enumerate(found):
        verb = str(match.lastgroup)
        end = found[i + 1].start() if i + 1 < len(found) else len(line.text)
        stop = _ENDS.search(line.text, match.end(), end)
        to = tuple(_pointers(line, match.end(), stop.start() if stop else end))
        if not to:
            continue
        begin = found[i - 1].end() if i else 0
        before = re.split(r"[.;:](?:\s|$)", line.text[begin : match.start()])[-1].strip(" *_->,\u2013")
        before = re.sub(r"^\W+|[\s(]+$", "", before)
        stood = _STATE.match(before)
        if stood and re.fullmatch(r"(?:\W|\d|\b(?:on|since|in|as of)\b)*", before[stood.end() :]):  # `Accepted (2025-02-03), ...`
            before = stood.group()
        subject = _SELF.sub("", before, count=1).strip(" ,")
        starts = not before or any((_SELF.match(before), _STATE.fullmatch(before), re.fullmatch(r"(?i)status|\w+ed", before)))
        part = bool(_PARTLY.search(line.text[max(0, match.start() - 12) : match.end()])) or (partly and verb == "replaced")
        about = _scope(subject, line.text[match.end() : end], to) if verb.startswith("repl") else ""
        piece = _PIECE.match(_before(line, match.end(), end, to)) if verb == "replaces" else None
        if piece and not part:
            part, about = True, piece["what"].strip()
        if not starts and verb == "replaced" and not part and subject:
            part, about = True, about or subject
        sure = formal or starts or (verb == "replaced" and (waiting or line.strong))
        if sure or any(p.href for p in to):
            yield Statement(verb, to, line.line, (about or "part") if part else "", sure, at)


def _before(line: Line, start: int, end: int, to: tuple[Pointer, ...]) -> str:
    """The words between a verb and the first record that it is about."""
    text = line.text[start:end]
    return text[: min((at for p in to if p.text and (at := text.find(p.text)) >= 0), default=0)]


def _scope(subject: str, rest: str, to: tuple[Pointer, ...]) -> str:
    """What of the other record, where it is told: `... the part on retention of [0004]`, `These ranges have been ...`."""
    words = re.sub(r"\b(?:have|has) been\b|\b(?:is|are|was|were)\b|\*", "", subject).strip(" ,")
    if words and not _PARTLY.fullmatch(words) and not _STATE.fullmatch(words):
        return words[:120]
    told = _AS_TO.search(rest)
    if told and not any(p.text and p.text in told["what"] for p in to):
        return told["what"].strip(" ,")
    after = max((rest.rfind(p.text) + len(p.text) for p in to if p.text and p.text in rest), default=0)
    listed = re.match(r"\s*[:,]\s*(?P<what>[^.;]{4,120})", rest[after:])
    if listed:
        return listed["what"].strip()
    bracket = re.search(r"\((?P<what>[^()]{4,100})\)", rest)
    return bracket["what"].strip() if bracket and not re.search(r"https?:|\.md", bracket["what"]) else ""


def _pointers(line: Line, start: int, end: int | None = None, whole: bool = False) -> Iterator[Pointer]:
    """The records that a stretch of a line names: links first, then numbers that stand outside of them."""
    end = len(line.text) if end is None else end
    links = [ln for ln in line.links if start <= ln.start < max(end, start + 1) and not ln.image]
    for link in links:
        yield Pointer(link.href, _number(link), link.text)
    covered = [(ln.start, ln.start + len(ln.text)) for ln in links]
    raw = [m for m in re.finditer(r"[\w./-]+\.mdx?\b", line.text[start:end])]
    for match in raw if not links else ():
        yield Pointer(match.group(), None, match.group())
    if raw and not links:
        return
    stop = min((a for a, _ in covered), default=end)
    for match in _NUMBER.finditer(line.text, start, end):
        inside = any(a <= match.start() < b for a, b in covered)
        alone = match["word"] or match.group().startswith("#") or len(match.group()) >= 3 or (whole and match.group() == line.text.strip())
        if not inside and alone and not (covered and not match["word"] and match.start() > stop) and not _is_date(line.text, match):
            yield Pointer("", int(match["n"]), match.group())
    if whole and not links and not _NUMBER.search(line.text, start, end) and says(line.text):
        yield Pointer("", None, line.text.strip())


def _number(link: Link) -> int | None:
    named = _NUMBER.search(link.text) or re.search(r"(?:^|/)(?:adr)?[-_ ]?0*(?P<n>\d{1,5})[-_.]", link.href, re.IGNORECASE)
    number = re.match(r"\s*0*(\d{1,5})\b", link.text)
    return int(named["n"]) if named else int(number[1]) if number else None


def _is_date(text: str, match: re.Match[str]) -> bool:
    around = text[max(0, match.start() - 5) : match.end() + 6]
    return not match["word"] and bool(re.search(r"(?:19|20)\d\d-\d\d|\d{1,2}:\d\d|v\d", around))
