"""What is told of a tool's filter is what its queries do: every one they run is counted, and a weaker one is told to be weaker."""

from contextlib import suppress
from dataclasses import dataclass, field, replace

import pytest
import small_company
from small_graph import NOW

from brain import bench, catalogue, docs, permissions
from brain.errors import ToolError
from brain.tools import filtering, tools
from brain.tools.asking import Asking

CATALOGUE = catalogue.shipped()
TOOLS = tools(CATALOGUE)
OWN = "cypher_readonly"


@dataclass(frozen=True)
class Watched(Asking):
    """Notes the names of the queries and fragments that are run."""

    ran: set[str] = field(default_factory=set)

    def query(self, query, args):
        self.ran.add(query.name)
        return super().query(query, args)

    def fragments(self, name, parts, args, hops=None):
        self.ran.update(parts)
        found = super().fragments(name, parts, args, hops)
        self.ran.discard(name) if name not in CATALOGUE.queries else None
        return found


@pytest.fixture(scope="module")
def ctx(shared_store):
    small_company.build(shared_store, "filtering")
    yield Asking(shared_store, "filtering", permissions.member("ada"), NOW)
    shared_store.drop("brain:filtering")


@pytest.fixture(scope="module")
def told():
    """The rows that the README has about the tools."""
    return docs.tool_table().splitlines()


@pytest.mark.parametrize("name", TOOLS)
def test_every_tool_says_how_it_is_filtered(name, told):
    line = filtering.of_tool(CATALOGUE, name)
    assert line == filtering.OWN_TEXT if name == OWN else line.startswith("nodes visible")
    assert any(row.startswith(f"| `{name}` |") and row.endswith(f"{line} |") for row in told)


def test_every_query_that_answers_meets_nothing_unfiltered():
    for query in (q for kind in ("query", "internal") for q in CATALOGUE.of_kind(kind)):
        line = filtering.of_query(query)
        if line == "meets nothing":
            assert "MATCH" not in query.text and "db.idx" not in query.text and "algo." not in query.text, query.name
        else:
            assert line.startswith(("nodes visible", "histories of what is readable", "relations current", "claims readable")), query.name


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_runs_no_query_that_is_not_told(name, ctx):
    told = set(filtering.queries_of(CATALOGUE, name))
    calls = bench.arguments(TOOLS[name], bench.pool(ctx)) or [dict(CATALOGUE[name].example)] if name != OWN else []
    for args in calls[:12]:
        watched = Watched(ctx.store, ctx.workspace, ctx.viewer, ctx.as_of)
        with suppress(ToolError):
            TOOLS[name].run(watched, **args)
        composed = {q for q in watched.ran if q not in CATALOGUE.queries}
        assert watched.ran - composed <= told, (name, args)
    assert calls or name == OWN


@pytest.mark.parametrize("kind", ["prs", "issues", "tickets", "commits", "deploys", "alerts"])
@pytest.mark.parametrize("by", ["person", "month", "repository", "state"])
def test_whatever_is_counted_by_whatever_is_told(kind, by, ctx):
    watched = Watched(ctx.store, ctx.workspace, ctx.viewer, ctx.as_of)
    try:
        TOOLS["measure"].run(watched, kind=kind, by=by)
    except ToolError:
        return
    assert watched.ran & {q.name for q in CATALOGUE.of_kind("fragment")}
    assert watched.ran & set(CATALOGUE.queries) <= set(filtering.queries_of(CATALOGUE, "measure"))


def test_a_query_that_lost_its_filter_is_told_without_it():
    query = CATALOGUE["details"]
    bare = replace(query, text=query.text.replace("visible(", "seen(").replace("counted(", "all("))
    assert "visible" in filtering.of_query(query) and "basis" in filtering.of_query(query)
    assert "visible" not in filtering.of_query(bare) and "basis" not in filtering.of_query(bare)


def test_the_one_tool_without_a_stored_query_is_refused_to_whoever_may_not_read_everything(ctx):
    assert [name for name in TOOLS if not filtering.queries_of(CATALOGUE, name)] == [OWN]
    for viewer in (ctx.viewer, permissions.guest(), permissions.nobody(), replace(permissions.local_admin(), admin=False)):
        with pytest.raises(ToolError, match="administrators"):
            TOOLS[OWN].run(replace(ctx, viewer=viewer), query="MATCH (n) RETURN n LIMIT 1")
