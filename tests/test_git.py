"""Reading repositories: kinds of repository, messages, identities, files, tags, bad input."""

import json
import os
import shutil
import stat
from pathlib import Path

import pytest
from synthetic_git import ADA, DAY, KEY, T0, Loaded, Made

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
    assert list(fetch(made.path / ".git", identity_key=KEY, org="acme"))[0]["repo"] == "acme/repo"
    made.git("remote", "add", "origin", "git@github.com:Acme/real-name.git")
    assert made.records("Acme")[0]["repo"] == "Acme/real-name"
    assert list(fetch(made.path, identity_key=KEY))[0]["repo"] == "Acme/real-name"
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
    assert Loaded(records).nodes.keys() == {"repo:acme/repo", "dir:acme/repo"}


def test_a_shallow_clone_does_not_give_its_oldest_commit_every_file(tmp_path: Path, made: Made) -> None:
    made.commit("one", {"a": "1", "b": "1"})
    last = made.commit("two", {"a": "2"})
    made.git("clone", "--quiet", "--depth", "1", f"file://{made.path}", str(tmp_path / "shallow"))
    records = list(fetch(tmp_path / "shallow", identity_key=KEY, name="a/b"))
    assert not records[0]["complete"]
    assert [(c["sha"], c["files"]) for c in kinds(records, "commit")] == [(last, [])]
    assert any("shallow" in s["reason"] for s in kinds(records, "skip"))


@pytest.mark.parametrize("what", ["missing", "plain folder", "inside another", "text", "cut bundle", "empty bundle"])
def test_what_is_no_repository_is_one_clear_line(tmp_path: Path, made: Made, what: str) -> None:
    made.commit("one", {"a": "1", "sub/b": "1"})
    path = {"missing": tmp_path / "none", "plain folder": tmp_path / "plain", "inside another": made.path / "sub"}.get(what, tmp_path / "x.bundle")
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


# messages and identities (oddities 13 to 17)


def test_13_empty_messages_front_matter_missing_blank_lines_and_carriage_returns(made: Made) -> None:
    empty = made.commit("")
    matter = made.commit("\n---\ntitle: x\n---\nbody")
    tight = made.commit("subject\nsecond line")
    windows = made.commit("subject (#4)\r\n\r\nbody\r\n\r\nFixes #7\r\n")
    control = made.commit("sub\x07ject\x1b[31m\n\nb\x02ody\n")
    long = made.commit("long\n\n" + "word " * 8000)
    loaded = Loaded(made.records())
    assert loaded.nodes[f"commit:acme/repo@{empty}"].name == empty[:10]
    assert not [r for r in loaded.rows if getattr(r, "part", "") and r.key.endswith(empty)]
    assert loaded.commit(matter)["subject"] == "title: x"
    assert (loaded.commit(tight)["subject"], loaded.commit(tight)["body"]) == ("subject", "second line")
    assert loaded.commit(windows)["body"] == "body\n\nFixes #7"
    assert loaded.commit(windows)["pr_refs"] == [{"repo": None, "number": 4, "how": "subject"}]
    assert (loaded.commit(control)["subject"], loaded.commit(control)["body"]) == ("subject[31m", "body")
    assert len(loaded.commit(long)["body"]) > 35_000


def test_14_octopus_merges_and_two_roots(made: Made) -> None:
    root = made.commit("root", {"a": "1"})
    for name in ("x", "y"):
        made.branch(name, root)
        made.commit(name, {name: "1"})
    made.go("main")
    made.git("merge", "--quiet", "--no-ff", "-m", "Merge branches 'x' and 'y'", "x", "y")
    octopus = made.git("rev-parse", "HEAD")
    other = made.raw_commit(b"another root\n")
    made.git("update-ref", "refs/heads/other", other)
    loaded = Loaded(made.records())
    assert len(loaded.commit(octopus)["parents"]) == 3
    assert {f[1] for f in loaded.commit(octopus)["files"]} == {"x", "y"}
    assert loaded.commit(other)["parents"] == [] and not loaded.commit(other)["on_default"]
    assert [f[1] for f in loaded.commit(other)["files"]] == ["a", "x", "y"]


def test_15_messages_that_are_not_utf8(made: Made) -> None:
    made.commit("root")
    declared = made.raw_commit("Prix en \u20ac\n".encode("iso-8859-15"), headers=b"encoding ISO-8859-15\n")
    undeclared = made.raw_commit(b"na\xefve subject\n\nbody \xff\n", who=b"J\xf6rg M\xfcller <j@x.org>")
    for i, sha in enumerate((declared, undeclared)):
        made.git("update-ref", f"refs/heads/b{i}", sha)
    loaded = Loaded(made.records())
    assert loaded.commit(declared)["subject"] == "Prix en \u20ac"
    assert loaded.commit(undeclared)["subject"] == "na\ufffdve subject"
    json.dumps(loaded.records, ensure_ascii=False).encode("utf-8")


def test_16_odd_identities(made: Made) -> None:
    no_at = made.commit("1", who="Zed Bare <zed.example.org>")
    local = made.commit("2", who="Ann Local <ann@MacBook-Pro.local>")
    quoted = made.commit("3", who='"Kim, Jr. [x]" <k@x.org>')
    mail_name = made.commit("4", who="kim@x.org <k@x.org>")
    nobody = made.commit("5", who="Eve Empty <>")
    records = made.records()
    loaded = Loaded(records)
    people = {sha: loaded.context.person(loaded.commit(sha)["author"]) for sha in (no_at, local, quoted, mail_name, nobody)}
    assert people[no_at] == "person:zed-bare"
    assert people[local] == "person:ann-local"
    assert people[quoted] == people[mail_name] == "person:kim-jr-x"
    assert people[nobody] == "person:eve-empty"
    text = json.dumps(records) + repr(loaded.rows)
    assert not [mail for mail in ("zed.example", "MacBook", "k@x.org", "ada@example") if mail in text]


def test_16_one_address_two_names_is_one_person_and_look_alikes_are_two(made: Made) -> None:
    made.commit("1", who="Ben Noord <b@x.org>")
    made.commit("2", who="Ben N. <b@x.org>")
    made.commit("3", who="Marten Seemann <m1@x.org>")
    made.commit("4", who="Martin Seemann <m2@x.org>")
    loaded = Loaded(made.records())
    assert {k for k in loaded.nodes if k.startswith("person:")} == {"person:ben-n", "person:marten-seemann", "person:martin-seemann"}


def test_17_co_authors_and_reviewers(made: Made) -> None:
    sha = made.commit(
        "work (#3)\n\nCo-authored-by: Bob Bare\nCo-Authored-By: Copilot <198982749+Copilot@users.noreply.github.com>\n"
        "co-authored-by: Copilot <175728472+copilot@users.noreply.github.com>\nCo-authored-by: Claude <noreply@anthropic.com>\n"
        "Reviewed-By: Cee Dee <c@x.org>\nReviewed-by: Eff Gee <e@x.org>\nSigned-off-by: Ada <ada@example.org>\n"
    )
    loaded = Loaded(made.records())
    authors = loaded.into("AUTHORED", f"commit:acme/repo@{sha}")
    assert {k: v.get("co", False) for k, v in authors.items()} == {
        "person:ada-lovelace": False,
        "person:bob-bare": True,
        "person:copilot": True,
        "person:claude": True,
    }
    assert {k for k in authors if loaded.nodes[k].props["bot"]} == {"person:copilot", "person:claude"}
    assert set(loaded.into("REVIEWED", "pr:acme/repo#3")) == {"person:cee-dee", "person:eff-gee"}
    text = next(r for r in loaded.rows if getattr(r, "part", "") and r.key.endswith(sha))
    assert (text.title, text.body) == ("work (#3)", "")


def test_a_mail_map_joins_addresses_and_keeps_the_login(made: Made) -> None:
    made.write({".mailmap": "Ada Lovelace <ada@work.org> <1+adal@users.noreply.github.com>\n"})
    one = made.commit("1", who="ada <1+adal@users.noreply.github.com>")
    two = made.commit("2", who="Ada Lovelace <ada@work.org>")
    loaded = Loaded(made.records())
    assert loaded.context.person(loaded.commit(one)["author"]) == loaded.context.person(loaded.commit(two)["author"]) == "person:adal"


def test_18_odd_times_stay_what_they_are(made: Made) -> None:
    parent = made.commit("parent", at=T0)
    older = made.commit("older than its parent", at=T0 - DAY)
    late = made.commit("written long before, committed late", at=T0 + 300 * DAY, written=T0)
    ahead = made.commit("written after it was committed", at=T0 + 301 * DAY, written=T0 + 400 * DAY)
    loaded = Loaded(made.records())
    assert [c["sha"] for c in kinds(loaded.records, "commit")] == [ahead, late, older, parent]
    assert (loaded.commit(older)["at"], loaded.commit(older)["parents"]) == (T0 - DAY, [parent])
    assert loaded.commit(late)["authored_at"] == T0
    assert loaded.nodes[f"commit:acme/repo@{ahead}"].props["at"] == T0 + 301 * DAY


def test_19_reverts_merges_into_a_branch_and_commits_without_files(made: Made) -> None:
    first = made.commit("feature (#1)", {"a": "1"})
    revert = made.commit(f'Revert "feature (#1)" (#2)\n\nThis reverts commit {first}.', {"a": "0"})
    again = made.commit(f'Revert "Revert "feature (#1)""\n\nThis reverts commit {revert[:12]}.', {"a": "1"})
    made.branch("side", first)
    made.commit("side work", {"b": "1"})
    back = made.merge("main", "Merge branch 'main' into side")
    nothing = made.commit("nothing")
    made.go("main")
    loaded = Loaded(made.records())
    nodes = {sha: loaded.nodes[f"commit:acme/repo@{sha}"].props for sha in (first, revert, again, back, nothing)}
    assert nodes[revert]["reverts"] == first and nodes[again]["reverts"] == revert
    assert loaded.context.pulls_of("acme/repo", revert) == [2] and loaded.context.pulls_of("acme/repo", again) == []
    assert nodes[back]["merge"] and not nodes[back]["on_default"]
    assert loaded.out("TOUCHED", f"commit:acme/repo@{back}") == {}
    assert not [r for r in loaded.rows if getattr(r, "part", "") and r.key.endswith(back)]
    assert nodes[nothing]["n_files"] == 0


def test_20_a_commit_with_thousands_of_files_is_bounded_and_says_so(made: Made) -> None:
    sha = made.commit("import", {f"d/{i:04}": str(i) for i in range(2100)})
    loaded = Loaded(made.records())
    assert len(loaded.out("TOUCHED", f"commit:acme/repo@{sha}")) == 2000
    assert loaded.nodes[f"commit:acme/repo@{sha}"].props["n_files"] == 2100
    assert [(r.reason.partition(" ")[2], r.count) for r in loaded.rows if hasattr(r, "reason")] == [("touches more than 2000 files", 100)]
    assert len([k for k in loaded.nodes if k.startswith("file:")]) == 2100


# paths and tags (oddities 21 to 25)


PATHS = ["'", 'docs/Error:-"pre"-versions.md', "Side Meetings/IETF 103/minutes.txt", "app/[graph]/x", "app/[...nextauth]/y", "@GhB", "ev++.h", "README", "readme"]
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
    made.commit("one", {"a": "1\n"})
    made.commit("two", {"a": "2\n"})
    made.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "partial.git"
    made.git("clone", "--quiet", "--bare", "--filter=blob:none", f"file://{made.path}", str(clone))
    shutil.rmtree(made.path)
    records = list(fetch(clone, identity_key=KEY, name="a/b"))
    assert [[f[:2] for f in c["files"]] for c in kinds(records, "commit")] == [[["M", "a"]], [["A", "a"]]]


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
