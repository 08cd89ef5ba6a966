"""Cut a source's text into passages: title first, true line numbers, nothing dropped but what is named here.

Dropped are HTML comments (issue templates), the greater part of quoted replies, and the inside of unbroken runs
and lines too long to be prose; a cut is marked with an ellipsis.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from brain.types import TextRow

LIMIT = 1000
TITLE_LIMIT = 200
LINE_LIMIT = 20_000
RUN_LIMIT = 200

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]|[\ud800-\udfff]")
_LONG_RUN = re.compile(rf"([!-~]{{{RUN_LIMIT}}})[!-~]{{{RUN_LIMIT},}}")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_SENTENCE_END = re.compile(r"(?<=[.!?;\u3002])\s+")
_HEADING = re.compile(r"^ {0,3}#{1,6}\s")
_CODE_SPAN = re.compile(r"`[^`\n]*`")

# How good a place is to cut before an atom; a higher number is a better place.
_INSIDE, _WORD, _SENTENCE, _LINE, _PARAGRAPH = range(5)


@dataclass(frozen=True)
class Chunk:
    """A passage of a source. `line` and `line_end` are 1-based lines of the source's body (0 when the
    passage is the title alone), `hash` is the content hash of `text`, `n` counts from 0.
    """

    key: str
    src: str
    part: str
    title: str
    text: str
    line: int
    line_end: int
    n: int
    hash: str
    at: int
    author: str = ""
    repo: str = ""
    access: str = ""
    aud: tuple[str, ...] = ()
    url: str = ""


@dataclass(frozen=True)
class _Atom:
    """A piece that is never cut: text of one line, what joins it to the piece before, and how well
    a cut before it reads. `code` numbers the fenced block it stands in, 0 outside.
    """

    line: int
    text: str
    glue: str
    rank: int
    code: int = 0
    quote: bool = False
    heading: bool = False


def content_hash(text: str) -> str:
    """The name of a text in the vector cache: 32 hex digits that depend on the text alone."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def chunk(text: TextRow) -> list[Chunk]:
    """The passages of a text, in order, each at most 1,000 characters with the title as its first line.

    A body that is empty gives one passage that is the title; any other part that is empty gives none.
    """
    title = _cut(" ".join(_CONTROL.sub(" ", text.title).split()), TITLE_LIMIT)
    is_body = text.part in ("", "body")
    lines = _clean_lines(text.body)
    room = LIMIT - (len(title) + 1 if title else 0)
    atoms = list(_atoms(lines, room))
    packed = _pack(atoms, room)
    groups = [g for g in (packed if is_body else map(_without_most_quotes, packed)) if g]
    if not groups and is_body and title:
        groups = [[]]
    return [_finish(text, title, n, group) for n, group in enumerate(groups)]


def _finish(text: TextRow, title: str, n: int, atoms: list[_Atom]) -> Chunk:
    passage = _join(atoms)
    full = f"{title}\n{passage}" if title and passage else title or passage
    part = "" if text.part in ("", "body") else f"/{text.part}"
    return Chunk(
        key=f"chunk:{text.key}{part}/{n}",
        src=text.key,
        part=text.part,
        title=title,
        text=full,
        line=atoms[0].line if atoms else 0,
        line_end=atoms[-1].line if atoms else 0,
        n=n,
        hash=content_hash(full),
        at=text.at,
        author=text.author,
        repo=text.repo,
        access=text.access,
        aud=text.aud,
        url=text.url,
    )


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _clean_lines(body: str) -> list[str]:
    """The body's lines, one for each line of the source, without comments and unprintable characters."""
    plain = body.replace("\r\n", "\n").replace("\r", "\n")
    lines = _CONTROL.sub(" ", plain).split("\n")
    kept = [_LONG_RUN.sub(r"\1…", _cut(line.rstrip(), LINE_LIMIT)) for line in lines]
    return _without_comments(kept)


def _without_comments(lines: list[str]) -> list[str]:
    """The lines with `<!-- ... -->` blanked, except in code; a comment that never ends is kept as text."""
    last_end = max((i for i, line in enumerate(lines) if "-->" in line), default=-1)
    out, fence, inside = [], "", False
    for i, line in enumerate(lines):
        mark = _FENCE.match(line)
        if mark and not inside:
            fence = _toggle(fence, mark[1])
        if fence or (mark and not inside):
            out.append(line)
            continue
        kept, inside = _strip_comment(line, inside, i, last_end)
        out.append(kept)
    return out


def _toggle(fence: str, mark: str) -> str:
    if not fence:
        return mark
    return "" if mark[0] == fence[0] and len(mark) >= len(fence) else fence


def _strip_comment(line: str, inside: bool, i: int, last_end: int) -> tuple[str, bool]:
    kept: list[str] = []
    pos = 0
    spans = [m.span() for m in _CODE_SPAN.finditer(line)] if "<!--" in line and not inside else []
    while True:
        if inside:
            end = line.find("-->", pos)
            if end < 0:
                return "".join(kept), True
            pos, inside = end + 3, False
        start = line.find("<!--", pos)
        while start >= 0 and any(a < start < b for a, b in spans):
            start = line.find("<!--", start + 4)
        ends_here = start >= 0 and line.find("-->", start + 4) >= 0
        if start < 0 or not (ends_here or i < last_end):
            kept.append(line[pos:])
            return "".join(kept).rstrip(), False
        kept.append(line[pos:start])
        pos, inside = start + 4, True


def _atoms(lines: list[str], room: int) -> Iterator[_Atom]:
    fence, code, gap, after_code = "", 0, True, False
    for number, line in enumerate(lines, 1):
        mark = _FENCE.match(line)
        opens = bool(mark) and not fence
        if opens:
            code += 1
        if not line.strip():
            gap = True
            continue
        in_code = code if (fence or opens) else 0
        heading = not in_code and bool(_HEADING.match(line))
        glue = "\n\n" if gap else "\n"
        rank = _INSIDE if fence else _PARAGRAPH if gap or after_code or opens or heading else _LINE
        quote = not in_code and line.lstrip().startswith(">")
        yield from _split_line(_Atom(number, line, glue, rank, in_code, quote, heading), room)
        gap = after_code = False
        if mark:
            fence = _toggle(fence, mark[1])
            after_code = not fence


def _split_line(atom: _Atom, room: int) -> Iterator[_Atom]:
    if len(atom.text) <= room:
        yield atom
        return
    first = True
    for piece, glue, rank in _pieces(atom.text, room):
        yield (
            atom
            if first and piece == atom.text
            else replace(atom, text=piece, glue=atom.glue if first else glue, rank=atom.rank if first else rank)
        )
        first = False


def _pieces(line: str, room: int) -> Iterator[tuple[str, str, int]]:
    """A line too long for a passage, as sentences; a sentence too long, as words; a word too long, cut."""
    for sentence in _SENTENCE_END.split(line):
        glue, rank = " ", _SENTENCE
        while len(sentence) > room:
            space = sentence.rfind(" ", room // 2, room)
            at = space if space > 0 else room
            yield sentence[:at], glue, rank
            glue, rank = (" ", _WORD) if space > 0 else ("", _WORD)
            sentence = sentence[at:].lstrip() if space > 0 else sentence[at:]
        if sentence.strip():
            yield sentence, glue, rank


def _pack(atoms: list[_Atom], room: int) -> Iterator[list[_Atom]]:
    start = 0
    while start < len(atoms):
        end = _fit(atoms, start, room)
        if end < len(atoms):
            end = _best_cut(atoms, start, end, room)
        yield atoms[start:end]
        start = end


def _fit(atoms: list[_Atom], start: int, room: int) -> int:
    size, end = len(atoms[start].text), start + 1
    while end < len(atoms):
        size += len(atoms[end].glue) + len(atoms[end].text)
        if size > room:
            break
        end += 1
    return end


def _best_cut(atoms: list[_Atom], start: int, end: int, room: int) -> int:
    """Where to end a passage that could at most reach `end`: the best-reading cut that is not too early,
    never after a heading, and before a code block rather than inside it when the block fits elsewhere.
    """
    size, best, best_rank = len(atoms[start].text), end, -1
    splits_code = atoms[end].code and atoms[end].code == atoms[end - 1].code
    for cut in range(start + 1, end + 1):
        early = size < room * (0.3 if atoms[cut].rank == _PARAGRAPH else 0.5)
        before_code = splits_code and atoms[cut].code == atoms[end].code and atoms[cut - 1].code != atoms[cut].code
        usable = not atoms[cut - 1].heading and (not early or (before_code and _code_fits(atoms, cut, room)))
        rank = atoms[cut].rank + (1 if before_code else 0)
        if usable and rank >= best_rank:
            best, best_rank = cut, rank
        size += len(atoms[cut].glue) + len(atoms[cut].text)
    return best


def _code_fits(atoms: list[_Atom], start: int, room: int) -> bool:
    end = _fit(atoms, start, room)
    return end == len(atoms) or atoms[end].code != atoms[start].code


def _without_most_quotes(atoms: list[_Atom]) -> list[_Atom]:
    """The passage of a reply with its longest quoted lines left out until its own words are the greater part."""
    own = sum(len(a.text) for a in atoms if not a.quote)
    quotes = sorted((a for a in atoms if a.quote), key=lambda a: (len(a.text), a.line))
    room, kept = own, set()
    for atom in quotes:
        room -= len(atom.text)
        if room < 0:
            break
        kept.add(id(atom))
    return [a for a in atoms if not a.quote or id(a) in kept]


def _join(atoms: list[_Atom]) -> str:
    return "".join((a.glue if i else "") + a.text for i, a in enumerate(atoms)).rstrip()
