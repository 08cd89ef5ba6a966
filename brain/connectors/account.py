"""One account, as a source tells of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from brain.connectors.identities import login_key
from brain.types import Origin


@dataclass(frozen=True)
class Account:
    """One account. `handle` is its id in the system, `login` the GitHub login it states, `emails` hashes of its
    addresses, `others` accounts of other systems it states, as (system, handle). `contact` is how to reach it in chat.
    `source`, `line` and `quote`: where it stands, for the evidence.
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
    contact: str = ""
    bot: bool = False
    access: str = ""
    aud: tuple[str, ...] = ()
    origin: Origin = field(default=Origin("?"), compare=False)

    @property
    def key(self) -> str:
        """The key of its node."""
        return account_key(self.system, self.handle)

    @property
    def logins(self) -> list[str]:
        """The GitHub logins it states."""
        stated = [self.login, *(handle for system, handle in self.others if system == "github")]
        return [login for login in stated if login_key(login) not in ("", "ghost")]


def account_key(system: str, handle: str) -> str:
    """The key of the account with this handle."""
    return f"account:{system}/{handle.strip().lower()}"


def plain_name(name: str) -> str:
    """A person's name as it is compared: lower case, single spaces."""
    return " ".join(name.lower().split())
