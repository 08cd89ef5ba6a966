"""Passages: short, title first, true to the lines they came from."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.text.chunks import LIMIT, chunk, content_hash
from brain.types import TextRow


def row(body: str, title: str = "Pacing is wrong", part: str = "body") -> TextRow:
    return TextRow("issue:org/quic#7", part, title, body, 5, "ada", "org/quic", "open", ("team:a",), "https://x/7")


def test_a_passage_carries_its_source():
    (c,) = chunk(row("We send too fast."))
    assert c.text == "Pacing is wrong\nWe send too fast."
    assert (c.key, c.src, c.n) == ("chunk:issue:org/quic#7/0", "issue:org/quic#7", 0)
    assert (c.at, c.author, c.repo, c.access, c.aud, c.url) == (
        5,
        "ada",
        "org/quic",
        "open",
        ("team:a",),
        "https://x/7",
    )
    assert c.hash == content_hash(c.text)


def test_a_comment_has_its_part_in_the_key():
    assert chunk(row("Agreed.", part="comment/9"))[0].key == "chunk:issue:org/quic#7/comment/9/0"


def test_an_empty_body_gives_the_title_and_an_empty_comment_gives_nothing():
    (c,) = chunk(row(" \r\n"))
    assert (c.text, c.line, c.line_end) == ("Pacing is wrong", 0, 0)
    assert chunk(row("", part="comment/9")) == []
    assert chunk(row("", title="")) == []


def test_template_comments_go_and_line_numbers_stay():
    (c,) = chunk(row("<!-- Thank you!\r\nFill in below. -->\r\nIt crashes.<!-- x -->\r\n"))
    assert c.text == "Pacing is wrong\nIt crashes."
    assert (c.line, c.line_end) == (3, 3)


def test_a_comment_sign_in_code_or_without_an_end_is_text():
    body = "See `<!-- a -->`.\n```html\n<!-- b -->\n```\nand <!-- c"
    assert chunk(row(body))[0].text == "Pacing is wrong\n" + body


def test_a_code_block_moves_whole_to_the_next_passage():
    code = "```\n" + "\n".join(f"line {i} of code" for i in range(30)) + "\n```"
    passages = chunk(row("word " * 130 + "\n\n" + code))
    assert len(passages) == 2
    assert passages[1].text == "Pacing is wrong\n" + code
    assert (passages[1].line, passages[1].line_end) == (3, 34)


def test_a_heading_stays_with_what_it_heads():
    body = "\n\n".join(["word " * 100, "## Second part", "other " * 100])
    passages = chunk(row(body))
    assert passages[1].text.startswith("Pacing is wrong\n## Second part")


def test_a_long_paragraph_is_cut_at_sentences():
    body = " ".join(f"This is sentence number {i} of the text." for i in range(60))
    for c in chunk(row(body)):
        assert c.text.endswith("of the text.")
        assert (c.line, c.line_end) == (1, 1)


def test_a_reply_is_not_mostly_quotation():
    body = "> " + "the whole earlier message " * 10 + "\n> short\n\nNo, because the window is full."
    (c,) = chunk(row(body, part="comment/1"))
    assert c.text == "Pacing is wrong\n> short\n\nNo, because the window is full."
    assert chunk(row("> only what you said", part="comment/1")) == []
    assert "the whole earlier" in chunk(row(body))[0].text  # a body replies to nobody


def test_a_huge_line_is_cut_and_says_so():
    (c,) = chunk(row("data " + "A" * 1_000_000))
    assert c.text.endswith("…") and len(c.text) < 400
    passages = chunk(row("word " * 1_000_000))
    assert sum(len(c.text) for c in passages) < 25_000 and passages[-1].text.endswith("…")


def test_unprintable_characters_become_spaces():
    assert chunk(row("a\x00b\u2028c\ud800d"))[0].text == "Pacing is wrong\na b c d"


LINES = st.lists(
    st.one_of(
        st.text(string.ascii_letters + string.digits + " .,;!?>#*-`\"'", max_size=300),
        st.sampled_from(["", "```", "~~~", "<!-- x", "-->", "<!-- y -->", "> quoted", "## Heading", "漢字" * 700]),
    ),
    max_size=40,
)


@pytest.mark.parametrize("part", ["body", "comment/1"])
@given(lines=LINES, title=st.text(max_size=400), newline=st.sampled_from(["\n", "\r\n", "\r"]))
def test_every_passage_is_short_ordered_and_repeatable(part, lines, title, newline):
    text = row(newline.join(lines), title, part)
    passages = chunk(text)
    assert passages == chunk(text)
    assert [c.n for c in passages] == list(range(len(passages)))
    end = 0
    for c in passages:
        assert 0 < len(c.text) <= LIMIT
        assert c.text.startswith(c.title)
        assert end <= c.line <= c.line_end <= max(len(lines), 1) or c.line == 0
        end = c.line_end


@given(lines=st.lists(st.text(string.ascii_letters + " .,;!?#*-`", max_size=1500).filter(lambda s: ">" not in s), max_size=12))
def test_no_word_is_lost(lines):
    body = "\n".join(lines)
    longest = max((len(w) for w in body.split()), default=0)
    kept = "".join("".join(c.text.removeprefix("T").split()) for c in chunk(row(body, title="T")))
    if longest < 200:
        assert kept == "".join(body.split())


@given(lines=LINES)
def test_each_passage_begins_on_the_line_it_names(lines):
    for c in chunk(row("\n".join(lines), title="T")):
        if c.line:
            first = c.text.split("\n")[1][:50]
            assert first.rstrip("…").strip() in lines[c.line - 1] or "<!--" in "".join(lines)


@given(own=st.text("abc ", max_size=200), quotes=st.lists(st.text("xyz ", max_size=80), max_size=30))
def test_own_words_are_the_greater_part_of_a_reply(own, quotes):
    body = "\n".join(["> " + q for q in quotes] + ["", own])
    for c in chunk(row(body, title="", part="comment/1")):
        quoted = sum(len(line) for line in c.text.split("\n") if line.startswith(">"))
        assert quoted <= len(c.text) - quoted
