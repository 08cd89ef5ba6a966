"""What a document is follows from its words and its place, and a form to be filled in is no document."""

import pytest

from brain.connectors.markdown_kind import Document
from brain.connectors.markdown_page import parse

NYGARD = "# 4. Use queues\n\nDate: 2020-01-02\n\n## Status\n\nAccepted\n\n## Context\n\nIt is slow.\n\n## Decision\n\nWe queue.\n\n## Consequences\n\nFaster.\n"
MADR = "# Use queues\n\n## Context and Problem Statement\n\nIt is slow.\n\n## Considered Options\n\n* a\n\n## Decision Outcome\n\nChosen option: a, because.\n"
REPORT = "# 2024-05-06, Queue full\n\n## Summary\n\nThe queue was full for an hour.\n\n## Timeline\n\n### 2024-05-06 10:00\n\nFull.\n\n## Action items\n\n1. Grow.\n"


def doc(text, path="docs/notes/x.md"):
    return Document(path, parse(text))


@pytest.mark.parametrize(("text", "path", "kind"), [
    (NYGARD, "docs/x.md", "adr"), (MADR, "a/b.md", "adr"), (NYGARD, "README.md", "adr"), ("# T\n\n- Status: accepted\n- Date: 2020-09-27\n\n## Decision\n\nX.\n", "docs/adr/2020-x.md", "adr"),
    (REPORT, "notes/x.md", "incident"), ("---\nstart_time: 2020-01-01\n---\nIt broke.\n", "data/x.md", "incident"), ("# 2020-01-02 Down\n\nIt was.\n", "incidents/2020-01-02-down.md", "incident"),
    ("# Restart it\n\nDo.\n", "docs/runbooks/restart.md", "runbook"), ("# Deploying\n\nDo.\n", "docs/sop/deploying.md", "sop"), ("---\nkind: policy\n---\n# P\n", "x.md", "policy"),
    ("---\ntype: Postmortem\n---\n# P\n", "x.md", "incident"), ("# Notice\n\nx\n", "docs/notices/n.md", "notice"), ("# Services\n\nx\n", "docs/registry/services.md", "registry"),
    ("# Who is on call\n\nx\n", "docs/on-call.md", "registry"), ("# Read me\n\nx\n", "docs/adr/README.md", "readme"), ("# Index\n\nx\n", "incidents/index.md", "index"),
    ("# Some page\n\nx\n", "docs/some/page.md", "document"), ("# Getting started guide\n\nx\n", "docs/start.md", "guide"), ("# Weekly\n\nx\n", "meetings/2020-01-02.md", "meeting"),
])  # fmt: skip
def test_kinds(text, path, kind):
    assert doc(text, path).kind == kind


@pytest.mark.parametrize("text", [
    "# {short title of solved problem}\n\n## Decision\n\n{x}\n", "# [short title of problem]\n\n- Status: [draft | accepted]\n\n## Decision\n\nx\n",
    "# {{ date }}, {{ name }}\n\n## Timeline\n\nx\n", "---\nstatus: \"{proposed | accepted\"\n---\n# T\n\n## Decision\n\nx\n",
    "# <!-- short title -->\n\n## Context and Problem Statement\n\n## Decision Outcome\n\n### Consequences\n",
])  # fmt: skip
def test_a_form_is_a_template_and_neither_decision_nor_incident(text):
    found = doc(text, "docs/adr/0000-x.md")
    assert found.kind == "template" and not found.is_decision and not found.is_incident


def test_a_title_comes_from_front_matter_heading_or_file():
    assert doc("---\ntitle: A\n---\n# B\n").title.text == "A" and doc("# B\n").title.text == "B" and doc("text\n", "a/some-page.md").title.text == "some page"
    assert doc("---\nuuid: 1\n---\nThe queue was full. It broke.\n", "d/00b7f759-21f8-4767-8803-f09d863005cd.md").title.text == "The queue was full."


def test_fields_stand_in_front_matter_lines_and_sheets():
    assert [(v.text, v.line) for v in doc("# T\n\n**Owner:** Ada\nStatus: draft\n\n## Body\n\nAuthor: not here\n").field("owner")] == [("Ada", 3)]
    assert doc("# T\n\n## Body\n\nAuthor: not here\n").field("author") == ()
    assert doc("# T\n\n| Field | Value |\n|---|---|\n| Owner | Ada |\n").field("owner")[0].line == 5
    assert doc("---\nowner: Bo\n---\n# T\n\nOwner: Ada\n").field("owner")[0].text == "Bo"
    assert doc("# T\n\nOwner: TBD\n").field("owner") == ()


@pytest.mark.parametrize("path", ["locales/en/templates/by-nygard/index.md", "adr/decision-record-template-by-edgex/index.md"])
def test_a_form_in_a_folder_of_templates_decides_nothing(path):
    assert not doc(NYGARD, path).is_decision and doc(NYGARD, path.replace("template", "record")).is_decision
