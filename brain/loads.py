"""What can be loaded and how: each function gives fetches that `Brain.load` runs, and every source
remembers how it was loaded, so that `sync` can do it again.
"""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brain.connectors import FORMATS
from brain.connectors import auto as auto_format
from brain.connectors import git as git_format
from brain.connectors import github as github_format
from brain.demo import company
from brain.demo.repositories import build
from brain.errors import BadInput
from brain.found import look, organisation, owner_of
from brain.ingest import Fetch, Outcome
from brain.rebuild import Progress
from brain.records import Record
from brain.schema import ACCESS_LABELS
from brain.settings import Settings

if TYPE_CHECKING:
    from brain.brain import Brain

KEY_BYTES = 32
DEMO = Path(__file__).parent / "demo" / "raw"
DEMO_ORG = "merefold"
DEMO_VECTORS = Path(__file__).parent / "demo" / "vectors.npz"


def identity_key(settings: Settings) -> bytes:
    """The secret of this BRAIN_HOME that e-mail addresses are hashed with; made once, whole from the start."""
    path = settings.home / "identity.key"
    fresh = path.with_name(f"identity.{secrets.token_hex(8)}.new")
    try:
        if not path.exists():
            settings.home.mkdir(parents=True, exist_ok=True)
            with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
                out.write(secrets.token_bytes(KEY_BYTES))
            with suppress(FileExistsError):  # somebody else was first: theirs is the key
                os.link(fresh, path)
            fresh.unlink()
        key = path.read_bytes()
    except OSError as err:
        raise BadInput(f"cannot write to {settings.home}: {err.strerror or err}") from err
    if len(key) != KEY_BYTES:
        raise BadInput(f"{path} is damaged; put it back, or delete it and load every repository again")
    return key


def _remembered(fetch: Callable[[], Iterator[Record]], how: dict[str, Any]) -> Fetch:
    def run() -> Iterator[Record]:
        for record in fetch():
            yield {**record, "load": how} if record.get("kind") == "source" else record

    return run


def git(settings: Settings, path: Path, org: str | None, access: str = "open", name: str | None = None) -> Fetch:
    """A git repository of an organisation. `name` overrides what its remote and path say it is called."""
    scratch = settings.home / "scratch"
    how = {"format": "git", "path": str(path.resolve()), "org": org, "access": access, "name": name}

    def fetch() -> Iterator[Record]:
        scratch.mkdir(parents=True, exist_ok=True)
        yield from git_format.fetch(path, identity_key=identity_key(settings), org=org or None, name=name, scratch=scratch, access=access)

    return _remembered(fetch, how)


def github(path: Path | list[Path], org: str | None = None, repo: str | None = None, access: str = "open") -> Fetch:
    """GitHub data in files: one file, a folder of them, or several that belong together."""
    first = path if isinstance(path, Path) else path[0]
    how = {"format": "github", "path": str(first.resolve()), "org": org, "repo": repo, "access": access}
    return _remembered(partial(github_format.fetch, path, org=org, repo=repo, access=access), how)


def github_live(settings: Settings, folder: Path, org: str, repos: list[str], since: str | None, say: Callable[[str], None]) -> Fetch:
    """GitHub itself, by its API; waits for rate limits are said."""
    from brain.connectors.github_live import fetch_live

    how = {"format": "github-live", "org": org, "repos": repos, "since": since}

    def fetch() -> Iterator[Record]:
        start = None
        if since:
            try:
                start = int(datetime.fromisoformat(since).replace(tzinfo=UTC).timestamp())
            except ValueError:
                raise BadInput(f"--since is {since!r}; write 2024-03-01") from None
        yield from fetch_live(
            org, state_dir=folder / "live", repos=repos, since=start, token=settings.github_token, api_root=settings.github_api,
            timeout_s=settings.http_timeout_s, on_wait=lambda seconds, why: say(f"waiting {seconds:.0f} s: {why}"),
        )  # fmt: skip

    return _remembered(fetch, how)


def formats() -> dict[str, dict[str, str]]:
    """The formats that `files` reads, each with its options and what they are for."""
    return {name: dict(module.OPTIONS) for name, module in FORMATS.items() if hasattr(module, "OPTIONS")}


def about(format: str) -> str:
    """What a format is, in the first sentence of its connector."""
    return " ".join((FORMATS[format].__doc__ or format).partition(".")[0].partition("\n\n")[0].split()) + "."


def files(
    settings: Settings,
    format: str,
    paths: Sequence[Path],
    *,
    base: Path,
    name: str,
    root: Path | None = None,
    access: str = "open",
    options: Mapping[str, str] | None = None,
) -> Fetch:
    """Files or folders of a company's format, read together as the source `format:name`.

    What they hold is known by its path from `base`. It replaces what the source was told before from `root` (the one path,
    or `base`, unless given) and nothing else. Raises BadInput for an unknown format or option; a path that is not there costs its own load.
    """
    chosen = dict(options or {})
    _check_options(format, chosen)
    if access not in ACCESS_LABELS:
        raise BadInput(f"access is {access!r}; legal: {', '.join(ACCESS_LABELS)}")
    found, base = [path.resolve() for path in paths], base.resolve()
    scope = str(root.resolve() if root else found[0] if len(found) == 1 else base)
    read = {"paths": [str(p) for p in found], "base": str(base), "root": scope}
    how = {"format": format, **read, "name": name, "access": access, "options": chosen}

    def fetch() -> Iterator[Record]:
        for path in found:
            if not path.exists():
                raise BadInput(f"{path}: there is no such file or folder")
        key = identity_key(settings)
        for record in FORMATS[format].fetch(found, base=base, name=name, access=access, identity_key=key, options=chosen):
            yield {**record, "root": scope, "load": how} if record.get("kind") == "source" else record

    return fetch


def _check_options(format: str, options: Mapping[str, str]) -> None:
    known = formats()
    if format not in known:
        raise BadInput(f"there is no format {format!r}; legal: {', '.join(['auto', *FORMATS])}")
    for option in options:
        if option not in known[format]:
            legal = ", ".join(f"{k} ({why})" for k, why in known[format].items()) or "none"
            raise BadInput(f"{format} has no option {option!r}; legal: {legal}")


def named(
    settings: Settings, format: str, path: Path, *, name: str = "", access: str = "open", options: Mapping[str, str] | None = None
) -> Fetch:
    """One file or folder of a format. What it holds is known by its path from the folder it lies in, and the source by
    the name of the folder, unless another is given.
    """
    whole = path.resolve()
    called = name or (whole if whole.is_dir() else whole.parent).name or format
    return files(settings, format, [path], base=whole.parent, name=called, access=access, options=options)


def auto(settings: Settings, path: Path, org: str | None = None, access: str = "open") -> dict[str, Fetch]:
    """Everything in a folder that is of a format we read, told by its content: repositories, GitHub data, then the rest;
    and a report of what is of none. Without `org`, repositories belong to whom their origin or the one organisation of the
    other data says.

    Raises BadInput when the path is not there, holds nothing that is read, or the organisation cannot be told.
    """
    found = look(path)
    if not found:
        raise BadInput(f"{path} holds nothing of a format that is read: git, GitHub data, {', '.join(formats())}")
    how = {"format": "auto", "path": str(path.resolve()), "org": org, "access": access}
    org = org or organisation(found)
    fetches = {str(p): git(settings, p, _owner(p, org), access) for p in found.repositories}
    fetches |= {str(p): github(p, org, None, access) for p in found.archives}
    fetches |= {f"GitHub data in {name}": github(files, org, None, access) for name, files in found.loose.items()}
    for (format, name), paths in sorted(found.groups.items()):
        options = {"org": org} if org and "org" in formats()[format] else {}
        whole = paths[0] == found.folder
        place = {"base": found.folder.parent if whole else found.folder, "root": paths[0] if path.is_file() else found.root(name)}
        fetches[f"{format} in {name}"] = files(settings, format, paths, name=name, access=access, options=options, **place)
    fetches[f"the rest of {path}"] = partial(auto_format.fetch, found.folder, found.tally, access)
    return {label: _remembered(fetch, how) for label, fetch in fetches.items()}


def _owner(path: Path, org: str | None) -> str | None:
    """The organisation to give a repository: none when its origin tells."""
    if org is None and owner_of(path) is None:
        raise BadInput(f"{path}: its organisation cannot be told; give it with --org")
    return org


def demo(brain: Brain, progress: Progress) -> Outcome:
    """Loads the demo organisation with the vectors that come with it."""
    cache = brain.vectors
    if cache is not None and DEMO_VECTORS.exists():
        cache.import_file(DEMO_VECTORS)
    return brain.load(demo_fetches(brain.settings), progress)


def demo_fetches(settings: Settings) -> dict[str, Fetch]:
    """The demo's repositories, made by git for the time of the load, and everything else that lies in its folder."""

    def repositories() -> Iterator[Record]:
        scratch = settings.home / "scratch"
        scratch.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="demo-", dir=scratch) as folder:
            for path in build(Path(folder)):
                for record in git(settings, path, DEMO_ORG)():
                    yield {**record, "path": str(DEMO / path.name)} if record["kind"] == "source" else record

    rest = {label: fetch for label, fetch in auto(settings, DEMO, DEMO_ORG).items() if not label.startswith("the rest of")}
    how = {"format": "demo", "stands_at": int(company.load().as_of.timestamp())}
    return {label: _remembered(fetch, how) for label, fetch in {"the demo's repositories": repositories, **rest}.items()}


def again(brain: Brain) -> dict[str, Fetch]:
    """The fetches that loaded what is there, one for each path or organisation; folders are searched again."""
    fetches: dict[str, Fetch] = {}
    searched: set[str] = set()
    records = brain.files.records
    for source in records.sources():
        head = records.head(records.path(source))
        for how in (head.get("loads") or {"": head.get("load") or {}}).values():
            if how.get("format") != "auto":
                fetches.update(_again(brain, source, how))
            elif how["path"] not in searched:
                searched.add(how["path"])
                fetches.update(_searched(brain.settings, how))
            lost = f"{head['format']} in {source.partition(':')[2]}"
            if how.get("format") == "auto" and head["format"] in formats() and lost not in fetches and how["path"] not in fetches:
                fetches[lost] = _failing(BadInput(f"{how['path']}: {source} was read from here and is no longer there"))
    return fetches


def _failing(error: BadInput) -> Fetch:
    def fetch() -> Iterator[Record]:
        raise error
        yield

    return fetch


def _searched(settings: Settings, how: Mapping[str, Any]) -> dict[str, Fetch]:
    """What lies in a folder now; a folder that has gone is a load that fails with its own line."""
    try:
        return auto(settings, Path(how["path"]), how["org"], how["access"])
    except BadInput as error:
        return {how["path"]: _failing(error)}


def _again(brain: Brain, source: str, how: Mapping[str, Any]) -> dict[str, Fetch]:
    format = how.get("format")
    if format == "demo":
        return demo_fetches(brain.settings)
    if format == "git":
        return {how["path"]: git(brain.settings, Path(how["path"]), how["org"], how["access"], how.get("name"))}
    if format == "github":
        return {how["path"]: github(Path(how["path"]), how["org"], how["repo"], how["access"])}
    if format == "github-live":
        args = (how["org"], how["repos"], how["since"], lambda text: None)
        return {f"GitHub {how['org']}": github_live(brain.settings, brain.files.folder, *args)}
    if not format:
        return {}
    paths, more = [Path(p) for p in how["paths"]], {k: how[k] for k in ("name", "access", "options")}
    fetch = files(brain.settings, format, paths, base=Path(how["base"]), root=Path(how["root"]), **more)
    return {f"{source} {how['root']}": fetch}
