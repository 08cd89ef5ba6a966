"""A document as such: its node and text, who keeps, owns and wrote it, what it is about, whom and what it names, and where its
links lead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from brain.connectors.markdown_kind import is_placeholder
from brain.connectors.markdown_library import Library, number_of
from brain.connectors.markdown_page import Line
from brain.connectors.markdown_status import status
from brain.connectors.markdown_writer import AUDIENCE, Named, Writer, access_of
from brain.connectors.references import references, without_code
from brain.types import EdgeRow, NodeRow, Row, TextRow

_KEPT = ("Service", "Module", "System", "Api", "Resource", "Project", "Domain")
SUBJECT = ("Service", "Module", "System", "Api", "Resource", "Project", "Domain", "Team", "Repo", "Role")
MENTIONED = ("Service", "Module", "Repo", "Team", "System", "Resource", "Api")
SERVICES = ("services", "service", "affected_services", "components", "component")
APPLIES = ("applies_to", *SERVICES, "systems", "system")
OWNERS = ("owner", "owners", "document_owner", "doc_owner", "owned_by", "owning_team")
MAINTAINERS = ("maintainer", "maintainers", "maintained_by", "document_maintainer", "doc_maintainer", "curator", "editor", "editors")
WRITERS = ("author", "authors", "written_by", "last_update_author")
LEADS = ("technical_lead", "tech_lead", "technical_leads", "tech_leads")
_TICKET = re.compile(r"(?<![\w/-])[A-Z][A-Z0-9_]{1,15}-\d{1,7}(?![\w-])")
_TOKEN = re.compile(r"(?<![\w/.-])[A-Za-z0-9][\w.-]*\d[\w.-]*[A-Za-z0-9]\b")
_LOGIN = re.compile(r"(?<![\w.@/+-])@([A-Za-z0-9](?:-?[A-Za-z0-9]){0,38})(?![\w/@-])")
_NAME = re.compile(r"(?<![\w'\u2019-])[^\W\d_a-z][\w'\u2019-]*(?: (?:[a-z]{2,3} )?[^\W\d_a-z][\w'\u2019-]*){1,3}")
_AFTER = re.compile(
    r"^\W{0,3}(?:team|service|squad|repo|repository|system|api|database|db|module|component|cluster|queue)\b", re.IGNORECASE
)
_BEFORE = re.compile(r"\b(?:team|service|squad|repo|repository|system|api|database|module|component)\W{0,3}$", re.IGNORECASE)
MOST = 60


def rows(w: Writer) -> Iterator[Row]:
    """The document's own rows, its node first, then its text, then what rests on the text."""
    document, front = w.document, w.document.page.front
    yield from _audience(w)
    written = status(document)
    address = front.one("url", "canonical_url", "archive_url")
    props: dict[str, Any] = {
        "path": document.path, "title": document.title.text[:300], "kind": document.kind, "at": w.times.since or None,
        "number": number_of(document) if document.is_decision else None, "status": written.text if written else None,
        "aliases": [v.text for v in front.all("aliases", "alias")], "updated_at": w.times.updated or None,
        "reviewed_at": w.times.reviewed or None,
        "url": address.text if address and address.text.startswith("http") else None,
    }  # fmt: skip
    yield w.text(w.key, document.title.text, document.title.line, **props)
    yield from (w.edge(w.key, "VISIBLE_TO", group) for group in w.aud)
    body = "\n".join(document.page.source)
    yield TextRow(
        w.key, "body", document.title.text[:300], body, w.times.since, repo=str(w.record.get("repo") or ""), access=w.access, aud=w.aud,
        url=props["url"] or "", origin=w.origin(),
    )  # fmt: skip
    if front.problem:
        yield w.skip(front.problem, front.line)
    yield from (w.skip("a date that may be day or month first", v.line) for v in w.times.unclear)
    if not document.is_template:
        yield from _people(w)
        yield from about(w, w.key)
    yield from _links(w)
    yield from _mentions(w)


def _audience(w: Writer) -> Iterator[Row]:
    """Who may read it beside those whom its label lets: groups of front matter, as far as they are known."""
    access, unread = access_of(w.document, str(w.record.get("access") or "open"))
    if unread is not None:
        yield w.skip(f"access is {unread.text[:40]!r}, which is no label: read as restricted", unread.line)
    groups: list[str] = []
    for value in w.document.page.front.all(*AUDIENCE):
        found = list(w.found([value], ("Team", "Role", "Channel", "Person"), "visible_to", make=False))
        named = [one.key for one in found if isinstance(one, Named)] or Library.of(w.context.company).role(value.text)
        groups += named
        if not named:
            yield from (one for one in found if not isinstance(one, Named))
    w.aud = tuple(sorted(set(groups))) if access == "restricted" else ()


def _people(w: Writer) -> Iterator[Row]:
    field = w.document.field
    for names, label in ((OWNERS, "owner"), (MAINTAINERS, "maintainer"), (WRITERS, "author")):
        if w.document.is_incident and label == "owner":
            continue
        given = [v for v in field(*names) if not is_placeholder(v.text)]
        for one in w.found(given, ("Person",) if label == "author" else ("Team", "Person"), label):
            if not isinstance(one, Named):
                yield one
                continue
            found, value = one.found, one.value
            period = {"valid_from": found.start or 0, "valid_to": found.end}
            if label == "author":
                yield w.claim(found.key, "WROTE", w.key, value.line, label, **period)
                continue
            if label == "owner":
                yield w.claim(found.key, "OWNS", w.key, value.line, "document owner", **period)
            yield w.claim(w.key, "MAINTAINED_BY", found.key, value.line, label, **period)
    yield from _leads(w)


def _leads(w: Writer) -> Iterator[Row]:
    """`technical_lead` in front matter, about what the document applies to."""
    stated = w.document.page.front.all(*LEADS)
    subjects = [s.found for s in _subjects(w) if isinstance(s, Named) and not s.key.startswith(("role:", "domain:"))] if stated else []
    for one in w.found(stated, ("Person",), "technical_lead"):
        if not isinstance(one, Named):
            yield one
            continue
        for subject in subjects:
            yield w.claim(
                one.key, "TECH_LEAD_OF", subject.key, one.line, "technical lead", valid_from=one.found.start or 0, valid_to=one.found.end
            )  # fmt: skip


def _subjects(w: Writer) -> Iterator[Named | Row]:
    """What the document's fields say it is about. Only a field for services can name one that nothing else tells of."""
    for name in APPLIES:
        values = [v for v in w.document.field(name) if not is_placeholder(v.text)]
        if values:
            services = name in SERVICES
            yield from w.found(values, _KEPT if services else SUBJECT, name.replace("_", " "), make=services)


def about(w: Writer, key: str) -> Iterator[Row]:
    """What a document, or the decision or incident it tells of, is about: by its fields, its title, or its file's name."""
    seen: set[str] = set()
    for one in _subjects(w):
        if not isinstance(one, Named):
            yield from [one] if key == w.key or isinstance(one, NodeRow) else []
        elif one.key not in seen:
            seen.add(one.key)
            yield w.edge(key, "ABOUT", one.key, one.line)
    title = w.document.title
    named = [k for k, *_ in named_in(w, Line(title.text, title.line))]
    tells = w.document.kind in ("runbook", "sop", "guide")
    file = w.context.company.find(w.document.stem, "Service", "Module", "System") if tells else None
    for found in dict.fromkeys([*named, *([file] if file else [])]):
        if found not in seen and not found.startswith("repo:"):
            seen.add(found)
            yield w.edge(key, "ABOUT", found, title.line)


def named_in(w: Writer, line: Line) -> Iterator[tuple[str, int]]:
    """The services, teams, repositories... that a line names. A name of one plain word counts where the line says what it is,
    or sets it apart.
    """
    company = w.context.company
    for key, start, end in company.names_in(line.text, MENTIONED):
        word = line.text[start:end]
        apart = re.search(r"[\s\d_/-]", word) or word in line.code or any(ln.text == word for ln in line.links)
        if apart or _AFTER.match(line.text[end : end + 14]) or _BEFORE.search(line.text[max(0, start - 14) : start]):
            yield key, line.line


def _mentions(w: Writer) -> Iterator[Row]:
    counts: dict[str, list[int]] = {}
    own = re.sub(r"\s+", " ", w.document.title.text)
    listed = {row.line for t in w.document.page.tables for row in t.rows} if w.document.kind == "registry" else set()
    for line in (ln for ln in w.document.page.lines if ln.line not in listed):
        for key, at in (*named_in(w, line), *_persons(w, line), *_files(w, line)):
            counts.setdefault(key, [0, at])[0] += 1
    for key, (n, at) in sorted(counts.items(), key=lambda kv: (-kv[1][0], kv[0]))[:MOST]:
        yield w.edge(w.key, "MENTIONS", key, at, n=n, line=at, at=w.times.since or None)
    if len(counts) > MOST:
        yield w.skip(f"{own[:40]!r} names more than {MOST} things", 1, len(counts) - MOST)


def _persons(w: Writer, line: Line) -> Iterator[tuple[str, int]]:
    for match in _LOGIN.finditer(line.text) if "@" in line.text else ():
        key = w.names.person("", match[1])
        if key is not None:
            yield key, line.line
    for match in _NAME.finditer(line.text):
        words = match.group().split()
        for first in range(len(words) - 1):
            key = next((k for n in (4, 3, 2) if (k := w.context.company.person_named(" ".join(words[first : first + n])))), None)
            if key is not None:
                yield key, line.line
                break


def _files(w: Writer, line: Line) -> Iterator[tuple[str, int]]:
    repo = str(w.record.get("repo") or "")
    for path in line.code:
        path = path.strip("/")
        if repo and "/" in path and w.context.path_exists(repo, path):
            yield f"file:{w.context.repo(repo)}/{path}", line.line
    for link in line.links:
        blob = re.match(r"^https?://(?:www\.)?github\.[\w.-]+/([\w.-]+/[\w.-]+)/(?:blob|raw)/[^/]+/([^#?]+)", link.href)
        if blob and w.context.path_exists(blob[1], blob[2]):
            yield f"file:{w.context.repo(blob[1])}/{blob[2]}", line.line


def _links(w: Writer) -> Iterator[Row]:
    """REFERENCES to documents, pull requests, issues, tickets, deploys and alerts."""
    seen: dict[str, EdgeRow] = {}
    dead: dict[str, int] = {}
    for link in w.document.page.links:
        path = w.library.linked(w.document.path, link.href) if not link.image else None
        if path is not None and path != w.document.path:
            seen.setdefault(f"doc:{path}", w.edge(w.key, "REFERENCES", f"doc:{path}", link.line, how="link", at=w.times.since or None))
        elif path is None and link.local and re.search(r"\.(?:md|markdown|mdx)(?:[#?]|$)", link.href) and not w.document.is_template:
            dead.setdefault(link.href, link.line)
    unknown: list[int] = []
    for key, line in references_of(w):
        if key:
            seen.setdefault(key, w.edge(w.key, "REFERENCES", key, line, at=w.times.since or None))
        else:
            unknown.append(line)
    yield from seen.values()
    yield from (w.skip(f"a link to a document that is not there: {href[:80]}", line) for href, line in dead.items())
    if unknown:
        yield w.skip("a reference to an issue or pull request that is not loaded", unknown[0], len(unknown))


def references_of(w: Writer, first: int = 1, last: int | None = None) -> Iterator[tuple[str, int]]:
    """What the lines from `first` to `last` refer to, by key, with the line; an empty key for what is not loaded."""
    repo, company = str(w.record.get("repo") or ""), w.context.company
    source = without_code("\n".join(w.document.page.source)).splitlines()
    code = {line.line: line.code for line in w.document.page.lines if line.code}
    for number, text in enumerate(source[first - 1 : last], first):
        for ref in references(text) if "#" in text or "github." in text else ():
            if ref.repo is None and not repo:
                continue
            key = w.context.item(w.context.repo(ref.repo_from(repo)), ref.number)
            yield key or "", number
        said = f"{text} {' '.join(code.get(number, ()))}"
        for match in _TICKET.finditer(said):
            if company.declared(f"ticket:{match.group()}"):
                yield f"ticket:{match.group()}", number
        for match in _TOKEN.finditer(said):
            for prefix in ("deploy", "alert"):
                if company.declared(f"{prefix}:{match.group()}"):
                    yield f"{prefix}:{match.group()}", number


