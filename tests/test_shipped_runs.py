"""The runs in the repository: whole, of the question sets beside them, and scored again to what their summary says."""

import json
from dataclasses import asdict

import pytest

from eval import questions, records
from eval.incidents import replay
from eval.incidents import run as replays
from eval.incidents.scoring import Named, Said
from eval.incidents.scoring import score as rescore
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


REPLAYED = replays.names()


def test_at_least_one_run_of_replayed_alerts_ships():
    assert REPLAYED


@pytest.mark.parametrize("name", REPLAYED)
def test_a_shipped_run_of_alerts_scores_again_to_what_its_summary_says(name):
    records, again = replays.load(replays.RUNS / name)
    kept = json.loads((replays.RUNS / name / replays.SUMMARY).read_text(encoding="utf-8"))
    known = {r.id: r for r in replay.load(replay.SETS / f"{kept['set']}.jsonl")}
    assert {r["id"] for r in records} == known.keys() and len(records) == len(known) * len(again["arms"])
    for record in records:
        told = record["said"]
        said = Said(**{**told, "named": tuple(Named(**{**n, "path": tuple(n["path"])}) for n in told["named"])})
        stood = None if record["score"]["grounded"] is None and said.named else lambda way, r=record: bool(r["score"]["grounded"])
        assert asdict(rescore(known[record["id"]], said, stood)) == record["score"], (record["id"], record["arm"])
        assert record["rights"]["access"] in ([], ["open"]), "a shipped run may be seen by anybody"
    assert again == kept


def asked(run):
    return {record["question"] for record in run.records}
