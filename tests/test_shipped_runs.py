"""The runs in the repository: whole, of the question sets beside them, and scored again to what their summary says."""

import pytest

from eval import questions, records
from eval.scores import score
from eval.summary import summarise

SHIPPED = records.names()


def test_at_least_one_run_ships():
    assert SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_run_scores_again_to_what_its_summary_says(name):
    run = records.load(name)
    sets = {q.id: q for path in questions.shipped().values() for q in questions.load(path) if q.question in asked(run)}
    assert len(run.records) == len(run.by_question()) * len(run.arms)
    for record in run.records:
        question = sets[record["id"]]
        assert list(question.gold) == [tuple(g) if isinstance(g, list) else g for g in record["gold"]], record["id"]
        again = score(question, record["answer"])
        assert (again.value, again.support) == (record["score"]["value"], record["score"]["support"]), record["id"]
    made = summarise(run.records)
    assert made["categories"] == run.summary["categories"] and made["verdict"] == run.summary["verdict"]


def asked(run):
    return {record["question"] for record in run.records}
