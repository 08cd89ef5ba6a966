"""Catalogue records to rows: nodes of what is described, claims with the line that states them, and what is only named."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from typing import Any

from brain import schema
from brain.connectors.accounts import Account
from brain.connectors.backstage_entity import KINDS, Ref
from brain.connectors.company import Company
from brain.connectors.context import Context
from brain.connectors.places import doc_at
from brain.records import Record
from brain.types import ClaimRow, EdgeRow, NodeRow, Origin, Row, Skip, TextRow

_PROPS = {
    "Service": ("lifecycle", "tier", "contact"), "Api": ("lifecycle",), "Resource": (), "System": (), "Domain": (), "Team": ("contact",),
}  # fmt: skip
_TYPED = ("Service", "Api", "Resource", "Team")


def _me(record: Record) -> Ref:
    return Ref(record["entity"], record["ns"], record["name"].lower())


def _account(record: Record) -> Account:
    """The account that a User of the catalogue is."""
    names = tuple(name for name in (record.get("title"), *record.get("aliases", ())) if name)
    line, quote = (record["told_line"], record["told"]) if "told" in record else (record["line"], record["quote"])
    return Account(
        "catalogue", _me(record).handle, names, record.get("login", ""), tuple(filter(None, [record.get("email")])),
        (("slack", record["slack"]),) if record.get("slack") else (), f"doc:{record['file']}", line, quote, title=record.get("job", ""),
        access=record["access"], origin=Origin(record["file"], record["line"]),
    )  # fmt: skip


def _mention(record: Record, fact: list[Any]) -> Account:
    """The account of a user whom the catalogue names."""
    handle = Ref(*fact[3:6]).handle
    return Account(
        "catalogue", handle, source=f"doc:{record['file']}", line=fact[6], quote=fact[7], access=record["access"],
        origin=Origin(record["file"], fact[6]),
    )  # fmt: skip


def known(record: Record, company: Company) -> None:
    """Tells the company what the catalogue describes, and the users in it; of two descriptions the first file's counts."""
    if record["kind"] != "entity":
        return
    me = _me(record)
    for fact in record.get("facts", ()):
        if fact[3] == "user":
            company.account(_mention(record, fact))
    if me.kind == "user":
        account = _account(record)
        company.account(account)
        name = account.key
    else:
        name = me.key
        company.thing(name, me.handle, record["name"], record.get("title", ""), *record.get("aliases", ()))
        if me.kind == "component" and record.get("repo"):  # what is deployed out of a repository is the component that lives there
            company.alias(name, record["repo"])
        for system, project in record.get("flags", ()) if me.kind == "component" else ():
            company.facts[f"flags of {project.lower()}"][name] = system
    first = str(company.facts[name].get("catalogue") or record["id"])
    company.facts[name]["catalogue"] = min(first, record["id"])


def rows(records: Iterable[Record], context: Context) -> Iterator[Row]:
    """The rows of a catalogue's records."""
    stream = iter(records)
    head = next(stream, None)
    if head is None:
        return
    writer = _Writer(head["source"], context)
    for record in stream:
        if record["kind"] == "doc":
            yield from writer.doc(record)
        elif record["kind"] == "entity":
            yield from writer.entity(record)


class _Writer:
    """One catalogue on its way; `docs` are the files whose text went by, so that claims can quote them."""

    def __init__(self, source: str, context: Context) -> None:
        self.source, self.context, self.company = source, context, context.company
        self.docs: set[str] = set()

    def doc(self, record: Record) -> Iterator[Row]:
        """A file as a document with its whole text."""
        key, title = f"doc:{record['path']}", f"Catalogue {record['path']}"
        self.docs.add(record["file"])
        props = {"path": record["path"], "title": title, "kind": "catalogue", "access": record["access"]}
        yield NodeRow(key, title, self.source, props, Origin(record["file"], 1))
        yield TextRow(key, "body", title, record["text"], 0, access=record["access"], origin=Origin(record["file"], 1))

    def entity(self, record: Record) -> Iterator[Row]:
        """An entity, what it says of others, and what could not be understood of it."""
        me, origin = _me(record), Origin(record["file"], record["line"])
        account = _account(record) if me.kind == "user" else None
        if self.company.facts[account.key if account else me.key].get("catalogue", record["id"]) != record["id"]:
            yield Skip("described in another file too; the first counts", origin)
            return
        told = record["file"] in self.docs
        if account is not None:
            yield from self.company.accounts.rows(account, self.source) if told else ()
            key = self.company.person(account.system, account.handle)
        else:
            key = me.key
            yield self._node(key, record, origin)
        if key is None or not told:
            return
        rel = "MENTIONS" if account else "ABOUT"
        yield EdgeRow(f"doc:{record['file']}", rel, key, {"line": record["line"]} if account else {}, origin)
        for reason, line in record.get("bad", ()):
            yield Skip(reason, Origin(record["file"], line))
        for fact in record.get("facts", ()):
            yield from self._fact(key, fact, record)
        for url, line, quote in record.get("links", ()) if me.kind == "component" else ():
            found = doc_at(self.company, url)
            if found is not None:
                yield self._claim(key, "HAS_RESOURCE", found, record, ["link", *[None] * 5, line, quote])

    def _node(self, key: str, record: Record, origin: Origin) -> NodeRow:
        label = schema.label_of(key)
        props: dict[str, Any] = {name: record.get(name) for name in ("description", *_PROPS[label])}
        title, name = record.get("title"), record["name"]
        shown = title if label == "Team" and title else _me(record).handle if record["ns"] != "default" else name
        others = [n for n in (name, title, *record.get("aliases", ())) if n and n != shown]
        props |= {"kind": record.get("type") if label in _TYPED else None, "aliases": list(dict.fromkeys(others)) or None}
        if label == "Service":
            repo, system = record.get("repo"), next((f for f in record.get("facts", ()) if f[0] == "system"), None)
            props |= {"repo": self.context.repo(repo) if repo else None, "path": record.get("folder")}
            props |= {"system": Ref(*system[3:6]).handle if system else None}
        elif label == "Team":
            parent = next((f for f in record.get("facts", ()) if f[0] == "parent"), None)
            props["parent"] = Ref(*parent[3:6]).key if parent else None
        return NodeRow(key, shown, self.source, {k: v for k, v in props.items() if v not in (None, "")}, origin)

    def _fact(self, key: str, fact: list[Any], record: Record) -> Iterator[Row]:
        field, rel, first, kind, ns, name, line, _ = fact
        origin = Origin(record["file"], line)
        if first and KINDS[kind] not in {schema.NODES[label].prefix for label in schema.RELS[rel].domain}:
            yield Skip(f"{field}: {kind}, which cannot be that", origin)
            return
        other = yield from self._other(Ref(kind, ns, name), fact, record)
        if other is None:
            return
        src, dst = (other, key) if first else (key, other)
        if schema.RELS[rel].cls == "record":
            yield EdgeRow(src, rel, dst, {}, origin)
            return
        yield self._claim(src, rel, dst, record, fact)
        if field == "dependencyOf" and record["entity"] == "resource" and kind == "component":
            yield self._claim(src, "HAS_RESOURCE", dst, record, fact)

    def _claim(self, src: str, rel: str, dst: str, record: Record, fact: list[Any]) -> ClaimRow:
        return ClaimRow(
            src, rel, dst, f"doc:{record['file']}", fact[6], fact[7], "record", access=record["access"],
            read_by=f"catalogue:{fact[0]}", origin=Origin(record["file"], fact[6]),
        )  # fmt: skip

    def _other(self, named: Ref, fact: list[Any], record: Record) -> Generator[Row, None, str | None]:
        """The key of what is named; first its node, marked unknown, where nothing describes it."""
        origin = Origin(record["file"], fact[6])
        if named.kind == "user":
            return (yield from self._user(named, fact, record))
        label = schema.label_of(named.key)
        if self.company.declared(named.key):
            return named.key
        found = self.company.find(named.name, label)
        if found is not None and self.company.declared(found):
            return found
        yield NodeRow(named.key, named.handle, self.source, {"unknown": True}, origin)
        yield Skip(f"{fact[0]}: {named.kind} that nothing describes; kept as unknown", origin)
        return named.key

    def _user(self, named: Ref, fact: list[Any], record: Record) -> Generator[Row, None, str | None]:
        account = _mention(record, fact)
        if "catalogue" in self.company.facts[account.key]:
            return self.company.person("catalogue", named.handle)
        yield from self.company.accounts.rows(account, self.source)
        key = self.company.person("catalogue", named.handle)
        if key is not None and self.company.accounts.only(key, account):
            yield NodeRow(key, self.context.person_name(key), self.source, {"unknown": True}, account.origin)
            yield Skip(f"{fact[0]}: user that nothing describes; kept as unknown", account.origin)
        return key
