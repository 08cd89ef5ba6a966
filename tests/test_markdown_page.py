"""A document is taken apart with true line numbers, whatever it holds."""

from brain.connectors.markdown_page import parse

TEXT = """\
---
title: A page
tags: [a, b]
visible_to:
  - team-a
  - team-b
---

# Heading with [a link](x.md)

A paragraph of two
lines with `code` and **bold**.

- an item
- ~~no longer~~ another

> quoted

| Service | Owner |
|---|---|
| dosing | ~~team-a~~ team-b |
| `mixer` | [Ada](https://github.com/ada)<br>team-c |

```sh
# not a heading, [not a link](y.md)
```
"""


def test_every_line_stands_where_it_stands_in_the_text():
    page = parse(TEXT)
    source = TEXT.splitlines()
    assert page.heading.text == "Heading with a link" and page.heading.line == 9
    for line in page.lines:
        assert line.text.split()[0].strip("`") in source[line.line - 1]
    assert [ln.line for ln in page.lines if ln.text.startswith(("lines", "an item", "another", "quoted"))] == [12, 14, 15, 17]


def test_front_matter_values_know_their_lines():
    front = parse(TEXT).front
    assert [(v.text, v.line) for v in front.all("visible_to")] == [("team-a", 5), ("team-b", 6)]
    assert front.one("missing", "title").text == "A page" and [v.text for v in front.all("tags")] == ["a", "b"]


def test_cells_keep_links_and_breaks_and_leave_out_what_is_struck():
    table = parse(TEXT).tables[0]
    assert table.header == ("Service", "Owner") and table.heading == "Heading with a link"
    assert [r.line for r in table.rows] == [21, 22] and table.rows[0].cells[1].text == "team-b"
    cell = table.rows[1].cells[1]
    assert cell.text == "Ada\nteam-c" and cell.links[0].href == "https://github.com/ada" and table.rows[1].cells[0].code == ("mixer",)


def test_code_holds_neither_headings_nor_links():
    assert [link.href for link in parse(TEXT).links] == ["x.md", "https://github.com/ada"]


def test_bad_front_matter_is_told_with_its_line_and_the_text_stays():
    page = parse("---\ntitle: a\nbad: [1, 2\n---\n# Still here\n")
    assert "not valid YAML" in page.front.problem and page.front.line >= 3 and page.heading.text == "Still here"


def test_a_rule_line_at_the_top_is_no_front_matter():
    page = parse("---\n\n# Title\n\nText.\n\n---\n\nMore.\n")
    assert page.front.values == {} and page.heading.text == "Title"


def test_toml_front_matter_is_read():
    front = parse('+++\ntitle = "T"\ndate = 2024-05-01\nowners = ["a", "b"]\n+++\nText\n').front
    assert front.one("title").text == "T" and front.one("date").text.startswith("2024-05-01") and front.one("owners").line == 4


def test_a_placeholder_in_braces_is_no_value():
    assert parse("---\ndate: {YYYY-MM-DD when it was}\nstatus:\n---\n# x\n").front.all("date", "status") == ()


def test_paragraphs_come_apart():
    section = parse("# T\n\none\ntwo\n\nthree\n").sections[1]
    assert [[ln.text for ln in block] for block in section.paragraphs()] == [["one", "two"], ["three"]]


def test_empty_texts_and_texts_of_marks_only_are_read():
    for text in ("", "---", "---\n---", "#", "|", "| a |\n|---|", "\n\n", "[", "- \n- "):
        parse(text)


def test_front_matter_that_refers_to_itself_over_and_over_is_read_in_bounds():
    bomb = "---\na: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]\n---\n# x\n"
    assert len(parse(bomb).front.all("d")) < 50_000 and parse(bomb).heading.text == "x"
    assert "longer than" in parse("---\na: " + "x" * 70_000 + "\n---\n# y\n").front.problem


def test_a_line_of_thousands_of_dates_is_read_in_no_time():
    from brain.connectors.dates import moments

    assert sum(1 for _ in moments("2020-01-01 " * 5_000)) == 5_000
