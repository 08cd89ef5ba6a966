"""Which thread may be about which ticket though it names none: both are compared by their words, and what is alike enough
becomes a candidate for a person to decide on. Only the newest threads are compared, so that memory stays bounded.

Two texts are alike by the weight of the rare words they share (BM25), in parts of what the thread's words could reach at
most, less so the further they lie apart in time. They must share five words, or three that make up three quarters of the
ticket's title: small talk about the same places shares two to four. With that, four of five candidates in the demo's 323
threads are right, and the wrong one is about the same night; with three words and no title it was one in ten.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from brain.connectors.chat_threads import Threads, order, thread_of
from brain.connectors.company import Company
from brain.text.analysis import terms
from brain.text.ranking import K1, norm

LEAST = 0.22
SHARED, IN_TITLE, OF_TITLE = 5, 3, 0.75
NEAR_DAYS, HALF_AFTER_DAYS = 30, 90
BEST = 2
NEAR_BEST = 0.85
LOOKED_AT = 50
BACKGROUND = 50  # texts that hold none of the words, so that a handful of texts makes no word common
MAX_THREADS = 20_000
MAX_MESSAGES = 12
MAX_TERMS = 60
MAX_TICKETS = 50_000

Terms = np.ndarray


class Alike(NamedTuple):
    """A thread and a ticket that may be about the same: which message shows it best, and how alike they are."""

    thread: str
    ticket: str
    ts: str
    score: float


@dataclass(frozen=True)
class _Tickets:
    keys: list[str]
    titles: list[frozenset[int]]
    at: np.ndarray
    postings: dict[int, tuple[np.ndarray, np.ndarray]]
    idf: dict[int, float]


def hashed(text: str, limit: int = MAX_TERMS) -> Counter[int]:
    """The words of a text with a meaning, as numbers, and how often each stands there; plain numbers are no words."""
    found = Counter(crc32(term.encode("utf-8", "replace")) for term in terms(text)[: 4 * limit] if not term.isdigit() and len(term) > 1)
    return Counter(dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]))


class Symptoms:
    """The words of threads and tickets. Tell every message, then ask."""

    def __init__(self) -> None:
        self._said: dict[str, dict[str, Terms]] = {}
        self._alike: dict[str, list[Alike]] | None = None
        self._weights: dict[int, float] = {}

    @classmethod
    def of(cls, company: Company) -> Symptoms:
        """What this company's chat says."""
        found = company.facts["chat"].setdefault("symptoms", cls())
        assert isinstance(found, cls)
        return found

    def said(self, record: Mapping[str, Any]) -> None:
        """Takes in a message."""
        words = np.array(sorted(hashed(record["text"])), dtype=np.uint32)
        if not len(words):
            return
        thread = thread_of(record)
        known = self._said.setdefault(thread, {})
        known[record["ts"]] = words
        if len(known) > 2 * MAX_MESSAGES:
            self._said[thread] = dict(sorted(known.items(), key=lambda pair: order(pair[0]))[:MAX_MESSAGES])
        if len(self._said) > 2 * MAX_THREADS:
            self._trim()

    def _trim(self) -> None:
        newest = sorted(self._said, key=lambda thread: (order(thread.rpartition("/")[2]), thread))[-MAX_THREADS:]
        self._said = {thread: self._said[thread] for thread in newest}

    def shown_by(self, message: str, company: Company) -> list[Alike]:
        """The pairs for which this message (channel/time) is the evidence."""
        if self._alike is None:
            self._alike = {}
            for found in self._compared(company):
                self._alike.setdefault(f"{found.thread.rpartition('/')[0]}/{found.ts}", []).append(found)
        return self._alike.get(message, [])

    def weight(self, text: str, ticket_text: str) -> float:
        """How much a line says about a ticket: the weight of the words they share."""
        return sum(self._weights.get(term, 0.0) for term in set(hashed(text)) & set(hashed(ticket_text)))

    def _compared(self, company: Company) -> Iterator[Alike]:
        threads = Threads.of(company)
        self._trim()
        said = {thread: texts for thread, texts in sorted(self._said.items()) if not _tickets_of(threads, thread, company)}
        told = sorted(key for key, facts in company.facts.items() if key.startswith("ticket:") and facts.get("title"))
        told = sorted(told, key=lambda key: (-int(company.facts[key].get("at") or 0), key))[:MAX_TICKETS]  # type: ignore[call-overload]
        told.sort()
        if not told or not said:
            return
        tickets = _indexed(told, company, said)
        self._weights = tickets.idf
        for thread, texts in said.items():
            yield from _best(thread, texts, tickets)


def ticket_text(company: Company, key: str) -> str:
    """What is known of a ticket's words."""
    facts = company.facts[key]
    return f"{facts.get('title') or ''}\n{facts.get('text') or ''}"


def _tickets_of(threads: Threads, thread: str, company: Company) -> bool:
    return any(company.find(id_, "Ticket") for id_ in threads.named(thread))


def _indexed(keys: list[str], company: Company, said: Mapping[str, Mapping[str, Terms]]) -> _Tickets:
    """Postings of the tickets' words with their share of a score; how rare a word is counts chat and tickets together."""
    documents: Counter[int] = Counter()
    for texts in said.values():
        documents.update({int(term) for words in texts.values() for term in words})
    postings: dict[int, list[tuple[int, float]]] = {}
    titles = [frozenset(hashed(str(company.facts[key]["title"]))) for key in keys]
    at = np.array([int(company.facts[key].get("at") or 0) for key in keys], dtype=np.float64)  # type: ignore[call-overload]
    for n, key in enumerate(keys):
        counts = hashed(ticket_text(company, key))
        length = norm(sum(counts.values()))
        documents.update(counts.keys())
        for term, count in counts.items():
            postings.setdefault(term, []).append((n, count * (K1 + 1) / (count + length)))
    total = len(keys) + len(said) + BACKGROUND
    idf = {term: math.log(1 + (total - n + 0.5) / (n + 0.5)) for term, n in documents.items()}
    packed = {term: (np.array([n for n, _ in found]), np.array([w for _, w in found])) for term, found in postings.items()}
    return _Tickets(keys, titles, at, packed, idf)


def _scores(words: Iterator[int] | list[int], tickets: _Tickets) -> tuple[np.ndarray, np.ndarray]:
    """The score of every ticket, in parts of the most that these words could reach, and how many of them it has."""
    scores, shared, most = np.zeros(len(tickets.keys)), np.zeros(len(tickets.keys), dtype=int), 0.0
    for term in words:
        weight = tickets.idf.get(term, 0.0)
        most += weight
        if term in tickets.postings:
            places, parts = tickets.postings[term]
            scores[places] += weight * parts
            shared[places] += 1
    return scores / most if most else scores, shared


def _best(thread: str, texts: Mapping[str, Terms], tickets: _Tickets) -> Iterator[Alike]:
    """The tickets most alike; of equal ones the first by key."""
    first = dict(sorted(texts.items(), key=lambda pair: order(pair[0]))[:MAX_MESSAGES])
    words = sorted({int(term) for found in first.values() for term in found})
    if len(words) < IN_TITLE:
        return
    scores, shared = _scores(words, tickets)
    scores *= _near(float(thread.rpartition("/")[2]), tickets.at)
    alike = np.where((scores >= LEAST) & (shared >= IN_TITLE), scores, 0.0)
    nearest = [n for n in np.argsort(-alike, kind="stable")[:LOOKED_AT] if alike[n] > 0]
    ranked = [n for n in nearest if shared[n] >= SHARED or _in_title(words, n, tickets)][:BEST]
    for n in ranked:
        if scores[n] >= NEAR_BEST * scores[ranked[0]]:
            one = {ts: float(_weight(found, n, tickets)) for ts, found in first.items()}
            yield Alike(thread, tickets.keys[n], min(one, key=lambda ts: (-round(one[ts], 9), order(ts))), float(scores[n]))


def _near(at: float, tickets_at: np.ndarray) -> np.ndarray:
    """One within a month, then less by half every three months; one where nobody knows when."""
    days = np.maximum(np.abs(tickets_at - at) / 86_400 - NEAR_DAYS, 0.0)
    return np.where(tickets_at > 0, 0.5 ** (days / HALF_AFTER_DAYS), 1.0)


def _in_title(words: list[int], ticket: Any, tickets: _Tickets) -> bool:
    """Whether the words make up enough of the ticket's title."""
    title = tickets.titles[ticket]
    both = title & set(words)
    whole = sum(tickets.idf[t] for t in title)
    return len(both) >= IN_TITLE and sum(tickets.idf[t] for t in both) >= OF_TITLE * whole


def _weight(words: Terms, ticket: Any, tickets: _Tickets) -> float:
    found = (int(term) for term in words)
    return sum(tickets.idf[t] for t in found if t in tickets.postings and ticket in tickets.postings[t][0])
