"""What can be loaded and how: each function gives fetches that `Brain.load` runs, and every source
remembers how it was loaded, so that `sync` can do it again.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brain.connectors import git as git_format
from brain.connectors import github as github_format
from brain.errors import BadInput
from brain.ingest import Fetch, Outcome
from brain.rebuild import Progress
from brain.records import Record
from brain.settings import Settings

if TYPE_CHECKING:
    from brain.brain import Brain

KEY_BYTES = 32
DEMO = Path(__file__).parent / "demo" / "raw"
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


def github(path: Path, org: str | None = None, repo: str | None = None, access: str = "open") -> Fetch:
    """GitHub data in files: one file, or a folder of them."""
    how = {"format": "github", "path": str(path.resolve()), "org": org, "repo": repo, "access": access}
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


def auto(settings: Settings, folder: Path, org: str | None, access: str = "open") -> dict[str, Fetch]:
    """Everything in a folder that is a repository, a bundle or GitHub data, repositories first.

    Raises BadInput when the folder is not there or holds none of them.
    """
    if not folder.is_dir():
        raise BadInput(f"{folder} is not a folder")
    repos, files = [], []
    for path in sorted(folder.iterdir()):
        if path.suffix == ".bundle" or (path.is_dir() and ((path / ".git").exists() or (path / "HEAD").is_file())):
            repos.append(path)
        elif (path.is_dir() or path.suffix == ".json") and github_format.recognise(path):
            files.append(path)
    if not repos and not files:
        raise BadInput(f"{folder} holds no repository, bundle or GitHub data")
    return {**{str(p): git(settings, p, org, access) for p in repos}, **{str(p): github(p, org or None, None, access) for p in files}}


def demo(brain: Brain, progress: Progress) -> Outcome:
    """Loads the demo organisation with the vectors that come with it."""
    cache = brain.vectors
    if cache is not None and DEMO_VECTORS.exists():
        cache.import_file(DEMO_VECTORS)
    return brain.load({"the demo": github(DEMO)}, progress)


def again(brain: Brain) -> dict[str, Fetch]:
    """The fetches that loaded what is there, one for each path or organisation."""
    fetches: dict[str, Fetch] = {}
    records = brain.files.records
    for source in records.sources():
        how = records.head(records.path(source)).get("load") or {}
        if how.get("format") == "git":
            fetches[how["path"]] = git(brain.settings, Path(how["path"]), how["org"], how["access"], how.get("name"))
        elif how.get("format") == "github":
            fetches[how["path"]] = github(Path(how["path"]), how["org"], how["repo"], how["access"])
        elif how.get("format") == "github-live":
            args = (how["org"], how["repos"], how["since"], lambda text: None)
            fetches[f"GitHub {how['org']}"] = github_live(brain.settings, brain.files.folder, *args)
    return fetches
