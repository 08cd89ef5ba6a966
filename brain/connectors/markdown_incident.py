"""An incident report: when it was, how bad, what it was about, and what caused and ended it where a field or a section of that
name says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from brain.connectors.dates import Moment, moments, stamp, zone_of
from brain.connectors.identities import slug
from brain.connectors.markdown_doc import about, named_in, references_of
from brain.connectors.markdown_front import Value
from brain.connectors.markdown_kind import Document, is_placeholder, says
from brain.connectors.markdown_page import Line, Section, plain_title
from brain.connectors.markdown_writer import Named, Writer
from brain.types import Row

STARTS = (
    "start", "start_time", "started", "started_at", "incident_start", "begin", "began", "detected_at", "occurred", "occurred_at", "date",
    "incident_date",
)  # fmt: skip
ENDS = ("end", "end_time", "ended", "ended_at", "resolved", "resolved_at", "incident_end", "mitigated_at")
SEVERITY = ("severity", "sev", "priority", "impact_level", "level")
LEADS = (
    "lead", "incident_lead", "incident_commander", "commander", "ic", "incident_manager", "owner", "owners", "handled_by", "responders",
)  # fmt: skip
CAUSES = ("cause", "caused_by", "root_cause", "root_causes", "trigger", "triggered_by")
FIXES = ("fix", "fixed_by", "resolution", "resolved_by", "mitigation", "remediation")
_CAUSE_HEADS = ("root cause", "root causes", "cause", "causes", "trigger")
_FIX_HEADS = ("resolution", "fix", "remediation", "mitigation", "how we fixed it", "recovery")
_FIXABLE = ("deploy:", "pr:", "ticket:", "commit:")
_NOT = re.compile(
    r"\b(?:not|no|nor|neither|never|without|rather than|instead of|unrelated|innocent|suspected|blamed|ruled out|asked for)\b|n't\b",
    re.IGNORECASE,
)
_DATE_BEFORE = re.compile(
    r"^\W*(?:incident(?: date)?\s*:?\s*)?(?:19|20)\d\d-\d\d-\d\d(?:[ T]\d{1,2}:\d\d ?(?:[ap]m)?)?"
    r"(?: [A-Z]{2,4}\b)?\s*[,:\u2013\u2014-]*\s*",
    re.IGNORECASE,
)


def incident_id(document: Document) -> str:
    """The id of the incident: stated, in the title or file name, else the file's name."""
    for value in document.field("id", "incident", "incident_id", "number", "uuid"):
        if re.fullmatch(r"[\w.#-]{2,64}", value.text) and not value.text.isalpha():
            return value.text.lstrip("#")
    named = re.search(r"\b(?:INC|INCIDENT|PM|COE)-\d+\b", f"{document.title.text} {document.stem}", re.IGNORECASE)
    return named.group().upper() if named else slug(f"{document.folder.rpartition('/')[2]}-{document.stem}")


def title(document: Document) -> str:
    """What happened, without the date before it."""
    plain = _DATE_BEFORE.sub("", document.title.text).strip()
    plain = re.sub(r"^(?:incident report|post-?mortem|incident)\s*[:\u2013\u2014-]\s*", "", plain, flags=re.IGNORECASE)
    return re.sub(r"\s*\((?:sev|p)-?\d\)$", "", plain, flags=re.IGNORECASE) or document.title.text


def span(document: Document) -> tuple[int | None, int | None]:
    """When it began and ended: by fields, else by the headings of its timeline, its title, or its file's name."""
    told = (line.text for line in document.page.lines if re.match(r"\W*(?:all )?times\b", line.text, re.IGNORECASE))
    zone = next((z for text in told if (z := zone_of(text)) is not None), 0)
    begun, over = _field(document, STARTS, zone), _field(document, ENDS, zone)
    if begun is None:
        dated = [m for s in document.page.sections if s.level > 1 for m in moments(s.title, zone, document.day_first)]
        begun = dated[0] if dated else document.when(document.title.text, zone) or stamp(document.stem)
    return (begun.start if begun else None), (over.start if over else None)


def _field(document: Document, names: tuple[str, ...], zone: int) -> Moment | None:
    values = (v for name in names for v in document.field(name))
    return next((m for v in values if not is_placeholder(v.text) and (m := document.when(v.text, zone))), None)


def _said(document: Document, names: tuple[str, ...]) -> str | None:
    return next((v.text[:40] for v in document.field(*names) if says(v.text) and not is_placeholder(v.text)), None)


def rows(w: Writer) -> Iterator[Row]:
    """The rows of the incident that a document reports; its text must have gone by."""
    document, key = w.document, f"incident:{incident_id(w.document)}"
    begun, over = span(document)
    severity, state = (_said(document, names) for names in (SEVERITY, ("status", "state")))
    named = re.search(r"\bsev(?:erity)?[- ]?\d\b", document.title.text, re.IGNORECASE)
    severity = severity or (named.group().upper() if named else None)
    yield w.text(
        key, title(document), document.title.line, title=title(document)[:300], at=begun, ended_at=over, doc=w.key,
        severity=severity, status=state or ("resolved" if over else None),
    )  # fmt: skip
    if begun is None:
        yield w.skip("the date of an incident, which its report does not tell")
    yield from (w.edge(key, "VISIBLE_TO", group) for group in w.aud)
    yield w.edge(key, "REPORTED_IN", w.key, at=begun)
    yield from _about(w, key)
    yield from _handled(w, key, begun or 0)
    known: set[str] = set()
    for target, line in references_of(w):
        if target and target not in known:
            known.add(target)
            yield w.edge(key, "ABOUT" if target.startswith("alert:") else "REFERENCES", target, line, at=begun)
    for rel, fields, heads in (("CAUSED_BY", CAUSES, _CAUSE_HEADS), ("FIXED_BY", FIXES, _FIX_HEADS)):
        yield from _because(w, key, rel, fields, heads, begun or 0)


def _about(w: Writer, key: str) -> Iterator[Row]:
    """The services its fields and title name, and those that its summary and impact name."""
    seen = set()
    for row in about(w, key):
        seen.add(getattr(row, "dst", ""))
        yield row
    for section in w.document.page.sections:
        if plain_title(section.title) in ("summary", "impact", "overview", "executive summary", "affected services", "affected systems"):
            for line in section.lines:
                for found, at in named_in(w, line):
                    if found not in seen and found.startswith(("service:", "system:", "resource:", "api:")):
                        seen.add(found)
                        yield w.edge(key, "MENTIONS", found, at, line=at)


def _handled(w: Writer, key: str, at: int) -> Iterator[Row]:
    given = [v for v in w.document.field(*LEADS) if not is_placeholder(v.text)]
    for one in w.found(given, ("Person",), "lead"):
        if isinstance(one, Named):
            yield w.claim(key, "HANDLED_BY", one.key, one.line, "lead", valid_from=at, authority="record", props={"what": "led"})
        else:
            yield one


def _because(w: Writer, key: str, rel: str, fields: tuple[str, ...], heads: tuple[str, ...], at: int) -> Iterator[Row]:
    """What a field names by an id is stated. A section of that name states it only where its first sentences name one and
    deny nothing; else a person decides.
    """
    stated = [v for v in w.document.field(*fields) if not is_placeholder(v.text)]
    found = [(target, value) for value in stated for target in _ids(w, value)]
    for target, value in dict.fromkeys(found):
        yield w.claim(key, rel, target, value.line, rel.lower().replace("_", " "), valid_from=at, authority="record")
    if found:
        return
    section = next((s for s in w.document.page.sections if s.level and plain_title(s.title) in heads), None)
    named = _in_section(w, section) if section is not None else []
    for target, line in named:
        alone = sum(t.partition(":")[0] == target.partition(":")[0] for t, _ in named) == 1
        denied = any(_NOT.search(ln.text) for ln in section.lines if ln.line == line) if section is not None else True
        state = "approved" if alone and not denied else "candidate"
        yield w.claim(key, rel, target, line, f"section {rel.lower().replace('_', ' ')}", valid_from=at, state=state, authority="record")


def _in_section(w: Writer, section: Section) -> list[tuple[str, int]]:
    """What the first paragraph of a section refers to."""
    block: list[Line] = next(section.paragraphs(), [])
    if not block:
        return []
    found = references_of(w, block[0].line, block[-1].line)
    return list({t: (t, line) for t, line in found if t.startswith(_FIXABLE)}.values())


def _ids(w: Writer, value: Value) -> list[str]:
    """What a field's value refers to: by reference, or because it is the id of a deploy, ticket or commit."""
    found = [t for t, _ in references_of(w, value.line, value.line) if t.startswith(_FIXABLE)]
    parts = [part.strip("`") for part in re.split(r"[,;\s]+", value.text)]
    whole = [key for part in parts for key in (f"deploy:{part}", f"ticket:{part}") if w.context.company.declared(key)]
    sha = re.fullmatch(r"`?([0-9a-f]{7,40})`?", value.text.strip())
    repo = w.context.commit_repo(sha[1]) if sha and len(sha[1]) == 40 else None
    return list(dict.fromkeys([*whole, *found, *([f"commit:{repo}@{sha[1]}"] if sha and repo else [])]))
