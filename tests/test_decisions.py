"""Decisions about candidates last, the latest counts, and each can be taken back once."""

import pytest

from brain.decisions import Decisions
from brain.errors import BadInput


def test_the_latest_decision_counts_and_survives_a_restart(tmp_path):
    kept = Decisions(tmp_path / "w" / "decisions.jsonl")
    kept.add(["a", "b", "a"], "approved", "ada", 1)
    kept.add(["b"], "rejected", "ada", 2, "another person")
    assert Decisions(tmp_path / "w" / "decisions.jsonl").states() == {"a": "approved", "b": "rejected"}


def test_taking_back_restores_what_stood_before(tmp_path):
    kept = Decisions(tmp_path / "d")
    kept.add(["a"], "approved", "ada", 1)
    second = kept.add(["a", "b"], "rejected", "ada", 2)
    kept.undo(second.n, "ada", 3)
    assert kept.states() == {"a": "approved"}
    with pytest.raises(BadInput, match="no decision 2"):
        kept.undo(second.n, "ada", 4)
    with pytest.raises(BadInput, match="no decision 9"):
        kept.undo(9, "ada", 4)


@pytest.mark.parametrize(("aids", "state"), [([], "approved"), (["a"], "maybe")])
def test_nothing_is_decided_by_a_bad_call(tmp_path, aids, state):
    kept = Decisions(tmp_path / "d")
    with pytest.raises(BadInput):
        kept.add(aids, state, "ada", 1)
    assert kept.states() == {}
