"""A workspace saved, looked at and loaded on the command line."""

import json

import pytest
from tiny_org import archive, brain_of, dump, load, two_of_each
from typer.testing import CliRunner

from brain.cli.app import app
from brain.errors import BadInput

FROM, TO = "cli-saved", "cli-restored"


@pytest.fixture(scope="module")
def saved(home, shared_store, tmp_path_factory):
    opened = brain_of(home, FROM)
    load(opened, archive(tmp_path_factory.mktemp("raw") / "a.json", **two_of_each()))
    yield opened
    opened.close()


@pytest.fixture
def run(home, saved, monkeypatch):
    monkeypatch.setenv("BRAIN_EMBED_DIR", "")

    def call(*args, ok=True, **env):
        done = CliRunner(env={"BRAIN_HOME": str(home.home), "COLUMNS": "200", **env}).invoke(app, ["snapshot", *map(str, args)])
        if ok:
            assert done.exit_code == 0, done.output
            return done.stdout
        assert isinstance(done.exception, BadInput)
        return str(done.exception)

    return call


def test_what_is_saved_is_shown_and_loaded_under_another_name(run, saved, tmp_path):
    file = tmp_path / "s.zip"
    assert "1 source" in run("save", file, "-w", FROM)
    assert "github:acme/kiln" in run("show", file) and "whole" in run("show", file)
    told = json.loads(run("show", file, "--json"))
    assert (told["workspace"], told["parts"], told["own"]) == (FROM, [], True) and told["sources"][0]["records"] > 3
    made = json.loads(run("load", file, "-w", TO, "--no-embed", "--json"))
    assert made["loaded_into"] == TO and made["own"] and made["rows"]["PullRequest"]
    assert dump(saved.store, TO) == dump(saved.store, FROM)
    assert "--replace" in run("load", file, "-w", TO, ok=False)
    assert run("load", file, "-w", TO, "--no-embed", "--replace").startswith(f"{TO}: 1 source")


def test_without_a_name_it_is_loaded_where_it_was_saved_from(run, saved, tmp_path):
    run("save", tmp_path / "s.zip", "-w", FROM)
    assert f"'{FROM}' holds something already" in run("load", tmp_path / "s.zip", ok=False)


def test_what_a_person_can_mend_is_said(run, saved, tmp_path):
    (tmp_path / "x.zip").write_bytes(b"PK no")
    assert "cut or damaged" in run("show", tmp_path / "x.zip", ok=False)
    assert "legal: runs, approvals, playbooks, memory" in run("save", tmp_path / "s.zip", "-w", FROM, "--with", "everything", ok=False)
    assert "nothing is loaded in 'cli-empty'" in run("save", tmp_path / "s.zip", "-w", "cli-empty", ok=False)
    assert "only an administrator" in run("save", tmp_path / "s.zip", "-w", FROM, "--as", "guest", ok=False)
    run("save", tmp_path / "s.zip", "-w", FROM)
    assert "carries no runs" in run("load", tmp_path / "s.zip", "-w", "cli-other", "--with", "runs", ok=False)
