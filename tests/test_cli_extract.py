"""`brain extract` and `brain eval extraction` as typed, with a model server that speaks real HTTP."""

import json
import os
import signal
import stat
import subprocess
import sys
import time

import pytest
from extract_company import NOW, folder, honest
from model_server import model_server, text
from tiny_org import brain_of
from typer.testing import CliRunner

from brain import loads
from brain.cli.app import app
from brain.errors import BadInput

W = "cli-extract"


@pytest.fixture(scope="module")
def server():
    with model_server(lambda body: text(honest(body["messages"][-1]["content"]), usage=(2500, 500, 0)), all_used=False) as running:
        yield running


@pytest.fixture(scope="module")
def settings(home, server):
    said = {"BRAIN_HOME": str(home.home), "COLUMNS": "240", "OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "", "BRAIN_LLM_MODELS": "tiny-1"}
    return said | {"BRAIN_LLM_LIMITS": "none", "BRAIN_LLM_RETRIES": "0", "BRAIN_LLM_REPLAY": "", "BRAIN_LLM_RECORD": ""}


@pytest.fixture(scope="module")
def run(home, shared_store, server, tmp_path_factory, settings):
    brain = brain_of(home, W)
    brain.clock = lambda: NOW
    brain.load(loads.auto(brain.settings, folder(tmp_path_factory.mktemp("cli-extract")), "acme"))
    brain.close()

    def call(*args, noun="extract", ok=True, **env):
        done = CliRunner(env={**settings, **env}).invoke(app, [noun, *args, "-w", W])
        if ok:
            assert done.exit_code == 0, (done.output, done.exception)
            return done.stdout
        assert isinstance(done.exception, BadInput), (done.output, done.exception)
        return str(done.exception)

    return call


def test_without_a_model_it_says_what_to_set(run, server):
    assert "BRAIN_LLM_MODELS" in run("run", ok=False, BRAIN_LLM_MODELS="") and server.requests == []


def test_the_plan_says_what_would_be_read_and_what_it_may_cost_and_asks_nothing(run, server):
    told = json.loads(run("run", "--plan", "--json", BRAIN_LLM_PRICES="tiny-1=1/2"))
    assert (told["slices"], told["unread"], told["restricted"]) == (5, 5, 1) and told["prompt_tokens"] > 1000 and told["usd"] > 0
    assert json.loads(run("run", "--plan", "--json"))["usd"] is None and "5 of 5 slices to read; 1 of them of restricted" in run("run", "--plan")
    assert server.requests == []


def test_a_cap_stops_it_and_the_next_run_does_the_rest_and_a_third_asks_nothing(run, server):
    told = json.loads(run("run", "--json", "--parallel", "1", "--max-tokens", "8000"))
    first = told["spent"]["asked"]
    assert 0 < first < 5 and "this extraction's budget" in told["spent"]["stopped"] and told["spent"]["left"] == 5 - first
    said = run("run")
    assert f"read {5 - first} slices" in said and "8 claims stand" in said and "2 were refused" in said and "1 wait for a name" in said
    assert len(server.requests) == 5 and json.loads(run("run", "--json"))["spent"]["asked"] == 0 and len(server.requests) == 5
    body = server.requests[0]
    assert body["temperature"] == 0 and body["response_format"]["type"] == "json_schema" and "tools" not in body


def test_what_was_refused_is_listed_with_its_reason_and_counted(run):
    told = json.loads(run("rejected", "--json"))
    assert told["total"] == 2 and set(told["reasons"]) == {"the sentence denies something", "the sentence asks"}
    assert json.loads(run("rejected", "--json", "--reason", "asks"))["total"] == 1
    assert "the sentence denies something (not)" in run("rejected") and "doesn't own sensor-hub" in run("rejected")


def test_a_name_is_listed_settled_and_judged_anew_without_a_model(run, server):
    assert "the Bunker" in run("unresolved")
    (waiting,) = json.loads(run("unresolved", "--json"))
    assert waiting["name"] == "the Bunker"
    assert "or --nothing" in run("align", "the Bunker", ok=False) and "needs one of" in run("align", "the Bunker", "team:heat", ok=False)
    asked = len(server.requests)
    assert "0 still wait" in run("align", "the Bunker", "--nothing") and json.loads(run("unresolved", "--json")) == []
    assert "no name waits" in run("unresolved")
    assert json.loads(run("rejected", "--json"))["total"] == 3 and len(server.requests) == asked
    assert json.loads(run("judge", "--json"))["claims"] == 8


def test_what_was_said_of_a_name_is_listed_and_taken_back_and_it_waits_again(run, server):
    (said,) = json.loads(run("aligned", "--json"))
    assert (said["name"], said["key"], said["by"]) == ("the Bunker", "", "local") and "nothing that is stored" in run("aligned")
    asked = len(server.requests)
    assert "nobody said what" in run("unalign", "the Attic", ok=False)
    assert "1 wait for a name" in run("unalign", "The  bunker") and "the Bunker" in run("unresolved") and "nobody said" in run("aligned")
    assert "0 still wait" in run("align", "the Bunker", "--nothing") and len(server.requests) == asked


def test_how_far_the_reading_is_is_told_by_kind_and_by_model(run):
    told = json.loads(run("status", "--json"))
    assert {k["kind"]: (k["slices"], k["read"], k["unread"]) for k in told["kinds"]} == {
        "docs": (1, 1, 0), "chat": (2, 2, 0), "requests": (1, 1, 0), "issues": (1, 1, 0)
    }  # fmt: skip
    assert sum(k["restricted"] for k in told["kinds"]) == 1 and told["models"] == "tiny-1"
    assert [(w["model"], w["slices"], w["prompt_tokens"], w["unpriced"]) for w in told["read"]] == [("tiny-1", 5, 12500, 5)]
    assert {k["unread"] for k in json.loads(run("status", "--json", BRAIN_LLM_MODELS="other"))["kinds"]} == {1, 2}
    assert "5 at no known price" in run("status") and "any model" in run("status", BRAIN_LLM_MODELS="")


def test_restricted_texts_can_be_left_out(run, server):
    told = json.loads(run("run", "--plan", "--json", "--access", "open", "--access", "internal", BRAIN_LLM_MODELS="other"))
    assert (told["slices"], told["unread"], told["restricted"]) == (4, 4, 0)
    assert "legal: open" in run("run", "--plan", "--access", "secret", ok=False)


def test_the_claims_are_in_the_list_of_those_that_wait(run):
    told = json.loads(run("list", "--json", noun="candidates"))
    assert told["total"] == 8 and {c["read_by"] for c in told["claims"]} == {"model tiny-1"}
    assert "against Heat, approved" in run("list", noun="candidates")


def test_only_the_administrator_may(run):
    for args in (("run",), ("status",), ("rejected",), ("unresolved",), ("align", "x", "team:heat"), ("aligned",), ("unalign", "x"), ("judge",)):
        assert "only the administrator" in run(*args, "--as", "guest", ok=False)


def test_a_model_is_measured_on_the_labelled_texts(run, server):
    told = json.loads(run("extraction", "--json", noun="eval"))
    assert told["texts"] >= 40 and told["models"] == "tiny-1" and told["failed"] == 0 and told["claims"]["stood"] == 0 and told["claims"]["recall"] == 0.0
    assert "recall" in run("extraction", noun="eval")
    assert "no such file" in run("extraction", "--set", "gone.yaml", noun="eval", ok=False)


def test_what_a_model_said_of_the_labelled_texts_is_measured_alike_from_a_recording(run, server, tmp_path):
    short = tmp_path / "short.yaml"
    short.write_text("things: {person:mo: [Mo], service:pump: [Pump]}\ntexts:\n  - {id: a, kind: plain, at: doc, lines: [Mo owns pump all year.]}\n", "utf-8")
    recording = tmp_path / "said.jsonl"
    told = json.loads(run("extraction", "--json", "--set", str(short), noun="eval", BRAIN_LLM_RECORD=str(recording)))
    asked = len(server.requests)
    again = json.loads(run("extraction", "--json", "--set", str(short), "--replay", str(recording), noun="eval", BRAIN_LLM_MODELS="", OPENAI_BASE_URL=""))
    assert again == told and told["failed"] == 0 and len(server.requests) == asked


def test_what_was_read_is_for_whoever_runs_the_product_alone(run, home):
    kept = home.home / "workspaces" / W / "extracted"
    run("judge")
    assert {f.name: stat.filemode(f.stat().st_mode) for f in kept.iterdir()} == dict.fromkeys(
        ("extract.lock", "left.json", "names.jsonl", "replies.jsonl"), "-rw-------"
    )


def test_ctrl_c_waits_for_no_server_and_what_was_read_is_not_read_again(run, settings):
    """A real process and the signal as a terminal sends it, while two exchanges stall; an exchange would be given up after a minute."""
    slow = []

    def stalls(body):
        slow.append(body)
        return text(honest(body["messages"][-1]["content"])).but(delay_s=0 if len(slow) == 1 else 120)

    with model_server(stalls, all_used=False) as server:
        command = [sys.executable, "-c", "from brain.cli import main; main()", "extract", "run", "--parallel", "2", "-w", W]
        environment = {**os.environ, **settings, "OPENAI_BASE_URL": server.url, "BRAIN_LLM_MODELS": "slow-1"}
        heard = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}  # what runs in the background inherits that it is ignored
        with subprocess.Popen(command, env=environment, stdout=-1, stderr=-1, text=True, start_new_session=True, **heard) as process:
            try:
                until = time.monotonic() + 60
                while len(slow) < 3 and time.monotonic() < until and process.poll() is None:
                    time.sleep(0.02)
                os.killpg(process.pid, signal.SIGINT)
                out, err = process.communicate(timeout=15)
            finally:
                process.kill()
    assert (len(slow), process.returncode, out) == (3, 1, "")
    estimate, said = err.splitlines()
    assert estimate.startswith("5 of 5 slices") and said.startswith("brain: stopped; 1 of 5 slices were read and are kept")
    told = json.loads(run("run", "--json", BRAIN_LLM_MODELS="slow-1"))
    assert (told["spent"]["asked"], told["claims"]) == (4, 8)
