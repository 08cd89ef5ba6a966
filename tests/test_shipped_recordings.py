"""What models said in the recordings that come with the program: each is replayed whole, and scores as it did when it was made."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace

import pytest

from brain.brain import Brain
from brain.llm import opening, recording, replaying
from brain.llm.replaying import Replay
from eval import arms, questions, records
from eval.run import run

RECORDINGS = sorted(opening.SHIPPED.glob("*.jsonl.gz"))
NAMES = [path.name.removesuffix(".jsonl.gz") for path in RECORDINGS]
LARGEST = 1_000_000
TOLD = ("engine", "state", "text", "items", "claims")


@pytest.mark.parametrize("path", RECORDINGS, ids=NAMES)
def test_a_shipped_recording_gives_the_run_that_was_made_with_it(path, demo, tmp_path, monkeypatch):
    made = records.load(path.name.removesuffix(".jsonl.gz"))
    known = {(q.id, q.question): q for shipped in questions.shipped().values() for q in questions.load(shipped)}
    asked = [known[name, by_arm[made.arms[0]]["question"]] for name, by_arm in made.by_question().items()]
    heard, answer = set(), Replay.handle_request

    def listening(self, request):
        heard.add(self.recorded.find(recording.parsed(request.read())))
        return answer(self, request)

    monkeypatch.setattr(Replay, "handle_request", listening)
    brain = Brain.open(opening.as_recorded(replace(demo.settings, llm_replay=str(path))), demo.workspace)
    try:
        guest = brain.viewer("guest")
        again = run(asked, made.arms, arms.asker(brain, lambda own: guest, "openai"), tmp_path, engine="openai")
    finally:
        brain.close()
    for before, after in zip(made.records, again.records, strict=True):
        assert (after["id"], after["arm"], after["error"], after["score"]) == (before["id"], before["arm"], before["error"], before["score"])
        assert not before["answer"] or {k: after["answer"][k] for k in TOLD} == {k: before["answer"][k] for k in TOLD}
        assert after["rights"]["access"] in ([], ["open"]), "a shipped run may be seen by anybody"
    for part in ("verdict", "pairs", "models"):
        assert again.summary[part] == made.summary[part]
    assert heard == set(replaying.load(path).replies), "something in the recording was never asked for"


@pytest.mark.parametrize("path", RECORDINGS, ids=NAMES)
def test_a_shipped_recording_is_small_and_holds_no_address_key_or_path(path):
    whole = gzip.decompress(path.read_bytes()).decode("utf-8")
    assert path.stat().st_size < LARGEST
    for what in (r"[\w.+-]+@[\w-]+\.[a-z]{2,}", r"\bsk-\w{8}", r"(?i)authorization|bearer ", r"/(home|root|tmp|Users|work)/", r"127\.0\.0\.1|localhost"):
        assert not re.search(what, whole), f"{path.name} holds {re.search(what, whole)[0]!r}"
