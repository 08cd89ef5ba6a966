"""Deployments: GitHub's deployments and their statuses, Argo CD's applications and histories, and lines of JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from brain.connectors.company_section import section
from brain.connectors.deploys_rows import known, rows
from brain.connectors.deploys_shapes import kind_of, records
from brain.connectors.json_values import Value, first_value, values
from brain.connectors.tally import Tally
from brain.connectors.text_files import encoding_of, head_of, opened
from brain.errors import BadInput

__all__ = ["OPTIONS", "fetch", "known", "recognise", "rows"]

Record = dict[str, Any]
OPTIONS = {"service": "the application that a bare history of Argo CD is of"}
_JSON = (".json", ".jsonl", ".ndjson")
_YAML = (".yaml", ".yml")
_LISTS = ("items", "deployments")
_MOST_YAML = 32 << 20


def recognise(path: Path) -> bool:
    """Whether a file holds deployments, told from its beginning."""
    if not path.is_file() or path.suffix.lower() not in (*_JSON, *_YAML):
        return False
    if path.suffix.lower() in _YAML:
        head = head_of(path)
        return "argoproj.io/" in head and "deployedAt:" in (head if len(head) < 60_000 else path.read_text("utf-8", "replace"))
    value = first_value(path)
    inner = [one for name in _LISTS if isinstance(value, dict) and isinstance(value.get(name), list) for one in value[name][:1]]
    return any(kind_of(one) for one in [value, *inner]) or _is_application(path, value)


def _is_application(path: Path, value: Any) -> bool:
    """An application may be longer than the beginning that was read; what it is stands at the start."""
    named = isinstance(value, dict) and str(value.get("apiVersion", "")).startswith("argoproj.io") and value.get("kind") == "Application"
    return named and '"deployedAt"' in path.read_text("utf-8", "replace")


def fetch(
    paths: Sequence[Path], *, base: Path, name: str, access: str, identity_key: bytes, options: Mapping[str, str]
) -> Iterator[Record]:
    """The deployments of the files, or of such files in the folders. Raises BadInput when there are none."""

    def read(path: Path, file: str, tally: Tally) -> Iterator[Record]:
        for value in _of_yaml(path) if path.suffix.lower() in _YAML else values(path, _LISTS):
            kind = kind_of(value.value)
            if value.error or kind is None:
                tally.skip(value.error or "is no deployment", file, value.line)
                continue
            try:
                for record in records(value.value, kind, options.get("service", "")):
                    tally.keep("deploys" if record["kind"] == "deploy" else "statuses")
                    yield {**record, "line": value.line}
            except ValueError as error:
                tally.skip(str(error), file, value.line)

    yield from section("deploys", paths, base=base, name=name, access=access, read=read, wanted=recognise)


def _of_yaml(path: Path) -> Iterator[Value]:
    if path.stat().st_size > _MOST_YAML:
        raise BadInput(f"{path}: is larger than {_MOST_YAML >> 20} MB; write it as JSON (-o json)")
    with opened(path, encoding_of(path)) as file:
        try:
            for node in yaml.compose_all(file, yaml.CSafeLoader):
                loader = yaml.SafeLoader("")
                value = loader.construct_document(node) if node is not None else None
                listed = value.get("items") if isinstance(value, dict) else None
                inner = listed if isinstance(listed, list) else [value]
                yield from (Value(node.start_mark.line + 1 if node else 0, _plain(one)) for one in inner if one is not None)
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            raise BadInput(f"{path}:{mark.line + 1 if mark else 1}: is no YAML: {getattr(error, 'problem', '') or error}") from None


def _plain(value: Any) -> Any:
    """A value of YAML as JSON would have it: its times as text."""
    if isinstance(value, dict):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value.isoformat() if hasattr(value, "isoformat") else value
