"""The vocabulary: every label and relationship of the design, with its class, its ends and its meaning."""

from __future__ import annotations

import pytest

from brain import schema
from brain.admission import clean_key


def test_the_design_s_keys_have_their_labels():
    wanted = {
        "repo:org/name": "Repo", "person:login": "Person", "pr:org/name#12": "PullRequest", "issue:org/name#12": "Issue", "release:org/name@v1.2": "Release",
        "commit:org/name@sha": "Commit", "dir:org/name/src/x": "Directory", "dir:org/name": "Directory", "file:org/name/src/x.c": "File",
        "concept:slug": "Concept", "team:id": "Team", "service:id": "Service", "project:id": "Project", "module:id": "Module", "resource:id": "Resource",
        "deploy:id": "Deploy", "alert:id": "Alert", "incident:id": "Incident", "ticket:id": "Ticket", "doc:path": "Doc", "decision:id": "Decision",
        "rule:id": "Rule", "thread:channel/ts": "Thread", "message:channel/ts": "Message", "chunk:pr:org/name#12/3": "Chunk",
    }  # fmt: skip
    assert {key: schema.label_of(clean_key(key)) for key in wanted} == wanted


RECORD = """AUTHORED REVIEWED MERGED COMMENTED_ON OPENED TOUCHED IN_DIR IN_REPO CLOSES REFERENCES SHIPPED_IN MENTIONS INCLUDES DEPLOYED_TO MODIFIES
    FIRED_ON REPORTED_IN ABOUT POSTED IN_THREAD DISCUSSED_IN PART_OF"""
ASSERTION = """OWNS TECH_LEAD_OF MAINTAINED_BY MEMBER_OF HOLDS_ROLE WORKS_ON USES DEPENDS_ON HANDLED_BY ASSIGNED_TO DECIDED WROTE JUSTIFIED_BY CAUSED_BY
    SUPERSEDES APPLIES_TO HAS_RESOURCE SAME_AS SIMILAR_TO"""
DERIVED = "KNOWS REVIEWS_FOR CO_CHANGES CONTRIBUTES_TO HAS_CONTRIBUTOR EXPERT_IN"
ACCESS = "VISIBLE_TO HAS_ROLE IN_CHANNEL"


@pytest.mark.parametrize(("cls", "names"), [("record", RECORD), ("assertion", ASSERTION), ("derived", DERIVED), ("access", ACCESS)])
def test_the_design_s_relationships_have_their_class(cls, names):
    assert {name: schema.RELS[name].cls for name in names.split()} == dict.fromkeys(names.split(), cls)


def test_domains_and_ranges_name_labels_and_every_entry_has_a_meaning():
    for rel in schema.RELS.values():
        assert rel.domain and rel.range and {*rel.domain, *rel.range} <= set(schema.NODES)
    assert all(x.meaning.endswith(".") for x in [*schema.RELS.values(), *schema.NODES.values()])
    assert len(schema.LABEL_OF_PREFIX) == len(schema.NODES)


def test_what_holds_text_is_a_source_and_what_everybody_may_see_is_structure():
    assert {
        "Doc",
        "Thread",
        "Message",
        "Ticket",
        "PullRequest",
        "Issue",
        "Decision",
        "Rule",
        "Chunk",
        "Alert",
        "Incident",
        "Deploy",
        "Finding",
    } <= set(schema.SOURCES)
    structure = {n.label for n in schema.NODES.values() if n.kind == "structure"}
    assert {"Person", "Team", "Service", "Repo", "Directory", "File", "Concept", "Release", "Module"} <= structure
    assert set(schema.SOURCES) | structure == set(schema.NODES)


def test_hubs_and_access_are_never_among_what_proves_a_citation():
    assert {"IN_REPO", "PART_OF", "VISIBLE_TO", "HAS_ROLE", "IN_CHANNEL", "MEMBER_OF"} == set(schema.HUBS)
