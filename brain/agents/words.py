"""The words of `words.yaml`, compiled: what the engine takes a phrase to mean. Read once, on first use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from brain.errors import DefinitionError

FILE = Path(__file__).parent / "words.yaml"
SECTIONS = ("aspects", "nouns", "states", "groups", "special", "flags", "turns", "company")
NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}


@dataclass(frozen=True)
class Words:
    """Compiled phrases by section and name; `noun` finds any kind of thing, its group naming the kind."""

    aspects: Mapping[str, re.Pattern[str]]
    nouns: Mapping[str, re.Pattern[str]]
    states: Mapping[str, re.Pattern[str]]
    groups: Mapping[str, re.Pattern[str]]
    special: Mapping[str, re.Pattern[str]]
    flags: Mapping[str, re.Pattern[str]]
    turns: Mapping[str, re.Pattern[str]]
    company: Mapping[str, re.Pattern[str]]
    noun: re.Pattern[str]

    def found(self, section: str, text: str) -> list[str]:
        """The names of a section's phrases that stand in the text, in the order of the file."""
        return [name for name, pattern in getattr(self, section).items() if pattern.search(text)]


def read(file: Path = FILE) -> Words:
    """The words of a file; DefinitionError with file, section and name for what is no list of expressions."""
    try:
        data = yaml.safe_load(file.read_text("utf-8"))
    except yaml.YAMLError as err:
        raise DefinitionError(f"{file.name}: {' '.join(str(err).split())}") from err
    if not isinstance(data, dict) or set(data) != set(SECTIONS) or not all(isinstance(part, dict) for part in data.values()):
        raise DefinitionError(f"{file.name}: the sections are {', '.join(SECTIONS)}, each with names and a list of phrases for each")
    compiled = {section: {name: _compiled(file, section, name, phrases) for name, phrases in data[section].items()} for section in SECTIONS}
    noun = "|".join(rf"(?P<{name}>\b(?:{'|'.join(phrases)})\b)" for name, phrases in data["nouns"].items())
    return Words(**compiled, noun=re.compile(noun, re.I))


def _compiled(file: Path, section: str, name: str, phrases: Any) -> re.Pattern[str]:
    where = f"{file.name}: {section}/{name}"
    if not isinstance(phrases, list) or not phrases or not all(isinstance(phrase, str) and phrase for phrase in phrases):
        raise DefinitionError(f"{where}: write a list of phrases, each in quotes")
    for phrase in phrases:
        try:
            grouped = re.compile(phrase).groups
        except re.error as err:
            raise DefinitionError(f"{where}: {phrase!r} is no regular expression: {err}") from err
        if grouped:
            raise DefinitionError(f"{where}: {phrase!r}: write (?:...) for (...)")
    front = r"\b" if section in ("aspects", "special", "company") else ""
    return re.compile(front + "(?:" + "|".join(phrases) + ")", re.I)


@cache
def words() -> Words:
    """The shipped words."""
    return read()
