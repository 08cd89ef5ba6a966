"""What is told about who may read a thing, and why, is what the filter does: held against it for every thing and every person."""

from __future__ import annotations

from dataclasses import asdict, replace

import orjson
import pytest
import small_company
import small_graph
from grants_graph import NOW, PEOPLE, ROSTER, SECRET, company

from brain import permissions
from brain.audit import grants, meter, readers
from brain.brain import Brain
from brain.errors import BadInput
from brain.schema import SOURCES
from brain.store import graph_name
from brain.types import Viewer


@pytest.fixture(scope="module")
def brain(home):
    opened = Brain.open(home, "grants")
    company().build(opened.store, "grants")
    opened.clock = lambda: NOW
    yield opened
    opened.store.drop(graph_name("grants"))
    opened.close()


def everything(brain):
    return brain.asking(permissions.local_admin())


def viewers(brain) -> list[Viewer]:
    known = [brain.viewer(login) for login in PEOPLE]
    return [*known, permissions.guest(), permissions.nobody(), permissions.member("x"), permissions.local_admin()]


def raw(brain) -> dict[str, dict]:
    """Everything in the graph with what decides who reads it, past every rule."""
    text = "MATCH (x:Entity) WHERE NOT x:Chunk RETURN x.key AS key, x.access AS access, x.aud AS aud, x.at AS at, x.gone AS gone, labels(x) AS of"
    return {row["key"]: row for row in brain.store.read(graph_name(brain.workspace), text).rows}


def lets_through(brain, who: Viewer) -> set[str]:
    """What the rule itself lets through, asked of the server with no query of the catalogue."""
    text = f"MATCH (x:Entity) WHERE {permissions.visible('x')} AND NOT x:Chunk RETURN x.key AS key"
    rows = brain.store.read(graph_name(brain.workspace), text, permissions.parameters(who, brain.present())).rows
    return {row["key"] for row in rows}


def check(brain, keys, whos) -> int:
    """Every explanation agrees with the filter, its path with its verdict, and its reason with the label; how many were checked."""
    ctx, things = everything(brain), raw(brain)
    for who in whos:
        seen = lets_through(brain, who)
        for key in keys:
            told = grants.why(ctx, key, who)
            thing = things[key]
            assert told.allowed == (key in seen), (who.id, key)
            plain = told.access in who.clearance or who.admin
            there = (thing["at"] or 0) <= ctx.as_of and (thing["gone"] is None or thing["gone"] > ctx.as_of)
            ways = {p.group for p in told.paths if p.holds}
            assert ways == (set(thing["aud"] or ()) & who.groups), (who.id, key, told.paths)
            assert told.allowed == (there and bool(told.access) and (plain or bool(ways))), (who.id, key, told)
            assert told.because and all(p.says for p in told.paths)
    return len(list(keys)) * len(list(whos))


def test_every_reason_agrees_with_what_the_filter_lets_through(brain):
    assert check(brain, sorted(raw(brain)), viewers(brain)) > 300


def test_the_path_goes_over_the_team_to_the_team_above_it_with_the_line_that_says_so(brain):
    told = grants.why(everything(brain), "doc:works", brain.viewer("ada"))
    (path,) = told.paths
    assert [(link.rel, link.dst) for link in path.links] == [("MEMBER_OF", "team:heat"), ("PART_OF", "team:works")]
    first = path.links[0]
    assert (first.source, first.line, first.quote) == (ROSTER, 1, "ada is in a group 0")
    assert "since 2024-01-01" in told.because and "works" in told.because


@pytest.mark.parametrize(
    ("key", "who", "allowed", "says"),
    [
        ("doc:heat", "bo", False, "bo was in heat until 2025-05-01"),
        ("doc:heat", "cy", False, "not begun 2025-07-01"),
        ("doc:heat", "gus", False, "waiting"),
        ("doc:heat", "fe", False, "fe left on 2025-05-01"),
        ("doc:heat", "kay", False, "kay is in none"),
        ("doc:internal", "fe", False, "fe left on 2025-05-01"),
        ("doc:internal", "ada", True, "every member"),
        ("doc:internal", "guest", False, "guest is none"),
        ("doc:open", "nobody", False, "nothing was granted"),
        ("doc:open", "guest", True, "everybody"),
        ("doc:none", "ada", False, "administrators alone"),
        ("doc:none", "local", True, "An administrator"),
        ("doc:bare", "ada", False, "no access label"),
        ("doc:bare", "local", False, "no access label"),
        ("doc:later", "ada", False, "begins on 2025-07-01"),
        ("doc:gone", "ada", False, "went on 2025-05-01"),
        ("doc:hal", "hal", True, "names the person"),
        ("doc:nowhere", "ada", False, "Nothing with that key"),
    ],
)
def test_the_reason_says_what_decided(brain, key, who, allowed, says):
    told = grants.why(everything(brain), key, brain.viewer(who))
    assert told.allowed is allowed
    assert says.lower() in told.because.lower(), told.because


def test_a_claim_whose_source_is_hidden_is_named_with_that_source(brain):
    hidden = grants.why(everything(brain), "doc:open", brain.viewer("ada")).hidden_claims
    assert [(c.rel, c.src, c.source) for c in hidden] == [("OWNS", "person:ada", SECRET)]
    assert not grants.why(everything(brain), "doc:open", permissions.local_admin()).hidden_claims


def test_who_reads_a_thing_is_everybody_whom_the_filter_lets_read_it(brain):
    members = {login: brain.viewer(login) for login in PEOPLE}
    for key in sorted(raw(brain)):
        found = readers.who(everything(brain), key)
        let = {f"person:{login}" for login, who in members.items() if key in lets_through(brain, who)}
        guest = key in lets_through(brain, permissions.guest())
        if guest:
            assert found.to == "everybody"
        elif found.to == "members":
            assert found.n == len(let) and let == {f"person:{p}" for p, who in members.items() if "internal" in who.clearance}
        else:
            assert set(found.people) == let and found.n == len(let)
            assert found.to == ("groups" if let else "nobody")


def test_past_members_are_told_apart_from_those_of_now(brain):
    (heat,) = readers.who(everything(brain), "doc:heat").groups
    assert [m.person for m in heat.members] == ["person:ada"] and heat.n == 1
    assert {m.person: m.state for m in heat.past} == {
        "person:bo": "ended", "person:cy": "not begun", "person:fe": "left", "person:gus": "waiting"
    }  # fmt: skip
    works = readers.who(everything(brain), "doc:works").groups[0]
    assert {(m.person, m.via) for m in works.members} == {("person:ada", "heat"), ("person:ivy", "")}


def test_the_meter_counts_what_the_filter_lets_through_of_all_there_is(brain):
    things = raw(brain)
    there = {k for k, t in things.items() if (t["at"] or 0) <= NOW and (t["gone"] is None or t["gone"] > NOW)}
    for who in viewers(brain):
        told = meter.sees(everything(brain), who)
        sources = {k for k in there if set(things[k]["of"]) & set(SOURCES)}
        seen = sources & lets_through(brain, who)
        assert (told.seen, told.total, told.hidden) == (len(seen), len(sources), len(sources - seen)), who.id
        assert sum(n for n, _ in told.by_access().values()) == told.seen
        given = {g.group: g.n for g in told.given}
        opened = {g: sum(g in (things[k]["aud"] or ()) for k in there if things[k]["access"] == "restricted") for g in who.groups}
        assert given == {g: n for g, n in opened.items() if n}


def test_who_is_no_administrator_learns_nothing_of_others_or_of_what_is_hidden(brain):
    ada = brain.asking(brain.viewer("ada"))
    for ask in (lambda: grants.why(ada, "doc:open", brain.viewer("bo")), lambda: readers.who(ada, "doc:open"), lambda: meter.sees(ada, ada.viewer)):
        with pytest.raises(BadInput, match="only an administrator"):
            ask()
    hidden, absent = (grants.own(ada, key, "person:ada") for key in ("doc:none", "doc:nowhere"))
    assert replace(hidden, key="") == replace(absent, key="")
    told = meter.own(ada)
    assert told.total is None and told.hidden is None and all(c.total is None for c in told.counts)
    assert "restricted" not in {c.access for c in meter.own(brain.asking(permissions.member("x"))).counts}


def test_a_member_sees_by_which_of_their_own_groups_they_read_a_thing_and_no_others(brain):
    di = brain.asking(brain.viewer("di"))
    told = grants.own(di, "doc:two", "person:di")
    assert told.allowed and told.aud == ("role:warden",) and [p.group for p in told.paths] == ["role:warden"]
    assert told.paths[0].links[0].source == ROSTER
    jo = grants.own(brain.asking(brain.viewer("jo")), "doc:warden", "person:jo")
    assert jo.allowed and not jo.paths and SECRET not in str(jo), "what states the membership is not open to its member"


def test_an_explanation_is_plain_json(brain):
    ctx = everything(brain)
    for told in (grants.why(ctx, "doc:works", brain.viewer("ada")), readers.who(ctx, "doc:works"), meter.sees(ctx, brain.viewer("ada"))):
        assert orjson.loads(orjson.dumps(asdict(told)))


@pytest.mark.parametrize("canary", ["aud", "unlabelled"])
def test_in_the_small_company_reasons_and_meter_agree_with_the_filter_for_every_source(home, canary):
    name = f"grants-{canary}"
    small = Brain.open(home, name)
    small_company.build(small.store, name, canary)
    small.clock = lambda: small_graph.NOW
    sources = sorted(k for k, t in raw(small).items() if set(t["of"]) & set(SOURCES))
    some = [small.viewer(v) for v in ("leilaf", "leoquist", "guest", "nobody", "local")]
    assert check(small, sources, some) > 400
    for who in some:
        assert meter.sees(everything(small), who).seen == len(set(sources) & lets_through(small, who))
    small.store.drop(graph_name(name))
    small.close()


def test_on_the_whole_demo_company_reasons_readers_and_meter_agree_with_the_filter(demo):
    ctx, things = everything(demo), raw(demo)
    rows = ctx.run("people").rows
    people = {row["key"]: demo.viewer(row["login"]) for row in rows}
    narrow = [k for k, t in things.items() if t["access"] not in ("open", None)]
    wide = sorted(k for k, t in things.items() if t["access"] == "open")[::400]
    some = [demo.viewer(v) for v in ("guest", "nobody", "local")] + list(people.values())[::8]
    check(demo, [*narrow[:40], *wide], some)
    seen = {key: lets_through(demo, who) for key, who in people.items()}
    for key in narrow[:40]:
        found = readers.who(ctx, key)
        if found.to != "members":
            assert {p for p in found.people if p in people} == {p for p in people if key in seen[p]}, key
    for key, who in list(people.items())[::8]:
        sources = {k for k, t in things.items() if set(t["of"]) & set(SOURCES)}
        assert meter.sees(ctx, who).seen == len(sources & seen[key])
