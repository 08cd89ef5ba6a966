"""What can be loaded, how a source remembers it, and the key that addresses are hashed with."""

from __future__ import annotations

import json
import os
import subprocess
import threading

import pytest
from tiny_org import archive, brain_of, counts, dump, issue, load, two_of_each

from brain import loads
from brain.cli.output import opened
from brain.errors import BadInput
from brain.settings import Settings


@pytest.fixture
def brain(home, request):
    opened = brain_of(home, f"l_{abs(hash(request.node.name)) % 10**8}")
    yield opened
    opened.store.drop(f"brain:{opened.workspace}")
    opened.close()


def git_repository(path):
    path.mkdir(parents=True)
    me = {"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org", "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
          "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}  # fmt: skip

    def git(*args):
        subprocess.run(["git", "-C", str(path), *args], check=True, capture_output=True, env={**os.environ, **me})

    git("init", "-q", "-b", "main")
    (path / "heat.py").write_text("x = 1\n")
    git("add", ".")
    git("commit", "-q", "-m", "Hold the heat (#3)")
    return path


# -- the identity key -------------------------------------------------------------------------


def test_the_identity_key_is_made_once_and_private(tmp_path):
    settings = Settings(home=tmp_path / "home")
    key = loads.identity_key(settings)
    assert len(key) == 32 and loads.identity_key(settings) == key
    assert (tmp_path / "home" / "identity.key").stat().st_mode & 0o777 == 0o600
    assert loads.identity_key(Settings(home=tmp_path / "other")) != key


def test_eight_at_once_get_one_whole_key(tmp_path):
    for i in range(20):
        settings, got, gate = Settings(home=tmp_path / str(i)), [], threading.Barrier(8)

        def ask(settings=settings, got=got, gate=gate):
            gate.wait()
            got.append(loads.identity_key(settings))

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert len(set(got)) == 1 and len(got[0]) == 32 and len(got) == 8


def test_a_key_file_that_is_cut_short_is_not_used(tmp_path):
    (tmp_path / "identity.key").write_bytes(b"")
    with pytest.raises(BadInput, match=r"identity\.key"):
        loads.identity_key(Settings(home=tmp_path))


def test_a_home_that_cannot_be_written_is_one_line(tmp_path):
    (tmp_path / "home").write_text("a file")
    with pytest.raises(BadInput, match="cannot write to"):
        loads.identity_key(Settings(home=tmp_path / "home"))


# -- what is in a folder ----------------------------------------------------------------------


def test_auto_finds_repositories_first_then_files_and_says_what_is_left(home, tmp_path):
    git_repository(tmp_path / "kiln")
    (tmp_path / "kiln.bundle").write_bytes(b"# v2 git bundle\n")
    (tmp_path / "bare" / "objects").mkdir(parents=True)
    (tmp_path / "bare" / "HEAD").write_text("ref: refs/heads/main\n")
    archive(tmp_path / "a.json", issues=[issue(1, "x")])
    (tmp_path / "deeper" / "down").mkdir(parents=True)
    (tmp_path / "deeper" / "down" / "t.csv").write_text("Key,Title,Status,Priority\nK-1,x,open,low\n")
    (tmp_path / "notes.xyz").write_text("hello")
    (tmp_path / "other.json").write_text('{"a": 1}')
    (tmp_path / "node_modules" / "x").mkdir(parents=True)
    (tmp_path / "empty").mkdir()
    found = loads.auto(home, tmp_path, "acme")
    repositories = [str(tmp_path / n) for n in ("bare", "kiln", "kiln.bundle", "a.json")]
    assert list(found) == [*repositories, "tickets in deeper", f"the rest of {tmp_path}"]
    rest = list(found[f"the rest of {tmp_path}"]())
    assert {(r["reason"], r["file"], r["count"]) for r in rest if r["kind"] == "skip"} == {
        (".xyz: of no format that is read", "notes.xyz", 1), (".json: of no format that is read", "other.json", 1),
        ("a folder that programs keep for themselves, or a link", "node_modules", 1),
    }  # fmt: skip
    assert (rest[-1]["read"], rest[-1]["kept"], rest[-1]["skipped"]) == (9, 6, 3)


@pytest.mark.parametrize("make", [lambda p: p.mkdir(), lambda p: p.write_text("x"), lambda p: None])
def test_a_folder_with_nothing_to_load_is_one_line(home, tmp_path, make):
    make(tmp_path / "x")
    with pytest.raises(BadInput, match=r"there is no such file or folder|holds nothing of a format that is read"):
        loads.auto(home, tmp_path / "x", "acme")


def test_the_organisation_is_told_by_an_origin_or_the_one_of_the_other_data(home, tmp_path):
    alone = git_repository(tmp_path / "one" / "kiln").parent
    with pytest.raises(BadInput, match="kiln: its organisation cannot be told; give it with --org"):
        loads.auto(home, alone)
    archive(alone / "a.json", issues=[issue(1, "x")])
    assert [next(loads.auto(home, alone)[str(alone / "kiln")]())["repo"]] == ["acme/kiln"]
    origin = git_repository(tmp_path / "two" / "oven")
    subprocess.run(["git", "-C", str(origin), "remote", "add", "origin", "git@github.com:bakers/oven.git"], check=True)
    archive(tmp_path / "two" / "a.json", issues=[issue(1, "x")])
    assert next(loads.auto(home, tmp_path / "two")[str(origin)]())["repo"] == "bakers/oven"


def test_a_clone_gives_its_documents_and_none_of_its_data(home, tmp_path):
    clone = git_repository(tmp_path / "kiln")
    for name in ("tickets.csv", "fixtures/t.csv"):
        (clone / name).parent.mkdir(exist_ok=True)
        (clone / name).write_text("Key,Title,Status,Priority\nK-1,x,open,low\n")
    assert not [label for label in loads.auto(home, tmp_path, "acme") if label.startswith("tickets")]
    assert [label for label in loads.auto(home, clone, "acme") if label.startswith("tickets")], "the clone itself was named"


def test_a_format_or_an_option_that_is_none_is_one_line_that_lists_the_legal_ones(home, tmp_path):
    with pytest.raises(BadInput, match=r"there is no format 'oracle'; legal: .*github.*tickets"):
        loads.named(home, "oracle", tmp_path)
    with pytest.raises(BadInput, match=r"tickets has no option 'colour'; legal: columns \(.*dates"):
        loads.named(home, "tickets", tmp_path, options={"colour": "red"})
    with pytest.raises(BadInput, match="access is 'secret'; legal: open, internal, restricted"):
        loads.named(home, "tickets", tmp_path, access="secret")
    with pytest.raises(BadInput, match="nowhere: there is no such file or folder"):
        list(loads.named(home, "tickets", tmp_path / "nowhere")())


def tickets_in(folder, *ids, state="open"):
    folder.mkdir(parents=True, exist_ok=True)
    rows = "".join(f"{id_},Kiln {id_},{state},low,Ada Byron\n" for id_ in ids)
    (folder / "t.csv").write_text(f"Key,Title,Status,Priority,Assignee\n{rows}")
    return folder


def test_a_searched_folder_is_searched_again_and_what_left_its_files_is_gone(brain, tmp_path):
    tickets_in(tmp_path / "desk", "K-1", "K-2")
    outcome = brain.load(loads.auto(brain.settings, tmp_path))
    assert not outcome.failures and {r.source for r in outcome.reports} == {"tickets:desk", f"auto:{tmp_path.name}"}
    tickets_in(tmp_path / "desk", "K-2")
    tickets_in(tmp_path / "floor", "K-3")
    assert not brain.load(loads.again(brain)).failures
    rows = brain.store.read(f"brain:{brain.workspace}", "MATCH (t:Ticket) RETURN t.key AS k, t.gone IS NOT NULL AS gone ORDER BY k").rows
    assert [(r["k"], r["gone"]) for r in rows] == [("ticket:K-1", True), ("ticket:K-2", False), ("ticket:K-3", False)]
    (tmp_path / "desk" / "t.csv").unlink()
    outcome = brain.load(loads.again(brain))
    assert outcome.failures == [f"{tmp_path}: tickets:desk was read from here and is no longer there"]
    assert counts(brain.store, brain.workspace)["Ticket"] == 3, "and nothing is lost by it"


def test_tickets_loaded_by_name_are_loaded_again_from_each_place(brain, tmp_path):
    one, two = tickets_in(tmp_path / "a" / "desk", "K-1"), tickets_in(tmp_path / "b" / "desk", "K-2")
    outcome = brain.load({str(p): loads.named(brain.settings, "tickets", p, access="internal") for p in (one, two)})
    assert not outcome.failures and counts(brain.store, brain.workspace)["Ticket"] == 2
    tickets_in(one, "K-1", "K-3")
    assert len(loads.again(brain)) == 2 and not brain.load(loads.again(brain)).failures
    rows = brain.store.read(f"brain:{brain.workspace}", "MATCH (t:Ticket) RETURN t.key AS k, t.access AS a ORDER BY k").rows
    assert [(r["k"], r["a"]) for r in rows] == [(f"ticket:K-{n}", "internal") for n in (1, 2, 3)]


# -- again ------------------------------------------------------------------------------------


def test_a_source_remembers_how_it_was_loaded_and_sync_does_it_again(brain, tmp_path):
    path = archive(tmp_path / "a.json", **two_of_each())
    repo = git_repository(tmp_path / "acme" / "kiln")
    outcome = brain.load({"g": loads.git(brain.settings, repo, "acme", "internal"), "f": loads.github(path, access="internal")})
    assert not outcome.failures and set(loads.again(brain)) == {str(path), str(repo)}
    n = counts(brain.store, brain.workspace)
    archive(path, issues=[*two_of_each()["issues"], issue(7, "New since")], pulls=two_of_each()["pulls"])
    again = brain.load(loads.again(brain))
    assert not again.failures and counts(brain.store, brain.workspace)["Issue"] == n["Issue"] + 1
    rows = brain.store.read(
        f"brain:{brain.workspace}", "MATCH (n) WHERE n:Issue OR n:PullRequest OR n:Commit RETURN DISTINCT n.access AS a"
    ).rows
    assert rows == ({"a": "internal"},), "and under the access label it was loaded with"


def test_two_files_of_one_repository_are_both_loaded_again(brain, tmp_path):
    a = archive(tmp_path / "a.json", issues=[issue(1, "One")])
    b = archive(tmp_path / "b.json", repo="acme/oven", issues=[issue(1, "Two")])
    load(brain, a, b)
    assert set(loads.again(brain)) == {str(a), str(b)}


def test_a_relative_path_is_found_again_from_anywhere(brain, tmp_path, monkeypatch):
    archive(tmp_path / "a.json", **two_of_each())
    monkeypatch.chdir(tmp_path)
    from pathlib import Path

    brain.load({"a": loads.github(Path("a.json"))})
    monkeypatch.chdir("/")
    assert not brain.load(loads.again(brain)).failures


def test_sync_of_a_path_that_has_gone_is_one_line_and_loses_nothing(brain, tmp_path):
    path = archive(tmp_path / "a.json", **two_of_each())
    load(brain, path)
    before = counts(brain.store, brain.workspace)
    path.unlink()
    outcome = brain.load(loads.again(brain))
    assert len(outcome.failures) == 1 and str(path) in outcome.failures[0] and counts(brain.store, brain.workspace) == before


def test_nothing_loaded_is_nothing_to_load_again(brain):
    assert loads.again(brain) == {}


@pytest.mark.parametrize("since", ["yesterday", "2024-13-01", "01.02.2024"])
def test_a_date_that_is_none_is_one_line(home, tmp_path, since):
    fetch = loads.github_live(home, tmp_path, "acme", [], since, print)
    with pytest.raises(BadInput, match="write 2024-03-01"):
        list(fetch())


# -- the demo ---------------------------------------------------------------------------------


def test_the_demo_holds_what_its_raw_files_hold(demo):
    n = demo.status()["counts"]
    archives = [json.loads(path.read_text("utf-8")) for path in loads.DEMO.glob("*.archive.json")]
    assert (n["PullRequest"], n["Issue"]) == tuple(sum(len(archive[part]) for archive in archives) for part in ("pulls", "issues"))
    assert n["Repo"] == len(archives) + 1  # and one that is archived and empty
    reports = demo.files.reports()
    assert demo.loaded() and {r.format for r in reports if r.path} == {"git", "github", *loads.formats()} - {"flags"}  # it switches none
    assert not [r.source for r in reports if r.refused and r.format in ("git", "github", "deploys", "codeowners")]


def test_the_demo_is_loaded_again_from_its_own_files_and_is_the_same_graph_node_by_node(brain):
    assert not loads.demo(brain, lambda *a: None).failures
    first, n = dump(brain.store, brain.workspace), counts(brain.store, brain.workspace)
    fetches = loads.again(brain)
    assert next(iter(fetches)) == "the demo's repositories" and not brain.load(fetches).failures
    assert counts(brain.store, brain.workspace) == n and n["Commit"] > 1000 and n["Ticket"] == 350
    again = dump(brain.store, brain.workspace)
    assert again["nodes"] == first["nodes"] and again["edges"] == first["edges"]
    assert not list((brain.settings.home / "scratch").glob("demo-*")), "and leaves no repository behind"


def test_a_workspace_says_how_it_stands(brain, tmp_path):
    assert brain.status() == {"workspace": brain.workspace, "loaded": False, "counts": {}} and not brain.loaded()
    load(brain, archive(tmp_path / "a.json", **two_of_each()), now=1_750_000_000)
    status = brain.status()
    assert (status["loaded"], status["loaded_at"], status["counts"]["Issue"]) == (True, 1_750_000_000, 2)
    assert status["without_vector"] == status["counts"]["Chunk"] > 0


def test_a_graph_of_an_earlier_version_is_made_anew_from_its_records_by_the_next_command(brain, tmp_path, monkeypatch, capsys):
    assert not brain.outdated(), "nothing is loaded"
    load(brain, archive(tmp_path / "o.json", **two_of_each()))
    made = counts(brain.store, brain.workspace)
    assert not brain.outdated()
    brain.store.set_meta(brain.workspace, {"format": "1"})
    assert brain.outdated()
    monkeypatch.setenv("BRAIN_HOME", str(brain.settings.home))
    with opened(brain.workspace) as again:
        assert not again.outdated() and counts(again.store, again.workspace) == made
    assert "an earlier version made the graph" in capsys.readouterr().err
    with opened(brain.workspace):
        pass
    assert capsys.readouterr().err == ""
