"""Every query file against the demo and against a graph with restricted items in it: the server accepts it, its example
finds something, who was granted nothing sees nothing, and what is restricted changes nothing for others."""

from __future__ import annotations

import re

import pytest
from small_company import build, rows
from small_graph import CANARY, NOW, SHA, VECTOR, F, G, asking

from brain import catalogue, permissions, tools
from brain.assertions import aid
from brain.errors import ToolError
from brain.types import Viewer

CATALOGUE = catalogue.load()
TOOLS = tools.tools(CATALOGUE)
RUNNABLE = [q for kind in ("query", "internal") for q in CATALOGUE.of_kind(kind) if q.topic not in ("runs", "memory")]
DUMMY = {"str": "x", "int": 3, "float": 1.0, "bool": False, "list[str]": ["x"], "list[int]": [1], "list[float]": VECTOR}
KINDS = ("restricted", "aud", "unlabelled")
NEUTRAL = re.compile(r"^(n|total|groups)$")


@pytest.fixture(scope="module")
def small(shared_store):
    """Workspaces with the same graph: "none" without restricted items, and one for each kind of restriction."""
    for kind in (None, *KINDS):
        build(shared_store, f"queries-{kind or 'none'}", kind)
    return shared_store


def arguments(query):
    """The example of a query, or values of the right types."""
    if query.example:
        return dict(query.example)
    special = {"keys": [f"pr:{G}#1", f"issue:{G}#2"], "number": 1, "path": "readme.md", "vector": VECTOR, "key": f"pr:{G}#1"}
    return {p.name: special.get(p.name, DUMMY[p.type.rstrip("?")]) for p in query.params if p.required}


def ids(queries):
    return [f"{q.topic}/{q.name}" for q in queries]


@pytest.mark.parametrize("query", RUNNABLE, ids=ids(RUNNABLE))
def test_the_server_accepts_it_and_nobody_sees_anything(small, query):
    result = asking(small, "queries-none", permissions.nobody()).query(query, arguments(query))
    assert not result.nodes and not result.edges
    for row in result.rows:
        assert not any(row.values()), row


WITH_EXAMPLE = [q for q in RUNNABLE if q.example]


@pytest.mark.parametrize("query", WITH_EXAMPLE, ids=ids(WITH_EXAMPLE))
def test_its_example_finds_something_in_the_demo(demo, query):
    assert demo.asking(permissions.guest()).query(query, query.example).rows


def rounded(value):
    """The value without the last digits of its floats, which depend on how the index counts."""
    if isinstance(value, float):
        return float(f"{value:.3g}")
    if isinstance(value, (list, tuple)):
        return [rounded(v) for v in value]
    return {k: rounded(v) for k, v in value.items()} if hasattr(value, "items") else value


def shown(result):
    """Everything of a result that a person could see."""
    return rounded([list(result.rows), sorted(n.key for n in result.nodes), sorted((e.src, e.rel, e.dst) for e in result.edges)])


def assert_same(store, run):
    clean = shown(run(asking(store, "queries-none")))
    for kind in KINDS:
        for viewer in (permissions.guest(), permissions.member("m", frozenset({"team:other"}))):
            seen = shown(run(asking(store, f"queries-{kind}", viewer)))
            assert CANARY not in str(seen)
            assert seen == clean, kind
    return clean


@pytest.mark.parametrize("query", RUNNABLE, ids=ids(RUNNABLE))
def test_what_is_restricted_changes_nothing_in_a_query(small, query):
    assert_same(small, lambda ctx: ctx.query(query, arguments(query)))


MAYBE = next(aid(claim) for claim in rows().claims if claim.state == "candidate")
OPERATIONS = ("tickets", "deploys", "alerts", "incidents", "docs", "decisions", "rules")
CALLS = [
    ("details", {"key": f"issue:{G}#2"}), ("details", {"key": "person:dag"}), ("expand", {"key": f"repo:{G}", "k": 500}),
    ("expand", {"key": f"file:{G}/internal/modbus/client.go"}), ("find_entities", {"prefix": CANARY}), ("find_entities", {"names": [f"pr:{G}#900"]}),
    ("search_text", {"text": f"{CANARY} modbus key"}), ("trace", {"key": f"issue:{G}#2"}), ("trace", {"key": f"pr:{G}#3"}),
    ("trace", {"key": f"commit:{G}@{SHA}"}), ("trace", {"key": f"release:{G}@v2.1.0"}), ("connect", {"a": "person:dag", "b": "person:ncarrowby"}),
    ("connect", {"a": f"issue:{G}#2", "b": f"issue:{G}#4"}), ("who_knows", {"target": "internal/modbus"}), ("who_knows", {"target": f"repo:{G}"}),
    ("who_knows", {"target": "client.go"}), ("who_knows", {"target": "concept:modbus"}), ("impact", {"path": "client.go", "days": 400}),
    ("impact", {"path": "internal", "days": 400}), ("activity", {"target": f"repo:{G}", "since": 0}), ("activity", {"target": "person:dag", "since": 0}),
    ("activity", {"target": "internal", "since": 0}), ("rank", {"by": "reviewers"}), ("rank", {"by": "bridges"}), ("rank", {"by": "clusters"}),
    ("draft_triage", {"key": f"issue:{G}#8"}), *[("draft_reply", {"key": k}) for k in (f"issue:{G}#8", "ticket:OPS-190", "ticket:FLD-1")],
    *[("assign_ticket", {"ticket": k}) for k in ("ticket:OPS-187", "ticket:OPS-190", f"issue:{G}#8", "incident:INC-3")], ("assign_ticket", {"ticket": "ticket:FLD-2", "assignee": "hyejinp"}),
    ("approve_candidate", {"aid": MAYBE}), ("record_decision", {"title": "Keep tiles", "text": "For a week.", "about": ["map-tiles"], "because": ["ticket:FLD-1", "incident:INC-3"]}),
    *[("measure", {"kind": k}) for k in ("prs", "issues", "reviews", "approvals", "comments", "commits", "releases", "files")],
    *[("measure", {"kind": "prs", "by": b}) for b in ("person", "repository", "directory", "file", "label", "release", "month", "year", "state")],
    *[("measure", {"kind": "prs", "by": "person", "by_role": r}) for r in ("reviewer", "approver", "merger", "commenter")],
    *[("measure", {"kind": k, "by": "person"}) for k in ("issues", "reviews", "comments", "commits", "files")],
    *[("measure", {"kind": k, "path": "client.go"}) for k in ("prs", "issues", "reviews", "commits", "files")],
    ("measure", {"kind": "issues", "to_release": f"release:{G}@v2.1.0"}), ("measure", {"kind": "prs", "to_release": f"release:{G}@v2.1.0"}),
    ("measure", {"kind": "prs", "without_approval": True}), ("measure", {"kind": "prs", "labels": [CANARY]}), ("measure", {"kind": "prs", "text": CANARY}),
    ("measure", {"kind": "files", "persons": ["dag"]}), ("measure", {"kind": "files", "since": 1}),
    *[("measure", {"kind": k, "by": "item"}) for k in ("reviews", "approvals", "comments", "commits")],
    *[("measure", {"kind": k, "authors": ["sannakivela"]}) for k in ("prs", "issues", "reviews", "comments", "commits")],
    *[("measure", {"kind": "prs", "self_merged": s}) for s in (True, False)], ("measure", {"kind": "prs", "by": "person", "min": 2}),
    *[("list_items", {"kind": "prs", "order": o}) for o in ("largest", "discussed")], ("list_items", {"kind": "issues", "order": "discussed"}),
    ("measure", {"kind": "prs", "not_repos": ["floodline"]}), ("measure", {"kind": "reviews", "only_bots": True}),
    *[("list_items", {"kind": k}) for k in ("prs", "issues", "reviews", "comments", "commits")],
    *[(t, {"target": f"service:{s}"}) for t in ("who_owns", "whom_to_page") for s in ("event-bus", "map-tiles", "asset-register", "metrics-store")],
    ("who_owns", {"target": "tiles/render.ts"}), ("who_owns", {"target": "team:boards"}),
    *[("blast_radius", {"target": f"service:{s}", "direction": "both"}) for s in ("event-bus", "gauge-store", "metrics-store")],
    ("frontier", {"target": "alert:0e06d5f413d88dc9"}), ("causal_path", {"alert": "alert:0e06d5f413d88dc9", "changes": ["deploy:event-bus-20251129-0111", "pr:merefold/tidewire#1", f"deploy:{CANARY}"]}), ("rank", {"by": "dependencies"}), *[("decision", {"topic": t}) for t in ("7", "bus batches", "event bus", f"{CANARY} batches")],
    *[("rule_in_force", a) for a in ({}, {"rule": "ticket claim"}, {"target": "team:duty"}, {"rule": CANARY})],
    *[("rule_history", {"rule": r}) for r in ("ticket claim", "change freeze", CANARY)], *[("conflicts", a) for a in ({}, {"target": "map-tiles"})],
    *[("measure", {"kind": k}) for k in OPERATIONS], *[("list_items", {"kind": k}) for k in OPERATIONS],
    *[("measure", {"kind": "tickets", "by": b}) for b in ("person", "label", "month", "state", "service", "team", "priority", "type", "system")],
    *[("measure", {"kind": "tickets", "by": "person", "by_role": r}) for r in ("handler", "opener")], ("measure", {"kind": "tickets", "text": "tile cache"}),
    *[("measure", {"kind": k, "by": b}) for k, b in (("deploys", "person"), ("deploys", "environment"), ("docs", "person"), ("decisions", "person"))],
    *[("measure", {"kind": k, "path": "service:event-bus"}) for k in OPERATIONS], ("measure", {"kind": "tickets", "state": "closed", "priority": ["high"]}),
    *[("handled_by", {"target": t}) for t in ("service:map-tiles", "team:boards", "ticket:FLD-1")], ("recent_changes", {"target": "service:threshold-watch", "hops": 3}),
    *[("recent_changes", {"target": f"service:{s}", "since": 0}) for s in ("map-tiles", "tide-model", "event-bus")],
]  # fmt: skip
CALLS += [(q.name, dict(q.example)) for q in CATALOGUE.of_kind("query") if q.name not in {name for name, _ in CALLS}]


@pytest.mark.parametrize(("name", "args"), CALLS, ids=[f"{n}-{i}" for i, (n, _) in enumerate(CALLS)])
def test_what_is_restricted_changes_nothing_in_a_tool(small, name, args):
    assert_same(small, lambda ctx: TOOLS[name].run(ctx, **args))


def test_every_tool_is_among_the_calls():
    assert {name for name, _ in CALLS} == set(TOOLS) - {"cypher_readonly"}  # nobody here may use it: test_sandbox


def test_the_grant_shows_it(small):
    viewer = permissions.member("m", frozenset({"team:secret"}))
    for args, more in (({"kind": "prs"}, 5), ({"kind": "issues"}, 2)):
        count = TOOLS["measure"]
        assert (
            count.run(asking(small, "queries-aud", viewer), **args).rows[0]["n"]
            == count.run(asking(small, "queries-none"), **args).rows[0]["n"] + more
        )
    assert TOOLS["details"].run(asking(small, "queries-aud", viewer), key=f"pr:{G}#900").rows


def test_a_weakened_rule_is_noticed(small, monkeypatch):
    """With a rule that lets everything through, the restricted items show in nearly everything."""
    granted = re.compile(r"\(\w+\.access IN \$viewer_access OR any\(g IN \w+\.aud WHERE g IN \$viewer_groups\)\)")
    claims = {name: lambda r, rule=permissions._EXPANSIONS[name]: granted.sub("true", rule(r)) for name in ("current", "stated")}
    nodes = {name: lambda x: "true" for name in ("visible", "readable")}
    monkeypatch.setattr(permissions, "_EXPANSIONS", {**permissions._EXPANSIONS, **claims, **nodes})
    weak = catalogue.load()
    noticed = set()
    for name, args in CALLS:
        ctx = asking(small, "queries-restricted")
        clean = asking(small, "queries-none")
        open_ctx = type(ctx)(ctx.store, ctx.workspace, ctx.viewer, ctx.as_of, None, weak)
        before = shown(TOOLS[name].run(clean, **args))
        if shown(tools.tools(weak)[name].run(open_ctx, **args)) != before:
            noticed.add(name)
    proposing = {"approve_candidate", "record_decision", "draft_reply"}  # of one thing by its name: test_approvals_access, test_mutation
    assert noticed >= {name for name, _ in CALLS} - {"rank", "references_between", "spread"} - proposing


def test_later_records_do_not_count_earlier(small):
    """Asked as of an instant, nothing that happened afterwards is told."""
    ctx = asking(small, "queries-none", as_of=NOW)
    early = asking(small, "queries-none", as_of=1745500000)
    for name, args in CALLS:
        try:
            result = TOOLS[name].run(early, **args)
        except ToolError:
            continue
        for node in result.nodes:
            assert (node.props.get("at") or 0) <= early.as_of, (name, node.key)
        for edge in result.edges:
            assert (edge.props.get("at") or 0) <= early.as_of, (name, edge)
    assert TOOLS["measure"].run(ctx, kind="prs", repos=[F]).rows[0]["n"] == 2


@pytest.mark.parametrize("query", CATALOGUE.of_kind("audit"), ids=ids(CATALOGUE.of_kind("audit")))
def test_what_looks_past_the_rule_runs_for_administrators_alone(small, query):
    assert query.name not in TOOLS
    asking(small, "queries-none", permissions.local_admin()).query(query, arguments(query))
    everything = Viewer("all", frozenset({"open", "internal", "restricted"}))
    for viewer in (permissions.nobody(), permissions.guest(), permissions.member("m"), everything):
        with pytest.raises(ToolError, match="only an administrator"):
            asking(small, "queries-none", viewer).query(query, arguments(query))
