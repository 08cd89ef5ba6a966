"""CODEOWNERS files: who owns which files and folders of a repository. Every rule is read, or left out with its line.

GitHub reads one file of a repository: `.github/CODEOWNERS`, else the one at its root, else the one in `docs/`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from brain.connectors.backstage_yaml import Unreadable, decoded
from brain.connectors.codeowners_rows import known, rows
from brain.connectors.codeowners_rules import read, teams_org
from brain.connectors.folders import files_under
from brain.connectors.git_message import People
from brain.connectors.git_process import opened
from brain.connectors.git_refs import repository_name
from brain.connectors.references import redact
from brain.errors import BadInput
from brain.records import Record

__all__ = ["OPTIONS", "fetch", "known", "recognise", "rows"]

OPTIONS = {"repo": "the repository of the one file, as ORG/NAME", "org": "the organisation of the repositories"}
PLACES = (".github", "", "docs", ".gitlab")
LARGEST = 3_000_000
_OWNED = re.compile(rb"^[^#\s]\S*[ \t]+[^#\s]*@", re.MULTILINE)


def recognise(path: Path) -> bool:
    """Whether a file is called CODEOWNERS and owns something, or a folder has such a file where GitHub looks."""
    if path.is_dir():
        return any((path / place / "CODEOWNERS").is_file() for place in PLACES)
    try:
        return path.name == "CODEOWNERS" and bool(_OWNED.search(path.read_bytes()[:LARGEST]))
    except OSError:
        return False


def fetch(
    paths: Sequence[Path], *, base: Path, name: str, access: str, identity_key: bytes, options: Mapping[str, str]
) -> Iterator[Record]:
    """The records of the files. Raises BadInput for what is not there, and when one repository is named for several files."""
    for path in paths:
        if not path.exists():
            raise BadInput(f"{path}: there is no such file or folder")
    base = base.resolve()
    named = {path.resolve() for path in paths if path.is_file()}
    files = sorted(named | {file.resolve() for file in files_under(paths) if file.name in ("CODEOWNERS", "OWNERS")})
    if options.get("repo") and sum(file.name != "OWNERS" for file in files) > 1:
        raise BadInput(f"repo={options['repo']} names one repository; there are {len(files)} files: load them one by one")
    reading = _Reading(base, access, People(identity_key), options)
    source = {"kind": "source", "format": "codeowners", "source": f"codeowners:{name}", "root": str(base), "complete": False}
    yield {**source, "as_of": 0, "access": access, "path": ", ".join(map(str, paths))}
    roots: defaultdict[Path, list[Path]] = defaultdict(list)
    for file in files:
        roots[file.parent.parent if file.parent.name in PLACES else file.parent].append(file)
    for root, found in sorted(roots.items()):
        yield from reading.repository(root, found)
    yield {"kind": "totals", **{n: reading.totals[n] for n in ("files", "read", "kept", "skipped")}}


class _Reading:
    """The files on their way, one repository after the other."""

    def __init__(self, base: Path, access: str, people: People, options: Mapping[str, str]) -> None:
        self._base, self._access, self._people = base, access, people
        self._repo, self._org = options.get("repo", ""), options.get("org", "")
        self.totals: Counter[str] = Counter()

    def repository(self, root: Path, files: list[Path]) -> Iterator[Record]:
        """The one file of a repository that counts, and why the others do not."""
        order = sorted(files, key=lambda f: PLACES.index(f.parent.name if f.parent != root else ""))
        counting = next((f for f in order if f.name != "OWNERS"), None)
        for file in order:
            self.totals["files"] += 1
            if file.name == "OWNERS":
                yield self._skip(file, "an OWNERS file, which is of another format", 1)
            elif file != counting:
                yield self._skip(file, "not read by GitHub, which takes the CODEOWNERS beside it", 1)
            elif self._clone(root) not in (None, root):
                yield self._skip(file, "not read by GitHub: neither at the root of the repository nor in .github or docs", 1)
            else:
                yield from self._file(root, file, self._clone(root) is not None)

    def _clone(self, root: Path) -> Path | None:
        """The clone that a folder is in, as far as what is loaded reaches."""
        return next((up for up in (root, *root.parents) if up.is_relative_to(self._base) and (up / ".git").exists()), None)

    def _skip(self, file: Path, reason: str, line: int) -> Record:
        self.totals["read"] += 1
        self.totals["skipped"] += 1
        return {"kind": "skip", "reason": reason, "file": self._place(file), "line": line, "count": 1}

    def _place(self, file: Path) -> str:
        return file.relative_to(self._base).as_posix() if file.is_relative_to(self._base) else file.name

    def _file(self, root: Path, file: Path, clone: bool) -> Iterator[Record]:
        try:
            if file.stat().st_size > LARGEST:
                raise Unreadable("a file larger than 3 MB, which GitHub does not read", 1)
            text = decoded(file.read_bytes())
        except Unreadable as err:
            yield self._skip(file, str(err), err.line)
            return
        except OSError as err:
            yield self._skip(file, f"cannot be read: {err.strerror or err}", 1)
            return
        found = read(text, self._people)
        self.totals["read"] += len(found.rules)
        self.totals["kept"] += len(found.rules)
        place = self._place(file)
        yield {
            "kind": "owners", "path": place, "file": place, "line": 1, "access": self._access, "text": redact(text),
            **self._name(root, clone, teams_org(found.rules)), "rules": found.rules, "invalid": [list(entry) for entry in found.invalid],
        }  # fmt: skip
        for reason, line in found.refused:
            yield self._skip(file, reason, line)

    def _name(self, root: Path, clone: bool, org: str) -> Record:
        """`repo` where it is certain, else the short name and the organisation as far as known."""
        if self._repo:
            return {"repo": self._repo if "/" in self._repo else f"{self._org or org or 'local'}/{self._repo}"}
        if clone:
            with opened(root, None) as repository:
                return {"repo": repository_name(repository, self._org or None, None)}
        return {"short": root.name or self._base.name, "org": self._org, "teams_org": org}
