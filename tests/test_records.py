"""What was loaded is kept as read: complete sources replace, partial ones lie over, failures change nothing."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from brain.errors import BadInput, Cancelled
from brain.records import Records, identity

HEAD = {"kind": "source", "format": "github", "source": "github:o/n", "repo": "o/n", "complete": True, "access": "open", "path": "x"}
PART = {**HEAD, "complete": False}


def issue(number, **more):
    return {"kind": "issue", "number": number, **more}


@pytest.fixture
def records(tmp_path):
    return Records(tmp_path / "records")


def held(records, gone=False, source="github:o/n"):
    return list(records.read(source, gone=gone))[1:]


def over(old, new):
    return {**old, **{k: v for k, v in new.items() if v is not None}}


def test_what_is_read_back_is_what_was_read(records):
    assert records.replace([HEAD, issue(1, title="é\n\u2028🜂"), {"kind": "tree", "paths": ["a"]}], 10) == "github:o/n"
    assert held(records) == [issue(1, title="é\n\u2028🜂"), {"kind": "tree", "paths": ["a"]}] and held(records, gone=True) == []
    assert records.sources() == ["github:o/n"] and records.head(records.path("github:o/n")) == HEAD


def test_loading_twice_gives_the_same_bytes_but_for_nothing(records):
    records.replace([HEAD, issue(1), issue(2)], 10)
    first = gzip.decompress(records.path("github:o/n").read_bytes())
    records.replace([HEAD, issue(1), issue(2)], 99)
    assert gzip.decompress(records.path("github:o/n").read_bytes()) == first


@pytest.mark.parametrize("kind", ["issue", "pull", "release", "commit"])
def test_what_a_complete_source_no_longer_holds_is_marked_gone_at_that_instant(records, kind):
    field = {"release": "tag", "commit": "sha"}.get(kind, "number")
    a, b = {"kind": kind, field: "1"}, {"kind": kind, field: "2"}
    records.replace([HEAD, a, b], 10)
    records.replace([HEAD, a], 20)
    assert held(records) == [a] and held(records, gone=True) == [{**b, "gone": 20}]
    records.replace([HEAD, a], 30)
    assert held(records, gone=True) == [{**b, "gone": 20}], "it went when it was first missed"
    records.replace([HEAD, a, b], 40)
    assert held(records) == [a, b] and held(records, gone=True) == [], "and is back when it is told of again"


def test_a_kind_that_a_file_does_not_tell_of_at_all_stays(records):
    """An archive without releases says nothing of releases."""
    release = {"kind": "release", "tag": "v1"}
    records.replace([HEAD, issue(1), release], 10)
    records.replace([HEAD, issue(1)], 20)
    assert held(records) == [issue(1), release]


def test_a_partial_source_lies_over_what_was_there(records):
    records.replace([HEAD, issue(1, title="old", body="kept"), issue(2)], 10)
    records.replace([PART, issue(1, title="new", body=None), issue(3)], 20, over)
    assert held(records) == [issue(1, title="new", body="kept"), issue(2), issue(3)]
    assert records.head(records.path("github:o/n"))["complete"] is True, "it is as complete as it was"


def test_partial_loads_in_another_order_hold_the_same(records, tmp_path):
    parts = [[PART, issue(1, title="t", body=None)], [PART, issue(1, title=None, body="b"), issue(2)], [PART, issue(3)]]
    other = Records(tmp_path / "other")
    for part in parts:
        records.replace(part, 10, over)
    for part in reversed(parts):
        other.replace(part, 10, over)
    assert sorted(map(str, held(records))) != [] and {str(sorted(r.items(), key=str)) for r in held(records)} == {
        str(sorted(r.items(), key=str)) for r in held(other)
    }


def test_a_partial_source_brings_back_what_was_gone_and_marks_nothing(records):
    records.replace([HEAD, issue(1), issue(2, title="was")], 10)
    records.replace([HEAD, issue(1)], 20)
    records.replace([PART, issue(2, title="is")], 30, over)
    assert held(records) == [issue(1), issue(2, title="is")] and held(records, gone=True) == []


@pytest.mark.parametrize(("first", "second"), [("open", "internal"), ("internal", "open"), ("restricted", "open")])
def test_of_two_access_labels_the_stricter_one_stays(records, first, second):
    """A second part of one source must not open what the first part kept closed."""
    records.replace([{**PART, "access": first}, issue(1)], 10)
    records.replace([{**PART, "access": second}, issue(2)], 20)
    strict = max(first, second, key=["open", "internal", "restricted"].index)
    assert records.head(records.path("github:o/n"))["access"] == strict


@pytest.mark.parametrize("head", [HEAD, PART])
@pytest.mark.parametrize("error", [BadInput("cut off"), Cancelled("stopped"), KeyboardInterrupt(), MemoryError()])
def test_a_source_that_breaks_off_changes_nothing_on_disk(records, head, error):
    records.replace([HEAD, issue(1), issue(2)], 10)
    before = {p: p.read_bytes() for p in records.folder.iterdir()}

    def broken():
        yield head
        yield issue(1, title="other")
        raise error

    with pytest.raises(type(error)):
        records.replace(broken(), 20, over)
    assert {p: p.read_bytes() for p in records.folder.iterdir()} == before


def test_what_a_killed_load_left_half_written_is_cleared_by_the_next(records):
    records.replace([HEAD, issue(1)], 10)
    (records.folder / "github-o-n.jsonl.4711.tmp").write_bytes(b"half")
    records.replace([HEAD, issue(1)], 20)
    assert list(records.folder.iterdir()) == [records.path("github:o/n")]


@pytest.mark.parametrize("stream", [[], [issue(1)], [{"kind": "totals"}]])
def test_a_stream_without_its_source_is_refused(records, stream):
    with pytest.raises(BadInput, match="nothing was read"):
        records.replace(stream, 10)
    assert not list(records.folder.iterdir())


def test_two_sources_never_share_a_file(records):
    names = [
        "github:o/n",
        "github:o-n",
        "github:o/n ",
        "git:o/n",
        "github:O/n",
        "github:" + "x" * 300,
        "github:" + "x" * 301,
        "github:../../etc",
    ]
    paths = {records.path(n) for n in names}
    assert len(paths) == len(names) and all(p.parent == records.folder and len(p.name) < 120 for p in paths)


def test_what_git_gave_comes_first_since_github_s_words_win(records):
    for source in ("github:b/b", "git:z/z", "github:a/a", "git:c/c"):
        records.replace([{**HEAD, "source": source}], 10)
    assert records.sources() == ["git:c/c", "git:z/z", "github:a/a", "github:b/b"]


def test_a_source_can_be_forgotten(records):
    records.replace([HEAD, issue(1)], 10)
    with pytest.raises(BadInput, match="'git:x' is not loaded; loaded: github:o/n"):
        records.remove("git:x")
    records.remove("github:o/n")
    assert records.sources() == [] and not Path(records.path("github:o/n")).exists()


def test_what_has_no_number_is_no_one_thing():
    assert identity(issue(1)) == "issue:1" and identity({"kind": "tree", "paths": []}) is None and identity({"kind": "issue"}) is None


def test_a_source_read_from_two_places_holds_both_and_remembers_how_each_was_read(records):
    def head(root):
        return {**PART, "format": "alerts", "source": "alerts:pager", "root": root, "load": {"from": root}}

    def alert(name):
        return {"kind": "alert", "id": name}

    records.replace([head("/a"), alert("one"), alert("two")], 10)
    records.replace([head("/b"), alert("three")], 20)
    records.replace([head("/a"), alert("two")], 30)
    there, gone = held(records, source="alerts:pager"), held(records, gone=True, source="alerts:pager")
    assert [r["id"] for r in there] == ["two", "three"] and [(r["id"], r["gone"]) for r in gone] == [("one", 30)]
    assert records.head(records.path("alerts:pager"))["loads"] == {"/a": {"from": "/a"}, "/b": {"from": "/b"}}


def test_of_two_places_that_hold_one_thing_the_newest_counts_in_any_order(tmp_path):
    def head(root):
        return {**PART, "format": "tickets", "source": "tickets:desk", "root": root}

    old = [head("/a"), {"kind": "ticket", "id": "K-1", "newest": 5}, {"kind": "ticket", "id": "K-2", "newest": 5}]
    new = [head("/b"), {"kind": "ticket", "id": "K-1", "newest": 9}]
    for n, order in enumerate(((old, new), (new, old), (old, new, old), (new, old, old))):
        records = Records(tmp_path / str(n))
        for when, told in enumerate(order):
            records.replace(told, when)
        assert sorted((r["id"], r["newest"]) for r in held(records, source="tickets:desk")) == [("K-1", 9), ("K-2", 5)]
        assert held(records, gone=True, source="tickets:desk") == []
