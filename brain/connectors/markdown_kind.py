"""What a document is: its title, its kind, and the fields that stand before its text, in front matter or as lines `Name: value`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from brain.connectors.dates import Moment, ambiguous, moment
from brain.connectors.markdown_front import Value, field_name
from brain.connectors.markdown_page import Page, plain_title

TOP = 40
EMPTY = frozenset(
    {
        "", "-", "--", "\u2014", "\u2013", "?", "tbd", "tba", "tbc", "todo", "n/a", "na", "none", "nil", "null", "nobody", "no one",
        "unowned", "unknown", "...", "…", "x",
    }
)  # fmt: skip
_FIELD = re.compile(r"^\W{0,2}(?P<name>[A-Za-z][\w/ -]{1,28}?)\s*[:\uff1a]\s*(?P<value>.*)$")
_PLACEHOLDER = re.compile(
    r"^\W?\{|\{\{.*\}\}|\{[^{}]{3,}\}|<[a-z][\w -]{2,}>|\bYYYY\b|\byyyy-?mm|\bxxx+\b|…|\bLorem ipsum\b|\bADR-?0{3,4}\b(?= *$)",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"^\[[^\]]+\](?!\()$")
# A kind by the words of front matter, folder, file name or title; the first that fits counts.
KINDS: tuple[tuple[str, str], ...] = (
    ("incident", r"incidents?|post-?mortems?|outages?|incident-reports?|retrospectives?|rca|coe"),
    ("adr", r"adrs?|decisions?|decision-records?|architecture-decisions?|architectural-decisions?|decision-log|mdr"),
    ("runbook", r"run-?books?|play-?books?|troubleshooting|operations-guide"),
    ("sop", r"sops?|standard-operating-procedures?|procedures?|how-we-work"),
    ("policy", r"polic(?:y|ies)|rules|standards?"),
    ("notice", r"notices?|announcements?|circulars?|bulletins?"),
    (
        "registry",
        r"registr(?:y|ies)|catalog(?:ue)?s?|inventor(?:y|ies)|rosters?|directory|ownership|on-?call|owners|service-list|people|who-is-who"
        r"|who-owns-what",
    ),
    ("meeting", r"meetings?|minutes|meeting-notes"),
    ("guide", r"guides?|tutorials?|onboarding|handbooks?|how-?tos?|glossar(?:y|ies)|faqs?|references?"),
)  # fmt: skip
_SAID = {
    "oncall": "registry", "roster": "registry", "procedure": "sop", "postmortem": "incident", "post-mortem": "incident", "decision": "adr",
}  # fmt: skip
_INCIDENT_FIELDS = frozenset(
    {
        "start_time", "end_time", "started_at", "detected_at", "resolved_at", "severity", "sev", "root_cause", "impact", "incident_id",
        "incident", "postmortem", "time_to_resolve", "mttr",
    }
)  # fmt: skip
_DECISION_HEADS = frozenset({"decision", "decision outcome", "decisions", "the decision", "our decision", "resolution", "decision made"})
_CONTEXT_HEADS = frozenset(
    {"context", "context and problem statement", "background", "problem", "problem statement", "issue", "motivation", "context and problem"}
)
_OUTCOME_HEADS = frozenset(
    {
        "consequences", "status", "considered options", "alternatives", "alternatives considered", "positive consequences", "options",
        "rationale",
    }
)  # fmt: skip
_REPORT_HEADS = frozenset(
    {"timeline", "root cause", "root causes", "impact", "resolution", "lessons learned", "lessons learnt", "what happened"}
)


@dataclass(frozen=True)
class Document:
    """A page with its place. `path` is the file relative to the base, with forward slashes; `day_first` how 03/04/2024 is meant
    there, where that is known.
    """

    path: str
    page: Page
    day_first: bool | None = None

    def when(self, text: str, zone: int = 0) -> Moment | None:
        """The first date in a text of the document."""
        return moment(text, zone, self.day_first)

    def unclear(self, text: str) -> bool:
        """Is the only date in a text one that may be day or month first?"""
        return self.day_first is None and ambiguous(text)

    @property
    def key(self) -> str:
        """The key of its node."""
        return f"doc:{self.path}"

    @property
    def folder(self) -> str:
        """The folder it lies in, empty for the base."""
        return self.path.rpartition("/")[0]

    @property
    def stem(self) -> str:
        """The file's name without its ending."""
        return PurePosixPath(self.path).stem

    @cached_property
    def title(self) -> Value:
        """What it is called, and where that stands: front matter, else the first heading, else the file's name."""
        said, heading = self.page.front.one("title", "name"), self.page.heading
        if said is not None and not is_placeholder(said.text):
            return said
        if heading is not None and heading.text:
            return Value(heading.text, heading.line)
        first = next((ln for ln in self.page.lines if len(ln.text.split()) > 2), None)
        if re.fullmatch(r"[0-9a-f-]{16,}", self.stem) and first is not None:
            return Value(re.split(r"(?<=[.!?])\s", first.text)[0][:120], first.line)
        return Value(re.sub(r"[-_]+", " ", self.stem).strip() or self.path, 1)

    @cached_property
    def fields(self) -> dict[str, tuple[Value, ...]]:
        """Front matter, and for what it does not say the lines `Name: value` and two-column tables above the second heading."""
        found: dict[str, tuple[Value, ...]] = {}
        for name, value in self._stated():
            found[name] = (*found.get(name, ()), value)
        return {**found, **{k: v for k, v in self.page.front.values.items() if v}}

    def field(self, *names: str) -> tuple[Value, ...]:
        """The values of the first of these fields that says something."""
        return next((self.fields[n] for n in names if self.fields.get(n)), ())

    def _stated(self) -> list[tuple[str, Value]]:
        found, heads = [], 0
        for section in self.page.sections:
            heads += section.level > 1
            if heads > 1 or (section.line > TOP and section.level > 1):
                break
            if heads and plain_title(section.title) not in ("metadata", "document control", "summary", "overview", "details"):
                continue
            for line in section.lines:
                match = _FIELD.match(line.text)
                if match and not match["value"].startswith("//") and says(match["value"]):
                    found.append((field_name(match["name"]), Value(match["value"].strip(), line.line)))
        return found + self.sheet()

    def sheet(self) -> list[tuple[str, Value]]:
        """The fields of the two-column table that stands at the top."""
        first = next((t for t in self.page.tables if len(t.header) == 2 and t.line <= TOP), None)
        heading = plain_title(first.header[0]) if first else ""
        if first is None or heading not in ("", "field", "property", "key", "item", "attribute", "what"):
            return []
        rows = [r.cells for r in first.rows if len(r.cells) == 2]
        return [(field_name(a.text.rstrip(": ")), Value(b.text, b.line)) for a, b in rows if says(b.text)]

    @cached_property
    def is_template(self) -> bool:
        """Is it a form to be filled in rather than a document?"""
        heading = self.page.heading.text if self.page.heading else self.title.text
        said = [v.text for v in (*self.page.front.all("title"), *self.page.front.all("status"), *self.page.front.all("date"))]
        holes = any(is_placeholder(t) for t in (heading, *said)) or bool(_BRACKETED.match(heading)) or not heading.strip("# ")
        hollow = bool(self.page.heading) and not heading and bool(self.page.sections[1:])
        named = re.search(r"(?:^|[-_. ])template", self.stem, re.IGNORECASE) or "_TEMPLATE/" in self.path.upper()
        return bool(named) or holes or hollow or _is_hollow(self.page)

    @cached_property
    def is_index(self) -> bool:
        """Is it the table of contents of its folder?"""
        return self.stem.lower() in ("readme", "index", "_index", "toc", "summary", "_sidebar")

    @cached_property
    def kind(self) -> str:
        """adr, incident, runbook, sop, policy, notice, registry, meeting, guide, template, readme, index, or document when nothing says."""
        said = self.page.front.one("kind", "type", "doc_type", "document_type", "doctype", "category")
        if said is not None and says(said.text):
            word = re.sub(r"[\s_]+", "-", said.text.lower())
            found = _SAID.get(word) or next((kind for kind, words in KINDS if re.fullmatch(words, word)), None)
            if found is not None:
                return "template" if self.is_template else found
        if self.is_template:
            return "template"
        if self.is_decision:
            return "adr"
        if self.is_incident:
            return "incident"
        return self._by_name()

    def _by_name(self) -> str:
        if self.is_index:
            return "readme" if self.stem.lower() == "readme" else "index"
        names = [self.stem, *reversed(PurePosixPath(self.path).parts[:-1]), self.title.text]
        for name in names:
            plain = re.sub(r"[\s_]+", "-", name.lower())
            words = {plain, *re.findall(r"[a-z]+(?:-?book)?s?", plain)}
            for kind, pattern in KINDS[2:]:
                if re.fullmatch(pattern, plain) or (name is not names[-1] and any(re.fullmatch(pattern, w) for w in words)):
                    return kind
        title = re.sub(r"[\s_]+", "-", self.title.text.lower())
        return next((k for k, p in KINDS[2:] if re.search(rf"(?:^|-)(?:{p})(?:$|-|:)", title)), "document")

    def lies_in(self, kind: str) -> bool:
        """Does a folder on its path have the name of such documents?"""
        pattern = dict(KINDS)[kind]
        parts = [re.sub(r"[\s_]+", "-", p.lower()) for p in PurePosixPath(self.path).parts[:-1]]
        return any(re.fullmatch(pattern, w) for p in parts for w in {p, *re.split(r"[-+.]{1,2}", p)})

    @cached_property
    def is_decision(self) -> bool:
        """Does it record a decision: by its headings, or by a status where decisions lie? Forms to fill in do not."""
        forms = re.compile(r"(?:^|[-_ ])templates?(?:$|[-_ ])", re.IGNORECASE)
        if self.is_template or any(forms.search(part) for part in PurePosixPath(self.path).parts[:-1]):
            return False
        heads = {plain_title(s.title) for s in self.page.sections if s.level}
        decides, tells = bool(heads & _DECISION_HEADS), bool(heads & (_CONTEXT_HEADS | _OUTCOME_HEADS))
        named = bool(re.match(r"(?:adr|madr)[-_ ]?#?\d+|decision[-_ ]?\d+", f"{self.stem} ", re.IGNORECASE))
        stated = "status" in heads or bool(self.field("status"))
        here = self.lies_in("adr") or named
        timeline = bool(heads & {"timeline", "root cause", "root causes"})
        return not timeline and ((decides and tells) or (here and not self.is_index and (stated or decides)))

    @cached_property
    def is_incident(self) -> bool:
        """Does it report an incident: by its fields, by a timeline, or by a date where reports lie?"""
        if self.is_template:
            return False
        heads = {plain_title(s.title) for s in self.page.sections if s.level}
        told = bool(_INCIDENT_FIELDS & set(self.page.front.values)) and not self.lies_in("runbook")
        tells, named = bool(heads & _REPORT_HEADS), f"{self.title.text} {self.stem}"
        here = self.lies_in("incident") or bool(re.search(r"post-?mortem|incident report|^inc-?\d", named, re.IGNORECASE))
        dated = bool(re.search(r"(?:19|20)\d\d-?[01]\d", self.stem)) or bool(self.field("date", "start", "started", "start_time"))
        listed = {"uuid", "company"} <= set(self.page.front.values)
        if told or self.is_index:
            return told
        return (here and (tells or dated or listed)) or (tells and "timeline" in heads and len(heads) > 1)


def says(text: str) -> bool:
    """Does a value say anything?"""
    return re.sub(r"[\s*_`]+$|^[\s*_`]+", "", text).strip("[](){}<>").strip().lower() not in EMPTY


def is_placeholder(text: str) -> bool:
    """Is this the text of a form, to be replaced by what is true?"""
    return bool(_PLACEHOLDER.search(text)) or bool(_BRACKETED.match(text.strip()))


def _is_hollow(page: Page) -> bool:
    """Several headings and hardly a word below them."""
    heads = [s for s in page.sections if s.level]
    words = sum(len(ln.text.split()) for s in page.sections for ln in s.lines)
    return len(heads) >= 4 and words < len(heads) and not page.tables and not page.front.all("status")
