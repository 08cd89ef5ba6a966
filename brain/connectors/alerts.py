"""Alerts and incidents: Alertmanager's messages, Prometheus' lists, PagerDuty's incidents, and lines of JSON.

An alert that fires again is another alert; one that is first reported firing and then resolved is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from brain.connectors.alerts_rows import known, rows
from brain.connectors.alerts_shapes import alert, incident, is_alert, is_incident, listed
from brain.connectors.company_section import section
from brain.connectors.git_message import People
from brain.connectors.json_values import Value, first_value, values
from brain.connectors.tally import Tally

__all__ = ["OPTIONS", "fetch", "known", "recognise", "rows"]

Record = dict[str, Any]
OPTIONS: dict[str, str] = {}
_SUFFIXES = (".json", ".jsonl", ".ndjson")
_LISTS = ("incidents", "items")


def recognise(path: Path) -> bool:
    """Whether a file holds alerts or incidents, told from its first value."""
    if not path.is_file() or path.suffix.lower() not in _SUFFIXES:
        return False
    value = first_value(path)
    return is_alert(value) or any(is_incident(one) or is_alert(one) for one in _inner(value))


def _inner(value: Any) -> list[Any]:
    """What a first value may be or carry: itself, the first of its list, the data of an event."""
    if not isinstance(value, Mapping):
        return []
    lists = [value.get(name) for name in _LISTS] + [_in(value, "data", "alerts")]
    return [value, *(one for listed in lists if isinstance(listed, list) for one in listed[:1]), _in(value, "event", "data")]


def _in(value: Any, *names: str) -> Any:
    """What lies that far down in an object; None when there is nothing."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def fetch(
    paths: Sequence[Path], *, base: Path, name: str, access: str, identity_key: bytes, options: Mapping[str, str]
) -> Iterator[Record]:
    """The alerts and incidents of the files, or of such files in the folders. Raises BadInput when there are none."""
    people = People(identity_key)

    def read(path: Path, file: str, tally: Tally) -> Iterator[Record]:
        for value in values(path, _LISTS):
            if value.error:
                tally.skip(value.error, file, value.line)
                continue
            for record in _records(value, file, tally, people):
                tally.keep(f"{record['kind']}s")
                yield {**record, "line": value.line}

    yield from section("alerts", paths, base=base, name=name, access=access, read=read, wanted=recognise)


def _records(value: Value, file: str, tally: Tally, people: People) -> Iterator[Record]:
    raw = value.value
    if isinstance(_in(raw, "data", "alerts"), list):
        raw = {"alerts": raw["data"]["alerts"], "version": ""}
    if is_incident(_in(raw, "event", "data")):
        raw = raw["event"]["data"]
    parts: list[Callable[[], Record]] = [lambda: incident(raw, people)] if is_incident(raw) else []
    if not parts and is_alert(raw):
        parts = [partial(alert, one, group) for one, group in listed(raw)]
    elif not parts:
        tally.skip("is neither an alert nor an incident", file, value.line)
    for part in parts:
        try:
            yield part()
        except ValueError as error:
            tally.skip(str(error), file, value.line)
