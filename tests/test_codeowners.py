"""CODEOWNERS as GitHub reads it: the last matching rule wins, a rule without owners takes them away, and what is no rule is reported."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from test_context import commit, git, ident

from brain.assertions import Texts, assertion
from brain.connectors import codeowners
from brain.connectors.codeowners_match import Target, Tree, matched
from brain.connectors.codeowners_rules import read as read_rules
from brain.connectors.context import Context
from brain.connectors.git_message import People
from brain.errors import BadInput
from brain.types import ClaimRow, NodeRow, Skip, TextRow

SAMPLES = Path(__file__).parent.parent.parent / "shared" / "formats" / "codeowners"
KEY = b"k" * 32


def read(*paths: Path, **options: str) -> list[dict]:
    return list(codeowners.fetch(paths, base=paths[0].parent, name=paths[0].name, access="open", identity_key=KEY, options=options))


def written(tmp_path: Path, text: str, at: str = "kiln/.github/CODEOWNERS") -> Path:
    file = tmp_path / at
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return tmp_path / at.partition("/")[0]


def rows_of(records: list[dict], *files: str, people=(), repo: str = "acme/kiln") -> list:
    tree = [{"kind": "tree", "paths": list(files)}] if files else []
    commits = [commit(f"{i:040x}", who=who) for i, who in enumerate(people)]
    sources = [git(repo, *commits, *tree)] if tree or commits else []
    context = Context.build([*sources, records], knowing={"codeowners": codeowners.known})
    return list(codeowners.rows(iter(records), context))


def claims(rows: list) -> set[tuple[str, str]]:
    texts, found = Texts(), set()
    for row in rows:
        if isinstance(row, TextRow):
            texts.add(row)
        elif isinstance(row, ClaimRow):
            edge, _ = assertion(row, texts, {})
            assert edge.rel == "OWNS"
            found.add((edge.src, edge.dst))
    return found


def owners(tmp_path: Path, text: str, *files: str, **more) -> set[tuple[str, str]]:
    return claims(rows_of(read(written(tmp_path, text), org="acme"), *files, **more))


FILES = (
    "README.md", "build/logs/today.log", "deep/build/logs/x.txt", "docs/getting-started.md", "docs/build-app/troubleshooting.md", "apps/web/x.js",
    "apps/github/y.go", "lib/apps/z.js", "scripts/run.sh", "src/legacy/old.c", "src/new.c", "Makefile",
)  # fmt: skip


@pytest.mark.parametrize(("pattern", "found"), [
    ("*", {"repo:acme/kiln"}), ("**", {"repo:acme/kiln"}), ("/**", {"repo:acme/kiln"}),
    ("*.js", {"file:acme/kiln/apps/web/x.js", "file:acme/kiln/lib/apps/z.js"}), ("/build/logs/", {"dir:acme/kiln/build/logs"}),
    ("docs/*", {"file:acme/kiln/docs/getting-started.md"}), ("docs/build-app/*", {"dir:acme/kiln/docs/build-app"}), ("apps/", {"dir:acme/kiln/apps", "dir:acme/kiln/lib/apps"}),
    ("/docs/", {"dir:acme/kiln/docs"}), ("/docs", {"dir:acme/kiln/docs"}), ("docs/**", {"dir:acme/kiln/docs"}), ("/src/**/*", {"dir:acme/kiln/src"}),
    ("**/logs", {"dir:acme/kiln/build/logs", "dir:acme/kiln/deep/build/logs"}), ("/apps/github", {"dir:acme/kiln/apps/github"}),
    ("/*", {"file:acme/kiln/README.md", "file:acme/kiln/Makefile"}), ("Makefile", {"file:acme/kiln/Makefile"}),
    ("/src/*.c", {"file:acme/kiln/src/new.c"}), ("/src/**/*.c", {"file:acme/kiln/src/new.c", "file:acme/kiln/src/legacy/old.c"}),
])  # fmt: skip
def test_patterns_stand_for_what_github_says_that_they_match(tmp_path, pattern, found):
    assert owners(tmp_path, f"{pattern} @ada\n", *FILES) == {("person:ada", key) for key in found}


def test_the_last_matching_rule_wins(tmp_path):
    text = "*  @all\n/src/legacy/ @old\n*.c @cee\n/src/ @source\n/src/new.c @new\n"
    assert owners(tmp_path, text, *FILES) == {
        ("person:all", "repo:acme/kiln"), ("person:source", "dir:acme/kiln/src"), ("person:new", "file:acme/kiln/src/new.c"),
    }  # fmt: skip
    assert owners(tmp_path, "/docs/ @ada\n* @bea\n", *FILES) == {("person:bea", "repo:acme/kiln")}


def test_a_rule_without_owners_takes_them_away(tmp_path):
    text = "/src/ @source\n/src/legacy/\n/docs/ @d\n/docs/getting-started.md # nobody's\n"
    rows = rows_of(read(written(tmp_path, text), org="acme"), *FILES)
    assert claims(rows) == {("person:source", "dir:acme/kiln/src"), ("person:d", "dir:acme/kiln/docs")}
    unowned = {row.key for row in rows if isinstance(row, NodeRow) and row.props.get("unowned")}
    assert unowned == {"dir:acme/kiln/src/legacy", "file:acme/kiln/docs/getting-started.md"}
    again = rows_of(read(written(tmp_path, "/src/legacy/\n/src/ @source\n"), org="acme"), *FILES)
    assert not [row for row in again if isinstance(row, NodeRow) and row.props.get("unowned")]


def test_comments_end_a_line_and_owners_are_people_teams_and_addresses(tmp_path):
    text = "# @nobody\n/src/ @Ada @acme/heat ada@acme.example # ask @bob about it\n"
    records = read(written(tmp_path, text), org="acme")
    rows = rows_of(records, *FILES, people=[{**ident("Ada B", "z", "ada"), "email": People(KEY).ident("", "ada@acme.example")["email"]}])
    assert claims(rows) == {("person:ada", "dir:acme/kiln/src"), ("team:heat", "dir:acme/kiln/src")}
    assert "ada@acme.example" not in str(records)
    team = next(row for row in rows if isinstance(row, NodeRow) and row.key == "team:heat")
    assert team.props["unknown"] is True
    claim = next(row for row in rows if isinstance(row, ClaimRow))
    assert (claim.line, claim.authority, claim.source) == (2, "record", "doc:kiln/.github/CODEOWNERS")


@pytest.mark.parametrize(("line", "said"), [
    ("!/src/ @ada", "starts with !"), ("/src/[ab].c @ada", "range of characters"), ("\\#x @ada", "escaped #"), ("/ @ada", "matches nothing"),
    ("/src/ ada", "none of whose owners"), ("/src/ @-x- a@b", "none of whose owners"),
])  # fmt: skip
def test_what_github_does_not_take_is_left_out_with_its_line(tmp_path, line, said):
    records = read(written(tmp_path, f"* @all\n\n{line}\n"), org="acme")
    (skip,) = [r for r in records if r["kind"] == "skip"]
    assert said in skip["reason"] and (skip["file"], skip["line"]) == ("kiln/.github/CODEOWNERS", 3)
    assert records[-1] == {"kind": "totals", "files": 1, "read": 2, "kept": 1, "skipped": 1}


def test_an_invalid_owner_is_reported_and_the_others_own(tmp_path):
    rows = rows_of(read(written(tmp_path, "* @acme/heat !@ada who@\n")))
    assert claims(rows) == {("team:heat", "repo:acme/kiln")}
    assert [(r.origin.line, r.reason) for r in rows if isinstance(r, Skip)] == [
        (1, "no valid owner: !@ada"), (1, "no valid owner: an e-mail address with something wrong"),
    ]  # fmt: skip


def test_a_pattern_that_matches_nothing_and_an_address_of_nobody_are_reported(tmp_path):
    rows = rows_of(read(written(tmp_path, "/gone/ @ada\n/src/ x@y.example\n"), org="acme"), *FILES)
    assert claims(rows) == set()
    assert [r.origin.line for r in rows if isinstance(r, Skip)] == [1, 2]


def test_sections_of_gitlab_have_their_own_last_word_and_default_owners(tmp_path):
    text = "* @all\n[Docs][2] @writers\n/docs/\n*.md @md\n^[Optional stuff]\n/docs/ @opt\n"
    assert owners(tmp_path, text, *FILES) == {
        ("person:all", "repo:acme/kiln"), ("person:writers", "dir:acme/kiln/docs"), ("person:opt", "dir:acme/kiln/docs"),
        *(("person:md", f"file:acme/kiln/{f}") for f in FILES if f.endswith(".md")),
    }  # fmt: skip


def test_a_path_with_a_blank_is_one_path(tmp_path):
    files = ("side notes/a.md", "docs/b c.md", "docs/deep/d e.md")
    assert owners(tmp_path, "/side\\ notes/ @ada\ndocs/* @bea\n", *files) == {
        ("person:ada", "dir:acme/kiln/side notes"), ("person:bea", "file:acme/kiln/docs/b c.md"),
    }  # fmt: skip


def test_everything_directly_in_a_folder_without_folders_is_the_folder(tmp_path):
    assert owners(tmp_path, "lib/apps/* @ada\n/src/* @bea\n", *FILES) == {
        ("person:ada", "dir:acme/kiln/lib/apps"), ("person:bea", "file:acme/kiln/src/new.c"),
    }  # fmt: skip


def test_where_the_files_are_not_known_a_plain_path_is_taken_as_told(tmp_path):
    rows = rows_of(read(written(tmp_path, "* @acme/heat\n/src/core/ @ada\nREADME.md @bea\n*.go @cy\n")))
    assert claims(rows) == {
        ("team:heat", "repo:acme/kiln"), ("person:ada", "dir:acme/kiln/src/core"), ("person:bea", "file:acme/kiln/README.md"),
    }  # fmt: skip
    made = {row.key for row in rows if isinstance(row, NodeRow)}
    assert {"repo:acme/kiln", "dir:acme/kiln/src", "dir:acme/kiln/src/core", "file:acme/kiln/README.md"} <= made


def test_files_of_a_glob_are_kept_up_to_a_bound_and_the_rest_counted():
    rule = {"line": 1, "pattern": "*.c", "section": "", "owners": [["user", "ada"]]}
    (one,) = matched([rule], Tree([f"f{i:04}.c" for i in range(600)], True))
    assert len(one.targets) == 500 and one.more == 100 and one.targets[0] == Target("f0000.c", False)


def test_one_file_of_a_repository_counts(tmp_path):
    written(tmp_path, "* @root\n", "kiln/CODEOWNERS")
    written(tmp_path, "* @docs\n", "kiln/docs/CODEOWNERS")
    written(tmp_path, "approvers: [x]\n", "kiln/OWNERS")
    folder = written(tmp_path, "* @github\n")
    records = read(folder, org="acme")
    assert [r["path"] for r in records if r["kind"] == "owners"] == ["kiln/.github/CODEOWNERS"]
    assert sorted(r["file"] for r in records if r["kind"] == "skip") == ["kiln/CODEOWNERS", "kiln/OWNERS", "kiln/docs/CODEOWNERS"]
    assert records[-1] == {"kind": "totals", "files": 4, "read": 4, "kept": 1, "skipped": 3}


def test_the_repository_is_what_git_says_the_option_says_or_the_one_of_that_name(tmp_path):
    folder = written(tmp_path, "* @ada\n")
    assert claims(rows_of(read(folder), "x.c", repo="guild/kiln")) == {("person:ada", "repo:guild/kiln")}
    assert claims(rows_of(read(folder, repo="guild/oven"))) == {("person:ada", "repo:guild/oven")}
    assert claims(rows_of(read(folder))) == {("person:ada", "repo:local/kiln")}
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    subprocess.run(["git", "-C", str(folder), "remote", "add", "origin", "https://github.com/guild/furnace.git"], check=True)
    assert claims(rows_of(read(folder))) == {("person:ada", "repo:guild/furnace")}
    deep = written(tmp_path, "* @ada\n", "kiln/vendor/x/CODEOWNERS")
    assert any("neither at the root" in r.get("reason", "") for r in read(deep))


def test_what_is_loaded_may_lie_in_a_repository_itself(tmp_path):
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    folder = written(tmp_path, "* @ada\n", "data/owners/kiln/.github/CODEOWNERS")
    assert claims(rows_of(read(folder / "owners", org="acme"))) == {("person:ada", "repo:acme/kiln")}


def test_one_repository_for_several_files_is_refused(tmp_path):
    written(tmp_path, "* @ada\n", "all/a/CODEOWNERS")
    folder = written(tmp_path, "* @bea\n", "all/b/CODEOWNERS")
    with pytest.raises(BadInput, match="one repository"):
        read(folder, repo="acme/a")


def test_it_is_told_by_name_and_content(tmp_path):
    folder = written(tmp_path, "* @ada\n")
    (tmp_path / "CODEOWNERS").write_text("nothing here\n")
    assert codeowners.recognise(folder) and codeowners.recognise(folder / ".github" / "CODEOWNERS") and not codeowners.recognise(tmp_path / "CODEOWNERS")


def test_rules_keep_their_lines():
    found = read_rules("\n# c\n*.js  @ada\n\n/x @bea @cy/t\n", People(KEY))
    assert [(r["line"], r["pattern"], r["owners"]) for r in found.rules] == [
        (3, "*.js", [["user", "ada"]]), (5, "/x", [["user", "bea"], ["team", "cy/t"]]),
    ]  # fmt: skip


@pytest.mark.skipif(not SAMPLES.exists(), reason="the format samples are not beside this checkout")
@pytest.mark.parametrize("folder", sorted(SAMPLES.iterdir()) if SAMPLES.exists() else [], ids=lambda p: p.name)
def test_every_sample_loads_and_the_totals_add_up(folder):
    records = read(folder)
    assert records[-1]["read"] == records[-1]["kept"] + records[-1]["skipped"] > 0
    rows = rows_of(records)
    assert claims(rows) or any(isinstance(row, Skip) and row.origin.line for row in rows)
