"""GitHub records to rows: pure, in one pass, and the same rows for the same records and context.

Where a repository's git is loaded too, commits, files and releases' contents are git's to tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from brain.connectors.context import Context
from brain.connectors.github_changes import Changes
from brain.connectors.github_fields import Raw
from brain.connectors.github_structure import avatar
from brain.connectors.github_text import Source, Spoken, links, texts
from brain.types import EdgeRow, NodeRow, Origin, Row, Skip

_SHARED = (
    "number",
    "title",
    "state",
    "created_at",
    "closed_at",
    "updated_at",
    "labels",
    "assignees",
    "milestone",
    "gone",
)
_PULL_ONLY = ("merged_at", "merge_sha", "head_sha", "draft", "base")


def rows(records: Iterable[Raw], context: Context) -> Iterator[Row]:
    """The rows of one or more sections of GitHub records, each opened by its `source` record.

    References to what is not loaded are counted in one Skip a section.
    """
    writer: _Writer | None = None
    for record in records:
        if record["kind"] == "source":
            if writer is not None:
                yield from writer.close()
            writer = _Writer(record, context)
            yield writer.repo({})
        elif writer is not None:
            yield from writer.write(record)
    if writer is not None:
        yield from writer.close()


class _Writer:
    """One section on its way: what must wait for the rest of it, and the people already written."""

    def __init__(self, source: Raw, context: Context) -> None:
        self.context = context
        repo = context.repo(source["repo"])
        self.source = Source(source["source"], repo, source["access"], source.get("path") or source["source"])
        self.people: set[str] = set()
        self.unknown = 0
        self.changes = Changes(self.source, context)

    def write(self, record: Raw) -> Iterator[Row]:
        kind = record["kind"]
        if kind in ("issue", "pull"):
            yield from self._item(record)
        elif kind == "remarks":
            yield from self._remarks(record)
        elif kind == "repo":
            yield self.repo(record)
        elif kind == "release":
            yield from self._release(record)
        elif kind == "person" and self.context.acted(record["login"]):
            yield from self._person(record["login"], record)
        elif kind == "commit" and not self.context.has_git(self.source.repo):
            yield from self._commit(record)

    def close(self) -> Iterator[Row]:
        yield from self.changes.close()
        if self.unknown:
            yield Skip("reference to something not loaded", Origin(self.source.file), self.unknown)

    def repo(self, record: Raw) -> NodeRow:
        """The node of the repository, bare at first and with what its own record says when that comes."""
        repo = self.source.repo
        owner, _, short = repo.partition("/")
        props = {
            "org": owner,
            "short": short,
            **_some(record, "description", "topics", "default_branch", "archived", "gone"),
        }
        props |= {"aliases": earlier} if (earlier := self.context.aliases(repo)) else {}
        if record.get("default_branch"):
            self.changes.default_branch = record["default_branch"]
        return NodeRow(f"repo:{repo}", repo, self.source.id, props, self._origin(record))

    def _person(self, login: Any, said: Raw | None = None) -> Iterator[Row]:
        """The node of a person, once; nothing for a deleted user."""
        key = self.context.person(login)
        if key is None or (key in self.people and said is None):
            return
        self.people.add(key)
        shown = login["login"] if isinstance(login, Mapping) else login
        props = {"login": shown, "avatar": avatar(shown) if shown else None, "bot": self.context.is_bot(key)}
        props |= {name: value for name, value in self.context.person_props(key).items() if value is not None}
        if said is not None:
            props |= {"company": said.get("company") or None, "bot": bool(said.get("bot")) or props["bot"]}
        name = self.context.person_name(key) or shown
        yield NodeRow(key, name, self.source.id, {k: v for k, v in props.items() if v is not None}, Origin(self.source.file))

    def _edge(self, login: Any, rel: str, dst: str, record: Raw, id_: str = "", **props: Any) -> Iterator[Row]:
        """An edge from a person, the person's node before it; nothing for a deleted user."""
        yield from self._person(login)
        key = self.context.person(login)
        if key is not None:
            kept = {name: value for name, value in props.items() if value is not None}
            yield EdgeRow(key, rel, dst, kept, self._origin(record), id_)

    def _item(self, record: Raw) -> Iterator[Row]:
        pull = record["kind"] == "pull"
        repo, number = self.source.repo, record["number"]
        key = f"{'pr' if pull else 'issue'}:{repo}#{number}"
        props = {"repo": repo, "at": record["created_at"], "access": self.source.access, "author": record["author"]}
        props |= {"url": record["url"], **_some(record, *_SHARED), **(_some(record, *_PULL_ONLY) if pull else {})}
        if pull:
            props |= {
                "merged_by": record["merged_by"],
                "n_files": self.context.n_files(repo, number) if record["files"] is None else len(record["files"]),
            }
        else:
            props["state_reason"] = record.get("state_reason")
        origin = self._origin(record)
        name = record["title"].strip() or f"{repo}#{number}"
        yield NodeRow(key, name, self.source.id, {k: v for k, v in props.items() if v is not None}, origin)
        yield EdgeRow(key, "IN_REPO", f"repo:{repo}", {}, origin)
        yield from self._edge(record["author"], "AUTHORED" if pull else "OPENED", key, record, at=record["created_at"])
        if pull and record["state"] == "merged":
            yield from self._edge(record["merged_by"], "MERGED", key, record, at=record["merged_at"])
        spoken = [
            Spoken(
                "body",
                record["title"],
                record["body"],
                record["created_at"],
                record["author"] or "",
                record["url"],
                own=True,
            )
        ]
        yield from self._talk(key, record, spoken, record["title"], record["created_at"])
        yield from self._linked(key, record)
        if pull:
            yield from self.changes.pull(key, record, origin)

    def _remarks(self, record: Raw) -> Iterator[Row]:
        key = self.context.item(self.source.repo, record["number"])
        if key is None:
            count = sum(len(record[name]) for name in ("comments", "reviews", "inline"))
            yield Skip(f"comments and reviews of #{record['number']}, which is not loaded", self._origin(record), max(count, 1))
            return
        yield from self._talk(key, record, [], key.partition(":")[2], 0)
        if key.startswith("pr:"):
            yield from self.changes.pull(key, record, self._origin(record))

    def _talk(self, key: str, record: Raw, spoken: list[Spoken], title: str, created: int) -> Iterator[Row]:
        """Comments and reviews as edges, then every text of the record as chunks and links."""
        for remark in record["comments"]:
            at = remark["at"] or created
            yield from self._edge(remark["author"], "COMMENTED_ON", key, record, remark["id"], at=at)
            spoken.append(Spoken.of(f"comment/{remark['id']}", title, remark, at))
        if key.startswith("pr:"):
            yield from self._reviews(key, record, spoken, title, created)
        yield from texts(key, self.source, spoken)
        found = list(links(key, self.source, spoken, self.context))
        for login in sorted({row.dst for row in found if isinstance(row, EdgeRow) and row.rel == "MENTIONS"}):
            yield from self._person(login.partition(":")[2])
        for row in found:
            if isinstance(row, Skip):
                self.unknown += row.count
            else:
                yield row

    def _reviews(self, key: str, record: Raw, spoken: list[Spoken], title: str, created: int) -> Iterator[Row]:
        inline = list(record.get("inline", ()))
        for review in record.get("reviews", ()):
            at = review["at"] or created
            if review["state"] != "PENDING":
                yield from self._edge(review["author"], "REVIEWED", key, record, review["id"], at=at, state=review["state"])
                spoken.append(Spoken.of(f"review/{review['id']}", title, review, at))
            inline += review["comments"]
        for remark in inline:
            at = remark["at"] or created
            yield from self._edge(remark["author"], "COMMENTED_ON", key, record, remark["id"], at=at, inline=True)
            spoken.append(Spoken.of(f"review-comment/{remark['id']}", title, remark, at))

    def _linked(self, key: str, record: Raw) -> Iterator[Row]:
        """Closings that GitHub itself has linked, whatever the text says."""
        for link, closes in [(x, True) for x in record.get("closes", ())] + [(x, False) for x in record.get("closed_by", ())]:
            repo = self.context.repo(link["repo"]) if link["repo"] else self.source.repo
            other = self.context.item(repo, link["number"])
            src, dst = (key, other) if closes else (other, key)
            if other is None:
                self.unknown += 1
            elif src and dst and src.startswith("pr:") and dst.startswith("issue:"):
                props = {"how": "github", "crossRepo": repo != self.source.repo, "at": record["created_at"]}
                yield EdgeRow(src, "CLOSES", dst, props, self._origin(record))

    def _release(self, record: Raw) -> Iterator[Row]:
        if record["draft"]:
            yield Skip("draft release", self._origin(record))
            return
        repo = self.source.repo
        key = f"release:{repo}@{record['tag']}"
        props = {
            "repo": repo,
            "at": record["at"],
            "published_at": record["at"],
            **_some(record, "tag", "prerelease", "body", "url", "author", "gone"),
        }
        yield NodeRow(key, record["tag"], self.source.id, {k: v for k, v in props.items() if v is not None}, self._origin(record))
        yield EdgeRow(key, "IN_REPO", f"repo:{repo}", {}, self._origin(record))
        at = record["at"] or 0
        yield from self._edge(record["author"], "AUTHORED", key, record, at=record["at"])
        spoken = [
            Spoken(
                "body",
                f"{record['tag']} {record['name']}".strip(),
                record["body"],
                at,
                record["author"] or "",
                record["url"],
            )
        ]
        if record["body"]:
            yield from self._talk(key, {"comments": (), **record}, spoken, record["tag"], at)
        self.changes.release(key, record)

    def _commit(self, record: Raw) -> Iterator[Row]:
        yield from self._person(record["author"])
        yield from self.changes.commit(record, self._origin(record))
        subject, _, body = record["message"].partition("\n")
        key = f"commit:{self.source.repo}@{record['sha']}"
        yield from self._edge(record["author"], "AUTHORED", key, record, at=record["authored_at"])
        login = record["author"].get("login") or ""
        spoken = [Spoken("body", subject, body.strip(), record["at"], login, "", own=True)]
        yield from self._talk(key, {"comments": (), **record}, spoken, subject, record["at"])

    def _origin(self, record: Raw) -> Origin:
        return Origin(record.get("file") or self.source.file, record.get("line") or 0)


def _some(record: Raw, *names: str) -> dict[str, Any]:
    return {name: record[name] for name in names if record.get(name) not in (None, "", [])}
