"""What a company's names, numbers and ids link to, and when a word that is also something else is meant as one."""

from __future__ import annotations

import pytest

from brain.text import lexicon
from brain.text.linking import Linker

THINGS = [
    {"key": "service:pot-kiln", "label": "Service", "names": ["pot-kiln"], "number": None},
    {"key": "service:wheel", "label": "Service", "names": ["wheel"], "number": None},
    {"key": "team:glaze", "label": "Team", "names": ["Glaze"], "number": None},
    {"key": "team:clay-room", "label": "Team", "names": ["Clay Room"], "number": None},
    {"key": "role:technical-lead", "label": "Role", "names": ["Technical lead"], "number": None},
    {"key": "channel:workshop", "label": "Channel", "names": ["workshop"], "number": None},
    {"key": "doc:docs/adr/0007-fire-twice.md", "label": "Doc", "names": ["7. Fire every pot twice", "docs/adr/0007-fire-twice.md"], "number": None},
    {"key": "doc:docs/runbooks/cold-kiln.md", "label": "Doc", "names": ["Cold kiln", "docs/runbooks/cold-kiln.md"], "number": None},
    {"key": "decision:docs/adr/0007-fire-twice", "label": "Decision", "names": ["7. Fire every pot twice"], "number": 7},
    {"key": "decision:old/adr/0009-salt", "label": "Decision", "names": ["Salt the glaze"], "number": 9},
    {"key": "decision:new/adr/0009-ash", "label": "Decision", "names": ["Ash in the glaze"], "number": 9},
    {"key": "rule:docs-policies-a/drying-time", "label": "Rule", "names": ["Drying time"], "number": None},
    {"key": "rule:docs-policies-b/drying-time", "label": "Rule", "names": ["Drying time"], "number": None},
]
REPOS = [{"key": "repo:acme/wheel", "aliases": None}]
PEOPLE = [{"key": "person:ann", "login": "ann", "name": "Ann Potter", "names": [], "bot": False}]
ACCOUNTS = [{"key": "person:ann", "handle": "potty", "names": ["Annie P."]}]
EVENTS = [("ticket:OPS-12", "Ticket", ["ops-12"]), ("alert:9f@1", "Alert", ["kilncold", "9f00aa11bb22cc33"]), ("deploy:wheel-20260101-0101", "Deploy", ["wheel-20260101-0101"])]


def ask(query, **params):
    if query == "things_named":
        return [{"key": k, "label": label, "forms": [f for f in forms if f in params["names"]]} for k, label, forms in EVENTS if set(forms) & set(params["names"])]
    return [{"key": "ticket:OPS-1"}] if query == "ids_begun" and "ticket:OPS-" in params["begins"] else []


@pytest.fixture(scope="module")
def link():
    lex = lexicon.build(REPOS, PEOPLE, [], [], [], [], THINGS, ACCOUNTS)
    return lambda question: Linker(lex, ask).link(question)


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("Who owns pot-kiln?", ["service:pot-kiln"]),
        ("Who owns the pot kiln?", ["service:pot-kiln"]),
        ("Who owns the wheel service?", ["service:wheel"]),
        ("What depends on wheel?", ["service:wheel"]),
        ("Which pull requests in wheel are open?", ["repo:acme/wheel"]),
        ("Who is in the glaze team?", ["team:glaze"]),
        ("Who is on call for Glaze?", ["team:glaze"]),
        ("Is the glaze too thin?", []),
        ("What does the Clay Room do?", ["team:clay-room"]),
        ("Who is the technical lead of pot-kiln?", ["service:pot-kiln"]),
        ("Who holds the role technical lead?", ["role:technical-lead"]),
        ("What was said in #workshop?", ["channel:workshop"]),
        ("Is ADR-7 valid?", ["decision:docs/adr/0007-fire-twice"]),
        ("Is ADR 0007 valid?", ["decision:docs/adr/0007-fire-twice"]),
        ("Is decision 7 valid?", ["decision:docs/adr/0007-fire-twice"]),
        ("Why do we fire every pot twice?", ["decision:docs/adr/0007-fire-twice"]),
        ("What says decision 9 about ash?", ["decision:new/adr/0009-ash"]),
        ("What does docs/runbooks/cold-kiln.md say?", ["doc:docs/runbooks/cold-kiln.md"]),
        ("What does the cold kiln runbook say?", ["doc:docs/runbooks/cold-kiln.md"]),
        ("What is the drying time?", ["rule:docs-policies-a/drying-time"]),
        ("Who handled OPS-12?", ["ticket:OPS-12"]),
        ("who handled ops-12", ["ticket:OPS-12"]),
        ("What did KilnCold fire on?", ["alert:9f@1"]),
        ("alert 9f00aa11bb22cc33, please", ["alert:9f@1"]),
        ("What did wheel-20260101-0101 bring?", ["deploy:wheel-20260101-0101"]),
        ("What did @potty say?", ["person:ann"]),
    ],
)
def test_a_name_links_to_what_bears_it(link, question, keys):
    assert [m.keys[0] for m in link(question).mentions] == keys


def test_rules_of_one_name_are_all_meant(link):
    assert len(link("What is the drying time?").mentions[0].keys) == 2


@pytest.mark.parametrize(
    ("question", "unknown"),
    [("Who handled OPS-99?", ["OPS-99"]), ("Is ADR-99 valid?", ["ADR-99"]), ("What is UTF-8?", []), ("What is the LX-40 sensor?", []), ("ticket ABC-1", ["ABC-1"])],
)
def test_an_id_that_nothing_has_is_unknown_only_where_one_is_meant(link, question, unknown):
    assert [text for text, _ in link(question).unknown] == unknown


def test_without_a_company_nothing_of_it_is_looked_for():
    lex = lexicon.build(REPOS, PEOPLE, [], [], [], [])
    links = Linker(lex, lambda query, **params: []).link("Is ADR-7 about OPS-12 in #workshop?")
    assert not links.mentions and not links.unknown
