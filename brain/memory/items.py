"""The nouns of a memory. Frozen and plain."""

from __future__ import annotations

from dataclasses import dataclass

TEAM, WORKS_ON, OWNS, ON_CALL, PERSON, NAME = "team", "works_on", "owns", "on_call", "person", "name"
SENTENCES = {
    TEAM: "you are in {}", WORKS_ON: "you work on {}", OWNS: "you answer for {}", ON_CALL: "you are on call for {}",
    PERSON: "you are {}", NAME: "you are called {}",
}  # fmt: skip
USES = {
    TEAM: "“my team”, “we” and “us”", WORKS_ON: "“my services”, “my repositories” and the like", OWNS: "“my services”, “what I own”",
    ON_CALL: "“my services” while it lasts, where you named none", PERSON: "“me” and “my pull requests”, where no login says who you are",
    NAME: "how you are addressed here",
}  # fmt: skip
ONE_OF_A_KIND = frozenset({TEAM, PERSON, NAME})


@dataclass(frozen=True)
class Fact:
    """Something the viewer said about themselves: `words` as they said it, in the turn of that id, at an instant. `key` is the
    thing it is about (empty for a name), `until` when it ends by its own words.
    """

    id: str
    kind: str
    key: str
    name: str
    words: str
    at: int
    turn: str
    until: int | None = None

    @property
    def sentence(self) -> str:
        """What it says, addressed to the viewer."""
        return SENTENCES[self.kind].format(self.name or self.key)


@dataclass(frozen=True)
class Call:
    """A tool call of a run: which tool, why, and the keys it touched."""

    tool: str
    why: str
    keys: tuple[str, ...]


@dataclass(frozen=True)
class Gave:
    """A run that a turn gave, by its arm."""

    run: str
    arm: str
    state: str
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True)
class Turn:
    """One question: as it was asked, as it was completed (empty when it stood alone), and the runs it gave."""

    id: str
    question: str
    completed: str
    at: int
    runs: tuple[Gave, ...] = ()


@dataclass(frozen=True)
class Forgotten:
    """What was forgotten: how many facts, turns and runs are gone, how many later turns lost what was completed from them, and
    whether the database has rewritten its files since.
    """

    facts: int = 0
    turns: int = 0
    runs: int = 0
    wiped: int = 0
    rewritten: bool = False
