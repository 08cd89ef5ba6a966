"""CODEOWNERS records to rows: the file as a document, and for every rule who owns what it has the last word on."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from typing import Any

from brain.connectors.codeowners_match import Matched, Target, Tree, matched
from brain.connectors.company import Company
from brain.connectors.context import Context
from brain.connectors.identities import slug
from brain.records import Record
from brain.types import ClaimRow, EdgeRow, NodeRow, Origin, Row, Skip, TextRow


def _team(who: str) -> str:
    """The key of a team that nothing describes."""
    return f"team:{slug(who.rpartition('/')[2])}"


def known(record: Record, company: Company) -> None:
    """Tells the company which logins and teams own something."""
    for kind, who in (owner for rule in record.get("rules", ()) for owner in rule["owners"]):
        if kind == "user":
            company.login(who)
        elif kind == "team":
            company.thing(_team(who), who.rpartition("/")[2], who, declared=False)


def rows(records: Iterable[Record], context: Context) -> Iterator[Row]:
    """The rows of CODEOWNERS records."""
    stream = iter(records)
    head = next(stream, None)
    if head is None:
        return
    for record in stream:
        if record["kind"] == "owners":
            yield from _File(record, head["source"], context).rows()


class _File:
    """One file on its way."""

    def __init__(self, record: Record, source: str, context: Context) -> None:
        self.record, self.source, self.context, self.company = record, source, context, context.company
        self.key = f"doc:{record['path']}"
        self.lines = record["text"].split("\n")
        self.repo = self._repo()
        paths = context.paths(self.repo)
        self.whole = context.has_git(self.repo)
        self.tree = Tree(paths or (), self.whole)
        self._placed: set[Target] = set()

    def _repo(self) -> str:
        if "repo" in self.record:
            return self.context.repo(self.record["repo"])
        short, org = self.record["short"], self.record["org"] or self.record["teams_org"]
        named = self.context.repo(f"{org}/{short}") if org else ""
        if named and (self.context.has_git(named) or self.context.has_github(named)):
            return named
        found = None if self.record["org"] else self.company.find(short, "Repo")
        return found.removeprefix("repo:") if found else named or f"local/{short}"

    def _origin(self, line: int = 1) -> Origin:
        return Origin(self.record["file"], line)

    def rows(self) -> Iterator[Row]:
        """The document, the repository where nothing else tells of it, and what each rule says."""
        title, access, origin = f"CODEOWNERS of {self.repo}", self.record["access"], self._origin()
        props = {"path": self.record["path"], "title": title, "kind": "codeowners", "access": access}
        yield NodeRow(self.key, title, self.source, props, origin)
        yield TextRow(self.key, "body", title, self.record["text"], 0, access=access, repo=self.repo, origin=origin)
        if not (self.whole or self.context.has_github(self.repo)):
            org, _, short = self.repo.partition("/")
            yield NodeRow(f"repo:{self.repo}", self.repo, self.source, {"org": org, "short": short}, origin)
        yield EdgeRow(self.key, "IN_REPO", f"repo:{self.repo}", {}, origin)
        yield EdgeRow(self.key, "ABOUT", f"repo:{self.repo}", {}, origin)
        for reason, line in self.record["invalid"]:
            yield Skip(reason, self._origin(line))
        for one in matched(self.record["rules"], self.tree):
            yield from self._rule(one)

    def _rule(self, one: Matched) -> Iterator[Row]:
        origin = self._origin(one.rule["line"])
        if not one.any:
            yield Skip("a pattern that matches no file of the repository", origin)
        if one.more:
            yield Skip("files beyond those of one pattern that are kept", origin, one.more)
        owners = [] if not one.targets else (yield from self._owners(one.rule, origin))
        for target in one.targets:
            key = yield from self._place(target, origin, not one.rule["owners"])
            for owner in owners:
                line = one.rule["line"]
                yield ClaimRow(
                    owner, "OWNS", key, self.key, line, self.lines[line - 1].strip(), "record", access=self.record["access"],
                    read_by="codeowners:owner", origin=origin,
                )  # fmt: skip

    def _owners(self, rule: Mapping[str, Any], origin: Origin) -> Generator[Row, None, list[str]]:
        keys: list[str] = []
        for kind, who in rule["owners"]:
            key: str | None
            if kind == "team":
                key = self.company.find(who.rpartition("/")[2], "Team") or _team(who)
                if not self.company.declared(key):
                    yield NodeRow(key, who.rpartition("/")[2], self.source, {"unknown": True, "aliases": [who]}, origin)
            else:
                key = self.context.person(who) if kind == "user" else self.company.accounts.by_address(who)
                if key is None:
                    yield Skip("an owner by an e-mail address that is nobody's here", origin)
                else:
                    yield self.context.person_row(key, self.source, origin)
            keys += [key] if key is not None and key not in keys else []
        return keys

    def _place(self, target: Target, origin: Origin, unowned: bool) -> Generator[Row, None, str]:
        """The key of a file or folder; first the nodes that nothing else makes, up to the repository."""
        key = self._key(target)
        if unowned and target.path and not self.record.get("gone"):
            yield self._node(target, origin, unowned=True)
        if self.tree.has(target):
            return key
        while target.path and target not in self._placed:
            self._placed.add(target)
            above = Target(target.path.rpartition("/")[0], True)
            yield self._node(target, origin)
            yield EdgeRow(self._key(target), "IN_REPO", f"repo:{self.repo}", {}, origin)
            if above.path:
                yield EdgeRow(self._key(target), "IN_DIR", self._key(above), {}, origin)
            target = above
        return key

    def _key(self, target: Target) -> str:
        if not target.path:
            return f"repo:{self.repo}"
        return f"{'dir' if target.whole else 'file'}:{self.repo}/{target.path}"

    def _node(self, target: Target, origin: Origin, **more: Any) -> NodeRow:
        base = target.path.rpartition("/")[2]
        ends = {"base": base, "ext": base.rpartition(".")[2].lower() if "." in base[1:] else ""}
        props = {"repo": self.repo, "path": target.path, **({"depth": target.path.count("/") + 1} if target.whole else ends), **more}
        return NodeRow(self._key(target), target.path, self.source, props, origin)
