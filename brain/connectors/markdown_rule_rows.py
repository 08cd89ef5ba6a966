"""The rules of a document as rows: each rule, whom it binds, and what it replaces where that is stated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from brain.connectors.identities import slug
from brain.connectors.markdown_doc import SUBJECT
from brain.connectors.markdown_kind import says
from brain.connectors.markdown_names import Unfound
from brain.connectors.markdown_page import Line
from brain.connectors.markdown_rules import FORMAL, Stated, why_not_in_force
from brain.connectors.markdown_writer import Writer
from brain.connectors.rulebook import KnownRule, RuleBook, meet
from brain.types import Row


def rows(w: Writer, rules: tuple[Stated, ...]) -> Iterator[Row]:
    """The rows of a document's rules; its text must have gone by."""
    why = why_not_in_force(w.document)
    if why and any(w.columns.reading(t) is not None for t in w.document.page.tables):
        yield w.skip(why)
    for rule in rules:
        yield from _rule(w, rule)
    yield from _of_whole_document(w)


def authority(w: Writer) -> str:
    """A policy, procedure, notice or registry rules; any other document tells of a practice."""
    return "formal_rule" if w.document.kind in FORMAL else "practice"


def _rule(w: Writer, rule: Stated) -> Iterator[Row]:
    bound, names = [], []
    for text in rule.applies:
        for one in w.names.all(Line(text, rule.applies_line or rule.line), SUBJECT, w.document.path, make=False):
            if isinstance(one, Unfound):
                yield w.skip(f"applies to: {one.reason}", rule.line)
                names.append(text)
            else:
                yield from w.named(one, rule.line)
                bound.append(one.key)
                names.append(one.name)
    claim: dict[str, Any] = {"authority": authority(w), "valid_from": rule.start, "valid_to": rule.end}
    yield w.text(
        rule.key, rule.name, rule.line, title=rule.name, slot=rule.slot, value=rule.value, conditions=rule.conditions, doc=w.key,
        at=rule.start or None, valid_from=rule.start, valid_to=rule.end, authority=authority(w), subject=", ".join(names),
    )  # fmt: skip
    yield from (w.edge(rule.key, "VISIBLE_TO", group) for group in w.aud)
    yield w.edge(rule.key, "PART_OF", w.key)
    yield w.claim(rule.key, "JUSTIFIED_BY", w.key, rule.line, "rule", **claim)
    for key in dict.fromkeys(bound):
        yield w.claim(rule.key, "APPLIES_TO", key, rule.line, "applies to", **claim)
    if rule.replaces is not None:
        yield from _replaced(w, rule, claim)


def _replaced(w: Writer, rule: Stated, claim: dict[str, Any]) -> Iterator[Row]:
    """SUPERSEDES to the rules that a cell or field names: a rule by its name or key, or a document's rule of the same name."""
    book, told = RuleBook.of(w.context.company), rule.replaces
    assert told is not None
    own = book.get(rule.key) or KnownRule(rule.key, rule.slot, w.key, rule.start, rule.applies)
    parts = [p for p in (told.text.split(";") if ";" in told.text else [told.text]) if says(p)]
    for part in parts:
        found, sure = _meant(w, own, Line(part.strip(), told.line, told.links), book)
        for old in found:
            narrower = bool(rule.applies) and not book.bound(old)
            more = {"scope": ", ".join(rule.applies) if narrower else "", "state": "approved" if sure else "candidate"}
            yield w.claim(rule.key, "SUPERSEDES", old.key, told.line, "replaces", **claim, **more)
        if not found:
            yield w.skip(f"replaces a rule that nothing else states: {part.strip()[:60]}", told.line)


def _meant(w: Writer, own: KnownRule, told: Line, book: RuleBook) -> tuple[list[KnownRule], bool]:
    by_key = book.get(told.text.strip())
    if by_key is not None:
        return [by_key], True
    named = slug(told.text)
    earlier = [r for r in book.in_slot(named) if r.key != own.key and r.start <= own.start]
    by_name = [r for r in earlier if meet(w.context.company, own.applies, r.applies)]
    if by_name:
        return by_name, True
    linked = next((p for ln in told.links if (p := w.library.linked(w.document.path, ln.href))), None)
    path = linked or w.library.named(w.document.path, told.text)
    if path is not None:
        rules = [r for r in book.of_source(f"doc:{path}") if r.key != own.key]
        same = [r for r in rules if r.slot == own.slot and meet(w.context.company, own.applies, r.applies)]
        return (same, True) if same else (rules if len(rules) == 1 else [], False)
    spoken = [r for r in book.before(own, w.context.company) if r.source.startswith("message:")]
    if spoken and any(word in told.text.lower() for word in ("announce", "message", "chat", "slack", "#")):
        return spoken, len(spoken) == 1
    loosely = [r for r in book.before(own, w.context.company) if r.slot in slug(told.text)]
    return loosely, bool(loosely)


def _of_whole_document(w: Writer) -> Iterator[Row]:
    """Where a whole document is replaced, its rules go too: those of the same name by the new one's, the rest with it. A notice
    replaces only what it states anew.
    """
    book = RuleBook.of(w.context.company)
    for r in w.library.replacements(w.document.path):
        new, old = w.library.docs[r.new], w.library.docs[r.old]
        if new.decides or old.decides or not r.sure:
            continue
        state, start = ("approved" if r.sure else "candidate"), new.since or new.at
        for ended in book.of_source(old.key):
            again = [n for n in book.of_source(new.key) if n.slot == ended.slot]
            if not again and (r.scope or new.kind == "notice"):
                continue
            for src, since in [(n.key, n.start) for n in again] or [(new.key, start)]:
                yield w.claim(src, "SUPERSEDES", ended.key, r.line, "supersedes", state=state, valid_from=since, authority=authority(w))
