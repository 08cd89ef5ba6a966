"""Tables say what their columns are declared to say, from the day and until the day that the line gives."""

import pytest
from company_files import Rows, fetched, skips, written

from brain.connectors.dates import moment

SERVICES = """\
# Service registry

| Service | Owner | Tech lead | Document maintainer | Depends on | Tier | Channel | Colour |
|---|---|---|---|---|---|---|---|
| dosing | Batch Team | Ada Byron | Rosa Long | mixer, `scale` | 1 | #dosing | red |
| Mixer | @ada | - | | none | tier 2 | | |
| scale | nobody | | | | | | |
"""
PEOPLE = """\
# People

| Name | Role | Team | GitHub | Slack | From | Until |
|---|---|---|---|---|---|---|
| Ada Byron | Lead engineer | Batch Team | ada | U07ABCDEF | 2020-01-01 | |
| Mia Moved | Engineer | Batch Team | mia | @mia | 2020-01-01 | 2024-05-31 |
| Mia Moved | Lead | Heat Team | mia | @mia | 2024-06-01 | |
| Leo Left | Engineer | Heat Team | leo | | 2019-01-01 | 2024-03-14 |
| Owen Two | Engineer | Heat Team | owen1 | | | |
| Owen Two | Engineer | Batch Team | owen2 | | | |
"""


def load(folder, **files):
    for name, text in files.items():
        written(folder / "registry" / f"{name}.md", text)
    return Rows(fetched("markdown", folder / "registry", base=folder))


@pytest.fixture
def rows(tmp_path):
    return load(tmp_path, services=SERVICES, people=PEOPLE)


def test_a_registry_states_owners_leads_and_needs(rows):
    assert ("team:batch-team", "service:dosing") in rows.of("OWNS") and ("person:ada", "service:mixer") in rows.of("OWNS")
    assert rows.of("TECH_LEAD_OF") == {("person:ada", "service:dosing")}
    assert rows.of("DEPENDS_ON") == {("service:dosing", "service:mixer"), ("service:dosing", "service:scale")}
    assert rows.nodes["service:dosing"] == {"name": "dosing", "tier": 1, "contact": "#dosing", "access": "open"} and rows.nodes["service:mixer"]["tier"] == 2
    props = rows.props["team:batch-team", "OWNS", "service:dosing"]
    assert (props["authority"], props["state"], props["access_key"]) == ("formal_rule", "approved", "doc:registry/services.md")


def test_who_keeps_a_document_never_owns_what_it_describes(rows):
    assert ("doc:registry/services.md", "person:rosa-long") in rows.of("MAINTAINED_BY")
    assert not any(src == "person:rosa-long" for rel in ("OWNS", "TECH_LEAD_OF", "ON_CALL_FOR") for src, _ in rows.of(rel))


def test_a_mapping_that_makes_maintainers_owners_is_refused(tmp_path):
    mapping = written(tmp_path / "columns.yaml", "tables: {services: {columns: {owner: {names: [document maintainer, maintainer]}}}}")
    written(tmp_path / "registry" / "s.md", "# Registry\n\n| Service | Maintainer |\n|---|---|\n| dosing | Rosa Long |\n")
    rows = Rows(fetched("markdown", tmp_path / "registry", base=tmp_path, columns=str(mapping)), strict=False)
    assert rows.of("OWNS") == set() and any("says nothing of who answers" in why for why in rows.refused)


def test_nobody_owns_what_nobody_is_named_for(rows):
    assert not any(dst == "service:scale" for _, dst in rows.of("OWNS"))


def test_a_column_that_is_in_no_list_is_told_and_not_guessed(rows):
    assert [(s.reason, s.origin.file, s.origin.line) for s in rows.skips if "column" in s.reason] == [
        ("the column 'Colour' of a table of services is in no list", "registry/services.md", 3)
    ]


def test_a_users_own_words_extend_the_lists(tmp_path):
    mapping = written(tmp_path / "columns.yaml", "tables: {services: {columns: {owner: {names: [Steward]}}}, kilns: {label: Resource, subject: [kiln], needs: [keeper], columns: {keeper: {says: [value, OWNS, subject], labels: [Team, Person], names: [keeper]}}}}")
    written(tmp_path / "registry" / "s.md", "# Registry\n\n| Service | Steward |\n|---|---|\n| dosing | Batch Team |\n\n| Kiln | Keeper |\n|---|---|\n| kiln-1 | Heat Team |\n")
    rows = Rows(fetched("markdown", tmp_path / "registry", base=tmp_path, columns=str(mapping)))
    assert rows.of("OWNS") == {("team:batch-team", "service:dosing"), ("team:heat-team", "resource:kiln-1")}


def test_the_catalogue_says_which_key_a_name_of_the_registry_means(tmp_path):
    catalog = written(tmp_path / "catalog.yaml", "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: {name: doser, title: Dosing Line}\nspec: {type: service, owner: batch}\n---\n"
                      "apiVersion: backstage.io/v1alpha1\nkind: Group\nmetadata: {name: batch, title: Batch Team}\nspec: {type: team, profile: {displayName: Batch Team}, children: []}\n")  # fmt: skip
    written(tmp_path / "registry" / "s.md", "# Registry\n\n| Service | Owner |\n|---|---|\n| Dosing Line | Batch Team |\n")
    rows = Rows(fetched("backstage", catalog, base=tmp_path), fetched("markdown", tmp_path / "registry", base=tmp_path))
    assert rows.of("OWNS") == {("team:batch", "service:doser")} and "service:dosing-line" not in rows.nodes


def test_a_roster_makes_accounts_roles_and_memberships(rows):
    assert ("account:roster/ada", "person:ada") in rows.of("SAME_AS") and ("person:ada", "role:lead-engineer") in rows.of("HOLDS_ROLE")
    assert {(s, d) for s, d in rows.of("MEMBER_OF") if s == "person:mia"} == {("person:mia", "team:batch-team"), ("person:mia", "team:heat-team")}
    assert rows.props["person:mia", "MEMBER_OF", "team:batch-team"]["valid_to"] == moment("2024-05-31").end
    assert rows.props["person:mia", "MEMBER_OF", "team:heat-team"]["valid_from"] == moment("2024-06-01").start
    assert {"person:owen1", "person:owen2"} <= set(rows.nodes)


def test_a_roster_says_who_reports_to_whom_and_since_when(tmp_path):
    people = "# People\n\n| Name | GitHub | Reports to | From |\n|---|---|---|---|\n| Ada Byron | ada | - | 2020-01-01 |\n| Bo Reed | bo | Ada Byron | 2024-03-01 |\n"
    rows = load(tmp_path, people=people)
    assert rows.of("REPORTS_TO") == {("person:bo", "person:ada")}
    assert rows.props["person:bo", "REPORTS_TO", "person:ada"]["valid_from"] == moment("2024-03-01").start


def test_who_left_is_known_and_who_moved_has_not_left(rows):
    assert rows.nodes["person:leo"]["departed_at"] == moment("2024-03-14").end and "departed_at" not in rows.nodes["person:mia"]


def test_a_name_that_two_bear_is_nobodys(tmp_path):
    rows = load(tmp_path, people=PEOPLE, services="# Services\n\n| Service | Tech lead |\n|---|---|\n| dosing | Owen Two |\n| mixer | Owen Two (@owen2) |\n")
    assert rows.of("TECH_LEAD_OF") == {("person:owen2", "service:mixer")}
    assert any("is the name of 2" in s.reason and s.origin.line == 5 for s in rows.skips)


def test_addresses_join_and_are_not_stored(tmp_path):
    people = "# People\n\n| Name | GitHub | Email |\n|---|---|---|\n| Ada Byron | ada | ada@acme.example |\n"
    services = "# Services\n\n| Service | Tech lead |\n|---|---|\n| dosing | ada@acme.example |\n"
    rows = load(tmp_path, people=people, services=services)
    assert rows.of("TECH_LEAD_OF") == {("person:ada", "service:dosing")}
    assert "acme.example" not in str([t.body for t in rows.texts.values()]) + str(rows.nodes) + str(rows.props)


def test_on_call_has_ranks_and_weeks_and_the_last_day_counts(tmp_path):
    oncall = "# On call\n\n| Team | Primary | Secondary | From | Until |\n|---|---|---|---|---|\n| Heat Team | Ada Byron | Mia Moved | 2024-09-02 | 2024-09-08 |\n| Heat Team | Mia Moved | Ada Byron | 2024-09-09 | 2024-09-15 |\n"
    rows = load(tmp_path, people=PEOPLE, oncall=oncall)
    assert ("person:ada", "team:heat-team") in rows.of("ON_CALL_FOR") and ("person:mia", "team:heat-team") in rows.of("ON_CALL_FOR")
    first = [e for e in rows.edge_rows if e.rel == "ON_CALL_FOR" and e.props["valid_from"] == moment("2024-09-02").start]
    assert {(e.src, e.props["rank"], e.props["valid_to"]) for e in first} == {("person:ada", "primary", moment("2024-09-08").end), ("person:mia", "secondary", moment("2024-09-08").end)}


def test_a_day_on_which_the_next_starts_is_the_nexts(tmp_path):
    oncall = "# On call\n\n| Team | Primary | From | Until |\n|---|---|---|---|\n| Heat Team | Ada Byron | 2024-09-02 | 2024-09-09 |\n| Heat Team | Leo Left | 2024-09-09 | 2024-09-16 |\n"
    rows = load(tmp_path, people=PEOPLE, oncall=oncall)
    assert rows.props["person:ada", "ON_CALL_FOR", "team:heat-team"]["valid_to"] == moment("2024-09-09").start - 1


@pytest.mark.parametrize(("week", "start", "end"), [("2024-W36", "2024-09-02", "2024-09-08"), ("2024-09-02", "2024-09-02", "2024-09-08"), ("2 - 8 September 2024", "2024-09-02", "2024-09-08")])
def test_a_table_of_weeks_is_about_the_team_of_its_heading(tmp_path, week, start, end):
    rows = load(tmp_path, people=PEOPLE, rota=f"# Rota\n\n## Heat Team on call\n\n| Week | Primary |\n|---|---|\n| {week} | Ada Byron |\n")
    props = rows.props["person:ada", "ON_CALL_FOR", "team:heat-team"]
    assert (props["valid_from"], props["valid_to"]) == (moment(start).start, moment(end).end)


def test_a_date_that_may_be_one_of_two_leaves_the_line_out(tmp_path):
    rows = load(tmp_path, people=PEOPLE, oncall="# On call\n\n| Team | Primary | From |\n|---|---|---|\n| Heat Team | Ada Byron | 02/03/2024 |\n")
    assert rows.of("ON_CALL_FOR") == set() and ("a date that may be day or month first", 5) in [(s.reason, s.origin.line) for s in rows.skips]


def test_a_table_in_passing_is_a_candidate_and_a_form_or_report_states_nothing(tmp_path):
    table = "| Service | Owner |\n|---|---|\n| dosing | Batch Team |\n"
    written(tmp_path / "d" / "page.md", f"# Some page\n\nOn Monday we talked about who might take what over:\n\n{table}")
    written(tmp_path / "d" / "incidents" / "2024-01-01-x.md", f"# 2024-01-01 Down\n\n## Timeline\n\nIt was down for long.\n\n{table}")
    written(tmp_path / "d" / "template.md", f"# Template\n\n{table}")
    rows = Rows(fetched("markdown", tmp_path / "d", base=tmp_path))
    assert {k[2]: p["state"] for k, p in rows.props.items() if k[1] == "OWNS"} == {"service:dosing": "candidate"}
    assert {p["access_key"] for k, p in rows.props.items() if k[1] == "OWNS"} == {"doc:d/page.md"}


@pytest.mark.parametrize(
    ("front", "authority", "state"),
    [("", "practice", "approved"), ("---\nstatus: approved\n---\n", "formal_rule", "approved"), ("---\nstatus: draft\n---\n", "practice", "candidate")],
)
def test_a_document_that_is_a_list_states_it_whatever_it_is_called(tmp_path, front, authority, state):
    table = "| Component | Squad | Tech owner | Docs by |\n|---|---|---|---|\n| dosing | Batch Team | Ada Byron | Rosa Long |\n"
    written(tmp_path / "handbook" / "components.md", f"{front}# Components\n\nKept by hand.\n\n{table}")
    written(tmp_path / "handbook" / "people.md", PEOPLE)
    rows = Rows(fetched("markdown", tmp_path / "handbook", base=tmp_path))
    assert rows.of("TECH_LEAD_OF") == {("person:ada", "service:dosing")} and rows.of("OWNS") == {("team:batch-team", "service:dosing")}
    props = rows.props["person:ada", "TECH_LEAD_OF", "service:dosing"]
    assert (props["authority"], props["state"]) == (authority, state)


def test_a_registry_of_documents_says_who_keeps_and_owns_them(tmp_path):
    text = "# Document registry\n\n| Document | Owner | Maintainer |\n|---|---|---|\n| [Restart](../runbooks/restart.md) | Batch Team | Rosa Long |\n| Gone | Batch Team | |\n"
    written(tmp_path / "runbooks" / "restart.md", "# Restart\n")
    written(tmp_path / "registry" / "docs.md", text)
    rows = Rows(fetched("markdown", tmp_path / "registry", tmp_path / "runbooks", base=tmp_path))
    assert rows.of("OWNS") == {("team:batch-team", "doc:runbooks/restart.md")} and rows.of("MAINTAINED_BY") == {("doc:runbooks/restart.md", "person:rosa-long")}
    assert any(s.origin.line == 6 for s in rows.skips)


@pytest.mark.parametrize(("name", "day"), [("Ada Byron (left 2024-03-31)", "2024-03-31"), ("Ada Byron (has left on 31 March 2024)", "2024-03-31"), ("Ada Byron (she/her)", None)])
def test_who_left_may_stand_in_brackets_behind_the_name(tmp_path, name, day):
    rows = load(tmp_path, people=f"# People\n\n| Name | Team | GitHub |\n|---|---|---|\n| {name} | Heat Team | ada |\n")
    assert rows.nodes["person:ada"].get("departed_at") == (moment(day).end if day else None)


def test_a_table_of_no_kind_in_a_registry_is_told(tmp_path):
    rows = load(tmp_path, odd="# Registry\n\n| Colour | Mood |\n|---|---|\n| red | good |\n")
    assert any("of no declared kind: Colour | Mood" in s.reason and s.origin.line == 3 for s in rows.skips)


def test_a_restricted_registry_makes_nothing_known(tmp_path):
    rows = load(tmp_path, services="---\naccess: restricted\n---\n# Services\n\n| Service | Owner |\n|---|---|\n| secret-thing | Hidden Team |\n")
    assert not any("secret" in key or "hidden" in key for key in rows.nodes) and rows.of("OWNS") == set()


def test_skips_of_files_name_file_and_reason(tmp_path):
    written(tmp_path / "d" / "a.md", "# A\n")
    written(tmp_path / "d" / "b.rst", "B\n=\n")
    written(tmp_path / "d" / "c.md", b"\x00\x01\x02binary")
    assert {(file, reason.split(",")[0]) for reason, file, _ in skips(fetched("markdown", tmp_path / "d", base=tmp_path))} == {
        ("d/b.rst", "is reStructuredText"), ("d/c.md", "is binary"),
    }  # fmt: skip


def test_of_two_of_one_name_the_one_in_the_team_is_on_its_call(tmp_path):
    oncall = "# On call\n\n| Team | Primary |\n|---|---|\n| Heat Team | Owen Two |\n| Desk | Owen Two |\n"
    rows = load(tmp_path, people=PEOPLE, oncall=oncall)
    assert rows.of("ON_CALL_FOR") == {("person:owen1", "team:heat-team")}
    assert any("is the name of 2" in s.reason and s.origin.line == 6 for s in rows.skips)


def test_a_restricted_roster_makes_nobody_known_and_still_tells_of_those_who_are(tmp_path):
    secret = "---\naccess: restricted\n---\n# People\n\n| Name | Role | Team | GitHub |\n|---|---|---|---|\n| Hidden Agent | Spy | Heat Team | agent |\n| Ada Byron | Chief spy | Heat Team | ada |\n"
    rows = load(tmp_path, people=PEOPLE, secret=secret)
    assert not any("agent" in key for key in rows.nodes) and ("account:roster/agent" not in rows.nodes)
    assert {(s, d) for s, d in rows.of("MEMBER_OF") if rows.props[s, "MEMBER_OF", d]["access"] == "restricted"} == {("person:ada", "team:heat-team")}
