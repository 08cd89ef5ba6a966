"""Git records to rows: pure, in one pass, the same rows for the same records and context.

Where GitHub data holds a pull request, git adds only its commits, files, release and links.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from brain.connectors.context import Context
from brain.connectors.git_files import Files
from brain.connectors.git_message import is_default_merge, prose
from brain.connectors.git_pull_rows import PullRows
from brain.connectors.git_section import Section
from brain.connectors.references import CLOSING, ticket_references
from brain.types import EdgeRow, NodeRow, Row, Skip, TextRow

Raw = dict[str, Any]


def rows(records: Iterable[Raw], context: Context) -> Iterator[Row]:
    """The rows of one repository's records. Only what a `repo` record announces is closed with files,
    directories and issues: a part of the records (those that are gone) brings only itself.
    """
    stream = iter(records)
    head = next(stream, None)
    if head is None:
        return
    section = Section(head["source"], context.repo(head["repo"]), head.get("access") or "open", context, str(head.get("path") or "?"))
    reading = _Rows(section)
    for record in stream:
        yield from reading.record(record)
    yield from reading.close()


class _Rows:
    """One repository on its way to rows."""

    def __init__(self, section: Section) -> None:
        self.section = section
        self.files = Files(section)
        self.pulls = PullRows(section, self.files)
        self.announced = False
        self.unknown = 0
        self.closes: set[tuple[str, str]] = set()

    def record(self, record: Raw) -> Iterator[Row]:
        kind = record["kind"]
        if kind == "repo":
            yield from self._repo(record)
        elif kind == "commit":
            yield from self._commit(record)
        elif kind == "tag":
            yield from self._release(record)
        elif kind == "pull_ref":
            yield from self.pulls.pull_ref(record)
        elif kind == "tree":
            self.files.present(record["paths"])
        elif kind == "skip":
            yield Skip(record["reason"], self.section.origin(record), record.get("count", 1))

    def close(self) -> Iterator[Row]:
        yield from self.pulls.close()
        if self.announced:
            yield from self.files.rows()
            yield from self._issues()
        yield from self.section.people()
        if self.unknown:
            yield Skip("names an issue or pull request that is not loaded", self.section.origin(), self.unknown)

    def _repo(self, record: Raw) -> Iterator[Row]:
        self.announced = True
        repo = self.section.repo
        props = {"org": repo.partition("/")[0], "short": repo.partition("/")[2], "default_branch": record["default_branch"]}
        aliases = self.section.context.aliases(repo)
        if aliases:
            props["aliases"] = aliases
        yield self.section.node(f"repo:{repo}", repo, record, **props)

    def _release(self, record: Raw) -> Iterator[Row]:
        key = f"release:{self.section.repo}@{record['tag']}"
        props = {"repo": self.section.repo, "tag": record["tag"], "at": record["at"], "published_at": record["at"], "sha": record["sha"]}
        yield self.section.node(key, record["tag"], record, **props)
        yield self.section.edge(key, "IN_REPO", f"repo:{self.section.repo}", record)

    def _commit(self, record: Raw) -> Iterator[Row]:
        section, sha = self.section, record["sha"]
        key, at, merge = section.commit(sha), record["at"], len(record["parents"]) > 1
        author = section.person(record["author"])
        reverts = record.get("reverts")
        props = {
            "repo": section.repo,
            "sha": sha,
            "subject": record["subject"],
            "at": at,
            "access": section.access,
            "authored_at": record["authored_at"],
            "on_default": record["on_default"],
            "merge": merge,
            "n_files": len(record["files"]),
            "reverts": (section.context.full_sha(section.repo, reverts) or reverts) if reverts else None,
            "bot": section.context.is_bot(author) if author else None,
        }
        yield section.node(key, record["subject"] or sha[:10], record, **props)
        yield section.edge(key, "IN_REPO", f"repo:{section.repo}", record)
        yield from self._authors(key, author, record)
        if not merge:
            yield from self.files.touched(key, record["files"], sha, at, record)
        if not section.context.ships_with_its_pull(section.repo, sha):
            for tag in record.get("first_tags") or ():
                yield section.shipped(key, tag, record)
        yield from self.pulls.commit(record)
        yield from self._links(key, record)
        yield from self._tickets(key, record)
        yield from self._text(key, author, record, merge)

    def _authors(self, key: str, author: str | None, record: Raw) -> Iterator[Row]:
        if author:
            yield self.section.edge(author, "AUTHORED", key, record, at=record["at"])
        for ident in record["co_authors"]:
            person = self.section.person(ident)
            if person and person != author:
                yield self.section.edge(person, "AUTHORED", key, record, at=record["at"], co=True)

    def _links(self, key: str, record: Raw) -> Iterator[EdgeRow]:
        context, here = self.section.context, self.section.repo
        own = {f"pr:{here}#{n}" for n in (*context.pulls_of(here, record["sha"]), *context.parts_of(here, record["sha"]))}
        named = {ref["number"] for ref in record["pr_refs"] if ref["repo"] is None}
        for ref in record.get("refs") or ():
            repo = context.repo(_repo_of(ref["repo"], here))
            target = context.item(repo, ref["number"])
            closes = ref["keyword"] in CLOSING
            if target is None:
                self.unknown += bool(closes or ref["repo"])
                continue
            if target in own or (ref["repo"] is None and ref["number"] in named and not closes):
                continue
            props = {"crossRepo": repo != here, "at": record["at"]}
            if not closes:
                yield self.section.edge(key, "REFERENCES", target, record, **props)
                continue
            for source in (key, *sorted(own)):
                if (source, target) in self.closes:
                    continue
                self.closes.add((source, target))
                yield self.section.edge(source, "CLOSES", target, record, keyword=ref["keyword"], **props)

    def _tickets(self, key: str, record: Raw) -> Iterator[EdgeRow]:
        """The tickets that the message names: the commit's, and those of the pull request it became where git alone tells of it."""
        section, context = self.section, self.section.context
        pulls = [n for n in context.pulls_of(section.repo, record["sha"]) if not context.github_pull(section.repo, n)]
        for id_, keyword in ticket_references(f"{record['subject']}\n\n{record['body']}").items():
            target = context.company.find(id_, "Ticket")
            if target is not None and context.company.declared(target):
                for source in (key, *(f"pr:{section.repo}#{n}" for n in pulls)):
                    more = {"keyword": keyword} if keyword else {}
                    yield section.edge(source, "CLOSES" if keyword else "REFERENCES", target, record, at=record["at"], **more)

    def _text(self, key: str, author: str | None, record: Raw, merge: bool) -> Iterator[TextRow]:
        subject, body = record["subject"], prose(record["body"])
        if subject and not (merge and is_default_merge(subject)):
            yield self.section.text(key, subject, body, record["at"], author, record)

    def _issues(self) -> Iterator[NodeRow | EdgeRow]:
        repo = self.section.repo
        for number, issue in sorted(self.section.context.git_issues(repo).items()):
            key = f"issue:{repo}#{number}"
            props = {"repo": repo, "number": number, "at": issue.at, "access": self.section.access}
            props["state"] = "closed" if issue.closed else None
            yield self.section.node(key, f"{repo}#{number}", None, **props)
            yield self.section.edge(key, "IN_REPO", f"repo:{repo}", None)


def _repo_of(name: str | None, here: str) -> str:
    if name is None:
        return here
    return name if "/" in name else f"{name}/{here.partition('/')[2]}"
