"""Stored texts and questions are analysed alike, and a question never upsets the index's query parser."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.text.analysis import MAX_TERMS, STOP_WORDS, analyse, query_terms, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Payments were failing", "payment fail"),
        ("maxAckDelay", "max ack delay maxackdelay"),
        ("MAX_ACK_DELAY", "max ack delay maxackdelay"),
        ("HTTPServer3", "http server3 httpserver3"),
        ("two ACKs, IPv6 CIDs", "two ack ipv6 cid"),
        ("uv_fs_open()", "uv fs open uvfsopen"),
        ("zero-length", "zero length"),
        ("v2.3.1", "v2 3 1"),
        ("Café RÉSUMÉ ﬁle", "cafe resum file"),
        ("it's the _ __ end", "end"),
        ("連接遷移", "連接 接遷 遷移"),
        ("", ""),
    ],
)
def test_analysis(text, expected):
    assert analyse(text) == expected


def test_one_name_written_three_ways_meets_itself():
    for other in ("maxAckDelay", "max_ack_delay", "MAX_ACK_DELAY"):
        assert "maxackdelay" in query_terms(other)


def test_a_question_keeps_its_subject_only():
    assert query_terms("Who should I ask about the connection migration?") == ["ask", "connect", "migrat"]
    assert query_terms("what is it?") == []


def test_terms_are_deduplicated_and_bounded():
    assert query_terms("ack acks ACK") == ["ack"]
    assert len(query_terms(" ".join(f"word{i}" for i in range(200)))) == MAX_TERMS


@given(st.text(max_size=300))
def test_every_term_is_a_plain_word(text):
    for term in query_terms(text):
        assert re.fullmatch(r"\w+", term) and term.strip("_") and term == term.lower()
    assert analyse(text) == " ".join(terms(text))


@given(st.text(max_size=200))
def test_a_question_finds_the_text_it_repeats(text):
    assert set(query_terms(text)) <= set(analyse(text).split())


def test_threads_agree():
    words = [f"running{chr(97 + i % 26)}s" for i in range(2000)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(analyse, words)) == [analyse(w) for w in words]


def test_stop_words_are_not_stemmed_out_of_shape():
    assert analyse(" ".join(STOP_WORDS)) == ""
