"""Words are taken for what they mean, several at once, and for nothing where that cannot be told."""

import pytest
from company_files import Rows, fetched, written

from brain.connectors import FORMATS
from brain.connectors.context import Context
from brain.connectors.dates import moment
from brain.connectors.markdown_names import Found, Names
from brain.connectors.markdown_page import parse

PEOPLE = "# People\n\n| Name | Team | GitHub |\n|---|---|---|\n| Ada Byron | Heat Team | ada |\n| Bo Berg | Payments | bo |\n| Two Same | Payments | t1 |\n| Two Same | Payments | t2 |\n"
SERVICES = "# Services\n\n| Service | Owner |\n|---|---|\n| read/write | Payments |\n| dosing | Payments |\n"


@pytest.fixture
def names(tmp_path):
    written(tmp_path / "registry" / "people.md", PEOPLE)
    written(tmp_path / "registry" / "services.md", SERVICES)
    context = Context.build([iter(fetched("markdown", tmp_path / "registry", base=tmp_path))], knowing={"markdown": FORMATS["markdown"].known})
    return Names(context)


def meant(names, text, *labels):
    cell = parse(f"| a |\n|---|\n| {text} |\n").tables[0].rows[0].cells[0]
    return [f.key if isinstance(f, Found) else None for f in names.all(cell, labels or ("Team", "Person"))]


@pytest.mark.parametrize(("text", "keys"), [
    ("Heat Team", ["team:heat-team"]), ("the Payments squad", ["team:payments"]), ("Payments team", ["team:payments"]), ("@acme/payments", ["team:payments"]), ("group:default/payments", ["team:payments"]),
    ("Ada Byron", ["person:ada"]), ("@ada", ["person:ada"]), ("`ada`", ["person:ada"]), ("[Ada](https://github.com/ada)", ["person:ada"]), ("user:ada", ["person:ada"]), ("Somebody (@bo)", ["person:bo"]),
    ("Ada Byron, Bo Berg", ["person:ada", "person:bo"]), ("Ada Byron and Payments", ["person:ada", "team:payments"]), ("Ada Byron / Bo Berg", ["person:ada", "person:bo"]), ("Ada Byron<br>Bo Berg", ["person:ada", "person:bo"]),
    ("Ada Byron (acting)", ["person:ada"]), ("~~Ada Byron~~ Bo Berg", ["person:bo"]), ("Two Same", [None]), ("Two Same (@t2)", ["person:t2"]),
    ("-", []), ("TBD", []), ("nobody", []), ("n/a", []), ("", []), ("see the wiki: https://x.example", [None]),
    ("Nia Newcomer", ["person:nia-newcomer"]), ("ops-crew", ["team:ops-crew"]),
])  # fmt: skip
def test_who_is_meant(names, text, keys):
    assert meant(names, text) == keys


def test_a_name_with_a_slash_is_whole_where_something_is_called_so(names):
    assert meant(names, "read/write, dosing", "Service") == ["service:read-write", "service:dosing"]


def test_dates_beside_a_name_say_when(names):
    cell = parse("| a |\n|---|\n| Ada Byron (since 2024-06-01), Bo Berg (until 2024-05-31) |\n").tables[0].rows[0].cells[0]
    first, second = names.all(cell, ("Person",))
    assert (first.key, first.start, first.end) == ("person:ada", moment("2024-06-01").start, None)
    assert (second.key, second.start, second.end) == ("person:bo", None, moment("2024-05-31").end)


def test_a_closed_document_makes_nobody_known(names):
    closed = Names(names.context, closed=True)
    assert meant(closed, "Nia Newcomer") == [None] and meant(closed, "Ada Byron") == ["person:ada"]


def test_who_is_only_named_becomes_a_node(tmp_path):
    written(tmp_path / "d" / "a.md", "---\nmaintainer: Nia Newcomer\n---\n# A\n")
    rows = Rows(fetched("markdown", tmp_path / "d", base=tmp_path))
    assert rows.nodes["person:nia-newcomer"]["name"] == "Nia Newcomer"
