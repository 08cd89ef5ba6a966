"""Pull requests, joins and references out of git, alone and beside GitHub data (oddities 1 to 12)."""

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest
from synthetic_git import DAY, KEY, T0, Loaded, Made, github, issue, pull

from brain.connectors.context import Context
from brain.connectors.git import fetch
from brain.connectors.github import fetch as read_github

QUICWG = Path(__file__).resolve().parents[2] / "shared" / "data" / "quicwg"
BEN = "Ben Branch <7+ben@users.noreply.github.com>"


@pytest.fixture
def made(tmp_path: Path) -> Made:
    made = Made(tmp_path / "repo")
    made.commit("root", {"README": "1"})
    return made


def topic(
    made: Made, number: int, files: dict[str, str | None], *, merge: bool = True, subject: str = "", ref: bool = True
) -> tuple[str, str]:
    """A branch with one commit by Ben, its pull head, and unless told its merge; (head, merge or "")."""
    name = f"topic-{number}"
    made.branch(name, "main")
    head = made.commit(subject or f"work for {number}", files, who=BEN)
    if ref:
        made.pull_head(number)
    made.go("main")
    merged = made.merge(name, f"Merge pull request #{number} from ben/{name}\n\nTitle of {number}") if merge else ""
    made.git("branch", "--quiet", "-D", name)
    return head, merged


# pull requests from git alone


def test_a_merged_pull_request(made: Made) -> None:
    head, merge = topic(made, 4, {"a": "1"})
    made.tag("v1")
    loaded = Loaded(made.records())
    key = "pr:acme/repo#4"
    props = loaded.nodes[key].props
    assert loaded.nodes[key].name == props["title"] == "Title of 4"
    assert (props["state"], props["merge_how"], props["merge_sha"], props["head_sha"]) == ("merged", "merge subject", merge, head)
    assert (props["author"], props["access"], props["at"]) == ("ben", "open", loaded.commit(head)["at"])
    assert set(loaded.into("AUTHORED", key)) == {"person:ben"} and set(loaded.into("MERGED", key)) == {"person:ada-lovelace"}
    includes = {k.rpartition("@")[2]: v["how"] for k, v in loaded.out("INCLUDES", key).items()}
    assert includes == {merge: "merge subject", head: "head"}
    assert set(loaded.out("TOUCHED", key)) == {"file:acme/repo/a"}
    assert set(loaded.out("SHIPPED_IN", key)) == {"release:acme/repo@v1"}
    assert loaded.out("IN_REPO", key) == {"repo:acme/repo": {}}


def test_an_open_pull_request_touches_what_its_branch_changed_since_it_left(made: Made) -> None:
    topic(made, 5, {"mine": "1"}, merge=False)
    made.commit("meanwhile", {"other": "1"})
    loaded = Loaded(made.records())
    props = loaded.nodes["pr:acme/repo#5"].props
    assert (props["state"], props["merge_how"], props["title"]) == ("open", "unknown", "work for 5")
    assert set(loaded.out("TOUCHED", "pr:acme/repo#5")) == {"file:acme/repo/mine"}
    assert loaded.out("SHIPPED_IN", "pr:acme/repo#5") == {}


def test_a_branch_that_took_the_default_branch_in_touches_only_its_own(made: Made) -> None:
    made.branch("topic")
    made.commit("mine", {"mine": "1"}, who=BEN)
    made.go("main")
    made.commit("other", {"other": "1"})
    made.go("topic")
    made.merge("main", "Merge branch 'main' into topic")
    made.pull_head(5)
    made.go("main")
    loaded = Loaded(made.records())
    assert set(loaded.out("TOUCHED", "pr:acme/repo#5")) == {"file:acme/repo/mine"}
    assert loaded.nodes["pr:acme/repo#5"].props["author"] == "ben"


def test_a_squashed_pull_request_in_an_ordinary_clone(made: Made) -> None:
    squash = made.commit("Add a thing (#7)\n\nIt helps.", {"a": "1"}, who=BEN, by="GitHub <noreply@github.com>")
    loaded = Loaded(made.records())
    props = loaded.nodes["pr:acme/repo#7"].props
    assert (props["title"], props["state"], props["author"], props["merge_sha"]) == ("Add a thing", "merged", "ben", squash)
    assert loaded.out("INCLUDES", "pr:acme/repo#7") == {f"commit:acme/repo@{squash}": {"how": "number"}}


def test_a_merged_pull_request_in_an_ordinary_clone_is_by_who_wrote_the_branch(made: Made) -> None:
    _, merge = topic(made, 8, {"a": "1"}, ref=False)
    loaded = Loaded(made.records())
    assert loaded.nodes["pr:acme/repo#8"].props["author"] == "ben"
    assert set(loaded.into("AUTHORED", "pr:acme/repo#8")) == {"person:ben"}
    texts = [(r.title, r.key) for r in loaded.rows if getattr(r, "part", "")]
    assert ("Title of 8", "pr:acme/repo#8") in texts
    assert not [key for _, key in texts if key.endswith(merge)]


def test_a_branch_merged_without_naming_its_number_is_found_by_its_head(made: Made) -> None:
    made.branch("topic")
    head = made.commit("quiet work", {"a": "1"}, who=BEN)
    made.pull_head(9)
    made.go("main")
    merge = made.merge("topic", "Merge branch 'topic'")
    loaded = Loaded(made.records())
    props = loaded.nodes["pr:acme/repo#9"].props
    assert (props["state"], props["merge_how"], props["title"], props["head_sha"]) == ("merged", "head", "quiet work", head)
    assert loaded.context.join_of("acme/repo", 9) == (merge, "head")


# numbers and joins


def test_1_a_number_used_twice_names_the_commit_that_is_not_older(made: Made) -> None:
    old = made.commit("from the old repository (#2)", {"a": "1"}, at=T0 - 700 * DAY)
    new = made.commit("ours (#2)", {"b": "1"}, at=T0 + DAY)
    records, archive = made.records(), github("acme/repo", pull(2, state="merged", merge_sha="0" * 40, created_at=T0))
    loaded = Loaded(records, archive)
    assert loaded.context.join_of("acme/repo", 2) == (new, "number")
    assert loaded.context.pulls_of("acme/repo", old) == []
    certain = Loaded(records, github("acme/repo", pull(2, state="merged", merge_sha=old, created_at=T0)))
    assert certain.context.join_of("acme/repo", 2) == (old, "mergeCommit.oid")


def test_2_a_forks_inherited_numbers_are_not_its_pull_requests(made: Made) -> None:
    parents = made.commit("parent project's work (#609)", {"a": "1"}, at=T0 - 900 * DAY)
    only_parents = made.commit("parent project's other work (#1763)", {"a": "2"}, at=T0 - 899 * DAY)
    _, ours = topic(made, 609, {"b": "1"})
    loaded = Loaded(made.records())
    assert loaded.context.merge_commit("acme/repo", 609) == ours
    assert [loaded.context.pulls_of("acme/repo", sha) for sha in (parents, only_parents)] == [[], []]
    assert "pr:acme/repo#1763" not in loaded.nodes


def test_3_an_archive_under_the_old_name_is_this_repository(made: Made) -> None:
    head, merge = topic(made, 4, {"a": "1"})
    loaded = Loaded(made.records(), github("old/draft-repo", pull(4, state="merged", merge_sha=merge, head_sha=head)))
    assert loaded.context.repo("old/draft-repo") == "acme/repo"
    assert "pr:acme/repo#4" not in loaded.nodes  # GitHub's to tell
    assert loaded.nodes["repo:acme/repo"].props["aliases"] == ["old/draft-repo"]
    assert loaded.out("INCLUDES", "pr:acme/repo#4")[f"commit:acme/repo@{merge}"] == {"how": "mergeCommit.oid"}


def test_4_git_that_goes_on_after_the_archive_ends(made: Made) -> None:
    _, merge = topic(made, 4, {"a": "1"})
    topic(made, 5, {"b": "1"})
    loaded = Loaded(made.records(), github("acme/repo", pull(4, state="open", head_sha="1" * 40)))
    assert loaded.context.join_of("acme/repo", 4) == (merge, "merge subject")
    assert {k for k in loaded.nodes if k.startswith("pr:")} == {"pr:acme/repo#5"}


def test_5_merged_without_its_commit_and_merged_elsewhere(made: Made) -> None:
    topic(made, 8, {"a": "1"}, merge=False)
    made.branch("draft02", "main")
    side = made.commit("for the draft (#9)", {"b": "1"}, who=BEN)
    made.pull_head(9, "main")
    made.go("main")
    archive = github("acme/repo", pull(8, state="merged", merge_sha="6" * 40), pull(9, state="merged", merge_sha=side))
    loaded = Loaded(made.records(), archive)
    assert loaded.context.merge_commit("acme/repo", 8) is None
    assert set(loaded.out("TOUCHED", "pr:acme/repo#8")) == {"file:acme/repo/a"}
    assert loaded.context.merge_commit("acme/repo", 9) == side
    assert not loaded.nodes[f"commit:acme/repo@{side}"].props["on_default"]


def test_6_a_merged_pull_request_touches_what_its_branch_or_its_merge_changed(made: Made) -> None:
    made.branch("topic")
    made.commit("one", {"a": "1"}, who=BEN)
    made.commit("other", {"b": "1"}, who=BEN)
    made.pull_head(3)
    made.go("main")
    made.commit("part of it came another way", {"a": "1"})
    made.merge("topic", "Merge pull request #3 from ben/topic\n\nBoth")
    loaded = Loaded(made.records())
    assert [f[1] for f in loaded.commit(loaded.context.merge_commit("acme/repo", 3))["files"]] == ["b"]
    head = next(r for r in loaded.records if r["kind"] == "pull_ref")
    assert [f[1] for f in head["files"]] == ["a", "b"]
    assert len(head["commits"]) == 2
    touched = loaded.out("TOUCHED", "pr:acme/repo#3")
    assert set(touched) == {"file:acme/repo/a", "file:acme/repo/b"}
    merged = loaded.commit(loaded.context.merge_commit("acme/repo", 3))["at"]
    assert {props["at"] for props in touched.values()} == {merged}


@pytest.mark.parametrize(("base", "files"), [("main", {"a", "b"}), ("master", {"a", "b"}), ("v6.x", {"b"}), (None, {"b"})])
def test_a_squashed_branch_counts_whole_only_where_github_says_that_it_left_the_default_branch(
    made: Made, base: str | None, files: set[str]
) -> None:
    topic(made, 3, {"a": "1", "b": "1"}, merge=False)
    made.commit("part of it came another way", {"a": "1"})
    squash = made.commit("Both (#3)", {"b": "1"})
    loaded = Loaded(made.records(), *([github("acme/repo", pull(3, state="merged", merge_sha=squash, base=base))] if base else []))
    assert set(loaded.out("TOUCHED", "pr:acme/repo#3")) == {f"file:acme/repo/{name}" for name in files}


def test_7_8_missing_numbers_and_deleted_users(made: Made) -> None:
    sha = made.commit("refers\n\nFixes #225", {"a": "1"})
    loaded = Loaded(made.records(), github("acme/repo", pull(100, author=None), issue(101, author=None)))
    assert loaded.out("CLOSES", f"commit:acme/repo@{sha}") == {}
    assert [(r.reason, r.count) for r in loaded.rows if hasattr(r, "reason")] == [("names an issue or pull request that is not loaded", 1)]


def test_9_test_merges_are_not_history_but_are_counted(made: Made) -> None:
    head, _ = topic(made, 6, {"a": "1"}, merge=False)
    tree = made.git("rev-parse", f"{head}^{{tree}}")
    test = made.git("commit-tree", tree, "-p", "main", "-p", head, "-m", f"Merge {head} into main")
    made.git("update-ref", "refs/pull/6/merge", test)
    records = made.records()
    loaded = Loaded(records)
    assert f"commit:acme/repo@{test}" not in loaded.nodes
    assert (records[-1]["commits"], records[-1]["commits_test_merges"], records[-1]["pull_heads"]) == (3, 1, 1)
    assert next(r for r in records if r["kind"] == "pull_ref")["merge_ref"]
    assert loaded.nodes["pr:acme/repo#6"].props["state"] == "open"


HERE = "https://github.com/acme/repo"


@pytest.mark.parametrize("url", ["acme#15", "acme/repo#15", f"{HERE}/pull/15/files", f"{HERE}/pull15", "#15"])
def test_10_pr_url_in_its_variants(made: Made, url: str) -> None:
    head, _ = topic(made, 15, {"a": "1"}, merge=False)
    landed = made.commit(f"land it by hand\n\nPR-URL: {url}\nReviewed-By: Cee Dee <c@x.org>", {"a": "1"}, who=BEN)
    loaded = Loaded(made.records())
    assert loaded.context.join_of("acme/repo", 15) == (landed, "pr-url")
    assert loaded.nodes["pr:acme/repo#15"].props["state"] == "merged"
    reviewed = loaded.out("REVIEWED", "person:cee-dee")["pr:acme/repo#15"]
    assert (reviewed["state"], reviewed["how"], reviewed["at"]) == ("APPROVED", "Reviewed-By", loaded.commit(landed)["at"])
    assert f"commit:acme/repo@{head}" in loaded.out("INCLUDES", "pr:acme/repo#15")


def test_10_pr_url_of_another_repository_is_not_ours(made: Made) -> None:
    topic(made, 15, {"a": "1"}, merge=False)
    made.commit("land\n\nPR-URL: https://github.com/nodejs/node/pull/15", {"a": "1"})
    assert Loaded(made.records()).context.merge_commit("acme/repo", 15) is None


def test_11_a_number_that_is_no_pull_request_of_this_repository(made: Made) -> None:
    topic(made, 3, {"a": "1"})
    stray = made.commit("from an issue (#1099)", {"b": "1"})
    two = made.commit("backport (#2) (#3)", {"c": "1"})
    middle = made.commit("fix (#3) in the middle", {"d": "1"})
    loaded = Loaded(made.records())
    assert "pr:acme/repo#1099" not in loaded.nodes and loaded.context.pulls_of("acme/repo", stray) == []
    assert loaded.commit(two)["pr_refs"] == [{"repo": None, "number": 3, "how": "subject"}]
    assert loaded.commit(middle)["pr_refs"] == [{"repo": None, "number": 3, "how": "mid-subject"}]
    assert loaded.context.join_of("acme/repo", 3)[1] == "merge subject"


def test_12_closing_another_repositorys_issue_does_not_close_ours(tmp_path: Path, made: Made) -> None:
    sha = made.commit(
        "fix (#4)\n\nFixes: https://github.com/acme/other/issues/5\nRefs: acme/other#6\nRefs: #7\n"
        "Fixes: https://github.com/else/where/issues/8",
        {"a": "1"},
    )
    ours = github("acme/repo", pull(4, state="merged", merge_sha=sha), *(issue(n) for n in (5, 6, 7, 8)))
    loaded = Loaded(made.records(), ours, github("acme/other", issue(5), pull(6)))
    commit, at = f"commit:acme/repo@{sha}", loaded.commit(sha)["at"]
    closes = {"issue:acme/other#5": {"crossRepo": True, "keyword": "fixes", "at": at}}
    assert loaded.out("CLOSES", commit) == loaded.out("CLOSES", "pr:acme/repo#4") == closes
    refers = {"pr:acme/other#6": {"crossRepo": True, "at": at}, "issue:acme/repo#7": {"crossRepo": False, "at": at}}
    assert loaded.out("REFERENCES", commit) == refers


def test_a_commit_in_a_pull_requests_branch_closes_for_it(made: Made) -> None:
    topic(made, 4, {"a": "1"}, subject="work\n\nCloses #2")
    loaded = Loaded(made.records(), github("acme/repo", issue(2), pull(4)))
    assert set(loaded.out("CLOSES", "pr:acme/repo#4")) == {"issue:acme/repo#2"}


def test_git_alone_knows_the_issues_that_messages_close(made: Made) -> None:
    sha = made.commit("fix (#4)\n\nFixes #2, see #3", {"a": "1"})
    loaded = Loaded(made.records())
    props = loaded.nodes["issue:acme/repo#2"].props
    assert (props["state"], props["at"], props["access"]) == ("closed", loaded.commit(sha)["at"], "open")
    assert "issue:acme/repo#3" not in loaded.nodes
    assert set(loaded.out("CLOSES", "pr:acme/repo#4")) == {"issue:acme/repo#2"}


def test_a_private_repository_keeps_its_label(made: Made) -> None:
    topic(made, 4, {"a": "1"})
    loaded = Loaded(made.records(access="internal"))
    labels = {r.props["access"] for r in loaded.nodes.values() if r.key.startswith(("pr:", "commit:"))}
    assert labels == {"internal"} == {r.access for r in loaded.rows if getattr(r, "part", "")}


def test_what_is_gone_brings_only_itself(made: Made) -> None:
    made.commit("one", {"a": "1"})
    records = made.records()
    gone = [records[0], *({**r, "gone": T0} for r in records if r["kind"] == "commit")]
    loaded = Loaded(gone)
    assert {k.partition(":")[0] for k in loaded.nodes} == {"commit", "person"}


# releases


def test_git_tells_the_release_of_a_commit_by_its_pull_request(made: Made) -> None:
    root = made.git("rev-parse", "HEAD")
    head, merge = topic(made, 4, {"a": "1"})
    loose = made.commit("no pull request", {"b": "1"})
    made.tag("v1")
    late, _ = topic(made, 5, {"c": "1"}, merge=False)
    made.tag("branch-only", late)
    loaded = Loaded(made.records())
    by = {e.src.rpartition(":")[2].rpartition("@")[2] for e in loaded.edges if e.rel == "SHIPPED_IN"}
    assert by == {root, loose, late, "acme/repo#4"}
    assert set(loaded.out("INCLUDES", "pr:acme/repo#4")) == {f"commit:acme/repo@{sha}" for sha in (head, merge)}
    assert loaded.out("SHIPPED_IN", f"commit:acme/repo@{late}") == {
        "release:acme/repo@branch-only": {"how": "tag", "source": "first tag that contains the commit"}
    }


def test_a_commit_that_shipped_before_its_pull_request_keeps_its_own_release(made: Made) -> None:
    head, _ = topic(made, 4, {"a": "1"}, merge=False)
    made.tag("early", head, at=T0 + DAY)
    made.merge(head, "Merge pull request #4 from ben/topic-4", at=T0 + 2 * DAY)
    made.tag("late", at=T0 + 3 * DAY)
    loaded = Loaded(made.records())
    assert set(loaded.out("SHIPPED_IN", "pr:acme/repo#4")) == {"release:acme/repo@late"}
    assert set(loaded.out("SHIPPED_IN", f"commit:acme/repo@{head}")) == {"release:acme/repo@early"}


@pytest.mark.parametrize(
    ("state", "as_of", "shipped"),
    [("merged", T0 + 9 * DAY, True), ("closed", T0 + 9 * DAY, False), ("open", T0 + 9 * DAY, False), ("open", T0 - DAY, True)],
)
def test_a_pull_request_that_did_not_land_did_not_ship_its_commits_did(made: Made, state: str, as_of: int, shipped: bool) -> None:
    _, merge = topic(made, 4, {"a": "1"})
    made.tag("v1")
    archive = github("acme/repo", pull(4, state=state, merge_sha=merge if state == "merged" else None))
    archive[0]["as_of"] = as_of
    loaded = Loaded(made.records(), archive)
    assert bool(loaded.out("SHIPPED_IN", "pr:acme/repo#4")) == shipped
    assert bool(loaded.out("SHIPPED_IN", f"commit:acme/repo@{merge}")) != shipped


def test_a_pull_request_landed_by_hand_under_its_address_shipped_although_github_calls_it_closed(made: Made) -> None:
    topic(made, 15, {"a": "1"}, merge=False)
    made.commit("land it\n\nPR-URL: https://github.com/acme/repo/pull/15", {"a": "1"})
    made.tag("v1")
    loaded = Loaded(made.records(), github("acme/repo", pull(15, state="closed")))
    assert set(loaded.out("SHIPPED_IN", "pr:acme/repo#15")) == {"release:acme/repo@v1"}


# an ordinary clone, and what `gh` prints


def test_a_clone_without_pull_refs_and_what_gh_lists(tmp_path: Path, made: Made) -> None:
    made.branch("topic")
    head = made.commit("work", {"src/a": "1"}, who=BEN)
    made.go("main")
    merge = made.merge("topic", "Merge pull request #2 from ben/topic\n\nWork")
    squash = made.commit("Rename it (#3)\n\nFixes #1", {"src/a": None, "src/b": "1"}, who=BEN)
    made.tag("v1")
    made.git("branch", "--quiet", "-D", "topic")
    clone = tmp_path / "clone"
    made.git("clone", "--quiet", f"file://{made.path}", str(clone))
    listed = [
        _listed(2, state="MERGED", mergeCommit={"oid": merge}, commits=[{"oid": head}], files=[{"path": "src/a"}]),
        _listed(3, state="MERGED", mergeCommit={"oid": squash}, commits=[{"oid": "f" * 40}], files=[{"path": "src/b"}]),
        _listed(4, state="OPEN", commits=[{"oid": "e" * 40}], files=[{"path": "src/a", "additions": 1}, {"path": "src/new"}]),
    ]
    (tmp_path / "pulls.json").write_text(json.dumps(listed))
    records = list(fetch(clone, identity_key=KEY, name="acme/repo"))
    archive = list(read_github(tmp_path / "pulls.json"))
    loaded = Loaded(records, archive)
    theirs = Loaded(archive, records)
    includes = {n: {k.rpartition("@")[2]: v["how"] for k, v in loaded.out("INCLUDES", f"pr:acme/repo#{n}").items()} for n in (2, 3)}
    assert includes == {2: {merge: "mergeCommit.oid", head: "head"}, 3: {squash: "mergeCommit.oid"}}
    assert {e.src for e in loaded.edges if e.rel == "SHIPPED_IN"} == {
        "pr:acme/repo#2", "pr:acme/repo#3", f"commit:acme/repo@{made.git('rev-list', '--max-parents=0', 'HEAD')}",
    }  # fmt: skip
    touched = {e.dst: e.props["path"] for e in theirs.edges if e.rel == "TOUCHED" and e.src == "pr:acme/repo#4"}
    assert touched == {"file:acme/repo/src/b": "src/a", "file:acme/repo/src/new": "src/new"}
    assert theirs.nodes["pr:acme/repo#3"].props["assignees"] == ["ada"]
    assert theirs.nodes["pr:acme/repo#3"].props["milestone"] == "1.0"
    assert theirs.nodes["pr:acme/repo#2"].props["n_files"] == 1


def test_github_is_told_how_many_files_git_counts(made: Made) -> None:
    _, merge = topic(made, 4, {"a": "1", "b": "1"})
    archive = [*github("acme/repo"), {**pull(4, state="merged", merge_sha=merge), **_EMPTY}]
    assert Loaded(archive, made.records()).nodes["pr:acme/repo#4"].props["n_files"] == 2


_NONE = dict.fromkeys(("closed_at", "updated_at", "merged_at", "files"))
_EMPTY = {"repo": "acme/repo", "labels": [], "url": "", "comments": [], "reviews": [], **_NONE}


def _listed(number: int, **more: object) -> dict:
    page = f"https://github.com/acme/repo/pull/{number}"
    made = {"number": number, "title": f"Pull {number}", "url": page, "author": {"login": "ben"}, "createdAt": "2020-09-13T12:00:00Z"}
    return made | {"assignees": [{"login": "ada"}], "milestone": {"title": "1.0"}, "baseRefName": "main", "body": ""} | more


# the real organisation


needs_quicwg = pytest.mark.skipif(not QUICWG.is_dir(), reason="../shared/data/quicwg is not there")
TOTALS = {"quic-v2": (186, 173, 11, 51), "qmux": (248, 242, 7, 37), "datagram": (182, 174, 8, 45), "load-balancers": (637, 615, 12, 133)}


@pytest.mark.quicwg
@needs_quicwg
@pytest.mark.parametrize("repo", TOTALS)
def test_real_pull_requests_join_as_their_original_history_says(tmp_path: Path, repo: str) -> None:
    records = list(fetch(QUICWG / f"{repo}.bundle", identity_key=KEY, org="quicwg", scratch=tmp_path))
    totals = records[-1]
    assert tuple(totals[n] for n in ("commits", "commits_default", "tags", "pull_heads")) == TOTALS[repo]
    commits = {r["sha"]: r for r in records if r["kind"] == "commit"}
    heads = {r["number"]: r for r in records if r["kind"] == "pull_ref"}
    raw = json.loads((QUICWG / f"{repo}.archive.json").read_text())
    context = Context.build([records, github(raw["repo"], *map(_archived, raw["pulls"]))])
    wrong: Counter[str] = Counter()
    with gzip.open(QUICWG / "pr_join.jsonl.gz") as lines:
        for line in (json.loads(text) for text in lines):
            if line["repo"] != repo:
                continue
            joined = context.join_of(f"quicwg/{repo}", line["number"])
            if line.get("join") == "mergeCommit.oid":
                wrong["join"] += joined != (line["merge"], "mergeCommit.oid")
                wrong["files"] += _paths(commits[line["merge"]]["files"]) != set(line["files"])
                wrong["tags"] += set(context.first_releases(f"quicwg/{repo}", line["merge"])) != set(line["first_tags"])
            elif line["state"] == "MERGED":
                wrong["no join"] += joined is not None
                continue
            wrong["head files"] += _paths(heads[line["number"]]["files"]) != set(line["head_files"])
    assert not +wrong


def _paths(files: list[list]) -> set[str]:
    return {path for _, path, old, *_ in files for path in (path, old) if path}


def _archived(raw: dict) -> dict:
    merge = (raw.get("mergeCommit") or {}).get("oid")
    return pull(raw["number"], state=raw["state"].lower(), merge_sha=merge, head_sha=raw["headRefOid"], created_at=T0 - 9999 * DAY)
