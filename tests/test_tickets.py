"""Ticket exports as they come: repeated headers, any delimiter and encoding, dates of many forms, and what is not read is said."""

from __future__ import annotations

import json

import pytest
from company_files import Rows, fetched, skips, written

from brain.connectors import tickets
from brain.errors import BadInput

JIRA = """Summary,Issue key,Issue id,Issue Type,Status,Priority,Resolution,Assignee,Reporter,Created,Resolved,Component/s,Labels,Labels,Description,Comment,Comment,Outward issue link (Blocks)
"Kiln cools too fast, again",KIL-7,1007,Change,Done,High,Done,Ada Byron,Cy Twombly,03/Mar/25 9:12 AM,04/Mar/25 4:30 PM,kiln-control,heat,config,"It cools
by 40 degrees. See KIL-9, write to cy@example.org.",03/Mar/25 9:30 AM;Dee Dee;Same on the second kiln.,04/Mar/25 1:00 PM;Ada Byron;Changed; watching.,KIL-9
Door sticks,KIL-9,1009,Bug,Open,Low,,,Cy Twombly,05/Mar/25 8:00 AM,,,,,,,,
"""


def at(text):
    from datetime import UTC, datetime

    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


@pytest.fixture
def jira(tmp_path):
    return written(tmp_path / "tickets" / "jira.csv", JIRA)


def of(records, id_):
    return next(r for r in records if r.get("id") == id_)


def test_a_jira_export_with_repeated_headers_is_read_cell_by_cell(jira):
    one = of(fetched("tickets", jira), "KIL-7")
    assert (one["line"], one["title"], one["type"], one["state"], one["resolution"]) == (2, "Kiln cools too fast, again", "Change", "Done", "Done")
    assert one["labels"] == ["heat", "config"] and one["components"] == ["kiln-control"]
    assert (one["created_at"], one["closed_at"]) == (at("2025-03-03T09:12"), at("2025-03-04T16:30"))
    assert [(c["author"]["name"], c["at"], c["body"]) for c in one["comments"]] == [
        ("Dee Dee", at("2025-03-03T09:30"), "Same on the second kiln."), ("Ada Byron", at("2025-03-04T13:00"), "Changed; watching."),
    ]  # fmt: skip
    assert of(fetched("tickets", jira), "KIL-9")["line"] == 4, "counted in lines of the file, not in rows"


def test_an_address_never_leaves_the_file(jira):
    assert "example.org" not in json.dumps(fetched("tickets", jira))


def test_a_ticket_says_who_opened_has_and_handled_it_and_quotes_its_own_text(jira):
    rows = Rows(fetched("tickets", jira))
    assert rows.of("OPENED") == {("person:cy-twombly", "ticket:KIL-7"), ("person:cy-twombly", "ticket:KIL-9")}
    assert rows.of("ASSIGNED_TO") == rows.of("HANDLED_BY") == {("ticket:KIL-7", "person:ada-byron")}
    assert rows.props["ticket:KIL-7", "HANDLED_BY", "person:ada-byron"]["valid_from"] == at("2025-03-04T16:30")
    assert rows.of("COMMENTED_ON") == {("person:dee-dee", "ticket:KIL-7"), ("person:ada-byron", "ticket:KIL-7")}
    assert rows.of("REFERENCES") == {("ticket:KIL-7", "ticket:KIL-9")} and rows.props["ticket:KIL-7", "REFERENCES", "ticket:KIL-9"]["how"] == "Blocks"
    assert "Assignee: Ada Byron" in rows.texts["ticket:KIL-7", "body"].body and rows.texts["ticket:KIL-7", "comment/2"].body == "Changed; watching."


def test_a_component_nobody_describes_is_a_module_and_a_change_modifies_it(jira):
    rows = Rows(fetched("tickets", jira))
    assert rows.nodes["module:kiln-control"]["name"] == "kiln-control"
    assert rows.of("ABOUT") == rows.of("MODIFIES") == {("ticket:KIL-7", "module:kiln-control")}


@pytest.mark.parametrize("resolution", ["Won't Do", "Duplicate", "Cannot Reproduce", "Declined"])
def test_a_ticket_closed_without_being_done_was_handled_by_nobody(tmp_path, resolution):
    file = written(tmp_path / "t" / "j.csv", f"Issue key,Summary,Status,Resolution,Assignee,Created\nK-1,x,Closed,{resolution},Ada Byron,2025-01-01\n")
    rows = Rows(fetched("tickets", file))
    assert rows.of("HANDLED_BY") == set() and rows.of("ASSIGNED_TO") == {("ticket:K-1", "person:ada-byron")}


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_any_delimiter_and_encoding_is_told_and_an_unusual_one_reported(tmp_path, delimiter, encoding):
    lines = [["Key", "Title", "Status", "Assignee", "Created"], ["K-1", "Tür klemmt", "open", "Jürgen Groß", "2025-01-02"]]
    text = "\r\n".join(delimiter.join(line) for line in lines)
    records = fetched("tickets", written(tmp_path / "t" / "e.csv", text.encode(encoding)))
    assert of(records, "K-1")["assignee"]["name"] == "Jürgen Groß" and of(records, "K-1")["title"] == "Tür klemmt"
    assert any("read as" in name for name in records[-1]) == (encoding in ("utf-16", "cp1252"))


def dated(tmp_path, *values, **options):
    rows = "".join(f"K-{n},x,open,low,{value}\n" for n, value in enumerate(values, 1))
    records = fetched("tickets", written(tmp_path / "t" / "d.csv", f"Key,Title,Status,Priority,Created\n{rows}"), **options)
    return [of(records, f"K-{n}")["created_at"] for n in range(1, len(values) + 1)], skips(records)


def test_dates_of_many_forms_are_one_instant(tmp_path):
    forms = [
        "2025-04-03T09:05:00Z", "2025-04-03 09:05", "2025-04-03T11:05:00+02:00", "2025-04-03T09:05:00.000+0000", "03/Apr/25 9:05 AM",
        "3 April 2025 09:05", "Apr 3 2025 9:05 AM", "1743671100", "1743671100000",
    ]  # fmt: skip
    found, left = dated(tmp_path, *(f.replace(",", "") for f in forms))
    assert found == [at("2025-04-03T09:05")] * len(forms) and left == []


def test_a_date_in_numbers_is_read_as_another_date_of_the_export_proves(tmp_path):
    assert dated(tmp_path, "03/04/2025 09:05", "25/04/2025 10:00")[0][0] == at("2025-04-03T09:05")
    assert dated(tmp_path, "03/04/2025 09:05", "04/25/2025 10:00")[0][0] == at("2025-03-04T09:05")


def test_a_date_that_may_be_either_is_left_out_and_said_until_the_option_tells(tmp_path):
    found, left = dated(tmp_path, "03/04/2025 09:05")
    assert found == [None] and left == [("created_at: '03/04/2025 09:05' may be day or month first", "d.csv", 2)]
    assert dated(tmp_path, "03/04/2025 09:05", dates="day-first")[0] == [at("2025-04-03T09:05")]
    assert dated(tmp_path, "03/04/2025 09:05", dates="month-first")[0] == [at("2025-03-04T09:05")]
    with pytest.raises(BadInput, match="day-first, month-first"):
        dated(tmp_path, "03/04/2025", dates="sideways")


def test_columns_outside_the_list_are_reported_and_the_option_maps_them(tmp_path):
    file = written(tmp_path / "t" / "own.csv", "Nummer,Text,Status,Priority,Bearbeiter,Farbe\nA-1,Ofen kalt,offen,hoch,Ada Byron,rot\n")
    with pytest.raises(BadInput, match=r"own\.csv:1: has no column for the id and the title"):
        fetched("tickets", file)
    records = fetched("tickets", file, columns="Nummer=id,Text=title,Bearbeiter=assignee")
    assert of(records, "A-1")["assignee"]["name"] == "Ada Byron" and skips(records) == [("column 'Farbe' is not read", "own.csv", 1)]
    map_ = written(tmp_path / "map.yaml", "Nummer: id\nText: title\nFarbe:\n")
    assert skips(fetched("tickets", file, columns=str(map_))) == [("column 'Bearbeiter' is not read", "own.csv", 1)]
    for wrong in ("Nummer", "Nummer=nonsense", str(tmp_path / "none.yaml")):
        with pytest.raises(BadInput, match="columns: "):
            fetched("tickets", file, columns=wrong)


def test_a_row_that_does_not_fit_its_header_costs_itself(tmp_path):
    file = written(tmp_path / "t" / "w.csv", "Key,Title,Status,Priority\nK-1,a,b,open,low\nK-2,fine,open,low,,\nK-3,short\n,no id,open,low\nK-5,,open,low\n")
    records = fetched("tickets", file)
    assert [r["id"] for r in records if r["kind"] == "ticket"] == ["K-2", "K-3"]
    assert [(line, reason[:20]) for reason, _, line in skips(records)] == [(2, "has more cells than "), (5, "has no id"), (6, "K-5 has no title")]


ZENDESK = {
    "id": 41, "subject": "Kiln is cold", "description": "Since K-2.", "status": "solved", "priority": "high", "type": "incident",
    "created_at": "2025-05-01T08:00:00Z", "updated_at": "2025-05-02T09:00:00Z", "assignee": {"name": "Ada Byron", "email": "ada@example.org"},
    "requester": "Eve <eve@example.org>", "tags": ["kiln-control"], "via": {"channel": "web"},
    "comments": [{"author": "Ada Byron", "body": "Looking.", "created_at": "2025-05-01T09:00:00Z", "public": False}],
}  # fmt: skip
REST = {
    "key": "K-2", "id": "10002", "fields": {
        "summary": "Burner", "status": {"name": "Done"}, "assignee": {"displayName": "Ada Byron", "emailAddress": "ada@example.org"},
        "created": "2025-04-01T08:00:00.000+0200", "resolutiondate": "2025-04-02T08:00:00.000+0200", "issuetype": {"name": "Bug"}, "components": [{"name": "burner"}],
        "description": {"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "It is out."}]}]},
        "comment": {"comments": [{"author": {"displayName": "Cy"}, "body": "Gas?", "created": "2025-04-01T09:00:00.000+0200"}]},
        "issuelinks": [{"type": {"outward": "blocks"}, "outwardIssue": {"key": "K-3"}}],
    },
}  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        lambda t: "\n".join(map(json.dumps, t)), lambda t: json.dumps(t), lambda t: json.dumps(t, indent=2), lambda t: json.dumps({"count": 2, "tickets": t}),
        lambda t: json.dumps({"issues": t, "next": None}, indent=1), lambda t: json.dumps([t[:1], t[1:]]),
    ],
)  # fmt: skip
def test_json_lists_wrapped_lists_pages_and_lines_give_the_same_tickets(tmp_path, text):
    file = written(tmp_path / "t" / "z.json", text([ZENDESK, REST]))
    assert tickets.recognise(file)
    records = fetched("tickets", file, project="SUP")
    one, two = of(records, "SUP-41"), of(records, "K-2")
    assert one["assignee"]["email"].startswith("h:") and one["comments"][0]["access"] == "internal" and one["reporter"]["name"] == "Eve"
    assert (two["title"], two["description"], two["components"], two["links"]) == ("Burner", "It is out.", ["burner"], [{"to": "K-3", "how": "blocks"}])
    assert two["created_at"] == at("2025-04-01T06:00") and two["comments"][0]["body"] == "Gas?"
    assert ("field 'via' is not read", "z.json") in {(reason, where) for reason, where, _ in skips(records)}
    assert "example.org" not in json.dumps(records)


def test_a_broken_line_among_lines_costs_itself_and_a_cut_list_its_file(tmp_path):
    folder = tmp_path / "t"
    written(folder / "a.jsonl", json.dumps(ZENDESK) + "\n{broken\n[]\n3\n" + json.dumps({**ZENDESK, "id": 42}) + "\n")
    written(folder / "b.json", json.dumps([{**ZENDESK, "id": 43}, {**ZENDESK, "id": 44}], indent=1)[:-40])
    written(folder / "notes.txt", "nothing here")
    records = fetched("tickets", folder, base=tmp_path)
    assert [r["id"] for r in records if r["kind"] == "ticket"] == ["41", "42", "43"]
    left = {(where, line): reason for reason, where, line in skips(records)}
    assert left["t/a.jsonl", 2] == "is not valid JSON" and left["t/a.jsonl", 4] == "is no object" and left["t/notes.txt", 0] == "holds no tickets"
    assert any(where == "t/b.json" and line > 20 for where, line in left)
    with pytest.raises(BadInput, match=r"b\.json:\d+: .*"):
        fetched("tickets", folder / "b.json")


@pytest.mark.parametrize("text", ["", "   \n", "\0\1\2", "Key,Title,Status,Priority\n", "a,b\n1,2\n", "[]", "{}"])
def test_a_file_without_a_ticket_is_one_line(tmp_path, text):
    file = written(tmp_path / "t" / "none.csv", text)
    with pytest.raises(BadInput) as error:
        fetched("tickets", file)
    assert str(file) in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    "text",
    ["name,path\na,b\n", "id,title,year\n1,Dune,1965\n", '{"id": 1, "title": "x", "state": "open", "url": "https://api.github.com/repos/a/b/issues/1", "assignee": null}',
     '{"alerts": [{"labels": {"alertname": "x"}}]}', '[{"id": "P1", "incident_number": 4, "title": "x", "status": "resolved", "priority": null}]'],
)  # fmt: skip
def test_what_is_no_ticket_export_is_not_taken_for_one(tmp_path, text):
    name = "x.csv" if text[0] not in "[{" else "x.json"
    assert not tickets.recognise(written(tmp_path / name, text))


def test_the_newest_copy_of_a_ticket_counts_whatever_order_they_come_in(tmp_path):
    old = written(tmp_path / "a" / "t.csv", "Key,Title,Status,Priority,Updated,Created\nK-1,Old,open,low,2025-01-02,2025-01-01\n")
    new = written(tmp_path / "b" / "t.csv", "Key,Title,Status,Priority,Updated,Created\nK-1,New,done,low,2025-02-02,2025-01-01\n")
    one, two = fetched("tickets", old), fetched("tickets", new)
    for order in ((one, two), (two, one)):
        rows = Rows(*order)
        assert rows.nodes["ticket:K-1"]["title"] == "New" and [s.reason for s in rows.skips] == ["an older copy of a ticket"]


def test_a_ticket_marked_internal_or_private_is_not_open(tmp_path):
    file = written(tmp_path / "t" / "a.csv", "Key,Title,Status,Priority,Visibility\nK-1,x,open,low,internal\nK-2,x,open,low,private\nK-3,x,open,low,public\n")
    assert [r["access"] for r in fetched("tickets", file) if r["kind"] == "ticket"] == ["internal", "restricted", "open"]
    assert [r["access"] for r in fetched("tickets", file, access="internal") if r["kind"] == "ticket"] == ["internal", "restricted", "internal"]
