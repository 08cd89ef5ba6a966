"""The command line in processes of its own: what it prints, what it exits with, and that bad input costs nothing.

A process works through several commands, because starting one costs more than most of them.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from model_server import call, model_server
from synthetic_git import Made

from brain.datafolder import DataFolder
from brain.embedded import stop
from brain.loads import DEMO, formats
from brain.settings import Settings

ANSWER = ["run", "question", "arm", "engine", "viewer", "as_of", "state", "text", "items", "claims", "steps", "evidence", "usage"]
CLAIM = ["text", "cites", "quotes", "verdict", "hops", "path", "reason"]
STEP = ["n", "tool", "why", "args", "cypher", "params", "rows", "nodes", "edges", "ms", "error"]
USAGE = ["ms", "model", "prompt_tokens", "completion_tokens", "usd", "cached_tokens", "model_ms", "turns", "estimated"]
ROOT = Path(__file__).parent.parent
WORKER = """
import json, os, sys, tempfile
from brain.cli import main
done = []
for line in json.loads(sys.stdin.read()):
    sys.argv = ["brain", *line]
    kept = os.dup(1), os.dup(2)
    files = tempfile.TemporaryFile(), tempfile.TemporaryFile()
    os.dup2(files[0].fileno(), 1); os.dup2(files[1].fileno(), 2)
    code = 0
    try:
        main()
    except SystemExit as end:
        code = end.code or 0
    finally:
        sys.stdout.flush(); sys.stderr.flush()
        os.dup2(kept[0], 1); os.dup2(kept[1], 2)
    texts = [(f.seek(0), f.read().decode())[1] for f in files]
    done.append([code, *texts])
print(json.dumps(done))
"""


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def json(self):
        assert self.code == 0, self.err
        return json.loads(self.out)


def brain(home, *lines, **env):
    """What each command line came to, all run one after the other in one process."""
    given = {k: v for k, v in os.environ.items() if not k.startswith(("BRAIN_", "FALKORDB_", "GITHUB_", "OPENAI_"))}
    given |= {"BRAIN_HOME": str(home), "COLUMNS": "200", "PYTHONPATH": str(ROOT), **env}
    work = subprocess.run([sys.executable, "-c", WORKER], input=json.dumps(lines), capture_output=True, text=True, env=given, check=False)
    assert work.returncode == 0, work.stderr
    return [Done(*row) for row in json.loads(work.stdout)]


def refused(done, *words):
    """One clear line on standard error, exit code 1."""
    assert done.code == 1, done.out
    assert done.err.startswith("brain: ") and done.err.count("\n") == 1 and "Traceback" not in done.err, done.err
    for word in words:
        assert word in done.err, done.err


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("home")
    (loaded,) = brain(folder, ["demo", "--no-embed", "--json"])
    assert loaded.json["failures"] == [] and loaded.json["rows"]["PullRequest"] > 0
    yield folder
    stop(Settings(home=folder))


def test_python_m_is_the_command_and_says_how_it_is_used():
    shown = subprocess.run([sys.executable, "-m", "brain.cli", "--help"], capture_output=True, text=True, cwd=ROOT, check=False)
    assert shown.returncode == 0
    assert all(name in shown.stdout for name in ("ask", "demo", "ingest", "sync", "query", "eval", "bench", "doctor"))


def test_an_answer_as_json_has_the_agreed_keys_and_no_others(home):
    one, both, text = brain(
        home,
        ["ask", "Who reviewed gatekeeper#3?", "--arm", "graph", "--json"],
        ["ask", "Who reviewed gatekeeper#3?", "--json"],
        ["ask", "Who reviewed gatekeeper#3?", "--arm", "all"],
    )
    answer = one.json
    assert list(answer) == ANSWER and list(answer["usage"]) == USAGE and list(answer["evidence"]) == ["nodes", "edges"]
    assert answer["claims"] and all(list(c) == CLAIM for c in answer["claims"])
    assert answer["steps"] and all(list(s) == STEP for s in answer["steps"])
    assert answer["state"] == "answered" and answer["evidence"]["nodes"]
    assert [a["arm"] for a in both.json] == ["graph", "vector"] and one.err == ""
    assert all(f"{arm} · " in text.out for arm in ("graph", "vector", "hybrid")) and "ANSWER:" in text.out


def test_a_run_can_be_followed_up_and_a_wrong_one_is_named(home):
    (first,) = brain(home, ["ask", "Who reviewed gatekeeper#3?", "--arm", "graph", "--json"])
    after, wrong = brain(
        home,
        ["ask", "And who merged it?", "--arm", "graph", "--after", first.json["run"], "--json"],
        ["ask", "And who merged it?", "--after", "nothing"],
    )
    assert after.json["run"] != first.json["run"]
    refused(wrong, "no run 'nothing'")


def test_an_earlier_date_sees_less_and_a_stranger_sees_nothing(home):
    now, earlier, guest, nobody, told, wrong = brain(
        home,
        ["query", "run", "measure", "kind=prs", "--json"],
        ["query", "run", "measure", "kind=prs", "--at", "2025-06-01", "--json"],
        ["query", "run", "measure", "kind=prs", "--as", "guest", "--json"],
        ["query", "run", "measure", "kind=prs", "--as", "nobody", "--json"],
        ["ask", "Who reviewed gatekeeper#3?", "--arm", "all", "--as", "nobody", "--at", "2026-01-01T12:00", "--json"],
        ["ask", "Who reviewed gatekeeper#3?", "--at", "yesterday"],
    )
    total = now.json["rows"][0]["n"]
    assert 0 < earlier.json["rows"][0]["n"] < total and guest.json["rows"][0]["n"] == total
    assert not nobody.json["rows"] or nobody.json["rows"][0]["n"] == 0
    for answer in told.json:
        assert (answer["state"], answer["items"], answer["evidence"]["nodes"]) == ("insufficient", [], [])
        assert (answer["viewer"], answer["as_of"]) == ("nobody", 1_767_268_800)
    refused(wrong, "'yesterday' is not a date")


def test_the_catalogue_is_listed_shown_run_and_checked(home):
    listed, text, shown, ran, table, checked, unknown, argument, told, fine = brain(
        home,
        ["query", "list", "--json"],
        ["query", "list"],
        ["query", "show", "details", "--expanded"],
        ["query", "run", "details", "key=pr:merefold/gatekeeper#3", "--json"],
        ["query", "run", "details", "key=pr:merefold/gatekeeper#3"],
        ["query", "check"],
        ["query", "run", "nosuch"],
        ["query", "run", "details", "key"],
        ["query", "show", "details", "--json"],
        ["query", "check", "--json"],
    )
    names = {q["name"] for q in listed.json}
    assert "details" in names and "details" in text.out
    assert "visible(" not in shown.out and "$viewer_access" in shown.out
    result = ran.json
    assert list(result) == ["rows", "nodes", "query", "params", "ms", "server_ms"]
    assert "pr:merefold/gatekeeper#3" in result["nodes"] and result["ms"] >= result["server_ms"] > 0
    assert "ms in the server" in table.out and "are in order" in checked.out
    assert "visible(" in told.json["text"] and told.json["cypher"] in shown.out and fine.json["in_order"]
    refused(unknown, "no query 'nosuch'")
    refused(argument, "is not name=value")


# -- evaluation ----------------------------------------------------------------------------------


def question_set(folder):
    pulls = json.loads((DEMO / "gatekeeper.archive.json").read_text())["pulls"]
    merged = sum(p["state"] == "MERGED" for p in pulls)
    whole = "How many pull requests were merged in gatekeeper?"
    missing = "Who reviewed gatekeeper#99999?"
    asked = [
        {"id": "n", "category": "count", "question": whole, "gold": [merged], "match": "number"},
        {"id": "w", "category": "who", "question": "Who reviewed gatekeeper#3?", "gold": ["person:nobody-here"], "match": "set",
         "sources": ["pr:merefold/gatekeeper#3"]},
        {"id": "s", "category": "who", "question": missing, "gold": ["insufficient", "premise_corrected"], "match": "state"},
    ]  # fmt: skip
    path = folder / "three.jsonl"
    path.write_text("".join(json.dumps(q) + "\n" for q in asked))
    return path


def test_a_question_set_is_run_resumed_reported_compared_and_listed(home, tmp_path):
    asked = question_set(tmp_path)
    command = ["eval", "run", "--set", str(asked), "--arms", "graph,vector", "--out", "first"]
    ran, again, text, part, report, compared, compare_text, listed, listing = brain(
        home,
        [*command, "--json"],
        [*command, "--json"],
        ["eval", "run", "--set", str(asked), "--arms", "graph"],
        [
            "eval",
            "run",
            "--set",
            str(asked),
            "--arms",
            "graph",
            "--category",
            "who",
            "--limit",
            "1",
            "--out",
            str(tmp_path / "part"),
            "--json",
        ],
        ["eval", "report", "first", "--out", str(tmp_path / "report"), "--json"],
        ["eval", "compare", "first", str(tmp_path / "part"), "--json"],
        ["eval", "compare", "first", str(tmp_path / "part")],
        ["eval", "list", "--json"],
        ["eval", "list"],
    )
    scores = ran.json
    assert (scores["run"], scores["set"], scores["questions"], scores["arms"]) == ("first", "three", 3, ["graph", "vector"])
    graph = scores["overall"]["graph"]
    assert {"f1", "source_recall", "citation_support", "p50_ms", "p95_ms", "failures", "not_scored"} <= set(graph)
    assert scores["categories"]["count"]["graph"]["f1"] == 1 and graph["f1"] == pytest.approx(2 / 3) and graph["failures"] == 0
    assert graph["source_recall"] == 1 and graph["not_scored"]["source_recall"] == 2 and graph["p95_ms"] >= graph["p50_ms"] > 0
    assert again.json == scores  # nothing was asked twice: the times are the same
    assert "kept in" in text.out and "support" in text.out
    assert part.json["questions"] == 1 and set(part.json["categories"]) == {"who"}
    written = [Path(p) for p in report.json]
    assert [p.name for p in written] == ["report.md", "report.html"] and "gatekeeper#3" in written[0].read_text()
    assert not any(tag in written[1].read_text() for tag in ("<img", "<link", "<script src", "<iframe"))
    assert compared.json["arms"]["graph"]["overall"]["ties"] == 1 and list(compared.json["arms"]) == ["graph"]
    assert "better / equal / worse" in compare_text.out
    own = [r for r in listed.json if r["folder"].startswith(str(home))]
    assert {"first"} < {r["run"] for r in own} and all(r["finished"] and r["questions"] == 3 for r in own) and "first" in listing.out


def test_a_set_or_run_that_cannot_be_used_is_one_line(home, tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"id": "a"}\n')
    binary = tmp_path / "binary.jsonl"
    binary.write_bytes(b"\xff\xfe\x00")
    good = str(question_set(tmp_path))
    results = brain(
        home,
        ["eval", "run", "--set", "nosuch"],
        ["eval", "run", "--set", str(bad)],
        ["eval", "run", "--set", str(binary)],
        ["eval", "run", "--set", str(tmp_path)],
        ["eval", "run", "--set", good, "--arms", "graph,oracle"],
        ["eval", "run", "--set", good, "--category", "nosuch"],
        ["eval", "run", "--set", good, "-w", "empty"],
        ["eval", "report", "nosuch"],
        ["eval", "compare", "nosuch", "nosuch"],
        ["eval", "run", "--set", good, "--out", f"{good}/x"],
    )
    said = [
        "nosuch",
        "bad.jsonl:1",
        "UTF-8",
        "is a folder",
        "--arms is",
        "count, who",
        "nothing is loaded in 'empty'",
        "no run 'nosuch'",
        "no run",
    ]
    for done, words in zip(results, [*said, "cannot write"], strict=True):
        refused(done, words)


# -- loading ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def acme(home, tmp_path_factory):
    """A workspace with a repository and an archive of an organisation of our own; gives the folder they lie in."""
    folder = tmp_path_factory.mktemp("acme")
    made = Made(folder / "app")
    made.commit("Add the pump", {"src/pump.c": "int pump;\n"})
    made.commit("Fix the pump (#1)\n\nCloses #2", {"src/pump.c": "int pump = 1;\n"})
    made.git("tag", "v1")
    issue = {
        "number": 2, "title": "The pump leaks", "body": "Water on the floor.", "state": "open", "created_at": "2020-09-13T00:00:00Z",
        "user": {"login": "ada"}, "html_url": "https://github.com/acme/app/issues/2",
    }  # fmt: skip
    (folder / "issues.json").write_text(json.dumps([issue]))
    loaded, issues = brain(
        home,
        ["ingest", "git", str(folder / "app"), "--org", "acme", "-w", "acme", "--no-embed", "--json"],
        ["ingest", "github", str(folder / "issues.json"), "-w", "acme", "--no-embed", "--json"],
    )
    assert loaded.json["rows"]["Commit"] == 2 and issues.json["rows"]["Issue"] == 1
    return folder


def counts(done):
    return {k: n for k, n in done.json["rows"].items() if n}


def test_what_was_loaded_is_reported_synced_and_found_again(home, acme):
    before, text, synced, folder = brain(
        home,
        ["report", "-w", "acme", "--json"],
        ["report", "-w", "acme"],
        ["sync", "-w", "acme", "--no-embed", "--json"],
        ["ingest", "auto", str(acme), "--org", "acme", "-w", "auto", "--no-embed", "--json"],
    )
    assert {r["source"] for r in before.json} >= {"git:acme/app", "github:acme/app"}
    assert "Import report" in text.out and "git:acme/app" in text.out
    assert counts(synced) == counts(folder) and synced.json["failures"] == []
    Made.commit(_reopened(acme / "app"), "Paint the pump", {"paint.txt": "red\n"}, at=1_700_000_000)
    again, asked, nothing = brain(
        home,
        ["sync", "-w", "acme", "--no-embed", "--json"],
        ["query", "run", "measure", "kind=commits", "-w", "acme", "--json"],
        ["sync", "-w", "nothing"],
    )
    assert again.json["rows"]["Commit"] == 3 and asked.json["rows"][0]["n"] == 3
    refused(nothing, "nothing was loaded into 'nothing'")


def _reopened(path):
    made = Made.__new__(Made)
    made.path, made.now = path, 0
    return made


def test_bad_input_is_one_line_and_loses_nothing(home, acme, tmp_path):
    def file(name, data):
        (tmp_path / name).write_bytes(data)
        return str(tmp_path / name)

    whole = (acme / "issues.json").read_bytes()
    (tmp_path / "folder").mkdir()
    github, git = ["ingest", "github"], ["ingest", "git", "--org", "acme"]
    cases = [
        (github, str(tmp_path / "missing.json"), "missing.json"),
        (github, file("truncated.json", whole[: len(whole) // 2]), "truncated.json:1"),
        (github, file("latin.json", whole.replace(b"leaks", "fl\xf6\xdfe".encode("latin-1"))), "not UTF-8"),
        (github, file("other.json", b'{"hello": "world"}'), "other.json"),
        (github, file("notes.txt", b"hello"), "not JSON"),
        (github, file("long.json", b'[{"number": 1, "title": "' + b"x" * 50_000_000), "long.json:1"),
        (github, str(tmp_path / "folder"), "folder"),
        (git, str(tmp_path / "missing"), "missing"),
        (git, str(tmp_path / "folder"), "not a git repository"),
        (git, file("cut.bundle", b"# v2 git bundle\n"), "cut.bundle"),
        (["ingest", "auto", "--org", "acme"], str(tmp_path / "missing"), "no such file or folder"),
    ]
    report = ["report", "-w", "acme", "--json"]
    count = ["query", "run", "counts", "-w", "acme", "--json"]
    before = brain(home, report, count)
    results = brain(home, *([*command, path, "-w", "acme"] for command, path, _ in cases))
    for done, (_, _, words) in zip(results, cases, strict=True):
        refused(done, words)
        assert "Import report" not in done.out
    after = brain(home, report, count)
    assert [d.json if i == 0 else d.json["rows"] for i, d in enumerate(after)] == [
        d.json if i == 0 else d.json["rows"] for i, d in enumerate(before)
    ]


def test_a_format_is_loaded_by_its_name_with_its_options(home, tmp_path):
    desk = tmp_path / "desk"
    desk.mkdir()
    (desk / "t.csv").write_text("Key,Title,Status,Priority,Created\nK-1,It leaks,open,low,03/04/2025\n")
    loaded, listed, option, pair, none = brain(
        home,
        ["ingest", "tickets", str(desk), "--option", "dates=day-first", "-w", "desk", "--no-embed", "--json"],
        ["ingest", "--help"],
        ["ingest", "tickets", str(desk), "--option", "colour=red", "-w", "desk"],
        ["ingest", "tickets", str(desk), "--option", "dates", "-w", "desk"],
        ["ingest", "alerts", str(desk), "-w", "desk"],
    )
    assert loaded.json["rows"]["Ticket"] == 1 and [r["source"] for r in loaded.json["reports"]] == ["tickets:desk"]
    assert all(name in listed.out for name in formats())
    refused(option, "tickets has no option 'colour'", "dates (day-first or month-first")
    refused(pair, "write it as name=value")
    refused(none, "holds no alerts")


def test_one_bad_path_among_good_ones_fails_and_the_good_ones_are_loaded(home, acme, tmp_path):
    mixed, found = brain(
        home,
        ["ingest", "github", str(acme / "issues.json"), str(tmp_path / "missing.json"), "-w", "mixed", "--no-embed"],
        ["query", "run", "measure", "kind=issues", "-w", "mixed", "--json"],
    )
    assert mixed.code == 1 and mixed.err.count("\n") == 1 and "missing.json" in mixed.err and "github:acme/app" in mixed.out
    assert found.json["rows"][0]["n"] == 1


def test_a_loaded_source_whose_path_is_gone_stays_as_it_was(home, acme, tmp_path):
    copy = shutil.copy(acme / "issues.json", tmp_path / "copy.json")
    (loaded,) = brain(home, ["ingest", "github", str(copy), "-w", "left", "--no-embed", "--json"])
    assert loaded.json["failures"] == []
    copy.unlink()
    synced, found = brain(home, ["sync", "-w", "left"], ["query", "run", "measure", "kind=issues", "-w", "left", "--json"])
    refused(synced, "copy.json")
    assert found.json["rows"][0]["n"] == 1


# -- the machine -----------------------------------------------------------------------------------


def test_doctor_says_what_is_there(home):
    with model_server([call("ready", answer="yes")]) as server:
        place = {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "sk-secretsecret", "BRAIN_LLM_MODELS": "small"}
        found, text = brain(home, ["doctor", "--json"], ["doctor", "--model"], **place)
    plain, none = brain(home, ["doctor"], ["doctor", "--model", "--json"])
    checks = {c["what"]: c for c in found.json}
    assert checks["database"]["ok"] and checks["git"]["ok"] and "entities" in checks["workspace demo"]["says"]
    assert checks["engine openai"]["says"].startswith("small at 127.0.0.1") and "model small" not in checks
    assert "database" in text.out and "model small: answers in" in text.out
    assert "secretsecret" not in found.out + text.out
    assert plain.code == 0 and none.code == 1, "whoever asks for a model to be tried, and has none, is told so"
    assert "BRAIN_LLM_MODELS" in {c["what"]: c for c in json.loads(none.out)}["model that was to be asked"]["says"]


def test_nothing_loaded_and_a_bad_name_are_one_line(home):
    empty, name, arm, blank = brain(
        home,
        ["ask", "Who?", "-w", "empty"],
        ["ask", "Who?", "-w", "../etc"],
        ["ask", "Who?", "--arm", "psychic"],
        ["ask", "  "],
    )
    refused(empty, "brain demo")
    refused(name, "'../etc'")
    refused(arm, "psychic")
    refused(blank, "empty")


def test_a_store_that_is_down_is_one_line(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, not listening: nobody answers, and nobody else gets the port
        url = f"redis://someone:secret@127.0.0.1:{taken.getsockname()[1]}"
        asked, loaded, doctor = brain(tmp_path, ["ask", "Who?"], ["demo"], ["doctor"], FALKORDB_URL=url)
    for done in (asked, loaded):
        refused(done, "cannot reach the database", "127.0.0.1")
        assert "secret" not in done.err
    assert doctor.code == 1 and "cannot reach the database" in doctor.out
    (wrong,) = brain(tmp_path, ["ask", "Who?"], FALKORDB_URL="http://127.0.0.1")
    refused(wrong, "redis://")


def test_a_data_folder_that_cannot_be_written_is_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    for done in brain(tmp_path / "file", ["ask", "Who?"], ["demo"], ["ingest", "github", str(DEMO)]):
        refused(done, "BRAIN_HOME")


@pytest.mark.skipif(os.geteuid() == 0, reason="the administrator may write anywhere")
def test_a_data_folder_without_rights_is_one_line(tmp_path):
    tmp_path.chmod(0o500)
    for done in brain(tmp_path / "home", ["ask", "Who?"], ["demo"]):
        refused(done, "BRAIN_HOME")


def test_a_socket_that_another_program_holds_is_one_line(tmp_path):
    folder = DataFolder(tmp_path)
    folder.prepare()
    with socket.socket(socket.AF_UNIX) as foreign:
        foreign.bind(str(folder.choose_socket()))
        foreign.listen()
        (done,) = brain(tmp_path, ["ask", "Who?"])
    refused(done, "another program listens")


def test_a_setting_that_makes_no_sense_is_one_line(tmp_path):
    (done,) = brain(tmp_path, ["ask", "Who?"], BRAIN_IDLE_STOP_S="soon")
    refused(done, "BRAIN_IDLE_STOP_S='soon'")
