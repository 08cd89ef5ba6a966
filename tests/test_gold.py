import ast
import gzip
import json
import os
import subprocess
from pathlib import Path

import pytest

from brain.errors import DefinitionError
from eval import generate, questions
from eval.gold import facts, world
from eval.gold.git_repos import parse_raw
from eval.gold.records import GoldError, epoch, is_bot
from eval.gold.references import mentions
from eval.templates import ALL, CATEGORIES

EVAL = Path(generate.__file__).parent
QUICWG = EVAL.parent.parent / "shared" / "data" / "quicwg"
needs_quicwg = pytest.mark.skipif(not QUICWG.is_dir(), reason="the organisation's files are not here")


def test_gold_imports_neither_the_product_nor_its_store():
    for path in (EVAL / "gold").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [a.name for a in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
                assert node.level == 0, f"{path}: relative import"
            elif isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in ("__import__", "import_module"):
                raise AssertionError(f"{path}: imports at run time")
            else:
                continue
            for name in names:
                top = name.split(".")[0]
                assert top not in ("brain", "falkordb", "redis"), f"{path} imports {name}"
                assert top != "eval" or name.startswith("eval.gold"), f"{path} imports {name}"


# --- a small organisation made here -------------------------------------------------------------------------


def git(repo, *args, at=1_600_000_000, who="ann"):
    env = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    for role in ("AUTHOR", "COMMITTER"):
        env |= {f"GIT_{role}_NAME": who, f"GIT_{role}_EMAIL": f"{who}@users.noreply.github.com", f"GIT_{role}_DATE": f"{at} +0000"}
    return subprocess.run(["git", "-C", str(repo), *args], check=True, capture_output=True, text=True, env=env).stdout.strip()


def item(number, title, **more):
    base = {"number": number, "title": title, "body": "", "state": "OPEN", "author": "ann", "createdAt": "2020-09-13T00:00:00Z",
            "closedAt": None, "labels": [], "comments": []}
    return base | more


def review(author, state, at="2020-09-13T05:00:00Z", body="", comments=()):
    return {"author": author, "state": state, "createdAt": at, "body": body, "comments": [{"body": c} for c in comments]}


@pytest.fixture(scope="module")
def org(tmp_path_factory):
    """Two repositories; `tool` was called `ann/old-tool` when it was archived; PR 2 is in git, PR 3 is open."""
    folder = tmp_path_factory.mktemp("org")
    repo = folder / "tool"
    repo.mkdir()
    git(repo, "init", "-q", "-b", "main")
    (repo / "old name.md").write_text("one\ntwo\nthree\nfour\n")
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "start")
    base = git(repo, "rev-parse", "HEAD")
    git(repo, "checkout", "-q", "-b", "fix", at=1_600_000_100)
    (repo / "old name.md").write_text("one\ntwo\nthree\nFOUR\n")
    git(repo, "commit", "-q", "-a", "-m", "better", at=1_600_000_100, who="bob")
    head = git(repo, "rev-parse", "HEAD")
    git(repo, "checkout", "-q", "main")
    git(repo, "merge", "-q", "--no-ff", "-m", "Merge pull request #2 from bob/fix", "fix", at=1_600_000_200)
    merge = git(repo, "rev-parse", "HEAD")
    # a later string, an earlier instant: 01:00+02:00 is before 00:30Z of the same day
    git(repo, "-c", "user.name=ann", "-c", "user.email=a@b", "tag", "-a", "-m", "x", "v2", at=1_600_000_900)
    git(repo, "mv", "old name.md", "new.md")
    git(repo, "commit", "-q", "-m", "rename", at=1_600_001_000)
    git(repo, "tag", "v1")
    git(repo, "checkout", "-q", "-b", "open", at=1_600_001_100)
    (repo / "new.md").write_text("one\ntwo\nthree\nFOUR\nfive\n")
    git(repo, "commit", "-q", "-a", "-m", "more", at=1_600_001_100)
    open_head = git(repo, "rev-parse", "HEAD")
    git(repo, "checkout", "-q", "main")
    git(repo, "update-ref", "refs/pull/3/head", open_head)
    tool = {
        "repo": "ann/old-tool", "timestamp": "2021-01-01T00:00:00+00:00", "labels": [],
        "issues": [item(1, "It breaks on Tuesdays in the cellar", state="CLOSED", closedAt="2020-09-13T12:30:00Z",
                        comments=[{"author": None, "body": "see acme/site#7, `acme/site#8`", "createdAt": "2020-09-13T01:00:00Z"}])],
        "pulls": [
            item(2, "Better", state="MERGED", author="Bob", body="Fixes #1, and `closes #9` not", mergedBy="ann",
                 mergedAt="2020-09-13T12:30:00Z", closedAt="2020-09-13T12:30:00Z", mergeCommit={"oid": merge}, headRefOid=head,
                 baseRefOid=base, reviews=[review("bob", "COMMENTED"), review("Ann", "APPROVED"), review("x[bot]", "COMMENTED"),
                                           review(None, "COMMENTED"), review("cy", "CHANGES_REQUESTED")]),
            item(3, "More", headRefOid=open_head, baseRefOid=git(repo, "rev-parse", "main"), reviews=[]),
        ],
    }
    site = {"repo": "acme/site", "timestamp": "2021-01-01T00:00:00+00:00", "labels": [],
            "issues": [item(7, "Seven"), item(8, "Eight", body="> as in acme/tool#2\n\nno")], "pulls": []}
    (folder / "tool.json").write_text(json.dumps(tool))
    (folder / "site.json").write_text(json.dumps(site))
    return world.load(folder, "acme")


def test_an_archive_under_an_earlier_name_joins_by_its_commits(org):
    assert set(org.repos) == {"acme/tool", "acme/site"}
    assert org.repos["acme/tool"].earlier == ("ann/old-tool",)
    assert org.find("ann/old-tool", 1, "acme/site") == "issue:acme/tool#1"
    assert org.find("acme/tool", 99, "acme/site") is None


def test_own_reviews_programs_and_deleted_users_are_no_reviewers(org):
    pull = org.repos["acme/tool"].items[2]
    assert facts.reviewers(pull) == {"person:ann", "person:cy"}
    assert facts.reviewers(pull, "APPROVED") == {"person:ann"}


def test_closing_words_count_outside_code_alone(org):
    repo = org.repos["acme/tool"]
    assert facts.closed_issues(org, repo.items[2]) == {"issue:acme/tool#1"}
    assert facts.closers(org) == {"issue:acme/tool#1": frozenset({"pr:acme/tool#2"})}


def test_the_first_release_is_the_earliest_instant_not_the_smallest_name(org):
    repo = org.repos["acme/tool"]
    assert facts.first_release(repo, repo.items[2]) == {"release:acme/tool@v2"}
    assert facts.first_release(repo, repo.items[3]) == frozenset()


def test_a_renamed_file_is_one_file(org):
    repo = org.repos["acme/tool"]
    assert repo.path_now("old name.md") == "new.md"
    assert facts.touches(repo, repo.items[2], "new.md") and facts.touches(repo, repo.items[3], "old name.md")


def test_a_mention_in_a_quote_alone_is_not_asked_about(org):
    assert facts.outside(org, org.repos["acme/tool"].items[1]) == {"issue:acme/site#7"}
    assert facts.outside(org, org.repos["acme/site"].items[8]) is None


def test_open_on_a_day_is_refused_where_the_day_itself_decides(org):
    pulls = org.repos["acme/tool"].pulls
    assert facts.open_on(pulls, facts.instant(2020, 9, 13)) is None
    assert [p.number for p in facts.open_on(pulls, facts.instant(2020, 10, 1))] == [3]
    assert facts.open_on(pulls, facts.instant(2020, 8, 1)) == []


def test_ties_have_no_top():
    from collections import Counter

    assert facts.top(Counter(a=3, b=3)) is None
    assert facts.top(Counter(a=3, b=3, c=1), 2) == {"a", "b"}


@pytest.mark.parametrize("text, found", [
    ("fixes #12", [(None, 12, True)]), ("GH-3 and a/b#4", [(None, 3, False), ("a/b", 4, False)]),
    ("https://github.com/a/b/pull/75/files", [("a/b", 75, False)]), ("page#5 &#39; x", []), ("```\n#1\n``` #2", [(None, 2, False)]),
    ("Resolves https://github.com/a/b/issues/1", [("a/b", 1, True)]), ("prefix #7", [(None, 7, False)]),
])
def test_numbers_in_texts(text, found):
    assert [(m.repo, m.number, m.closing) for m in mentions(text)] == found


def test_small_things():
    assert epoch("2026-01-06T13:25:06+01:00") == epoch("2026-01-06T12:25:06Z") == epoch("2026-01-06T12:25:06")
    assert is_bot("dependabot[bot]") and is_bot("Copilot") and not is_bot("JorisHerbots") and not is_bot(None)
    raw = ":100644 100644 a b R075\0old '\0new\n\0:000000 100644 0 b A\0añ b\0"
    assert [(c.status, c.path, c.old) for c in parse_raw(raw)] == [("R", "new\n", "old '"), ("A", "añ b", None)]


def test_a_folder_without_data_is_refused_in_one_line(tmp_path):
    for folder in (tmp_path / "absent", tmp_path):
        with pytest.raises(GoldError, match=folder.name):
            world.load(folder)
    (tmp_path / "x.json").write_text("{")
    with pytest.raises(GoldError, match=r"x\.json"):
        world.load(tmp_path)


def test_rest_files_without_git_make_a_world(tmp_path):
    url = "https://github.com/acme/app/"
    issue = {"number": 1, "title": "Broken", "state": "closed", "user": {"login": "ann"}, "created_at": "2024-01-01T00:00:00Z",
             "closed_at": "2024-02-01T00:00:00Z", "labels": [{"name": "bug"}], "html_url": url + "issues/1", "body": "x"}
    pull = {**issue, "number": 2, "html_url": url + "pull/2", "merged_at": "2024-02-01T00:00:00Z", "merge_commit_sha": "a" * 40,
            "head": {"sha": "b" * 40}, "base": {"sha": "c" * 40}, "body": "closes #1", "user": {"login": "bob"}}
    (tmp_path / "issues.json").write_text(json.dumps([issue, {**pull, "pull_request": {"merged_at": pull["merged_at"]}, "head": None}]))
    (tmp_path / "pulls.json").write_text(json.dumps([pull]))
    (tmp_path / "reviews.json").write_text(json.dumps([
        {"id": 5, "user": {"login": "ann"}, "state": "APPROVED", "submitted_at": "2024-01-20T00:00:00Z", "body": "", "pull_request_url":
         "https://api.github.com/repos/acme/app/pulls/2"}]))
    (tmp_path / "comments.json").write_text(json.dumps([
        {"id": 6, "user": {"login": "cy"}, "created_at": "2024-01-21T00:00:00Z", "body": "hm", "issue_url":
         "https://api.github.com/repos/acme/app/issues/1"}]))
    (tmp_path / "releases.json").write_text(json.dumps([
        {"tag_name": t, "published_at": d, "html_url": url + "releases/tag/" + t}
        for t, d in (("v1", "2024-01-15T00:00:00Z"), ("v2", "2024-03-01T00:00:00Z"))]))
    made = world.load(tmp_path)
    repo = made.repos["acme/app"]
    assert facts.reviewers(repo.items[2]) == {"person:ann"} and [r.body for r in repo.items[1].remarks] == ["hm"]
    assert facts.closers(made) == {"issue:acme/app#1": frozenset({"pr:acme/app#2"})}
    assert facts.first_release(repo, repo.items[2]) == {"release:acme/app@v2"}


def test_a_fix_in_another_repository_and_notes_that_name_another_release(tmp_path):
    at = {"createdAt": "2024-01-01T00:00:00Z", "mergedAt": "2024-02-01T00:00:00Z", "closedAt": "2024-02-01T00:00:00Z", "state": "MERGED"}
    fix = item(5, "Fix", body="Fixes acme/other#3 and fixes #4", reviews=[], **at)
    early = item(6, "Early", reviews=[], **at)
    releases = [{"tag_name": "v1", "published_at": "2024-02-02T00:00:00Z", "body": "has #5"},
                {"tag_name": "v2", "published_at": "2024-03-02T00:00:00Z", "body": "has #6"}]
    base = {"timestamp": "2025-01-01T00:00:00Z", "labels": []}
    app = {**base, "repo": "acme/app", "issues": [item(4, "Four")], "pulls": [fix, early], "releases": releases}
    (tmp_path / "a.json").write_text(json.dumps(app))
    (tmp_path / "b.json").write_text(json.dumps({**base, "repo": "acme/other", "issues": [item(3, "Three")], "pulls": []}))
    made = world.load(tmp_path)
    assert facts.closers(made) == dict.fromkeys(("issue:acme/app#4", "issue:acme/other#3"), frozenset({"pr:acme/app#5"}))
    repo = made.repos["acme/app"]
    assert facts.first_release(repo, repo.items[5]) == {"release:acme/app@v1"} and not facts.first_release(repo, repo.items[6])


def test_the_demo_fills_every_category():
    set_ = generate.generate(world.load(EVAL.parent / "brain" / "demo" / "raw"), None, 30, 1, "main")
    assert {c: sum(q.category == c for q in set_) for c in CATEGORIES} == dict.fromkeys(CATEGORIES, 30)


# --- the generator ------------------------------------------------------------------------------------------


def test_every_template_has_its_wordings_and_no_wording_is_without_one():
    table = generate.phrasings()
    assert set(table) == set(ALL)
    assert {name.split(".")[0] for name in ALL} == set(CATEGORIES)
    for name, groups in table.items():
        assert len(groups["main"]) >= 5 and len(groups["alt"]) >= 3, name
        assert not {t.lower() for t in groups["main"]} & {t.lower() for t in groups["alt"]}, name


def test_a_wording_in_both_groups_is_refused(tmp_path):
    path = tmp_path / "p.yaml"
    path.write_text('a.b: {main: ["Who?"], alt: ["who?"]}')
    with pytest.raises(DefinitionError, match=r"p\.yaml.*keep one"):
        generate.phrasings(path)


def test_the_command_says_what_is_wrong_and_returns_one(tmp_path, capsys):
    assert generate.main(["--data", str(tmp_path / "no"), "--out", str(tmp_path / "o.jsonl")]) == 1
    assert "no such folder" in capsys.readouterr().err


def test_the_shipped_set_is_whole():
    shipped = questions.load(questions.SETS / "quicwg.jsonl")
    counts = {c: sum(q.category == c for q in shipped) for c in CATEGORIES}
    assert counts == dict.fromkeys(CATEGORIES, 30)
    assert len({q.question for q in shipped}) == len(shipped)
    assert sum(q.gold == () for q in shipped) >= 5 and sum(q.match == "state" for q in shipped) >= 3
    assert all(q.sources for q in shipped if q.category == "lookup")
    other = questions.load(questions.SETS / "quicwg.alt.jsonl")
    assert [(q.id, q.gold, q.match, q.as_of) for q in shipped] == [(q.id, q.gold, q.match, q.as_of) for q in other]
    assert not {q.question for q in shipped} & {q.question for q in other}


@pytest.fixture(scope="module")
def quicwg():
    return world.load(QUICWG)


@needs_quicwg
@pytest.mark.quicwg
def test_first_tags_and_files_agree_with_the_join_table(quicwg):
    differing = []
    with gzip.open(QUICWG / "pr_join.jsonl.gz", "rt") as lines:
        for line in lines:
            row = json.loads(line)
            repo = quicwg.repos[f"quicwg/{row['repo']}"]
            pull = repo.items[row["number"]]
            assert sorted(repo.first_tags.get(row.get("merge") or "", ())) == sorted(row.get("first_tags") or []), row
            ours = {p for c in pull.changes or () for p in (c.path, c.old) if p}
            if ours != set(row.get("head_files") or []):
                differing.append((row["repo"], row["number"]))
    assert differing == []


@needs_quicwg
@pytest.mark.quicwg
def test_the_same_data_and_seed_give_the_shipped_sets(quicwg):
    written = questions.SETS / "quicwg_lookup.yaml"
    for group, name in (("main", "quicwg.jsonl"), ("alt", "quicwg.alt.jsonl")):
        fresh = generate.generate(quicwg, written, 30, 1, group)
        assert [q.line() for q in fresh] == (questions.SETS / name).read_text(encoding="utf-8").splitlines()
