"""The folder of all state: nobody else on the machine reads what is in it, restricted texts least of all."""

from __future__ import annotations

import os
from stat import S_IMODE

from tiny_org import brain_of

from brain import private


def open_to_others(folder):
    return [str(path) for path in folder.rglob("*") if S_IMODE(path.stat().st_mode) & 0o077 and path.parent == folder and path.is_dir()]


def test_the_folder_of_all_state_is_made_for_its_owner_alone(tmp_path):
    home, was = tmp_path / "new" / "home", os.umask(0o022)
    try:
        private.close(home)
        (home / "workspaces" / "acme").mkdir()
    finally:
        os.umask(was)
    assert S_IMODE(home.stat().st_mode) == 0o700 and open_to_others(home) == []


def test_rooms_that_stood_open_are_closed_and_a_folder_that_somebody_named_stays_as_it_is(tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / "workspaces").mkdir(mode=0o755)
    (tmp_path / "notes").mkdir(mode=0o755)
    private.close(tmp_path)
    private.close(tmp_path)
    assert S_IMODE(tmp_path.stat().st_mode) == 0o755 and open_to_others(tmp_path) == [str(tmp_path / "notes")]


def test_what_cannot_be_made_is_left_to_whoever_needs_it(tmp_path):
    (tmp_path / "file").write_text("")
    private.close(tmp_path / "file" / "home")


def test_opening_a_workspace_closes_the_rooms(home):
    rooms = [home.home / name for name in private.ROOMS]
    for room in rooms:
        room.mkdir(exist_ok=True)
        room.chmod(0o755)
    brain_of(home, "closed").close()
    assert [S_IMODE(room.stat().st_mode) for room in rooms] == [0o700] * len(rooms)
