"""Words of others in Markdown and in a chat's markup: they show their characters and do nothing."""

import pytest
from incident_made import HOSTILE
from markdown_it import MarkdownIt

from brain.text.markup import chat, chat_link, code, markdown, short, web_url

MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def tokens(text):
    """Every token of the text as a renderer sees it, those inside lines too."""
    return [inner for token in MARKDOWN.parse(text) for inner in (token, *(token.children or ()))]


def shown(text):
    return "".join(t.content for t in tokens(text) if t.type in ("text", "code_inline"))


@pytest.mark.parametrize(
    "words", ["*bold* _it_ ~~gone~~", "`code`", "[go](javascript:alert)", "![i](x.png)", "<b onclick=x>", "a | b", "\\", "# no heading", "&amp; &copy;",
              "[ref][1]", "<http://evil.test>", "$x$", "a_b __init__", "1 * 2 * 3"],
)  # fmt: skip
def test_markdown_shows_the_characters_as_they_were_written(words):
    assert shown(f"Said: {markdown(words)}") == f"Said: {words.replace('`', '`')}"
    assert {t.type for t in tokens(f"Said: {markdown(words)}")} <= {"paragraph_open", "paragraph_close", "inline", "text", "code_inline"}


def test_addresses_and_mentions_stand_as_code_where_no_renderer_makes_them_live():
    made = tokens(f"Said: {markdown(HOSTILE)}")
    assert {t.type for t in made} <= {"paragraph_open", "paragraph_close", "inline", "text", "code_inline"}
    words = " ".join(t.content for t in made if t.type == "text")
    assert not any(sign in words for sign in ("://", "www.", "@here"))
    assert "http://evil.test/bare" in [t.content for t in made if t.type == "code_inline"]


def test_a_cell_of_a_table_keeps_to_its_cell():
    table = f"| a | b |\n|---|---|\n| {markdown('x | y')} | {code('k|`|z')} {markdown('http://a|b')} |\n"
    assert [t.type for t in tokens(table)].count("td_open") == 2


@pytest.mark.parametrize(("words", "said"), [
    ("a < b & c > d", "a &lt; b &amp; c &gt; d"), ("<!channel> <@U1> <http://x|y>", "&lt;!channel&gt; &lt;＠U1&gt; &lt;http x|y&gt;"),
    ("@here and @everyone", "＠here and ＠everyone"), ("*b* ~s~ `c`", "∗b∗ ∼s∼ ˋcˋ"), ("_it_ a_b", "-it- a_b"), ("see https://x.test/a", "see https x.test/a"),
    ("one\ntwo\r\n\u202ethree\x1b[2J", "one two three [2J"),
])  # fmt: skip
def test_a_chat_shows_the_words_and_nothing_happens(words, said):
    assert chat(words) == said


def test_a_chat_links_only_where_an_address_is_to_be_trusted():
    assert chat_link("https://x.test/a?b=1&c=2", "a|b <c>") == "<https://x.test/a?b=1&amp;c=2|a/b &lt;c&gt;>"
    for address in ("", "javascript:alert(1)", "https://x.test/>|<!here>", "https://u:p@x.test/", "https://x.test/a|b"):
        assert chat_link(address, "name") == "name"
    assert web_url("https://x.test/a") and not web_url("https://ex\u0430mple.test/")


def test_what_is_cut_says_so():
    assert short("one  two\nthree", 9) == "one two…" and short("one", 9) == "one"
