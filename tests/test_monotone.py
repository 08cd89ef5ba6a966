"""A grant only ever adds, and a membership that ends takes away what it gave and nothing else."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from claims_graph import Company, at
from small_company import build
from small_graph import CANARY, NOW, F, G, asking

from brain import catalogue, permissions, tools, viewers
from brain.audit.copying import may_see
from brain.audit.secrets import everything
from brain.errors import ToolError
from brain.store import graph_name
from brain.tools.asking import Asking
from brain.types import Viewer

TOOLS = tools.tools(catalogue.load())
LABELS = ("open", "internal", "restricted")
GROUPS = ("team:secret", "team:other")
MANY = 5000
# Tools that list what there is: more rights give more of it. Others weigh or choose, as a rule that replaces another does.
LISTS = [
    *[("list_items", {"kind": k, "limit": 500}) for k in ("prs", "issues", "commits", "tickets", "docs", "decisions", "rules", "deploys", "alerts", "incidents")],
    *[("find_entities", {"prefix": p, "k": 500}) for p in (CANARY, "event", "map")],
    *[("expand", {"key": k, "k": 500}) for k in (f"repo:{G}", "person:dag", "service:event-bus", f"file:{G}/internal/modbus/client.go")],
    *[("search_text", {"text": t, "k": 500}) for t in ("tile cache", "modbus key", f"{CANARY} ticket claim deadline bus")],
    *[("trace", {"key": k}) for k in (f"issue:{G}#2", f"pr:{G}#3")], ("cross_closes", {"k": 500}), ("references_between", {"source": f"repo:{G}", "target": f"repo:{F}", "k": 500}),
    *[("activity", {"target": t, "since": 0, "k": 500}) for t in ("person:dag",)],
    *[("details", {"key": k, "per": 500}) for k in ("service:event-bus", "person:dag", "team:boards")],
]  # fmt: skip
COUNTS = [("measure", {"kind": k}) for k in ("prs", "issues", "commits", "tickets", "docs", "decisions", "rules", "deploys", "alerts", "incidents")]


def visible_keys(store, workspace, viewer, as_of=NOW):
    """What the rule in the queries lets through."""
    text = permissions.expand("MATCH (x:Entity) WHERE visible(x) RETURN x.key AS key ORDER BY key LIMIT 100000")
    params = {k: v for k, v in permissions.parameters(viewer, as_of).items() if f"${k}" in text}
    return {str(r["key"]) for r in store.read(graph_name(workspace), text, params).rows}


def subsets(items):
    return [frozenset(c) for n in range(len(items) + 1) for c in combinations(items, n)]


VIEWERS = [Viewer("v", clearance, groups) for clearance in subsets(LABELS) for groups in subsets(GROUPS)]
STEPS = [(a, b) for a in VIEWERS for b in VIEWERS if len(b.clearance - a.clearance) + len(b.groups - a.groups) == 1 and a.clearance <= b.clearance and a.groups <= b.groups]
PATHS = [(permissions.nobody(), permissions.guest()), (permissions.guest(), permissions.member("m")), (permissions.member("m"), permissions.member("m", frozenset(GROUPS[:1]))),
         (permissions.guest(), Viewer("v", frozenset({"open"}), frozenset(GROUPS))), (permissions.member("m", frozenset(GROUPS)), permissions.local_admin())]  # fmt: skip


@pytest.fixture(scope="module")
def store(shared_store):
    for kind in ("aud", "restricted"):
        build(shared_store, f"monotone-{kind}", kind)
    return shared_store


def listed(store, workspace, viewer, name, args):
    """What a tool tells of: the keys of its nodes, the links between them, and the things its rows are about."""
    try:
        result = TOOLS[name].run(asking(store, workspace, viewer), **args)
    except ToolError:  # what it is asked about is not there for this viewer
        return set(), set(), ()
    keys = {n.key for n in result.nodes} | {str(r["key"]) for r in result.rows if r.get("key")}
    return keys, {(e.src, e.rel, e.dst) for e in result.edges if "derived_by" not in e.props}, result.rows


@pytest.mark.parametrize("kind", ["aud", "restricted"])
def test_a_grant_more_never_hides_a_thing(store, kind):
    seen = {(v.clearance, v.groups): visible_keys(store, f"monotone-{kind}", v) for v in VIEWERS}
    assert len(STEPS) > 40
    for a, b in STEPS:
        assert seen[a.clearance, a.groups] <= seen[b.clearance, b.groups], (a, b)
    assert len(seen[frozenset(LABELS), frozenset(GROUPS)]) > len(seen[frozenset({"open"}), frozenset()]) > 0


@pytest.mark.parametrize(("name", "args"), LISTS, ids=[f"{n}-{i}" for i, (n, _) in enumerate(LISTS)])
def test_a_grant_more_never_takes_from_a_list(store, name, args):
    lists = {}
    for a, b in PATHS:
        for v in (a, b):
            if (v.clearance, v.groups) not in lists:
                lists[v.clearance, v.groups] = listed(store, "monotone-aud", v, name, args)
        (keys, links, _), (more, more_links, rows) = lists[a.clearance, a.groups], lists[b.clearance, b.groups]
        assert len(rows) < 500, "the list is cut, so that this shows nothing"
        assert keys <= more and links <= more_links, (a.clearance, b.clearance, keys - more, links - more_links)


@pytest.mark.parametrize(("name", "args"), COUNTS, ids=[a["kind"] for _, a in COUNTS])
def test_a_grant_more_never_makes_a_count_smaller(store, name, args):
    for kind in ("aud", "restricted"):
        counts = [TOOLS[name].run(asking(store, f"monotone-{kind}", v), **args).rows for v in (*(a for a, _ in PATHS[:3]), permissions.local_admin())]
        told = [int(rows[0]["n"]) if rows else 0 for rows in counts]
        assert told == sorted(told), told


# -- memberships ---------------------------------------------------------------------------------

JOINED, ENDED = at("2024-01-01"), at("2025-01-01")
GIVEN = ("team:inner", "team:other", "role:keeper", "channel:quiet")


def club():
    """A company in which each group opens a document of its own, one two of them, and one nobody."""
    c = Company()
    for key in GIVEN:
        c.node(key)
    c.node("team:whole")
    c.edge("team:inner", "PART_OF", "team:whole")
    roster = c.doc("roster.md", "\n".join(f"ada {n}" for n in range(1, 9)))
    for who in ("ada", "bo", "cy"):
        c.node(f"person:{who}", who, login=who)
    for key in (*GIVEN, "team:whole"):
        c.node(f"doc:of-{key.partition(':')[2]}", access="restricted", aud=[key])
    c.node("doc:of-two", access="restricted", aud=["team:inner", "channel:quiet"])
    c.node("doc:of-nobody", access="restricted")
    c.node("doc:inside", access="internal")
    for n, (who, rel, group, until) in enumerate((
        ("ada", "MEMBER_OF", "team:inner", ENDED), ("ada", "MEMBER_OF", "team:other", None), ("ada", "HOLDS_ROLE", "role:keeper", None),
        ("bo", "MEMBER_OF", "team:other", ENDED), ("bo", "MEMBER_OF", "team:inner", None), ("cy", "HOLDS_ROLE", "role:keeper", ENDED), ("cy", "MEMBER_OF", "team:other", None),
    ), 1):  # fmt: skip
        c.claim(f"person:{who}", rel, group, roster, n, f"ada {n}", valid_from=JOINED, valid_to=until)
    c.edge("person:ada", "IN_CHANNEL", "channel:quiet", valid_from=JOINED)
    c.edge("person:bo", "IN_CHANNEL", "channel:quiet", valid_from=JOINED, valid_to=ENDED)
    return c


def login(store, workspace, name, as_of):
    return viewers.member(name, Asking(store, workspace, permissions.local_admin(), as_of))


@pytest.mark.parametrize(
    ("who", "lost", "things"),
    [("ada", {"team:inner", "team:whole"}, {"doc:of-inner", "doc:of-whole"}), ("bo", {"team:other", "channel:quiet"}, {"doc:of-other", "doc:of-quiet"}),
     ("cy", {"role:keeper"}, {"doc:of-keeper"})],
)  # fmt: skip
def test_a_membership_that_ended_takes_what_it_gave_and_nothing_else(shared_store, who, lost, things):
    club().build(shared_store, "monotone-club")
    before, after = (login(shared_store, "monotone-club", who, t) for t in (ENDED - 1, ENDED))
    assert before.groups - after.groups == lost and after.groups <= before.groups and after.clearance == before.clearance
    had, has = (visible_keys(shared_store, "monotone-club", v, ENDED) for v in (before, after))
    assert had - has == things and not has - had
    assert who == "cy" or "doc:of-two" in has, "what another group opens too stays open"
    assert "doc:of-nobody" not in had and login(shared_store, "monotone-club", who, JOINED - 1).groups <= {f"person:{who}"}


def opened_by(things, groups, clearance):
    """What these groups alone open, by the stored labels."""
    return {t.key for t in things if t.props.get("access") not in clearance and groups & set(t.props["aud"])}


@pytest.mark.parametrize("kind", ["aud", "restricted"])
def test_each_membership_of_each_person_of_the_small_company_gives_just_what_its_group_opens(store, kind):
    things = everything(store, f"monotone-{kind}")
    check_each_membership(store, f"monotone-{kind}", things, NOW)


def test_each_membership_of_each_person_of_the_demo_gives_just_what_its_group_opens(demo):
    things = everything(demo.store, demo.workspace)
    opening = check_each_membership(demo.store, demo.workspace, things, demo.present())
    assert len(opening) >= 3, "several groups open something there"


def check_each_membership(store, workspace, things, as_of):
    """Takes each group from each person who has it; which groups opened anything to anybody."""
    people = sorted(t.key for t in things if t.ends is None and t.label == "Person")
    seen, opening = {}, set()
    gone = {t.key for t in things if t.ends is None and t.props.get("gone")}
    things = [t for t in things if t.ends is None and t.key and t.props.get("aud")]
    for person in people:
        viewer = login(store, workspace, person.partition(":")[2], as_of)
        for group in sorted(viewer.groups):
            fewer = replace(viewer, groups=viewer.groups - {group})
            alone = opened_by(things, frozenset({group}), viewer.clearance) - opened_by(things, fewer.groups, viewer.clearance)
            if not alone:
                continue
            opening.add(group)
            for v in (viewer, fewer):
                if (v.clearance, v.groups) not in seen:
                    seen[v.clearance, v.groups] = visible_keys(store, workspace, v, permissions.FOREVER - 1)
            lost = seen[viewer.clearance, viewer.groups] - seen[fewer.clearance, fewer.groups]
            assert lost == alone - gone, (person, group)
    return opening


def test_each_end_of_a_membership_in_the_demo_takes_the_group_from_the_day_on(demo):
    things = everything(demo.store, demo.workspace)
    everybody = may_see(permissions.local_admin())
    ends = [t for t in things if t.ends and t.label in ("MEMBER_OF", "HOLDS_ROLE", "HAS_ROLE", "IN_CHANNEL") and t.props.get("valid_to") and everybody({"access": "open", **t.props})]
    assert ends, "some membership ended there"
    for t in ends:
        person, group, end = t.ends[0], t.ends[1], int(t.props["valid_to"])
        lasting = [o for o in things if o.ends == t.ends and o.label == t.label and o is not t and (o.props.get("valid_to") or permissions.FOREVER) > end
                   and (o.props.get("valid_from") or 0) <= end and o.props.get("state", "approved") == "approved"]  # fmt: skip
        name = person.partition(":")[2]
        if not person.startswith("person:") or lasting:
            continue
        before, after = (login(demo.store, demo.workspace, name, when) for when in (end - 1, end))
        assert group not in after.groups, (person, group)
        if t.props.get("state", "approved") == "approved" and before.clearance == after.clearance and before.groups:
            assert group in before.groups, (person, group)
