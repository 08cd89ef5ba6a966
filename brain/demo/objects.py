"""The ids that git gives to contents, trees and commits, computed without git: the id of a commit stands in the
message of its revert, so it must be known while the history is still being told.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping


def _id(kind: str, data: bytes) -> str:
    return hashlib.sha1(f"{kind} {len(data)}\0".encode() + data).hexdigest()


def blob_id(data: bytes) -> str:
    """The id of a file's contents."""
    return _id("blob", data)


def tree_id(files: Mapping[str, str]) -> str:
    """The id of a folder: path to blob id, with `/` between the folders of a path."""
    here: dict[str, tuple[str, str]] = {}
    below: dict[str, dict[str, str]] = {}
    for path, blob in files.items():
        name, deeper, rest = path.partition("/")
        if deeper:
            below.setdefault(name, {})[rest] = blob
        else:
            here[name] = ("100644", blob)
    for name, inside in below.items():
        here[name + "/"] = ("40000", tree_id(inside))
    entries = sorted((name.encode(), mode, oid) for name, (mode, oid) in here.items())
    return _id("tree", b"".join(mode.encode() + b" " + name.rstrip(b"/") + b"\0" + bytes.fromhex(oid) for name, mode, oid in entries))


def commit_id(tree: str, parents: Iterable[str], author: str, committer: str, message: str) -> str:
    """The id of a commit; author and committer are `Name <address> seconds +0000`."""
    lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents), f"author {author}", f"committer {committer}", "", message]
    return _id("commit", "\n".join(lines).encode())
