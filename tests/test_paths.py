"""Ways between two things: short, real, seen by whoever asks, and none where there is none."""

from __future__ import annotations

from itertools import pairwise

import pytest
from small_graph import NOW, SHA, F, G, Rows, asking, at, build

from brain import permissions
from brain.tools.paths import between


@pytest.fixture(scope="module")
def small(shared_store):
    """The small graph with somebody who has done nothing, plain and with restricted items in it."""
    extra = Rows([], [], [])
    extra.node("person:zofiam", "zofiam", login="zofiam", bot=False)
    for name, canary in (("paths", None), ("paths-hidden", "aud")):
        build(shared_store, name, canary, extra)
    return shared_store


@pytest.fixture
def way(small):
    def run(*ends, workspace="paths", viewer=None, as_of=NOW):
        return between(asking(small, workspace, viewer, as_of), ends[:-1], ends[-1])

    return run


@pytest.mark.parametrize(
    ("start", "end", "steps"),
    [
        ("person:ekoh", f"pr:{G}#3", 1),
        ("person:ekoh", f"release:{G}@v2.1.0", 2),
        (f"release:{G}@v2.1.0", "person:ekoh", 2),
        ("person:ekoh", f"commit:{G}@{SHA}", 2),
        (f"issue:{G}#8", f"release:{G}@v2.1.0", 3),
        (f"issue:{G}#4", f"pr:{F}#7", 3),
    ],
)
def test_the_way_is_a_shortest_one_and_every_step_stands(small, way, start, end, steps):
    path = way(start, end)
    assert (path[0], path[-1], len(path) - 1) == (start, end, steps)
    assert len(set(path)) == len(path) and not any(k.startswith("repo:") for k in path)
    for a, b in pairwise(path):
        assert asking(small, "paths").run("path_direct", starts=[a], end=b, skip=["IN_REPO"]).rows


def test_four_steps_are_found_and_nothing_longer(way, small):
    extra = Rows([], [], [])
    for n in range(6):
        extra.issue("merefold/chain", n, "dag", f"Link {n}", "2025-09-01")
    extra.edges = [e for e in extra.edges if e.rel not in ("OPENED", "IN_REPO")]
    for n in range(5):
        extra.edge(f"issue:merefold/chain#{n}", "REFERENCES", f"issue:merefold/chain#{n + 1}", at=at("2025-09-01"))
    build(small, "paths-chain", extra=extra)
    chain = [f"issue:merefold/chain#{n}" for n in range(6)]
    for n in range(1, 5):
        assert way(chain[0], chain[n], workspace="paths-chain") == tuple(chain[: n + 1])
        assert way(chain[n], chain[0], workspace="paths-chain") == tuple(reversed(chain[: n + 1]))
    assert way(chain[0], chain[5], workspace="paths-chain") == ()


def test_the_nearest_of_several_starts_is_taken(way):
    assert way("person:zofiam", f"issue:{G}#4", f"pr:{G}#3", f"release:{G}@v2.1.0") == (f"pr:{G}#3", f"release:{G}@v2.1.0")
    assert way(f"pr:{G}#3", f"pr:{G}#3") == (f"pr:{G}#3",)


def test_there_is_no_way_to_who_did_nothing_and_to_what_is_not_there(way):
    assert way("person:zofiam", f"pr:{G}#3") == way(f"pr:{G}#3", "person:zofiam") == ()
    assert way(f"pr:{G}#3", f"pr:{G}#9999") == way("person:nobody", f"pr:{G}#3") == between(None, [], "x") == ()


def test_what_had_not_happened_yet_is_no_way(way):
    ends = ("person:ekoh", f"pr:{G}#3")
    assert way(*ends, as_of=at("2025-04-24")) == ends
    assert way(*ends, as_of=at("2025-04-22")) == ("person:ekoh", f"issue:{G}#2", f"pr:{G}#3")
    assert way(*ends, as_of=at("2025-04-13")) == ()


def test_no_way_leads_through_what_the_viewer_may_not_see(way):
    pairs = [
        (a, b) for a in ("person:dag", "person:ekoh", f"issue:{G}#8", f"pr:{F}#7") for b in (f"pr:{G}#1", f"issue:{G}#4", "concept:modbus")
    ]
    for pair in pairs:
        assert way(*pair, workspace="paths-hidden") == way(*pair), pair
    assert way("person:dag", f"pr:{G}#900", workspace="paths-hidden") == ()
    seen = permissions.member("m", frozenset({"team:secret"}))
    assert way("person:dag", f"pr:{G}#900", workspace="paths-hidden", viewer=seen)
    assert way("person:dag", "concept:modbus", workspace="paths-hidden", viewer=seen) != way("person:dag", "concept:modbus")


def test_whom_nothing_was_granted_finds_no_way(way):
    assert way("person:ekoh", f"pr:{G}#3", viewer=permissions.nobody()) == ()
