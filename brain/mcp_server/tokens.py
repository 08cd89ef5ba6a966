"""Who may come in over HTTP: tokens, each of one viewer. Only their hashes are kept, and a token says who somebody is, never what
they may read: that is looked up at every request.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import tempfile
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson
from filelock import FileLock, Timeout

from brain.errors import BadInput, StoreDown

PREFIX = "hopcheck_"
DAY = 86_400
LONGEST_DAYS = 3660
_WAIT_S = 10
_LONGEST = 200


@dataclass(frozen=True)
class Token:
    """A token that was given out: whose it is, from when until when it counts (epoch seconds), and the hash of its secret."""

    id: str
    viewer: str
    made_at: int
    until: int
    digest: str


class Tokens:
    """The tokens of a workspace, in a file beside its records that only its owner can read."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "mcp_tokens.json"

    def create(self, viewer: str, now: int, days: int) -> tuple[Token, str]:
        """A new token of the viewer, with its secret, which is kept nowhere and cannot be shown again. BadInput for an e-mail address,
        which would be stored, and for a name that is none.
        """
        name = viewer.strip()
        if "@" in name:
            raise BadInput(f"{name!r} looks like an e-mail address, and addresses are not stored; give the login")
        if not name or len(name) > _LONGEST or not name.isprintable():
            raise BadInput(f"{name[:60]!r} is no login; give one, or guest")
        if not 1 <= days <= LONGEST_DAYS:
            raise BadInput(f"a token counts for 1 to {LONGEST_DAYS} days, not {days}")
        secret = PREFIX + secrets.token_urlsafe(32)
        token = Token(secrets.token_hex(4), name, now, now + days * DAY, _digest(secret))
        with self._locked():
            self._write([*self.every(), token])
        return token, secret

    def every(self) -> Sequence[Token]:
        """Every token that was given out and not taken back, the newest first, those that count no more among them."""
        try:
            found = [Token(**told) for told in orjson.loads(self._path.read_bytes())]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, TypeError) as error:
            raise BadInput(f"{self._path} cannot be read ({error}); delete it and give out new tokens") from None
        return sorted(found, key=lambda t: (-t.made_at, t.id))

    def revoke(self, ident: str) -> Token:
        """Takes back the token with that id: from now on it is nobody's. BadInput when there is none."""
        with self._locked():
            every = self.every()
            gone = next((t for t in every if t.id == ident.strip()), None)
            if gone is None:
                raise BadInput(f"there is no token {ident!r}; brain mcp token list shows them")
            self._write([t for t in every if t.id != gone.id])
        return gone

    def viewer_of(self, secret: str, now: int) -> str | None:
        """Whose token that is; None when it is nobody's, or counts no more. Every token is compared, each in the same time."""
        digest, found = _digest(secret), None
        for token in self.every():
            if hmac.compare_digest(token.digest, digest):
                found = token
        return found.viewer if found is not None and now < found.until else None

    def _locked(self) -> AbstractContextManager[object]:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return FileLock(f"{self._path}.lock", timeout=_WAIT_S).acquire()
        except Timeout:
            raise StoreDown(f"somebody else is changing {self._path}; try again") from None

    def _write(self, tokens: Sequence[Token]) -> None:
        handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=".mcp_tokens")  # readable by its owner alone
        with os.fdopen(handle, "wb") as file:
            file.write(orjson.dumps([asdict(t) for t in tokens], option=orjson.OPT_INDENT_2))
        os.replace(name, self._path)


def _digest(secret: str) -> str:
    """A secret is 256 random bits, so that one round of hashing is enough."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
