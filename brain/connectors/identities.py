"""Who is who: a login is one person, an e-mail seen with one login is that login's, and authors
without login are one person when the full name is spelled the same, as `git shortlog` does.

A personal name never joins somebody without login to a login: look-alikes exist. A handle does: a name
of one word that is spelled exactly as a login of the same organisation, where it means that one alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from brain.connectors.identity_facts import Facts

Ident = Mapping[str, Any]

_BOT_LOGINS = frozenset(
    {
        "dependabot", "dependabot-preview", "renovate", "github-actions", "web-flow", "copilot", "copilot-swe-agent",
        "copilot-pull-request-reviewer", "claude", "codex", "chatgpt-codex-connector", "anthropic-code-agent",
        "openai-code-agent", "greenkeeper", "greenkeeperio", "codecov", "codecov-io", "mergify", "pre-commit-ci",
        "allcontributors", "imgbot", "coveralls", "semantic-release", "cursoragent", "cursor", "devin-ai-integration",
        "gemini-code-assist", "coderabbitai", "sourcery-ai", "google-labs-jules", "sonarcloud", "netlify", "vercel",
        "k8s-ci-robot", "stale",
    }
)
_BOT_ENDING = re.compile(r"(\[bot\]|[-_]bot|[-_]robot|[-_]ci-agent)$", re.IGNORECASE)
_BOT_NAMES = re.compile(
    r"^(github[ -]actions?|dependabot.*|renovate.*|cargo audit|copilot( .*)?|codex|claude (code|opus|sonnet|haiku|\d).*"
    r"|.*\[bot\])$",
    re.IGNORECASE,
)
_PLACEHOLDERS = frozenset({"your name", "root user", "git user", "no author", "first last", "john doe", "jane doe"})
_PSEUDONYM = re.compile(r"[A-Za-z]+[-_][0-9a-f]{6,}")


def login_key(login: str) -> str:
    """A login as it stands in a key: lower case, without the `[bot]` that some interfaces add."""
    return login.strip().lower().removesuffix("[bot]")


def looks_like_bot(login: str | None, name: str | None) -> bool:
    """Whether a login, or for lack of one a name, is that of a machine."""
    if login:
        return bool(_BOT_ENDING.search(login)) or login_key(login) in _BOT_LOGINS
    return bool(name and _BOT_NAMES.match(name))


def slug(text: str) -> str:
    """Text as a part of a key: lower case, words joined by hyphens, empty when nothing is left."""
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    return re.sub(r"[\W_]+", "-", plain.lower()).strip("-")[:80]


def is_full_name(name: str) -> bool:
    """Whether a name is long enough to be somebody's and no stand-in or machine's."""
    if name.lower() in _PLACEHOLDERS or _BOT_NAMES.match(name):
        return False
    return len(name.split()) >= 2 or bool(_PSEUDONYM.fullmatch(name))


class Identities:
    """Collects identities, then tells persons. Nothing in it depends on the order of loading."""

    def __init__(self) -> None:
        self._names: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._spelled: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._stated: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._logins_of: defaultdict[str, set[str]] = defaultdict(set)
        self._active: dict[str, tuple[int, int]] = {}
        self.facts = Facts()
        self._bots: set[str] = set()
        self._orgs: defaultdict[str, set[str]] = defaultdict(set)
        self._key_of: dict[str, str] = {}
        self._members: defaultdict[str, list[str]] = defaultdict(list)

    def add(self, ident: Ident | str | None, at: int | None = None, org: str = "", label: str = "open") -> None:
        """Notes an identity (a mapping with name, email hash and login, or a login; `also` is the hash of another address
        that a mail map gives them), when it acted, in which organisation, and the label of the source that says so.
        """
        node = _node(ident)
        if node is None or ident is None:
            return
        who = {"login": ident} if isinstance(ident, str) else ident
        login, name, email = who.get("login"), " ".join((who.get("name") or "").split()), who.get("email")
        names = self._names[node]
        self._orgs[node].add(org)
        told = name if name and login_key(name) != node[2:] else None
        self.facts.add(node, label, told, login, at)
        if told:
            names[told] += 1
        if login:
            self._spelled[node][login] += 1
            for address in (email, who.get("also")):
                if address:
                    self._logins_of[address].add(node)
        if who.get("bot") or (login and looks_like_bot(login, None)):
            self._bots.add(node)
        if at is not None:
            first, last = self._active.get(node, (at, at))
            self._active[node] = (min(first, at), max(last, at))

    def state(self, login: str, label: str = "open") -> None:
        """Notes a login that a catalogue, a list or a rule of ownership of that label states; it need not have done anything."""
        node = _node(login)
        if node is not None:
            self.facts.add(node, label, None, login, None)
            self._names.setdefault(node, Counter())
            self._stated[node][login] += 1
            if looks_like_bot(login, None):
                self._bots.add(node)

    def settle(self, apart: Callable[[str, str], bool] = lambda name, login: False) -> None:
        """Decides who is who. Call once, after everything was added. `apart` says of an author's name and a login whether
        a person decided that they are two.
        """
        groups = self._with_handles(self._groups(apart), apart)
        taken = {owner[2:] for owner in groups if owner[0] == "l"}
        for owner in sorted(groups, key=lambda o: (o[0] != "l", min(groups[o]), o)):
            key = owner[2:] if owner[0] == "l" else self._slug(groups[owner], taken)
            taken.add(key)
            for node in groups[owner]:
                self._key_of[node] = f"person:{key}"
                self._members[f"person:{key}"].append(node)
        for key, nodes in self._members.items():
            if not any(n[0] == "l" for n in nodes) and looks_like_bot(None, self.name(key)):
                self._bots.update(nodes)

    def joined(self) -> Iterator[tuple[str, str, str]]:
        """The authors without a login who are taken for somebody with one: name, the person's key, and the rule."""
        for key, nodes in self._members.items():
            for node in nodes if any(n[0] == "l" for n in nodes) else ():
                if node[0] != "l" and (name := self._called(node)):
                    yield name, key, "address" if len(self._logins_of.get(node[2:], ())) == 1 else "handle"

    def _called(self, node: str) -> str:
        return _commonest(self._names[node]) or (node[2:] if node[0] == "n" else "")

    def _groups(self, apart: Callable[[str, str], bool]) -> dict[str, list[str]]:
        groups: defaultdict[str, list[str]] = defaultdict(list)
        for node in self._names:
            logins = self._logins_of.get(node[2:], set()) if node[0] == "e" else set()
            login = min(logins) if len(logins) == 1 else ""
            owner = node if node[0] == "l" else login if login and not apart(self._called(node), login[2:]) else self._by_name(node)
            groups[owner].append(node)
        return groups

    def _with_handles(self, groups: dict[str, list[str]], apart: Callable[[str, str], bool]) -> dict[str, list[str]]:
        """The groups, those without login joined to the one login that is spelled as one of their names."""
        spelled: defaultdict[str, set[str]] = defaultdict(set)
        for node, spellings in self._spelled.items():
            for login in () if node in self._bots else spellings:
                spelled[login].add(node)
        joined: defaultdict[str, list[str]] = defaultdict(list)
        for owner, nodes in groups.items():
            logins = {node for node in nodes if node[0] == "l"}
            if not logins and not any(len(self._logins_of.get(node[2:], ())) > 1 for node in nodes):
                logins = {login for node in nodes for name in self._handles(node) for login in spelled.get(name, ())}
                login = min(logins) if len(logins) == 1 and any(self._orgs[node] & self._orgs[min(logins)] for node in nodes) else ""
                owner = login if login and not any(apart(self._called(node), login[2:]) for node in nodes) else owner
            joined[owner] += nodes
        return joined

    def _handles(self, node: str) -> set[str]:
        names = {*self._names[node], *([node[2:]] if node[0] == "n" else ())}
        return {name for name in names if " " not in name}

    def _by_name(self, node: str) -> str:
        name = self._called(node)
        return f"f:{name}" if is_full_name(name) else node

    def _slug(self, nodes: list[str], taken: set[str]) -> str:
        names = sum((self._names[n] for n in nodes), Counter[str]())
        base = slug(_commonest(names) or "") or f"unnamed-{min(nodes)[4:10]}"
        free, n = base, 2
        while free in taken:
            free, n = f"{base}-{n}", n + 1
        return free

    def key(self, ident: Ident | str | None) -> str | None:
        """The person's key, or None for a deleted user or an identity that says nothing."""
        node = _node(ident)
        if node is None:
            return None
        found = self._key_of.get(node)
        if found is None:
            part = node[2:] if node[0] == "l" else slug(node[2:] if node[0] == "n" else "")
            return f"person:{part}" if part else None
        return found

    def known(self, login: str) -> str | None:
        """The key of the person with this login, None when nobody loaded has it."""
        return self._key_of.get(f"l:{login_key(login)}")

    def by_address(self, address: str) -> str | None:
        """The key of the one person whose address has this hash; None for nobody's or several logins'."""
        logins = self._logins_of.get(address, set())
        return self._key_of.get(next(iter(logins)) if len(logins) == 1 else f"e:{address}") if len(logins) < 2 else None

    def spelled(self, login: str) -> str | None:
        """The key of the person whose login is spelled exactly so in git or on GitHub."""
        node = f"l:{login_key(login)}"
        return self._key_of.get(node) if login in self._spelled.get(node, ()) else None

    def widest(self, keys: Iterable[str]) -> set[str]:
        """Those of these people of whom the most open sources tell: a key must not say what only narrower ones know."""
        told = {key: self.facts.widest(self._members.get(key, ())) for key in keys}
        return {key for key, rank in told.items() if rank == min(told.values())}

    def has_login(self, key: str, label: str = "") -> bool:
        """Whether a login of the person is known; with a label, where that is read."""
        if label and not self.facts.all_open():
            return "login" in self.facts.of(self._members.get(key, ()), label)
        return any(node[0] == "l" for node in self._members.get(key, ()))

    def seen(self, key: str) -> bool:
        """Whether git or GitHub tells of the person."""
        return any(node[0] != "l" or self._spelled.get(node) for node in self._members.get(key, ()))

    def all_names(self, key: str) -> list[str]:
        """Every name of the person in git and on GitHub, the commonest first."""
        return [n for n, _ in sorted(self._all_names(key).items(), key=lambda kv: (-kv[1], kv[0]))]

    def join(self, keys: Mapping[str, str]) -> None:
        """Makes one person of those that `keys` maps to one key."""
        for old, new in sorted(keys.items()):
            moved = self._members.pop(old, []) if old != new else []
            self._members[new] += moved
            self._key_of.update(dict.fromkeys(moved, new))

    def name(self, key: str, label: str = "") -> str:
        """The login as its owner spells it, else the commonest name; with a label, as `props`."""
        if label:
            told = self.props(key, label)
            return told.get("login") or next(iter(told.get("names", ())), "") or key.removeprefix("person:")
        return self._login(key) or _commonest(self._all_names(key)) or key.removeprefix("person:")

    def _login(self, key: str) -> str | None:
        nodes = self._members.get(key, ())
        spelled = sum((self._spelled[n] for n in nodes), Counter[str]())
        return _commonest(spelled or sum((self._stated[n] for n in nodes), Counter[str]()))

    def props(self, key: str, label: str = "") -> dict[str, Any]:
        """What is known of the person: login, other names, bot, first and last activity; with a label, what sources tell that are
        read with it.
        """
        nodes = self._members.get(key, [])
        if label and not self.facts.all_open():
            return {"bot": self.is_bot(key), **self.facts.of(nodes, label)}
        props: dict[str, Any] = {"login": self._login(key), "bot": self.is_bot(key)}
        names = self.all_names(key)[:20]
        spans = [self._active[n] for n in nodes if n in self._active]
        if names:
            props["names"] = names
        if spans:
            props |= {"first_at": min(s[0] for s in spans), "last_at": max(s[1] for s in spans)}
        return {k: v for k, v in props.items() if v is not None}

    def is_bot(self, key: str) -> bool:
        """Whether the person is a machine."""
        nodes = self._members.get(key)
        if not nodes:
            return looks_like_bot(key.removeprefix("person:"), None)
        return any(n in self._bots for n in nodes)

    def keys(self) -> Iterable[str]:
        """The keys of all persons."""
        return self._members.keys()

    def _all_names(self, key: str) -> Counter[str]:
        return sum((self._names[n] for n in self._members.get(key, ())), Counter[str]())


def _commonest(counts: Counter[str]) -> str | None:
    return min(counts, key=lambda n: (-counts[n], n)) if counts else None


def _node(ident: Ident | str | None) -> str | None:
    if ident is None:
        return None
    if isinstance(ident, str):
        ident = {"login": ident}
    login = login_key(ident.get("login") or "")
    if login and login != "ghost":
        return f"l:{login}"
    if login == "ghost":
        return None
    if ident.get("email"):
        return f"e:{ident['email']}"
    name = " ".join((ident.get("name") or "").split())
    return f"n:{name}" if name else None
