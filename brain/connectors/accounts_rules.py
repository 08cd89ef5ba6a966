"""The rules by which an account is somebody's, and who else goes by the same name. A rule names what was stated;
a name alone proves nothing, unless it is all that an account has and the company's list of people knows it once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from brain.connectors.account import Account, account_key, plain_name
from brain.connectors.accounts_join import Joins, Link
from brain.connectors.identities import Identities, is_full_name, login_key, slug

PEOPLE = "doc:identities"
LISTS = ("roster", "catalogue")
CHAT = ("slack",)
_MADE = {"account:git", "account:github"}


def written(account: Account) -> str:
    """The full name that is all there is of an account in a system of work, such as the assignee of a ticket; "" where
    there is more, or none.
    """
    names = {name for name in (*account.names, account.handle) if is_full_name(name) and " " in name.strip()}
    bare = account.system not in (*LISTS, *CHAT) and not (account.logins or account.emails or account.others or account.bot)
    return names.pop() if bare and len(names) == 1 else ""


def author(name: str, handle: str = "") -> Account:
    """The account that somebody without a login has as an author in git."""
    quote = f"{name}: author in git without login"
    return Account("git", handle or slug(name) or name, (name,), source=PEOPLE, quote=quote, access="open")


class Rules:
    """The links between tellings of accounts and the people of git and GitHub. `told` is in order; the last ones,
    of system `git`, are made here for people whom only git or GitHub tells of.
    """

    def __init__(self, told: Sequence[Account], identities: Identities) -> None:
        self.told, self._identities = list(told), identities
        self._tellings: defaultdict[str, list[int]] = defaultdict(list)
        for n, account in enumerate(told):
            self._tellings[account.key].append(n)
        self._made: dict[tuple[str, str], int] = {}
        self._called, self._listed = self._chat_handles(), self._directory()

    def _chat_handles(self) -> dict[tuple[str, str], set[str]]:
        """(system, handle in chat) -> the accounts that go by it; their keys are ids."""
        found: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        for account in self.told:
            for name in account.names if account.system in CHAT else ():
                if " " not in name.strip():
                    found[account.system, name.strip().lower()].add(account.key)
        return found

    def _directory(self) -> dict[str, list[Account]]:
        """Handle -> the entries of lists of people that state it as a login, or are called so in the catalogue."""
        found: defaultdict[str, list[Account]] = defaultdict(list)
        for account in self.told:
            if account.system in LISTS:
                for handle in {*account.logins, *([account.handle] if account.system == "catalogue" else ())}:
                    found[handle].append(account)
        return found

    def stated(self) -> Iterator[Link]:
        """An account is the login's that it states."""
        for n, account in enumerate(self.told):
            for login in account.logins:
                yield Link(account.key, self._identities.key(login) or f"person:{login_key(login)}", "login", n)

    def crossed(self) -> Iterator[Link]:
        """Two accounts are one person's when one states the other."""
        for n, account in enumerate(self.told):
            for system, handle in account.others:
                other = account_key(system, handle)
                called = self._called.get((system, handle.strip().lower()), set())
                if other not in self._tellings and len(called) == 1:
                    other = next(iter(called))
                if other in self._tellings and other != account.key:
                    yield Link(other, account.key, f"stated by {account.system}", n)

    def addresses(self) -> Iterator[Link]:
        """An e-mail address that one person has, and that no two accounts of a system share."""
        by_address: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for n, account in enumerate(self.told):
            for address in account.emails:
                by_address[address].setdefault(account.key, n)
        for address, accounts in by_address.items():
            systems = [key.partition("/")[0] for key in accounts]
            if len(systems) > len(set(systems)):
                continue
            person, hub = self._identities.by_address(address), min(accounts)
            for key, n in accounts.items():
                if person is not None or key != hub:
                    yield Link(key, person or hub, "e-mail", n)

    def handles(self, joins: Joins) -> Iterator[Link]:
        """A handle spelled exactly as a login, or as the company's lists of people spell one, where no name speaks against
        it. Handles in chat are chosen freely.
        """
        for n, account in enumerate(self.told):
            if account.system in CHAT or joins.logins(account.key):
                continue
            handle = account.handle.strip()
            person = self._identities.spelled(handle)
            if person:
                if not self._identities.is_bot(person) and self._no_other_name(account, self._identities.all_names(person)):
                    yield Link(account.key, person, "handle", n)
            elif account.system not in LISTS and (entries := self._listed.get(handle)):
                names = [name for entry in entries for name in entry.names]
                if len({joins.root(entry.key) for entry in entries}) == 1 and self._no_other_name(account, names):
                    yield Link(account.key, min(entry.key for entry in entries), "handle", n)

    def _no_other_name(self, account: Account, names: Sequence[str]) -> bool:
        known = {slug(word) for name in names for word in name.split() if is_full_name(name)}
        own = {slug(word) for name in account.names for word in name.split() if is_full_name(name)}
        return not known or not own or bool(known & own)

    def listed(self, joins: Joins) -> Iterator[Link]:
        """Where a full name is all there is of an account, it is the person whom a list of people knows by it, if nobody
        else goes by it: a name in a ticket tells of no other person than the list does.
        """
        known, rows = self.by_name(joins), dict[str, set[str]]()
        for account in self.told:
            for name in map(plain_name, account.names if account.system in LISTS else ()):
                rows.setdefault(name, set()).add(account.key)
        for n, account in enumerate(self.told):
            name = plain_name(written(account))
            if name and len(known.get(name, ())) == 1 and rows.get(name) and not joins.logins(account.key):
                yield Link(account.key, min(rows[name]), "listed name", n)

    def by_name(self, joins: Joins) -> dict[str, set[str]]:
        """Full name -> the sets of those who go by it; machines, and accounts that are a name only, left out."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for account in self.told:
            for name in () if account.bot or written(account) else account.names:
                if is_full_name(name):
                    found[plain_name(name)].add(joins.root(account.key))
        for person in self._identities.keys():  # noqa: SIM118
            for name in () if self._identities.is_bot(person) else self._identities.all_names(person):
                if is_full_name(name):
                    found[plain_name(name)].add(joins.root(person))
        return found

    def namesakes(self, joins: Joins) -> Iterator[list[Link]]:
        """For each two who go by one name, and nobody else: every link that would say that they are one, the best first.
        Two entries of one system are two people.
        """
        by_name = self.by_name(joins)
        pairs = {(name, frozenset(roots)) for name, roots in by_name.items() if len(roots) == 2}
        for account in filter(written, self.told):
            name, root = plain_name(written(account)), joins.root(account.key)
            if by_name.get(name, {root}) != {root} and len(by_name[name]) == 1:
                pairs.add((name, frozenset({root, *by_name[name]})))
        members = joins.sets()
        for name, roots in sorted(pairs, key=lambda pair: (pair[0], sorted(pair[1]))):
            one, other = sorted(roots, key=lambda root: (bool(joins.logins(root)), root))
            systems = [{v.partition("/")[0] for v in members[root] if v.startswith("account:")} - _MADE for root in (one, other)]
            if not systems[0] & systems[1]:
                yield [*self._between(name, members[one], members[other]), *self._between(name, members[other], members[one])]

    def crowded(self, joins: Joins) -> set[int]:
        """The tellings of accounts that belong to nobody with a login and whose name several others have."""
        by_name = self.by_name(joins)
        return {
            n
            for n, account in enumerate(self.told)
            if not account.bot and not joins.logins(account.key)
            and any(len(by_name.get(plain_name(name), set()) - {joins.root(account.key)}) > 1 for name in account.names)
        }  # fmt: skip

    def _between(self, name: str, one: Sequence[str], other: Sequence[str]) -> Iterator[Link]:
        order = sorted(other, key=lambda v: (v.startswith("account:"), not self._identities.has_login(v), v))
        tellings = [n for v in one for n in self._tellings.get(v, ()) if name in map(plain_name, self.told[n].names)]
        sources = sorted(n for n in tellings if self.told[n].source)
        sources += [self._make(v, name) for v in one if v.startswith("person:") and name in map(plain_name, self._identities.all_names(v))]
        for n in sources:
            for target in order:
                yield Link(self.told[n].key, target, "name", n)

    def _make(self, person: str, name: str) -> int:
        if (person, name) not in self._made:
            spelled = next(n for n in self._identities.all_names(person) if plain_name(n) == name)
            handle = person.removeprefix("person:")
            account = author(spelled, handle)
            if self._identities.has_login(person):
                account = replace(account, system="github", quote=f"{spelled}: login {handle}")
            self._made[person, name] = len(self.told)
            self.told.append(account)
        return self._made[person, name]

    def made(self) -> list[Link]:
        """That the accounts made here are their persons'."""
        return sorted(Link(self.told[n].key, person, self.told[n].system, n) for (person, _), n in self._made.items())
