"""`brain incident`: an alert by key, id or service, what a person reads, kept investigations, and drafts of them."""

import json

import pytest
import small_company
import small_graph
from incident_made import CAUSE, INCOMPLETE, NONE, PASSAGES, RIVALS, hostile
from tiny_org import brain_of
from typer.testing import CliRunner

from brain.cli import incident_report
from brain.cli.app import app
from brain.cli.output import Console
from brain.errors import BadInput

W = "cli-incident"
ALERT = "0e06d5f413d88dc9"
WEBHOOK = {
    "version": "4", "status": "firing", "groupKey": "g", "receiver": "r", "groupLabels": {}, "commonLabels": {}, "commonAnnotations": {}, "externalURL": "",
    "alerts": [{"status": "firing", "labels": {"alertname": "BusLag", "service": "event-bus", "severity": "critical"}, "annotations": {"summary": "the bus lags"},
                "startsAt": "2025-11-29T02:00:00Z", "endsAt": "0001-01-01T00:00:00Z", "fingerprint": "abcabcabcabcabca"}],
}  # fmt: skip


@pytest.fixture(scope="module")
def run(home, shared_store):
    opened = brain_of(home, W)
    small_company.build(shared_store, W, "restricted")
    opened.close()

    def call(*args, ok=True):
        command = ["incident", *args, "-w", W]
        done = CliRunner(env={"BRAIN_HOME": str(home.home), "COLUMNS": "200"}).invoke(app, command)
        if ok:
            assert done.exit_code == 0, done.output
            return done.stdout
        assert isinstance(done.exception, BadInput), done.exception
        return str(done.exception)

    return call


@pytest.fixture(scope="module")
def made(run):
    """An investigation that is kept, as JSON."""
    return json.loads(run(ALERT, "--at", "2025-12-01", "--json"))


def test_an_alert_is_investigated_by_id_key_or_service(run, made):
    assert made["signal"]["key"] == f"alert:{ALERT}" and made["state"] == "complete" and made["roles"]
    again = json.loads(run("run", "threshold-watch", "--at", "2025-12-01", "--json", "--as", "guest"))
    assert again["signal"]["key"] == f"alert:{ALERT}" and again["viewer"] == "guest"


def test_the_report_says_the_most_important_first(run, made):
    said = run("show", made["id"])
    lines = said.splitlines()
    assert lines[0].startswith("ThresholdEvaluationLag on threshold-watch, 2025-11-29 02:41 UTC") and lines[1]
    assert said.index("Page:") < said.index("Last time:") < said.index("Severity:") < said.index("Thumb rule:") < said.index("Claim by claim")
    assert made["id"] in lines[-1]


def test_what_a_viewer_may_not_see_is_nowhere_in_it(run):
    said = run(ALERT, "--at", "2025-12-01", "--as", "guest", "--arm", "both", "--json")
    assert small_graph.CANARY not in said and [i["arm"] for i in json.loads(said)] == ["graph", "vector"]
    assert small_graph.CANARY in run(ALERT, "--at", "2025-12-01", "--json")
    assert "nearest" in run(f"alert:{small_graph.CANARY}", "--as", "guest", ok=False)


def test_a_wrong_name_gets_one_line_with_the_nearest(run):
    for wrong in ("thresholdevaluationlagg", "threshold-wach", f"alert:{ALERT[:-1]}0"):
        said = run(wrong, ok=False)
        assert "\n" not in said and f"nearest: alert:{ALERT} (ThresholdEvaluationLag on threshold-watch)" in said


def test_a_message_of_the_alerting_system_is_investigated_without_being_loaded(run, tmp_path):
    file = tmp_path / "hook.json"
    file.write_text(json.dumps(WEBHOOK))
    found = json.loads(run("--file", str(file), "--at", "2025-12-01", "--json"))
    assert (found["signal"]["service"], found["signal"]["name"]) == ("service:event-bus", "BusLag")
    stranger = {**WEBHOOK["alerts"][0], "labels": {"alertname": "Odd", "service": "unheard-of"}, "fingerprint": "ddd0ddd0ddd0ddd0"}
    file.write_text(json.dumps({**WEBHOOK, "alerts": [stranger]}))
    assert "nothing could be searched" in run("--file", str(file), "--at", "2025-12-01")
    file.write_text("{")
    assert run("--file", str(file), ok=False)
    assert "No such file" in run("--file", str(tmp_path / "none.json"), ok=False)


@pytest.mark.parametrize(("args", "said"), [
    ((), "name an alert"), ((ALERT, "--engine", "openai"), "BRAIN_LLM_MODELS"), ((ALERT, "--engine", "x"), "legal: builtin"), ((ALERT, "--arm", "hybrid"), "graph, vector, both"),
    ((ALERT, "--file", "x.json"), "name an alert"), (("show", "nope"), "no investigation"), (("confirm", "nope"), "no investigation"), (("--resume", "nope"), "no investigation"),
    ((ALERT, "--at", "2025-11-01"), "there is no alert"), (("export", "nope", "--message"), "no investigation"),
])  # fmt: skip
def test_a_call_that_cannot_be_done_says_what_to_do(run, args, said):
    assert said in run("run", *args, ok=False) if args[:1] in ((), (ALERT,), ("--resume",)) else said in run(*args, ok=False)


def test_kept_investigations_are_listed_for_whoever_made_them(run, made):
    assert made["id"] in {row["id"] for row in json.loads(run("list", "--json"))} and made["id"] in run("list")
    assert made["id"] not in run("list", "--as", "mcoelho")
    assert "no investigation" in run("show", made["id"], "--as", "mcoelho", ok=False)


def test_drafts_are_printed_or_written_and_nothing_is_overwritten(run, made, tmp_path):
    out = tmp_path / "pm.md"
    assert run("export", made["id"], "--post-mortem", "--out", str(out)) == ""
    assert out.read_text().startswith("# ") and "## Action items" in out.read_text()
    assert "there already" in run("export", made["id"], "--post-mortem", "--out", str(out), ok=False)
    assert run("export", made["id"], "--message").startswith("*SEV")
    assert "say which" in run("export", made["id"], ok=False)


def test_a_confirmed_cause_becomes_a_playbook(run, made):
    cause = made["suspects"][0]["key"]
    (kept,) = json.loads(run("confirm", made["id"], "--cause", cause, "--json"))
    assert kept["id"] and kept["title"] and kept["standing"] == "active"
    assert "not among the suspects" in run("confirm", made["id"], "--cause", "deploy:none", ok=False)


def test_a_finished_one_is_given_back_when_it_is_resumed(run, made):
    assert json.loads(run("--resume", made["id"], "--json"))["id"] == made["id"]


@pytest.mark.parametrize("inv", [CAUSE, RIVALS, NONE, PASSAGES, INCOMPLETE, hostile()], ids=lambda i: f"{i.id}-{i.outcome}")
def test_every_outcome_can_be_told(inv):
    console = Console(width=200, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    incident_report.show(inv, console)
    said = console.export_text()
    assert inv.id in said and ("brain incident --resume inv-5" in said) == (inv is INCOMPLETE)
    assert ("dropped" in said) == bool(inv.dropped)


def test_the_terminal_tells_rivals_as_rivals_and_what_speaks_against_what_was_ruled_out():
    console = Console(width=200, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    incident_report.show(RIVALS, console)
    said = console.export_text()
    assert "2 changes could have caused it" in said and "Ruled out" in said and "It changes a translation only" in said
    assert "would fit as well: order-queue 1.18 to canary" in said and "not paged: Ida Bright" in said
