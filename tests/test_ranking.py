"""BM25 as the store sums it up from its index is BM25; fused rankings agree with what both say."""

import math
from collections import Counter

import pytest

from brain import embedded, values
from brain.settings import Settings
from brain.store import Store
from brain.text.analysis import analyse, query_terms
from brain.text.ranking import norm, rrf, weights

PASSAGES = [
    "The connection migrates when the client changes its address. Migration needs path validation.",
    "Path validation: a PATH_CHALLENGE is answered by a PATH_RESPONSE; validation, validation, validation.",
    "An ACK acknowledges packets. Delay the ACK by max_ack_delay.",
    "Congestion control on a new path starts again, since path properties differ.",
    "Nothing to see here at all, just words about a path.",
    "Delayed ACK packets before a connection may migrate.",
    "path path path path path path path path",
]
# The full-text query of the catalogue without its access rule.
BM25 = """
MATCH (c:Chunk) WITH count(c) AS n
UNWIND $terms AS t
CALL db.idx.fulltext.queryNodes('Chunk', t) YIELD node, score
WITH n, t, node, score * node.ft_max AS w
WITH n, t, collect([node, w]) AS hits, count(node) AS df, min(w) AS one
WITH hits, one, log(1.0 + (n - df + 0.5) / (df + 0.5)) AS idf
UNWIND hits AS hit
WITH hit[0] AS node, hit[1] / one AS tf, idf
WITH node, sum(idf * tf / (tf + node.ft_norm)) AS score
RETURN node.name AS i, score ORDER BY score DESC, i
"""


def bm25_scores(terms, docs, df, n_docs, **average):
    """BM25 of each analysed text for the terms, from how many of `n_docs` texts hold each term (`df`)."""
    idf = {t: math.log(1 + (n_docs - df[t] + 0.5) / (df[t] + 0.5)) for t in terms if df.get(t)}
    counted = [Counter(doc.split()) for doc in docs]
    return [sum(w * c[t] / (c[t] + norm(c.total(), **average)) for t, w in idf.items()) for c in counted]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    settings = Settings(home=tmp_path_factory.mktemp("home"), idle_stop_s=20)
    opened = Store.open(settings)
    for i, text in enumerate(PASSAGES):
        ft = analyse(text)
        w = weights(ft)
        header = values.header({"i": i, "ft": ft, "m": w["ft_max"], "n": w["ft_norm"]})
        opened.write("ranking", header + "CREATE (:Entity:Chunk {name: $i, ft: $ft, ft_max: $m, ft_norm: $n})")
    opened.write("ranking", "CREATE FULLTEXT INDEX FOR (c:Chunk) ON (c.ft) OPTIONS {nostem: true, stopwords: []}")
    opened.wait_for_indexes("ranking")
    yield opened
    opened.close()
    embedded.stop(settings)


@pytest.mark.parametrize("question", ["path validation", "max_ack_delay", "Who migrated the connection's path?", "validation of packets"])
def test_the_store_sums_up_bm25(store, question):
    terms = query_terms(question)
    docs = [analyse(p) for p in PASSAGES]
    df = Counter(t for d in docs for t in set(d.split()))
    expected = bm25_scores(terms, docs, df, len(docs))
    found = {r["i"]: r["score"] for r in store.read("ranking", BM25, {"terms": terms}).rows}
    assert set(found) == {i for i, s in enumerate(expected) if s > 0}
    for i, score in found.items():
        assert math.isclose(score, expected[i], rel_tol=1e-4)


def test_bm25_by_hand():
    scores = bm25_scores(["a", "absent"], ["a b", "b b"], {"a": 1}, 2, avg_len=2)
    assert scores == [pytest.approx(math.log(2) / 2.5), 0.0]
    assert bm25_scores([], ["a"], {}, 1) == [0.0]


def test_weights_of_a_text_and_of_none():
    assert weights("a b a") == {"ft_max": 2, "ft_norm": pytest.approx(0.4425)}
    assert weights("")["ft_max"] == 1


def test_fusion_prefers_what_both_rankings_name():
    fused = rrf([["a", "b", "c"], ["d", "b"]])
    assert [thing for thing, _ in fused] == ["b", "a", "d", "c"]
    assert fused[0][1] == pytest.approx(2 / 62)
    assert rrf([]) == [] and rrf([["a", "a"]]) == [("a", 1 / 61)]
