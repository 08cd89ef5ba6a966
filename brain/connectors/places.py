"""Addresses and paths that name a loaded document, wherever it is published."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from brain.connectors.company import Company


def doc_at(company: Company, address: str) -> str | None:
    """The key of the document that an address or path ends in: the longest end of it that is the path of one. None for
    none, and for an end that fits several.
    """
    path = unquote(urlsplit(address.strip()).path if "://" in address else re.split(r"[?#]", address.strip())[0])
    parts = [part for part in path.split("/") if part not in ("", ".", "..")]
    for start in range(len(parts)):
        end = "/".join(parts[start:])
        for name in (end, f"{end}.md"):
            found = company.find(name, "Doc")
            if found and found.lower() == f"doc:{name}".lower():
                return found
    return None
