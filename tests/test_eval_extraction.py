"""The labelled texts: what each states passes every check, what tempts a careless reader passes none, and a model is measured by both."""

import json
from datetime import UTC, datetime

import pytest

from brain.errors import ModelDown
from brain.extract import predicates
from brain.llm.talk import Reply
from eval.extraction import labelled
from eval.extraction.measure import Measured, Score, measure, summary

TEXTS, THINGS = labelled.load()
NAMES = labelled.names(THINGS)


def day(at):
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d") if at is not None else ""


def called(text, key):
    """What the text calls a thing."""
    forms = [key.partition(":")[2], *(THINGS[key] or ())]
    said = "\n".join(ln.text for ln in text.part.lines).lower()
    first = [f.split()[0] for f in forms if key.startswith("person:")]
    return next((f for f in [*forms, *first] if f.lower() in said), "I")


def told(text, subject, predicate, object_, start=None, until=None):
    lines = [ln.text.lower() for ln in text.part.lines]
    at = max(range(len(lines)), key=lambda n: (sum(x.lower() in lines[n] for x in (subject, object_)), n))
    return {"line": at + 1, "quote": text.part.lines[at].text, "subject": subject, "predicate": predicate, "object": object_,
            "from": day(start), "until": day(until - 1) if until is not None else "", "why": ""}  # fmt: skip


def gold(text):
    claims = [told(text, called(text, g.src), g.rel, called(text, g.dst), g.start, g.until) for g in text.states]
    writer = "I" if text.part.about.startswith("thread:") else ""
    lines = text.part.lines
    decisions = [
        {"line": d.line, "quote": lines[d.line - 1].text, "title": lines[d.line - 1].text, "by": writer, "about": [],
         "because": [{"line": n, "quote": lines[n - 1].text} for n in d.because]}
        for d in text.decides
    ]  # fmt: skip
    return {"claims": claims, "decisions": decisions}


def tempting(text):
    """Gold, and every claim that tempts, with the whole line as its quotation and with no more than the words that tempt."""
    made = gold(text)
    for subject, predicate, object_ in text.tempts:
        claim = told(text, subject, predicate, object_)
        start, end = claim["quote"].lower().find(subject.lower()), claim["quote"].lower().find(object_.lower())
        made["claims"] += [claim] + ([{**claim, "quote": claim["quote"][start : end + len(object_)]}] if 0 <= start < end else [])
    if text.kind == "decision" and not text.decides:
        one, two = (ln.text for ln in text.part.lines)
        made["decisions"] = [{"line": 1, "quote": one, "title": one, "by": "", "about": [], "because": [{"line": 2, "quote": two}]}]
    return made


class Says:
    """A model that knows the set."""

    def __init__(self, text, said):
        self.reply = json.dumps(said(text))

    def ask(self, request, on_text=None, cancelled=lambda: False):
        return Reply(self.reply, model="knows")


def one(text, said):
    return measure([text], NAMES, lambda: Says(text, said))[0]


@pytest.mark.parametrize("text", TEXTS, ids=lambda t: t.id)
def test_what_a_text_states_stands_up_to_every_check(text):
    found = one(text, gold)
    assert (found.wrong, found.missing, found.refused, found.unsettled) == ((), (), (), 0)
    assert found.decisions.right == found.decisions.gold and found.reasons.right == found.reasons.gold


@pytest.mark.parametrize("text", [t for t in TEXTS if t.tempts or t.kind == "decision"], ids=lambda t: t.id)
def test_what_tempts_a_careless_reader_does_not_stand(text):
    found = one(text, tempting)
    assert (found.wrong, found.missing) == ((), ())
    assert found.decisions.stood == found.decisions.gold
    assert found.refused or found.unsettled or not text.tempts


def test_the_set_has_every_kind_of_text_and_every_relation_in_it_may_be_proposed():
    assert len(TEXTS) >= 40 and len({t.id for t in TEXTS}) == len(TEXTS)
    assert {"plain", "negated", "past", "hypothetical", "reported", "question", "alike", "nothing", "decision"} <= {t.kind for t in TEXTS}
    rels = {g.rel for t in TEXTS for g in t.states} | {rel for t in TEXTS for _, rel, _ in t.tempts}
    assert rels <= set(predicates.OFFERED)


def test_a_model_that_says_nothing_finds_nothing_and_one_that_does_not_answer_is_told():
    silent = measure(TEXTS[:3], NAMES, lambda: Says(TEXTS[0], lambda text: {"claims": [], "decisions": []}))
    told = summary(silent)
    assert (told["claims"]["precision"], told["claims"]["recall"], told["claims"]["gold"]) == (None, 0.0, 3)

    class Down:
        def ask(self, *args):
            raise ModelDown("nobody there")

    down = summary(measure(TEXTS[:2], NAMES, Down))
    assert down["failed"] == 2 and down["claims"]["recall"] == 0.0 and set(down["errors"].values()) == {"nobody there"}


def test_a_claim_that_holds_at_another_time_than_the_text_says_is_wrong():
    text = next(t for t in TEXTS if t.id == "dated-1")
    found = one(text, lambda t: {"claims": [{**gold(t)["claims"][0], "from": ""}], "decisions": []})
    assert found.claims == Score(0, 1, 1) and found.wrong and found.missing


def test_shares_are_of_all_texts_together_not_means_of_means():
    found = [Measured(str(n), "k", Score(r, s, g), Score(0, 0, 0), Score(0, 0, 0), (), (), (), 0) for n, (r, s, g) in enumerate(((1, 1, 1), (1, 4, 9)))]
    assert summary(found)["claims"] == {"right": 2, "stood": 5, "gold": 10, "precision": 0.4, "recall": 0.2}
