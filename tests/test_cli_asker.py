"""Who the command line asks as: from `--as` or the settings, the same person as in the app, and a word when nobody is called so."""

import json

import pytest
from test_cli import brain as command
from test_session import company

from brain import embedded, settings
from brain.audit import viewings
from brain.audit.viewings import Viewing
from brain.brain import Brain


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("asker")
    configured = settings.load({"BRAIN_HOME": str(folder), "BRAIN_WORKSPACE": "sluice"})
    opened = Brain.open(configured)
    company().build(opened.store, "sluice")
    viewings.note(opened.files, Viewing(1_764_547_200, "bo", "ada", "sluice"))
    yield folder
    opened.close()
    embedded.stop(configured)


def test_each_name_reads_what_it_may_and_an_unknown_one_is_told_so_on_standard_error(home):
    names = ("local", "guest", "nobody", "ada", "ADA", "bo", "login:local", "stranger", "a, b", "", "\x1b[31mx")
    ask = ("query", "run", "by_keys", "keys=['doc:hidden.md']", "--workspace", "sluice", "--json")
    done = dict(zip(names, command(home, *((*ask, "--as", name) for name in names)), strict=True))
    reading = [name for name, d in done.items() if d.json["rows"]]
    assert reading == ["local", "ada", "ADA", ""]
    unknown = [name for name, d in done.items() if d.err]
    assert unknown == ["stranger", "a, b", "\x1b[31mx"]
    assert done["stranger"].err == "brain: nobody in 'sluice' has the login 'stranger'; read what is open\n"
    assert "\x1b" not in done["\x1b[31mx"].err and done["\x1b[31mx"].err.count("\n") == 1


def test_the_settings_name_who_asks_and_make_administrators_and_members_here_too(home):
    ask = ("query", "run", "by_keys", "keys=['doc:hidden.md']", "-w", "sluice", "--json")
    as_settings, named = command(home, ask, (*ask, "--as", "ada"), BRAIN_VIEWER="stranger")
    assert not as_settings.json["rows"] and "nobody in 'sluice'" in as_settings.err and named.json["rows"] and not named.err
    (admin,) = command(home, (*ask, "--as", "bo"), BRAIN_ADMINS="bo")
    assert admin.json["rows"]


def test_who_looked_as_whom_is_listed(home):
    listed, plain, elsewhere = command(
        home, ("access", "log", "-w", "sluice", "--json"), ("access", "log", "-w", "sluice"), ("access", "log", "-w", "empty", "--json")
    )
    assert listed.json == [{"at": 1_764_547_200, "who": "bo", "seen_as": "ada", "workspace": "sluice"}]
    assert "2025-12-01 00:00" in plain.out and "ada" in plain.out and json.loads(elsewhere.out) == []
