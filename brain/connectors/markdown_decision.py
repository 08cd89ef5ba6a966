"""A decision record: what was decided and why, by whom, how it stands, and what it replaces."""

from __future__ import annotations

import re
from collections.abc import Iterator

from brain.connectors.markdown_doc import APPLIES, SUBJECT, about, references_of
from brain.connectors.markdown_kind import is_placeholder
from brain.connectors.markdown_library import Library, number_of
from brain.connectors.markdown_page import Line, Section, plain_title
from brain.connectors.markdown_rules import FORMAL
from brain.connectors.markdown_status import state, status
from brain.connectors.markdown_writer import Named, Writer
from brain.types import Row

LONGEST = 420
DECIDERS = ("deciders", "decider", "decision_makers", "decision_maker", "decided_by", "approvers", "approved_by", "decision_owner", "dri")
AUTHORS = ("author", "authors", "written_by", "proposed_by", "owner", "owners")
_WHY = re.compile(
    r"\b(?:because|so that|in order to|since|due to|as it|therefore|to (?:avoid|reduce|keep|allow|make|ensure|prevent))\b", re.IGNORECASE
)
_NUMBER = re.compile(r"^\s*(?:(?:adr|rfc|decision)[-_ #]*\d+|\d{1,4}[.)])\s*[.:\u2013\u2014-]*\s*", re.IGNORECASE)
_DECIDED = ("decision", "decision outcome", "decisions", "the decision", "our decision", "resolution", "decision made")
_CONTEXT = (
    "context", "context and problem statement", "context and problem", "background", "problem statement", "problem", "motivation", "issue",
)  # fmt: skip
_RATIONALE = ("rationale", "justification", "reasons", "reason", "why", "argument", "arguments")


def rows(w: Writer) -> Iterator[Row]:
    """The rows of the decision that a document records; its text must have gone by."""
    document, key = w.document, f"decision:{w.document.path.rpartition('.')[0]}"
    written, why = status(document), reason(w)
    title = _NUMBER.sub("", document.title.text) or document.title.text
    yield w.text(
        key, title, document.title.line, title=title[:300], topic=title[:300], number=number_of(document), doc=w.key, at=w.times.at or None,
        stated=(state(written.text) or written.text.lower()[:40]) if written else None, reason=why[0] if why else None,
    )  # fmt: skip
    yield from (w.edge(key, "VISIBLE_TO", group) for group in w.aud)
    yield w.edge(key, "PART_OF", w.key)
    if why:
        yield w.claim(key, "JUSTIFIED_BY", w.key, why[1], "reason", valid_from=w.times.at)
    yield from _people(w, key)
    yield from about(w, key)
    for name in APPLIES:
        values = [v for v in document.field(name) if not is_placeholder(v.text)]
        for one in w.found(values, SUBJECT, "applies to", make=False):
            if isinstance(one, Named):
                yield w.claim(key, "APPLIES_TO", one.key, one.line, "applies to", valid_from=w.times.at)
    for target, line in references_of(w):
        if target.startswith(("pr:", "issue:")):
            yield w.edge(key, "DISCUSSED_IN", target, line, at=w.times.at or None)


def _people(w: Writer, key: str) -> Iterator[Row]:
    for names, rel, label in ((DECIDERS, "DECIDED", "deciders"), (AUTHORS, "WROTE", "author")):
        given = [v for v in w.document.field(*names) if not is_placeholder(v.text)]
        for one in w.found(given, ("Person", "Team") if rel == "DECIDED" else ("Person",), label):
            if isinstance(one, Named):
                yield w.claim(one.key, rel, key, one.line, label, valid_from=w.times.at)
            else:
                yield one


def reason(w: Writer) -> tuple[str, int] | None:
    """Why it was decided, shortly, and the line to cite: a rationale, else the decision where it says why, else the context."""
    sections = {plain_title(s.title): s for s in reversed(w.document.page.sections)}
    told = [_opening(sections[name], w) for name in (*_RATIONALE, *_DECIDED) if name in sections]
    context = [_opening(sections[name], w) for name in _CONTEXT if name in sections]
    because = next((t for t in told if t and _WHY.search(t[0])), None)
    chosen = because or next((t for t in context if t), None) or next((t for t in told if t), None)
    return (chosen[0][:LONGEST], chosen[1]) if chosen else None


def _opening(section: Section, w: Writer) -> tuple[str, int] | None:
    """The first paragraphs of a section that say something, and the line of the first, or of the first that says why."""
    lines: list[Line] = []
    for block in _blocks(section, w):
        lines += block
        if sum(len(ln.text) for ln in lines) > LONGEST // 2:
            break
    if not lines or is_placeholder(lines[0].text):
        return None
    cite = next((ln for ln in lines if _WHY.search(ln.text)), lines[0])
    return " ".join(ln.text.strip() for ln in lines), cite.line


def _blocks(section: Section, w: Writer) -> Iterator[list[Line]]:
    yield from section.paragraphs()
    if not section.lines:  # the text may begin under a heading of its own
        after = next((s for s in w.document.page.sections if s.line > section.line and s.level > section.level), None)
        if after is not None:
            yield from after.paragraphs()


def superseding(w: Writer) -> Iterator[Row]:
    """What any document says of replacing others, and of amending them; each replacement once, wherever it is stated."""
    library = w.library
    for r in library.replacements(w.document.path):
        new, old = library.docs[r.new], library.docs[r.old]
        yield w.claim(
            new.key, "SUPERSEDES", old.key, r.line, r.read if r.read != "text" else "supersedes", scope=r.scope,
            state="approved" if r.sure else "candidate", authority="formal_rule" if r.sure else "observation",
            valid_from=new.since or new.at, props={"how": r.how},
        )  # fmt: skip
    yield from _amending(w, library)


def _amending(w: Writer, library: Library) -> Iterator[Row]:
    known = library.docs.get(w.document.path)
    for said in known.statements if known else ():
        for to in said.to:
            found = library.meant(w.document.path, to)
            if found is None:
                what = to.href or to.text or str(to.number)
                if said.sure and (known is not None and (known.decides or known.kind in FORMAL)):
                    yield w.skip(f"{said.verb.rstrip('d')} names a record that is not there: {what[:60]}", said.line)
            elif said.verb.startswith("amend"):
                src, dst = (found[0], w.document.path) if said.verb == "amended" else (w.document.path, found[0])
                yield w.edge(library.docs[src].key, "REFERENCES", library.docs[dst].key, said.line, how="amends")
