"""Each check in each query is noticed when it is gone, and one that is not noticed is told."""

from __future__ import annotations

import time
from collections import defaultdict

import audited_docs
import audited_incidents
import audited_work
import pytest
import small_company
import small_graph
from small_company import MAPDESK, build
from small_graph import Rows, asking

from brain import catalogue, permissions, tools
from brain.audit import mutants, mutation, samples
from brain.audit.arguments import Asked
from brain.store import graph_name

CATALOGUE = catalogue.shipped()
TOOLS = tools.tools(CATALOGUE)


def company(store, workspace):
    """The small company with what only some checks are about: code in places that are told in every way, changes to a file of which
    only the file is hidden, and commits of which only the pull request is.
    """
    r = Rows([], [], [])
    r.node("service:gatekeeper", "gatekeeper")
    r.edge("service:rota", "PART_OF", f"dir:{MAPDESK}/free")
    r.node(f"file:{MAPDESK}/free/x.ts", "free/x.ts", repo=MAPDESK, path="free/x.ts", base="x.ts", access="restricted")
    r.edge(f"file:{MAPDESK}/free/x.ts", "IN_DIR", f"dir:{MAPDESK}/free")
    r.edge(f"pr:{MAPDESK}#1", "TOUCHED", f"file:{MAPDESK}/free/x.ts")
    for sha in ("f1" * 20, "f2" * 20):
        r.commit(MAPDESK, sha, "hyejinp", "Both at once", "2025-08-08", ("tiles/cache.ts", "assets/list.ts"))
    r.pr(MAPDESK, 95, "hyejinp", "Both at once", "2025-08-08", merged="2025-08-09", access="restricted", base="main")
    r.edge(f"pr:{MAPDESK}#95", "INCLUDES", f"commit:{MAPDESK}@{'f1' * 20}")
    small_graph.build(store, workspace, None, _joined(small_company.rows(), r, audited_docs.documents(), audited_work.work()))


def _joined(*some):
    return Rows(*([row for rows in some for row in getattr(rows, name)] for name in ("nodes", "edges", "chunks", "evidence")))


@pytest.fixture(scope="module")
def twins(shared_store):
    """Over the twinned company its guest, and what is asked of it, by the name of what answers."""
    company(shared_store, "mutated")
    with mutation.canaries(asking(shared_store, "mutated", permissions.local_admin()), int(time.time())) as (ctx, values):
        yield ctx, by_name(values)


def by_name(values):
    asked = defaultdict(list)
    for call in samples.calls(CATALOGUE, TOOLS, values):
        asked[call.kind, call.name].append(call)
    return asked


def planted(tmp_path, body, kind="internal", name="planted"):
    folder = tmp_path / "topic"
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.cypher").write_text(f"// kind: {kind}\n// returns: key\n// Something.\n{body}\n", "utf-8")
    return catalogue.load(tmp_path)


def mutated(twins, queries, calls):
    ctx, _ = twins
    there = type(ctx)(ctx.store, ctx.workspace, ctx.viewer, ctx.as_of, None, queries)
    return mutation.mutation(there, tools.tools(queries), calls)


def test_every_check_is_counted_as_noticed_or_told_as_missed(twins):
    """A sample; the small company has nothing that some of them are about, so the command on a whole company tells of all."""
    ctx, asked = twins
    found = mutation.mutation(ctx, TOOLS, [call for calls in asked.values() for call in calls[:4]], every=89)
    assert found["caught"] + len(found["missed"]) == found["total"] > 10
    assert min(found["caught"], found["refused"]) > found["total"] / 3


QUERIES = (
    "details", "expand", "entities", "by_keys", "titles", "counts", "chunks_of", "chunks_for", "passages_total", "search_text",
    "vector_scan", "needed_service", "reviewed_pr", "busy_repo", "lexicon_people", "lexicon_repos", "trace_pr", "rule_spans",
    "unowned_services", "owners_left", "activity_of_person",
    "cross_closes", "references_between", "given", "groups_of", "listed_as", "memberships_now", "person_of", "claims", "decision_status",
    "starts_of", "linking_texts", "people_gone", "stale_documents", "statusless_decisions", "unknown_owners", "files_renamed",
    "lexicon_accounts", "lexicon_milestones", "parts_of", "copied_sources", "named_in_runbooks", "owners_that_differ",
    "responsible_scopes", "things_running",
    "claims_about", "tickets_handled", "lexicon_things", "things_called", "things_named", "contributor_links", "rank_later", "review_links",
    "bound_to", "trace_commit", "activity_in_repos",
    "rules_known", "rules_shown", "co_change_links", "edges_stand", "activity_under", "trace_issue", "trace_release",
    "assigned", "subjects", "owning", "workload", "handlers_of", "answered", "things_of",
    "talks", "writings", "passages_of", "stated", "rivals",
)  # fmt: skip


INCIDENTS = (
    "alerts_in", "alerts_of", "alerts_told", "around", "before", "changes_in", "changes_to", "commits_of", "decided_on", "elsewhere",
    "ends_of", "links_between", "links_of", "rates_of", "recorded_of", "runs_called", "signal_of", "told_of", "word_counts",
)  # fmt: skip


@pytest.fixture(scope="module")
def alerted(shared_store):
    """The same of the small company with what investigations read."""
    small_graph.build(shared_store, "mutated-alerts", None, _joined(small_company.rows(), audited_incidents.incidents()))
    with mutation.canaries(asking(shared_store, "mutated-alerts", permissions.local_admin()), int(time.time())) as (ctx, values):
        yield ctx, by_name(values)


@pytest.mark.parametrize("name", QUERIES)
def test_every_check_of_a_query_is_noticed_to_be_gone(twins, name):
    assert missed(twins, name) == []


@pytest.mark.parametrize("name", INCIDENTS)
def test_every_check_of_a_query_of_investigations_is_noticed_to_be_gone(alerted, name):
    assert missed(alerted, name) == []


def missed(twins, name):
    """The checks of a query that are not noticed to be gone and about which nobody says why: by some calls, else by all."""
    ctx, asked = twins
    left = list(mutants.mutants([CATALOGUE[name]]))
    assert left
    for calls in (asked["query", name][::10], asked["query", name]):
        notice = mutation._Calls(ctx, TOOLS, calls)
        left = [m for m in left if not notice.notice(m) and not mutants.why(m) and not notice.covered(m)]
        if not left:
            break
    return [f"{m.n}: {m}" for m in left]


def test_a_check_that_binds_nothing_is_told(twins, tmp_path):
    body = "MATCH (x:Doc) WHERE visible(x) AND x.key = 'doc:nowhere'\nRETURN x.key AS key ORDER BY key LIMIT 5"
    found = mutated(twins, planted(tmp_path, body), [Asked("query", "planted", {})])
    assert (found["total"], found["caught"], found["refused"]) == (1, 0, 1)
    assert found["missed"] == [{"query": "planted", "macro": "visible(x)", "n": 0, "why": ""}]


def test_a_check_that_binds_is_noticed_in_a_count_as_well(twins, tmp_path):
    body = "MATCH (t:Ticket)-[h:HANDLED_BY]->(p:Person) WHERE visible(t) AND visible(p) AND current(h)\nRETURN count(h) AS n LIMIT 1"
    found = mutated(twins, planted(tmp_path, body), [Asked("query", "planted", {})])
    assert (found["total"], found["caught"], found["missed"]) == (3, 3, [])


def test_a_check_that_another_one_repeats_is_told_with_that_reason(twins, tmp_path):
    body = "MATCH (x:Doc) WHERE visible(x) WITH x MATCH (x) WHERE visible(x)\nRETURN x.key AS key ORDER BY key LIMIT 50"
    found = mutated(twins, planted(tmp_path, body), [Asked("query", "planted", {})])
    assert found["caught"] == 0 and {m["why"] for m in found["missed"]} == {mutation.COVERED}
    assert found["refused"] == 0  # deleting one of the two leaves the other


@pytest.mark.parametrize("query", CATALOGUE.of_kind("derive"), ids=lambda q: q.name)
def test_every_list_of_labels_of_a_derived_relationship_is_refused_or_noticed(twins, query):
    ctx, _ = twins
    made = list(mutants.mutants([query]))
    assert made
    for mutant in made:
        assert mutation._moves_edges(ctx, mutant) or mutants.why(mutant), str(mutant)


def test_a_check_that_another_one_does_not_repeat_is_told_without_that_reason(twins, tmp_path):
    """Two parts of a query may call different things alike."""
    ends = "RETURN x.key AS key ORDER BY key LIMIT 50"
    body = f"MATCH (x:Doc) WHERE visible(x)\n{ends}\nUNION\nMATCH (x:Doc) WHERE visible(x) AND x.key = 'doc:nowhere'\n{ends}"
    found = mutated(twins, planted(tmp_path, body), [Asked("query", "planted", {})])
    assert (found["caught"], found["missed"]) == (1, [{"query": "planted", "macro": "visible(x)", "n": 1, "why": ""}])


def test_the_copy_goes_in_the_end(shared_store):
    build(shared_store, "mutated-once")
    with mutation.canaries(asking(shared_store, "mutated-once", permissions.local_admin()), int(time.time())) as (ctx, values):
        assert shared_store.exists(graph_name(ctx.workspace)) and values.keys and ctx.viewer.clearance == permissions.guest().clearance
    assert shared_store.graphs(graph_name("mutated-once", mutation.PART)) == []
