"""An incident report says when it was and what about; a cause only where a field or the section of that name states one."""

from pathlib import Path

import pytest
from company_files import Rows, fetched, written

from brain.connectors.dates import moment
from brain.connectors.markdown_incident import incident_id, span, title
from brain.connectors.markdown_kind import Document
from brain.connectors.markdown_page import parse

SAMPLES = Path(__file__).parent.parent.parent / "shared" / "formats" / "postmortems"
DEPLOYS = (
    '{"id": "bus-20240318-0405", "service": "bus", "version": "v2", "environment": "production", "created_at": "2024-03-18T04:05:00Z", "status": "success"}\n'
    '{"id": "bus-20240318-0612", "service": "bus", "version": "v1", "environment": "production", "created_at": "2024-03-18T06:12:00Z", "status": "success"}\n'
)
TICKETS = "Issue key,Summary,Status,Created\nOPS-14,Late levels,Done,2024-03-18 05:40\n"
SERVICES = "# Services\n\n| Service | Owner |\n|---|---|\n| bus | Heat Team |\n| threshold-watch | Heat Team |\n"


def report(front="", body=""):
    return f"---\nid: INC-3\ntitle: Late levels\nseverity: SEV1\nstart: 2024-03-18T05:32:00Z\nend: 2024-03-18T06:19:00Z\nservices: [threshold-watch]\nlead: Ada Byron\n{front}---\n\n# Late levels\n\n{body}"


def load(folder, text):
    written(folder / "docs" / "incidents" / "2024-03-18-late.md", text)
    written(folder / "docs" / "registry" / "services.md", SERVICES)
    sources = [fetched("markdown", folder / "docs", base=folder), fetched("tickets", written(folder / "ops.csv", TICKETS), base=folder)]
    return Rows(*sources, fetched("deploys", written(folder / "deploys.jsonl", DEPLOYS), base=folder))


def doc(text, path="incidents/2024-01-02-queue-full.md"):
    return Document(path, parse(text))


def test_fields_tell_what_when_and_how_bad(tmp_path):
    rows = load(tmp_path, report(body="Ticket OPS-14.\n\n## Impact\n\nThe bus was late.\n"))
    found = rows.nodes["incident:INC-3"]
    assert (found["name"], found["severity"], found["at"], found["ended_at"]) == ("Late levels", "SEV1", moment("2024-03-18T05:32:00Z").start, moment("2024-03-18T06:19:00Z").start)
    assert ("incident:INC-3", "doc:docs/incidents/2024-03-18-late.md") in rows.of("REPORTED_IN") and ("incident:INC-3", "service:threshold-watch") in rows.of("ABOUT")
    assert ("incident:INC-3", "ticket:OPS-14") in rows.of("REFERENCES") and rows.of("HANDLED_BY") >= {("incident:INC-3", "person:ada-byron")}


def test_a_field_states_cause_and_fix(tmp_path):
    rows = load(tmp_path, report("cause: bus-20240318-0405\nfix: bus-20240318-0612\n"))
    assert rows.of("CAUSED_BY") == {("incident:INC-3", "deploy:bus-20240318-0405")} and rows.of("FIXED_BY") == {("incident:INC-3", "deploy:bus-20240318-0612")}
    assert rows.props["incident:INC-3", "CAUSED_BY", "deploy:bus-20240318-0405"]["state"] == "approved"


def test_a_section_states_a_cause_only_where_it_names_one_and_denies_nothing(tmp_path):
    plain = load(tmp_path / "a", report(body="## Root cause\n\nThe deploy bus-20240318-0405 made batches longer.\n"))
    assert plain.props["incident:INC-3", "CAUSED_BY", "deploy:bus-20240318-0405"]["state"] == "approved"
    for n, text in enumerate(("It was not bus-20240318-0405.", "Either bus-20240318-0405 or bus-20240318-0612.", "Nobody blamed bus-20240318-0405.")):
        rows = load(tmp_path / str(n), report(body=f"## Root cause\n\n{text}\n"))
        assert {p["state"] for k, p in rows.props.items() if k[1] == "CAUSED_BY"} == {"candidate"}, text


def test_what_is_only_mentioned_caused_nothing(tmp_path):
    rows = load(tmp_path, report(body="## Timeline\n\n04:05 bus-20240318-0405 went out.\n\n## Root cause\n\nA certificate ran out.\n"))
    assert rows.of("CAUSED_BY") == set() and ("incident:INC-3", "deploy:bus-20240318-0405") in rows.of("REFERENCES")


@pytest.mark.parametrize(("text", "start"), [
    ("# 2024-01-02, Queue full\n\n## Timeline\n\nAll times in CEST\n\n### 2024-01-02 12:35\n\nFull.\n", "2024-01-02T10:35:00Z"),
    ("# 2024-01-02, Queue full\n\n## Timeline\n\nAll times in PST (UTC-7)\n\n### Jan 2 2024 14:17\n\nFull.\n", "2024-01-02T21:17:00Z"),
    ("# 2023-12-31, Queue full\n\n## Timeline\n\n### 2024-01-02 10:00 - Problem starts\n\nFull.\n", "2024-01-02T10:00:00Z"),
    ("# 2024-01-02 4:23PM PST, Queue full\n\nFull.\n", "2024-01-03T00:23:00Z"), ("# Queue full\n\nFull.\n", "2024-01-02"), ("---\nstart_time: 2024-01-02T03:04:05.678Z\n---\nFull.\n", "2024-01-02T03:04:05Z"),
])  # fmt: skip
def test_when_it_began(text, start):
    assert span(doc(text))[0] == moment(start).start


def test_ids_and_titles():
    assert incident_id(doc("---\nid: INC-7\n---\nx\n")) == "INC-7" and incident_id(doc("# INC-9: Down\n\nx\n")) == "INC-9"
    assert incident_id(doc("# Down\n\nx\n")) == "incidents-2024-01-02-queue-full"
    assert title(doc("# 2018-01-18, reddit hugs us\n")) == "reddit hugs us" and title(doc("# Incident report: Down\n")) == "Down" and title(doc("# incident date: 2019-02-20, no logs\n")) == "no logs"


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="needs the samples beside the repository")
def test_every_sample_is_an_incident_with_a_date_but_index_and_template():
    records = fetched("markdown", SAMPLES, base=SAMPLES.parent)
    rows = Rows(records)
    incidents = {k: n for k, n in rows.nodes.items() if k.startswith("incident:")}
    assert len(incidents) == 23 and all(n["at"] for n in incidents.values())
    assert sum(r["kind"] == "doc" for r in records) == 25 and not any("template" in k for k in incidents)
