import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.questions import Question
from eval.scores import failed, normal, score, set_f1


def question(gold, match="set", sources=()):
    return Question("q", "lookup", "?", tuple(gold), match, tuple(sources))


def answer(items=(), state="answered", text="", claims=(), nodes=(), steps=()):
    return {
        "items": list(items),
        "state": state,
        "text": text,
        "claims": list(claims),
        "steps": list(steps),
        "evidence": {"nodes": list(nodes)},
    }


@pytest.mark.parametrize(
    "one, other",
    [
        ("person:LPardue", "person:lpardue"),
        ("pr:QuicWG/qlog#12", " `pr:quicwg/qlog#12` "),
        ("dir:a/b/src/", "dir:A/b/src"),
        ("file:Org/Repo/src/A.c", "file:org/repo/src/A.c"),
        ("release:Org/r@V1", "release:org/r@V1"),
        ("Editorial  label", "editorial label"),
    ],
)
def test_two_spellings_of_one_key_are_equal(one, other):
    assert normal(one) == normal(other)


@pytest.mark.parametrize(
    "one, other", [("file:a/b/A.c", "file:a/b/a.c"), ("release:a/b@V1", "release:a/b@v1"), ("pr:a/b#1", "issue:a/b#1")]
)
def test_different_things_stay_different(one, other):
    assert normal(one) != normal(other)


@pytest.mark.parametrize(
    "items, gold, f1",
    [
        (["a", "b"], ["a", "b"], 1),
        (["a"], ["a", "b"], 2 / 3),
        (["a", "b", "c", "d"], ["a"], 2 / 5),
        ([], ["a"], 0),
        (["a"], [], 0),
        ([], [], 1),
        (["a", "a", "A"], ["a"], 1),
        (["old"], [["old", "new"]], 1),
        (["old", "new"], [["old", "new"]], 1),
        (["x"], [["old", "new"]], 0),
        (["commit:a/b@1234567"], ["commit:a/b@1234567890"], 1),
        (["commit:a/b@12"], ["commit:a/b@1234567890"], 0),
    ],
)
def test_f1_over_sets(items, gold, f1):
    assert set_f1(items, gold) == pytest.approx(f1)


@given(st.sets(st.sampled_from("abcdef")), st.sets(st.sampled_from("abcdef")))
def test_f1_is_symmetric_and_one_only_for_equal_sets(a, b):
    f1 = set_f1(sorted(a), sorted(b))
    assert f1 == pytest.approx(set_f1(sorted(b), sorted(a))) and 0 <= f1 <= 1
    assert (f1 == 1) == (a == b)


def test_not_knowing_is_not_the_same_as_none():
    assert score(question([]), answer(state="answered")).value == 1
    assert score(question([]), answer(state="insufficient")).value == 0
    assert score(question(["a"]), answer(["a"], state="refused")).value == 0


@pytest.mark.parametrize(
    "items, right", [(["42"], True), (["42 pull requests"], True), (["1,042"], False), (["42", "43"], False), ([], False), (["4"], False)]
)
def test_numbers(items, right):
    assert score(question([42], "number"), answer(items, text="42")).exact is right


def test_a_text_is_found_as_a_word_in_items_or_text():
    q = question(["0x20"], "text")
    assert score(q, answer(text="It used frame type  0X20.")).exact and score(q, answer(["0x20"])).exact
    assert not score(q, answer(text="0x2001")).exact


def test_states():
    s = score(question(["insufficient", "premise_corrected"], "state"), answer(state="premise_corrected"))
    assert s.exact and s.state_right is True
    assert score(question(["insufficient"], "state"), answer(["x"])).state_right is False
    assert score(question(["a"]), answer(["a"])).state_right is None


def test_sources_are_found_among_what_tools_returned_and_what_claims_cite():
    q = question(["person:ann"], sources=["pr:a/b#1", "issue:a/b#2", "pr:a/b#3", "pr:a/b#4"])
    given_ = answer(
        ["person:ann"],
        claims=[{"text": "t", "cites": ["pr:A/b#1"], "quotes": [{"source": "issue:a/b#2"}], "verdict": "supported"}],
        nodes=[{"key": "chunk:pr:a/b#3/0"}],
        steps=[{"rows": 7, "nodes": ["x:1"]}, {"rows": [{"hit": {"source": "pr:a/b#9"}}]}],
    )
    s = score(q, given_)
    assert (s.source_recall, s.cited_recall) == (0.75, 0.5)


def test_what_cannot_be_scored_is_none_and_not_zero():
    s = score(question(["a"]), answer(["a"]))
    assert s.source_recall is None and s.cited_recall is None and s.support is None


def test_support_is_the_share_of_shown_claims():
    claims = [{"text": "a", "verdict": "supported"}, {"text": "b", "verdict": "contradicted"}, {"text": "c", "reason": "dropped: no row"}]
    assert score(question(["a"]), answer(["a"], claims=claims)).support == 0.5


def test_a_failure_is_a_miss():
    s = failed(question(["a"], sources=["pr:a/b#1"]))
    assert s.value == 0 and s.source_recall == 0 and s.support is None
