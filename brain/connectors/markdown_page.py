"""A Markdown document taken apart: front matter, headings, paragraphs, list items, tables and links, each with the line it
stands on. Nothing here knows what a document means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from brain.connectors.markdown_front import Front, split_front

QUOTE = 600
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_SCHEME = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


@dataclass(frozen=True)
class Link:
    """A link or image: its words, where it leads, and where in the line's text its words stand."""

    text: str
    href: str
    line: int
    start: int = 0
    image: bool = False

    @property
    def local(self) -> bool:
        """Does it lead to a file beside the document?"""
        return bool(self.href) and not _SCHEME.match(self.href) and not self.href.startswith("#")


@dataclass(frozen=True)
class Line:
    """One line as it reads: without markup, its links apart. `code` holds what stood between back-ticks, `strong` whether it
    begins in bold type.
    """

    text: str
    line: int
    links: tuple[Link, ...] = ()
    code: tuple[str, ...] = ()
    strong: bool = False


@dataclass(frozen=True)
class Row:
    """A line of a table; a cell is a Line of its own."""

    line: int
    cells: tuple[Line, ...]


@dataclass(frozen=True)
class Table:
    """A table under its nearest heading."""

    line: int
    heading: str
    header: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass
class Section:
    """A heading and what stands under it up to the next heading. The part before the first heading has level 0.
    `kinds` tells of each line whether it is a paragraph, an item of a list or a quotation; fenced code is left out.
    """

    title: str
    level: int
    line: int
    links: tuple[Link, ...] = ()
    lines: list[Line] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    breaks: set[int] = field(default_factory=set)

    def paragraphs(self) -> Iterator[list[Line]]:
        """The lines, those of one paragraph or item together."""
        block: list[Line] = []
        for i, line in enumerate(self.lines):
            if i in self.breaks and block:
                yield block
                block = []
            block.append(line)
        if block:
            yield block


@dataclass(frozen=True)
class Page:
    """A parsed document. `source` is its text line by line, what claims quote."""

    front: Front
    sections: tuple[Section, ...]
    tables: tuple[Table, ...]
    source: tuple[str, ...]
    code: tuple[tuple[str, int], ...] = ()

    @cached_property
    def heading(self) -> Line | None:
        """The first heading: the title that the text gives itself."""
        first = next((s for s in self.sections if s.level), None)
        return Line(first.title, first.line, first.links) if first else None

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Every line of prose, headings and tables included, in order."""
        heads = [Line(s.title, s.line, s.links) for s in self.sections if s.level]
        cells = [cell for table in self.tables for row in table.rows for cell in row.cells]
        return tuple(sorted((*heads, *(ln for s in self.sections for ln in s.lines), *cells), key=lambda ln: ln.line))

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Every link, in order."""
        return tuple(link for line in self.lines for link in line.links)

    def section(self, *titles: str) -> Section | None:
        """The first section with one of these titles, compared without case, numbers and punctuation."""
        return next((s for s in self.sections if plain_title(s.title) in titles), None)

    def quote(self, line: int) -> str:
        """The words of a line as they are stored, cut where they get too long."""
        return self.source[line - 1].strip()[:QUOTE] if 0 < line <= len(self.source) else ""


def plain_title(title: str) -> str:
    """A heading as it is compared: lower case, without the number before and the punctuation behind."""
    words = re.sub(r"^[\s\d.)(:-]+", "", title.lower())
    return re.sub(r"[\s:.!?*_`-]+$", "", re.sub(r"[^\w\s/&'-]", " ", words)).strip()


@lru_cache(maxsize=256)
def parse(text: str) -> Page:
    """The document of a text; lines are counted from 1 in the whole text, front matter included."""
    source = tuple(text.splitlines())
    front, skipped = split_front(source)
    body = "\n".join(["" if i < skipped else line for i, line in enumerate(source)])
    markdown = MarkdownIt("commonmark", {"maxNesting": 30}).enable(["table", "strikethrough"])
    return _Reader(front, source).read(markdown.parse(body))


class _Reader:
    """Turns the tokens of the parser into sections and tables."""

    def __init__(self, front: Front, source: Sequence[str]) -> None:
        self.front, self.source = front, tuple(source)
        self.sections = [Section("", 0, 1)]
        self.tables: list[Table] = []
        self.code: list[tuple[str, int]] = []
        self.inside: list[str] = []

    def read(self, tokens: Sequence[Token]) -> Page:
        i = 0
        while i < len(tokens):
            token = tokens[i]
            if token.type == "table_open":
                i = self._table(tokens, i)
            elif token.type == "heading_open":
                lines = _lines(tokens[i + 1])
                at = lines[0].line if lines else (token.map or [0])[0] + 1
                title = " ".join(ln.text for ln in lines).strip()
                links = tuple(link for ln in lines for link in ln.links)
                self.sections.append(Section(title, int(token.tag[1]), at, links))
            elif token.type == "inline":
                self._prose(token)
            elif token.type in ("fence", "code_block"):
                self.code.append((token.content, (token.map or [0])[0] + 1))
            elif token.type in ("blockquote_open", "list_item_open"):
                self.inside.append(token.type)
            elif token.type in ("blockquote_close", "list_item_close"):
                self.inside.pop()
            i += 1
        return Page(self.front, tuple(self.sections), tuple(self.tables), self.source, tuple(self.code))

    def _prose(self, token: Token) -> None:
        section = self.sections[-1]
        if section.level and token.map and token.map[0] + 1 == section.line and not section.lines:
            return
        kind = "quote" if "blockquote_open" in self.inside else "item" if self.inside else "paragraph"
        section.breaks.add(len(section.lines))
        for line in _lines(token):
            if line.text.strip():
                section.lines.append(line)
                section.kinds.append(kind)

    def _table(self, tokens: Sequence[Token], i: int) -> int:
        at, line = (tokens[i].map or [0])[0] + 1, 0
        rows: list[Row] = []
        cells: list[Line] = []
        while tokens[i].type != "table_close":
            token = tokens[i]
            if token.type == "tr_open":
                cells, line = [], (token.map or [at - 1])[0] + 1
            elif token.type == "inline":
                cells.append(_cell(token, line))
            elif token.type == "tr_close":
                rows.append(Row(line, tuple(cells)))
            i += 1
        header = tuple(cell.text.strip() for cell in rows[0].cells) if rows else ()
        self.tables.append(Table(at, self.sections[-1].title, header, tuple(rows[1:])))
        return i


def _cell(token: Token, line: int) -> Line:
    lines = _lines(token, line)
    text, links = "", []
    for part in lines:
        gap = len(text) + (1 if text else 0)
        links += [Link(link.text, link.href, line, gap + link.start, link.image) for link in part.links]
        text = f"{text}\n{part.text}" if text else part.text
    code = tuple(c for part in lines for c in part.code)
    return Line(text.strip(), line, tuple(links), code, bool(lines and lines[0].strong))


@dataclass
class _Draft:
    """A line that is being put together."""

    line: int
    text: str = ""
    links: list[Link] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    strong: bool = False

    def done(self) -> Line:
        gap = len(self.text) - len(self.text.lstrip())
        links = [replace(link, start=max(0, link.start - gap)) for link in self.links]
        return Line(self.text[gap:], self.line, tuple(links), tuple(self.code), self.strong)


def _lines(token: Token, first: int | None = None) -> list[Line]:
    """The lines of an inline token. Struck-out text is left out: it says what is no longer so."""
    start = first if first is not None else (token.map or [0])[0] + 1
    drafts, opened, struck = [_Draft(start)], list[Any](), 0
    for child in token.children or ():
        now = drafts[-1]
        if child.type == "s_open":
            struck += 1
        elif child.type == "s_close":
            struck -= 1
        elif struck:
            continue
        elif child.type in ("softbreak", "hardbreak"):
            drafts.append(_Draft(now.line + (first is None)))
        elif child.type == "html_inline" and _BREAK.fullmatch(child.content.strip()):
            drafts.append(_Draft(now.line))
        elif child.type == "link_open":
            opened.append((str(child.attrGet("href") or ""), len(now.text), now))
        elif child.type == "link_close" and opened:
            href, begin, where = opened.pop()
            where.links.append(Link(where.text[begin:] if where is now else where.text[begin:] + " " + now.text, href, where.line, begin))
        elif child.type == "image":
            now.links.append(Link(child.content, str(child.attrGet("src") or ""), now.line, len(now.text), image=True))
        elif child.type == "strong_open":
            now.strong = now.strong or not now.text.strip()
        elif child.type == "code_inline":
            now.code.append(child.content)
            now.text += child.content
        elif child.type in ("text", "text_special"):
            now.text += child.content
    return [d.done() for d in drafts if d.text.strip() or d.links]
