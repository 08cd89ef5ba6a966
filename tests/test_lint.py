"""A query that breaks a rule is refused when it loads, with the file's name and the fix."""

from __future__ import annotations

import pytest

from brain import catalogue
from brain.errors import DefinitionError

GOOD = "MATCH (x:PullRequest) WHERE visible(x)\nRETURN x ORDER BY x.key LIMIT 5"


def parse(tmp_path, body, header="", kind="internal"):
    folder = tmp_path / "topic"
    folder.mkdir(exist_ok=True)
    path = folder / "planted.cypher"
    path.write_text(f"// kind: {kind}\n{header}// What it gives.\n{body}\n", "utf-8")
    return catalogue.parse(path, "derive" if kind == "derive" else "topic")


def test_a_good_query_passes(tmp_path):
    assert parse(tmp_path, GOOD).name == "planted"


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("MATCH (x:PullRequest)\nRETURN x ORDER BY x.key LIMIT 5", "add visible(x)"),
        ("MATCH (x:PullRequest)\nRETURN count(x) AS n LIMIT 1", "add visible(x)"),
        ("MATCH (x:Entity {key: 'a'})\nRETURN x.name AS n ORDER BY n LIMIT 5", "add visible(x)"),
        ("MATCH (:PullRequest)-[r:TOUCHED]->(f:File) WHERE visible(f)\nRETURN f ORDER BY f.key LIMIT 5", "name the node"),
        ("MATCH (f:File)<-[r:TOUCHED]-() WHERE visible(f)\nRETURN f ORDER BY f.key LIMIT 5", "name the node"),
        ("MATCH (x:PullRequest) // visible(x)\nRETURN x ORDER BY x.key LIMIT 5", "add visible(x)"),
        ("MATCH (x:PullRequest) WHERE x.name <> 'visible(x)'\nRETURN x ORDER BY x.key LIMIT 5", "add visible(x)"),
        ("MATCH (x:PullRequest) WHERE visible(x) OR x.number > 1\nRETURN x ORDER BY x.key LIMIT 5", "OR beside the rule"),
        ("MATCH (x:PullRequest) WHERE x.number > 1 OR visible(x)\nRETURN x ORDER BY x.key LIMIT 5", "OR beside the rule"),
        ("MATCH (x:PullRequest) WHERE NOT visible(x)\nRETURN x ORDER BY x.key LIMIT 5", "negated"),
        ("MATCH (x:PullRequest) WHERE (visible(x) OR true)\nRETURN x ORDER BY x.key LIMIT 5", "term of its own"),
        ("MATCH (x:PullRequest)\nRETURN x, visible(x) AS v ORDER BY x.key LIMIT 5", "term of its own"),
        ("MATCH (x:PullRequest) WHERE visible(x)\nRETURN x", "LIMIT"),
        ("MATCH (x:PullRequest) WHERE visible(x)\nRETURN x LIMIT 5", "ORDER BY"),
        ("MATCH (x:PullRequest) WHERE visible(x)\nWITH x ORDER BY x.key LIMIT 5\nMATCH (x)-[r:TOUCHED]->(f:File) WHERE visible(f)\nRETURN f ORDER BY f.key LIMIT 5", "LIMIT 5"),
        ("MATCH (p:Person)-[:REVIEWED]->(x:PullRequest) WHERE visible(p) AND visible(x)\nRETURN x ORDER BY x.key LIMIT 5", "current(r)"),
        ("MATCH (p:Person)-[r:REVIEWED]->(x:PullRequest) WHERE visible(p) AND visible(x)\nRETURN x ORDER BY x.key LIMIT 5", "current(r)"),
        ("MATCH (p:Person)-[r:OWNS]->(s:Service) WHERE visible(s)\nRETURN s ORDER BY s.key LIMIT 5", "add visible(p)"),
        ("MATCH (p:Person)-[r:OWNS]->(s:Service) WHERE visible(p) AND visible(s)\nRETURN s ORDER BY s.key LIMIT 5", "current(r)"),
        ("MATCH (x:Service)-[r:PART_OF]->(y:System) WHERE visible(x) AND visible(y)\nRETURN y ORDER BY y.key LIMIT 5", "current(r)"),
        ("MATCH (x:PullRequest)-[r]->(y:File) WHERE visible(x) AND visible(y)\nRETURN y ORDER BY y.key LIMIT 5", "current(r)"),
        ("MATCH (p:Person)-[r:KNOWS]->(f:File) WHERE visible(p) AND visible(f) AND current(r)\nRETURN f ORDER BY f.key LIMIT 5", "counted(r)"),
        ("MATCH (x:PullRequest)-->(y:File) WHERE visible(x)\nRETURN y ORDER BY y.key LIMIT 5", "name and a type"),
        ("MATCH (x:PullRequest)-[r:CLOSES*]->(y:Issue) WHERE visible(x) AND visible(y) AND current(r)\nRETURN y ORDER BY y.key LIMIT 5", "bound the path"),
        ("MATCH (x:PullRequest)-[r:CLOSES*1..]->(y:Issue) WHERE visible(x) AND visible(y) AND current(r)\nRETURN y ORDER BY y.key LIMIT 5", "bound the path"),
        ("MATCH (x:PullRequest)-[r:CLOSES*1..3]->(y:Issue) WHERE visible(x) AND visible(y) AND current(r)\nRETURN y ORDER BY y.key LIMIT 5", "every hop"),
        ("MATCH (x:Chunk) WHERE visible(x)\nRETURN x ORDER BY x.key LIMIT 5", "carries its vector"),
        ("MATCH (x:Entity) WHERE visible(x)\nRETURN x ORDER BY x.key LIMIT 5", "could be a chunk"),
        ("MATCH (x:Nonsense)\nRETURN x ORDER BY x.key LIMIT 5", "not in brain/schema.py"),
        ("MATCH (x:PullRequest)-[r:NONSENSE]->(y:File) WHERE visible(x) AND visible(y)\nRETURN y ORDER BY y.key LIMIT 5", "not in brain/schema.py"),
        ("MATCH (x:PullRequest) WHERE visible(x) SET x.a = 1\nRETURN x ORDER BY x.key LIMIT 5", "only reads"),
        ("MERGE (x:Repo {key: 'a'})\nRETURN x ORDER BY x.key LIMIT 5", "only reads"),
        ("LOAD CSV FROM 'file://x.csv' AS row\nRETURN row ORDER BY row LIMIT 5", "only reads"),
        ("CALL db.idx.fulltext.queryNodes('Chunk', 'x') YIELD node, score\nRETURN score ORDER BY score LIMIT 5", "yields"),
        ("CALL db.idx.fulltext.queryNodes('Chunk', 'x') YIELD node AS c, score\nRETURN score ORDER BY score LIMIT 5", "visible(c)"),
        ("CALL algo.SPpaths({maxLen: 3}) YIELD path\nRETURN path ORDER BY path LIMIT 5", "algo.SPpaths"),
        ("MATCH (x:PullRequest) WHERE visible(x)\nRETURN x ORDER BY x.key LIMIT 5\nUNION\nMATCH (x:Issue)\nRETURN x ORDER BY x.key LIMIT 5", "add visible(x)"),
        ("CALL {\n  MATCH (x:PullRequest) WHERE visible(x)\n  RETURN x\n  UNION ALL\n  MATCH (x:Issue)\n  RETURN x\n}\nRETURN x ORDER BY x.key LIMIT 5", "add visible(x)"),
        ("MATCH (x:PullRequest) WHERE visible(x)\nCALL {\n  WITH x\n  MATCH (x)-[r:CLOSES]->(y:Issue) WHERE current(r)\n  RETURN y\n}\nRETURN y ORDER BY y.key LIMIT 5", "add visible(y)"),
        ("MATCH (y:Issue) WHERE visible(y)\nCALL {\n  MATCH (y:Issue)\n  RETURN y AS z\n}\nRETURN z ORDER BY z.key LIMIT 5", "add visible(y)"),
    ],
)  # fmt: skip
def test_what_is_refused(tmp_path, body, says):
    with pytest.raises(DefinitionError, match=r"topic/planted\.cypher") as refused:
        parse(tmp_path, body)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    "body",
    [
        "MATCH (p:Person)-[r:AUTHORED]->(x) WHERE visible(p) AND visible(x) AND current(r) AND (x.number > 1 OR x.draft)\nRETURN x ORDER BY x.key LIMIT 5",
        "MATCH (x:Entity) WHERE visible(x) AND NOT x:Chunk\nRETURN x ORDER BY x.key LIMIT 5",
        "MATCH (x:PullRequest) WHERE visible(x)\nRETURN count(x) AS n LIMIT 1",
        "MATCH (p:Person)-[r:REVIEWED]->(x:PullRequest) WHERE visible(p) AND visible(x) AND current(r) AND NOT (p)-[:AUTHORED]->(x)\nRETURN x ORDER BY x.key LIMIT 5",
        "MATCH (c:Chunk) WHERE visible(c)\nRETURN c.text AS text ORDER BY c.key LIMIT 5",
        "MATCH (x:Commit) WHERE visible(x) AND coalesce(x.merge, false)\nRETURN x ORDER BY x.key LIMIT 5",
    ],
)
def test_what_is_fine(tmp_path, body):
    assert parse(tmp_path, body)


def test_a_fragment_states_what_it_takes(tmp_path):
    body = "MATCH (x)-[r:TOUCHED]->(f:File) WHERE visible(f)"
    assert parse(tmp_path, body, "// takes: x\n", "fragment").takes == ("x",)
    with pytest.raises(DefinitionError, match="visible"):
        parse(tmp_path, body, "", "fragment")
    with pytest.raises(DefinitionError, match="only a fragment"):
        parse(tmp_path, GOOD, "// takes: x\n")


def test_a_guard_may_only_be_counted(tmp_path):
    count = "MATCH (p:Person)-[h:REVIEWS_FOR]->(q:Person) WHERE visible(p) AND visible(q) AND NOT h.basis IN $viewer_basis\nRETURN count(h) AS hidden LIMIT 1"
    assert parse(tmp_path, count, "// guards: h\n")
    with pytest.raises(DefinitionError, match="guard"):
        parse(tmp_path, count.replace("count(h) AS hidden", "h ORDER BY h.n"), "// guards: h\n")
    with pytest.raises(DefinitionError, match="guard"):
        parse(tmp_path, count.replace("NOT h.basis", "h.basis"), "// guards: h\n")


DERIVE = (
    "MATCH (p:Person)-[r:REVIEWED]->(x:PullRequest)\nWHERE x.gone IS NULL AND x.access IN $labels\n"
    "RETURN p.key AS src, p.key AS dst, 1 AS at"
)


@pytest.mark.parametrize(
    ("was", "now", "says"),
    [
        ("", "", None),
        ("x.gone IS NULL AND ", "", "gone"),
        (" AND x.access IN $labels", "", "restricted"),
        ("p.key AS dst", "p.key AS other", "dst"),
        (", 1 AS at", "", "'at'"),
        ("(p:Person)-[r:REVIEWED]->", "(p:Person)-[k:REVIEWS_FOR]->(a:Person)-[r:REVIEWED]->", "counted"),
    ],
)
def test_a_derived_edge_counts_nothing_restricted_or_gone(tmp_path, was, now, says):
    body = DERIVE.replace(was, now) if was else DERIVE
    if says is None:
        assert parse(tmp_path, body, "// writes: REVIEWS_FOR\n", "derive").writes == "REVIEWS_FOR"
    else:
        with pytest.raises(DefinitionError, match=says):
            parse(tmp_path, body, "// writes: REVIEWS_FOR\n", "derive")


def test_only_a_derived_relationship_is_derived(tmp_path):
    with pytest.raises(DefinitionError, match="writes"):
        parse(tmp_path, DERIVE, "// writes: REVIEWED\n", "derive")


@pytest.mark.parametrize("kind", ["query", "internal"])
def test_candidates_get_into_no_query_that_an_answer_can_come_from(tmp_path, kind):
    body = "MATCH (p:Person)-[r:OWNS]->(s:Service) WHERE visible(p) AND visible(s) AND claimed(r)\nRETURN s ORDER BY s.key LIMIT 5"
    with pytest.raises(DefinitionError, match="lets candidates through"):
        parse(tmp_path, body, "// example: {}\n", kind)


def test_evidence_is_checked_like_a_source(tmp_path):
    with pytest.raises(DefinitionError, match=r"add visible\(e\)"):
        parse(tmp_path, "MATCH (e:Evidence {id: 'a'})\nRETURN e.quote AS q ORDER BY q LIMIT 5")
    assert parse(tmp_path, "MATCH (e:Evidence {id: 'a'}) WHERE visible(e)\nRETURN e.quote AS q ORDER BY q LIMIT 5").name == "planted"


@pytest.mark.parametrize("rule", ["visible(p) AND readable(s) AND current(r)", "visible(p) AND stated(r) AND visible(s)"])
def test_what_knows_no_instant_stays_in_histories(tmp_path, rule):
    body = f"MATCH (p:Person)-[r:OWNS]->(s:Doc) WHERE {rule}\nRETURN s ORDER BY s.key LIMIT 5"
    with pytest.raises(DefinitionError, match="knows no instant"):
        parse(tmp_path, body)
    assert catalogue.parse(tmp_path / "topic" / "planted.cypher", "rules").name == "planted"


def test_only_a_query_of_kind_audit_looks_past_the_rule_and_only_in_its_own_folder(tmp_path):
    body = "MATCH (x:Doc)\nRETURN x.key AS key, x.access AS access ORDER BY key LIMIT 5"
    with pytest.raises(DefinitionError, match="belongs into audit/"):
        parse(tmp_path, body, kind="audit")
    path = tmp_path / "topic" / "planted.cypher"
    assert catalogue.parse(path, "audit").kind == "audit"
    path.write_text(path.read_text("utf-8").replace("kind: audit", "kind: internal"), "utf-8")
    with pytest.raises(DefinitionError, match=r"add visible\(x\)"):
        catalogue.parse(path, "audit")
