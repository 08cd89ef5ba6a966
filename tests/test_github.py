"""GitHub data from files: every layout, told apart by content, and every way a file can be wrong."""

from __future__ import annotations

import json
import re
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from brain.connectors import github
from brain.connectors.github_collect import merge
from brain.connectors.json_files import elements
from brain.errors import BadInput

QUICWG = Path(__file__).parents[2] / "shared" / "data" / "quicwg"
SAMPLES = Path(__file__).parents[2] / "shared" / "formats" / "github-rest"
API = "https://api.github.com/repos/acme/app"
T0, T1, T2 = "2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z", "2024-01-03T00:00:00Z"


def user(login: str) -> dict[str, Any]:
    return {"login": login, "type": "User"}


def rest_issue(number: int, **more: Any) -> dict[str, Any]:
    base = {"url": f"{API}/issues/{number}", "repository_url": API, "html_url": f"https://github.com/acme/app/issues/{number}"}
    base |= {"number": number, "title": f"Issue {number}", "user": user("ann"), "state": "open", "body": None, "labels": [{"name": "bug"}]}
    return base | {"assignees": [], "created_at": T0, "updated_at": T1, "closed_at": None, "comments": 0} | more


def rest_pull(number: int, **more: Any) -> dict[str, Any]:
    base = {k: v for k, v in rest_issue(number).items() if k not in ("repository_url", "comments")}
    base |= {"url": f"{API}/pulls/{number}", "html_url": f"https://github.com/acme/app/pull/{number}", "title": f"Pull {number}"}
    base |= {"merged_at": None, "merge_commit_sha": "e" * 40, "head": {"sha": "b" * 40, "ref": "x", "repo": None}}
    return base | {"base": {"sha": "c" * 40, "ref": "main", "repo": {"full_name": "acme/app"}}} | more


def archive(**more: Any) -> dict[str, Any]:
    return {"magic": "E!vIA5L86J2I", "timestamp": T2, "repo": "acme/app", "labels": [], "issues": [], "pulls": []} | more


def archived(number: int, **more: Any) -> dict[str, Any]:
    base = {"number": number, "id": f"I{number}", "title": f"T{number}", "url": f"https://github.com/acme/app/issues/{number}"}
    base |= {"state": "OPEN", "author": "ann", "assignees": [], "labels": [], "body": "", "createdAt": T0, "updatedAt": T1}
    return base | {"closedAt": None, "comments": []} | more


def write(path: Path, data: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


def of(records: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [r for r in records if r["kind"] == kind]


def table() -> dict[str, tuple[int, int, int, int]]:
    text = (QUICWG.parent / "README.md").read_text()
    row = re.compile(r"^\| ([\w-]+) \| [\d-]{10} \| (\d+) \| (\d+)/(\d+)/(\d+) \|", re.MULTILINE)
    return {m[1]: (int(m[2]), int(m[3]), int(m[4]), int(m[5])) for m in row.finditer(text)}


@pytest.mark.quicwg
@pytest.mark.skipif(not QUICWG.is_dir(), reason="the organisation's archives are not here")
def test_the_archives_give_the_totals_that_their_readme_states() -> None:
    expected = table()
    assert len(expected) == 12
    for name, counts in expected.items():
        records = list(github.fetch(QUICWG / f"{name}.archive.json"))
        totals = records[-1]
        assert tuple(totals[k] for k in ("issues", "pulls_merged", "pulls_closed", "pulls_open")) == counts, name
        assert totals["pulls"] == sum(counts[1:]) and totals["skipped"] == 0
        assert records[0]["complete"] is True
        assert not re.search(r"[\w.+-]+@[\w-]+\.\w{2,}", json.dumps(records).replace("git@", "")), name


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the samples are not here")
def test_rest_lists_join_pull_requests_that_issues_list_too() -> None:
    records = list(github.fetch(SAMPLES))
    numbers = [r["number"] for r in records if r["kind"] in ("issue", "pull")]
    assert len(numbers) == len(set(numbers)) == 40
    full = [r for r in of(records, "pull") if r["head_sha"]]
    assert len(full) == 15 and all(r["merge_sha"] is None for r in full if r["state"] != "merged")
    assert any("does not say whether it was merged" in r["reason"] for r in of(records, "skip"))
    assert records[0]["complete"] is False and records[0]["source"] == "github:quicwg/base-drafts"


# archives


def test_an_archive_keeps_deleted_users_empty_bodies_and_gives_ids_that_stay(tmp_path: Path) -> None:
    comment = {"author": None, "body": "x", "createdAt": T1}
    issues = [archived(1, author=None, body=None, comments=[comment, comment, comment | {"author": "bob"}])]
    file = write(tmp_path / "a.json", archive(issues=issues))
    (issue,) = of(list(github.fetch(file)), "issue")
    assert issue["author"] is None and issue["body"] == ""
    ids = [c["id"] for c in issue["comments"]]
    assert len(set(ids)) == 3
    issues[0]["comments"].append({"author": "cat", "body": "y", "createdAt": T2})
    (again,) = of(list(github.fetch(write(file, archive(issues=issues)))), "issue")
    assert [c["id"] for c in again["comments"]][:3] == ids


def test_a_record_without_number_or_with_a_wrong_type_is_a_skip_that_names_it(tmp_path: Path) -> None:
    bad = [archived(1), archived(2) | {"number": "two"}, archived(3, title=["x"]), "text", archived(4, createdAt="soon")]
    bad.append({k: v for k, v in archived(5).items() if k != "number"})
    file = write(tmp_path / "a.json", archive(issues=bad))
    records = list(github.fetch(file))
    assert [r["number"] for r in of(records, "issue")] == [1]
    assert [(r["reason"], r["file"]) for r in of(records, "skip")] == [
        ("issues[1] number is 'two', not a whole number above 0", str(file)),
        ("issues[2] title is list, not text", str(file)),
        ("issues[3] is str, not an object", str(file)),
        ("issues[4] created_at is 'soon', not a time", str(file)),
        ("issues[5] has no number", str(file)),
    ]
    assert records[-1]["skipped"] == 5


def test_one_bad_comment_costs_that_comment_and_not_its_issue(tmp_path: Path) -> None:
    comments = [{"author": "bob", "body": 7, "createdAt": T1}, {"author": "bob", "body": "fine", "createdAt": T1}]
    records = list(github.fetch(write(tmp_path / "a.json", archive(issues=[archived(1, comments=comments)]))))
    assert [c["body"] for c in of(records, "issue")[0]["comments"]] == ["fine"]
    assert [r["reason"] for r in of(records, "skip")] == ["issues[0] comment: body is int, not text"]


def test_an_archive_with_its_keys_in_another_order_is_the_same(tmp_path: Path) -> None:
    data = archive(issues=[archived(1)], labels=[{"name": "bug", "description": "", "color": "f00"}])
    first = list(github.fetch(write(tmp_path / "a.json", data)))
    again = list(github.fetch(write(tmp_path / "a.json", json.dumps(data, sort_keys=True))))
    assert again == first and github.recognise(tmp_path / "a.json") == "archive"


def test_addresses_leave_every_text_before_anything_is_stored(tmp_path: Path) -> None:
    talk = {"author": "bob", "body": "write to bob@example.org", "createdAt": T1}
    issue = archived(1, title="from ann@example.org", body="see ann@example.org", comments=[talk], milestone={"title": "m@example.org"})
    records = list(github.fetch(write(tmp_path / "a.json", archive(issues=[issue]))))
    assert "example.org" not in json.dumps(records)


# raw REST


def test_comments_reviews_and_line_comments_find_their_pull_request(tmp_path: Path) -> None:
    write(tmp_path / "p.json", [rest_pull(3, state="closed", merged_at=T2, merged_by=user("bob"))])
    write(tmp_path / "i.json", [rest_issue(3, pull_request={"merged_at": T2}, state="closed")])
    write(tmp_path / "c.json", [{"id": 1, "body": "hi", "user": user("cat"), "created_at": T1, "issue_url": f"{API}/issues/3"}])
    review = {"id": 5, "user": user("bob"), "state": "APPROVED", "body": "", "submitted_at": T2, "pull_request_url": f"{API}/pulls/3"}
    write(tmp_path / "r.json", [review])
    line = {"id": 9, "body": "why", "user": user("bob"), "created_at": T1, "path": "a.c", "line": 2, "diff_hunk": "@@"}
    write(tmp_path / "l.json", [line | {"pull_request_review_id": 5, "pull_request_url": f"{API}/pulls/3"}])
    records = list(github.fetch(tmp_path))
    (pull,) = of(records, "pull")
    assert (pull["state"], pull["merge_sha"], pull["merged_by"]) == ("merged", "e" * 40, "bob")
    assert [c["author"] for c in pull["comments"]] == ["cat"]
    assert [(r["id"], r["state"], [c["id"] for c in r["comments"]]) for r in pull["reviews"]] == [("5", "APPROVED", ["9"])]


def test_comments_loaded_alone_wait_for_their_issue(tmp_path: Path) -> None:
    file = write(tmp_path / "c.json", [{"id": 1, "body": "hi", "user": None, "created_at": T1, "issue_url": f"{API}/issues/3"}])
    (remarks,) = of(list(github.fetch(file)), "remarks")
    assert (remarks["number"], remarks["comments"][0]["author"]) == (3, None)


def test_the_test_merge_of_an_open_pull_request_is_not_history(tmp_path: Path) -> None:
    (pull,) = of(list(github.fetch(write(tmp_path / "p.json", [rest_pull(3)]))), "pull")
    assert (pull["state"], pull["merge_sha"]) == ("open", None)


def test_releases_labels_commits_repositories_and_users_are_told_by_their_fields(tmp_path: Path) -> None:
    write(tmp_path / "1.json", [{"url": f"{API}/releases/1", "tag_name": "v1", "published_at": T1, "body": "b", "author": user("ann")}])
    write(tmp_path / "2.json", [{"url": f"{API}/labels/bug", "name": "bug", "color": "f00", "description": None}])
    author = {"name": "Ann", "email": "12+ann@users.noreply.github.com", "date": T0}
    commit = {"message": "Do\n\nmore", "author": author, "committer": author}
    write(tmp_path / "3.json", [{"url": f"{API}/commits/{'a' * 40}", "sha": "a" * 40, "commit": commit, "author": None, "parents": []}])
    write(tmp_path / "4.json", {"full_name": "acme/app", "name": "app", "owner": user("acme"), "private": True, "topics": ["db"]})
    write(tmp_path / "5.json", [{"login": "helper[bot]", "type": "Bot", "avatar_url": ""}])
    write(tmp_path / "6.json", [{"url": f"{API}/milestones/1", "title": "m", "open_issues": 1, "closed_issues": 2, "number": 1}])
    records = list(github.fetch(tmp_path))
    assert [r["kind"] for r in records] == ["source", "repo", "label", "release", "person", "commit", "skip", "totals"]
    assert records[0]["access"] == "internal"
    assert records[5]["author"] == {"name": "Ann", "email": None, "login": "ann"}
    assert records[4]["bot"] is True and records[6]["reason"] == "milestone not stored"


def test_pages_that_were_joined_are_one_list(tmp_path: Path) -> None:
    one, two = json.dumps([rest_issue(1)]), json.dumps([rest_issue(2)])
    for text in (one + two, f"[{one},{two}]", f"{one}\n{two}\n", json.dumps(rest_issue(1)) + "\n" + json.dumps(rest_issue(2))):
        records = list(github.fetch(write(tmp_path / "i.json", text)))
        assert [r["number"] for r in of(records, "issue")] == [1, 2]


def test_a_thinner_record_of_the_same_pull_request_takes_nothing_away(tmp_path: Path) -> None:
    talk = {"author": {"login": "bob"}, "body": "hm", "createdAt": T1}
    full = rest_pull(3, state="closed", merged_at=T2, comment_regular_data=[talk | {"id": 1, "created_at": T1, "user": user("bob")}])
    (old,) = of(list(github.fetch(write(tmp_path / "p.json", [full]))), "pull")
    (thin,) = of(list(github.fetch(write(tmp_path / "i.json", [rest_issue(3, state="closed", pull_request={}, title="New")]))), "pull")
    both = merge(old, thin)
    assert (both["title"], both["state"], both["merge_sha"], both["merged_at"]) == ("New", "merged", "e" * 40, old["merged_at"])
    assert merge(thin, old)["state"] == "merged" and "thin" not in merge(thin, old)
    again = old | {"comments": [old["comments"][0] | {"id": "other"}, old["comments"][0] | {"id": "2", "body": "new"}]}
    assert [c["body"] for c in merge(old, again)["comments"]] == ["hm", "new"]


# gh


def test_gh_lists_take_their_repository_from_addresses_or_the_option(tmp_path: Path) -> None:
    row = {"number": 7, "title": "T", "body": "", "state": "OPEN", "createdAt": T0, "author": {"login": "app/dependabot", "is_bot": True}}
    file = write(tmp_path / "prs.json", [row | {"headRefOid": "b" * 40, "mergedAt": None}])
    with pytest.raises(BadInput, match="pass --repo ORG/NAME"):
        list(github.fetch(file))
    records = list(github.fetch(file, repo="acme/app"))
    assert records[0]["repo"] == "acme/app" and of(records, "pull")[0]["author"] == "dependabot[bot]"
    assert of(records, "person")[0]["bot"] is True
    write(file, [row | {"url": "https://github.com/acme/other/pull/7"}])
    assert next(github.fetch(file))["repo"] == "acme/other"


def test_a_gh_pull_request_brings_reviews_files_commits_and_linked_issues(tmp_path: Path) -> None:
    linked = {"number": 2, "repository": {"name": "other", "owner": {"login": "acme"}}, "url": "https://github.com/acme/other/issues/2"}
    commit = {"oid": "b" * 40, "messageHeadline": "Do", "messageBody": "it", "authoredDate": T0, "committedDate": T1}
    pull = {
        "number": 7, "title": "T", "body": "", "state": "MERGED", "createdAt": T0, "mergedAt": T2,
        "author": {"login": "ann", "name": "Ann A"},
        "url": "https://github.com/acme/app/pull/7", "mergeCommit": {"oid": "a" * 40}, "mergedBy": {"login": "bob"},
        "reviews": [{"id": "R1", "author": {"login": "bob"}, "state": "APPROVED", "submittedAt": T1, "body": ""}],
        "comments": [{"id": "C1", "author": {"login": "cat"}, "body": "hm", "createdAt": T1}],
        "files": [{"path": "src/a.c", "additions": 1, "deletions": 2}],
        "commits": [commit | {"authors": [{"login": "ann", "name": "Ann A", "email": "ann@example.org"}]}],
        "closingIssuesReferences": [linked],
    }  # fmt: skip
    records = list(github.fetch(write(tmp_path / "pr.json", pull)))
    (record,) = of(records, "pull")
    assert record["closes"] == [{"repo": "acme/other", "number": 2}]
    assert record["files"] == [["M", "src/a.c", None, 1, 2]] and record["commits"] == ["b" * 40]
    assert of(records, "commit")[0]["message"] == "Do\n\nit" and of(records, "person")[0]["name"] == "Ann A"
    assert "example.org" not in json.dumps(records) and github.recognise(tmp_path / "pr.json") == "gh"


def test_gh_repository_and_release_lists_load(tmp_path: Path) -> None:
    repo = {"nameWithOwner": "acme/app", "description": "d", "repositoryTopics": [{"name": "db"}], "defaultBranchRef": {"name": "main"}}
    write(
        tmp_path / "repos.json",
        [repo | {"isPrivate": False, "visibility": "PUBLIC"}, {"nameWithOwner": "acme/two", "repositoryTopics": None}],
    )
    records = list(github.fetch(tmp_path))
    assert [r["repo"] for r in of(records, "source")] == ["acme/app", "acme/two"]
    assert of(records, "repo")[0]["topics"] == ["db"] and of(records, "repo")[0]["default_branch"] == "main"
    file = write(tmp_path / "rel.json", [{"tagName": "v1", "name": "One", "publishedAt": T1, "isDraft": False, "isPrerelease": True}])
    (release,) = of(list(github.fetch(file, repo="acme/app")), "release")
    assert release["prerelease"] is True and release["url"] == "https://github.com/acme/app/releases/tag/v1"


def test_gh_rows_that_could_be_either_are_refused_with_what_to_add(tmp_path: Path) -> None:
    file = write(tmp_path / "x.json", [{"number": 1, "title": "T", "state": "OPEN", "createdAt": T0}])
    with pytest.raises(BadInput, match="add url to --json"):
        list(github.fetch(file, repo="acme/app"))
    with pytest.raises(BadInput, match="list createdAt in --json"):
        list(github.fetch(write(file, [{"number": 1, "title": "T", "state": "OPEN", "isDraft": False}]), repo="acme/app"))


# python-github-backup


def backup(root: Path) -> Path:
    app = root / "repositories" / "app"
    write(app / "issues" / "1.json", rest_issue(1, comment_data=[{"id": 4, "body": "hi", "user": user("bob"), "created_at": T1}]))
    pull = rest_pull(2, state="closed", merged_at=T2)
    pull["comment_regular_data"] = [{"id": 5, "body": "talk", "user": user("cat"), "created_at": T1}]
    pull["review_data"] = [{"id": 6, "user": user("bob"), "state": "APPROVED", "body": "ok", "submitted_at": T1}]
    line = {"id": 7, "body": "why", "user": user("bob"), "created_at": T1, "path": "a.c", "line": None, "pull_request_review_id": 6}
    stray = line | {"id": 8, "pull_request_review_id": 66}
    pull["comment_data"] = [line, stray]
    when = {"name": "Ann", "email": "ann@example.org", "date": T0}
    pull["commit_data"] = [
        {"sha": "b" * 40, "commit": {"message": "Do", "author": when, "committer": when}, "author": user("ann"), "parents": []}
    ]
    write(app / "pulls" / "2.json", pull)
    write(app / "labels" / "labels.json", [{"url": f"{API}/labels/bug", "name": "bug", "color": "f00"}])
    write(app / "releases" / "v1.json", {"url": f"{API}/releases/1", "tag_name": "v1", "published_at": T2, "body": "#2"})
    write(app / "milestones" / "1.json", {"number": 1, "title": "m"})
    write(app / "repository" / "package.json", {"name": "not github's"})
    write(root / "starred" / "x" / "y" / "issues" / "1.json", rest_issue(1))
    write(root / "account" / "starred.json", [{"full_name": "some/thing", "owner": user("some")}])
    return root


def test_a_backup_folder_is_one_complete_source_a_repository(tmp_path: Path) -> None:
    records = list(github.fetch(backup(tmp_path)))
    assert [r["source"] for r in of(records, "source")] == ["github:acme/app"] and records[0]["complete"] is True
    totals = {k: v for k, v in records[-1].items() if v and k != "kind"}
    assert totals == {
        "issues": 1, "pulls": 1, "pulls_merged": 1, "comments": 2, "review_comments": 2, "reviews": 1,
        "labels": 1, "releases": 1, "commits": 1, "skipped": 3,
    }  # fmt: skip
    (pull,) = of(records, "pull")
    assert [c["id"] for c in pull["reviews"][0]["comments"]] == ["7"] and [c["id"] for c in pull["inline"]] == ["8"]
    assert sorted(r["reason"] for r in of(records, "skip")) == ["account not stored", "milestones not stored", "starred not stored"]
    assert "example.org" not in json.dumps(records)
    for path in (tmp_path, tmp_path / "repositories", tmp_path / "repositories" / "app"):
        assert github.recognise(path) == "backup"
        assert list(github.fetch(path))[-1]["pulls"] == 1


def test_a_backup_without_its_pull_requests_is_not_complete(tmp_path: Path) -> None:
    write(tmp_path / "repositories" / "app" / "issues" / "1.json", rest_issue(1))
    assert next(github.fetch(tmp_path))["complete"] is False


def test_a_cut_off_file_of_a_backup_stops_the_load_and_is_named(tmp_path: Path) -> None:
    backup(tmp_path)
    file = write(tmp_path / "repositories" / "app" / "issues" / "9.json", '{"number": 9,\n "title"')
    with pytest.raises(BadInput, match=re.escape(f"{file}:2: the JSON ends too early")):
        list(github.fetch(tmp_path))


# what cannot be read


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b" \n\t", "is empty"),
        (b'{"magic": "x", "repo": "a/b", "issues": [{"number": 1},\n', ":2: the JSON ends too early, after 56 bytes"),
        ('[{"title": "é"}]'.encode("utf-16"), "is UTF-16 or binary, not UTF-8"),
        ('[{\n"title": "é"}]'.encode("latin-1"), ":2: is not UTF-8"),
        (b'[{"a": 1},\n\n{"a" 2}]', ":3: is not valid JSON"),
        (b"number,title\n1,x\n", ":1: is not JSON"),
        (b"[" * 300_000, "nested deeper than 64"),
        (b"[" + b"9" * 5000 + b"]", ":1: is not valid JSON"),
        (b'{"name": "left-pad", "version": "1.0.0"}', "nothing that GitHub, gh or a backup"),
        (b'[1, "two", null]', "nothing that GitHub, gh or a backup"),
        (b"[]", "nothing in it is GitHub data"),
        (b'{"magic": "x", "repo": 5, "issues": []}', "names its repository 5; expected org/name"),
    ],
)
def test_every_unusable_file_is_one_line_with_its_name(tmp_path: Path, data: bytes, says: str) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(data)
    with pytest.raises(BadInput, match=re.escape(says)) as caught:
        list(github.fetch(file, repo="acme/app"))
    assert str(file) in str(caught.value) and "\n" not in str(caught.value)


def test_a_missing_path_and_a_folder_without_github_data_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No such file"):
        list(github.fetch(tmp_path / "nothing.json"))
    write(tmp_path / "package.json", {"name": "x"})
    with pytest.raises(BadInput, match="nothing in it is GitHub data"):
        list(github.fetch(tmp_path))
    assert github.recognise(tmp_path) is None and github.recognise(tmp_path / "package.json") is None


def test_a_folder_linked_into_itself_is_walked_once(tmp_path: Path) -> None:
    write(tmp_path / "issues.json", [rest_issue(1)])
    (tmp_path / "again").symlink_to(tmp_path)
    assert list(github.fetch(tmp_path))[-1]["issues"] == 1


def test_a_strange_file_in_a_folder_is_a_skip(tmp_path: Path) -> None:
    write(tmp_path / "a_package.json", {"name": "x"})
    write(tmp_path / "issues.json", [rest_issue(1), {"surprise": True}])
    records = list(github.fetch(tmp_path))
    assert {(Path(r["file"]).name, r["reason"]) for r in of(records, "skip")} == {
        ("a_package.json", "not GitHub data"),
        ("issues.json", "[1] is no record of GitHub's"),
    }


def test_a_byte_order_mark_and_control_characters_do_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "i.json"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps([rest_issue(1, title="a\0b", body="\ud800")]).encode())
    (issue,) = of(list(github.fetch(file)), "issue")
    assert issue["title"] == "ab" and "\ud800" not in issue["body"]


def test_a_line_of_50_megabytes_is_read_in_little_memory(tmp_path: Path) -> None:
    one = json.dumps(archived(1, body="lorem ipsum " * 400))
    file = tmp_path / "big.json"
    with file.open("w") as out:
        out.write('{"magic":"x","timestamp":"' + T2 + '","repo":"acme/app","labels":[],"issues":[')
        out.write(",".join([one] * (50_000_000 // len(one))))
        out.write('],"pulls":[]}')
    tracemalloc.start()
    count = sum(1 for record in github.fetch(file) if record["kind"] == "issue")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 50_000_000 // len(one) and peak < 20_000_000


def test_the_place_of_an_error_is_exact_far_into_a_file(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text("[\n" + '{"a": "' + "x" * 90 + '"},\n' * 1 + "".join('{"a": 1},\n' for _ in range(40_000)) + "oops]")
    with pytest.raises(BadInput, match=":40003: is not valid JSON"):
        list(elements(file))
