"""A chat message as sentences and clauses of plain words, ready for the phrases of chat.yaml: what is quoted, struck out
or code is gone, tickets and people are placeholders, short forms are written out.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

REACH = 12
TICKET = re.compile(r"(?<![\w/.@+-])[A-Za-z][A-Za-z0-9]{1,9}-\d{1,7}(?![\w-]|\.\d)|(?<![\w/#&])#\d{2,9}\b")
_TICKET_IN_LINK = re.compile(r"/([A-Z][A-Z0-9]{1,9}-\d{1,7})(?![\w-])|/tickets/(\d{2,9})\b")
# A number alone is a ticket's only where the words around it leave nothing else: "ticket 8117", "grabbing 8117", "8117 is mine".
_BARE = re.compile(
    r"(?P<front>\b(?:grabb?|tak|claim|handl|pick|clos)(?:e|ing)?(?: up| over)? (?:(?:ticket|case|no\.?|number) )?"
    r"|\b(?:looking into|working on|claimed|grabbed|took|picked up|fixed|resolved|solved|verified|closed) )"
    r"(?P<n>\d{3,9})(?=\s*(?:$|[,;:!]|\.(?:\s|$)|(?:now|then|over|up|too|as well)\b))"
    r"|(?P<noun>\b(?:ticket|case) (?:no\.? |number )?)(?P<named>\d{2,9})(?![\w.:/%-])"
    r"|(?<![\w#.,:/-])(?P<first>\d{3,9})(?= (?:is|are) (?:now )?(?:mine|fixed|resolved|solved|done|verified)\b)",
    re.IGNORECASE | re.MULTILINE,
)
_MENTION = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>|(?<![\w@.])@([A-Za-z][\w.-]*\w)")
LINK = re.compile(r"<([@#!][^<>\s|]+|[A-Za-z][\w+.-]*:[^<>\n|]+)(?:\|([^<>\n]*))?>")
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_STRUCK = re.compile(r"(?<![\w~])~[^~\n]+~(?![\w~])")
_CODE = re.compile(r"`([^`\n]*)`")
_QUOTED = re.compile(r"“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|(?<!\w)\"[^\"\n]*\"|(?<!\w)'[^'\n]{12,}'(?!\w)")
EMOJI = re.compile(r"(?<!\w):[a-z0-9_+'-]+(?:::[a-z0-9_-]+)?:(?!\w)|[\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F]", re.IGNORECASE)
_MARKS = re.compile(r"(?<!\w)[*_]+(?=\S)|(?<=\S)[*_]+(?!\w)")
_SENTENCE = re.compile(r"(?<=[.!?])[\"')\]]*\s+|\s*;\s+|(?<=[.!?])$")
_CLAUSE = re.compile(r"\s*(,|:|\s[\u2013\u2014-]+\s|\bbut\b|\band then\b|\band\b|\bso\b|\(|\))\s*")
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'"})
_ONLY_TICKETS = re.compile(r"(?:⟦t\d+⟧ ?)+(?:now|too|as well|today|then|please)?")
_SHORT = (
    (r"\b(ca|wo|sha)n'?t\b", lambda m: {"ca": "can", "wo": "will", "sha": "shall"}[m[1]] + " not"),
    (r"\bcannot\b", "can not"), (r"n't\b", " not"), (r"\b(do|does|did|is|are|was|were|has|have|would|could|should)nt\b", r"\1 not"),
    (r"'ll\b", " will"), (r"'ve\b", " have"), (r"\bi'?m\b", "i am"), (r"'re\b", " are"), (r"\bive\b", "i have"), (r"'d\b", " would"),
    (r"\b(it|that|this|he|she|what|who|there)'s\b", r"\1 is"), (r"(⟦t\d+⟧)'?s\b", r"\1 is"),
    (r"\bgonna\b", "going to"), (r"\bthx\b", "thanks"),
    (r"\bill (?=take|grab|pick|handle|look|own)", "i will "),
)  # fmt: skip


@dataclass(frozen=True)
class Sentence:
    """One sentence: its line in the message, its clauses with placeholders, `breaks` (the clauses before which a colon or
    a "but" stands), and whether it asks.
    """

    line: int
    clauses: tuple[str, ...]
    breaks: dict[int, str]
    asks: bool

    def rest(self, clause: int) -> str:
        """What is said from a clause on, as far as it can matter."""
        return " , ".join(self.clauses[clause : clause + REACH])


@dataclass(frozen=True)
class Words:
    """A message taken apart: `⟦t0⟧` stands for the first of `tickets`, `⟦p0⟧` for the first of `people`, by id or @handle."""

    sentences: tuple[Sentence, ...]
    tickets: tuple[str, ...]
    people: tuple[str, ...]


def bare_numbers(text: str) -> set[str]:
    """The numbers in a raw message that stand alone where a ticket must be meant."""
    return {m["n"] or m["named"] or m["first"] for m in _BARE.finditer(text)}


def _marked(text: str) -> str:
    """The text with such numbers written as ids."""
    return _BARE.sub(lambda m: f"{m['front'] or m['noun'] or ''}#{m['n'] or m['named'] or m['first']}", text)


def tickets_in(text: str) -> list[str]:
    """What looks like ids of tickets in a raw message, each once, code and quotations included: it talks of them."""
    plain = _marked(LINK.sub(_link_text, text))
    return list(dict.fromkeys(m.group().lstrip("#") for m in TICKET.finditer(html.unescape(plain))))


def said_lines(text: str) -> Iterator[tuple[int, str]]:
    """(line, text) of what the writer says in a raw message: no quoted line, no code block, no struck-out or quoted words."""
    blanked = _FENCE.sub(lambda m: "\n" * m.group().count("\n"), text)
    quoting = False
    for number, raw in enumerate(blanked.split("\n"), 1):
        line = html.unescape(raw) if "<" not in raw else raw.replace("&gt;", ">").replace("&amp;", "&")
        quoting = quoting or line.lstrip().startswith(">>>")
        if not quoting and not line.lstrip().startswith(">"):
            yield number, _QUOTED.sub(" ", _STRUCK.sub(" ", line.translate(_APOSTROPHES)))


def words(text: str) -> Words:
    """A raw message of Slack, taken apart."""
    tickets: list[str] = []
    people: list[str] = []
    sentences = []
    for number, line in said_lines(text):
        plain = _CODE.sub(lambda m: f" {m[1]} " if TICKET.fullmatch(m[1].strip()) else " ", " ".join(line.split()))
        plain = _MENTION.sub(lambda m: _place("p", people, m[1] or "@" + m[2]), plain)
        plain = EMOJI.sub(" ", html.unescape(LINK.sub(_link_text, plain)))
        plain = TICKET.sub(lambda m: _place("t", tickets, m.group().lstrip("#")), _marked(plain))
        plain = _MARKS.sub("", plain)
        sentences += [_sentence(part, number) for part in _SENTENCE.split(plain) if part and part.strip()]
    return Words(tuple(s for s in sentences if s.clauses), tuple(tickets), tuple(people))


def _sentence(part: str, line: int) -> Sentence:
    text = part.lower()
    for short, whole in _SHORT:
        text = re.sub(short, whole, text)
    asks = "?" in text
    clauses: list[str] = []
    breaks: dict[int, str] = {}
    pieces = _CLAUSE.split(re.sub(r"[!?]+|\.+(?=\s|$)", " ", text))
    for i, piece in enumerate(pieces):
        if i % 2:
            breaks |= {len(clauses): piece} if piece in (":", "but") else {}
        elif piece.strip():
            said = " ".join(piece.split())
            listed = clauses and len(clauses) not in breaks and (_ONLY_TICKETS.fullmatch(clauses[-1]) or _ONLY_TICKETS.fullmatch(said))
            if listed and said.startswith("⟦t") and clauses[-1].endswith("⟧"):
                clauses[-1] += f" {said}"
            else:
                clauses.append(said)
    return Sentence(line, tuple(clauses), breaks, asks)


def _place(sort: str, things: list[str], thing: str) -> str:
    if thing not in things:
        things.append(thing)
    return f" ⟦{sort}{things.index(thing)}⟧ "


def _link_text(match: re.Match[str]) -> str:
    target, label = match[1], match[2] or ""
    if target[0] in "@#!":
        return match.group() if target[0] == "@" else " "
    in_label, in_target = TICKET.search(label), _TICKET_IN_LINK.search(target)
    if in_label:
        return f" {in_label.group()} "
    if in_target:
        return f" {in_target[1] or '#' + in_target[2]} "
    return f" {label} " if label and not label.startswith("http") else " link "
