"""A table is of the kind whose declared headings leave the least unread, and a heading in no list stays unread."""

import pytest

from brain import schema
from brain.connectors.markdown_columns import declared, plain_heading
from brain.connectors.markdown_page import parse
from brain.errors import BadInput


def read(header, heading="", more=""):
    columns = header.split("|")
    table = parse(f"## {heading}\n\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}\n|{'x|' * len(columns)}\n").tables[0]
    found = declared(more).reading(table)
    return None if found is None else (found.kind.name, found.subject, set(found.places), found.unknown)


@pytest.mark.parametrize(("header", "expected"), [
    ("Service|Owner|Tech lead|Document maintainer|Depends on|Tier|Channel", ("services", 0, {"owner", "lead", "maintainer", "depends", "tier", "channel"}, ())),
    ("Component|Squad|Foo", ("services", 0, {"owner"}, ("Foo",))), ("#|Service|Owner|Notes", ("services", 1, {"owner"}, ())),
    ("Service|Owner|On call", ("services", 0, {"owner", "oncall"}, ())), ("Team|Primary|Secondary|From|Until", ("oncall", 0, {"primary", "secondary", "from", "until"}, ())),
    ("Week|Primary|Secondary", ("oncall", -1, {"week", "primary", "secondary"}, ())), ("Name|Role|Team|GitHub|Slack|Reports to|From|Until", ("roster", 0, {"role", "team", "login", "slack", "manager", "from", "until"}, ())),
    ("Rule|Value|Applies to|Conditions|From|Until|Replaces", ("rules", 0, {"value", "applies", "conditions", "from", "until", "replaces"}, ())),
    ("Team|Lead|Channel", ("teams", 0, {"head", "channel"}, ())), ("Document|Maintainer", ("documents", 0, {"maintainer"}, ())),
    ("Option|Pros|Cons", None), ("Time|What", None), ("Service|Impact", None), ("Date|What|Who did it", None), ("Name|Default|Description", None), ("Field|Value", None),
])  # fmt: skip
def test_kinds_of_tables(header, expected):
    assert read(header) == expected


def test_a_column_called_name_is_about_what_the_heading_says():
    assert read("Name|Owned by|Slack", "Services")[0] == "services" and read("Name|Team|GitHub", "Services we like")[0] == "roster"


def test_headings_are_compared_loosely():
    assert plain_heading("**Depends on**") == plain_heading("depends on (services)") == "depend on" == plain_heading("Depends  On:")


def test_every_declared_claim_is_of_the_schema_and_keeps_maintainers_apart():
    for kind in declared().kinds:
        for column in kind.columns:
            if column.says:
                assert schema.RELS[column.says[1]].cls == "assertion", (kind.name, column.name)
            if column.says and column.says[1] in ("OWNS", "TECH_LEAD_OF", "ON_CALL_FOR") and kind.label != "Doc":
                assert not any("maintain" in name or "curat" in name or name in ("role", "title") for name in column.names), (kind.name, column.name)


def test_words_of_a_user_come_before_ours():
    more = "tables: {services: {columns: {lead: {names: [owner]}}}}"
    assert "lead" in read("Service|Owner", more=more)[2] or "owner" in read("Service|Owner", more=more)[2]
    assert read("Kiln|Keeper", more="tables: {kilns: {label: Resource, subject: [kiln], needs: [keeper], columns: {keeper: {says: [value, OWNS, subject], labels: [Team], names: [keeper]}}}}")[0] == "kilns"


@pytest.mark.parametrize("more", ["tables: {x: {label: Wrong, subject: [a]}}", "tables: {services: {wrong: 1}}", "tables: {services: {columns: {a: {names: [a], says: [value, LIKES, subject]}}}}", "tables: {services: {columns: {a: {names: [a], labels: [Wrong]}}}}"])
def test_a_bad_declaration_is_refused_with_what_is_legal(more):
    with pytest.raises(BadInput, match=r"legal|brain/schema\.py|write"):
        declared(more)
