"""One document of a catalogue as a record: what it is called, what it says of others, and on which line.

Only fields of Backstage's own format are read, and annotations by the last part of their name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from brain.connectors.backstage_yaml import Value
from brain.connectors.git_message import People
from brain.connectors.identities import slug

KINDS = {
    "component": "service", "api": "api", "resource": "resource", "system": "system", "domain": "domain", "group": "team", "user": "person",
}  # fmt: skip
# field: (kind it names unless it says so, relationship, whether what is named comes first)
FIELDS = {
    "owner": ("group", "OWNS", True), "system": ("system", "PART_OF", False), "domain": ("domain", "PART_OF", False),
    "subdomainOf": ("domain", "PART_OF", False), "subcomponentOf": ("component", "PART_OF", False),
    "parent": ("group", "PART_OF", False), "children": ("group", "PART_OF", True),
    "dependsOn": ("component", "DEPENDS_ON", False), "dependencyOf": ("component", "DEPENDS_ON", True),
    "providesApis": ("api", "PROVIDES", False), "implementsApis": ("api", "PROVIDES", False), "consumesApis": ("api", "USES", False),
    "apiProvidedBy": ("component", "PROVIDES", True), "apiConsumedBy": ("component", "USES", True),
    "members": ("user", "MEMBER_OF", True), "memberOf": ("group", "MEMBER_OF", False),
}  # fmt: skip
_TIER, _LEAD = ("tier", "service-tier", "criticality"), ("tech-lead", "technical-lead", "techlead")
_CHANNEL, _ALIASES = ("slack-channel", "slack", "chat-channel", "channel"), ("aliases", "alias")
_REF = re.compile(r"(?:(?P<kind>[A-Za-z]+):)?(?:(?P<ns>[^\s:/]+)/)?(?P<name>[^\s:/]+)")
_REPO = re.compile(r"[\w.-]+/[\w.-]+")
_SOURCE = re.compile(r"(?:url:)?https?://[^/]+/(?P<repo>[\w.-]+/[\w.-]+?)(?:\.git)?(?:/(?:-/)?(?:tree|blob)/.*)?/?$")
_FOLDER = re.compile(r"(?:url:)?https?://[^/]+/(?P<repo>[\w.-]+/[\w.-]+?)/(?:-/)?tree/[^/]+/(?P<path>[^?#]+?)/*$")
_HOSTS = ("github.", "gitlab.", "bitbucket.", "gitea.", "forgejo.")  # circleci.com/project-slug is no repository
_TIER_TAG = re.compile(r"(?:service-)?tier[-:_]?(\w+)", re.IGNORECASE)
_FLAGS = re.compile(
    r"(?P<system>launchdarkly|unleash|flagsmith|growthbook)[\w.-]*/(?:project-(?:key|id|name)|projects?)"
    r"|[\w.-]+/(?:feature-)?flags?-project",
    re.IGNORECASE,
)
_SLACK_ID = re.compile(r"[UW][A-Z0-9]{6,14}")
_TEMPLATE = re.compile(r"\$\{\{|\{\{|<%|\{%")


class NotRead(Exception):
    """Why a document gives no record; `line` is where that is seen."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.line = line


@dataclass(frozen=True)
class Ref:
    """What a reference names: the kind of entity, its namespace and name, all lower case."""

    kind: str
    ns: str
    name: str

    @property
    def key(self) -> str:
        """The key of the node it stands for; a namespace other than the default one is part of it."""
        part = slug(self.name) or self.name
        return f"{KINDS[self.kind]}:{part if self.ns == 'default' else f'{slug(self.ns) or self.ns}/{part}'}"

    @property
    def handle(self) -> str:
        """The name as a user of the catalogue."""
        return self.name if self.ns == "default" else f"{self.ns}/{self.name}"


def ref(text: str, kind: str, ns: str = "default") -> Ref | None:
    """The reference as it is meant where `kind` and namespace are left out; None when it is none."""
    match = _REF.fullmatch(text)
    if match is None:
        return None
    return Ref((match["kind"] or kind).lower(), (match["ns"] or ns).lower(), match["name"].lower())


def is_entity(document: Value) -> bool:
    """Whether a document is meant for Backstage."""
    return "backstage.io/" in document.said("apiVersion") and bool(document.said("kind"))


def locations(document: Value) -> Iterator[Value]:
    """The files and addresses that a Location points to."""
    for name in ("target", "targets"):
        found = document.get("spec", name)
        yield from found.each() if found is not None else ()


def record(document: Value, quote: Callable[[int], str], people: People) -> dict[str, Any]:
    """The record of an entity. `quote` gives a stored line by its number. Raises NotRead for what is no entity."""
    kind, name = document.said("kind"), document.said("metadata", "name")
    if not is_entity(document):
        raise NotRead("not an entity of a Backstage catalogue", document.line)
    at = document.get("metadata", "name") or document
    if kind.lower() not in KINDS:
        raise NotRead(f"of kind {kind}, which is no part of the organisation", document.line)
    if _TEMPLATE.search(name):
        raise NotRead("a template: its name is still to be filled in", at.line)
    if not name:
        raise NotRead(f"a document of kind {kind} without a name", at.line)
    me = Ref(kind.lower(), (document.said("metadata", "namespace") or "default").lower(), name.lower())
    facts, bad = _facts(document, me, quote)
    made: dict[str, Any] = {
        "kind": "entity", "entity": me.kind, "ns": me.ns, "name": name, "line": at.line, "quote": quote(at.line),
        "facts": facts, "bad": bad,
        "title": document.said("spec", "profile", "displayName") or document.said("metadata", "title"), **_details(document),
        "links": _links(document, quote),
    }  # fmt: skip
    if me.kind == "user":
        made |= _user(document, quote, people)
    return {k: v for k, v in made.items() if v not in ("", [], None)}


def _links(document: Value, quote: Callable[[int], str]) -> list[list[Any]]:
    """The addresses that the entity links to, with the line."""
    found = document.get("metadata", "links")
    urls = [one.get("url") for one in (found.each() if found is not None else ())]
    return [[url.text(), url.line, quote(url.line)] for url in urls if url is not None and url.text()]


def _annotations(document: Value) -> list[tuple[str, Value]]:
    found = [document.get("metadata", part) for part in ("labels", "annotations")]
    return [pair for part in found if part is not None for pair in part.items()]


def _last(name: str) -> str:
    return name.rpartition("/")[2].lower().replace("_", "-")


def _details(document: Value) -> dict[str, Any]:
    """What stands in fields that name no other entity."""
    notes = [(name, value.text()) for name, value in _annotations(document) if not _TEMPLATE.search(value.text())]
    by_last = {_last(name): text for name, text in notes if text}
    slugs = [text for name, text in notes if name.lower().startswith(_HOSTS) and _last(name) == "project-slug" and _REPO.fullmatch(text)]
    slugs += [m["repo"] for name, text in notes if _last(name) in ("source-location", "view-url") and (m := _SOURCE.fullmatch(text))]
    places = [m for name, text in notes if _last(name) == "source-location" and (m := _FOLDER.fullmatch(text))]
    folders = [m["path"].strip("/") for m in places if m["repo"].lower() == slugs[0].lower()]
    channel = next((by_last[name] for name in _CHANNEL if name in by_last), "")
    contact = f"#{channel.lstrip('#')}" if re.fullmatch(r"#?[\w.-]+", channel) else ""
    return {
        "description": " ".join(document.said("metadata", "description").split())[:500], "type": document.said("spec", "type"),
        "lifecycle": document.said("spec", "lifecycle"), "repo": slugs[0] if slugs else "", "contact": contact,
        "folder": folders[0] if folders else "",
        "tier": _tier(document.said("spec", "tier") or next((by_last[name] for name in _TIER if name in by_last), "") or _tagged(document)),
        "flags": [[(m["system"] or "").lower(), text.strip()] for name, text in notes if text.strip() and (m := _FLAGS.fullmatch(name))],
        "aliases": [part.strip() for name in _ALIASES for part in by_last.get(name, "").split(",") if part.strip()],
    }  # fmt: skip


def _tagged(document: Value) -> str:
    """The tier that a tag such as `tier-1` gives."""
    tags = document.get("metadata", "tags")
    found = [m[1] for tag in (tags.each() if tags is not None else ()) if (m := _TIER_TAG.fullmatch(tag.text()))]
    return found[0] if found else ""


def _tier(text: str) -> int | str:
    text = re.sub(r"^tier[\s_-]*", "", text.strip(), flags=re.IGNORECASE)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else text


def _user(document: Value, quote: Callable[[int], str], people: People) -> dict[str, Any]:
    """The account that a User is: login, address (hashed) and Slack id, with the line that states the most."""
    login, slack, line = "", "", 0
    for name, value in _annotations(document):
        if _last(name) in ("user-login", "github-login", "github-username") and "gitlab" not in name and value.text():
            login, line = value.text(), value.line
        elif "slack" in name.lower() and _SLACK_ID.fullmatch(value.text()):
            slack, line = value.text(), line or value.line
    email = document.said("spec", "profile", "email")
    found = people.ident("", email) if "@" in email else {}
    return {
        "login": login or found.get("login") or "", "slack": slack, "email": found.get("email") or "",
        "job": document.said("spec", "profile", "title") or document.said("metadata", "annotations", "title"),
        **({"told_line": line, "told": quote(line)} if line else {}),
    }  # fmt: skip


def _facts(document: Value, me: Ref, quote: Callable[[int], str]) -> tuple[list[list[Any]], list[list[Any]]]:
    """Every reference, as [field, relationship, whether it comes first, kind, namespace, name, line, quote], and what is
    none, as [reason, line].
    """
    facts: list[list[Any]] = []
    bad: list[list[Any]] = []

    def note(field: str, default: Sequence[Any], value: Value) -> None:
        found = ref(value.text(), default[0], me.ns)
        if _TEMPLATE.search(value.text()):
            bad.append([f"{field} is still to be filled in", value.line])
        elif found is None or found.kind not in KINDS:
            bad.append([f"{field} is no reference to an entity", value.line])
        else:
            facts.append([field, default[1], default[2], found.kind, found.ns, found.name, value.line, quote(value.line)])

    for field, default in FIELDS.items():
        found = document.get("spec", field)
        for value in found.each() if found is not None else ():
            note(field, default, value)
    for name, value in _annotations(document):
        if _last(name) in _LEAD and value.text():
            note("technical lead", ("user", "TECH_LEAD_OF", True), value)
    return facts, bad
