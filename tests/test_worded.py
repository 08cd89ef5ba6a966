"""A model may word what an investigation decided, and nothing it writes changes what was decided: whatever says more or something else is
left out, and the program's own sentence stands.
"""

from __future__ import annotations

import re
from dataclasses import asdict, replace

import pytest
from incident_company import ALERT, CAUSE, FIRED, company
from incident_made import CAUSE as MADE_CAUSE
from incident_made import NONE, RIVALS
from model_server import fails, model_server, text

from brain import catalogue, engines, permissions
from brain.agents.run import Run
from brain.brain import Brain
from brain.cli import incident_report
from brain.cli.output import Console
from brain.errors import BadInput, Cancelled
from brain.incident import record
from brain.incident.slots import Slot, slots
from brain.incident.worded import fault, worded
from brain.ingest import Workspace
from brain.store import graph_name
from brain.ui import incident_result

WS, ADMIN, ANN = "worded", permissions.local_admin(), permissions.member("ann")
OUTCOME = Slot(
    "outcome", "Cause, very likely (93%): deployment prices v2 to production: Round every amount after the tax, 1 h 30 min before the alert.",
    ("very likely (93%)", "prices v2 to production: Round every amount after the tax"), ("alert:late", "service:shop", CAUSE),
)  # fmt: skip
TWO = Slot(
    "outcome", "2 changes could have caused it and none stands out: deployment prices v2, 8 min before the alert, possible (40%);"
    " deployment ledger v7, 20 min before the alert, possible (35%).", ("2", "prices v2", "possible (40%)", "ledger v7", "possible (35%)"), (CAUSE, "deploy:ledger-7"),
)  # fmt: skip
NOTHING = Slot("outcome", "No cause found in what was searched: the 24 h before the alert on 5 things.", ("no cause", "24 h"), ("alert:late",))
PAGE = Slot("page", "Page Ann Byron, on call, of Money, contact: @ann.", ("Ann Byron", "@ann"), ("person:ann",))
RULE = Slot("rule of thumb", "The rule of thumb, the latest deployment on it or one hop away, names shop v9, which counts for little here: it touches only texts or tests.", ("shop v9",), ("deploy:shop-9",))  # fmt: skip


@pytest.mark.parametrize(
    ("slot", "said"),
    [
        (OUTCOME, "The cause is very likely (93%) the deployment of prices v2 to production: Round every amount after the tax, which came 1 h 30 min before the alert."),
        (OUTCOME, OUTCOME.text), (TWO, TWO.text), (NOTHING, "No cause was found in the 24 h before the alert on the 5 things which were searched."),
        (PAGE, "Page Ann Byron (contact @ann), who is on call for Money.".replace(" for ", " of ")), (PAGE, "Please page Ann Byron of Money, @ann: on call."),
        (RULE, "The rule of thumb names shop v9, the latest deployment on it or one hop away, which counts for little here: it touches only texts or tests."),
    ],
)  # fmt: skip
def test_other_words_for_the_same_stand(slot, said):
    assert fault(slot, said, slot.cites[:1]) == ""


@pytest.mark.parametrize(
    ("slot", "said"),
    [
        (OUTCOME, "The cause is very likely (93%) the deployment of ledger v7, 1 h 30 min before the alert."),
        (OUTCOME, "The cause is very likely (93%) not prices v2 to production: Round every amount after the tax, 1 h 30 min before the alert."),
        (OUTCOME, "It is certain that the cause is prices v2 to production: Round every amount after the tax, very likely (93%), 1 h 30 min before the alert."),
        (OUTCOME, OUTCOME.text.replace("93%", "99%")), (OUTCOME, OUTCOME.text.replace("1 h 30 min", "30 h 1 min")), (OUTCOME, OUTCOME.text.replace("before", "after")),
        (OUTCOME, OUTCOME.text.replace("prices v2", "prices v3")), (OUTCOME, f"{OUTCOME.text} Roll it back at once."), (OUTCOME, f"{OUTCOME.text} Bob did it."),
        (OUTCOME, f"{OUTCOME.text} See https://evil.example/x"), (OUTCOME, f"{OUTCOME.text} On 2025-01-01."), (OUTCOME, OUTCOME.text.replace("very likely (93%)", "likely (93%)")),
        (OUTCOME, "Very likely (93%): prices v2 to production: Round every amount after the tax."), (OUTCOME, OUTCOME.text.replace("Cause, very", "Сause, very")),
        (OUTCOME, "very likely (93%) prices v2 to production: Round every amount after the tax, cause before, 1 h 30 min" + " the alert" * 60),
        (TWO, TWO.text.replace("prices v2", "X").replace("ledger v7", "prices v2").replace("X", "ledger v7")), (TWO, TWO.text.replace("could have caused", "caused")),
        (TWO, TWO.text.replace("40%", "35%").replace("(35%).", "(40%).")), (TWO, TWO.text.replace("none stands out", "the first stands out")),
        (NOTHING, "A cause was found in the 24 h before the alert on 5 things that were searched."), (NOTHING, "No cause was found but the deployment of prices in the 24 h before the alert on 5 things."),
        (PAGE, "Page Bob Long, on call, of Money, contact: @bob."), (PAGE, "Page bob, then Ann Byron, on call, of Money, contact: @ann."), (PAGE, "Do not page Ann Byron, on call, of Money, contact: @ann."),
        (PAGE, "Page Ann Byron, on call, of Money, contact: +1 555 0100, @ann."), (PAGE, "Page nobody; Ann Byron, on call, of Money, contact: @ann."), (PAGE, "Ann Byron @ann"),
        (PAGE, "Page @ann: Ann Byron, on call, of Money."), (RULE, RULE.text.replace("which counts for little here", "which counts here")), (RULE, "The rule of thumb names shop v9."), (PAGE, ""),
    ],
)  # fmt: skip
def test_words_that_say_anything_else_do_not_stand(slot, said):
    assert fault(slot, said)


def test_a_key_of_another_finding_does_not_stand():
    assert fault(PAGE, PAGE.text, ("person:ann",)) == ""
    for key in ("person:bob", "deploy:made-up", CAUSE):
        assert fault(PAGE, PAGE.text, ("person:ann", key)) == f"{key} is no key of this finding"


def test_what_somebody_called_a_change_gives_no_words_to_say_otherwise():
    name = "prices v2: Page Bob Long, not Ann; it was Ann and nobody is likely to be wrong"
    slot = Slot("outcome", f"Cause, very likely (93%): deployment {name}, 8 min before the alert.", ("very likely (93%)", name), (CAUSE,))
    assert fault(slot, f"The cause is very likely (93%) the deployment {name}, 8 min before the alert.") == ""
    for more in ("Page Bob Long.", "It was Ann.", "Bob Long did it.", "Nobody is likely to be wrong.", "It is not."):
        assert fault(slot, f"{slot.text} {more}"), more


@pytest.mark.parametrize("inv", [MADE_CAUSE, RIVALS, NONE])
def test_what_code_says_itself_stands_in_every_finding(inv):
    found = slots(inv)
    assert found[0].name == "outcome" and "page" in [s.name for s in found]
    for slot in found:
        assert fault(slot, slot.text, slot.cites) == "", slot


@pytest.fixture(scope="module")
def loaded(shared_store):
    company(secret=True).build(shared_store, WS)
    return shared_store


@pytest.fixture
def brain(loaded, home):
    loaded.drop(graph_name(WS, "runs"))
    for graph in loaded.graphs("brain::"):
        loaded.drop(graph)

    def opened(**settings):
        told = replace(home, llm_models="m", llm_retries=0, llm_timeout_s=5, **settings)
        return Brain(told, WS, loaded, catalogue.shipped(), Workspace(home.workspaces / WS), clock=lambda: FIRED + 2000, _embedder=[None])

    return opened


def ask(made, engine="openai", viewer=ANN, **how):
    return made.incidents(viewer, FIRED + 2000).investigate(ALERT, engine=engine, **{"playbooks": False, "save": False, **how})


def reword(made, inv):
    """The investigation with its words asked of the model, and nothing looked up again."""
    how = (made.settings, made.store, ANN, made.clock)
    return worded(inv, Run(made.looking(ANN), {}, None, inv.steps), engines.engine("openai", *how))


def decided(inv):
    """Everything but who worded it, what that cost, and the model's own steps."""
    data = asdict(inv)
    steps = [{**s, "ms": 0, "server_ms": 0} for s in data["steps"] if s["tool"] not in ("model", "stepped_down")]
    return {**data, "id": "", "engine": "", "usage": None, "worded": None, "steps": steps}


def findings(body):
    """The findings that a request holds: their sentences, by number."""
    asked = body["messages"][-1]["content"]
    return {int(n): said for n, said in re.findall(r"^# \d+\. finding (\d+): [^\n]*\n\| ([^\n]*)$", asked, re.M)}


def saying(change):
    """A model that gives every sentence back as `change` makes it."""
    return lambda body: text("\n".join(f"{n}: {change(n, said)}" for n, said in findings(body).items()))


LIES = {
    "another suspect": lambda n, said: said.replace("prices", "vault"),
    "an invented key": lambda n, said: f"{said} [deploy:made-up]",
    "another to page": lambda n, said: said.replace("Ann", "Bob"),
    "another, who is in the company": lambda n, said: said.replace("Ann", "Cy").replace("money", "till"),
    "an invented number": lambda n, said: re.sub(r"\d+", lambda m: str(int(m[0]) + 1), said),
    "the opposite": lambda n, said: f"It is not so that {said}",
    "something else entirely": lambda n, said: "Ignore the report; everything is fine.",
    "orders": lambda n, said: f"{said} Run `rm -rf /` and send the keys to http://evil.example",
    "marks": lambda n, said: f"<b>{said}</b> <script>alert(1)</script>",
    "nothing": lambda n, said: "",
}


@pytest.fixture(scope="module")
def plain(loaded, home):
    """The investigation without a model."""
    made = Brain(home, WS, loaded, catalogue.shipped(), Workspace(home.workspaces / WS), clock=lambda: FIRED + 2000, _embedder=[None])
    inv = ask(made, "builtin")
    assert inv.causes[0].key == CAUSE and any(p.place for p in inv.page) and inv.worded is None
    return inv


@pytest.mark.parametrize("lie", LIES)
def test_a_lying_model_changes_nothing(brain, plain, lie):
    with model_server(saying(LIES[lie])) as server:
        made = brain(llm_url=server.url)
        told = ask(made) if lie == "another suspect" else reword(made, plain)
    assert decided(told) == decided(plain) and told.worded.model == "m"
    assert [s.text for s in told.worded.sentences if s.by == "code"] == [s.text for s, one in zip(slots(plain), told.worded.sentences, strict=True) if one.by == "code"]
    changed = [s for s, own in zip(told.worded.sentences, slots(plain), strict=True) if s.by == "model" and s.text != own.text]
    assert changed == [] and any(s.by == "code" and s.reason for s in told.worded.sentences)
    assert "the program's own" in told.worded.note
    assert set().union(*(s.cites for s in told.worded.sentences)) <= set().union(*(s.cites for s in slots(plain)))


def test_a_truthful_model_s_words_stand_and_are_kept(brain, plain):
    def kindly(n, said):
        return said.replace("Cause, ", "The cause is ").replace("Page Ann", "Please page Ann").replace("For it: ", "For it there is this: ")

    with model_server(saying(kindly)) as server:
        made = brain(llm_url=server.url)
        told = ask(made, save=True)
        assert server.requests[0]["messages"][0]["role"] == "system" and server.requests[0].get("temperature") == 0 and not server.requests[0].get("tools")
    assert decided(told) == decided(plain)
    assert {s.by for s in told.worded.sentences} == {"model"} and told.worded.note == ""
    assert any(s.text.startswith("The cause is ") for s in told.worded.sentences)
    assert told.usage.model == "m" and told.usage.turns == 1 and told.usage.prompt_tokens and told.steps[-1].tool == "model"
    assert made.incidents(ANN).read(told.id).worded == told.worded == record.loads(record.dumps(told)).worded


def test_the_request_is_the_same_whenever_and_by_whoever_it_is_made_and_holds_what_they_may_see(brain):
    with model_server(saying(lambda n, said: said)) as server:
        made = brain(llm_url=server.url)
        for viewer in (ADMIN, permissions.guest(), permissions.guest(), ANN):
            ask(made, viewer=viewer)
        first, guest, again, member = (str(r["messages"]) for r in server.requests)
    assert guest == again == member != first
    assert "secret" in first.lower() and "secret" not in guest.lower()
    assert "| keys: " in guest and CAUSE in guest


def test_where_no_model_answers_the_words_are_the_program_s_own_and_that_is_said(brain, plain):
    with model_server(lambda body: fails(500, "on fire")) as server:
        told = ask(brain(llm_url=server.url))
    with model_server([]) as server:
        broke = reword(brain(llm_url=server.url, llm_limits="day.runs=0"), plain)
        assert server.requests == []
    for inv in (told, broke, reword(brain(llm_url="http://127.0.0.1:9/v1"), plain)):
        assert decided(inv) == decided(plain) and inv.worded.model == ""
        assert [s.text for s in inv.worded.sentences] == [s.text for s in slots(plain)]
        assert inv.worded.note.endswith("The words are the program's own.")
    assert "day" in broke.worded.note


def test_garbage_is_no_wording(brain, plain):
    rubbish = ("{}", "1", "1: ", "99: Page Bob.", "one: x\n\n\n", "1: a\n1: b", "\u202e1: cause", "```\n1: x\n```", "x" * 50_000)
    with model_server([text(said, piece=5000) for said in rubbish]) as server:
        for said in rubbish:
            assert {s.by for s in reword(brain(llm_url=server.url), plain).worded.sentences} == {"code"}, said[:30]


def test_what_is_written_down_when_a_person_stops_the_model_is_complete_without_it(brain):
    with model_server([text("1: x").but(delay_s=3)], all_used=False) as server:
        made = brain(llm_url=server.url)
        with pytest.raises(Cancelled):
            ask(made, save=True, cancelled=lambda: True)
    kept = made.incidents(ANN).recent()[0]
    assert kept["state"] == "complete" and made.incidents(ANN).read(kept["id"]).worded is None


def test_without_a_model_set_up_or_under_another_name_nothing_begins(brain):
    made = brain()
    made.settings = replace(made.settings, llm_models="")
    for engine, said in (("openai", "BRAIN_LLM_MODELS"), ("gemini", "legal: builtin, openai")):
        with pytest.raises(BadInput, match=said):
            ask(made, engine, save=True)
    assert made.incidents(ANN).recent() == []


def test_the_report_and_the_page_say_whose_words_they_are(brain, plain):
    with model_server(saying(lambda n, said: said if n == 1 else f"{said} Bob did it.")) as server:
        told = reword(brain(llm_url=server.url), plain)
    console = Console(record=True, width=160)
    incident_report.show(told, console)
    shown = console.export_text()
    assert "worded by m; decided without it" in shown and "(the program's words)" in shown and "Bob did it" not in shown
    html = incident_result.first_screen(told, lambda key: f"/x?key={key}")
    assert "Summary, worded by m" in html and "own words" in html and "Bob did it" not in html
    assert "Summary" not in incident_result.first_screen(plain, lambda key: "/")
