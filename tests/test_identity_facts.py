"""A person is described to nobody with what only narrower sources say."""

from __future__ import annotations

import pytest

from brain.connectors.account import Account
from brain.connectors.context import Context
from brain.connectors.identity_facts import Facts, within
from brain.types import NodeRow

PERSON = "person:dgrist"


def commit(sha, at, name="Dora Grist"):
    return {"kind": "commit", "id": sha, "sha": sha, "authored_at": at, "at": at, "on_default": True, "parents": [], "message": "m", "files": [], "author": {"name": name, "email": "e" * 16, "login": "dgrist"}}


def head(repo, access):
    return {"kind": "source", "format": "git", "repo": repo, "source": f"git:{repo}", "access": access}


@pytest.fixture
def context():
    """Dora writes in an open and in an internal repository, and an internal list of people tells the rest of her."""

    def know(record, company):
        if record["kind"] == "entry":
            company.account(
                Account("roster", "dora", ("Dora Grist-Okafor",), login="dgrist", source="doc:people", quote="q", title="Brewer", contact="@dora",
                        departed_at=900, access="internal")
            )  # fmt: skip

    lists = [{"kind": "source", "format": "markdown", "source": "markdown:x"}, {"kind": "entry"}]
    sources = [[head("o/open", "open"), commit("a", 100)], [head("o/inner", "internal"), commit("b", 500, "Dora of the cellar")], lists]
    return Context.build(sources, knowing={"markdown": know})


def told(context, label):
    row = context.as_told(NodeRow(PERSON, "whatever", "s", {**context.person_props(PERSON), "avatar": "a"}), label)
    return row.name, dict(row.props)


def test_where_only_what_is_open_is_read_only_that_is_said(context):
    name, props = told(context, "open")
    assert name == "dgrist"
    assert props == {"login": "dgrist", "bot": False, "names": ["Dora Grist"], "first_at": 100, "last_at": 100, "avatar": "a"}


@pytest.mark.parametrize("label", ["internal", "restricted"])
def test_where_internal_sources_are_read_all_of_it_is_said(context, label):
    name, props = told(context, label)
    assert name == "Dora Grist-Okafor"
    assert (props["title"], props["contact"], props["departed_at"], props["last_at"]) == ("Brewer", "@dora", 900, 500)
    assert set(props["names"]) == {"Dora Grist", "Dora of the cellar", "Dora Grist-Okafor"}


def test_somebody_of_whom_nothing_wider_tells_is_described_by_nothing():
    facts = Facts()
    facts.add("l:x", "internal", "X Y", "x", 5)
    assert facts.of(["l:x"], "open") == {} and facts.of(["l:x"], "internal")["login"] == "x"
    assert not facts.all_open()


@pytest.mark.parametrize(
    ("said", "label", "known"),
    [("open", "open", True), ("open", "restricted", True), ("internal", "open", False), ("restricted", "internal", False), ("odd", "restricted", False), ("open", "odd", False)],
)
def test_what_is_said_under_a_label_is_known_under_it_and_narrower_ones(said, label, known):
    assert within(said, label) is known


def test_a_key_does_not_say_a_login_that_only_an_internal_list_knows():
    def know(record, company):
        if record["kind"] == "entry":
            company.account(Account("roster", "obung", ("Otto Bung",), login="obung", source="doc:people", quote="q", access=record["access"], emails=("f" * 16,)))

    def key(label):
        lists = [{"kind": "source", "format": "markdown", "source": "markdown:x"}, {"kind": "entry", "access": label}]
        author = {"name": "Otto Bung", "email": "f" * 16, "login": None}
        context = Context.build([[head("o/open", "open"), {**commit("a", 100), "author": author}], lists], knowing={"markdown": know})
        return context.person(author), context.company.person("roster", "obung")

    assert key("open") == ("person:obung", "person:obung")
    assert key("internal") == ("person:otto-bung", "person:otto-bung")
