"""Who stands behind an account: a Slack user, a catalogue user, a line of a roster, a name in a ticket. Explicit
rules join it to a person, each with the line it rests on; the same name alone is only a candidate. What a person
decided about a join counts before every rule, and undoing it leaves both sides as they would be without it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from brain.connectors.account import Account, account_key, plain_name
from brain.connectors.accounts_authors import Authors, document
from brain.connectors.accounts_join import Joins, Link
from brain.connectors.accounts_rules import CHAT, LISTS, Rules
from brain.connectors.accounts_search import Search, claim_of, state_of
from brain.connectors.identities import Identities, is_full_name, login_key, slug
from brain.connectors.identity_facts import within
from brain.types import ClaimRow, NodeRow, Row, Skip

__all__ = ["Account", "Accounts", "account_key"]

_TWO = "an account that is stated to be two people's; it joins neither until a person decides"
_LISTED = tuple(f"account:{system}/" for system in LISTS)
_CROWD = "a name that several people have, and nothing else to tell whose account it is"


class Accounts:
    """Collects accounts, then tells the person behind each. Tell all, `settle` once, then ask."""

    def __init__(self, identities: Identities, decided: Mapping[str, str]) -> None:
        self._identities, self._decided = identities, decided
        self._told: dict[Account, int] = {}
        self._rules = Rules((), identities)
        self._by_key: defaultdict[str, list[Account]] = defaultdict(list)
        self._person: dict[str, str] = {}
        self._of: defaultdict[str, list[Account]] = defaultdict(list)
        self._named: defaultdict[str, set[str]] = defaultdict(set)
        self._said: defaultdict[int, list[tuple[str, Link, str]]] = defaultdict(list)
        self._joined: set[str] = set()
        self._authors = Authors(identities, decided)
        self._authored: list[tuple[Account, ClaimRow]] = []
        self._address: defaultdict[str, set[str]] = defaultdict(set)
        self._crowd: set[int] = set()

    # -- telling -----------------------------------------------------------------------------

    def add(self, account: Account) -> None:
        """Notes an account; told again somewhere else it is the same one. Its login is somebody's from now on."""
        if account not in self._told:
            self._told[account] = -1
            for login in account.logins:
                if state_of(Link(account.key, f"person:{login_key(login)}", "login", 0), account, self._decided) != "rejected":
                    self._identities.state(login, account.access or "open")

    def login(self, login: str) -> None:
        """Notes a login that somebody names, without an account to show for it."""
        self._identities.state(login)

    def apart(self, name: str, login: str) -> bool:
        """Whether a person decided that the author in git of that name is not the one with the login."""
        return self._authors.apart(name, login)

    def settle(self) -> None:
        """Decides who is who. Call once, after every source has told and identities have settled."""
        self._authored = self._authors.claims()
        told = sorted(self._told, key=lambda a: (a.key, a.source, a.line, str(a)))
        self._told = {account: n for n, account in enumerate(told)}
        for account in told:
            self._by_key[account.key].append(account)
        self._rules = rules = Rules(told, self._identities)
        joins, waiting = Search(rules, self._identities, self._decided).run()
        used = {link.told for link, _ in waiting} | {link.told for link in joins.accepted}
        joins.decided(link for link in rules.made() if link.told in used)
        for account in told:
            joins.root(account.key)
        self._name(joins, self._keys(joins), waiting)

    def _name(self, joins: Joins, keys: dict[str, str], waiting: list[tuple[Link, str]]) -> None:
        """Keeps what was found: the person behind each account, and which telling says what; the same link told many
        times is said once.
        """
        said: dict[str, tuple[str, Link, str]] = {}
        accepted = {link.ident for link in joins.accepted}
        for link, state in [*((link, "approved") for link in sorted(joins.accepted)), *waiting]:
            first = link.ident not in said or state_of(link, self._rules.told[link.told], self._decided)
            if first and (state == "approved" or link.ident not in accepted):
                said[link.ident] = (keys.get(joins.root(link.target), link.target), link, state)
        for _, entry in sorted(said.items()):
            self._said[entry[1].told].append(entry)
        self._joined = {link.src for link in joins.accepted}
        self._crowd = self._rules.crowded(joins)
        sets = [(keys[root], members) for root, members in joins.sets().items() if root in keys]
        self._identities.join({v: key for key, members in sets for v in members if v.startswith("person:")})
        for account in self._told:
            self._person[account.key] = key = keys[joins.root(account.key)]
            self._of[key].append(account)
        self._index()

    def _keys(self, joins: Joins) -> dict[str, str]:
        """What the person is called that each set is: a login, what git calls them, else a name of their accounts."""
        keys: dict[str, str] = {}
        taken, unnamed = set(self._identities.keys()), defaultdict[str, list[tuple[str, list[str]]]](list)
        for root, members in sorted(joins.sets().items()):
            people = sorted(v for v in members if v.startswith("person:"))
            if people:
                wide = self._identities.widest(people)
                keys[root] = min({*joins.logins(root)} & wide or wide)
            else:
                unnamed[self._base(members)].append((root, members))
        for base, roots in sorted(unnamed.items()):
            listed = [root for root, members in roots if any(m.startswith(_LISTED) for m in members)]
            for root, members in roots:  # of several of one name the one in the company's lists is called so
                key, n = f"person:{base}", 2
                if key in taken or (len(roots) > 1 and listed != [root]):
                    system, _, handle = members[0].removeprefix("account:").partition("/")
                    key = f"person:{base}-{slug(handle) if slug(handle) not in ('', base) else slug(system)}"
                while key in taken:
                    key, n = f"{key}-{n}", n + 1
                taken.add(key)
                keys[root] = key
        return keys

    def _base(self, members: list[str]) -> str:
        accounts = [a for key in members for a in self._by_key.get(key, ())]
        catalogued = [a.handle for a in accounts if a.system == "catalogue"]
        names = [name for a in accounts for name in a.names if is_full_name(name)]
        return slug((catalogued or names or [a.handle for a in accounts])[0]) or "unnamed"

    def _index(self) -> None:
        for key in self._identities.keys():  # noqa: SIM118
            for name in (key.partition(":")[2], *self._identities.all_names(key)):
                self._named[plain_name(name)].add(key)
        for key, accounts in self._of.items():
            for account in accounts:
                for name in (*account.names, account.handle, *account.logins):
                    self._named[plain_name(name)].add(key)
                for address in account.emails:
                    self._address[address].add(key)

    # -- asking ------------------------------------------------------------------------------

    def person(self, system: str, handle: str) -> str | None:
        """The key of the person behind the account; None when it is not known."""
        found = self._person.get(account_key(system, handle))
        return found or (self._identities.known(handle) if system == "github" else None)

    def by_address(self, address: str) -> str | None:
        """The key of the one person whose e-mail address has this hash; None for nobody or several."""
        found = {*self._address.get(address, ()), *filter(None, [self._identities.by_address(address)])}
        return next(iter(found)) if len(found) == 1 else None

    def addresses(self) -> dict[str, str]:
        """Hash of an e-mail address -> the one person's key, for the addresses that the company's lists of people and its chat
        state. Authors in git write whatever address they like, so what they write proves no login; it can only speak against one.
        """
        stated = {address for a in self._told if a.system in (*LISTS, *CHAT) for address in a.emails}
        return {address: key for address in sorted(stated) if (key := self.by_address(address))}

    def named(self, name: str) -> str | None:
        """The one person of that name, login or handle; None for nobody or several. Accounts that are nobody's count only
        where nobody whom git, GitHub or a list of people knows is called so.
        """
        found = self._named.get(plain_name(name.strip().removeprefix("@")), set())
        found = {key for key in found if self.established(key)} or found
        return next(iter(found)) if len(found) == 1 else None

    def established(self, key: str) -> bool:
        """Whether git, GitHub or a list of people tells of the person, rather than an account that could be anybody's."""
        listed = any(a.system in LISTS or a.logins for a in self._of.get(key, ()))
        return listed or self._identities.seen(key) or self._identities.has_login(key)

    def known(self, key: str) -> bool:
        """Whether anything but a mere mention tells of the person: git, GitHub, or an account."""
        return self._identities.seen(key) or key in self._of

    def only(self, key: str, account: Account) -> bool:
        """Whether nothing but this account tells of the person."""
        return not self._identities.seen(key) and {a.key for a in self._of.get(key, ())} == {account.key}

    def everybody(self) -> Iterator[tuple[str, list[str]]]:
        """Everyone who is no machine, with all names, by key."""
        for key in sorted({*self._identities.keys(), *self._of}):
            props = self.props(key)
            if not props["bot"]:
                yield key, [*props.get("names", ()), *filter(None, [props.get("login")])]

    def name(self, key: str, label: str = "") -> str:
        """The full name that a list of the company's people states, else the login as its owner spells it, else a name; with a
        label, as `props`.
        """
        accounts = self._telling(key, label)
        listed = [n for a in accounts if a.system in LISTS for n in a.names if is_full_name(n)]
        if listed:
            return next((n for n in self.props(key, label).get("names", ()) if n in listed), listed[0])
        if self._identities.has_login(key, label) or not accounts:
            return self._identities.name(key, label)
        return next((n for n in self.props(key, label).get("names", ()) if is_full_name(n)), accounts[0].handle)

    def props(self, key: str, label: str = "") -> dict[str, Any]:
        """What is known of the person: login, names, bot, activity, title, contact, and when they left; with a label, what sources
        tell that are read with it.
        """
        props, accounts = self._identities.props(key, label), self._telling(key, label)
        if not accounts:
            return props
        order = sorted(accounts, key=lambda a: (a.departed_at is not None, a.system not in LISTS, -a.at, a.key, a.source, a.line))
        names = dict.fromkeys(name for a in order for name in a.names if a.system in LISTS)
        names |= dict.fromkeys([*props.get("names", ()), *(name for a in order for name in a.names)])
        props["bot"] = props["bot"] or any(a.bot for a in accounts)
        title = next((a.title for a in order if a.title), None)
        more = {"title": title, "contact": self._contact(order), "departed_at": self._left(accounts)}
        return {**props, **({"names": list(names)[:20]} if names else {}), **{k: v for k, v in more.items() if v is not None}}

    def _telling(self, key: str, label: str) -> list[Account]:
        """The accounts of the person; with a label, those that are told of where it is read."""
        return [a for a in self._of.get(key, ()) if not label or within(a.access or "open", label)]

    def _contact(self, accounts: list[Account]) -> str | None:
        stated = next((a.contact for a in accounts if a.contact), None)
        chat = [name for a in accounts if a.system in CHAT for name in (*(n for n in a.names if " " not in n), a.handle)]
        return stated or (f"@{chat[0]}" if chat else None)

    def _left(self, accounts: list[Account]) -> int | None:
        """When the person left: the end of the account whose every entry has an end."""
        by_key: defaultdict[str, list[int | None]] = defaultdict(list)
        for account in accounts:
            by_key[account.key].append(account.departed_at)
        return max((max(e for e in ends if e is not None) for ends in by_key.values() if None not in ends), default=None)

    def all(self) -> Iterator[Account]:
        """Every account as told, by key."""
        yield from self._told

    # -- rows --------------------------------------------------------------------------------

    def claims(self, account: Account) -> Iterator[ClaimRow]:
        """What this telling of an account says of who is who: SAME_AS, approved by the rule that joined it or as an
        account of its own, and candidates. Its text must have gone by before.
        """
        n = self._told.get(account)
        if n is None or not account.source:
            return
        for person, link, state in self._said[n]:
            yield claim_of(link, account, person, state)
        first = next(a for a in self._by_key[account.key] if a.source)
        if account.key not in self._joined and account == first:
            yield claim_of(Link(account.key, "self", "account", n), account, self._person[account.key])

    def rows(self, account: Account, source: str) -> Iterator[Row]:
        """Everything about the account that its source has to store: its node, the person's node, the claims, and a
        Skip where it says too much or too little to be anybody's.
        """
        if account not in self._told:
            return
        key, told = self._person[account.key], self._by_key[account.key]
        told = [a for a in told if within(a.access or "open", account.access or "open")]
        names = list(dict.fromkeys(name for a in told for name in a.names))
        props: dict[str, Any] = {"system": account.system, "handle": told[0].handle, **({"names": names} if names else {})}
        label: dict[str, Any] = {"access": account.access, "aud": list(account.aud)} if account.access else {}
        yield NodeRow(account.key, names[0] if names else told[0].handle, source, {**props, **label}, account.origin)
        yield NodeRow(key, self.name(key), source, {**self.props(key), **label}, account.origin)
        for person, _, state in self._said[self._told[account]]:
            if state == "rejected" and person not in self._identities.keys():  # noqa: SIM118
                yield NodeRow(person, self.name(person), source, {"unknown": True, **label}, account.origin)
        yield from self.claims(account)
        if any(state == "candidate" and link.rule != "name" for _, link, state in self._said[self._told[account]]):
            yield Skip(_TWO, account.origin)
        if self._told[account] in self._crowd:
            yield Skip(_CROWD, account.origin)

    def made(self, label: str = "open") -> Iterator[Row]:
        """The rows about people whom only git or GitHub tells of: joins of authors and logins, and what could be one. They are as
        open as `label`, which covers all repositories.
        """
        namesakes = [(n, a) for n, a in enumerate(self._rules.told) if a not in self._told]
        claims = [(a, claim_of(link, a, person, state)) for n, a in namesakes for person, link, state in self._said[n]]
        yield from document([*((a, replace(c, dst=self._identities.key(c.dst[7:]) or c.dst)) for a, c in self._authored), *claims], label)
