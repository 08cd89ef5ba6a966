"""Who a passage says it of, and whose words it holds: what a model says of a person is held against the passages that it cites."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from brain.agents.model_passages import LONG, Passages, somebody
from brain.agents.model_verbs import NEGATED
from brain.text.analysis import terms
from brain.types import Step

_QUOTED = re.compile(r"“([^”]*)”")
_SAYING = re.compile(
    r"\b(?:asks?|asked|says?|said|wrote|writes|replied|answered|argued|noted|warned|objected|announced|posted|suggested|complained)\b", re.I
)


class Told:
    """The passages that some steps returned, with whose words they are. `names` are what people are called, by key."""

    def __init__(self, steps: Sequence[Step], names: Mapping[str, Iterable[str]]) -> None:
        self._rows = [row for step in steps for row in step.rows if isinstance(row.get("text"), str)]
        self._called: dict[str, set[str]] = {}
        for key, called in names.items():
            if key.startswith("person:"):
                forms = {key, key.partition(":")[2], *called}
                for form in forms:
                    self._called.setdefault(form, set()).update(forms)

    def fault(self, sentence: str, cites: Sequence[str], names: Sequence[str] = (), known: Container[str] = ()) -> str:
        """Whom else the passages that are cited say it of, or what they say is not so; empty where nothing speaks against the sentence.
        `names` are the things that it names, `known` is how things may be called.
        """
        plain = _QUOTED.sub(" ", sentence)
        rows = [row for row in self._rows if row.get("src") in cites or row.get("key") in cites]
        logins = {a for row in rows if (a := str(row.get("author") or "")) and re.search(rf"(?<![\w-]){re.escape(a)}(?![\w-])", plain)}
        people = list(dict.fromkeys([*_people(plain), *sorted(logins)]))
        passages = Passages(row["text"] for row in rows)
        if denied := passages.denies(plain):
            return f"what it cites says “{denied}”"
        if other := passages.done_by(plain, [*names, *people], known):
            return f"what it cites says this of {other}"
        if len({*names, *people}) == 1 and names and passages.elsewhere(names[0], plain):
            return f"what it cites says this of something else than {names[0]}"
        return self._by_another(sentence, people, rows) or self._of_another(sentence, people, rows)

    def between(self, x: str, y: str, verb: str, cites: Sequence[str]) -> str:
        """Do the passages that are cited speak against it that x does this to y?"""
        passages = Passages(row["text"] for row in self._rows if row.get("src") in cites or row.get("key") in cites)
        return f"what it cites does not say “{verb}” of {x} and {y}" if passages.speaks_against(x, y, verb) else ""

    def _of_another(self, sentence: str, people: Iterable[str], rows: Sequence[Mapping[str, Any]]) -> str:
        passages = Passages(row["text"] for row in rows if len(row["text"]) >= LONG)
        for name in people:
            if any(name in part and NEGATED.search(part) for part in sentence.split(";")):
                continue
            absent = bool(rows) and not any(name.split(" ")[0] in str(v) for row in rows for v in row.values())
            if other := passages.of_another(name, _QUOTED.sub(" ", sentence), absent):
                return f"what it cites says this of {other}, and not of {name}"
        return ""

    def _by_another(self, sentence: str, people: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str:
        """The author of the words that the sentence puts into the mouth of somebody else."""
        if not people or not _SAYING.search(sentence):
            return ""
        quoted = [" ".join(m[1].split()) for m in _QUOTED.finditer(sentence)]
        spoken = [row for row in rows if any(q in " ".join(_body(row).split()) for q in quoted)] if quoted else rows
        authors = {str(row["author"]) for row in spoken if row.get("author")}
        forms = {form for author in authors for form in self._called.get(author, {author})}
        held = " ".join(str(row["text"]) for row in spoken)
        if len(authors) != 1 or any(form in sentence for form in forms) or any(name in held for name in people):
            return ""
        return f"these are the words of {next(iter(authors))}"


def _body(row: Mapping[str, Any]) -> str:
    return str(row["text"]).removeprefix(str(row.get("title") or ""))


def _people(text: str) -> Iterator[str]:
    """The names of several words in the text, without the word a sentence begins with."""
    for name in somebody(text):
        words = name.split(" ")
        while words and not terms(words[0]):
            words = words[1:]
        if len(words) > 1 or "#" in name:
            yield " ".join(words)
