"""Messages, identities, times and sizes of commits as they really are (oddities 13 to 20)."""

import json
from pathlib import Path

import pytest
from synthetic_git import DAY, T0, Loaded, Made


@pytest.fixture
def made(tmp_path: Path) -> Made:
    return Made(tmp_path / "repo")


def kinds(records: list[dict], kind: str) -> list[dict]:
    return [r for r in records if r["kind"] == kind]


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
    again = made.commit(f'Revert "Revert "feature (#1)""\n\nThis reverts commit {revert[:12]}.', {"a": "1", "c": "1"})
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
    assert [f[1] for f in loaded.commit(back)["files"]] == ["c"]
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
