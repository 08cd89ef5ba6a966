"""Settings come from the environment once, as one frozen object."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from brain import settings
from brain.errors import HopcheckError
from brain.settings import Settings

SECRETS = ("falkordb_url", "admins", "embed_key", "llm_key", "github_token")


def test_nothing_set_gives_the_defaults():
    assert settings.load({}) == Settings()


def test_an_empty_variable_is_no_value():
    assert settings.load({"BRAIN_IDLE_STOP_S": "", "BRAIN_WORKSPACE": ""}) == Settings()


def test_every_field_is_read_from_its_own_variable():
    fields = dataclasses.fields(Settings)
    names = [f.metadata["env"] for f in fields]
    assert len(set(names)) == len(fields)
    for field in fields:
        raw = "1" if isinstance(field.default, bool) else str(field.default + 1) if isinstance(field.default, int) else "/somewhere"
        changed = settings.load({field.metadata["env"]: raw})
        others = [f.name for f in fields if f.name != field.name and getattr(changed, f.name) != f.default]
        assert getattr(changed, field.name) != field.default and not others


def test_types_follow_the_defaults(tmp_path):
    made = settings.load({"BRAIN_HOME": "~/brain", "BRAIN_READ_TIMEOUT_MS": "250"})
    assert made.home == Path.home() / "brain" and made.read_timeout_ms == 250
    assert made.workspaces == Path.home() / "brain" / "workspaces"


@pytest.mark.parametrize("raw", ["soon", "5.5", "5s", "0x10"])
def test_a_word_where_a_number_belongs_is_one_line_that_names_the_variable(raw):
    with pytest.raises(HopcheckError) as err:
        settings.load({"BRAIN_IDLE_STOP_S": raw})
    assert str(err.value) == f"BRAIN_IDLE_STOP_S={raw!r} is not a whole number"


SEED = "BRAIN_LLM_SEED"
NUMBERS = {f.metadata["env"]: f.metadata["least"] for f in dataclasses.fields(Settings) if type(f.default) is int}


@pytest.mark.parametrize("name", sorted(NUMBERS.keys() - {SEED}))
def test_a_number_that_nothing_can_be_done_with_is_one_line_that_says_what_is_legal(name):
    least = NUMBERS[name]
    with pytest.raises(HopcheckError) as err:
        settings.load({name: str(least - 1)})
    assert str(err.value) == f"{name}='{least - 1}' is too small; legal: {least} or more"
    settings.load({name: str(least)})


@pytest.mark.parametrize(("name", "raw"), [("BRAIN_LLM_TIMEOUT_S", "0"), ("BRAIN_LLM_RETRIES", "-1"), ("BRAIN_LLM_MAX_TOKENS", "-5"), ("BRAIN_LLM_PROMPT_TOKENS", "10")])
def test_a_model_is_not_asked_with_no_time_no_room_or_fewer_tries_than_one(name, raw):
    with pytest.raises(HopcheckError, match="too small"):
        settings.load({name: raw})
    assert settings.load({"BRAIN_LLM_RETRIES": "0", "BRAIN_IDLE_STOP_S": "0", SEED: "-1"}).llm_seed == -1


def test_nobody_changes_a_setting_later():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Settings().home = Path("/elsewhere")  # type: ignore[misc]


def test_a_printed_settings_object_shows_no_secret():
    """A secret would stand in logs and error pages; whoever adds one marks it so."""
    made = settings.load({f.metadata["env"]: "hunter2" for f in dataclasses.fields(Settings) if f.name in SECRETS})
    assert all(getattr(made, name) == "hunter2" for name in SECRETS)
    assert "hunter2" not in repr(made) and "hunter2" not in str(made)
    assert {f.name for f in dataclasses.fields(Settings) if f.metadata["secret"]} == set(SECRETS)


def test_the_table_has_a_row_for_each_variable_and_no_value_of_this_machine(monkeypatch):
    rows = settings.table().splitlines()[2:]
    assert [row.split("|")[1].strip(" `") for row in rows] == [f.metadata["env"] for f in dataclasses.fields(Settings)]
    assert all(row.split("|")[3].strip().endswith(".") for row in rows)
    assert str(Path.home()) not in settings.table()
