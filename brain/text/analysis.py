"""One analysis for stored texts and for questions, so that the words of both meet in the full-text index.

The index is created without stemming and without stop words of its own: what it holds is what `analyse` wrote.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import Stemmer

MAX_TERMS = 32
MAX_TERM = 64

_STOP = """
a about after all also am an and any are as at be because been before being both but by can could d did do does doing
don either else even for from had has have having he her here hers him his how however i if in into is it its just let
ll m may me might more most must my neither nor not now of off on once one only or other our out over own per please
quite rather re s same shall she should since so some such t tell than that the their them then there these they this
those though through to too under until up upon us ve very via was we were what whatever when where whether which
while who whom whose why will with within without would yes yet you your
"""
# Words that carry no subject, in texts and in questions alike.
STOP_WORDS = frozenset(_STOP.split())

_TOKEN = re.compile(r"[^\W_]+(?:_+[^\W_]+)*")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
_local = threading.local()


def fold(text: str) -> str:
    """The text without accents and compatibility forms; case is kept."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not unicodedata.combining(c)))


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The English stem of a lower-cased word; anything but plain letters comes back as it is."""
    if not (word.isascii() and word.isalpha()):
        return word
    stemmer = getattr(_local, "stemmer", None)
    if stemmer is None:
        stemmer = _local.stemmer = Stemmer.Stemmer("english", 0)
    return str(stemmer.stemWord(word))


def parts(identifier: str) -> list[str]:
    """The words inside one token: `maxAckDelay` and `max_ack_delay` give max, ack, delay; `ACKs` and `v2` stay."""
    return [word for piece in identifier.split("_") for word in _HUMP.split(piece) if word]


@lru_cache(maxsize=200_000)
def _terms(token: str) -> tuple[str, ...]:
    """The index terms of one token: its stemmed words, then the whole when it was made of several."""
    if not token.isascii() and _UNSPACED.search(token):
        return tuple(_unspaced(token))
    words = [w.lower() for w in parts(token)]
    terms = [stem(w)[:MAX_TERM] for w in words if w not in STOP_WORDS]
    whole = token.replace("_", "").lower()
    if len(words) > 1 and len(whole) <= MAX_TERM and len(terms) > 0:
        terms.append(whole)
    return tuple(terms)


def _unspaced(token: str) -> Iterator[str]:
    """Scripts without spaces as overlapping pairs of characters, the rest as it is."""
    pos = 0
    for run in _UNSPACED.finditer(token):
        yield from _terms(token[pos : run.start()]) if run.start() > pos else ()
        text = run[0]
        yield from (text[i : i + 2] for i in range(max(len(text) - 1, 1)))
        pos = run.end()
    yield from _terms(token[pos:]) if pos < len(token) else ()


def terms(text: str) -> list[str]:
    """The index terms of a text in order: lower case, no accents, stemmed, identifiers split and kept whole."""
    found: list[str] = []
    for token in _TOKEN.findall(fold(text)):
        found += _terms(token)
    return found


def analyse(text: str) -> str:
    """The text as the full-text property `ft` holds it."""
    return " ".join(terms(text))


def query_terms(question: str) -> list[str]:
    """The terms to look for, each once, at most 32, safe to join with `|`; empty when nothing is worth it."""
    return list(dict.fromkeys(terms(question)))[:MAX_TERMS]
