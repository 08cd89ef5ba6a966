"""Derived edges against counts made by hand, and what they must leave out."""

from __future__ import annotations

import pytest
import small_company
from small_graph import F, G, Rows, at, build

from brain import catalogue, schema
from brain.permissions import basis, expand, guest, member

CLIENT, SERIAL = f"file:{G}/internal/modbus/client.go", f"file:{G}/internal/modbus/serial.go"


@pytest.fixture(scope="module")
def edges(shared_store):
    extra = Rows([], [], [])
    gone = extra.pr(G, 77, "ekoh", "Went away", "2025-05-01", merged="2025-05-02", files=("README.md",), gone=at("2025-06-01"))
    extra.review("ncarrowby", gone, "2025-05-01")
    inside = extra.pr(F, 78, "ekoh", "Known inside", "2025-05-01", merged="2025-05-02", files=("README.md",), access="internal")
    extra.review("dag", inside, "2025-05-02")
    build(shared_store, "derived", "restricted", extra)

    def read(rel):
        columns = ["n", "last_at", "at", "basis", "prs", "commits", "reviews", "authored", "reviewed", "derived_by"]
        told = ", ".join(f"r.{c} AS {c}" for c in columns)
        found = shared_store.read("brain:derived", f"MATCH (a)-[r:{rel}]->(b) RETURN a.key AS src, b.key AS dst, {told}")
        return {(row["src"], row["dst"]): row for row in found.rows}

    return read


def test_every_derived_relationship_has_a_file():
    written = {q.writes for q in catalogue.load().of_kind("derive")}
    assert written == {r.name for r in schema.RELS.values() if r.cls == "derived"}


def test_who_reviews_whom(edges):
    found = edges("REVIEWS_FOR")
    assert found[("person:tdabrowski", "person:sannakivela")]["n"] == 2
    assert found[("person:tdabrowski", "person:ncarrowby")]["n"] == 2
    assert found[("person:ncarrowby", "person:sannakivela")]["n"] == 1
    assert found[("person:sannakivela", "person:tdabrowski")]["last_at"] == at("2025-07-03")
    assert ("person:tdabrowski", "person:tdabrowski") not in found
    assert not any("ci[bot]" in who for pair in found for who in pair)


def test_what_is_gone_or_restricted_counts_nowhere(edges):
    assert ("person:ncarrowby", "person:ekoh") not in edges("REVIEWS_FOR")
    assert ("person:dag", "person:sannakivela") not in edges("REVIEWS_FOR")
    assert ("person:ekoh", f"repo:{G}") not in edges("CONTRIBUTES_TO")
    assert edges("CO_CHANGES")[(CLIENT, SERIAL)]["n"] == 2


def test_what_rests_on_internal_sources_says_so(edges):
    assert edges("REVIEWS_FOR")[("person:dag", "person:ekoh")]["basis"] == "internal"
    assert edges("REVIEWS_FOR")[("person:ncarrowby", "person:sannakivela")]["basis"] == "both"


def test_internal_sources_move_nothing_for_who_reads_only_the_open_ones(shared_store):
    extra = Rows([], [], [])
    again = extra.pr(G, 79, "sannakivela", "Reviewed inside too", "2025-05-01", merged="2025-05-02", files=("README.md",), access="internal")
    extra.review("tdabrowski", again, "2025-05-02")
    build(shared_store, "derived-apart", None, extra)
    build(shared_store, "derived-open", None)

    def told(workspace, rel, viewer):
        text = expand(f"MATCH (a)-[r:{rel}]->(b) WHERE counted(r) RETURN a.key AS a, b.key AS b, properties(r) AS p")
        rows = shared_store.read(f"brain:{workspace}", text, {"viewer_basis": basis(viewer)}).rows
        dull = ("basis", "id")
        found = {(r["a"], r["b"]): {k: v for k, v in r["p"].items() if k not in dull} for r in rows}
        assert len(found) == len(rows), "each is told once"
        return found

    for rel in ("REVIEWS_FOR", "KNOWS", "CO_CHANGES", "CONTRIBUTES_TO", "HAS_CONTRIBUTOR", "EXPERT_IN"):
        assert told("derived-apart", rel, guest()) == told("derived-open", rel, guest()), rel
    pair = ("person:tdabrowski", "person:sannakivela")
    assert told("derived-apart", "REVIEWS_FOR", member("m"))[pair]["n"] == told("derived-open", "REVIEWS_FOR", member("m"))[pair]["n"] + 1


def test_who_contributes_where(edges):
    found = edges("CONTRIBUTES_TO")
    assert {k: found[("person:sannakivela", f"repo:{G}")][k] for k in ("prs", "commits", "reviews")} == {
        "prs": 2,
        "commits": 2,
        "reviews": 1,
    }
    assert found[("person:dag", f"repo:{F}")]["commits"] == 1
    assert ("person:ekoh", f"repo:{G}") not in found
    assert {(b, a) for a, b in found} == set(edges("HAS_CONTRIBUTOR"))


def test_files_that_change_together(edges):
    found = edges("CO_CHANGES")
    assert found[(CLIENT, SERIAL)]["n"] == 2 and found[(CLIENT, SERIAL)]["at"] == at("2025-11-10")
    assert all(a < b for a, b in found)


def test_who_knows_files_directories_and_repositories(edges):
    found = edges("KNOWS")
    assert {k: found[("person:ncarrowby", CLIENT)][k] for k in ("authored", "reviewed", "commits")} == {
        "authored": 2,
        "reviewed": 1,
        "commits": 1,
    }
    assert found[("person:ncarrowby", f"dir:{G}/internal")]["authored"] == 2
    assert found[("person:ncarrowby", f"repo:{G}")]["reviewed"] == 1
    assert not any(a == "person:ci[bot]" for a, _ in found)
    assert {found[pair]["derived_by"] for pair in found} == {"50_knows_file.cypher", "51_knows_directory.cypher", "52_knows_repo.cypher"}


@pytest.fixture(scope="module")
def company(shared_store):
    small_company.build(shared_store, "derived-company", "restricted")

    def read(rel, label="Entity"):
        found = shared_store.read("brain:derived-company", f"MATCH (a)-[r:{rel}]->(b:{label}) RETURN a.key AS a, b.key AS b, properties(r) AS p").rows
        return {(row["a"], row["b"]): row["p"] for row in found}

    return read


def test_the_code_of_a_service_lies_in_its_folder_else_in_its_repository(company):
    assert {(a.partition(":")[2], b) for a, b in company("CODE_IN")} == {
        ("asset-register", f"dir:{small_company.MAPDESK}/assets"), ("map-tiles", f"dir:{small_company.MAPDESK}/tiles"),
        ("gate-control", f"dir:{G}/internal/command"), ("event-bus", f"repo:{small_company.TIDEWIRE}"), ("metrics-store", f"repo:{small_company.SILTWATCH}"),
    }  # fmt: skip


def test_who_knows_a_service_is_who_knows_its_code_and_no_program_does(company):
    known = {(a, b): p["authored"] for (a, b), p in company("KNOWS", "Service").items()}
    assert known[("person:ondrejm", "service:map-tiles")] == 3 and known[("person:pnolan", "service:asset-register")] == 2
    assert ("person:pnolan", "service:map-tiles") not in known and not any("bot" in a or a == "person:dag" for a, _ in known)


def test_an_expert_has_handled_two_tickets_at_least_and_none_that_is_restricted(company):
    found = {(a, b): p["score"] for (a, b), p in company("EXPERT_IN").items()}
    assert found == {("person:pnolan", "service:map-tiles"): 3, ("person:hyejinp", "service:map-tiles"): 2}


def test_an_interface_leads_back_to_who_provides_it(company):
    assert list(company("PROVIDED_BY")) == [("api:levels-api", "service:gauge-store")]
