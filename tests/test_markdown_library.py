"""One record is found by link, number or title, and a replacement is one fact whoever states it."""

from pathlib import Path

import pytest
from company_files import Rows, fetched, written

from brain.connectors.markdown_kind import Document
from brain.connectors.markdown_library import number_of
from brain.connectors.markdown_page import parse

SAMPLES = Path(__file__).parent.parent.parent / "shared" / "formats" / "adr"


def adr(title, status, body="", date="2020-01-01"):
    return f"# {title}\n\nDate: {date}\n\n## Status\n\n{status}\n\n## Context\n\nIt was slow.\n\n## Decision\n\nWe do it because it is fast. {body}\n"


def load(folder, files):
    for name, text in files.items():
        written(folder / name, text)
    return Rows(fetched("markdown", folder, base=folder.parent))


def replaced(rows):
    return {(a.rpartition("/")[2], b.rpartition("/")[2]) for a, b in rows.of("SUPERSEDES")}


def test_stated_by_both_it_is_one_fact(tmp_path):
    rows = load(tmp_path / "adr", {"0001-a.md": adr("1. A", "Superseded by [2. B](0002-b.md)"), "0002-b.md": adr("2. B", "Supersedes [1. A](0001-a.md)", date="2020-02-02")})
    assert replaced(rows) == {("0002-b", "0001-a")}
    props = rows.props["decision:adr/0002-b", "SUPERSEDES", "decision:adr/0001-a"]
    assert props["state"] == "approved" and props["valid_from"] == 1580601600 and props["access_key"] == "doc:adr/0002-b.md"


def test_a_dead_link_is_found_by_its_number(tmp_path):
    rows = load(tmp_path / "adr", {"ADR012-images.md": adr("ADR012: Images", "Superseded by [ADR028](ADR028-docker-tools.md)"), "ADR028-container-tools.md": adr("ADR028: Tools", "Accepted")})
    assert replaced(rows) == {("ADR028-container-tools", "ADR012-images")}
    assert rows.props["decision:adr/ADR028-container-tools", "SUPERSEDES", "decision:adr/ADR012-images"]["how"] == "number"
    assert any("not there: ADR028-docker-tools.md" in s.reason and s.origin.line == 7 for s in rows.skips)


def test_a_number_means_the_record_of_the_same_folder(tmp_path):
    files = {f"{folder}/0001-x.md": adr("1. X", "Superseded by ADR-2") for folder in ("a/adr", "b/adr")} | {f"{folder}/0002-y.md": adr("2. Y", "Accepted") for folder in ("a/adr", "b/adr")}
    rows = load(tmp_path / "docs", files)
    assert rows.of("SUPERSEDES") == {(f"decision:docs/{f}/adr/0002-y", f"decision:docs/{f}/adr/0001-x") for f in "ab"}


def test_two_records_of_one_number_are_told_and_neither_is_meant(tmp_path):
    rows = load(tmp_path / "adr", {"0001-a.md": adr("1. A", "Superseded by ADR-2"), "0002-b.md": adr("2. B", "Accepted"), "0002-c.md": adr("2. C", "Accepted")})
    assert rows.of("SUPERSEDES") == set() and any("not there" in s.reason and s.origin.line == 7 for s in rows.skips)


def test_chains_and_one_by_two(tmp_path):
    rows = load(tmp_path / "adr", {
        "0001-a.md": adr("1. A", "Superseded by [2](0002-b.md)"), "0002-b.md": adr("2. B", "Superseded by [3](0003-c.md) and [4](0004-d.md)"),
        "0003-c.md": adr("3. C", "Accepted"), "0004-d.md": adr("4. D", "Accepted"),
    })  # fmt: skip
    assert replaced(rows) == {("0002-b", "0001-a"), ("0003-c", "0002-b"), ("0004-d", "0002-b")}


def test_partial_replacement_says_of_what(tmp_path):
    rows = load(tmp_path / "adr", {
        "0003-net.md": adr("3. Network", "Partly superseded", "\n\n**These IP ranges have been superseded by [ADR #0033](0033-ip.md).**"),
        "0033-ip.md": adr("33. Ranges", "Pending\n\nThis ADR in part supersedes [0003](0003-net.md)."),
    })  # fmt: skip
    assert replaced(rows) == {("0033-ip", "0003-net")}
    props = rows.props["decision:adr/0033-ip", "SUPERSEDES", "decision:adr/0003-net"]
    assert props["scope"] == "These IP ranges" and props["state"] == "approved"


def test_a_proposal_replaces_nothing_yet(tmp_path):
    rows = load(tmp_path / "adr", {"0001-a.md": adr("1. A", "Accepted"), "0002-b.md": adr("2. B", "Proposed\n\nSupersedes [1](0001-a.md)")})
    assert rows.props["decision:adr/0002-b", "SUPERSEDES", "decision:adr/0001-a"]["state"] == "candidate"


def test_replacement_in_passing_is_a_candidate(tmp_path):
    rows = load(tmp_path / "adr", {"adr013-old.md": adr("ADR013: Old", "Accepted"), "adr014-new.md": adr("ADR014: New", "Accepted", "\n\nUntil now we have been recommending old things through ADR013.")})
    assert rows.props["decision:adr/adr014-new", "SUPERSEDES", "decision:adr/adr013-old"]["state"] == "candidate"


def test_amending_refers_and_replaces_nothing(tmp_path):
    rows = load(tmp_path / "adr", {"0005-a.md": adr("5. A", "Accepted, amended by [9](0009-b.md)"), "0009-b.md": adr("9. B", "Accepted\n\nAmends [5](0005-a.md)")})
    assert rows.of("SUPERSEDES") == set()
    assert rows.props["decision:adr/0009-b", "REFERENCES", "decision:adr/0005-a"]["how"] == "amends"


def test_a_title_or_a_slug_is_enough(tmp_path):
    rows = load(tmp_path / "adr", {
        "dns.md": adr("DNS Infrastructure", "Accepted"), "hosts.md": adr("Hosts", "Superseded by DNS Infrastructure") , "old.md": adr("Old", "Accepted"),
        "new.md": f"---\nsupersedes: old\n---\n{adr('New', 'Accepted')}",
    })  # fmt: skip
    assert ("new", "old") in replaced(rows)


def test_links_lead_to_documents_however_they_are_written(tmp_path):
    rows = load(tmp_path / "repo", {
        "docs/a/x.md": "# X\n\n[1](../b/y.md#part) [2](/docs/b/z.md) [3](https://github.com/acme/repo/blob/main/docs/b/w.md) [4](../b/) [5](../b/y.html) [6](gone.md) [7](https://x.example/y.md)\n",
        "docs/b/y.md": "# Y\n", "docs/b/z.md": "# Z\n", "docs/b/w.md": "# W\n", "docs/b/README.md": "# All\n",
    })  # fmt: skip
    assert {dst.rpartition("/")[2] for src, dst in rows.of("REFERENCES")} == {"y.md", "z.md", "w.md", "README.md"}
    assert [(s.reason, s.origin.line) for s in rows.skips] == [("a link to a document that is not there: gone.md", 3)]


def test_a_policy_replaces_a_policy_and_its_rules(tmp_path):
    table = "| Rule | Value | Applies to | From |\n|---|---|---|---|\n| Deadline | {} hours | | {} |\n"
    rows = load(tmp_path / "policies", {
        "old.md": "# Old\n\n" + table.format(8, "2024-01-01") + "| Note | kept | | 2024-01-01 |\n",
        "new.md": "---\nsupersedes: policies/old.md\neffective_from: 2025-01-01\n---\n# New\n\n" + table.format(4, "2025-01-01"),
    })  # fmt: skip
    assert rows.of("SUPERSEDES") == {
        ("doc:policies/new.md", "doc:policies/old.md"), ("rule:policies-new/deadline", "rule:policies-old/deadline"), ("doc:policies/new.md", "rule:policies-old/note"),
    }  # fmt: skip


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="needs the samples beside the repository")
def test_the_samples_replace_each_other_as_their_words_say():
    rows = Rows(fetched("markdown", SAMPLES, base=SAMPLES.parent))
    approved = {k for k in rows.props if k[1] == "SUPERSEDES" and rows.props[k]["state"] == "approved"}
    short = {(a.rpartition("/")[2].split("-")[0], b.rpartition("/")[2].split("-")[0]) for a, _, b in approved}
    assert short == {
        ("ADR024", "ADR004"), ("ADR025", "ADR005"), ("ADR023", "ADR006"), ("ADR023", "ADR007"), ("ADR029", "ADR009"), ("ADR029", "ADR010"), ("ADR028", "ADR012"),
        ("ADR023", "ADR015"), ("ADR046", "ADR028"), ("ADR031", "ADR030"), ("ADR034", "ADR030"), ("ADR043", "ADR032"), ("ADR043", "ADR038"), ("20201016", "20200926"),
    }  # fmt: skip
    assert not any("template" in key.rpartition("/")[2] for key in rows.nodes if key.startswith("decision:"))


@pytest.mark.parametrize(("name", "title", "number"), [
    ("0033-ip-ranges.md", "3. Networking Outline", 33), ("adr-12-queues.md", "1. Queues", 12), ("0004-x.md", "ADR-7: X", 7), ("12-x.md", "3. X", 3),
    ("12-x.md", "X", 12), ("20200101-x.md", "X", None), ("2020-01-01-x.md", "4. X", 4), ("x.md", "4. X", 4), ("0005-x.md", "2019-05 was slow", 5),
])  # fmt: skip
def test_the_number_of_a_record_is_not_what_was_copied_into_its_title(tmp_path, name, title, number):
    assert number_of(Document(f"docs/adr/{name}", parse(adr(title, "Accepted")))) == number
