"""Tokens that let agents in: made for a viewer, counted in days, taken back at once, and kept only as hashes."""

from __future__ import annotations

import json
import stat

import pytest
from typer.testing import CliRunner

from brain.cli.app import app
from brain.errors import BadInput, HopcheckError
from brain.mcp_server.tokens import DAY, PREFIX, Tokens

NOW = 1_770_000_000
W = "mcp-tokens"


@pytest.fixture
def tokens(tmp_path):
    return Tokens(tmp_path / "workspace")


def test_a_token_is_its_viewer_s_until_its_day(tokens):
    token, secret = tokens.create("ada", NOW, 30)
    _, other = tokens.create("cy", NOW, 1)
    assert secret.startswith(PREFIX) and len(secret) > 40 and secret != other
    assert (tokens.viewer_of(secret, NOW), tokens.viewer_of(other, NOW)) == ("ada", "cy")
    assert (tokens.viewer_of(secret, token.until - 1), tokens.viewer_of(secret, token.until)) == ("ada", None)
    assert tokens.viewer_of(other, NOW + DAY) is None


@pytest.mark.parametrize("brought", ["", " ", "x", PREFIX, "local", "ada", "\0", "é" * 50, "\ud800", "x" * 100_000])
def test_what_is_no_token_is_nobody_s(tokens, brought):
    token, secret = tokens.create("ada", NOW, 30)
    for tried in (brought, secret + brought or secret, secret[:-1], secret.upper(), token.digest, token.id):
        assert tokens.viewer_of(tried, NOW) is None or tried == secret


def test_no_file_holds_a_secret_and_only_its_owner_reads_it(tokens, tmp_path):
    _, secret = tokens.create("ada", NOW, 30)
    files = [p for p in tmp_path.rglob("*") if p.is_file()]
    assert all(secret.encode() not in p.read_bytes() and secret.removeprefix(PREFIX).encode() not in p.read_bytes() for p in files)
    (path,) = (p for p in files if p.suffix == ".json")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_token_taken_back_lets_nobody_in_from_that_moment(tokens):
    (one, first), (_, second) = (tokens.create("ada", NOW, 30) for _ in range(2))
    tokens.revoke(one.id)
    assert (tokens.viewer_of(first, NOW), tokens.viewer_of(second, NOW)) == (None, "ada")
    with pytest.raises(BadInput, match="there is no token"):
        tokens.revoke(one.id)


@pytest.mark.parametrize(("name", "days"), [("a@example.org", 3), ("", 3), ("  ", 3), ("a\nb", 3), ("x" * 300, 3), ("ada", 0), ("ada", -1), ("ada", 10**6)])
def test_no_address_is_kept_and_no_token_counts_for_ever(tokens, name, days):
    with pytest.raises(BadInput):
        tokens.create(name, NOW, days)
    assert tokens.every() == []


def test_a_broken_file_lets_nobody_in_and_says_what_to_do(tokens, tmp_path):
    _, secret = tokens.create("ada", NOW, 30)
    (tmp_path / "workspace" / "mcp_tokens.json").write_text('[{"viewer": "local"}]')
    with pytest.raises(BadInput, match="delete it and give out new tokens"):
        tokens.viewer_of(secret, NOW)


@pytest.fixture
def run(home, shared_store):
    def call(*args, viewer="", ok=True):
        done = CliRunner(env={"BRAIN_HOME": str(home.home), "BRAIN_VIEWER": viewer, "COLUMNS": "200"}).invoke(app, ["mcp", *args, "-w", W])
        if ok:
            assert done.exit_code == 0, done.output
            return done.stdout
        assert isinstance(done.exception, HopcheckError), done.output
        return str(done.exception)

    yield call
    (home.workspaces / W / "mcp_tokens.json").unlink(missing_ok=True)


def test_tokens_are_made_listed_and_taken_back_on_the_command_line(run, home):
    secret = run("token", "create", "--as", "ada", "--days", "3").strip()
    assert Tokens(home.workspaces / W).viewer_of(secret, 0) == "ada"
    made = json.loads(run("token", "create", "--as", "local", "--json"))
    listed = json.loads(run("token", "list", "--json"))
    assert {t["viewer"] for t in listed} == {"ada", "local"} and made["id"] in {t["id"] for t in listed}
    assert "digest" not in str(listed) and secret not in run("token", "list")
    assert "lets nobody in" in run("token", "revoke", made["id"])
    assert Tokens(home.workspaces / W).viewer_of(made["token"], 0) is None


def test_only_an_administrator_gives_out_tokens(run):
    for args in (("create", "--as", "local"), ("list",), ("revoke", "x")):
        assert "only an administrator" in run("token", *args, viewer="ada", ok=False)


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["--http", "127.0.0.1:0", "--as", "ada"], "everybody brings a token"),
        (["--http", "127.0.0.1:0", "--as", "local"], "everybody brings a token"),
        (["--http", "0.0.0.0:0", "--as", "guest", "--host-name", "x"], "for a server on this machine alone"),
        (["--http", "0.0.0.0:0"], "--host-name"),
        (["--http", "nowhere"], "HOST:PORT"),
        (["--http", "127.0.0.1:99999"], "HOST:PORT"),
        (["--http", "203.0.113.7:80"], "cannot listen at 203.0.113.7:80"),
    ],
)
def test_a_server_that_would_let_in_too_many_does_not_start(run, args, line):
    assert line in run(*args, ok=False)
