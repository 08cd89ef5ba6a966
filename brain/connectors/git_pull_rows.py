"""Pull requests as git tells them: the commit one became, its files, release, commits and reviewers.

The node itself is git's only where no GitHub data holds it. Git cannot know that a pull request was
closed without landing, so one that did not land is "open" with `merge_how` "unknown".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from brain.connectors.git_files import Files
from brain.connectors.git_message import is_default_merge, prose, without_number
from brain.connectors.git_section import Section
from brain.types import Row

Raw = dict[str, Any]


class PullRows:
    """Makes the pull request rows of one repository; sees commits (newest first), then pull heads."""

    def __init__(self, section: Section, files: Files) -> None:
        self._section, self._files = section, files
        self._merged: dict[int, set[str]] = {}  # files of a merge whose branch is still to come
        self._waiting: dict[str, list[tuple[int, Raw]]] = {}  # by the branch tip that a merge brought in

    def commit(self, record: Raw) -> Iterator[Row]:
        """Rows of the pull requests that became this commit, or whose branch ended with it."""
        for number, merge in self._waiting.pop(record["sha"], ()):
            yield from self._node(number, merge, merge["at"], record["author"])
        for number in self._section.context.pulls_of(self._section.repo, record["sha"]):
            yield from self._landed(number, record)

    def close(self) -> Iterator[Row]:
        """Rows of pull requests whose branch is absent, in a shallow clone."""
        for number, merge in (entry for entries in self._waiting.values() for entry in entries):
            yield from self._node(number, merge, merge["at"], None)

    def _landed(self, number: int, record: Raw) -> Iterator[Row]:
        section, sha, at = self._section, record["sha"], record["at"]
        key = f"pr:{section.repo}#{number}"
        joined = section.context.join_of(section.repo, number)
        yield section.edge(key, "INCLUDES", section.commit(sha), record, how=joined[1] if joined else None)
        head = section.context.pull_head(section.repo, number)
        seen: set[str] = set()
        yield from self._files.touched(key, record["files"], sha, at, record, seen)
        if head is not None:
            self._merged[number] = seen
        for part in () if head else record.get("brings") or ():
            if section.context.commit(section.repo, part) is not None:
                yield section.edge(key, "INCLUDES", section.commit(part), record, how="head")
        for tag in section.context.shipped(section.repo, number):
            yield section.shipped(key, tag, record)
        if section.context.github_pull(section.repo, number):
            return
        if head is not None:
            yield from self._node(number, record, head.first_at, head.author)
        elif len(record["parents"]) > 1:
            self._waiting.setdefault(record["parents"][1], []).append((number, record))
        else:
            yield from self._node(number, record, at, record["author"])
        yield from self._people(key, record)

    def _node(self, number: int, record: Raw, created: int, author: Raw | None) -> Iterator[Row]:
        """The pull request's node, its text and author; `record` is the commit it became, or its head."""
        section, key = self._section, f"pr:{self._section.repo}#{number}"
        head, joined = section.context.pull_head(section.repo, number), section.context.join_of(section.repo, number)
        merged = record["on_default"]
        title, body = _title(record, head.title if head else "")
        person = section.person(author)
        props = {
            "repo": section.repo,
            "number": number,
            "title": title,
            "access": section.access,
            "at": created,
            "created_at": created,
            "state": "merged" if merged else "open",
            "merged_at": record["at"] if merged and joined else None,
            "merge_sha": joined[0] if joined else None,
            "merge_how": (joined[1] if joined else "head") if merged else "unknown",
            "head_sha": head.head if head else None,
            "n_files": len(record["files"]),
            "author": section.context.person_name(person) if person else None,
        }
        yield section.node(key, title or f"{section.repo}#{number}", record, **props)
        yield section.edge(key, "IN_REPO", f"repo:{section.repo}", record)
        if person:
            yield section.edge(person, "AUTHORED", key, record, at=created)
        others = {section.person(ident) for ident in record["co_authors"]} - {person, None}
        for co in sorted(str(other) for other in others):
            yield section.edge(co, "AUTHORED", key, record, at=created, co=True)
        if title and len(record["parents"]) > 1:
            yield section.text(key, title, body, created, person, record)

    def _people(self, key: str, record: Raw) -> Iterator[Row]:
        section, at = self._section, record["at"]
        if len(record["parents"]) > 1:
            merger = section.person(record["author"])
            if merger:
                yield section.edge(merger, "MERGED", key, record, at=at)
        for ident in record["reviewers"]:
            person = section.person(ident)
            if person:
                id_ = f"trailer/{person}"
                yield section.edge(person, "REVIEWED", key, record, id_, at=at, state="APPROVED", how="Reviewed-By")

    def pull_ref(self, record: Raw) -> Iterator[Row]:
        """Rows of one pull head."""
        section, number = self._section, record["number"]
        context, repo = section.context, section.repo
        if not (context.item(repo, number) or "").startswith("pr:"):
            return
        key, joined = f"pr:{repo}#{number}", context.join_of(repo, number)
        created = record.get("first_at") or record["at"]
        for sha in record["commits"]:
            if context.commit(repo, sha) is not None and not (joined and joined[0] == sha):
                yield section.edge(key, "INCLUDES", section.commit(sha), record, how="head")
        start = record.get("base") or record["head"]
        if joined:
            if context.branch_is_whole(repo, number):
                merge = context.commit(repo, joined[0])
                at = merge.at if merge else created
                yield from self._files.touched(key, record["files"], start, at, record, self._merged.pop(number, None))
            return
        yield from self._files.touched(key, record["files"], start, created, record)
        for tag in context.shipped(repo, number):
            yield section.shipped(key, tag, record)
        if not context.github_pull(repo, number):
            shown = {**record, "subject": "", "body": "", "parents": (), "co_authors": (), "on_default": bool(record.get("landed"))}
            yield from self._node(number, shown, created, record.get("author"))


def _title(record: Raw, of_branch: str) -> tuple[str, str]:
    subject, body = record["subject"], prose(record["body"])
    if is_default_merge(subject):
        first, _, rest = body.partition("\n")
        return first.strip() or without_number(of_branch) or subject, rest.strip()
    return without_number(subject or of_branch), body
