"""What all sources of a company know together before any record becomes a row: which thing a name means,
and which person stands behind an account. Nothing in it depends on the order of the sources.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from brain import schema
from brain.connectors.accounts import Account, Accounts
from brain.connectors.identities import Identities, is_full_name


def plain(name: str) -> str:
    """A name as it is compared: lower case, hyphens, underscores and runs of space as one space."""
    return re.sub(r"[\s_-]+", " ", name.strip().lower())


class Company:
    """Names and accounts of everything that is loaded. Connectors tell it what they hold (`known`), then it settles,
    then their rows ask it.
    """

    def __init__(self, identities: Identities, decided: Mapping[str, str] | None = None) -> None:
        self._keys: dict[str, set[str]] = defaultdict(set)
        self._weak: dict[str, set[str]] = defaultdict(set)
        self._declared: set[str] = set()
        self._listed: set[str] = set()
        self.accounts = Accounts(identities, decided or {})
        self.facts: dict[str, dict[str, object]] = defaultdict(dict)

    # -- telling -----------------------------------------------------------------------------

    def thing(self, key: str, *names: str, declared: bool = True) -> None:
        """Notes that `key` exists (`declared`: some source describes it, rather than only naming it) and by which names."""
        if declared:
            self._declared.add(key)
        for name in (key.partition(":")[2], *names):
            if name and name.strip():
                self._keys[plain(name)].add(key)

    def listed(self, key: str, *names: str) -> None:
        """Notes that a list kept by hand describes `key`: where a source of record calls something else so, that is meant."""
        self._listed.add(key)
        self.thing(key, *names, declared=False)

    def alias(self, key: str, *names: str) -> None:
        """Names that mean `key` only where nothing is called so."""
        for name in names:
            if name and name.strip():
                self._weak[plain(name)].add(key)

    def account(self, account: Account) -> None:
        """Notes an account or list entry under which a person appears."""
        self.accounts.add(account)

    def login(self, login: str) -> None:
        """Notes that a GitHub login is named, as an owner of files for instance."""
        self.accounts.login(login)

    def settle(self) -> None:
        """Decides who is who. Call once, after every source has told. People are found by their full names; by login or
        handle, and those whom only an account tells of, where nothing else is called so.
        """
        self.accounts.settle()
        for key, names in self.accounts.everybody():
            firm = self.accounts.established(key)
            for name in names:
                table = self._keys if firm and is_full_name(name) and " " in name.strip() else self._weak
                table[plain(name)].add(key)
            self._declared |= {key} if self.accounts.known(key) else set()

    # -- asking ------------------------------------------------------------------------------

    def declared(self, key: str) -> bool:
        """Does a source describe this thing?"""
        return key in self._declared or key in self._listed

    def recorded(self, key: str) -> bool:
        """Does a source of record describe this thing, rather than a list kept by hand?"""
        return key in self._declared

    def all(self, name: str, *labels: str) -> list[str]:
        """Every key that the name may mean, of these labels (none: any), described ones before others, then by key."""
        for table in (self._keys, self._weak):
            found = [k for k in table.get(plain(name), ()) if not labels or schema.label_of(k) in labels]
            if found:
                return sorted(found, key=lambda k: (k not in self._declared, k not in self._listed, k))
        return []

    def _best(self, found: list[str]) -> list[str]:
        """Those that a source of record describes, else those that a list does, else all."""
        return next((kept for told in (self._declared, self._listed) if (kept := [k for k in found if k in told])), found)

    def find(self, name: str, *labels: str) -> str | None:
        """The one key that the name means among these labels, in the order of the labels where several fit; None when
        nothing or more than one of the first fitting label is called so.
        """
        for label in labels or tuple(schema.NODES):
            found = self.all(name, label)
            told = self._best(found)
            if told:
                return told[0] if len(told) == 1 else None
        return None

    def person(self, system: str, handle: str) -> str | None:
        """The key of the person behind an account (`system` such as slack, catalogue, roster, tickets); None when nobody
        appears under it.
        """
        return self.accounts.person(system, handle)

    def person_named(self, name: str) -> str | None:
        """The one person who goes by this full name, login or handle anywhere; None for nobody or several."""
        return self.accounts.named(name)

    def names_in(self, text: str, labels: Iterable[str], longest: int = 4) -> list[tuple[str, int, int]]:
        """(key, start, end) of every thing of these labels that the text names by a declared name, longest first."""
        wanted, found = tuple(labels), []
        words = list(re.finditer(r"[\w][\w./-]*[\w]|\w", text))
        i = 0
        while i < len(words):
            for size in range(min(longest, len(words) - i), 0, -1):
                raw = text[words[i].start() : words[i + size - 1].end()]
                keys = self._best([k for k in self._keys.get(plain(raw), ()) if schema.label_of(k) in wanted])
                if len(keys) == 1:
                    found.append((keys[0], words[i].start(), words[i + size - 1].end()))
                    i += size - 1
                    break
            i += 1
        return found
