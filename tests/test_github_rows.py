"""GitHub records to rows: who did what, what closes and refers to what, and what git is left to tell."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from brain import admission
from brain.connectors import github
from brain.connectors.context import Context
from brain.types import EdgeRow, NodeRow, Row, Skip, TextRow

QUICWG = Path(__file__).parents[2] / "shared" / "data" / "quicwg"
DAY = 86_400
T0 = 1_700_000_000


def source(repo: str = "acme/app", **more: Any) -> dict[str, Any]:
    return github.source_record(repo, "app.json", complete=True, as_of=T0 + 99 * DAY, access="open") | more


def issue(number: int, **more: Any) -> dict[str, Any]:
    base = {"kind": "issue", "repo": "acme/app", "number": number, "title": f"Issue {number}", "body": "", "state": "open"}
    base |= {"state_reason": None, "author": "ann", "created_at": T0, "closed_at": None, "updated_at": T0, "labels": ["bug"]}
    return base | {"assignees": [], "milestone": None, "url": "", "comments": []} | more


def pull(number: int, **more: Any) -> dict[str, Any]:
    base = issue(number) | {"kind": "pull", "title": f"Pull {number}", "draft": False, "merged_at": None, "merged_by": None}
    base |= {"merge_sha": None, "head_sha": None, "base": "main", "base_sha": None, "head_repo": None, "reviews": [], "inline": []}
    return base | {"files": None, "commits": None} | more


def comment(id_: str, author: str | None, body: str, at: int = T0 + DAY) -> dict[str, Any]:
    return {"id": id_, "author": author, "at": at, "body": body, "url": ""}


def review(id_: str, author: str, state: str, at: int | None, body: str, *lines: dict[str, Any]) -> dict[str, Any]:
    return {"id": id_, "author": author, "state": state, "at": at, "body": body, "sha": None, "comments": list(lines)}


def commit(sha: str, message: str) -> dict[str, Any]:
    who = {"name": "Ann", "email": None, "login": "ann"}
    base = {"kind": "commit", "repo": "acme/app", "sha": sha, "parents": [], "at": T0, "authored_at": T0}
    return base | {"author": who, "message": message, "files": None}


def release(tag: str, at: int, body: str = "") -> dict[str, Any]:
    base = {"kind": "release", "repo": "acme/app", "tag": tag, "name": "", "at": at, "body": body, "prerelease": False}
    return base | {"draft": False, "author": "ann", "url": ""}


def rows(*sections: list[dict[str, Any]]) -> list[Row]:
    context = Context.build(sections)
    found = [row for section in sections if section[0]["format"] == "github" for row in github.rows(section, context)]
    for row in found:
        if isinstance(row, NodeRow):
            admission.check_node(row)
        elif isinstance(row, EdgeRow):
            admission.check_edge(row)
    keys = {row.key for row in found if isinstance(row, NodeRow)}
    assert {end for row in found if isinstance(row, EdgeRow) for end in (row.src, row.dst)} <= keys
    return found


def edges(found: list[Row], *rels: str) -> set[tuple[str, str, str]]:
    return {(r.src, r.rel, r.dst) for r in found if isinstance(r, EdgeRow) and r.rel in rels}


def edge(found: list[Row], rel: str) -> EdgeRow:
    (one,) = [r for r in found if isinstance(r, EdgeRow) and r.rel == rel]
    return one


def node(found: list[Row], key: str) -> NodeRow:
    return next(r for r in found if isinstance(r, NodeRow) and r.key == key)


def test_every_review_and_comment_is_an_edge_of_its_own_with_its_instant() -> None:
    reviews = [
        review("r1", "Bob", "CHANGES_REQUESTED", T0 + DAY, "", comment("l1", "Bob", "why?")),
        review("r2", "Bob", "APPROVED", T0 + 2 * DAY, "good"),
        review("r3", "cat", "PENDING", None, ""),
    ]  # fmt: skip
    found = rows([source(), pull(1, reviews=reviews, comments=[comment("c1", "cat", "hm"), comment("c2", None, "gone")])])
    reviewed = {r.id: (r.src, r.props["at"], r.props["state"]) for r in found if isinstance(r, EdgeRow) and r.rel == "REVIEWED"}
    assert reviewed == {
        "r1": ("person:bob", T0 + DAY, "CHANGES_REQUESTED"),
        "r2": ("person:bob", T0 + 2 * DAY, "APPROVED"),
    }
    talked = {r.id: (r.src, r.props.get("inline")) for r in found if isinstance(r, EdgeRow) and r.rel == "COMMENTED_ON"}
    assert talked == {"c1": ("person:cat", None), "l1": ("person:bob", True)}
    assert node(found, "person:bob").name == "Bob"
    texts = {r.part: (r.title, r.body, r.author, r.at) for r in found if isinstance(r, TextRow)}
    assert texts == {
        "body": ("Pull 1", "", "ann", T0), "comment/c1": ("Pull 1", "hm", "cat", T0 + DAY), "comment/c2": ("Pull 1", "gone", "", T0 + DAY),
        "review/r2": ("Pull 1", "good", "Bob", T0 + 2 * DAY), "review-comment/l1": ("Pull 1", "why?", "Bob", T0 + DAY),
    }  # fmt: skip


def test_a_closing_word_closes_from_the_body_and_only_refers_from_a_comment() -> None:
    found = rows([
        source(), issue(1), issue(2), issue(3), pull(4, title="Fix #3", body="Closes #1, see #2\n\n`fixes #2`"),
        pull(5, body="fixes #4", comments=[comment("c", "bob", "This fixes #2")]),
    ])  # fmt: skip
    assert edges(found, "CLOSES") == {("pr:acme/app#4", "CLOSES", "issue:acme/app#1"), ("pr:acme/app#4", "CLOSES", "issue:acme/app#3")}
    assert edges(found, "REFERENCES") == {
        ("pr:acme/app#4", "REFERENCES", "issue:acme/app#2"),
        ("pr:acme/app#5", "REFERENCES", "pr:acme/app#4"),
        ("pr:acme/app#5", "REFERENCES", "issue:acme/app#2"),
    }


def test_a_number_of_another_repository_never_closes_the_local_issue_of_that_number() -> None:
    here = [source(), issue(7), pull(8, body="Fixes: https://github.com/acme/other/issues/7 and fixes far/away#7")]
    there = [source("acme/other"), issue(7, repo="acme/other")]
    found = rows(here, there)
    closes = edge(found, "CLOSES")
    assert (closes.src, closes.dst, closes.props["crossRepo"]) == ("pr:acme/app#8", "issue:acme/other#7", True)
    assert [(s.reason, s.count) for s in found if isinstance(s, Skip)] == [("reference to something not loaded", 1)]
    alone = rows(here)
    assert not edges(alone, "CLOSES", "REFERENCES")
    assert [s.count for s in alone if isinstance(s, Skip)] == [2]


def test_people_are_mentioned_only_when_they_exist_and_not_in_code() -> None:
    body = "cc @Bob and @nobody, mail x@bob, `@cat`\n```\n@cat\n```\nagain @bob, @acme/team"
    found = rows([source(), issue(1, body=body), issue(2, author="bob"), issue(3, author="cat")])
    mention = edge(found, "MENTIONS")
    assert (mention.src, mention.dst, mention.props["n"]) == ("issue:acme/app#1", "person:bob", 2)


def test_a_deleted_user_leaves_no_edge_and_the_item_stays() -> None:
    found = rows([source(), issue(1, author=None), pull(2, author=None, state="merged", merged_at=T0, merged_by=None)])
    assert not edges(found, "OPENED", "AUTHORED", "MERGED")
    assert "author" not in node(found, "issue:acme/app#1").props


def test_files_commits_and_releases_come_from_github_only_without_git() -> None:
    files = [["M", "src/core/a.c", None, 2, 1], ["R", "b.c", "old.c", 0, 0]]
    merged = pull(2, state="merged", merged_at=T0 + DAY, merged_by="bob", merge_sha="a" * 40, files=files, commits=["b" * 40, "d" * 40])
    commits = [commit("a" * 40, "Do it\n\nFixes #1"), commit("b" * 40, "Start")]
    section = [source(), {"kind": "repo", "repo": "acme/app", "default_branch": "main"}, issue(1), merged, *commits]
    found = rows(section)
    assert {(e[0], e[2]) for e in edges(found, "TOUCHED")} == {
        ("pr:acme/app#2", "file:acme/app/src/core/a.c"),
        ("pr:acme/app#2", "file:acme/app/b.c"),
    }
    assert {(e[0], e[2]) for e in edges(found, "IN_DIR")} == {
        ("file:acme/app/src/core/a.c", "dir:acme/app/src/core"), ("dir:acme/app/src/core", "dir:acme/app/src"),
        ("dir:acme/app/src", "dir:acme/app"), ("file:acme/app/b.c", "dir:acme/app"),
    }  # fmt: skip
    assert node(found, "file:acme/app/b.c").props["earlier_names"] == ["old.c"]
    included = {(r.dst[-1], r.props["how"]) for r in found if isinstance(r, EdgeRow) and r.rel == "INCLUDES"}
    assert included == {("a", "mergeCommit.oid"), ("b", "head")}
    assert ("commit:acme/app@" + "a" * 40, "CLOSES", "issue:acme/app#1") in edges(found, "CLOSES")

    git = [
        {"kind": "source", "format": "git", "source": "git:acme/app", "repo": "acme/app", "complete": True, "as_of": T0, "access": "open"}
    ]
    git += [{"kind": "repo", "repo": "acme/app", "default_branch": "main", "head": None, "has_pull_refs": False}]
    git += [
        {"kind": "pull_ref", "repo": "acme/app", "number": 2, "head": "b" * 40, "at": T0, "commits": [], "files": files, "author": None}
    ]
    silent = rows(section, git)
    assert not edges(silent, "TOUCHED", "IN_DIR", "INCLUDES", "SHIPPED_IN")
    assert not [r for r in silent if isinstance(r, NodeRow) and r.key.startswith("commit:")]


def test_a_change_ships_in_the_release_whose_notes_name_it_or_the_first_one_after() -> None:
    releases = [release("v3", T0 + 9 * DAY, "- the thing (#1)"), release("v1", T0, "soon: #2"), release("v2", T0 + 5 * DAY)]
    merges = [pull(n, state="merged", merged_at=T0 + DAY, base=base) for n, base in ((1, "main"), (2, "main"), (3, "side"))]
    found = rows([source(), {"kind": "repo", "repo": "acme/app", "default_branch": "main"}, *releases, *merges])
    shipped = {(r.src, r.dst, r.props["how"]) for r in found if isinstance(r, EdgeRow) and r.rel == "SHIPPED_IN"}
    assert shipped == {
        ("pr:acme/app#1", "release:acme/app@v3", "release notes"),
        ("pr:acme/app#2", "release:acme/app@v2", "first release after merge"),
    }
    assert node(found, "release:acme/app@v1").props["published_at"] == T0


def test_what_github_itself_linked_closes_with_that_as_its_source() -> None:
    found = rows(
        [source(), issue(1, closed_by=[{"repo": None, "number": 2}]), issue(3), pull(2, closes=[{"repo": "acme/app", "number": 3}])]
    )
    assert {(r.src, r.dst, r.props["how"]) for r in found if isinstance(r, EdgeRow) and r.rel == "CLOSES"} == {
        ("pr:acme/app#2", "issue:acme/app#1", "github"),
        ("pr:acme/app#2", "issue:acme/app#3", "github"),
    }


def test_access_and_gone_are_on_every_source_row_and_the_text_of_what_is_gone_is_kept() -> None:
    found = rows([source(access="internal"), issue(1, gone=T0 + DAY), issue(2)])
    assert {r.props["access"] for r in found if isinstance(r, NodeRow) and r.key.startswith("issue:")} == {"internal"}
    assert node(found, "issue:acme/app#1").props["gone"] == T0 + DAY
    assert [(r.key, r.access) for r in found if isinstance(r, TextRow)] == [("issue:acme/app#1", "internal"), ("issue:acme/app#2", "internal")]


def test_remarks_loaded_apart_land_on_their_item_or_are_counted() -> None:
    remarks = {"kind": "remarks", "repo": "acme/app", "number": 1, "comments": [comment("c", "bob", "hm")], "reviews": [], "inline": []}
    found = rows([source(), issue(1), remarks, remarks | {"number": 99}])
    assert edges(found, "COMMENTED_ON") == {("person:bob", "COMMENTED_ON", "issue:acme/app#1")}
    assert [s.reason for s in found if isinstance(s, Skip)] == ["comments and reviews of #99, which is not loaded"]


def test_rows_are_the_same_each_time() -> None:
    section = [source(), issue(1, body="#2 @bob"), pull(2, body="fixes #1", comments=[comment("c", "bob", "hm")])]
    assert rows(section) == rows(section)


@pytest.mark.quicwg
@pytest.mark.skipif(not QUICWG.is_dir(), reason="the organisation's archives are not here")
def test_the_organisations_archives_give_one_edge_for_every_known_review_and_comment() -> None:
    sections = [list(github.fetch(file)) for file in sorted(QUICWG.glob("*.archive.json"))]
    found = rows(*sections)
    counts = Counter(r.rel for r in found if isinstance(r, EdgeRow))
    ids = Counter((r.src, r.rel, r.dst, r.id) for r in found if isinstance(r, EdgeRow) and r.rel in ("REVIEWED", "COMMENTED_ON"))
    assert max(ids.values()) == 1
    reviews = [review for section in sections for r in section if r["kind"] == "pull" for review in r["reviews"]]
    assert counts["REVIEWED"] == sum(1 for review in reviews if review["author"]) > 4800
    talk = [c for section in sections for r in section if r["kind"] in ("issue", "pull") for c in r["comments"]] + [
        c for review in reviews for c in review["comments"]
    ]
    assert counts["COMMENTED_ON"] == sum(1 for c in talk if c["author"])
    items = [r for section in sections for r in section if r["kind"] in ("issue", "pull")]
    assert counts["AUTHORED"] + counts["OPENED"] == sum(1 for r in items if r["author"]) == len(items) - 3
    assert not any(re.search(r"@[\w-]+\.invalid", row.body) for row in found if isinstance(row, TextRow))


def test_a_renamed_file_is_one_node_and_each_change_keeps_the_path_it_used() -> None:
    """GitHub data alone: a rename in a commit, a later one in a merged pull request, one that never landed."""
    first = commit("a" * 40, "Import") | {"at": T0, "files": [["A", "src/one.rs", None, 9, 0], ["A", "src/x.rs", None, 1, 0]]}
    second = commit("b" * 40, "Rename") | {"at": T0 + 3 * DAY, "files": [["R", "src/two.rs", "src/one.rs", 0, 0]]}
    lost = commit("c" * 40, "Rename again") | {"at": T0 + 4 * DAY, "files": [["R", "src/lost.rs", "src/x.rs", 0, 0]]}
    second_as_listed = [["R", "src/two.rs", None, 0, 0]]  # gh does not give the old path
    third = [["R", "lib/three.rs", "src/two.rs", 1, 1]]
    pulls = [
        pull(1, created_at=T0 + DAY, files=[["M", "src/one.rs", None, 2, 1]]),
        pull(2, created_at=T0 + 2 * DAY, state="merged", merged_at=T0 + 3 * DAY, files=second_as_listed, merge_sha="b" * 40),
        pull(3, created_at=T0 + 5 * DAY, state="merged", merged_at=T0 + 6 * DAY, files=third),
        pull(4, created_at=T0 + 4 * DAY, state="closed", files=[["R", "src/lost.rs", "src/x.rs", 0, 0]], commits=["c" * 40]),
        pull(5, created_at=T0 + 9 * DAY, files=[["M", "src/one.rs", None, 1, 1]]),
    ]
    found = rows([source(), first, second, lost, *pulls])
    changes = [r for r in found if isinstance(r, EdgeRow) and r.rel == "TOUCHED" and r.dst.endswith("/lib/three.rs")]
    by_one, by_two = {r.src[-2:] for r in changes if r.props["path"] == "src/one.rs"}, {"bb", "#2"}
    assert by_one == {"aa", "#1", "#5"}
    assert {r.src[-2:]: r.props["path"] for r in changes if r.src[-2:] not in by_one} == {
        **dict.fromkeys(by_two, "src/two.rs"), "#3": "lib/three.rs",
    }  # fmt: skip
    files = {r.props["path"]: r.props.get("earlier_names") for r in found if isinstance(r, NodeRow) and r.key.startswith("file:")}
    assert files == {"lib/three.rs": ["src/one.rs", "src/two.rs"], "src/x.rs": None, "src/lost.rs": None}
    assert ("file:acme/app/lib/three.rs", "IN_DIR", "dir:acme/app/lib") in edges(found, "IN_DIR")


def test_a_name_used_again_after_a_rename_is_another_file() -> None:
    steps = [["A", "a", None]], [["R", "b", "a"]], [["A", "a", None]], [["M", "a", None]]
    commits = [
        commit(str(i) * 40, "x") | {"at": T0 + i * DAY, "files": [[*f, 1, 0] for f in files]} for i, files in enumerate(steps)
    ]
    found = rows([source(), *commits])
    assert {(r.src[-1], r.dst[-1]) for r in found if isinstance(r, EdgeRow) and r.rel == "TOUCHED"} == {
        ("0", "b"), ("1", "b"), ("2", "a"), ("3", "a"),
    }  # fmt: skip


def test_the_demos_renames_are_found_under_any_name() -> None:
    demo = Path(github.__file__).parents[1] / "demo" / "raw"
    by_repo: dict[str, list[dict[str, Any]]] = {}
    for record in github.fetch(demo):
        if record["kind"] == "source":
            section = by_repo.setdefault(record["repo"], [])
        if record["kind"] != "source" or not section:
            section.append(record)
    found = rows(*by_repo.values())
    assert all(r.props["n_files"] for r in found if isinstance(r, NodeRow) and r.key.startswith("commit:merefold/gauge-stream@"))
    names = {r.key: r.props["earlier_names"] for r in found if isinstance(r, NodeRow) and r.props.get("earlier_names")}
    hydra, sms = "file:merefold/gauge-stream/src/decode/hydra.rs", "file:merefold/floodline/floodline/notify/channels/sms.py"
    assert names[hydra] == ["src/decode/hydrolog.rs"] and names[sms] == ["floodline/notify/sms.py"]
    pulls = {hydra: {"17", "27", "33"}, sms: {"3", "13", "19", "32", "41"}}
    for file, numbers in pulls.items():
        assert {s.rpartition("#")[2] for s, _, d in edges(found, "TOUCHED") if d == file and s.startswith("pr:")} == numbers
    assert not [r.key for r in found if isinstance(r, NodeRow) and r.key.endswith(("/hydrolog.rs", "notify/sms.py"))]


def test_a_release_is_by_who_published_it_and_a_draft_by_nobody() -> None:
    draft = release("v3", T0) | {"draft": True, "author": "bob"}
    found = rows([source(), release("v1", T0), release("v2", T0 + DAY) | {"author": None}, draft])
    assert edges(found, "AUTHORED") == {("person:ann", "AUTHORED", "release:acme/app@v1")}
    assert node(found, "release:acme/app@v1").props["author"] == "ann"
    assert "author" not in node(found, "release:acme/app@v2").props


def test_who_did_nothing_is_no_person() -> None:
    bare = {"kind": "person", "name": "", "bot": False, "avatar": "", "company": "Acme"}
    people = [bare | {"login": name} for name in ("ann", "zoe", "yan")]
    found = rows([source(), issue(1, assignees=["yan"], body="@zoe"), *people])
    assert {r.key for r in found if isinstance(r, NodeRow) and r.key.startswith("person:")} == {"person:ann", "person:zoe"}
    assert "Acme" in {r.props.get("company") for r in found if isinstance(r, NodeRow) and r.key == "person:ann"}
