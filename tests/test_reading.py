"""Having slices read: once each, a few at a time, and never more than the budget allows; what was read is kept whatever happens next."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from extract_company import Reads, reply

from brain.errors import BadInput, BudgetSpent, Cancelled, ModelDown
from brain.extract import predicates, prompt, proposals
from brain.extract.kept import Kept, Reading
from brain.extract.reading import IN_VAIN, Reader, in_force, unread
from brain.extract.slices import Line, Slice
from brain.llm.talk import Reply

PARTS = [Slice(f"doc:{n}.md", "A page", (Line(f"doc:{n}.md", "body", 1, f"This is text number {n} of many."),)) for n in range(8)]


@pytest.fixture
def kept(tmp_path):
    return Kept(tmp_path / "extracted")


def reader(kept, model, **how):
    return Reader(kept, lambda: model, "tiny-1", lambda: 5.0, **how)


def left(kept, asked="tiny-1", parts=PARTS):
    return list(unread(parts, kept.readings(), asked))


def empty(prompt):
    return reply()


def test_a_second_run_over_unchanged_texts_asks_nothing(kept):
    model = Reads(empty)
    spent = reader(kept, model).read(left(kept))
    assert (spent.asked, spent.prompt_tokens, round(spent.usd, 6), spent.left, spent.stopped) == (8, 800, 0.008, 0, "")
    assert left(kept) == [] and reader(kept, model).read(left(kept)).asked == 0 and len(model.asked) == 8


def test_a_changed_line_another_model_or_another_wording_is_read_and_the_rest_is_not(kept, monkeypatch):
    reader(kept, Reads(empty)).read(PARTS)
    changed = [Slice(PARTS[0].about, PARTS[0].title, (Line("doc:0.md", "body", 1, "This text says something else."),)), *PARTS[1:]]
    assert left(kept, parts=changed) == changed[:1]
    assert left(kept, asked="other") == PARTS
    monkeypatch.setattr(prompt, "version", lambda: "another")
    assert left(kept) == PARTS


def test_two_slices_that_say_the_same_are_asked_about_once(kept):
    assert left(kept, parts=[PARTS[0], PARTS[0], PARTS[1]]) == PARTS[:2]


def test_the_same_slice_is_asked_with_the_same_words_every_time():
    first, again = (prompt.request(PARTS[3]) for _ in range(2))
    assert first == again and prompt.version() == prompt.version()
    assert "1: This is text number 3 of many." in first.messages[-1].text and first.schema["required"] == ["claims", "decisions"]


def test_the_examples_a_model_is_shown_quote_their_own_lines_and_use_what_may_be_used():
    _, *shown, _ = prompt.request(PARTS[0]).messages
    assert [m.role for m in shown] == ["user", "assistant"] * (len(shown) // 2) and len(shown) >= 4
    for asked, said in zip(shown[::2], shown[1::2], strict=True):
        found = proposals.read(said.text)
        lines = {int(m[1]): m[2] for m in re.finditer(r"^\| (\d+): (.*)$", asked.text, re.MULTILINE)}
        quoted = [*(c.said for c in found.claims), *(q for d in found.decisions for q in (d.said, *d.because))]
        assert found.unreadable == () and all(lines[q.line] == q.quote for q in quoted)
        assert {c.predicate for c in found.claims} <= set(predicates.OFFERED)
        assert all(name in lines[c.said.line] for c in found.claims for name in (c.subject, c.object))


def test_no_more_slices_are_read_at_once_than_is_said(kept):
    running, most, lock = [0], [0], threading.Lock()

    class Slow(Reads):
        def ask(self, request, on_text=None, cancelled=lambda: False):
            with lock:
                running[0] += 1
                most[0] = max(most[0], running[0])
            time.sleep(0.05)
            with lock:
                running[0] -= 1
            return super().ask(request)

    assert reader(kept, Slow(empty), parallel=3).read(PARTS).asked == 8
    assert most[0] == 3


def test_a_spent_budget_stops_cleanly_and_the_rest_is_done_the_next_time(kept):
    class Poor(Reads):
        def ask(self, request, on_text=None, cancelled=lambda: False):
            if len(self.asked) >= 3:
                raise BudgetSpent("today's budget for models is spent")
            return super().ask(request)

    spent = reader(kept, Poor(empty), parallel=1).read(PARTS)
    assert (spent.asked, spent.left) == (3, 5) and "today's budget" in spent.stopped
    rich = Reads(empty)
    assert reader(kept, rich).read(left(kept)).asked == 5 and len(rich.asked) == 5


def test_where_no_model_answers_it_is_given_up_after_a_few_and_nothing_counts_as_read(kept):
    class Down(Reads):
        def ask(self, request, on_text=None, cancelled=lambda: False):
            self.asked.append(request)
            raise ModelDown("nobody there")

    model = Down()
    spent = reader(kept, model, parallel=1).read(PARTS)
    assert spent.asked == 0 and len(model.asked) == IN_VAIN and "nobody there" in spent.stopped and len(left(kept)) == 8


def test_a_slice_that_fails_once_is_read_the_next_time_and_the_others_now(kept):
    class Shaky(Reads):
        def ask(self, request, on_text=None, cancelled=lambda: False):
            if "number 2" in request.messages[-1].text:
                raise ModelDown("a hiccup")
            return super().ask(request)

    spent = reader(kept, Shaky(empty), parallel=1).read(PARTS)
    assert (spent.asked, spent.failed, spent.stopped, spent.left) == (7, ["a hiccup"], "", 1) and left(kept) == [PARTS[2]]


@pytest.mark.parametrize("finish", ["cut", "too_long"])
def test_a_reply_that_did_not_come_whole_is_not_kept(kept, finish):
    class Cut(Reads):
        def ask(self, request, on_text=None, cancelled=lambda: False):
            return Reply('{"claims": [', finish=finish, model="tiny-1")

    assert reader(kept, Cut()).read(PARTS[:1]).asked == 0 and kept.readings() == []


def test_who_stops_it_keeps_what_was_read(kept):
    model = Reads(empty)
    spent = reader(kept, model, parallel=1).read(PARTS, cancelled=lambda: len(model.asked) >= 2)
    assert spent.stopped and 2 <= spent.asked < 8 and len(left(kept)) == 8 - spent.asked

    class Stopped(Reads):
        def ask(self, request, on_text=None, cancelled=lambda: False):
            raise Cancelled("stopped")

    assert reader(kept, Stopped()).read(left(kept)).asked == 0


def test_what_was_read_before_a_kill_is_not_read_again(kept, tmp_path):
    """The process is killed in the middle of a slice, with no chance to tidy up, and a line it was writing is torn."""
    script = tmp_path / "run.py"
    script.write_text(
        f"import sys, time; sys.path[:0] = [{str(Path(__file__).parent)!r}, {str(Path(__file__).parent.parent)!r}]\n"
        "import test_reading as t\nfrom pathlib import Path\n"
        "class Slow(t.Reads):\n"
        "    def ask(self, request, on_text=None, cancelled=lambda: False):\n"
        "        print('asked', flush=True)\n"
        "        time.sleep(60 if len(self.asked) >= 3 else 0)\n"
        "        return super().ask(request)\n"
        "t.reader(t.Kept(Path(sys.argv[1])), Slow(t.empty), parallel=1).read(t.PARTS)\n",
        "utf-8",
    )
    with subprocess.Popen([sys.executable, str(script), str(kept.folder)], stdout=subprocess.PIPE, text=True) as running:
        for _ in range(4):
            assert running.stdout.readline() == "asked\n"
        os.kill(running.pid, signal.SIGKILL)
        running.wait(20)
    with (kept.folder / "replies.jsonl").open("ab") as torn:
        torn.write(b'{"slice":"half a li')
    assert left(kept) == PARTS[3:]
    model = Reads(empty)
    assert reader(kept, model).read(left(kept)).asked == 5 and left(kept) == []
    assert all(json.loads(line) for n, line in enumerate((kept.folder / "replies.jsonl").read_bytes().splitlines()) if n != 3)


def test_the_last_reply_to_a_slice_counts_and_what_is_gone_is_forgotten(kept):
    for model in ("one", "two"):
        kept.add(Reading(PARTS[0].name, "w", model, model, "{}"))
    kept.add(Reading("of a text that is gone", "w", "one", "one", "{}"))
    assert in_force(kept.readings())[PARTS[0].name].model == "two"
    kept.prune([PARTS[0].name])
    assert [r.slice for r in kept.readings()] == [PARTS[0].name] * 2


def test_one_extraction_at_a_time(kept):
    with kept.lock(), pytest.raises(BadInput, match="another extraction"):
        Kept(kept.folder).lock()
