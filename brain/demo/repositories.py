"""The demo's git repositories, made from raw/<repo>.fast-export by git itself."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from brain.errors import HopcheckError

RAW = Path(__file__).parent / "raw"


def build(scratch: Path, raw: Path = RAW) -> list[Path]:
    """Bare repositories `scratch`/<repo>.git, one for each stream of `raw`, made anew; in the order of their names.

    Raises HopcheckError when git is missing or refuses a stream.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    return [_import(stream, scratch / f"{stream.stem}.git") for stream in sorted(raw.glob("*.fast-export"))]


def _import(stream: Path, target: Path) -> Path:
    if target.exists():
        shutil.rmtree(target)
    _git("init", "--quiet", "--bare", "--initial-branch=main", str(target))
    with stream.open("rb") as read:
        _git("-C", str(target), "fast-import", "--quiet", stdin=read)
    return target


def _git(*arguments: str, stdin: object = subprocess.DEVNULL) -> None:
    command = ["git", "-c", "init.templateDir=", *arguments]
    try:
        done = subprocess.run(command, stdin=stdin, capture_output=True, text=True, check=False)  # type: ignore[call-overload]
    except OSError as error:
        raise HopcheckError(f"git cannot be started ({error.strerror}); install git to load the demo's repositories") from None
    if done.returncode:
        raise HopcheckError(f"git {arguments[-2]} failed: {done.stderr.strip().splitlines()[-1:] or 'no reason given'}")
