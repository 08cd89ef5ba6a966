"""The tables of the README, written from what they describe: `python -m brain.docs [--check]`.

A table stands between `<!-- name -->` and `<!-- /name -->`; with --check nothing is written and stale ones are named.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from brain import catalogue, settings
from brain.errors import DefinitionError, HopcheckError
from brain.tools import filtering, tools

ROOT = Path(__file__).resolve().parent.parent
README, PROJECT = ROOT / "README.md", ROOT / "pyproject.toml"
USAGE = "usage: python -m brain.docs [--check]"
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_LINE = re.compile(r'^\s*"(?P<spec>[^"]+)",?\s*(?:#\s*(?P<reason>.+?))?\s*$')
_SENTENCE = re.compile(r"^.*?[.](?=\s|$)")


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; bars in a cell are escaped."""
    lines = [header, ["---"] * len(header), *([" ".join(c.split()).replace("|", "\\|") for c in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def tool_table() -> str:
    """Every tool with its parameters, the first sentence of its description, and how it is filtered."""
    rows, known = [], catalogue.load()
    for name, tool in tools(known).items():
        given = ", ".join(p.name if p.required else f"{p.name}?" for p in tool.params)
        rows.append([f"`{name}`", given, _first_sentence(tool.description), filtering.of_tool(known, name)])
    return table(["tool", "parameters", "what it gives", "how it is filtered"], rows)


def query_table() -> str:
    """Every query file by topic and kind."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for query in catalogue.load().queries.values():
        found[query.topic, query.kind].append(query.path.stem)
    return table(
        ["topic", "kind", "files"], [[f"`queries/{t}/`", kind, ", ".join(sorted(names))] for (t, kind), names in sorted(found.items())]
    )


def dependencies(project: Path = PROJECT) -> dict[str, list[tuple[str, str]]]:
    """Group -> (requirement, reason) as pyproject states them; `DefinitionError` names a line without a reason."""
    text = project.read_text(encoding="utf-8")
    declared = tomllib.loads(text)["project"]
    reasons = {}
    for n, line in enumerate(text.splitlines(), 1):
        if found := _LINE.match(line):
            reasons[found["spec"]] = (n, found["reason"])
    extras = declared.get("optional-dependencies", {})
    groups = {"to run": declared["dependencies"], "to log in": extras.get("login", []), "to test": extras["test"]}
    groups["to test with a model"] = extras.get("local-model", [])
    for spec in (s for specs in groups.values() for s in specs):
        n, reason = reasons.get(spec, (0, None))
        if not reason:
            raise DefinitionError(f'{project.name}:{n}: {spec!r} has no reason; write "{spec}",  # what it is for')
    return {group: [(spec, reasons[spec][1]) for spec in specs] for group, specs in groups.items()}


def dependency_table() -> str:
    """Every dependency with the reason that stands beside it in pyproject."""
    rows = []
    for group, found in dependencies().items():
        for spec, reason in found:
            name = _NAME.match(spec)
            assert name
            rows.append([name[0], spec[name.end() :].replace(",", ", ") or "any", group, reason])
    return table(["package", "versions", "needed", "for"], rows)


def _first_sentence(text: str) -> str:
    found = _SENTENCE.match(" ".join(text.split()))
    return found[0] if found else text


TABLES: dict[str, Callable[[], str]] = {
    "settings": settings.table,
    "tools": tool_table,
    "queries": query_table,
    "dependencies": dependency_table,
}


def render(text: str) -> str:
    """The text with every table as it is now; `DefinitionError` when one of them has no place in it."""
    for name, make in TABLES.items():
        before, start, rest = text.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition(f"<!-- /{name} -->")
        if not end:
            raise DefinitionError(
                f"{README.name}: no place for the {name}; write <!-- {name} --> and <!-- /{name} --> on lines of their own"
            )
        text = f"{before}{start}{make()}\n{end}{after}"
    return text


def stale(text: str) -> list[str]:
    """Names of the tables that are not what they describe any more."""
    fresh = render(text)
    return [name for name in TABLES if _part(text, name) != _part(fresh, name)]


def _part(text: str, name: str) -> str:
    return text.split(f"<!-- {name} -->")[1].split(f"<!-- /{name} -->")[0]


def main(arguments: list[str]) -> int:
    """Runs the command; gives its exit code."""
    if arguments not in ([], ["--check"]):
        print(USAGE, file=sys.stderr)
        return 2
    try:
        text = README.read_text(encoding="utf-8")
        old = stale(text)
        if arguments:
            print(f"stale: {', '.join(old)}; run python -m brain.docs" if old else "the tables are what they describe")
            return 1 if old else 0
        README.write_text(render(text), encoding="utf-8")
    except HopcheckError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"written: {', '.join(old) or 'nothing, all are current'}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
