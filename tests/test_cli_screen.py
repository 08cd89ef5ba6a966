"""What others wrote commands no terminal: printed text and JSON hold no escapes, no console markup and nothing unseen."""

import ast
import io
import json
from pathlib import Path
from zlib import crc32

import injected_company as company
import pytest
from rich.markup import escape
from rich.table import Table
from test_cli import brain
from tiny_org import archive, issue, pull

from brain import embedded
from brain.cli.output import Console, emit
from brain.settings import Settings
from brain.text.inert import COMMANDS, UNSEEN

CLI = Path(__file__).parent.parent / "brain" / "cli"
TITLE = "Kiln \x1b[31mred\x1b[0m \x1b]8;;https://collect.invalid\x1b\\click\x1b]8;;\x1b\\ \x9b2J [bold red]hot[/] [link=https://collect.invalid]x[/link] \u202egnp \U000e0041 :smile: [/]"
SEEN = "[bold red]hot[/] [link=https://collect.invalid]x[/link]"


def printed(*things, **how):
    out = io.StringIO()
    screen = Console(file=out, width=200, **how)
    for thing in things:
        screen.print(thing)
    return out.getvalue()


def test_only_one_module_of_the_commands_opens_the_screen():
    for path in CLI.glob("*.py"):
        names = {f"{n.module}.{a.name}" for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.ImportFrom) for a in n.names}
        assert path.stem == "output" or not names & {"rich.console.Console", "rich.console", "rich.print"}, path.name


@pytest.mark.parametrize("text", [TITLE, *company.injections()], ids=lambda w: f"{crc32(w.encode('utf-8', 'surrogatepass')):08x}")
def test_a_terminal_that_understands_everything_is_told_nothing(text):
    table = Table("a", title=escape(text))
    table.add_row(escape(text))
    shown = printed(escape(text), table, color_system=None, force_terminal=True)
    bare = shown.replace("\x1b[3m", "").replace("\x1b[1m", "").replace("\x1b[0m", "")
    assert "\x1b" not in bare and not COMMANDS.search(bare) and not UNSEEN.search(bare)


def test_console_markup_in_a_text_is_words():
    shown = printed(escape(TITLE), force_terminal=True, color_system="truecolor")
    plain = printed(escape(TITLE))
    assert SEEN in " ".join(plain.split()) and ":smile:" in plain
    assert "\x1b]8" not in shown, "no link of the text's own"


@pytest.mark.parametrize("text", [TITLE, *company.injections()], ids=lambda w: f"{crc32(w.encode('utf-8', 'surrogatepass')):08x}")
def test_json_is_the_same_json_with_nothing_unseen(text, capsys):
    emit({"title": text, text: [text]})
    out = capsys.readouterr().out
    assert not COMMANDS.search(out) and not UNSEEN.search(out)
    assert json.loads(out) == {"title": text, text: [text]}


def test_every_command_prints_hostile_texts_as_words(tmp_path):
    file = archive(tmp_path / "kiln.archive.json", [issue(1, TITLE, TITLE)], [pull(2, TITLE, f"{TITLE}\nFixes #1.", merged="2025-02-01", files=(f"src/{TITLE[:9]}x.py",))])
    lines = [
        ("ingest", "github", str(file), "--no-embed"),
        ("ask", "Who opened acme/kiln#1?", "--arm", "all"), ("ask", TITLE, "--arm", "all"), ("ask", "Who opened acme/kiln#1?", "--json"),
        ("query", "run", "details", "key=issue:acme/kiln#1"), ("query", "run", "details", "key=issue:acme/kiln#1", "--json"),
        ("query", "run", "search_text", f"text={json.dumps(TITLE)}"), ("query", "show", TITLE), ("query", "run", "details", f"{TITLE}=1"),
        ("report",), ("health",), ("candidates", "list"), ("sync", "--no-embed"), ("ask", "x", "--workspace", TITLE),
        ("ingest", "github", f"/nowhere/{TITLE}"), ("eval", "report", TITLE), ("ask", "x", "--at", TITLE), ("ask", "x", "--as", TITLE),
    ]  # fmt: skip
    done = brain(tmp_path / "home", *lines, COLUMNS="3000")
    embedded.stop(Settings(home=tmp_path / "home"))
    for line, came in zip(lines, done, strict=True):
        said = came.out + came.err
        assert said and "Traceback" not in said, line
        assert not COMMANDS.search(said) and not UNSEEN.search(said), line
    assert SEEN in " ".join(done[4].out.split())
    assert done[5].json["rows"] and any("\x1b]8" in str(v) or "[bold red]" in str(v) for v in done[5].json["rows"][0].values())
