"""Which passages an arm may see, as steps of a run over the demo."""

from __future__ import annotations

from dataclasses import replace

import pytest

from brain import permissions
from brain.agents import retrieve
from brain.agents.builtin import understood
from brain.agents.run import Run

NOW = 1_792_195_200


@pytest.fixture(scope="module")
def look(demo):
    def go(question, how="hybrid", embedder=True, viewer=None, k=12):
        ctx = demo.asking(viewer or demo.viewer(), NOW)
        run = Run(ctx if embedder else replace(ctx, embedder=None), demo.tools)
        u, _ = understood(question, run, demo.lexicon(ctx.viewer), NOW, None)
        return retrieve.passages(run, u, how, k), run

    return go


def tools(run):
    return [s.tool for s in run.steps[1:]]


def test_vectors_alone_or_words_as_well(look):
    assert tools(look("gauges in the cold read too high", "vector")[1]) == ["vector_search"]
    assert tools(look("gauges in the cold read too high", "hybrid")[1]) == ["vector_search", "search_text"]


@pytest.mark.parametrize("name", ["guest", "leilaf"])
@pytest.mark.parametrize("how", ["vector", "hybrid"])
def test_only_an_administrator_is_told_by_the_index_what_is_near_which_is_moved_by_what_is_hidden_in_it(look, demo, name, how):
    def compared(viewer):
        ran = [s.cypher for s in look("gauges in the cold read too high", how, viewer=viewer)[1].steps if s.tool == "vector_search"]
        assert ran and all(ran)
        return {"db.idx.vector" in text for text in ran}

    assert compared(permissions.local_admin()) == {True}
    assert compared(demo.viewer(name)) == {False}


def test_without_an_embedder_words_alone_decide_and_the_step_says_so(look):
    found, run = look("gauges in the cold read too high", "vector", embedder=False)
    assert found and tools(run) == ["search_text"] and "no vectors" in run.steps[-1].why


def test_the_best_document_comes_first_with_at_most_three_passages(look):
    found, _ = look("Spike filter eats the tidal bore")
    assert found[0].src == "issue:merefold/gauge-stream#11" and len(found) <= 12
    assert max(sum(p.src == q.src for p in found) for q in found) <= 3
    assert [p.score for p in found] == sorted((p.score for p in found), reverse=True)


def test_what_the_question_names_comes_first_whole(look):
    found, run = look("Why was gatekeeper#46 closed?")
    assert tools(run)[0] == "chunks_for" and found[0].src == "pr:merefold/gatekeeper#46" and found[0].about["state"] == "closed"


def test_a_named_repository_and_kind_limit_the_passages(look):
    found, _ = look("issues in floodline about alerts that came late")
    assert {p.repo for p in found} == {"merefold/floodline"} and {p.label for p in found} == {"Issue"}


def test_too_few_of_a_kind_widen_the_search(look):
    found, run = look("releases of pump-sim about pumps")
    assert tools(run).count("search_text") == 2 and all(p.repo == "merefold/pump-sim" for p in found)


def test_a_passage_is_not_shown_twice_and_the_same_ones_come_again(look):
    first, again = look("Why did the forecast miss the surge?")[0], look("Why did the forecast miss the surge?")[0]
    assert first == again and len({p.chunk for p in first}) == len(first)


def test_whoever_may_see_nothing_is_given_nothing(demo, look):
    assert look("Spike filter eats the tidal bore", viewer=demo.viewer("nobody"))[0] == []


def test_a_passage_without_its_title_is_what_was_written():
    row = {"chunk": "c", "src": "pr:a/b#1", "src_label": "PullRequest", "title": "Hot", "text": "Hot\n\nVery.", "line": 1, "line_end": 3,
           "at": 5, "author": "person:ann", "repo": "a/b", "part": "body"}  # fmt: skip
    made = retrieve.passage(row, 0.5)
    assert (made.body, made.author, made.score, made.near, made.about) == ("Very.", "ann", 0.5, 0.0, {})
    assert retrieve.passage({**row, "title": None}, 0.5).body == "Hot\n\nVery."
    assert retrieve.passage({**row, "score": 0.7}).score == 0.7 and retrieve.passage(row).score == 0.0
