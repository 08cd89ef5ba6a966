"""Where the database is: what FALKORDB_URL may say, and how the place is named to people, without its password."""

from __future__ import annotations

from urllib.parse import urlparse

from brain.errors import StoreDown
from brain.settings import Settings

SCHEMES = ("redis", "rediss", "unix", "falkor", "falkors")


def checked(url: str) -> str:
    """The address; StoreDown says what is wrong with it."""
    try:
        at = urlparse(url)
        scheme, _ = at.scheme, at.port
    except ValueError as err:
        raise StoreDown(f"FALKORDB_URL is no address: {err}") from None
    if scheme not in SCHEMES:
        raise StoreDown(f"FALKORDB_URL must start with redis://, rediss:// or unix://, not {scheme or url!r}")
    return url


def where(settings: Settings) -> str:
    """The place of the database, for a sentence."""
    if not settings.falkordb_url:
        return f"{settings.home} (embedded)"
    at = urlparse(settings.falkordb_url)
    return f"{at.scheme}://{at.hostname or ''}{f':{at.port}' if at.port else ''}{at.path}"
