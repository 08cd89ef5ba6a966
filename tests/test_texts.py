"""What the demo's people wrote outside of GitHub: every id it names exists, and it holds what brain/demo/README.md promises."""

import csv
import json
import re
from functools import cache

import yaml

from brain.demo import build
from brain.demo import company as company_file

RAW = build.RAW


@cache
def written() -> dict[str, str]:
    found = [path for part in ("docs", "incidents", "slack", "tickets") for path in (RAW / part).rglob("*") if path.is_file()]
    return {path.relative_to(RAW).as_posix(): path.read_text("utf-8") for path in found}


def front(name: str) -> dict:
    return yaml.safe_load(written()[name].split("---\n")[1])


def table(name: str) -> list[dict[str, str]]:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in written()[name].splitlines() if line.startswith("|")]
    return [dict(zip(rows[0], row, strict=True)) for row in rows[2:]]


@cache
def messages(channel: str) -> list[dict]:
    return [m for name, text in sorted(written().items()) if name.startswith(f"slack/{channel}/") for m in json.loads(text)]


def said(channel: str, day: str, words: str) -> dict:
    """The one message of a day with these words."""
    found = [m for m in json.loads(written()[f"slack/{channel}/{day}.json"]) if words in m["text"]]
    assert len(found) == 1
    return found[0]


@cache
def tickets() -> dict[str, dict]:
    jira = {row["Issue key"]: row for row in csv.DictReader(written()["tickets/jira.csv"].splitlines(keepends=True))}
    return jira | {(one := json.loads(line))["id"]: one for line in written()["tickets/support.jsonl"].splitlines()}


def slack_id(short: str) -> str:
    return company_file.load().people[short].slack


def test_size_of_the_texts():
    assert len([name for name in written() if name.startswith("docs/")]) == 45
    assert len([name for name in written() if name.startswith("docs/adr/")]) == 15
    assert len([name for name in written() if name.startswith("incidents/")]) == 8
    assert len(tickets()) == 350
    assert {name.split("/")[1] for name in written() if name.startswith("slack/") and name.count("/") == 2} == set(company_file.load().channels)


def test_every_deploy_ticket_decision_and_pull_request_that_a_text_names_exists():
    text = "\n".join(written().values())
    deploys = {json.loads(line)["id"] for line in (RAW / "deploys" / "deployments.jsonl").read_text("utf-8").splitlines()}
    services = "|".join(company_file.load().services)
    assert set(re.findall(rf"\b(?:{services})-20\d{{6}}-\d{{4}}\b", text)) <= deploys
    assert set(re.findall(r"\b(?:OPS|FLD)-\d+\b", text)) <= tickets().keys()
    assert set(re.findall(r"\bADR-(\d{4})\b", text)) <= {name[9:13] for name in written() if name.startswith("docs/adr/")}
    numbers: dict[str, set[int]] = {}
    for path in RAW.glob("*.archive.json"):
        archive = json.loads(path.read_text("utf-8"))
        numbers[archive["repo"].partition("/")[2]] = {thing["number"] for thing in archive["pulls"] + archive["issues"]}
    named = re.findall(rf"\b({'|'.join(numbers)})#(\d+)\b", text)
    assert named and all(int(number) in numbers[repo] for repo, number in named)


def test_every_incident_report_names_an_alert_and_a_service_that_exist():
    alerts = (RAW / "alerts" / "alertmanager.jsonl").read_text("utf-8")
    services = company_file.load().services
    for name in [name for name in written() if name.startswith("incidents/")]:
        report = front(name)
        assert report["start"] < report["end"] and set(report["services"]) <= services.keys()
        assert f'"fingerprint": "{re.search("Alert `([0-9a-f]{16})`", written()[name])[1]}"' in alerts


# what brain/demo/README.md promises


def test_planted_stale_runbook_names_who_moved():
    assert "Marguerite Oyelaran" in written()["docs/runbooks/late-thresholds.md"]
    stays = [row for row in table("docs/registry/people.md") if row["Name"] == "Marguerite Oyelaran"]
    assert sorted((row["Team"], row["Until"] > "2026") for row in stays) == [("Boards and Billing", False), ("Platform", True)]
    duty = [row for row in table("docs/registry/oncall.md") if row["Team"] == "Platform" and row["From"] <= "2026-10-14" <= row["Until"]]
    assert [(row["Primary"], row["Secondary"]) for row in duty] == [("Ayodele Brandt", "Mateus Coelho")]


def test_planted_cause_that_is_a_ticket():
    cause, undone = tickets()["OPS-187"], tickets()["OPS-189"]
    assert (cause["Issue Type"], cause["Component/s"], cause["Resolved"]) == ("Change", "tide-model", "01/Oct/26 4:55 AM")
    assert (undone["Component/s"], undone["Resolved"]) == ("tide-model", "01/Oct/26 7:58 AM")


def test_planted_maintainer_who_is_not_the_lead():
    assert front("docs/runbooks/site-gateway-restart.md")["maintainer"] == "Rosalind Achterberg"
    row = next(row for row in table("docs/registry/services.md") if row["Service"] == "site-gateway")
    assert row["Technical lead"] == "Viktor Halloran"


def test_planted_rule_replaced_in_chat_and_then_by_a_notice_to_come():
    policy = next(row for row in table("docs/policies/ticket-handling.md") if row["Rule"] == "Ticket claim deadline")
    assert (policy["Value"], policy["From"]) == ("8 hours", "2026-01-05")
    change = said("duty-desk", "2026-09-14", "RULE CHANGE")
    assert change["text"] == "RULE CHANGE: Ticket claim deadline: 4 hours from 2026-09-15, replaces docs/policies/ticket-handling.md"
    assert change["user"] == slack_id("wren")
    notice = "docs/notices/2026-11-ticket-claim.md"
    assert str(front(notice)["effective_from"]) == "2026-11-02" and "2 hours" in written()[notice]


def test_planted_message_that_mixes_two_deadlines():
    wrong = said("field-talk", "2026-09-24", "diagnosed within 4 hours")
    assert wrong["user"] == slack_id("jonas")
    row = next(row for row in table("docs/policies/ticket-handling.md") if row["Rule"] == "Diagnosis deadline")
    assert row["Value"] == "24 hours"


def test_planted_supersession_in_the_words_of_the_records():
    by_number = {name[9:13]: text for name, text in written().items() if name.startswith("docs/adr/")}
    assert re.search(r"Partly superseded", by_number["0004"]) and re.search(r"In part supersedes \[", by_number["0012"], re.IGNORECASE)
    assert re.search(r"Superseded by \[ADR-0009\]", by_number["0002"]) and re.search(r"amended by \[ADR-0013\]", by_number["0005"])


def test_planted_private_thread_and_restricted_document_beside_open_ones():
    private = {one["name"] for one in json.loads(written()["slack/groups.json"])}
    assert private == {"trust-room", "leads"}
    assert said("trust-room", "2026-09-23", "build log") and said("security-help", "2026-09-23", "rotated tonight, planned")
    hidden = front("docs/policies/site-key-escrow.md")
    assert (hidden["access"], hidden["visible_to"]) == ("restricted", ["trust"])
    assert "access" not in front("docs/policies/key-rotation.md")


def test_planted_names():
    users = {one["id"]: one for one in json.loads(written()["slack/users.json"])}
    kasia = users[slack_id("kasia")]
    assert kasia["name"] == "kasia" and "Nowicka" not in json.dumps(kasia)
    rows = [row for row in table("docs/registry/people.md") if row["GitHub"] == "knowicka"]
    assert [(row["Name"], row["Slack"]) for row in rows] == [("Katarzyna Nowicka-Bell", slack_id("kasia"))]
    assert sorted(row["GitHub"] for row in table("docs/registry/people.md") if row["Name"] == "Owen Pritchard") == ["opritchard", "owenp"]


def test_planted_symptom_in_chat_without_its_ticket():
    first = said("field-talk", "2026-09-29", "exactly one metre and at six")
    thread = [m["text"] for m in messages("field-talk") if m.get("thread_ts") == first["ts"]]
    assert len(thread) > 1 and not re.search(r"(?:OPS|FLD)-\d", " ".join(thread))
    assert "Holme Fen" in tickets()["FLD-97"]["subject"]


def test_planted_document_that_gives_orders():
    text = written()["docs/guides/radar-sensor-vendor-sheet.md"]
    assert "AI assistants" in text and "gauge-ingest" in text


def test_planted_day_without_a_change_before_the_false_alarm():
    closed = {row["Resolved"][:9] for row in tickets().values() if row.get("Issue Type") == "Change"}
    assert "01/Oct/26" in closed and not {"05/Oct/26", "06/Oct/26"} & closed
