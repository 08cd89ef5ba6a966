"""The leak probe against a company with restricted things in it: it finds nothing, and everything once the rule is weakened."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from small_company import build
from small_graph import CANARY, NOW
from typer.testing import CliRunner

from brain import catalogue, permissions
from brain.audit import probe, record
from brain.audit.calls import Call, asked_for, calls, hidden_claims, investigations, investigations_of_others
from brain.audit.personas import personas
from brain.audit.probing import made_up, probes, questions
from brain.audit.secrets import Secrets, Thing, Told, everything, own_words, tokens
from brain.audit.unfiltered import unfiltered
from brain.brain import Brain
from brain.catalogue import Catalogue
from brain.cli.app import app
from brain.errors import BadInput, Cancelled
from brain.ingest import Workspace
from brain.known import Known
from brain.types import Viewer

MEMBER = permissions.member("m")
ASKED = [("Who owns map-tiles?", None), ("What is the ticket claim deadline?", None), ("How many tickets are about map-tiles?", None),
         ("Who knows internal/modbus best?", None), ("Why do batches on the event bus close within two seconds?", None)]  # fmt: skip


def opened(store, home, workspace, queries=None):
    return Brain(home, workspace, store, queries or catalogue.load(), Workspace(home.workspaces / workspace), clock=lambda: NOW)


@pytest.fixture(scope="module")
def company(shared_store, home):
    """The small company with what is restricted in it, opened to nobody, to a group, and without a label."""
    for kind in ("restricted", "aud", "unlabelled"):
        build(shared_store, f"probe-{kind}", kind)
    return {kind: opened(shared_store, home, f"probe-{kind}") for kind in ("restricted", "aud", "unlabelled")}


@pytest.fixture(scope="module")
def in_the_demo(demo):
    """Everything that the demo holds, read once: nobody changes it here."""
    return everything(demo.store, demo.workspace)


@pytest.fixture(scope="module")
def secrets(company, shared_store):
    things = everything(shared_store, "probe-aud")
    return Secrets.of(MEMBER, things), things


def test_at_least_sixty_probes_are_written_down_and_name_nobody():
    known = {t for said in own_words() for t in said}
    assert len(probes()) >= 60 and len({p.kind for p in probes()}) >= 15
    assert len({p.ask + p.then for p in probes() if not (p.at or p.known)}) == len([p for p in probes() if not (p.at or p.known)])
    strange = {w for p in probes() for w in tokens(re.sub(r"\{\w+\}", "", p.ask + p.then)) if w not in known}
    assert not {w for w in strange if w in tokens("escrow trust leads notary headcount")}


def test_what_is_hidden_is_known_and_what_anybody_may_read_is_no_secret(secrets):
    found, _ = secrets
    assert f"doc:docs/{CANARY}.md" in found.keys and CANARY in found.words and ("team:secret", "OWNS", "service:event-bus") in found.links
    assert "service:event-bus" not in found.keys and "platform" not in found.words and not found.told("Leila Farahani leads the event-bus")


@pytest.mark.parametrize(
    ("shown", "what"),
    [(f"pr:merefold/mapdesk#90 and doc:docs/{CANARY}.md.", f"key doc:docs/{CANARY}.md"), ({"rows": [{"a": f"the {CANARY.upper()} thing"}]}, f"word {CANARY}"),
     ([f"{CANARY} person dag OWNS service map tiles"], "quote"), ({"nodes": [{"props": {"aud": ["team:secret"]}}]}, "")],
)  # fmt: skip
def test_a_secret_is_found_wherever_it_stands(secrets, shown, what):
    assert any(t.what.startswith(what) for t in secrets[0].told(shown)) or not what


def test_what_the_viewer_typed_is_no_secret_but_what_it_leads_to_is(secrets):
    found, _ = secrets
    assert not found.told(f"Nothing is called {CANARY}.", [f"What is {CANARY}?"])
    assert found.told(f"It is doc:docs/{CANARY}.md", [f"What is {CANARY}?"])
    assert not found.told(f"There is no doc:docs/{CANARY}.md", [f"What is docs/{CANARY}.md?"])


def test_a_word_of_the_program_before_what_was_typed_makes_no_secret_of_it():
    found = Secrets.of(MEMBER, [Thing("rule:a/b", "Rule", {"key": "rule:a/b", "name": "Key escrow quorum"})])
    assert not found.told("nothing is known under the key 'escrow quorum'", ["escrow quorum"])
    assert found.told("it is the Key escrow quorum", ["quorum"]) and found.told("it is the Key escrow quorum", ["key escrow"])


def test_an_instant_that_only_hidden_things_tell_is_a_secret():
    things = [Thing("ticket:A-1", "Ticket", {"key": "ticket:A-1", "at": 1_700_000_123}), Thing("ticket:A-2", "Ticket", {"key": "ticket:A-2", "access": "open", "at": 5})]
    found = Secrets.of(MEMBER, things)
    assert [t.what for t in found.told({"last_at": 1_700_000_123})] == ["instant 1700000123"]


def test_a_made_up_thing_has_the_shape_of_the_hidden_one_and_nobody_says_it(secrets):
    found, _ = secrets
    other, swapped = made_up(f"What does {CANARY} say of map-tiles?", found)
    assert other.startswith("What does ") and other.endswith(" say of map-tiles?") and CANARY not in other and set(swapped) == {CANARY}
    assert made_up("What do we know about map-tiles?", found) is None


def test_the_viewers_differ_in_what_they_may_see(company, secrets):
    found = personas(company["aud"], secrets[1])
    assert {v.id for v in found} >= {"guest", "nobody", "a-member"} and not any(v.admin for v in found)
    assert len({(v.clearance, v.groups) for v in found}) == len(found)


@pytest.mark.parametrize("kind", ["restricted", "aud", "unlabelled"])
def test_nothing_leaks_from_a_company_with_restricted_things(company, kind):
    result = probe.run(company[kind], questions=ASKED, viewers=["guest", "m"], sample=15, fills=1)
    assert result["n_leaks"] == 0, [*map(str, result["leaks"][:5])]
    assert result["probes"] == 30 and result["answers"] > 120 and [v["id"] for v in result["viewers"]] == ["guest", "m"]
    assert all(v["hidden"] > 10 for v in result["viewers"])


@pytest.fixture
def weak(monkeypatch):
    """The catalogue with a rule that lets everything through."""
    granted = re.compile(r"\w+(?:\(\w+\))?\.access IN \$viewer_access OR any\(g IN \w+(?:\(\w+\))?\.aud WHERE g IN \$viewer_groups\)")
    open_rules = {name: lambda x, rule=rule: granted.sub("true", rule(x)) for name, rule in permissions._EXPANSIONS.items()}
    monkeypatch.setattr(permissions, "_EXPANSIONS", open_rules)
    return catalogue.load()


def test_the_probe_finds_leaks_on_every_arm_once_the_rule_is_weakened(company, shared_store, home, weak):
    weakened = opened(shared_store, home, "probe-restricted", weak)
    result = probe.run(weakened, questions=ASKED, viewers=["m"], sample=12, fills=1)
    found = {(leak["arm"], leak["what"].partition(" ")[0]) for leak in result["leaks"]}
    assert {arm for arm, _ in found} >= {"graph", "vector", "hybrid"} and {what for _, what in found} >= {"key", "word", "quote"}
    assert result["n_leaks"] > 50 and len(result["leaks"]) <= 200
    confirmed = probe.run(weakened, viewers=["m"], sample=60, fills=1, arms=["graph"])
    assert any(leak["where"].startswith("confirmed") for leak in confirmed["leaks"])


def test_nothing_leaks_from_the_demo_to_those_who_are_in_none_of_its_closed_groups(demo, in_the_demo, monkeypatch):
    monkeypatch.setattr(probe, "everything", lambda store, workspace: in_the_demo)
    result = probe.run(demo, questions=ASKED, viewers=["cvogel-ext", "leoquist"], arms=["graph", "vector"], sample=4, fills=1)
    assert result["n_leaks"] == 0, [*map(str, result["leaks"][:5])]
    assert all(v["hidden"] > 10 for v in result["viewers"]) and result["answers"] >= 4 * 2 * 2 * 2


def test_the_demo_leaks_on_both_arms_once_the_rule_is_weakened(demo, in_the_demo, weak, monkeypatch):
    monkeypatch.setattr(probe, "everything", lambda store, workspace: in_the_demo)
    result = probe.run(replace(demo, catalogue=weak, _tools={}, _known=Known()), viewers=["cvogel-ext"], arms=["graph", "vector"], sample=4, fills=1)
    assert {leak["arm"] for leak in result["leaks"]} >= {"graph", "vector", "seen"}


def test_the_personas_of_the_demo_are_asked_as_and_somebody_of_each_closed_group(demo, in_the_demo):
    found = {v.id: v for v in personas(demo, in_the_demo)}
    assert {"guest", "nobody", "ayobrandt", "cvogel-ext", "haldous", "yusrahaddad"} <= set(found)
    closed = {group for t in in_the_demo if t.props.get("access") == "restricted" for group in t.props.get("aud") or ()}
    assert closed and closed <= {group for v in found.values() for group in v.groups}


def test_every_tool_is_called_with_what_is_hidden(company, secrets):
    found, things = secrets
    made = [*calls(company["aud"].tools, found, things, 2)]
    assert {c.tool for c in made} == set(company["aud"].tools)
    assert any(c == Call("details", {"key": f"doc:docs/{CANARY}.md"}, (f"doc:docs/{CANARY}.md",)) for c in made)


def test_the_probe_asks_for_hidden_claims_by_their_ids_and_for_notices_on_hidden_things(company, secrets):
    found, things = secrets
    asked = dict(asked_for(company["aud"], found, things, 2))
    assert asked["claims by id"] == [] and len(hidden_claims(found)) > 10
    assert asked[f"notice on doc:docs/{CANARY}.md"] == ["there is no rule '' that a notice could name", "there is nothing called '' that a notice could bind"]
    everybody = Secrets(permissions.local_admin(), found.hidden)
    assert dict(asked_for(company["aud"], everybody, things, 2))["claims by id"]


def test_a_probe_is_asked_once_however_many_hidden_things_fill_it_alike(secrets):
    asked = [*questions(secrets[0], secrets[1], 2)]
    assert len(asked) == len(set(asked)) > 60 and not any("{title}" in a.question + a.then for a in asked)


def test_a_viewer_who_may_see_everything_has_no_secrets(secrets):
    _, things = secrets
    whole = Secrets.of(Viewer("all", frozenset({"open", "internal", "restricted"}), frozenset()), things)
    assert not whole.keys and not whole.links


def test_a_stopped_probe_says_so(company):
    with pytest.raises(Cancelled):
        probe.run(company["aud"], viewers=["m"], sample=1, cancelled=lambda: True)


def test_the_command_says_what_it_asked_and_fails_when_something_leaked(company, home, monkeypatch, tmp_path):
    monkeypatch.setenv("BRAIN_HOME", str(home.home))
    runner = CliRunner()
    clean = runner.invoke(app, ["access", "probe", "-w", "probe-aud", "--viewer", "m", "--arms", "graph", "--sample", "2", "--json"])
    assert clean.exit_code == 0 and json.loads(clean.stdout)["n_leaks"] == 0
    kept = record.last(company["aud"].files, "probe")
    assert kept is not None and kept.result["arms"] == ["graph"] and kept.graph == company["aud"].store.version("brain:probe-aud")
    monkeypatch.setattr(Secrets, "told", lambda self, shown, typed=(): [Told("here", "word secret")])
    leaking = runner.invoke(app, ["access", "probe", "-w", "probe-aud", "--viewer", "m", "--arms", "graph", "--sample", "1"])
    assert leaking.exit_code == 1 and "leaks" in leaking.stdout and "word secret" in leaking.stdout
    assert runner.invoke(app, ["access", "probe", "-w", "probe-aud", "--arms", "telepathy"]).exception is not None


def test_investigations_are_looked_at_and_what_one_lets_through_is_a_leak(company, secrets, shared_store, home):
    found, _ = secrets
    looked = dict(investigations(company["aud"], MEMBER))
    assert any(name.startswith("investigation graph: alert:") for name in looked) and any(name.startswith("investigation vector") for name in looked)
    assert not found.told(looked)
    whole = catalogue.load()
    weak = Catalogue({**whole.queries, "around": replace(whole["around"], text=unfiltered(whole["around"].text))})
    assert any(t.what.endswith(CANARY) for t in found.told(dict(investigations(opened(shared_store, home, "probe-aud", weak), MEMBER))))


def test_an_investigation_of_somebody_else_is_as_one_that_never_was(company, shared_store):
    brain = company["aud"]
    shared_store.drop("brain:probe-aud:runs")
    admin = permissions.local_admin()
    kept = brain.incidents(admin).investigate("alert:0e06d5f413d88dc9", playbooks=False)
    assert brain.incidents(admin).read(kept.id).id == kept.id
    told = dict(investigations_of_others(brain, MEMBER, admin))
    with pytest.raises(BadInput) as none:
        brain.incidents(MEMBER).read("never")
    assert told == {f"investigation {kept.id}": str(none.value).replace("never", "")}
