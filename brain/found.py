"""What lies in a folder: which files are of which format, told by their content, and what is of none.

Every file is counted once: read as something, or left out with a reason. Working trees of clones are searched for
documents, catalogues and owners alone; the rest of them git knows.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from brain.connectors import FORMATS
from brain.connectors.folders import entries, place
from brain.connectors.git_process import opened
from brain.connectors.git_refs import remote_owner
from brain.connectors.github import is_backup
from brain.connectors.github_fields import repo_of
from brain.connectors.github_kinds import kind_of
from brain.connectors.json_values import first_value
from brain.connectors.tally import Tally
from brain.errors import BadInput

IN_CLONES = ("backstage", "codeowners", "markdown")
NAMED = 300
_JSON = (".json", ".jsonl", ".ndjson")
_TEXT = (*_JSON, ".md", ".markdown", ".mdx", ".rst", ".adoc", ".txt", ".yaml", ".yml", ".csv", ".tsv", ".zip", "")


@dataclass
class Found:
    """The parts of a folder. `groups` are the files of a format by the name of the source they make, `loose` are lists of
    GitHub data by the same, which belong together; `tally` is what became of each file.
    """

    folder: Path
    repositories: list[Path] = field(default_factory=list)
    archives: list[Path] = field(default_factory=list)
    loose: dict[str, list[Path]] = field(default_factory=lambda: defaultdict(list))
    groups: dict[tuple[str, str], list[Path]] = field(default_factory=lambda: defaultdict(list))
    tally: Tally = field(default_factory=Tally)

    def name(self, path: Path) -> str:
        """The first folder on the way to the path; for what lies directly in the searched folder, that one's name."""
        parts = path.relative_to(self.folder).parts
        inside = len(parts) > 1 or (len(parts) == 1 and path.is_dir())
        return parts[0] if inside else self.folder.name or "root"

    def root(self, name: str) -> Path:
        """The folder that the files of a source of this name all lie in."""
        return self.folder / name if (self.folder / name).is_dir() and name != self.folder.name else self.folder

    def __bool__(self) -> bool:
        return bool(self.repositories or self.archives or self.loose or self.groups)


def look(path: Path) -> Found:
    """What lies in the folder, or what the one file is. Raises BadInput when it is not there or cannot be read."""
    if not path.exists():
        raise BadInput(f"{path}: there is no such file or folder")
    path = path.resolve()
    if path.is_file():
        found = Found(path.parent)
        _file(found, path, in_clone=False)
        return found
    found = Found(path)
    waiting = [(path, False)]
    while waiting:
        folder, in_clone = waiting.pop()
        try:
            waiting += reversed(_folder(found, folder, in_clone))
        except OSError as error:
            found.tally.skip(f"cannot be read: {error.strerror}", place(folder, found.folder))
    found.repositories.sort()
    return found


def _folder(found: Found, folder: Path, in_clone: bool) -> list[tuple[Path, bool]]:
    """Notes what a folder is or holds; the folders in it that are to be searched."""
    where = place(folder, found.folder)
    if (folder / "HEAD").is_file() and ((folder / "objects").is_dir() or (folder / "packed-refs").is_file()):
        found.repositories.append(folder)
        found.tally.keep("git repositories")
        return []
    if (folder / ".git").exists():
        found.repositories.append(folder)
        found.tally.keep("git repositories")
        in_clone = folder != found.folder
    elif not in_clone and folder != found.folder and is_backup(folder):
        found.loose[where] = [folder]
        found.tally.keep("github backups")
        return []
    whole = None if in_clone else _whole(folder)
    if whole:
        found.groups[whole, found.name(folder)].append(folder)
        found.tally.keep(whole)
        return []
    folders, files, left = entries(folder)
    for name in left:
        if name != ".git" and not in_clone:
            found.tally.skip("a folder that programs keep for themselves, or a link", _above(place(folder / name, found.folder)))
    for file in files:
        _file(found, file, in_clone)
    return [(inner, in_clone) for inner in folders]


def _whole(folder: Path) -> str | None:
    """The format that a folder is one thing of, such as the export of a chat."""
    wholes = (name for name, module in FORMATS.items() if getattr(module, "FOLDERS", False) and module.recognise(folder))
    return next(wholes, None)


def _file(found: Found, file: Path, in_clone: bool) -> None:
    suffix, where = file.suffix.lower(), place(file, found.folder)
    if suffix == ".bundle" and _is_bundle(file):
        found.repositories.append(file)
        found.tally.keep("git repositories")
        return
    format = _format(file, in_clone) if suffix in _TEXT else None
    if format == "github archive":
        found.archives.append(file)
        found.tally.keep("github")
    elif format == "github":
        found.loose[found.name(file)].append(file)
        found.tally.keep("github")
    elif format:
        found.groups[format, found.name(file)].append(file)
        found.tally.keep(format)
    elif not in_clone:
        found.tally.skip(f"{suffix or 'files without an ending'}: of no format that is read", _told(found, where))
    else:
        found.tally.keep("files that git knows")


def _told(found: Found, where: str) -> str:
    """The place that the report names for a file that is left out: the file itself, or its first folder once there are many."""
    return where if found.tally.places < NAMED else _above(where)


def _above(where: str) -> str:
    """The first folder of a path: what is left out is counted for each."""
    return where.partition("/")[0]


def _is_bundle(file: Path) -> bool:
    with file.open("rb") as bundle:
        return bundle.read(16).startswith((b"# v2 git bundle", b"# v3 git bundle"))


def _format(file: Path, in_clone: bool) -> str | None:
    """The format of a file; None when it is of none. What GitHub writes is told before what only resembles it."""
    value = first_value(file) if file.suffix.lower() in _JSON and not in_clone else None
    if isinstance(value, dict) and "magic" in value and "repo" in value:
        return "github archive"
    kind = kind_of(value)
    if kind and not kind.startswith("other:"):
        return "github"
    for name, module in FORMATS.items():
        if hasattr(module, "OPTIONS") and (not in_clone or name in IN_CLONES) and module.recognise(file):
            return name
    return "github" if kind else None


def owner_of(path: Path) -> str | None:
    """The organisation that a repository's origin names; None for a bundle, and for one without an origin on a host."""
    if path.is_file():
        return None
    with opened(path, None) as repository:
        return remote_owner(repository)


def organisation(found: Found) -> str | None:
    """The one organisation that repositories and GitHub data in a folder belong to; None for none or several."""
    owners = {owner_of(path) for path in found.repositories}
    for file in [*found.archives, *(file for files in found.loose.values() for file in files if file.is_file())]:
        value = first_value(file)
        name = (value.get("repo") or repo_of(value)) if isinstance(value, dict) else None
        owners.add(name.partition("/")[0] if isinstance(name, str) and "/" in name else None)
    named = {owner.lower(): owner for owner in sorted(filter(None, owners))}
    return next(iter(named.values())) if len(named) == 1 else None
