"""Whole questions over a small company, several wordings of each kind; every answer's claims must stand."""

from __future__ import annotations

import pytest


def people(*logins):
    return {f"person:{login}" for login in logins}


def services(*names):
    return {f"service:{name}" for name in names}


@pytest.mark.parametrize(
    ("question", "items"),
    [
        # who answers for it, now and then
        ("Who owns event-bus?", {"team:platform"}),
        ("Which team has the event bus?", {"team:platform"}),
        ("event bus: who answers for it?", {"team:platform"}),
        ("Who leads event-bus technically?", people("leilaf")),
        ("gate-control's owner, please?", {"team:gates"}),
        ("Who owns asset-register?", people("pnolan")),
        ("Somebody must know asset-register. Whom can I talk to?", people("pnolan")),
        ("Which services does Platform own?", services("event-bus", "gauge-store", "metrics-store", "site-gateway")),
        ("Name what the duty team is in charge of.", services("rota")),
        ("Does Platform own gauge-store?", {"yes"}),
        ("Which services have no owner who is still here?", services("asset-register", "callout-engine", "left-alone")),
        ("Name the orphaned services.", services("asset-register", "callout-engine", "left-alone")),
        ("For which services is nobody responsible any more?", services("asset-register", "callout-engine", "left-alone")),
        # what services are
        ("Which tier 2 services does Platform own?", services("metrics-store")),
        ("Tier 1 services of the Platform team, please.", services("event-bus", "gauge-store", "site-gateway")),
        ("How many tier 3 services are there?", {"1"}),
        ("Is metrics-store a tier 1 service?", {"no"}),
        ("Which tier 2 services would be hit if event-bus fails?", services("tide-model")),
        ("Which service needs the most other services directly?", services("gate-control", "threshold-watch")),
        ("Does Barnaby Quill own event-bus?", {"no"}),
        ("Does Platform run any tier 3 services?", {"no"}),
        ("Which teams own tier 2 services?", {"team:gates", "team:platform", "team:boards", "team:duty"}),
        ("What kind of thing is event-bus?", {"service"}),
        ("Which services are part of messaging?", services("event-bus")),
        ("Which tier 1 services does Leila Farahani lead?", services("event-bus")),
        ("Who comes next in line after the primary of Platform?", people("mcoelho")),
        # one source alone
        ("According to the catalogue, who owns asset-register?", people("leoquist")),
        # documents are kept, which is another thing
        ('Who keeps "Restart a site gateway" up to date?', people("rachterberg")),
        ("Who maintains docs/runbooks/site-gateway-restart.md?", people("rachterberg")),
        # on call and paging
        ("Who is on call for platform?", people("ayobrandt")),
        ("Who had the on-call duty of Platform on 15 November 2025?", people("jwhitlock")),
        ("Who is the secondary on call for Platform?", people("mcoelho")),
        ("Who will be on call for the platform team on 2025-12-10?", people("mcoelho")),
        ("event-bus does not answer, whom do I ring?", people("ayobrandt")),
        ("Whom should be woken when event-bus breaks?", people("ayobrandt")),
        # belonging
        ("In which team does Marguerite Oyelaran work?", {"team:boards"}),
        ("Which team was Marguerite Oyelaran in on 2025-04-01?", {"team:platform"}),
        ("Has Leopold Quist left?", {"yes"}),
        ("When did Leopold Quist leave?", {"2025-09-14"}),
        # what needs what
        ("Which services need event-bus directly?", services("gate-control", "gauge-store")),
        ("What would suffer if event-bus broke?", services("gate-control", "gauge-store", "operator-console", "threshold-watch", "tide-model")),
        ("What does threshold-watch rely on directly?", services("gauge-store", "notify-dispatch")),
        ("How many services depend directly on event-bus?", {"2"}),
        ("Does threshold-watch need event-bus?", {"yes"}),
        ("Does event-bus need threshold-watch?", {"no"}),
        ("If event-bus fails, is threshold-watch affected?", {"yes"}),
        ("By which way over dependencies is threshold-watch connected to event-bus?", services("gauge-store")),
        ("Who are the technical leads of the services that gate-control needs?", people("leilaf", "vhalloran")),
        # decisions
        ("Is ADR-7 still in force?", {"yes"}),
        ("Is decision 2 still valid?", {"no"}),
        ("What superseded ADR 2?", {"decision:docs/adr/0009-poll-by-group"}),
        ("Which decision did ADR-9 replace?", {"decision:docs/adr/0002-poll-every-second"}),
        ("Who decided ADR-7?", people("leilaf", "mcoelho")),
        ("When was ADR-0007 decided?", {"2025-03-25"}),
        ("What is the status of ADR-14?", {"proposed"}),
        ("Was ADR-15 rejected?", {"yes"}),
        # rules
        ("What is the ticket claim deadline?", {"4 hours"}),
        ("How long may a ticket stay unclaimed, by the claim deadline?", {"4 hours"}),
        ("Which ticket claim deadline held on 1 March 2025?", {"8 hours"}),
        ("What will the ticket claim deadline be on 2025-12-20?", {"2 hours"}),
        ("What is the diagnosis deadline?", {"24 hours"}),
        ("What was the ticket claim deadline before?", {"8 hours"}),
        # tickets, alerts, deployments, chat
        ("Who resolved OPS-2?", people("hyejinp")),
        ("By whom was OPS-1 checked?", people("hyejinp")),
        ("Whose tickets were most often map-tiles ones? Who has handled most?", people("pnolan")),
        ("Which service does OPS-187 concern?", services("tide-model")),
        ("Where in the chat was OPS-190 talked about?", {"channel:incidents"}),
        ("Is OPS-190 still open?", {"yes"}),
        ("Which deploys went to event-bus in October 2025?", {"deploy:event-bus-20251015-1000"}),
        ("Which alerts went off on threshold-watch?", {"alert:0e06d5f413d88dc9"}),
        ("Which service did ThresholdEvaluationLag fire on?", services("threshold-watch")),
        ("Which tickets of event-bus are open?", {"ticket:OPS-190"}),
        ("List the incidents that hit threshold-watch.", {"incident:INC-3"}),
        # what went wrong in a stretch of time, and an incident that is described
        ("What went wrong on 29 November 2025?", {"alert:0e06d5f413d88dc9"}),
        ("Was there any trouble in the week of 18 March 2025?", {"yes"}),
        ("Did anything break in the two days before 1 February 2025?", {"no"}),
        ("Which services had problems in March 2025?", services("threshold-watch")),
        ("When did the outage with the late thresholds begin?", {"2025-03-18"}),
        ("How severe was the incident of 18 March 2025?", {"SEV1"}),
    ],
)  # fmt: skip
def test_a_question_about_a_company_is_answered(answer, question, items):
    a = answer(question)
    assert (set(a.items), a.state) == (items, "answered"), a.text
    assert not a.dropped and a.claims, [c.reason for c in a.dropped]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Could you ask Rosalind Achterberg, since she is the technical lead of site-gateway, to restart it?", ["Viktor Halloran"]),
        ("As event-bus's owner, Barnaby Quill should know. What can he do?", ["Nobody called Barnaby Quill", "Platform"]),
        ("Given that the Kraken team owns event-bus, may they restart it?", ["Nobody called Kraken", "Platform"]),
        ("Should Rosalind Achterberg, who owns site-gateway, restart it?", ["Viktor Halloran", "Restart a site gateway", "Ayodele Brandt"]),
        ("site-gateway belongs to Rosalind Achterberg, so may she roll it back?", ["Viktor Halloran"]),
        ("As the technical lead of event-bus, can Marguerite Oyelaran approve this?", ["Leila Farahani", "2025-06-01"]),
        ("Can Leopold Quist, the owner of asset-register, have a look?", ["left on 2025-09-14", "Pádraig Nolan"]),
        ("Since Marguerite Oyelaran is in Platform, shall we invite her?", ["Boards and Billing"]),
        ("Since ADR-2 is in force, do we poll every second?", ["superseded", "0009"]),
        ("Given that the ticket claim deadline is 8 hours, am I late?", ["4 hours"]),
        ("With a claim deadline of 8 hours for tickets, what happens next?", ["4 hours"]),
        ("Because gate-control depends on map-tiles, must we stop it first?", ["event-bus"]),
    ],
)
def test_what_is_wrongly_taken_for_granted_is_corrected_with_what_is_so(answer, question, said):
    a = answer(question)
    assert a.state == "premise_corrected" and all(words in a.text for words in said), a.text
    assert not a.dropped, [(c.text, c.reason) for c in a.dropped]


@pytest.mark.parametrize(
    "question",
    [
        "As the technical lead of event-bus, can Leila Farahani approve a restart?",
        "Should Viktor Halloran, who leads site-gateway technically, be asked first?",
        "Since ADR-7 is accepted, do we have to follow it?",
        "Given that the ticket claim deadline is four hours, are we late?",
        "threshold-watch needs event-bus, so should we wait?",
    ],
)
def test_what_is_rightly_taken_for_granted_is_confirmed(answer, question):
    a = answer(question)
    assert a.state == "answered" and a.claims and not a.dropped, a.text


@pytest.mark.parametrize(
    "question",
    [
        "Who owns quay-lights?",
        "What depends on harbour-radar?",
        "Whom do I page for soil-probe?",
        "Is ADR-99 still in force?",
        "Who handled OPS-4711?",
        "What is the dress code right now?",
        "Who was on call for Platform on 2024-02-01?",
        "Who owns left-alone?",
        "Which deploys did soil-probe have?",
        "How many tickets does Kraken have?",
        'List the alerts of "pond-watcher".',
        "Is anything using the gauge-readings API?",
    ],
)
def test_what_nobody_recorded_is_not_answered(answer, question):
    a = answer(question)
    assert a.state == "insufficient" and not a.items, a.text


def test_both_sides_of_a_conflict_are_named_the_higher_authority_first(answer):
    a = answer("Which rules contradict each other about the change freeze window?")
    assert set(a.items) == {"Friday 15:00 to Monday 08:00", "Friday 12:00 to Monday 06:00"}, a.text
    assert a.text.index("15:00") < a.text.index("12:00") and not a.dropped


def test_two_deadlines_of_different_kinds_are_no_conflict(answer):
    a = answer("Do any rules contradict each other about the diagnosis deadline?")
    assert a.items == ("no",), a.text


def test_an_owner_is_told_with_sources_side_by_side_and_their_quotes(answer):
    a = answer("Who owns event-bus?")
    assert {"doc:catalog/all.yaml", "doc:docs/registry/services.md"} <= {c for claim in a.claims for c in claim.cites}
    assert any(q.text for claim in a.claims for q in claim.quotes)


def test_what_a_document_says_is_quoted_with_its_line(answer):
    a = answer("What does the runbook on late thresholds say about whom to page?")
    assert a.state == "answered" and any("Page Marguerite" in q.text for claim in a.claims for q in claim.quotes), a.text
