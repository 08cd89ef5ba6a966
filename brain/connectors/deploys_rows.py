"""Deployments to rows: what was deployed where, which commit and pull requests it brought, what it rolled back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from brain.connectors.company import Company, plain
from brain.connectors.context import Context
from brain.connectors.identities import slug
from brain.connectors.references import references
from brain.types import EdgeRow, NodeRow, Origin, Row, TextRow

Record = Mapping[str, Any]
_TICKET = re.compile(r"(?<![\w-])[A-Za-z][A-Za-z0-9_]{0,19}-\d{1,7}(?![\w-])")
_ENVS = ("prod", "production", "live", "staging", "stage", "uat", "qa", "test", "dev", "development", "preprod", "sandbox")
ENDED = frozenset({"success", "failure", "error", "inactive", "failed", "succeeded"})


def known(record: Record, company: Company) -> None:
    """Tells the company of a deployment, of the service it names, of its status, and which copy of it is the newest."""
    if record["kind"] == "deploy_status":
        facts, told = company.facts[f"deploy {record['deploy']}"], _told(record)
        earlier = facts.get("status")
        facts["status"] = max(earlier, told) if isinstance(earlier, tuple) else told
    elif record["kind"] == "deploy":
        company.thing(f"deploy:{record['id']}", record["id"])
        facts = company.facts[f"deploy {record['id']}"]
        facts["stands"] = max(str(facts.get("stands") or ""), _stands(record))
        if slug(record["service"]) and record["system"] != "github":
            company.thing(f"service:{slug(record['service'])}", record["service"], declared=False)


def _told(record: Record) -> tuple[bool, int, str, str]:
    """What a status says, to be compared: the latest counts, but that a later deployment took its place is none."""
    return record["state"] != "inactive", record["at"], record["state"], record["description"]


def _stands(record: Record) -> str:
    return f"{record['newest']:012d}/{record['file']}:{record['line']:09d}"


def rows(records: Iterable[Record], context: Context) -> Iterator[Row]:
    """The rows of one source's deployments."""
    stream = iter(records)
    head = next(stream, None)
    if head is None:
        return
    for record in stream:
        if record["kind"] == "deploy":
            newest = context.company.facts.get(f"deploy {record['id']}", {}).get("stands")
            if record.get("gone") or newest in (None, _stands(record)):
                yield from _Deploy(record, head["source"], context).rows()


class _Deploy:
    """One deployment on its way to rows."""

    def __init__(self, record: Record, source: str, context: Context) -> None:
        self.record, self.source, self.context, self.company = record, source, context, context.company
        self.key, self.origin = f"deploy:{record['id']}", Origin(record["file"], record["line"])
        self.repo = context.repo(record["repo"]) if record["repo"] else ""
        self.at = record["at"]
        told = self.company.facts.get(f"deploy {record['id']}", {}).get("status")
        self.status, self.ended_at, self.said = record["status"], record["ended_at"], ""
        if isinstance(told, tuple):
            self.status, self.said = self.status or told[2], told[3]
            self.ended_at = self.ended_at or (told[1] if told[2] in ENDED else None)

    def rows(self) -> Iterator[Row]:
        yield from self._node()
        yield from self._to()
        yield from self._brings()
        yield from self._refers()

    def _node(self) -> Iterator[Row]:
        r = self.record
        where = f"to {r['env']}" if r["env"] else ""
        name = " ".join(filter(None, [r["service"] or self.repo or r["id"], r["version"] or r["sha"][:10], where]))
        author = self._author()
        props = {
            "version": r["version"], "env": r["env"], "sha": r["sha"], "status": self.status, "repo": self.repo, "author": author,
            "ended_at": self.ended_at, "rollback": r["rollback"] or None, "description": r["description"] or self.said, "at": self.at,
            "url": r["url"], "access": r["access"],
        }  # fmt: skip
        yield NodeRow(self.key, name, self.source, {k: v for k, v in props.items() if v not in (None, "")}, self.origin)
        more = {"access": r["access"], "url": r["url"], "origin": self.origin}
        yield TextRow(self.key, "body", name, self._text(author), self.at or 0, author, self.repo, **more)

    def _text(self, author: str) -> str:
        r = self.record
        when = datetime.fromtimestamp(self.at, UTC).strftime("%Y-%m-%d %H:%M UTC") if self.at else ""
        said = {
            "Deployment": r["id"], "Service": r["service"], "Version": r["version"], "Environment": r["env"], "Commit": r["sha"],
            "Repository": self.repo, "Started": when, "Status": self.status, "By": author, "Rollback of": r["rollback_of"],
        }  # fmt: skip
        body = "\n".join(f"{name}: {value}" for name, value in said.items() if value)
        return f"{body}\n\n{r['description'] or self.said}".rstrip()

    def _author(self) -> str:
        """Who deployed it: the login of a known person, else as written."""
        written = str(self.record["author"])
        person = self.context.known_person(written) if written else None
        return self.context.person_name(person) if person else written

    def _edge(self, rel: str, dst: str, **props: Any) -> EdgeRow:
        return EdgeRow(self.key, rel, dst, {**({"at": self.at} if self.at else {}), **props}, self.origin)

    def _to(self) -> Iterator[Row]:
        """The service it names; else the one that lives in the repository; else the repository; with how that is known."""
        name = self.record["service"]
        key, how = self._named(name) if name else (None, "")
        if key is None and self.repo:
            key, how = self.company.find(self.repo, "Service"), "repository"
        if key is None and name and slug(name):
            key, how = f"service:{slug(name)}", "name"
        if key is not None and not self.company.declared(key):
            yield NodeRow(key, name, self.source, {"unknown": True}, self.origin)
        if key is not None:
            yield self._edge("DEPLOYED_TO", key, how=how)
        elif self.repo and (self.context.has_git(self.repo) or self.context.has_github(self.repo)):
            yield self._edge("DEPLOYED_TO", f"repo:{self.repo}", how="repository")

    def _named(self, name: str) -> tuple[str | None, str]:
        """The service or resource of that name; of an application that is called after a service and where it runs, the
        service.
        """
        envs = (self.record["env"], *_ENVS)
        for one in (name, *(cut for env in envs for cut in (name.removesuffix(f"-{env}"), name.removeprefix(f"{env}-")))):
            key = self.company.find(one, "Service", "Resource")
            if key and self.company.declared(key):
                return key, "application" if one != name else "name" if plain(key.partition(":")[2]) == plain(name) else "alias"
        return self.company.find(name, "Service", "Resource"), "name"

    def _brings(self) -> Iterator[Row]:
        """The commit, when it is known by its full or by an unambiguous short id, and the pull requests it became."""
        sha = self.record["sha"].lower()
        found = self.context.commit_like(sha, self.repo) if sha else None
        if found is not None:
            repo, full = found
            yield self._edge("INCLUDES", f"commit:{repo}@{full}", how="sha")
            for number in self.context.pulls_of(repo, full):
                pull = self.context.item(repo, number)
                if pull and pull.startswith("pr:"):
                    yield self._edge("INCLUDES", pull, how="sha")

    def _refers(self) -> Iterator[Row]:
        back = self.company.find(self.record["rollback_of"], "Deploy") if self.record["rollback_of"] else None
        if back and back != self.key:
            yield self._edge("REFERENCES", back, how="rolls back")
        for id_ in dict.fromkeys(_TICKET.findall(self.record["description"])):
            ticket = self.company.find(id_, "Ticket")
            if ticket:
                yield self._edge("REFERENCES", ticket)
        for said in references(self.record["description"]) if self.repo else ():
            item = self.context.item(said.repo_from(self.repo), said.number)
            if item:
                yield self._edge("REFERENCES", item)
