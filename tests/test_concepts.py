"""Concepts are the terms an organisation uses, found in its own names and texts."""

import pytest

from brain.errors import BadInput
from brain.text.concepts import ConceptBuilder, Overrides, read_overrides, slug_of
from brain.text.vocabulary import Concept, Vocabulary

TEXTS = [
    ("Limit connection migration", "The connection migration is slow when NAT rebinding happens. See the spin bit."),
    ("Spin bit is wrong", "We disable the spin bit after a connection migration. Great idea, thanks!"),
    ("Rework pacing", "During connection migration the spin bit is reset. However the CID stays."),
    ("Handle NAT rebinding", "A NAT rebinding is a connection migration with the same CID for `max_ack_delay`."),
    ("Use maxAckDelay", "Because of NAT rebinding the CIDs change. Our `max_ack_delay` is zero-length in the spin bit."),
    ("Add logging", "However Alice said MUST is fine. Perhaps in Wireshark the zero-length frame is seen."),
    ("Fix crash", "We looked in Wireshark. Thanks to Alice for zero-length. This is seen by Wireshark too, says Alice."),
    ("Fix build", "Please look with Wireshark. IMHO the CID is right, asked Alice."),
]


def build(texts=TEXTS, **overrides) -> Vocabulary:
    builder = ConceptBuilder()
    builder.add_name("repo", "org/quic-lb")
    builder.add_name("person", "Alice Archer")
    builder.add_name("person", "spinner42")
    for title, body in texts:
        builder.add_text(title, body)
    return builder.finish(Overrides(**overrides))


def found(vocabulary: Vocabulary, text: str) -> set[str]:
    return {m.slug for m in vocabulary.mentions(text)}


def test_terms_of_every_kind_are_found_and_spelled_as_people_do():
    kinds = {c.slug: (c.name, c.kind) for c in build().concepts}
    assert kinds["connection-migration"] == ("connection migration", "phrase")
    assert kinds["nat-rebinding"] == ("NAT rebinding", "phrase")
    assert kinds["spin-bit"][1] == "phrase"
    assert kinds["cid"] == ("CID", "acronym")
    assert kinds["max-ack-delay"] == ("max_ack_delay", "identifier")
    assert kinds["zero-length"] == ("zero-length", "term")
    assert kinds["wireshark"] == ("Wireshark", "name")
    assert kinds["quic-lb"] == ("quic-lb", "repo")


def test_openers_emphasis_chat_and_people_are_no_concepts():
    slugs = {c.slug for c in build().concepts}
    for word in ("however", "great", "great-idea", "thanks", "must", "imho", "alice", "we", "perhaps", "fix", "use"):
        assert word not in slugs


def test_a_name_written_in_every_way_is_one_concept():
    vocabulary = build()
    for text in ("maxAckDelay", "MAX_ACK_DELAY", "the max ack delay", "`max-ack-delays`"):
        assert found(vocabulary, text) == {"max-ack-delay"}
    for text in ("Connection Migrations", "connection\nmigration", "CONNECTION-MIGRATION"):
        assert found(vocabulary, text) == {"connection-migration"}
    assert found(vocabulary, "all CIDs") == {"cid"}


def test_a_mention_is_whole_words_within_a_sentence():
    vocabulary = build()
    assert found(vocabulary, "lucid. The connection. Migration; connections\n\nmigration; spin, bit") == set()
    assert found(vocabulary, "see https://x.org/cid and [CID](http://spin-bit.org) for @cid\nReviewed-by: CID <c@d.e>") == {"cid"}


def test_mentions_are_counted_with_their_first_line_and_the_telling_first():
    vocabulary = Vocabulary(
        [Concept("common", "common", ("common",), "word", 500), Concept("rare", "rare thing", ("rare thing",), "phrase", 3)]
    )
    assert vocabulary.mentions("a common one\nand common\n\nthe rare things") == [("rare", 1, 4), ("common", 2, 1)]
    assert vocabulary.mentions("") == []
    assert "rare" in vocabulary and len(vocabulary) == 2 and vocabulary.concept("rare").uses == 3


def test_the_longest_term_wins():
    vocabulary = Vocabulary([Concept("path", "path", ("path",), "word", 9), Concept("path-id", "path ID", ("path ID",), "phrase", 5)])
    assert vocabulary.mentions("path id of a path") == [("path", 1, 1), ("path-id", 1, 1)] or found(vocabulary, "path id of a path") == {
        "path",
        "path-id",
    }
    assert found(vocabulary, "path ids") == {"path-id"}


def test_a_term_of_two_letters_keeps_its_case():
    vocabulary = Vocabulary([Concept("it", "IT", ("IT",), "acronym", 5)])
    assert found(vocabulary, "it works") == set()
    assert found(vocabulary, "ask IT") == {"it"}


def test_code_quotes_and_template_headings_teach_nothing():
    body = (
        "## Steps to reproduce\n<!-- secret words here -->\n> the quoted thing\n```\nthe hidden block\n```\n## Loss epochs\nthe loss epoch"
    )
    slugs = {c.slug for c in build([(f"Report {i}", body) for i in range(40)]).concepts}
    assert not {s for s in slugs if "step" in s or "secret" in s or "quoted" in s or "hidden" in s or "reproduce" in s}


def test_a_rare_term_of_a_large_corpus_is_no_concept():
    texts = TEXTS + [(f"Change number {i}", f"Something else about part {i}.") for i in range(6000)]
    assert "spin-bit" not in build(texts) and "spin-bit" in build()
    assert "quic-lb" in build(texts)


def test_a_prefix_before_a_colon_is_a_component():
    slugs = {c.slug: c.kind for c in build([(f"epoll,fix{i}: handle it", "x") for i in range(6)]).concepts}
    assert slugs["epoll"] == "component"


def test_there_are_at_most_two_thousand():
    names = [f"`name_{a}{b}{c}_x`" for a in "abcdefghijklm" for b in "abcdefghijklm" for c in "abcdefghijklm"]
    texts = [("T", " and ".join(names[i : i + 50])) for i in range(0, len(names), 25)]
    assert len(build(texts)) == 2000 < len(names)


def test_a_person_adds_and_bans(tmp_path):
    path = tmp_path / "concepts.yaml"
    path.write_text("add:\n  Load Balancing: [load balancing, QUIC-LB routing, LB]\n  pacer:\nban: [Spin Bits, zero-length]\n")
    vocabulary = build(**vars(read_overrides(path)))
    assert found(vocabulary, "Load-balancing, then quic lb routing") == {"load-balancing"}
    assert found(vocabulary, "the pacers") == {"pacer"}
    assert "spin-bit" not in vocabulary and "zero-length" not in vocabulary
    assert read_overrides(tmp_path / "none.yaml") == Overrides()
    assert [c.slug for c in ConceptBuilder().finish(path).concepts] == ["load-balancing", "pacer"]


@pytest.mark.parametrize("text", ["- a", "add: [x]", "ban: x", "other: 1", "add: {a: b}", "ban: [1]", "a: [", "\x00"])
def test_a_broken_file_is_named(tmp_path, text):
    path = tmp_path / "concepts.yaml"
    path.write_text(text)
    with pytest.raises(BadInput, match=r"concepts\.yaml"):
        read_overrides(path)


def test_the_order_of_texts_does_not_matter():
    assert build().concepts == build(TEXTS[::-1]).concepts


def test_an_empty_organisation_has_its_names_only():
    assert [c.slug for c in build([]).concepts] == ["quic-lb"]
    with pytest.raises(ValueError, match="legal"):
        ConceptBuilder().add_name("colour", "red")  # type: ignore[arg-type]
    assert slug_of("HTTP/3 & QUIC_v1") == "http-3-quic-v1"
