"""Paths, contents and tags as they really are (oddities 21 to 25), and the files and directories they make."""

import json
import os
from pathlib import Path

import pytest
from synthetic_git import ADA, DAY, KEY, T0, Loaded, Made

from brain.connectors.git import fetch


@pytest.fixture
def made(tmp_path: Path) -> Made:
    return Made(tmp_path / "repo")


def kinds(records: list[dict], kind: str) -> list[dict]:
    return [r for r in records if r["kind"] == kind]


PATHS = [
    "'",
    'docs/Error:-"pre"-versions.md',
    "Side Meetings/IETF 103/minutes.txt",
    "app/[graph]/x",
    "app/[...nextauth]/y",
    "@GhB",
    "ev++.h",
    "README",
    "readme",
]
STRANGE = ["libuv测试错误.txt", "│  └─ && a", 'eval "$(ssh-agent -s)"', "tab\there", "new\nline", "latin-\udcef.txt", "end ", " start"]


def test_21_22_paths_with_quotes_spaces_and_other_letters(made: Made) -> None:
    plain = made.commit("plain", dict.fromkeys(PATHS, "x"))
    strange = made.commit("strange", dict.fromkeys(STRANGE, "y"))
    records = made.records()
    loaded = Loaded(records)
    assert sorted(f[1] for f in loaded.commit(plain)["files"]) == sorted(PATHS)
    shown = [*STRANGE[:3], "tab\\x09here", "new\\x0aline", "latin-\\xef.txt", "end\\x20", " start"]
    assert sorted(f[1] for f in loaded.commit(strange)["files"]) == sorted(shown)
    assert {f"file:acme/repo/{p}" for p in PATHS + shown} == {k for k in loaded.nodes if k.startswith("file:")}
    assert loaded.out("IN_DIR", "file:acme/repo/Side Meetings/IETF 103/minutes.txt") == {"dir:acme/repo/Side Meetings/IETF 103": {}}
    json.dumps(records, ensure_ascii=False).encode("utf-8")


def test_a_path_that_is_too_long_for_a_key_is_skipped(made: Made) -> None:
    deep = "/".join(["d" * 200] * 21)
    blob = made.git("hash-object", "-w", "--stdin", given=b"x")
    made.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{deep}")
    tree = made.git("write-tree")
    made.git("update-ref", "refs/heads/main", made.git("commit-tree", tree, "-m", "deep"))
    loaded = Loaded(made.records())
    assert [r.reason for r in loaded.rows if hasattr(r, "reason")] == ["path longer than 4096 bytes"]
    assert not [k for k in loaded.nodes if k.startswith("file:")]


def test_23_submodules_symlinks_modes_and_renames(made: Made) -> None:
    text = "".join(f"line {i}\n" for i in range(30))
    made.commit("draft", {"draft-lmbdhk-multipath.md": text, "run.sh": "x", "AGENTS.md": "rules"})
    sub = made.git("rev-parse", "HEAD")
    made.git("update-index", "--add", "--cacheinfo", f"160000,{sub},deps/sub")
    made.git("commit", "--quiet", "-m", "add submodule")
    (made.path / "AGENTS.md").unlink()
    os.symlink("run.sh", made.path / "AGENTS.md")
    (made.path / "run.sh").chmod(0o755)
    made.git("add", "AGENTS.md", "run.sh")
    made.git("commit", "--quiet", "-m", "symlink and mode")
    link = made.git("rev-parse", "HEAD")
    made.git("mv", "draft-lmbdhk-multipath.md", "draft-ietf-multipath.md")
    made.git("commit", "--quiet", "-m", "adopt")
    adopt = made.git("rev-parse", "HEAD")
    loaded = Loaded(made.records())
    assert [f[:2] for c in kinds(loaded.records, "commit") if c["subject"] == "add submodule" for f in c["files"]] == [["A", "deps/sub"]]
    assert [f[:2] for f in loaded.commit(link)["files"]] == [["T", "AGENTS.md"], ["M", "run.sh"]]
    assert loaded.commit(adopt)["files"] == [["R", "draft-ietf-multipath.md", "draft-lmbdhk-multipath.md", 0, 0]]
    file = loaded.nodes["file:acme/repo/draft-ietf-multipath.md"]
    assert list(file.props["earlier_names"]) == ["draft-lmbdhk-multipath.md"]
    touched = [dict(e.props)["path"] for e in loaded.edges if e.rel == "TOUCHED" and e.dst == file.key]
    assert touched == ["draft-ietf-multipath.md", "draft-lmbdhk-multipath.md"]
    assert "file:acme/repo/draft-lmbdhk-multipath.md" not in loaded.nodes


def test_a_rename_on_a_branch_that_never_landed_changes_no_name(made: Made) -> None:
    made.commit("one", {"a.md": "text\n" * 20})
    made.branch("topic")
    made.git("mv", "a.md", "b.md")
    made.commit("rename")
    made.pull_head(1)
    made.go("main")
    loaded = Loaded(made.records())
    assert loaded.nodes["file:acme/repo/a.md"].props["exists"]
    assert not loaded.nodes["file:acme/repo/b.md"].props["exists"]
    assert set(loaded.out("TOUCHED", "pr:acme/repo#1")) == {"file:acme/repo/b.md"}


def test_24_absent_blobs_cost_only_the_commits_that_need_them(made: Made) -> None:
    made.commit("small", {"a": "1\n"})
    big = made.commit("big", {"big.bin": "x" * 1000, "b": "1\n"})
    moved = made.commit("small again", {"a": "2\n"})
    made.branch("topic")
    made.commit("grow", {"big.bin": "y" * 1000})
    made.pull_head(1)
    made.go("main")
    for sha in (big, "topic"):
        blob = made.git("rev-parse", f"{sha}:big.bin")
        (made.path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    records = made.records()
    loaded = Loaded(records)
    assert loaded.commit(big)["files"] == [["A", "b", None, None, None], ["A", "big.bin", None, None, None]]
    assert loaded.commit(moved)["files"] == [["M", "a", None, 1, 1]]
    assert kinds(records, "pull_ref")[0]["files"] == [["M", "big.bin", None, None, None]]
    assert [s["count"] for s in kinds(records, "skip")] == [2]


def test_24_a_partial_clone_is_read_without_asking_its_remote(tmp_path: Path, made: Made) -> None:
    made.commit("one", {"a": "1\n", ".mailmap": "Ada <ada@example.org>\n"})
    made.commit("two", {"a": "2\n"})
    made.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "partial.git"
    made.git("clone", "--quiet", "--bare", "--filter=blob:none", f"file://{made.path}", str(clone))
    objects = sorted(clone.rglob("objects/*"))
    records = list(fetch(clone, identity_key=KEY, name="a/b"))
    assert sorted(clone.rglob("objects/*")) == objects
    assert [[f[:2] for f in c["files"]] for c in kinds(records, "commit")] == [[["M", "a"]], [["A", ".mailmap"], ["A", "a"]]]


def test_25_tags_of_blobs_odd_names_several_a_commit_and_off_the_default_branch(made: Made) -> None:
    one = made.commit("one", {"a": "1"})
    made.git("tag", "pubkey-ada", made.git("rev-parse", "HEAD:a"))
    for name in ("delete", "1.0.0-alpha1", "V2.2.3", "release/v1.1.0"):
        made.tag(name)
    made.branch("old", one)
    side = made.commit("backport", {"a": "2"})
    made.tag("v0.9.1")
    made.tag("nested", "v0.9.1", at=T0 + 9 * DAY)
    made.git("tag", "-a", "-m", "tag of a tag", "of-a-tag", "nested", at=T0 + 10 * DAY)
    made.go("main")
    records = made.records()
    loaded = Loaded(records)
    assert {k for k in loaded.nodes if k.startswith("release:")} == {
        f"release:acme/repo@{t}" for t in ("delete", "1.0.0-alpha1", "V2.2.3", "release/v1.1.0", "v0.9.1", "nested", "of-a-tag")
    }
    assert [s["reason"] for s in kinds(records, "skip")] == ["tag 'pubkey-ada' names a blob, not a commit"]
    assert loaded.commit(one)["first_tags"] == ["1.0.0-alpha1", "V2.2.3", "delete", "release/v1.1.0"]
    assert loaded.commit(side)["first_tags"] == ["v0.9.1"]
    assert records[-1]["tags"] == 8
    assert len(loaded.out("SHIPPED_IN", f"commit:acme/repo@{one}")) == 4


def test_25_the_first_release_is_the_earliest_instant_not_the_smallest_string(made: Made) -> None:
    one = made.commit("one", at=T0 - DAY)
    made.tag("v7.18.2", at=T0 + 3 * 3600, zone="-0800")  # reads as the earlier hour of the day
    made.tag("v7.18.1", at=T0, zone="+0100")
    loaded = Loaded(made.records())
    assert loaded.context.first_release("acme/repo", one) == "v7.18.1"
    assert list(loaded.out("SHIPPED_IN", f"commit:acme/repo@{one}")) == ["release:acme/repo@v7.18.1"]
    assert [t["tag"] for t in kinds(loaded.records, "tag")] == ["v7.18.1", "v7.18.2"]


def test_a_release_that_contains_nothing_new_ships_nothing(made: Made) -> None:
    one = made.commit("one")
    made.tag("v1", at=T0)
    two = made.commit("two")
    made.tag("v2", at=T0 + DAY)
    made.tag("v1.again", one, at=T0 + 2 * DAY)
    loaded = Loaded(made.records())
    assert [t["tag"] for t in kinds(loaded.records, "tag")] == ["v1", "v2", "v1.again"]
    assert loaded.into("SHIPPED_IN", "release:acme/repo@v1.again") == {}
    assert list(loaded.into("SHIPPED_IN", "release:acme/repo@v2")) == [f"commit:acme/repo@{two}"]


def test_reading_twice_gives_the_same_records_and_rows(made: Made) -> None:
    made.commit("one (#1)", {"a/b/c": "1"}, who="Bob B <b@x.org>")
    made.tag("v1")
    assert made.records() == made.records()
    assert Loaded(made.records()).rows == Loaded(made.records()).rows
    assert ADA.split("<")[1].rstrip(">") not in json.dumps(made.records())


def test_directories_form_a_chain_to_the_root(made: Made) -> None:
    made.commit("one", {".ci/run": "1", "src/a/b.c": "1", "top": "1"})
    loaded = Loaded(made.records())
    chain = {e.src: e.dst for e in loaded.edges if e.rel == "IN_DIR"}
    assert chain == {
        "file:acme/repo/.ci/run": "dir:acme/repo/.ci",
        "file:acme/repo/src/a/b.c": "dir:acme/repo/src/a",
        "file:acme/repo/top": "dir:acme/repo",
        "dir:acme/repo/.ci": "dir:acme/repo",
        "dir:acme/repo/src": "dir:acme/repo",
        "dir:acme/repo/src/a": "dir:acme/repo/src",
    }
    assert loaded.nodes["file:acme/repo/src/a/b.c"].props["ext"] == "c"
    assert loaded.nodes["file:acme/repo/.ci/run"].props["base"] == "run"
