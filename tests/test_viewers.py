"""What a member may read follows from the teams, roles and channels that person is in now; nothing that ended grants."""

from __future__ import annotations

import pytest
from small_graph import at

from brain import permissions
from brain.assertions import Texts, assertion
from brain.brain import Brain
from brain.bulk import Loader
from brain.store import graph_name
from brain.types import ClaimRow, EdgeRow, NodeRow, TextRow

NOW = at("2025-06-01")
TEXT = TextRow("doc:people.md", "body", "People", "the list of people\n", 0, access="restricted")


def claim(src: str, rel: str, dst: str, **more) -> EdgeRow:
    texts = Texts()
    texts.add(TEXT)
    said = ClaimRow(src, rel, dst, "doc:people.md", 1, "the list of people", "record", access="restricted", read_by="roster:row", **more)
    return assertion(said, texts, {})[0]


@pytest.fixture(scope="module")
def brain(home):
    opened = Brain.open(home, "viewers")
    loader = Loader(opened.store, graph_name("viewers"))
    loader.prepare()
    for key in ("person:ada", "person:left", "person:two", "person:one", "person:reporter", "person:author", "person:listed", "account:roster/l1", "team:heat", "team:works", "team:whole", "team:old", "team:next", "role:fire-warden", "role:waiting",
                "channel:kiln", "channel:past", "account:slack/u1", "account:slack/both", "account:catalogue/both"):  # fmt: skip
        login = {"login": key.partition(":")[2]} if key.startswith("person:") and key != "person:author" else {}
        more = {"departed_at": at("2025-05-01")} if key == "person:left" else {}
        more |= {"system": key.removeprefix("account:").partition("/")[0]} if key.startswith("account:") else {}
        loader.node(NodeRow(key, key.partition(":")[2], "test", {"access": "open", **login, **more}))
    loader.flush()
    edges = [
        claim("person:ada", "MEMBER_OF", "team:heat"), claim("person:ada", "MEMBER_OF", "team:old", valid_to=at("2025-05-01")),
        claim("person:ada", "MEMBER_OF", "team:next", valid_from=at("2025-07-01")), claim("person:left", "MEMBER_OF", "team:heat"),
        claim("account:roster/l1", "SAME_AS", "person:listed"), claim("person:author", "MEMBER_OF", "team:heat"),
        claim("person:ada", "HOLDS_ROLE", "role:fire-warden"), claim("person:ada", "HOLDS_ROLE", "role:waiting", state="candidate"),
        claim("account:slack/u1", "SAME_AS", "person:ada"), claim("account:slack/both", "SAME_AS", "person:one"),
        claim("account:catalogue/both", "SAME_AS", "person:two"),
        EdgeRow("team:heat", "PART_OF", "team:works"), EdgeRow("team:works", "PART_OF", "team:whole"), EdgeRow("person:ada", "IN_CHANNEL", "channel:kiln"),
        EdgeRow("person:ada", "IN_CHANNEL", "channel:past", {"valid_to": at("2025-05-01")}),
    ]  # fmt: skip
    for edge in edges:
        loader.edges(edge.rel, [edge])
    opened.clock = lambda: NOW
    yield opened
    opened.store.drop(graph_name("viewers"))
    opened.close()


@pytest.mark.parametrize("name", ["ada", "Ada", "U1"])
def test_a_member_has_the_groups_of_now_and_no_others(brain, name):
    viewer = brain.viewer(name)
    assert viewer.groups == {"person:ada", "team:heat", "team:works", "team:whole", "role:fire-warden", "channel:kiln"}
    assert viewer.clearance == {"open", "internal"} and viewer.id == name.lower() and not viewer.admin


def test_who_left_sees_what_is_open(brain):
    assert brain.viewer("left").clearance == {"open"} and not brain.viewer("left").groups


@pytest.mark.parametrize("name", ["stranger", "both", "author", "reporter"])
def test_a_name_that_is_no_one_person_s_of_the_organisation_reads_what_is_open(brain, name):
    viewer = brain.viewer(name)
    assert viewer.clearance == {"open"} and viewer.groups <= {"person:reporter"} and viewer.id == name


def test_who_stands_in_a_list_of_people_is_a_member_without_a_team(brain):
    assert brain.viewer("listed") == permissions.member("listed", frozenset({"person:listed"}))


def test_names_that_are_no_person_s_stay_what_they_are(brain):
    assert brain.viewer("local").admin and brain.viewer("guest").clearance == {"open"} and not brain.viewer("nobody").clearance


def test_where_nothing_is_loaded_nobody_is_a_member(home):
    empty = Brain.open(home, "viewers-empty")
    assert empty.viewer("ada").clearance == {"open"} and not empty.viewer("ada").groups
    empty.close()
