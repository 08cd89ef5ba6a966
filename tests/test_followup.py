"""Questions that lean on the one before, over the demo."""

from __future__ import annotations

import pytest

NOW = 1_792_195_200
G, S, F, C = (f"merefold/{name}" for name in ("gatekeeper", "gauge-stream", "floodline", "control-room"))


@pytest.fixture(scope="module")
def then(demo):
    def ask(first, second):
        me = demo.viewer()
        before = demo.ask(first, viewer=me, as_of=NOW)
        return demo.ask(second, viewer=me, as_of=NOW, previous=before.run, save=False)

    return ask


@pytest.mark.parametrize(
    ("first", "second", "items"),
    [
        ("Who reviewed gatekeeper#12?", "And who merged it?", {"person:tdabrowski"}),
        ("Who reviewed gatekeeper#12?", "When did it land?", {"2025-07-03"}),
        ("Who reviewed gatekeeper#12?", "what about gatekeeper#11?", None),
        ("Which pull request fixed control-room#15?", "Who wrote that?", {"person:bjarki"}),
        ("Which pull request fixed control-room#15?", "Which release was it in?", {f"release:{S}@v0.9.0"}),
        ("Who got most pull requests merged?", "How many reviews did they give?", None),
        ("How many pull requests were merged in gatekeeper in 2025?", "And in floodline?", None),
        ("How many pull requests were merged in gatekeeper in 2025?", "And in 2026?", None),
        ("How many pull requests are open in gatekeeper?", "Which ones?", None),
        ("Which issues are open in fenproto?", "Who opened those?", None),
        ("Who wrote gatekeeper#12?", "Who reviewed #16?", None),
    ],
)
def test_a_follow_up_is_answered(then, first, second, items):
    a = then(first, second)
    assert a.state == "answered" and a.items, a.text
    assert items is None or set(a.items) == items, a.text


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (
            "How many pull requests were merged in gatekeeper in 2025?",
            "And in floodline?",
            "How many pull requests were merged in floodline in 2025?",
        ),
        (
            "How many pull requests were merged in gatekeeper in 2025?",
            "What about 2026?",
            "How many pull requests were merged in gatekeeper in 2026?",
        ),
        ("How many pull requests are open in gatekeeper?", "Which ones?", "which pull requests are open in gatekeeper?"),
        ("Who reviewed gatekeeper#12?", "same for floodline#43", "Who reviewed floodline#43?"),
        ("Who wrote gatekeeper#12?", "Who reviewed #16?", "Who reviewed gatekeeper#16?"),
        ("Who got most pull requests merged?", "What did they review in sluiceway?", "What did @ondrejm review in sluiceway?"),
    ],
)
def test_a_follow_up_means_the_whole_question(demo, then, first, second, same):
    whole = demo.ask(same, viewer=demo.viewer(), as_of=NOW, save=False)
    assert then(first, second).items == whole.items


@pytest.mark.parametrize(
    "second", ["Who reviewed floodline#43?", "How many issues are open in crewboard?", "it", "?", "and", "and and and", "those"]
)
def test_a_question_that_stands_alone_is_left_alone(demo, then, second):
    alone = demo.ask(second, viewer=demo.viewer(), as_of=NOW, save=False)
    after = then("How many customers does merefold have?", second)
    assert after.items == alone.items and after.state == alone.state
