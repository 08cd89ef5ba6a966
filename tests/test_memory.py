"""What is remembered of one viewer: learned from statements alone, read by nobody else and only within the rights of now, and gone when
it is forgotten.
"""

from urllib.parse import quote

import pytest
import small_company
from small_graph import CANARY, NOW

from brain import identity, permissions
from brain.brain import Brain
from brain.errors import BadInput
from brain.memory.graph import name_of
from brain.memory.hearing import hear
from brain.memory.memory import Memory
from brain.store import graph_name
from brain.types import Viewer

WS, WORD = "memory", "zimbelkraut"
INSIDER = permissions.member("insider", frozenset({"team:secret"}))
OUTSIDER = permissions.member("insider")


@pytest.fixture(scope="module")
def company(home, shared_store):
    """The small company with what is restricted to a team, as one process has it open."""
    opened = Brain.open(home, WS)
    small_company.build(opened.store, WS, "aud")
    opened.store.set_meta(WS, {"stands_at": str(NOW)})
    opened._embedder.append(None)
    yield opened
    opened.close()


@pytest.fixture
def brain(company):
    """The same with nothing remembered and no run kept."""
    for part in ("mem:", "runs"):
        for graph in company.store.graphs(graph_name(WS, part)):
            company.store.drop(graph)
    return company


def viewer(brain, who):
    return who if isinstance(who, Viewer) else brain.viewer(who)


def ask(brain, who, question, *before, arm="graph"):
    seen = viewer(brain, who)
    heard = hear(brain.memory(seen), question, before)
    return brain.ask(question, viewer=seen, arm=arm, memory=heard)


def memory(brain, who):
    return brain.memory(viewer(brain, who))


def known(brain, who):
    return [(f.kind, f.key or f.name) for f in memory(brain, who).facts()]


# -- learning ------------------------------------------------------------------------------------


def test_a_statement_is_learned_with_its_words_and_acknowledged(brain):
    answer = ask(brain, "leilaf", "I work on event-bus")
    (fact,) = memory(brain, "leilaf").facts()
    assert (fact.kind, fact.key, fact.words) == ("works_on", "service:event-bus", "I work on event-bus")
    assert answer.state == "answered" and "you work on event-bus" in answer.text and f"brain memory forget {fact.id}" in answer.text
    (turn,) = memory(brain, "leilaf").turns()
    assert turn.id == fact.turn and turn.question == "I work on event-bus" and turn.runs[0].run == answer.run


def test_a_statement_beside_a_question_is_learned_and_the_question_is_answered(brain):
    answer = ask(brain, "leilaf", "I work on event-bus. Who owns it?")
    assert answer.items == ask(brain, "kofid", "Who owns event-bus?").items != ()
    assert known(brain, "leilaf") == [("works_on", "service:event-bus")]


def test_what_was_said_before_gives_way_to_what_is_said_now(brain):
    ask(brain, "leilaf", "I am in the console team")
    answer = ask(brain, "leilaf", "that is wrong, I am in the boards team")
    assert known(brain, "leilaf") == [("team", "team:boards")] and "No longer noted" in answer.text
    ask(brain, "leilaf", "I am also in the duty team")
    assert set(known(brain, "leilaf")) == {("team", "team:boards"), ("team", "team:duty")}
    ask(brain, "leilaf", "I work on event-bus")
    ask(brain, "leilaf", "I work on rota")
    assert {key for kind, key in known(brain, "leilaf") if kind == "works_on"} == {"service:event-bus", "service:rota"}
    ask(brain, "leilaf", "No, I work on map-tiles")
    assert {key for kind, key in known(brain, "leilaf") if kind == "works_on"} == {"service:map-tiles"}
    ask(brain, "leilaf", "I no longer work on map-tiles")
    assert not [key for kind, key in known(brain, "leilaf") if kind == "works_on"]


def test_a_fact_is_corrected_by_words_that_state_another(brain):
    ask(brain, "leilaf", "I work on event-bus")
    (fact,) = memory(brain, "leilaf").facts()
    with pytest.raises(BadInput, match="states nothing"):
        memory(brain, "leilaf").tell("who works on rota?", fact.id)
    assert [f.key for f in memory(brain, "leilaf").tell("I work on rota", fact.id)] == ["service:rota"]
    assert known(brain, "leilaf") == [("works_on", "service:rota")]


def test_a_fact_that_names_nothing_loaded_is_not_learned_and_what_is_hidden_is_told_of_in_the_same_words(brain):
    told = [ask(brain, OUTSIDER, f"I work on {name}").text.replace(name, "NAME") for name in (f"service:{CANARY}", CANARY, "flibbertigibbet")]
    assert len(set(told[1:])) == 1 and "nothing was noted" in told[1]
    assert not known(brain, OUTSIDER)


def test_a_duty_that_ended_is_listed_and_no_longer_used(brain):
    ask(brain, "leilaf", "I am on call for rota today")
    fact = memory(brain, "leilaf").facts()[0]
    assert NOW < fact.until <= NOW + 86_400
    later = Memory(brain.looking(brain.viewer("leilaf"), NOW + 200_000), brain._everything(), lambda: brain.lexicon(brain.viewer("leilaf")), NOW)
    assert later.facts() == [fact] and later.holding() == []


def test_turns_are_chained_in_order_with_what_their_runs_touched(brain):
    first = ask(brain, "leilaf", "Who owns event-bus?")
    second = ask(brain, "leilaf", "and rota?", first)
    turns = memory(brain, "leilaf").turns()
    assert [t.question for t in turns] == ["and rota?", "Who owns event-bus?"] and turns[0].completed == "Who owns rota?"
    assert turns[0].runs[0].run == second.run and turns[0].runs[0].arm == "graph"
    assert "service:rota" in {key for call in turns[0].runs[0].calls for key in call.keys}
    rows = brain.store.read(name_of(WS, "leilaf"), "MATCH (a:Turn)-[:NEXT]->(b:Turn) RETURN a.question AS a, b.question AS b ORDER BY a").rows
    assert [(r["a"], r["b"]) for r in rows] == [("Who owns event-bus?", "and rota?")]


def test_two_arms_of_one_question_are_one_turn(brain):
    seen = brain.viewer("leilaf")
    heard = hear(brain.memory(seen), "I work on rota. Who owns it?")
    answers = [brain.ask("I work on rota. Who owns it?", viewer=seen, arm=arm, memory=heard) for arm in ("graph", "vector")]
    (turn,) = brain.memory(seen).turns()
    assert {r.run for r in turn.runs} == {a.run for a in answers} and len(known(brain, "leilaf")) == 1


# -- whose it is ---------------------------------------------------------------------------------


def test_an_answer_is_the_same_whatever_others_said(brain):
    questions = ("Who owns event-bus?", "Who is on call for rota?", "who leads my team?", "which services do we own?")
    before = [ask(brain, "kofid", q).text for q in questions]
    for said in ("I am in the gates team", "I own event-bus", "I am on call for rota", "my login is kofid"):
        ask(brain, "leilaf", said)
    assert [ask(brain, "kofid", q).text for q in questions] == before
    plain = [brain.ask(q, viewer=brain.viewer("leilaf"), save=False).text for q in questions]
    assert plain == [brain.ask(q, viewer=brain.viewer("vhalloran"), save=False).text for q in questions], "memory has a part only where it is passed"


def test_no_two_viewers_share_a_memory():
    ids = ["leilaf", "Leilaf", "login:local", "local", "mail:ab", "mail/ab", "a b", "a%20b", "a:b", "a%3Ab", "é", "e\u0301", "*", "?", "mem:x", "x"]
    assert len({name_of(WS, one) for one in ids}) == len(ids)
    assert all(name_of(WS, one).startswith("brain:memory:mem:") and not set(name_of(WS, one)[17:]) & set("*?[]: ") for one in ids)


def test_nothing_of_one_viewer_is_read_by_another(brain):
    ask(brain, "leilaf", f"Call me {WORD.capitalize()}")
    ask(brain, "leilaf", f"who said {WORD}?")
    turn, fact = memory(brain, "leilaf").turns()[0], memory(brain, "leilaf").facts()[0]
    for who in ("kofid", "local", "guest", "nobody", identity.as_member("leilaf", permissions.local_admin(), brain.settings, brain.company())):
        other = memory(brain, who)
        assert not other.facts() and not other.turns() and not other.last()
        assert WORD not in ask(brain, who, "what do you know about me?").text.lower()
        for ident in (turn.id, fact.id):
            with pytest.raises(BadInput, match="nothing remembered"):
                other.forget(ident)
            with pytest.raises(BadInput, match=r"nothing known|nothing is remembered"):
                other.tell("I work on rota", ident)
    assert memory(brain, "leilaf").facts() == [fact]


@pytest.mark.parametrize("who", ["guest", "nobody", "as"])
def test_a_viewer_that_several_people_share_is_remembered_nothing_of(brain, who):
    seen = identity.as_member("leilaf", permissions.local_admin(), brain.settings, brain.company()) if who == "as" else viewer(brain, who)
    answer = ask(brain, seen, "I work on event-bus")
    assert answer.state == "insufficient" and "Nothing was noted" in answer.text
    ask(brain, seen, "Who owns event-bus?")
    assert brain.store.graphs(graph_name(WS, "mem:")) == []
    with pytest.raises(BadInput, match="nothing is remembered"):
        brain.memory(seen).forget_everything()


def test_an_administrator_who_looks_as_somebody_sees_what_the_lists_say_and_not_what_was_told(brain):
    ask(brain, "leilaf", "I am in the gates team")
    seen = identity.as_member("leilaf", permissions.local_admin(), brain.settings, brain.company())
    assert "from docs/registry/people.md" in ask(brain, seen, "what is my team?").text
    assert ask(brain, "leilaf", "what is my team?").items == ("team:gates",)


# -- rights --------------------------------------------------------------------------------------


def secret_memory(brain):
    """A memory made with rights that end: a question whose answer, and a fact whose thing, are a team's alone."""
    secret = next(r["key"] for r in brain.looking(permissions.local_admin()).run("restricted").rows if str(r["key"]).startswith("decision:"))
    ask(brain, INSIDER, f"Tell me about {secret}")
    ask(brain, INSIDER, "Who owns event-bus?")
    graph = memory(brain, INSIDER).graph
    from brain.memory.items import Fact

    graph.add_fact(Fact("f1", "works_on", secret, CANARY, f"I work on {CANARY}", NOW, graph.turns()[0].id))
    return secret


def test_what_was_remembered_with_more_rights_is_not_read_with_fewer(brain):
    secret_memory(brain)
    assert CANARY in str(memory(brain, INSIDER).turns()) and CANARY in str(memory(brain, INSIDER).facts())
    fewer = memory(brain, OUTSIDER)
    assert CANARY not in str(fewer.turns()) and fewer.facts() == []
    assert CANARY not in ask(brain, OUTSIDER, "what do you know about me?").text
    assert CANARY not in ask(brain, OUTSIDER, "who owns my service?").text


def test_without_the_check_of_rights_it_would_be_read(brain, monkeypatch):
    secret_memory(brain)
    monkeypatch.setattr(Memory, "_open", lambda self, held: set(held))
    assert CANARY in str(memory(brain, OUTSIDER).turns()) and CANARY in str(memory(brain, OUTSIDER).facts())


def test_with_a_key_that_does_not_tell_viewers_apart_one_would_read_another_s(brain, monkeypatch):
    monkeypatch.setattr("brain.memory.graph.quote", lambda text, safe: quote(text[:1], safe=safe))
    ask(brain, "leilaf", "I work on event-bus")
    assert known(brain, "leoquist"), "the key must be what keeps them apart for the other tests to say anything"


# -- forgetting ----------------------------------------------------------------------------------


def everywhere(brain, word):
    """Where a word stands: in any graph of the workspace, any other key of the database, its notes of slow queries, or any file
    below the home.
    """
    redis, found = brain.store._redis, []
    for key in map(str, redis.keys("*")):
        if redis.type(key) == "graphdata":
            for query in ("MATCH (n) RETURN n AS x, keys(n) AS k", "MATCH ()-[n]->() RETURN n AS x, keys(n) AS k"):
                rows = redis.execute_command("GRAPH.RO_QUERY", key, query)[1]
                found += [f"graph {key}"] if word in str(rows).lower() and key.startswith(f"brain:{WS}") else []
            found += [f"slow queries of {key}"] if word in str(redis.execute_command("GRAPH.SLOWLOG", key)).lower() else []
        elif word.encode() in (redis.execute_command("DUMP", key, NEVER_DECODE=True) or b"").lower():
            found.append(f"key {key}")
    found += ["slow commands"] if word in str(redis.slowlog_get(128)).lower() else []
    files = (path for path in brain.settings.home.rglob("*") if path.is_file() and not path.is_socket())
    return found + [f"file {path.name}" for path in files if word.encode() in path.read_bytes().lower()]


def talk(brain):
    """A talk in which the word stands in questions, statements, answers, completed questions and what was learned."""
    ask(brain, "leilaf", "Who owns rota?")
    first = ask(brain, "leilaf", f"Did {WORD} own event-bus?")
    ask(brain, "leilaf", "and of rota?", first)
    ask(brain, "leilaf", f"Call me {WORD.capitalize()}")
    ask(brain, "leilaf", "what do you know about me?")
    brain.store._redis.execute_command("WAITAOF", 1, 0, 2000)


def test_everything_forgotten_is_gone_from_graphs_keys_and_files(brain):
    talk(brain)
    assert {place.split()[0] for place in everywhere(brain, WORD)} >= {"graph", "file"}, "the word must stand somewhere for this to say anything"
    gone = memory(brain, "leilaf").forget_everything()
    assert (gone.facts, gone.turns, gone.runs, gone.rewritten) == (1, 5, 5, True)
    assert everywhere(brain, WORD) == []
    assert not memory(brain, "leilaf").turns() and brain.recent_runs(brain.viewer("leilaf")) == []


def test_without_the_rewriting_the_files_would_still_hold_it(brain, monkeypatch):
    monkeypatch.setattr(type(brain.store), "rewrite", lambda self, graphs=(): False)
    talk(brain)
    assert not memory(brain, "leilaf").forget_everything().rewritten
    assert [place for place in everywhere(brain, WORD) if place.startswith("file")]


def test_a_forgotten_turn_is_gone_with_what_was_learned_and_completed_from_it(brain):
    talk(brain)
    held = memory(brain, "leilaf")
    asked, named = (next(t for t in held.turns() if start in t.question) for start in ("Did", "Call"))
    assert held.forget(asked.id).wiped == 1
    gone = held.forget(named.id)
    assert (gone.facts, gone.turns) == (1, 1) and gone.runs >= 2
    assert everywhere(brain, WORD) == []
    assert [t.question for t in held.turns()] == ["what do you know about me?", "and of rota?", "Who owns rota?"]
    chain = brain.store.read(name_of(WS, "leilaf"), "MATCH (:Turn)-[r:NEXT]->(:Turn) RETURN count(r) AS n").rows
    assert chain[0]["n"] == 2, "the chain closes over what is gone"


def test_a_forgotten_fact_is_gone_with_the_words_it_was_said_in_and_leaves_what_was_said_beside_it(brain):
    ask(brain, "leilaf", f"I work on rota and call me {WORD.capitalize()}")
    ask(brain, "leilaf", "what do you know about me?")
    fact = next(f for f in memory(brain, "leilaf").facts() if f.kind == "name")
    memory(brain, "leilaf").forget(fact.id)
    assert known(brain, "leilaf") == [("works_on", "service:rota")] and everywhere(brain, WORD) == []
    memory(brain, "leilaf").forget(memory(brain, "leilaf").facts()[0].id)
    assert known(brain, "leilaf") == [] and [t.question for t in memory(brain, "leilaf").turns()] == ["what do you know about me?"]


def test_forgetting_leaves_what_others_said_and_asked(brain):
    ask(brain, "kofid", "I work on rota")
    run = ask(brain, "kofid", "Who owns rota?").run
    ask(brain, "leilaf", "I work on rota")
    memory(brain, "leilaf").forget_everything()
    assert known(brain, "kofid") and brain.run(run, brain.viewer("kofid")).run == run
