"""Reading repositories: kinds of repository, names, bad input, and nothing that a repository could run."""

import json
import stat
from pathlib import Path

import pytest
from synthetic_git import KEY, Loaded, Made

from brain.connectors import git_process
from brain.connectors.git import fetch, installed
from brain.errors import BadInput


@pytest.fixture
def made(tmp_path: Path) -> Made:
    return Made(tmp_path / "repo")


def kinds(records: list[dict], kind: str) -> list[dict]:
    return [r for r in records if r["kind"] == kind]


# kinds of repository


def test_every_kind_of_repository_gives_the_same_history(tmp_path: Path, made: Made) -> None:
    made.commit("one", {"a": "1"})
    made.commit("two (#1)", {"a": "2"})
    made.tag("v1")
    made.pull_head(1)
    bare, bundle, work = tmp_path / "bare.git", tmp_path / "repo.bundle", tmp_path / "work"
    made.git("clone", "--quiet", "--mirror", str(made.path), str(bare))
    made.git("bundle", "create", "--quiet", str(bundle), "--all")
    made.git("worktree", "add", "--quiet", "--detach", str(work), "HEAD")
    paths = [made.path, made.path / ".git", bare, bundle, work]
    found = [list(fetch(p, identity_key=KEY, name="acme/repo", scratch=tmp_path / "s")) for p in paths]
    assert [r["sha"] for r in kinds(found[0], "commit")] and {json.dumps(f[1:]) for f in found} == {json.dumps(found[0][1:])}
    assert list((tmp_path / "s").iterdir()) == []


def test_the_name_comes_from_origin_or_path(tmp_path: Path, made: Made) -> None:
    made.commit("one")
    assert made.records("acme")[0]["source"] == "git:acme/repo"
    assert next(fetch(made.path / ".git", identity_key=KEY, org="acme"))["repo"] == "acme/repo"
    made.git("remote", "add", "origin", "git@github.com:Acme/real-name.git")
    assert made.records("Acme")[0]["repo"] == "Acme/real-name"
    assert next(fetch(made.path, identity_key=KEY))["repo"] == "Acme/real-name"
    assert made.records("other")[0]["repo"] == "other/repo"


def test_an_ordinary_clone_on_a_side_branch_still_knows_its_default_branch(tmp_path: Path, made: Made) -> None:
    main = made.commit("one", {"a": "1"})
    clone = tmp_path / "clone"
    made.git("clone", "--quiet", str(made.path), str(clone))
    made.git("-C", str(clone), "checkout", "--quiet", "-b", "wip")
    made.git("-C", str(clone), "commit", "--quiet", "--allow-empty", "-m", "not yet")
    repo = kinds(list(fetch(clone, identity_key=KEY, name="a/b")), "repo")[0]
    assert (repo["default_branch"], repo["head"]) == ("main", main)


def test_a_repository_without_commits_gives_no_history(made: Made) -> None:
    records = made.records()
    assert records[-1]["commits"] == 0
    assert [s["reason"] for s in kinds(records, "skip")] == ["no commit yet: an empty repository"]
    assert Loaded(records).nodes.keys() == {"repo:acme/repo", "dir:acme/repo"}


def test_a_shallow_clone_does_not_give_its_oldest_commit_every_file(tmp_path: Path, made: Made) -> None:
    made.commit("one", {"a": "1", "b": "1"})
    last = made.commit("two", {"a": "2"})
    made.git("clone", "--quiet", "--depth", "1", f"file://{made.path}", str(tmp_path / "shallow"))
    records = list(fetch(tmp_path / "shallow", identity_key=KEY, name="a/b"))
    assert not records[0]["complete"]
    assert [(c["sha"], c["files"]) for c in kinds(records, "commit")] == [(last, [])]
    assert any("shallow" in s["reason"] for s in kinds(records, "skip"))


def test_a_merge_whose_branch_began_before_a_shallow_clone_does_not_bring_what_is_cut_off(tmp_path: Path, made: Made) -> None:
    made.commit("one", {"a": "1"})
    made.branch("topic")
    made.commit("work", {"b": "1"})
    made.go("main")
    made.merge("topic", "Merge pull request #4 from x/topic")
    brought = [len(c.get("brings", ())) for c in kinds(made.records(), "commit")]
    made.git("clone", "--quiet", "--depth", "2", f"file://{made.path}", str(tmp_path / "shallow"))
    cut = list(fetch(tmp_path / "shallow", identity_key=KEY, name="a/b"))
    assert sum(brought) == 1 and not [c for c in kinds(cut, "commit") if "brings" in c]
    assert "pr:a/b#4" in Loaded(cut).nodes


@pytest.mark.parametrize("what", ["missing", "plain folder", "inside another", "text", "cut bundle", "empty bundle"])
def test_what_is_no_repository_is_one_clear_line(tmp_path: Path, made: Made, what: str) -> None:
    made.commit("one", {"a": "1", "sub/b": "1"})
    folders = {"missing": tmp_path / "none", "plain folder": tmp_path / "plain", "inside another": made.path / "sub"}
    path = folders.get(what, tmp_path / "x.bundle")
    if what == "plain folder":
        path.mkdir()
    elif what == "text":
        path.write_text("hello")
    elif what == "empty bundle":
        path.write_bytes(b"# v2 git bundle\n")
    elif what == "cut bundle":
        made.git("bundle", "create", "--quiet", str(path), "--all")
        path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(BadInput) as err:
        list(fetch(path, identity_key=KEY, org="acme", scratch=tmp_path / "s"))
    assert str(path) in str(err.value) and "\n" not in str(err.value)
    assert what != "inside another" or f"inside {made.path}, load that" in str(err.value)
    assert not (tmp_path / "s").exists() or list((tmp_path / "s").iterdir()) == []


def test_git_not_installed_is_one_clear_line(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    made.commit("one")
    assert installed()
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(BadInput, match="git` command is not installed"):
        made_records = fetch(made.path, identity_key=KEY, org="acme")
        list(made_records)
    assert installed() is None


def test_a_repository_cannot_run_a_program_of_its_own(tmp_path: Path, made: Made) -> None:
    program = tmp_path / "evil"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    made.commit("one", {"a": "1", ".gitattributes": "* diff=evil filter=evil\n"})
    for name in ("diff.external", "diff.evil.command", "diff.evil.textconv", "core.fsmonitor", "core.pager", "gpg.program"):
        made.git("config", name, str(program))
    made.git("config", "log.showSignature", "true")
    made.git("config", "core.fsmonitor", "")
    made.commit("two", {"a": "2"})
    made.git("config", "core.fsmonitor", str(program))
    Path(tmp_path / "ran").unlink(missing_ok=True)
    assert len(kinds(made.records(), "commit")) == 2
    assert not (tmp_path / "ran").exists()


def test_stopping_early_leaves_no_process(made: Made) -> None:
    made.commit("one")
    stream = git_process.Repository(made.path, made.path / ".git").tokens("log", "-z")
    next(stream)
    stream.close()
