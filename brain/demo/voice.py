"""How the people of the scripts appear to git and GitHub: login, name and address behind a short name."""

from __future__ import annotations

import re
from dataclasses import dataclass

from brain.demo.company import Company

WEB = "noreply@github.com"


@dataclass(frozen=True)
class Signature:
    """A name and an address as a commit carries them; `who` is "" where GitHub cannot tell whose they are."""

    name: str
    mail: str
    who: str = ""


class Voice:
    """The people of one company."""

    def __init__(self, company: Company) -> None:
        self.company, self.people = company, company.people

    def login(self, who: str) -> str | None:
        """The login of a short name; None for a deleted user."""
        return None if who == "ghost" else self.people[who].login

    def said(self, text: str) -> str:
        """A text with each `@short` name replaced by the login."""
        return re.sub(r"(?<![\w@])@(\w+)\b(?!/)", lambda m: f"@{self.login(m[1])}" if m[1] in self.people else m[0], text)

    def signature(self, who: str) -> Signature:
        """What somebody's commits on GitHub carry; "web" is GitHub itself."""
        if who == "web":
            return Signature("GitHub", WEB)
        one = self.people[who]
        return Signature(one.name, f"{one.id}+{one.login}@{self.company.mail}", who)

    def at_home(self, who: str) -> Signature:
        """What somebody's own machine writes: the address GitHub gave, or one it has never heard of."""
        one = self.people[who]
        return Signature(*one.own_machine) if one.own_machine else self.signature(who)

    def message(self, text: str) -> str:
        """`{who}` becomes name and address, `{who/}` the login and a slash: trailers and merge subjects."""

        def person(match: re.Match[str]) -> str:
            if match[1] not in self.people:
                return match[0]
            if match[2]:
                return f"{self.login(match[1])}/".replace("[bot]", "")
            signed = self.signature(match[1])
            return f"{signed.name} <{signed.mail}>"

        return self.said(re.sub(r"\{(\w+)(/?)\}", person, text))
