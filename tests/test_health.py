"""What is wrong with a company's own records: each check finds what was planted, and nothing where all is well."""

import json
import re

import pytest
import small_company
import small_graph
from claims_graph import Company, at, lines
from tiny_org import brain_of
from typer.testing import CliRunner

from brain import permissions
from brain.cli.app import app
from brain.health import CHECKS, health
from brain.tools import tools
from brain.tools.asking import Asking

NOW = at("2026-10-15")
REGISTRY = lines("| dosing | team-locks | Ada |", "| mixing | Old Hand |", "| resting | ghosts |", "runbook: Old Hand")
BOOK = lines("# Restart", "", "Page Mo, else Old Hand.", "", "See [the rest](../sop/rest.md#now) and [gone](../sop/gone.md),", "[site](https://x.test/a.md) or [top](/docs/sop/rest.md).")


@pytest.fixture
def company():
    made = Company()
    made.node("person:ada", "Ada")
    made.node("person:old", "Old Hand", departed_at=at("2026-08-14"))
    made.node("person:mo", "Mo")
    for key in ("team:locks", "team:boards", "team:ghosts", "service:dosing", "service:mixing", "service:resting", "service:idle"):
        made.node(key)
    made.node("service:rumour", unknown=True)
    made.doc("docs/registry.md", REGISTRY, kind="registry", updated_at=at("2020-01-01"))
    made.doc("docs/runbooks/restart.md", BOOK, kind="runbook", reviewed_at=at("2026-04-02"))
    made.doc("docs/sop/rest.md", "Rest.", kind="sop", updated_at=at("2025-01-01"))
    made.doc("docs/sop/fresh.md", "Fresh, by [Ada](rest.md).", kind="sop", updated_at=at("2026-09-30"))
    made.doc("docs/secret.md", "[x](nowhere.md)", access="restricted", updated_at=at("2020-01-01"))
    made.doc("docs/adr/1.md", "Accepted", kind="adr", updated_at=at("2019-01-01"))
    made.node("decision:docs/adr/1", "One", access="open", stated="accepted", doc="doc:docs/adr/1.md")
    made.node("decision:docs/adr/2", "Two", access="open", doc="doc:docs/adr/2.md")
    made.claim("team:locks", "OWNS", "service:dosing", "doc:docs/registry.md", 1, "| dosing | team-locks |")
    made.claim("person:old", "OWNS", "service:mixing", "doc:docs/registry.md", 2, "| mixing | Old Hand |")
    made.claim("team:ghosts", "OWNS", "service:resting", "doc:docs/registry.md", 3, "| resting | ghosts |")
    made.claim("team:ghosts", "OWNS", "service:idle", "doc:docs/registry.md", 3, "ghosts", state="candidate")
    made.claim("doc:docs/registry.md", "MAINTAINED_BY", "person:old", "doc:docs/registry.md", 4, "Old Hand")
    made.claim("person:ada", "MEMBER_OF", "team:locks", "doc:docs/registry.md", 1, "Ada")
    made.claim("person:old", "MEMBER_OF", "team:ghosts", "doc:docs/registry.md", 2, "Old Hand")
    made.claim("person:mo", "MEMBER_OF", "team:boards", "doc:docs/registry.md", 4, "runbook", valid_from=at("2026-06-01"))
    for n, who in ((3, "mo"), (3, "old")):
        made.edge("doc:docs/runbooks/restart.md", "MENTIONS", f"person:{who}", line=n)
    made.edge("doc:docs/registry.md", "MENTIONS", "person:old", line=2)
    made.edge("doc:docs/sop/fresh.md", "MENTIONS", "person:ada", line=1)
    made.edge("doc:docs/runbooks/restart.md", "ABOUT", "service:dosing")
    for n, day in ((1, "2026-03-01"), (2, "2026-07-01"), (3, "2026-12-01")):
        made.node(f"deploy:d{n}", access="open", at=at(day))
        made.edge(f"deploy:d{n}", "DEPLOYED_TO", "service:dosing", at=at(day))
    return made


@pytest.fixture
def look(shared_store, company, request):
    workspace = "health-" + re.sub(r"\W", "", request.node.name)[:40]
    company.build(shared_store, workspace)

    def found(viewer=None, as_of=NOW):
        ctx = Asking(shared_store, workspace, viewer or permissions.local_admin(), as_of)
        return health(ctx, tools(ctx.catalogue))

    return found


def says(findings):
    return {(f.key, f.says) for f in findings}


def test_who_left_and_is_still_named_is_told_with_the_line_that_names_them(look):
    found = {f.key: f for f in look()["owners_left"]}
    assert set(found) == {"service:mixing", "doc:docs/registry.md"}
    assert found["service:mixing"].says == "owned by Old Hand, who left on 2026-08-14"
    assert (found["service:mixing"].source, found["service:mixing"].line, found["service:mixing"].quote) == ("doc:docs/registry.md", 2, "| mixing | Old Hand |")
    assert "kept up to date by" in found["doc:docs/registry.md"].says


def test_before_they_left_nothing_was_wrong(look):
    assert look(as_of=at("2026-08-01"))["owners_left"] == []


def test_a_service_is_without_owner_when_none_is_named_or_all_have_left(look):
    assert says(look()["unowned"]) == {
        ("service:mixing", "its only owner, Old Hand, has left"),
        ("service:idle", "no source names an owner"),
        ("service:rumour", "no source names an owner; only others name it at all"),
    }


def test_a_team_of_nobody_is_an_unknown_owner(look):
    assert says(look()["unknown_owners"]) == {("team:ghosts", "owns resting, and nobody is known to be in it")}
    assert look(as_of=at("2026-08-01"))["unknown_owners"] == []


def test_a_document_that_names_who_left_or_moved_since_misleads(look):
    assert says(look()["people_gone"]) == {
        ("doc:docs/runbooks/restart.md", "names Mo, who came to boards on 2026-06-01"),
        ("doc:docs/runbooks/restart.md", "names Old Hand, who left on 2026-08-14"),
    }


def test_a_document_is_stale_after_a_year_or_sooner_when_its_subject_changed(look):
    assert says(look()["stale"]) == {
        ("doc:docs/secret.md", "last looked at on 2020-01-01"),
        ("doc:docs/sop/rest.md", "last looked at on 2025-01-01"),
        ("doc:docs/runbooks/restart.md", "last looked at on 2026-04-02; what it is about changed once since"),
    }
    assert "doc:docs/runbooks/restart.md" not in {f.key for f in look(as_of=at("2026-06-30"))["stale"]}


def test_a_decision_that_says_nothing_of_its_status_is_listed(look):
    assert [(f.key, f.source) for f in look()["statusless"]] == [("decision:docs/adr/2", "doc:docs/adr/2.md")]


def test_a_link_to_a_document_that_is_not_there_is_dead_and_others_are_not(look):
    found = look()["dead_links"]
    assert says(found) == {
        ("doc:docs/runbooks/restart.md", "links to ../sop/gone.md, which is not loaded"), ("doc:docs/secret.md", "links to nowhere.md, which is not loaded"),
    }  # fmt: skip
    gone = next(f for f in found if "gone" in f.says)
    assert gone.line == 5 and gone.quote.startswith("See [the rest]")


def test_what_a_viewer_may_not_read_is_in_no_finding(look):
    guest = look(permissions.guest())
    assert not any("secret" in f"{f.key} {f.source}" for found in guest.values() for f in found)
    assert not any(look(permissions.nobody()).values())


def test_every_query_of_the_folder_belongs_to_a_check(look):
    assert {c.name for c in CHECKS} == set(look())
    assert len({c.title for c in CHECKS}) == len(CHECKS)


def test_the_command_tells_the_same(home, shared_store, company):
    opened = brain_of(home, "health-cli")
    company.build(shared_store, "health-cli")
    opened.close()
    run = CliRunner(env={"BRAIN_HOME": str(home.home), "COLUMNS": "200"}).invoke
    told = json.loads(run(app, ["health", "--json", "--at", "2026-10-15", "-w", "health-cli"]).stdout)
    assert set(told) == {c.name for c in CHECKS} and len(told["owners_left"]) == 2
    shown = run(app, ["health", "--check", "unowned", "--at", "2026-10-15", "-w", "health-cli"]).stdout
    assert "Services nobody owns: 3" in shown and "Stale" not in shown
    assert "legal: owners_left" in str(run(app, ["health", "--check", "mood", "-w", "health-cli"]).exception)


def test_open_conflicts_name_both_sides_the_higher_authority_first(shared_store):
    small_company.build(shared_store, "health-conflicts")
    ctx = small_graph.asking(shared_store, "health-conflicts", permissions.local_admin())
    found = {f.key: f for f in health(ctx, tools(ctx.catalogue))["conflicts"]}
    rule = found["rule:docs-policies-releases/change-freeze-window"]
    assert rule.says == "change-freeze-window: Friday 15:00 to Monday 08:00 (formal rule) against Friday 12:00 to Monday 06:00 (practice)"
    assert rule.about == "rule:docs-guides-habits/change-freeze-window" and rule.source == "doc:docs/policies/releases.md"
    assert any(f.label in ("Service", "Directory") and "owner:" in f.says for f in found.values())
