"""Claims become assertions here: an id that lasts, the evidence beside it, and the refusals. What a claim
quotes must stand in the stored line, and what it says must be legal for the place it was read from.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from brain import admission, schema
from brain.errors import SchemaError
from brain.types import ClaimRow, EdgeRow, TextRow

KEPT_TEXTS = 400
# What reading a relation out of a sentence or column about the first may never be taken for.
TECHNICAL = frozenset({"OWNS", "TECH_LEAD_OF", "ON_CALL_FOR"})
CURATION = frozenset({"maintainer", "maintained by", "curator", "editor", "author", "document owner", "doc owner"})
ROLES = frozenset({"role", "title", "job", "job title", "position"})


def aid(claim: ClaimRow) -> str:
    """The id of a claim: the same as long as it says the same and quotes the same of the same source."""
    between = (claim.ident, claim.rel) if claim.ident else (claim.src, claim.rel, claim.dst)
    said = (*between, claim.source, " ".join(claim.quote.split()), claim.scope)
    return hashlib.sha256("\0".join(said).encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True)
class Evidence:
    """What a claim rests on: the source's key, the line there, the words, where they were read, and by what rule."""

    id: str
    source: str
    line: int
    quote: str
    file: str
    rule: str
    access: str
    aud: tuple[str, ...]


class Texts:
    """The texts that went by last, so that a claim that follows its text can be held against it."""

    def __init__(self, size: int = KEPT_TEXTS) -> None:
        self._size = size
        self._bodies: OrderedDict[str, list[str | list[str]]] = OrderedDict()  # cut into lines when first asked about

    def add(self, row: TextRow) -> None:
        """Remembers a text; a source may have several."""
        self._bodies.setdefault(row.key, []).append(row.body)
        self._bodies.move_to_end(row.key)
        while len(self._bodies) > self._size:
            self._bodies.popitem(last=False)

    def holds(self, key: str, line: int, quote: str) -> bool:
        """Do these words stand on that line of one of the source's texts? Spaces do not count."""
        wanted = " ".join(quote.split())
        bodies = self._bodies.get(key, [])
        for i, body in enumerate(bodies):
            lines = bodies[i] = body.splitlines() if isinstance(body, str) else body
            if wanted and 0 < line <= len(lines) and wanted in " ".join(lines[line - 1].split()):
                return True
        return False


def assertion(claim: ClaimRow, texts: Texts, decided: Mapping[str, str], gone: int = 0) -> tuple[EdgeRow, Evidence]:
    """The edge and the evidence of a claim. `decided` maps ids of claims to what a person decided; a claim whose
    source is gone ends when it went.

    Raises SchemaError, naming file and line, when the schema or an ontology rule refuses the claim, or when its
    words do not stand in the stored line.
    """
    where = f"{claim.origin}: {claim.src} {claim.rel} {claim.dst}"
    _check_ontology(claim, where)
    if not texts.holds(claim.source, claim.line, claim.quote):
        raise SchemaError(f"{where}: line {claim.line} of {claim.source} does not say {claim.quote[:80]!r}")
    id_ = aid(claim)
    proof = Evidence(
        _proof_id(claim),
        claim.source, claim.line, claim.quote, str(claim.origin), claim.read_by, claim.access, claim.aud,
    )  # fmt: skip
    ends = [t for t in (claim.valid_to, gone or None) if t is not None]
    props: dict[str, Any] = {
        **claim.props, "aid": id_, "authority": claim.authority, "state": decided.get(id_, claim.state),
        "valid_from": claim.valid_from, "valid_to": min(ends) if ends else None, "recorded_at": claim.at,
        "evidence": [proof.id], "access_key": claim.source, "scope": claim.scope or None, "rule": claim.read_by or None,
        "access": claim.access or None, "aud": list(claim.aud) or None,
    }  # fmt: skip
    edge = EdgeRow(claim.src, claim.rel, claim.dst, {k: v for k, v in props.items() if v is not None}, claim.origin, id_)
    return admission.check_edge(edge), proof


def _proof_id(claim: ClaimRow) -> str:
    """The id of what a claim rests on: two claims share it when the same rule read them from the same words of one file."""
    said = (claim.source, str(claim.line), claim.quote, claim.origin.file, claim.read_by)
    return hashlib.sha256("\0".join(said).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _check_ontology(claim: ClaimRow, where: str) -> None:
    """Keeping a document, or holding a role, is not answering for what it describes."""
    rel = schema.RELS.get(claim.rel)
    if rel is None or rel.cls != "assertion":
        raise SchemaError(f"{where}: {claim.rel!r} is no assertion of brain/schema.py")
    read_by = claim.read_by.lower().rpartition(":")[2].strip().replace("_", " ")
    if claim.rel in TECHNICAL and not claim.dst.startswith("doc:"):
        if read_by in CURATION:
            raise SchemaError(f"{where}: keeping a document ({claim.read_by}) says nothing of who answers for what it describes")
        if read_by in ROLES:
            raise SchemaError(f"{where}: holding a role ({claim.read_by}) says nothing of who answers for a thing")
