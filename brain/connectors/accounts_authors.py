"""People whom only git or GitHub tells of: the authors without a login who were taken for somebody with one, and those who
share a name. One document lists them, so that these joins have a line to rest on and can be decided about like any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from brain.connectors.account import Account
from brain.connectors.accounts_join import Link
from brain.connectors.accounts_rules import PEOPLE, author
from brain.connectors.accounts_search import claim_of, state_of
from brain.connectors.identities import Identities
from brain.types import ClaimRow, NodeRow, Origin, Row, TextRow

_TITLE = "Authors and logins that may be one person"


class Authors:
    """The joins that git made, under what people decided about them."""

    def __init__(self, identities: Identities, decided: Mapping[str, str]) -> None:
        self._identities, self._decided = identities, decided
        self._split: set[tuple[str, str, str]] = set()

    def apart(self, name: str, login: str) -> bool:
        """Whether a person decided that the author of that name is not the one with the login."""
        account, link = self._link(name, login, "handle")
        if not self._decided or not name or state_of(link, account, self._decided) != "rejected":
            return False
        self._split.add((name, login, "handle"))
        return True

    def _link(self, name: str, login: str, rule: str) -> tuple[Account, Link]:
        account = author(name)
        return account, Link(account.key, f"person:{login}", rule, 0)

    def claims(self) -> list[tuple[Account, ClaimRow]]:
        """What is to be said of them, each once. Ask before identities are joined any further."""
        joined = {(name, key.removeprefix("person:"), rule) for name, key, rule in self._identities.joined()}
        entries = [(entry, "approved") for entry in sorted(joined)] + [(entry, "rejected") for entry in sorted(self._split)]
        found: dict[str, tuple[Account, ClaimRow]] = {}
        for (name, login, rule), state in entries:
            account, link = self._link(name, login, rule)
            found.setdefault(link.ident, (account, claim_of(link, account, link.target, state)))
        return [entry for _, entry in sorted(found.items())]


def document(claims: Iterable[tuple[Account, ClaimRow]], label: str) -> Iterator[Row]:
    """The rows of the document, of the accounts in it, and of the claims, each resting on its line; all of that label."""
    claims = list(claims)
    if not claims:
        return
    lines = sorted({account.quote for account, _ in claims})
    yield NodeRow(PEOPLE, _TITLE, "identities", {"title": _TITLE, "kind": "people", "access": label}, Origin(PEOPLE))
    yield TextRow(PEOPLE, "body", _TITLE, "\n".join(lines), 0, access=label, origin=Origin(PEOPLE, 1))
    for account, claim in claims:
        props = {"system": account.system, "handle": account.handle, "names": [account.names[0]], "access": label}
        yield NodeRow(account.key, account.names[0], "identities", props, Origin(PEOPLE))
        line = lines.index(account.quote) + 1
        yield replace(claim, line=line, origin=Origin(PEOPLE, line), access=label)
