"""What a wording names, each said in the several ways in which people say it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random


class Slot:
    """Something a wording names."""

    def say(self, rng: Random) -> str:
        """One way of naming it."""
        raise NotImplementedError


def _own(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"


@dataclass(frozen=True)
class Plain(Slot):
    """A word that is said in one way."""

    text: str

    def say(self, rng: Random) -> str:
        """The word."""
        return self.text


@dataclass(frozen=True)
class Numbered(Slot):
    """An issue or a pull request."""

    kind: str
    repo: str
    number: int

    def say(self, rng: Random) -> str:
        """By short or full name of the repository, in the middle of a sentence."""
        short = self.repo.split("/")[1]
        word, path = ("issue", "issues") if self.kind == "issue" else ("pull request", "pull")
        ways = [f"{short} {word} {self.number}", f"{word} #{self.number} in {self.repo}", f"{self.repo}#{self.number}",
                f"{word} {self.number} of {short}", f"https://github.com/{self.repo}/{path}/{self.number}", f"{word} {short}#{self.number}"]
        if self.kind == "pr":
            ways += [f"{short} PR {self.number}", f"PR #{self.number} in {short}", f"{self.repo} PR #{self.number}"]
        return rng.choice(ways)


@dataclass(frozen=True)
class Repository(Slot):
    """A repository."""

    name: str

    def say(self, rng: Random) -> str:
        """Its short name twice as often as the full one."""
        short = self.name.split("/")[1]
        return rng.choice([short, short, self.name])


@dataclass(frozen=True)
class Person(Slot):
    """A person by login."""

    login: str

    def say(self, rng: Random) -> str:
        """The login, at times with the sign in front."""
        return rng.choice([self.login, self.login, "@" + self.login])


@dataclass(frozen=True)
class FileIn(Slot):
    """A file of a repository."""

    repo: str
    path: str

    def say(self, rng: Random) -> str:
        """The path with its repository, with and without a slash, quoted or not."""
        short = self.repo.split("/")[1]
        return rng.choice([f"{self.path} in {short}", f"`{self.path}` ({self.repo})", f"{_own(short)} {self.path}",
                           f"/{self.path} in {self.repo}", f"{self.path} of the {short} repository"])


@dataclass(frozen=True)
class FolderIn(Slot):
    """A folder of a repository."""

    repo: str
    path: str

    def say(self, rng: Random) -> str:
        """The path with its repository, with and without slashes."""
        short = self.repo.split("/")[1]
        return rng.choice([f"{self.path}/ in {short}", f"/{self.path} of {self.repo}", f"the {self.path} folder of {short}",
                           f"{self.path} in the {short} repo", f"`{self.path}/` ({self.repo})"])


@dataclass(frozen=True)
class Day(Slot):
    """A day, by the instant at which it begins in UTC."""

    at: int

    def say(self, rng: Random) -> str:
        """The day with the month by name or as digits, year first."""
        day = datetime.fromtimestamp(self.at, UTC)
        return rng.choice([f"{day.day} {day:%B %Y}", f"{day:%Y-%m-%d}", f"{day:%B} {day.day}, {day.year}", f"{day.day} {day:%b %Y}"])


@dataclass(frozen=True)
class Tag(Slot):
    """A release, by repository and tag."""

    repo: str
    tag: str

    def say(self, rng: Random) -> str:
        """The tag with its repository."""
        short = self.repo.split("/")[1]
        return rng.choice([f"{self.tag} in {short}", f"{short} {self.tag}", f"{self.tag} ({self.repo})", f"tag {self.tag} of {short}"])


@dataclass(frozen=True)
class Sha(Slot):
    """A commit, by repository and id."""

    repo: str
    sha: str

    def say(self, rng: Random) -> str:
        """The abbreviated or the whole id with its repository."""
        short = self.repo.split("/")[1]
        sha = self.sha
        return rng.choice([f"{sha[:10]} in {short}", f"{short}@{sha[:8]}", f"{sha} ({self.repo})", f"{sha[:12]} of {short}"])
