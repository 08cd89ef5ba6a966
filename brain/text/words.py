"""Words of a text as concepts see them: identifiers split, case and plural folded, sentences kept apart."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from brain.text.analysis import fold, parts

_SCAN = re.compile(r"[^\W_]+(?:_+[^\W_]+)*|\n|[^\w\s/-]|/(?!\d)")
_ADDRESS = re.compile(r"\w+://\S+|www\.\S+|\S+@\S+\.\w+|(?<![\w`])@[\w-]+(?:/[\w-]+)?|\[[^\]\n]*\]:[ \t]*\S+")
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\s]*(?:\s+\"[^\"\n]*\")?\)")
_TAG = re.compile(r"</?[A-Za-z][^<>\n]*>")
_TRAILER = re.compile(
    r"^[ \t]*(?:[A-Za-z]+(?:-[A-Za-z]+)*-(?:by|url|id|with|author|link):[ \t]"
    r"|(?:fixes|closes|resolves|refs?|see|cc|bug|issue|pr|link):[ \t]*(?:#|\w+://|@|\S+@|[\w./-]+#\d|[0-9a-f]{7})).*$",
    re.M | re.I,
)
_COMMENT = re.compile(r"<!--.*?-->", re.S)
_FENCED = re.compile(r"^ {0,3}(`{3,}|~{3,}).*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.M | re.S)
_QUOTED = re.compile(r"^\s*>.*$", re.M)

BREAK = ""
Phrase = tuple[str, ...]


class Word(NamedTuple):
    """A word with its normal form ("" marks a boundary that no term crosses) and 1-based line; `part`
    when it was cut out of an identifier.
    """

    norm: str
    raw: str
    line: int
    part: bool = False


@lru_cache(maxsize=100_000)
def singular(word: str) -> str:
    """A lower-cased word without its plural ending; good enough to compare, not to show."""
    if len(word) < 3 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1]


@lru_cache(maxsize=200_000)
def _split(token: str) -> tuple[tuple[str, str], ...]:
    return tuple((_normal(w), w) for w in parts(token))


def _normal(word: str) -> str:
    word = fold(word)
    if word[-1:] == "s" and word[:-1].isupper() and len(word) > 2:
        return word[:-1].lower()
    return singular(word.lower())


def phrase(term: str) -> Phrase:
    """The normal form of a term: `Connection IDs`, `connection-id` and `connectionId` are one."""
    return tuple(norm for token in re.findall(r"[^\W_]+", term) for norm, _ in _split(token))


def without_addresses(text: str) -> str:
    """The text with links reduced to their words, and trailers, addresses and @names blanked; lines stay."""
    if ": " in text:
        text = _TRAILER.sub("", text)
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if "@" in text or "://" in text or "www." in text or "]:" in text:
        text = _ADDRESS.sub(" ", text)
    return text


def prose(text: str) -> str:
    """What a person wrote in a text: no code blocks, comments, quoted lines, trailers, tags, addresses."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for pattern, sign in ((_FENCED, "``"), (_FENCED, "~~~"), (_COMMENT, "<!--"), (_QUOTED, ">")):
        if sign in text:
            text = pattern.sub("\n\n", text)
    if "<" in text:
        text = _TAG.sub(" ", text)
    return without_addresses(text)


def words(text: str) -> list[Word]:
    """The words of a text in order, with boundaries between sentences, clauses and paragraphs."""
    found: list[Word] = []
    line, newline = 1, False
    for token in _SCAN.findall(text):
        if token == "\n":
            if newline:
                found.append(Word(BREAK, "", line))
            line, newline = line + 1, True
            continue
        newline = False
        if token[0].isalnum():
            split = _split(token)
            found += [Word(norm, raw, line, len(split) > 1) for norm, raw in split]
        elif token != "'":
            found.append(Word(BREAK, token, line))
    return found
