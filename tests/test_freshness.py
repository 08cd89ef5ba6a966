"""How fresh and complete the access data are, and what is warned of; who is no administrator learns when, and nothing else."""

from __future__ import annotations

from dataclasses import asdict, replace

import orjson
import pytest
from grants_graph import NOW, PEOPLE, company

from brain import permissions
from brain.audit.freshness import Freshness, freshness, line
from brain.brain import Brain
from brain.ingest import Report
from brain.instants import DAY
from brain.store import graph_name

ADMIN = permissions.local_admin()
NAME = "freshness"


@pytest.fixture
def brain(home):
    opened = Brain.open(home, NAME)
    company().build(opened.store, NAME)
    opened.store.set_meta(NAME, {"loaded_at": str(NOW)})
    opened.clock = lambda: NOW
    for source, days, stored in (("roster", 3, {"MEMBER_OF": 5}), ("chat", 1, {"IN_CHANNEL": 2, "Message": 9}), ("git:code", 40, {"Commit": 7})):
        opened.files.save(Report(source, "test", "x", NOW - days * DAY, True, stored=stored))
    yield opened
    for source in ("roster", "chat", "git:code"):
        opened.files.forget(source)
    opened.store.drop(graph_name(NAME))
    opened.close()


def test_the_sources_that_say_who_is_in_what_are_named_with_their_age_and_others_are_not(brain):
    told = freshness(brain, ADMIN)
    assert [(f.source, f.days, f.gives) for f in told.feeds] == [
        ("roster", 3, {"memberships of teams": 5}), ("chat", 1, {"memberships of channels": 2})
    ]  # fmt: skip
    assert (told.oldest, told.newest, told.loaded_at) == (NOW - 3 * DAY, NOW - DAY, NOW)


def test_what_the_labels_cover_is_counted(brain):
    told = freshness(brain, ADMIN)
    assert told.labels == {"open": 2, "internal": 1, "restricted": 10, "no label": 1}
    assert told.n_unlabelled == len(told.unlabelled) == 1 + sum((told.structure or {}).values()) - (told.structure or {}).get("open", 0)
    assert "doc:bare" in {t.key for t in told.unlabelled}
    assert told.people is not None and told.people["people"] == len(PEOPLE) - 1 and told.people["ended"] == 2
    opened = {a.group: (a.things, a.people, a.known) for a in told.audiences}
    assert opened["team:heat"] == (2, 1, True) and opened["team:ghosts"] == (1, 0, False) and opened["person:hal"] == (1, 1, True)


def test_old_sources_missing_labels_and_empty_groups_are_warned_of(brain):
    def warned(days: int) -> str:
        return "; ".join(freshness(brain, ADMIN, days).warnings)

    assert "roster was loaded 3 days ago" in warned(2) and "chat" not in warned(2)
    assert "days ago" not in warned(3)
    for part in ("without access label", "open to no group", "team:ghosts is named by 1 thing and known to no source"):
        assert part in warned(7)
    assert "without access label" in line(freshness(brain, ADMIN)) and "1 internal" in line(freshness(brain, ADMIN))
    brain.store.write(graph_name(NAME), "MATCH (:Entity {key: 'person:ed'})-[r:IN_CHANNEL]->(:Entity {key: 'channel:kiln'}) DELETE r")
    assert "channel:kiln opens 1 thing and nobody is in it" in warned(7)
    for source in ("roster", "chat"):
        brain.files.forget(source)
    assert "nothing that is loaded says who is in which group" in warned(7)


@pytest.mark.parametrize("who", [permissions.guest(), permissions.member("ada"), permissions.nobody()])
def test_who_is_no_administrator_learns_when_and_nothing_of_what_is_hidden(brain, who):
    told = freshness(brain, who)
    assert told == Freshness(NOW, NOW - 3 * DAY, NOW - DAY)


def test_it_is_plain_json(brain):
    told = freshness(brain, ADMIN)
    assert orjson.loads(orjson.dumps(asdict(told)))["people"]["members"] >= 1
    assert replace(told, feeds=()).feeds == ()
