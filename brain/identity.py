"""Who asks, whatever door they come through: a login that the server checked, a header that a trusted proxy set, or a name
that the owner of this machine gave. Only the last may be one of the fixed viewers, and no tool or model has a door at all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from brain import permissions, viewers
from brain.connectors.git_message import People
from brain.loads import identity_key
from brain.settings import Settings
from brain.tools.asking import Asking
from brain.types import Viewer
from brain.viewers import fold

LOGIN = "login:"
LONGEST = 254
_ODD = re.compile(r"[\s,;:/\"'`<>|]")
_DOMAIN = re.compile(r"@?[a-z0-9][a-z0-9.-]*", re.ASCII)


@dataclass(frozen=True)
class Login:
    """What the server knows of whoever came in: `claims` of a token it checked or of a trusted header, whether there is
    such a login here at all, and whether nothing but this machine can have come in.
    """

    claims: Mapping[str, object] = field(default_factory=dict)
    required: bool = False
    local: bool = False


@dataclass(frozen=True)
class Company:
    """What names are looked up in: everything that is loaded (None: nothing is), asked as one who may see all of it, and the
    people by the hashes of the e-mail addresses that lists of people and chat state.
    """

    everything: Asking | None = None
    addresses: Mapping[str, str] = field(default_factory=dict)


def viewer_from(who: Login | str, settings: Settings, company: Company) -> Viewer:
    """The viewer behind a login, or behind a name that the command line or a server was configured with: `local`, `guest`,
    `nobody`, or a login (`login:local` for one that is called like them). Rights are those of now.
    """
    if isinstance(who, str):
        if who in viewers.FIXED:
            return viewers.FIXED[who]()
        name = _valid(who.strip().removeprefix(LOGIN))
        return _known([name], settings, company) if name else permissions.guest()
    if who.required:
        names = _names(who.claims, settings)
        return _known(names, settings, company) if names else permissions.guest()
    return permissions.local_admin() if who.local else permissions.guest()


def as_member(name: str, by: Viewer, settings: Settings, company: Company) -> Viewer:
    """What the login `name` may read, looked at by the administrator `by`; never with an administrator's rights. Whoever is
    no administrator gets their own rights back.
    """
    if not by.admin:
        return by
    seen = permissions.guest() if fold(name) in viewers.FIXED else viewer_from(LOGIN + name, settings, company)
    if seen.admin:
        seen = permissions.member(seen.id, seen.groups)
    return Viewer(seen.id, seen.clearance, seen.groups, admin=False, by=by.owner)


def unknown(name: str, company: Company) -> bool:
    """Whether a name given on the command line is neither a fixed viewer nor anybody the company knows."""
    plain = _valid(name.strip().removeprefix(LOGIN))
    return name not in viewers.FIXED and (not plain or company.everything is None or viewers.person(plain, company.everything) is None)


def _known(names: list[str], settings: Settings, company: Company) -> Viewer:
    """The viewer of a login that goes by these names. What they may read follows from the one person they are; names of two
    people are nobody's.
    """
    seen = outsider = Viewer(_ident(names[0], settings), permissions.guest().clearance)
    people = {p for name in names if (p := _person(name, settings, company))}
    if len(people) > 1:
        return outsider
    for who in people:
        assert company.everything
        seen = viewers.seen_by(outsider.id, who, company.everything)
        if viewers.left(who[1], company.everything):
            return seen
    if _listed(names, settings.admins):
        return Viewer(outsider.id, permissions.local_admin().clearance, seen.groups, admin=True)
    return permissions.member(outsider.id, seen.groups) if _is_member(names, settings) else seen


def _person(name: str, settings: Settings, company: Company) -> tuple[str, int | None] | None:
    if company.everything is None:
        return None
    if "@" not in name:
        return viewers.person(name, company.everything)
    key = company.addresses.get(_hash(name, settings), "")
    return viewers.keyed(key, company.everything) if key else None


def _names(claims: Mapping[str, object], settings: Settings) -> list[str]:
    """The names that a login proves, in the order of the settings. A login that is not logged in proves none, and an address
    in a token proves one only where the issuer says that it checked it.
    """
    if claims.get("is_logged_in") is False:
        return []
    token = bool({"iss", "sub"} & claims.keys())
    checked = not token or settings.trust_email or claims.get("email_verified") is True
    names = [_valid(claims.get(claim.strip())) for claim in settings.login_claims.split(",")]
    return list(dict.fromkeys(name for name in names if name and ("@" not in name or checked)))


def _valid(value: object) -> str:
    """A claim as a login or an e-mail address is compared; empty for what is neither, such as a header that was set twice."""
    name = fold(value) if isinstance(value, str) else ""
    if not name or len(name) > LONGEST or not name.isprintable() or _ODD.search(name):
        return ""
    local, at, domain = name.rpartition("@")
    return name if not at or (local and name.isascii() and _DOMAIN.fullmatch(domain) and "@" not in local) else ""


def _ident(name: str, settings: Settings) -> str:
    """What the viewer is called in runs and jobs: the login, never an address, and never what a fixed viewer is called."""
    if "@" in name:
        return f"mail:{_hash(name, settings).removeprefix('h:')}"
    return LOGIN + name if name in viewers.FIXED else name


def _hash(address: str, settings: Settings) -> str:
    return str(People(identity_key(settings)).ident("", address)["email"] or "")


def _listed(names: list[str], listed: str) -> bool:
    return bool({_valid(entry) for entry in listed.split(",")} & set(names))


def _is_member(names: list[str], settings: Settings) -> bool:
    """Whether the settings make every login, or every address of a domain of these, a member."""
    entries = [fold(entry) for entry in settings.members.split(",")]
    domains = {f"@{entry.removeprefix('@')}" for entry in entries if entry and _DOMAIN.fullmatch(entry)}
    return "*" in entries or any(f"@{name.rpartition('@')[2]}" in domains for name in names if "@" in name)
