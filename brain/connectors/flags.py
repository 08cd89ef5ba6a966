"""Changes of feature flags: the audit logs and webhooks of LaunchDarkly, Unleash, Flagsmith and GrowthBook, and lines of JSON.

A change of a flag is a change of what runs, without a deployment: it is kept as one of kind `flag`, and never counted as a deployment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from brain.connectors.company_section import section
from brain.connectors.flags_rows import known, rows
from brain.connectors.flags_shapes import kind_of, record
from brain.connectors.git_message import People
from brain.connectors.json_values import first_value, values
from brain.connectors.tally import Tally

__all__ = ["OPTIONS", "fetch", "known", "recognise", "rows"]

Record = dict[str, Any]
OPTIONS: dict[str, str] = {}
_SUFFIXES = (".json", ".jsonl", ".ndjson")
_LISTS = ("items", "events", "results", "changes", "entries")


def recognise(path: Path) -> bool:
    """Whether a file holds changes of feature flags, told from its first value."""
    if not path.is_file() or path.suffix.lower() not in _SUFFIXES:
        return False
    value = first_value(path)
    inner = [one for name in _LISTS if isinstance(value, dict) and isinstance(value.get(name), list) for one in value[name][:1]]
    return any(kind_of(one) for one in [value, *inner])


def fetch(
    paths: Sequence[Path], *, base: Path, name: str, access: str, identity_key: bytes, options: Mapping[str, str]
) -> Iterator[Record]:
    """The changes in the files, or in such files in the folders. Raises BadInput when there are none."""
    people = People(identity_key)

    def read(path: Path, file: str, tally: Tally) -> Iterator[Record]:
        for value in values(path, _LISTS):
            kind = kind_of(value.value)
            if value.error or kind is None:
                tally.skip(value.error or "is no change of a feature flag", file, value.line)
                continue
            try:
                made = record(value.value, kind, people)
            except ValueError as error:
                tally.skip(str(error), file, value.line)
                continue
            tally.keep("flags")
            yield {**made, "line": value.line}

    yield from section("flags", paths, base=base, name=name, access=access, read=read, wanted=recognise)
