"""The one place that runs `git`: argument lists, never a shell, and nothing of the user's or the
repository's configuration that could run a program, ask a question or reach a network.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from brain.errors import BadInput

_CONFIG = (
    "safe.directory=*",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    "log.showSignature=false",
    "log.mailmap=true",
    "mailmap.file=/dev/null",
    "gc.auto=0",
)
_CHUNK = 1 << 18


@dataclass(frozen=True)
class Repository:
    """A git directory to read from; `path` is what the person named."""

    path: Path
    git_dir: Path
    mailmap: str = "HEAD:.mailmap"

    def run(self, *args: str, stdin: bytes = b"", tolerate: bool = False) -> bytes:
        """What the command prints. Raises BadInput with git's own reason; `tolerate` gives b"" instead."""
        done = subprocess.run(self._command(args), input=stdin, capture_output=True, env=_environment(self.git_dir), check=False)
        if done.returncode and not tolerate:
            raise BadInput(f"{self.path}: git {args[0]} failed: {_reason(done.stderr)}")
        return b"" if done.returncode else done.stdout

    def _command(self, args: tuple[str, ...]) -> list[str]:
        return _command("-c", f"mailmap.blob={self.mailmap}", *args)

    def tokens(self, *args: str, stdin: bytes = b"", separator: bytes = b"\0") -> Iterator[bytes]:
        """The separated parts that the command prints, as they come; ends it when the reader stops."""
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as errors:
            given.write(stdin)
            given.seek(0)
            process = subprocess.Popen(
                self._command(args), stdin=given, stdout=subprocess.PIPE, stderr=errors, env=_environment(self.git_dir)
            )
            try:
                assert process.stdout is not None
                yield from _split(process.stdout, separator)
                if process.wait():
                    errors.seek(0)
                    raise BadInput(f"{self.path}: git {args[0]} failed: {_reason(errors.read(65536))}")
            finally:
                if process.poll() is None:
                    process.kill()
                    process.wait()
                if process.stdout is not None:
                    process.stdout.close()


def _split(stream: IO[bytes], separator: bytes) -> Iterator[bytes]:
    rest: list[bytes] = []
    while chunk := stream.read(_CHUNK):
        first, *more = chunk.split(separator)
        rest.append(first)
        if more:
            yield b"".join(rest)
            yield from more[:-1]
            rest = [more[-1]]
    last = b"".join(rest)
    if last:
        yield last


def _command(*args: str) -> list[str]:
    program = shutil.which("git")
    if program is None:
        raise BadInput("the `git` command is not installed; install git to load repositories (GitHub data and the demo need none)")
    config = [part for setting in _CONFIG for part in ("-c", setting)]
    return [program, "--no-pager", *config, *args]


def _environment(git_dir: Path | None) -> dict[str, str]:
    env = {
        "LC_ALL": "C",
        "PATH": os.defpath,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
    }
    if git_dir is not None:
        env |= {"GIT_DIR": str(git_dir), "GIT_ALLOW_PROTOCOL": "none"}
    return env


def _reason(stderr: bytes) -> str:
    lines = [line for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    said = next((line for line in lines if line.startswith(("fatal:", "error:"))), lines[-1] if lines else "no reason given")
    return said.removeprefix("fatal: ").removeprefix("error: ")[:300]


def installed() -> str | None:
    """The version of the `git` command, None when there is none."""
    if shutil.which("git") is None:
        return None
    done = subprocess.run(_command("version"), capture_output=True, env=_environment(None), check=False)
    return done.stdout.decode().removeprefix("git version ").strip() or None


@contextmanager
def opened(path: Path, scratch: Path | None) -> Iterator[Repository]:
    """The repository at `path`: a clone, a bare one, its `.git`, or a bundle, which is unpacked under
    `scratch` and removed afterwards. Raises BadInput with one line that names the path.
    """
    if not path.exists():
        raise BadInput(f"{path}: there is no such file or folder")
    if path.is_dir():
        yield Repository(path, _git_dir(path))
        return
    with path.open("rb") as file:
        if not file.read(16).startswith((b"# v2 git bundle", b"# v3 git bundle")):
            raise BadInput(f"{path}: neither a git repository nor a bundle made by `git bundle create`")
    if scratch is not None:
        scratch.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bundle-", dir=scratch) as folder:
        target = Path(folder) / "repo.git"
        command = _command("clone", "--mirror", "--quiet", "--template=", "--", str(path.resolve()), str(target))
        done = subprocess.run(command, capture_output=True, env=_environment(None), check=False)
        if done.returncode:
            raise BadInput(f"{path}: the bundle cannot be unpacked: {_reason(done.stderr)}")
        found = Repository(path, target)
        if not found.run("for-each-ref", "--count=1"):
            raise BadInput(f"{path}: the bundle holds no branch or tag")
        yield found


def _git_dir(path: Path) -> Path:
    real = path.resolve()
    env = _environment(None) | {"GIT_CEILING_DIRECTORIES": str(real.parent)}
    done = subprocess.run(_command("-C", str(real), "rev-parse", "--absolute-git-dir"), capture_output=True, env=env, check=False)
    if done.returncode:
        above = next((folder for folder in real.parents if (folder / ".git").exists()), None)
        raise BadInput(f"{path}: not a git repository{f'; it lies inside {above}, load that' if above else ''}")
    return Path(os.fsdecode(done.stdout.removesuffix(b"\n")))


def lines(output: bytes) -> Sequence[str]:
    """The lines of an output, as text."""
    return output.decode("utf-8", "replace").split("\n")[:-1]
