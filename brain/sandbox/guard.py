"""Reads a query that somebody wrote before any server does, and refuses what could write, reach out or run away.

It goes by lists of what is allowed. What it lets through still runs as a user who can only read, in a server that may die
(`brain.sandbox.process`): the guard is there to say at once, in one line, what to write instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from brain.errors import ToolError
from brain.sandbox import procedures
from brain.sandbox.limit import limited
from brain.sandbox.tokens import Token, joined, place, tokens
from brain.values import header, plain

LENGTH = 4000
PARAMS_LENGTH = 100_000
NESTING = 10
STEPS = 20
HOPS_ALTOGETHER = 15
NUMBERS_ALTOGETHER = 100_000
MOST = {"MATCH": 10, "WITH": 12, "UNWIND": 4, "CALL": 5, "UNION": 4, "OR": 60, "NOT": 40, "CASE": 20}

_BEGINS = ("MATCH", "OPTIONAL", "UNWIND", "WITH", "CALL", "RETURN")
_WRITES = {"CREATE", "MERGE", "SET", "DELETE", "DETACH", "REMOVE", "FOREACH", "DROP", "LOAD", "CSV", "START"}
_KEYWORDS = {
    *("MATCH", "OPTIONAL", "WHERE", "AND", "OR", "XOR", "NOT", "IN", "RETURN", "WITH", "UNWIND", "WHEN", "THEN", "ELSE", "CASE", "BY"),
    *("DISTINCT", "CONTAINS", "CALL", "UNION", "ALL", "AS", "YIELD", "LIMIT", "SKIP", "STARTS", "ENDS", "IS", "NULL"),
}
_CLAUSES = {"MATCH", "WHERE", "RETURN", "WITH", "UNWIND", "YIELD", "BY"}
_CLOSES = {")": "(", "]": "[", "}": "{"}


def check(text: str, params: Mapping[str, Any] | None = None) -> str:
    """The query as it will run: comments gone, at most 200 rows out of each part. ToolError names the place and the fix."""
    if not isinstance(text, str) or not text.strip():
        raise ToolError("'query' needs a Cypher query that reads, such as MATCH (t:Team) RETURN t.key LIMIT 10")
    if len(text) > LENGTH:
        raise ToolError(f"the query has {len(text)} characters; at most {LENGTH} are read here: pass long texts and lists as parameters")
    given = _parameters(params or {})
    found = tokens(text)
    while found and found[-1].text == ";" and found[-1].kind == "sign":
        found.pop()
    if not found or found[0].word not in _BEGINS:
        raise ToolError(f"a query here begins with {', '.join(_BEGINS[:-1])} or {_BEGINS[-1]}: it only reads")
    _Reading(text, found, given).read()
    return joined(limited(text, found, given))


def _parameters(params: Mapping[str, Any]) -> dict[str, Any]:
    for name in params:
        if not isinstance(name, str) or not name.isascii() or not name.isidentifier() or len(name) > 60:
            raise ToolError(f"{name!r} is no name of a parameter: letters, digits and _, at most 60")
    deepest = max((_depth(value) for value in params.values()), default=0)
    if deepest > NESTING:
        raise ToolError(f"a parameter holds lists in lists deeper than {NESTING}; flatten it")
    given = {name: plain(value) for name, value in params.items()}
    if len(header(given)) > PARAMS_LENGTH:
        raise ToolError(f"the parameters are longer than {PARAMS_LENGTH} characters together; pass less")
    return given


def _depth(value: Any) -> int:
    deepest, now = 0, [value]
    while now and deepest <= NESTING + 1:
        now = [inner for outer in now if isinstance(outer, (list, tuple, set, frozenset)) for inner in outer]
        deepest += 1
    return deepest - 1


@dataclass
class _Open:
    """A bracket (or CASE) that is open. `kind` tells what it is: list, path, predicate, call, map, query, case or group."""

    sign: str
    kind: str
    at: int
    weight: int = 1


@dataclass
class _Reading:
    """One pass over the tokens, which counts what may grow and asks `procedures` about what is called."""

    text: str
    found: list[Token]
    params: Mapping[str, Any]
    known: set[str] = field(default_factory=set)
    open: list[_Open] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    hops: int = 0
    steps: int = 0
    numbers: int = 1

    def read(self) -> None:
        """ToolError at the first token that breaks a rule."""
        for i, token in enumerate(self.found):
            if token.kind == "sign":
                self._sign(i, token)
            elif token.kind == "word" and not self._names(i):
                self._word(i, token)
            elif token.kind == "param" and token.text[1:] not in self.params:
                self._refuse(token.at, f"there is no value for {token.text}; pass a parameter {token.text[1:]!r}")
        if self.open:
            self._refuse(self.open[-1].at, f"this {self.open[-1].sign} is never closed")

    def _refuse(self, at: int, sentence: str) -> None:
        raise ToolError(f"{place(self.text, at)}: {sentence}")

    def _is(self, i: int, text: str) -> bool:
        return 0 <= i < len(self.found) and self.found[i].kind == "sign" and self.found[i].text == text

    def _word_at(self, i: int) -> str:
        return self.found[i].word if 0 <= i < len(self.found) else ""

    def _inside(self) -> str:
        return self.open[-1].kind if self.open else ""

    def _names(self, i: int) -> bool:
        """Does the word name a label, a type or a property, so that it means nothing else?"""
        if self._is(i - 1, ".") or (self._is(i - 1, ":") and self._inside() != "map"):
            return not self._is(i + 1, "(") and not self._is(i + 1, ".")
        if self._inside() == "path":
            return self._is(i - 1, "|")
        return self._inside() == "map" and self._is(i + 1, ":") and (self._is(i - 1, "{") or self._is(i - 1, ","))

    # -- words ---------------------------------------------------------------------------------

    def _word(self, i: int, token: Token) -> None:
        word = token.word
        if word in _WRITES:
            what = "LOAD CSV is not allowed here" if word in ("LOAD", "CSV") else f"{word} writes, and a query here only reads"
            self._refuse(token.at, f"{what}; a name that is spelt so goes between backticks")
        if word == "XOR":
            self._refuse(token.at, "XOR is not allowed here; write (a AND NOT b) OR (b AND NOT a)")
        if word == "NOT" and self._word_at(i - 1) == self._word_at(i - 2) == "NOT":
            self._refuse(token.at, "more than two NOT in a row; leave out those that change nothing")
        if word == "CASE":
            self._push("CASE", "case", token.at)
        elif word == "END":
            if self._inside() != "case":
                self._refuse(token.at, "END without CASE; a name that is spelt so goes between backticks")
            self.open.pop()
        elif word == "CALL":
            self._procedure(i, token)
        elif word == "UNION":
            self.known.clear()
        elif self._word_at(i - 1) in ("AS", "YIELD"):
            self.known.add(token.text)
        if not (word == "WITH" and self._word_at(i - 1) in ("STARTS", "ENDS")):
            self._tally(word, token.at)

    def _tally(self, word: str, at: int) -> None:
        if word in MOST:
            self.counts[word] = self.counts.get(word, 0) + 1
            if self.counts[word] > MOST[word]:
                self._refuse(at, f"at most {MOST[word]} times {word} in one query; ask in several")

    def _procedure(self, i: int, token: Token) -> None:
        if self._is(i + 1, "{"):
            return
        name, after = self._dotted(i + 1)
        if not name or not self._is(after, "("):
            self._refuse(token.at, "after CALL comes a procedure with its arguments in brackets, such as CALL db.labels() YIELD label")
        self._asked(token.at, procedures.procedure, name, after)

    def _dotted(self, i: int) -> tuple[str, int]:
        """The name made of words and dots that begins at token `i`, and the token after it."""
        parts: list[str] = []
        while i < len(self.found) and self.found[i].kind == "word":
            parts.append(self.found[i].text)
            i += 1
            if not self._is(i, "."):
                break
            i += 1
        return ".".join(parts), i

    def _asked(self, at: int, ask: Any, name: str, bracket: int) -> Any:
        """What `procedures` says of a call whose bracket opens at that token; its sentence gets the place."""
        try:
            return ask(name, procedures.split(self.found[bracket + 1 : self._closing(bracket)]))
        except ToolError as error:
            raise ToolError(f"{place(self.text, at)}: {error}") from None

    def _closing(self, bracket: int) -> int:
        depth = 0
        for i in range(bracket, len(self.found)):
            token = self.found[i]
            if token.kind == "sign" and token.text in "([{":
                depth += 1
            elif token.kind == "sign" and token.text in _CLOSES:
                depth -= 1
                if not depth:
                    return i
        self._refuse(self.found[bracket].at, f"this {self.found[bracket].text} is never closed")
        return 0

    # -- signs ---------------------------------------------------------------------------------

    def _sign(self, i: int, token: Token) -> None:
        if token.text in "([{":
            kind = self._kind(i, token)
            self._push(token.text, kind, token.at, 1 if kind == "path" else self._prefixes(i))
            self._step(token.at, kind == "path")
            if kind == "group":
                self._variable(i + 1)
        elif token.text in _CLOSES:
            if not self.open or self.open[-1].sign != _CLOSES[token.text]:
                self._refuse(token.at, f"this {token.text} closes nothing that is open")
            self.open.pop()
        elif token.text == ";":
            self._refuse(token.at, "only one statement at a time; ask for the second one after this")
        elif token.text == "*" and self._inside() == "path":
            self._length(i, token)
        elif token.text in "-+":
            self._signs(i, token)
        elif token.text == "," and not self.open and self._clause(i) == "MATCH":
            self._tally("MATCH", token.at)

    def _clause(self, i: int) -> str:
        return next((t.word for t in reversed(self.found[:i]) if t.word in _CLAUSES), "")

    def _prefixes(self, i: int) -> int:
        """How deep the parser goes for the bracket at token `i`: one, and one more for each NOT or sign before it."""
        n = 1
        while self._word_at(i - n) == "NOT" or self._is(i - n, "-") or self._is(i - n, "+"):
            n += 1
        return n

    def _push(self, sign: str, kind: str, at: int, weight: int = 1) -> None:
        self.open.append(_Open(sign, kind, at, weight))
        if sum(o.weight for o in self.open) > NESTING:
            self._refuse(at, f"brackets, CASE and NOT are nested deeper than {NESTING}; take parts out with WITH")

    def _kind(self, i: int, token: Token) -> str:
        if token.text == "[":
            return "path" if self._is(i - 1, "-") else "list"
        if token.text == "{":
            return "query" if self._word_at(i - 1) == "CALL" else "map"
        before = self.found[i - 1] if i else None
        if before is not None and before.kind == "name":
            self._refuse(before.at, "what is called is written without backticks")
        if before is None or before.kind != "word" or before.word in _KEYWORDS - {"ALL"}:
            return "group"
        return self._function(i)

    def _function(self, i: int) -> str:
        start = i - 1
        while self._is(start - 1, ".") and start >= 2 and self.found[start - 2].kind in ("word", "name"):
            start -= 2
        name = "".join(t.text for t in self.found[start:i])
        at = self.found[start].at
        if self._word_at(start - 1) == "CALL":
            return "call"
        self.numbers *= self._asked(at, procedures.function, name, i)
        if self.numbers > NUMBERS_ALTOGETHER:
            self._refuse(at, f"the ranges of a query may make {NUMBERS_ALTOGETHER} combinations together; take smaller ones")
        if name.lower() in procedures.AGGREGATES and any(o.kind in ("list", "path", "predicate") for o in self.open):
            self._refuse(at, f"{name}() may not stand inside [ ] or any(), all(), none(), single(): compute it in a WITH before")
        return "predicate" if name.lower() in procedures.PREDICATES else "call"

    def _signs(self, i: int, token: Token) -> None:
        run = next(n for n in range(1, i + 2) if not (self._is(i - n, "-") or self._is(i - n, "+")))
        if run > 2:
            self._refuse(token.at, "more than two signs in a row; leave out those that change nothing")
        self._step(token.at, run > 1)

    def _step(self, at: int, more: bool) -> None:
        self.steps += more
        if self.steps > STEPS:
            self._refuse(at, f"the patterns of a query may have {STEPS} relationships together; ask in several queries")

    def _variable(self, i: int) -> None:
        """What a bracket that belongs to no call begins with: perhaps the variable of a node, whose labels may be told once."""
        name = self.found[i].text if i < len(self.found) and self.found[i].kind in ("word", "name") else ""
        if self._is(i + 1, ":") and name in self.known:
            self._refuse(self.found[i].at, f"{name} stands for something already: write ({name}) without a label, or take another name")
        if name and any(self._is(i + 1, sign) for sign in (":", ")", "{")):
            self.known.add(name)

    def _length(self, i: int, token: Token) -> None:
        """A pattern of variable length: bounded above, and so are all of the query together."""
        end = next((n for n in range(i + 1, len(self.found)) if not (self.found[n].kind == "number" or self._is(n, ".."))), i + 1)
        parts = [t.text for t in self.found[i + 1 : end]]
        most = int(parts[-1]) if parts and parts[-1].isdigit() and len(parts[-1]) < 4 else None
        if most is None or len(parts) > 3 or parts.count("..") != min(1, len(parts) - 1) or not most <= procedures.HOPS:
            self._refuse(token.at, f"a path needs an upper bound of at most {procedures.HOPS} hops, written out: [*1..{procedures.HOPS}]")
        self.hops += most or 0
        if self.hops > HOPS_ALTOGETHER:
            self._refuse(token.at, f"the paths of a query may have {HOPS_ALTOGETHER} hops together; ask for shorter ones")
