"""What a model's answer says: its state, its sentences with what each cites, and the items after ANSWER. Read from plain text, however
it is decorated, or from JSON; nothing in it is believed yet.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from brain.types import State

STATES: tuple[State, ...] = ("answered", "insufficient", "premise_corrected")
MOST_CLAIMS, MOST_CITES, MOST_ITEMS, LONGEST = 40, 40, 200, 1200
_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.S | re.I)
_FENCE = re.compile(r"^\s*```[\w-]*\s*$", re.M)
_BULLET = re.compile(r"^\s*(?:[-*+\u2022\u2013\u2014]|\(?\d{1,2}[.)])\s+")
_HEADING = re.compile(r"^\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$|(?:claims|statements|sentences|evidence|findings|sources)\s*:?\s*$)", re.I)
_STATE = re.compile(r"^[\W_]*state[\W_]*[:=]\W*(?P<state>[a-z_ -]+?)\W*$", re.I)
_ANSWER = re.compile(r"^[\W_]*(?:final )?answer[\s*_`]*[:=]\s*(?P<items>.*)$", re.I)
_CITED = re.compile(
    r"(?!(?<=\w)\[bot\])[\[\u3010\uff3b\u3014]"
    r"(?P<keys>[^\[\]\u3010\u3011\uff3b\uff3d\u3014\u3015]{1,2000})[\]\u3011\uff3d\u3015](?!\()"
)
_LINK = re.compile(r"\[(?P<text>[^\[\]]{1,300})\]\((?P<to>[^()\s]{1,300})\)")
_STRAIGHT = re.compile(r'(?<![\w"])"(?=\S)(?P<words>[^"\n]{2,400}?)(?<=\S)"(?![\w"])')
_TORN_STATE = re.compile(r'"state"\s*:\s*"(?P<state>[a-z_ ]+)"', re.I)
_NOTHING = frozenset({"", "none", "n/a", "unknown", "null", "-", "nothing", "not found", "no answer"})


@dataclass(frozen=True)
class Sentence:
    """One sentence of an answer, and what it cites, as written."""

    text: str
    cites: tuple[str, ...] = ()


@dataclass(frozen=True)
class Said:
    """An answer, read. `state` is None where it names none."""

    state: State | None = None
    sentences: tuple[Sentence, ...] = ()
    items: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.sentences or self.items or self.state)


def read(text: str) -> Said:
    """The answer in a model's text. Empty for an empty one."""
    plain = _FENCE.sub("", _THOUGHT.sub("", text)).strip()
    if (found := _json(plain)) is not None:
        return _of_json(found)
    if plain.startswith("{") and '"claims"' in plain:
        return _torn(plain)
    state: State | None = None
    sentences: list[Sentence] = []
    items: tuple[str, ...] = ()
    for line in plain.splitlines():
        flat = unicodedata.normalize("NFKC", line).strip()
        if named := _STATE.match(flat):
            state = _state(named["state"]) or state
        elif answer := _ANSWER.match(flat):
            items = tuple(split(answer["items"]))
        elif flat and not _HEADING.match(flat):
            sentences += _sentences(_BULLET.sub("", line).strip())
    return Said(state, tuple(dict.fromkeys(sentences))[:MOST_CLAIMS], items)


def split(items: str) -> list[str]:
    """The items of an ANSWER line: between semicolons where there are any, else between commas."""
    plain = items.strip().strip("*_`").strip()
    parts = re.split(r"\s*;\s*|\s*\|\s*", plain) if ";" in plain else re.split(r",\s+|,(?=\w+:)", plain)
    return [p for part in parts if (p := _item(part)).casefold() not in _NOTHING][:MOST_ITEMS]


def _item(text: str) -> str:
    cited = _CITED.fullmatch(text.strip().strip("*_`.").strip())
    return (cited["keys"] if cited else text).strip().strip("`*\"'").rstrip(".").strip()


def _sentences(line: str) -> Iterator[Sentence]:
    """The sentence of a line with what it cites in brackets; a line of several sentences that each cite something is several."""
    line = _LINK.sub(lambda m: f"{m['text']} [{m['to']}]" if ":" in m["to"] and "://" not in m["to"] else f"[{m['text']}]", line)
    pieces, at = [], 0
    for match in re.finditer(r"\][.!?]?\s+(?=[A-Z“\"])", line):
        pieces.append(line[at : match.end()])
        at = match.end()
    for piece in [*pieces, line[at:]]:
        cites = tuple(dict.fromkeys(part for m in _CITED.finditer(piece) for part in _keys(m["keys"])))
        words = _quoted(re.sub(r"\s+([.,;:!?])", r"\1", re.sub(r"\s{2,}", " ", _CITED.sub("", piece))).strip())
        words = words.replace("**", "").strip("` ").strip()
        if re.search(r"\w", words):
            yield Sentence(words[:LONGEST], cites[:MOST_CITES])


def _keys(inside: str) -> list[str]:
    """The keys between one pair of brackets: separated by commas or semicolons, or by gaps where each is a key."""
    parts = [p.strip() for p in re.split(r"[;,\uff0c\uff1b\u3001]\s*", inside) if p.strip()]
    out: list[str] = []
    for part in parts:
        words = part.split()
        out += words if len(words) > 1 and all(re.match(r"[a-z]+:\S", w) for w in words) else [part]
    return out


def _quoted(text: str) -> str:
    """Straight quotation marks as curly ones, so that what is quoted is looked for in the stored text."""
    return _STRAIGHT.sub(lambda m: f"“{m['words']}”", text)


def _state(text: str) -> State | None:
    plain = re.sub(r"[\s-]+", "_", text.strip().lower())
    return next((s for s in STATES if plain == s or plain.startswith(s)), None)


def _json(text: str) -> Mapping[str, Any] | None:
    if not text.startswith("{"):
        return None
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return found if isinstance(found, dict) else None


def _torn(text: str) -> Said:
    """What is whole of an object that was cut off: its state, and the claims before the cut."""
    decoder, claims, at = json.JSONDecoder(), list[Any](), text.find("[")
    while at >= 0 and len(claims) < MOST_CLAIMS and (begin := text.find("{", at)) >= 0:
        try:
            found, at = decoder.raw_decode(text, begin)
        except (ValueError, RecursionError):
            break
        claims.append(found)
    state = _TORN_STATE.search(text)
    return _of_json({"state": state["state"] if state else "", "claims": claims}) if claims else Said()


def _of_json(found: Mapping[str, Any]) -> Said:
    """An answer written as an object: claims (or statements) with text and cites, items (or answer), state."""
    claims: list[Any] = next((found[k] for k in ("claims", "statements", "sentences") if isinstance(found.get(k), list)), [])
    sentences = list[Sentence]()
    for claim in claims:
        if isinstance(claim, Mapping):
            cites = claim.get("cites") or claim.get("citations") or claim.get("sources") or []
            named = [str(c) for c in cites] if isinstance(cites, list) else _keys(str(cites))
            for sentence in _sentences(str(claim.get("text") or claim.get("claim") or "")):
                sentences.append(Sentence(sentence.text, tuple(dict.fromkeys([*sentence.cites, *named]))[:MOST_CITES]))
        else:
            sentences += _sentences(str(claim))
    said: Any = next((found[k] for k in ("items", "answer", "ANSWER") if found.get(k) is not None), [])
    items = [_item(str(i)) for i in said if not isinstance(i, list | dict)] if isinstance(said, list) else split(str(said))
    if not sentences and isinstance(found.get("text"), str):
        sentences = [s for line in str(found["text"]).splitlines() for s in _sentences(line)]
    return Said(_state(str(found.get("state") or "")), tuple(dict.fromkeys(sentences))[:MOST_CLAIMS], tuple(items[:MOST_ITEMS]))
