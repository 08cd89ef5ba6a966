"""Small repositories made by git commands, for tests: every identity and instant is set, and no
configuration of the machine takes part."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from brain.admission import check_edge, check_node
from brain.connectors.context import Context
from brain.connectors.git import fetch, rows
from brain.connectors.github import rows as github_rows
from brain.types import EdgeRow, NodeRow, Row

T0 = 1_600_000_000
DAY = 86_400
ADA = "Ada Lovelace <ada@example.org>"
KEY = b"a key for tests"


class Made:
    """A repository with a work tree. Time goes on by an hour with each commit, unless told."""

    def __init__(self, path: Path, branch: str = "main") -> None:
        self.path = path
        self.now = T0
        path.mkdir(parents=True)
        self.git("init", "--quiet", f"--initial-branch={branch}", "--template=")

    def git(self, *args: str, given: bytes = b"", who: str = ADA, at: int | None = None, written: int | None = None, by: str = "") -> str:
        at = self.now if at is None else at
        name, _, mail = who.partition(" <")
        c_name, _, c_mail = (by or who).partition(" <")
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.path.parent),
            "LC_ALL": "C",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": name,
            "GIT_AUTHOR_EMAIL": mail.rstrip(">"),
            "GIT_AUTHOR_DATE": f"@{at if written is None else written} +0000",
            "GIT_COMMITTER_NAME": c_name,
            "GIT_COMMITTER_EMAIL": c_mail.rstrip(">"),
            "GIT_COMMITTER_DATE": f"@{at} +0000",
        }
        git = shutil.which("git")
        assert git
        done = subprocess.run([git, "-C", str(self.path), *args], input=given, capture_output=True, env=env, check=False)
        assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def write(self, files: dict[str, str | None]) -> None:
        for name, text in files.items():
            file = self.path / os.fsdecode(name.encode("utf-8", "surrogateescape"))
            if text is None:
                file.unlink()
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    def commit(
        self,
        message: str,
        files: dict[str, str | None] | None = None,
        *,
        who: str = ADA,
        at: int | None = None,
        written: int | None = None,
        by: str = "",
        config: tuple[str, ...] = (),
    ) -> str:
        """Commits files (None deletes one) and gives the sha."""
        self.now = self.now + 3600 if at is None else at
        self.write(files or {})
        self.git("add", "-A")
        args = ("commit", "--quiet", "--allow-empty", "--allow-empty-message", "--cleanup=verbatim", "-F", "-")
        self.git(*config, *args, given=message.encode("utf-8", "surrogateescape"), who=who, written=written, by=by)
        return self.git("rev-parse", "HEAD")

    def branch(self, name: str, start: str = "HEAD") -> None:
        self.git("checkout", "--quiet", "-b", name, start)

    def go(self, name: str) -> None:
        self.git("checkout", "--quiet", name)

    def merge(self, branch: str, message: str, *, at: int | None = None, who: str = ADA) -> str:
        self.now = self.now + 3600 if at is None else at
        self.git("merge", "--quiet", "--no-ff", "-m", message, branch, who=who)
        return self.git("rev-parse", "HEAD")

    def pull_head(self, number: int, commit: str = "HEAD") -> None:
        self.git("update-ref", f"refs/pull/{number}/head", commit)

    def tag(self, name: str, commit: str = "HEAD", *, at: int | None = None, zone: str = "+0000") -> None:
        """A lightweight tag, or with `at` an annotated one of that instant."""
        if at is None:
            self.git("tag", name, commit)
            return
        sha, tagger = self.git("rev-parse", commit), f"Ada <ada@example.org> {at} {zone}"
        text = f"object {sha}\ntype commit\ntag {name}\ntagger {tagger}\n\n{name}\n"
        self.git("update-ref", f"refs/tags/{name}", self.git("hash-object", "-t", "tag", "-w", "--stdin", given=text.encode()))

    def raw_commit(self, message: bytes, *, parents: tuple[str, ...] = (), headers: bytes = b"", who: bytes = b"Ada <a@b.org>") -> str:
        """A commit object written byte by byte, with the tree of HEAD."""
        tree = self.git("rev-parse", "HEAD^{tree}").encode()
        lines = [b"tree " + tree, *(b"parent " + p.encode() for p in parents)]
        lines += [kind + b" " + who + b" %d +0000" % self.now for kind in (b"author", b"committer")]
        text = b"\n".join(lines) + b"\n" + headers + b"\n" + message
        return self.git("hash-object", "-t", "commit", "-w", "--stdin", "--literally", given=text)

    def records(self, org: str = "acme", **how: object) -> list[dict]:
        return list(fetch(self.path, identity_key=KEY, org=org, **how))  # type: ignore[arg-type]


class Loaded:
    """Rows of one source, checked against the schema, beside other sources' records."""

    def __init__(self, records: list[dict], *others: list[dict], aliases: dict[str, str] | None = None) -> None:
        self.records = records
        self.context = Context.build([records, *others], aliases)
        make = rows if records[0]["format"] == "git" else github_rows
        self.rows: list[Row] = list(make(iter(records), self.context))
        self.nodes = {r.key: check_node(r) for r in self.rows if isinstance(r, NodeRow)}
        self.edges = [check_edge(r) for r in self.rows if isinstance(r, EdgeRow)]

    def out(self, rel: str, src: str) -> dict[str, dict]:
        return {e.dst: dict(e.props) for e in self.edges if e.rel == rel and e.src == src}

    def into(self, rel: str, dst: str) -> dict[str, dict]:
        return {e.src: dict(e.props) for e in self.edges if e.rel == rel and e.dst == dst}

    def commit(self, sha: str) -> dict:
        return next(r for r in self.records if r["kind"] == "commit" and r["sha"] == sha)


def github(repo: str, *items: dict) -> list[dict]:
    """The records of a GitHub source with these issues and pull requests."""
    source = {"kind": "source", "format": "github", "source": f"github:{repo}", "repo": repo, "access": "open"}
    return [source, *items]


def issue(number: int, **more: object) -> dict:
    return {"kind": "issue", "number": number, "created_at": T0, "author": "ada", "title": "t", "body": "", "state": "open"} | more


def pull(number: int, **more: object) -> dict:
    return {**issue(number), "kind": "pull", "merge_sha": None, "head_sha": None, "merged_by": None} | more
