"""Files, commits and releases of pull requests, as far as GitHub's own data tells them.

Where a repository's git is loaded, git knows better: then only pull requests whose branch git does not
hold are told here, their commits as far as git has them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from brain.connectors.context import Context
from brain.connectors.github_fields import Raw
from brain.connectors.github_text import Source
from brain.connectors.references import references
from brain.types import EdgeRow, NodeRow, Origin, Row

NOTES, AFTER = "release notes", "first release after merge"


class Changes:
    """What one section says of changes; the links between its parts come at the end."""

    def __init__(self, source: Source, context: Context) -> None:
        self.source, self.context = source, context
        self.silent = context.has_git(source.repo)
        self.earlier = context.earlier_paths(source.repo)
        self.default_branch: str | None = None
        self.releases: list[tuple[int, str, str]] = []
        self.merged: dict[str, tuple[int, str | None]] = {}
        self.includes: list[tuple[str, str, str]] = []
        self.commits: set[str] = set()
        self.paths: set[str] = set()

    def pull(self, key: str, record: Raw, origin: Origin) -> Iterator[Row]:
        """The files a pull request touched; its commits and release are remembered."""
        if self.silent:
            yield from self._beside_git(key, record, origin)
            return
        yield from self._touched(key, record.get("files"), record.get("created_at"), origin)
        self.includes += [(key, sha, "head") for sha in record.get("commits") or ()]
        if record.get("state") == "merged":
            if record.get("merge_sha"):
                self.includes.append((key, record["merge_sha"], "mergeCommit.oid"))
            if record.get("merged_at"):
                self.merged[key] = (record["merged_at"], record.get("base"))

    def _beside_git(self, key: str, record: Raw, origin: Origin) -> Iterator[Row]:
        """What an ordinary clone lacks: it has no pull request's branch, open ones not at all."""
        repo, number = self.source.repo, record["number"]
        if self.context.pull_head(repo, number) is not None:
            return
        merged_at = record.get("merged_at")
        yield from self._touched(key, record.get("files"), merged_at or record.get("created_at"), origin)
        became = self.context.merge_commit(repo, number)
        for sha in record.get("commits") or ():
            if sha != became and self.context.commit(repo, sha) is not None:
                yield EdgeRow(key, "INCLUDES", f"commit:{repo}@{sha}", {"how": "head"}, origin)

    def commit(self, record: Raw, origin: Origin) -> Iterator[Row]:
        """The node of a commit and the files it touched."""
        repo, sha = self.source.repo, record["sha"]
        key = f"commit:{repo}@{sha}"
        subject = record["message"].partition("\n")[0].strip()
        props = {
            "repo": repo,
            "sha": sha,
            "subject": subject,
            "at": record["at"],
            "authored_at": record["authored_at"],
            "merge": len(record["parents"]) > 1,
            "access": self.source.access,
        }
        if record.get("files") is not None:
            props["n_files"] = len(record["files"])
        self.commits.add(sha)
        yield NodeRow(key, subject or sha[:10], self.source.id, props, origin)
        yield EdgeRow(key, "IN_REPO", f"repo:{repo}", {}, origin)
        yield from self._touched(key, record.get("files"), record["at"], origin)

    def release(self, key: str, record: Raw) -> None:
        """Remember a published release and what its notes say."""
        if not self.silent and record["at"]:
            self.releases.append((record["at"], key, record["body"]))

    def close(self) -> Iterator[Row]:
        """INCLUDES for commits that are there, SHIPPED_IN by the notes or else by time."""
        origin = Origin(self.source.file)
        done: set[tuple[str, str]] = set()
        for key, sha, how in sorted(self.includes, key=lambda entry: entry[2], reverse=True):
            if sha in self.commits and (key, sha) not in done:
                done.add((key, sha))
                yield EdgeRow(key, "INCLUDES", f"commit:{self.source.repo}@{sha}", {"how": how}, origin)
        self.releases.sort()
        named = self._named_in_notes()
        for key, (merged_at, base) in self.merged.items():
            release, how = named.get(key), NOTES
            if release is None and base in (None, self.default_branch or base):
                release, how = next((rel for at, rel, _ in self.releases if at >= merged_at), None), AFTER
            if release is not None:
                yield EdgeRow(key, "SHIPPED_IN", release, {"how": how, "source": how, "at": self._at(release)}, origin)

    def _named_in_notes(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for at, release, body in self.releases:
            for ref in references(body):
                repo = self.context.repo(ref.repo_from(self.source.repo))
                key = self.context.item(repo, ref.number)
                if key in self.merged and self.merged[key][0] <= at:
                    found.setdefault(key, release)
        return found

    def _at(self, release: str) -> int:
        return next(at for at, key, _ in self.releases if key == release)

    def _touched(self, key: str, files: list[Any] | None, at: int | None, origin: Origin) -> Iterator[Row]:
        seen: set[str] = set()
        for status, path, _, added, deleted in files or ():
            latest = self.context.path_since(self.source.repo, path, at)
            if latest in seen:
                continue
            seen.add(latest)
            node = f"file:{self.source.repo}/{latest}"
            yield from self._file(node, latest, origin)
            props = {"status": status, "path": path, "added": added, "deleted": deleted, "at": at}
            yield EdgeRow(key, "TOUCHED", node, {k: v for k, v in props.items() if v is not None}, origin)

    def _file(self, key: str, path: str, origin: Origin) -> Iterator[Row]:
        if path in self.paths:
            return
        self.paths.add(path)
        repo, base = self.source.repo, path.rpartition("/")[2]
        props: dict[str, Any] = {"repo": repo, "path": path, "base": base}
        props["ext"] = base.rpartition(".")[2].lower() if "." in base[1:] else ""
        if earlier := self.earlier.get(path):
            props["earlier_names"] = earlier
        yield NodeRow(key, path, self.source.id, props, origin)
        yield EdgeRow(key, "IN_REPO", f"repo:{repo}", {}, origin)
        yield from self._folders(key, path, origin)

    def _folders(self, child: str, path: str, origin: Origin) -> Iterator[Row]:
        """The folder a file lies in, its folder, and so on up to the root, each once."""
        repo = self.source.repo
        while True:
            path = path.rpartition("/")[0]
            key = f"dir:{repo}/{path}" if path else f"dir:{repo}"
            yield EdgeRow(child, "IN_DIR", key, {}, origin)
            if f"{path}/" in self.paths:
                return
            self.paths.add(f"{path}/")
            depth = path.count("/") + 1 if path else 0
            props = {"repo": repo, "path": path, "depth": depth}
            yield NodeRow(key, path or repo, self.source.id, props, origin)
            yield EdgeRow(key, "IN_REPO", f"repo:{repo}", {}, origin)
            if not path:
                return
            child = key
