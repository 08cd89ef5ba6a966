"""What a question names, over the demo: every way of writing it, what is unknown, what could be several things."""

from __future__ import annotations

from itertools import pairwise

import pytest

from brain.agents.run import Run
from brain.text.linking import Linker

NOW = 1_792_195_200
ORG = "merefold"


@pytest.fixture(scope="module")
def linker(demo):
    run = Run(demo.asking(demo.viewer(), NOW), demo.tools)
    return Linker(demo.lexicon(demo.viewer()), run.lookup)


@pytest.fixture(scope="module")
def link(linker):
    return lambda text, context=(): linker.link(text, context)


def named(links):
    return [(m.keys, m.how) for m in links.mentions if m.label != "Concept"]


@pytest.mark.parametrize(
    ("text", "key", "how"),
    [
        ("see https://github.com/merefold/gatekeeper/pull/12/files please", f"pr:{ORG}/gatekeeper#12", "address"),
        ("https://github.com/merefold/control-room/issues/42#issuecomment-9", f"issue:{ORG}/control-room#42", "address"),
        ("https://github.com/Merefold/Gatekeeper/issues/12", f"pr:{ORG}/gatekeeper#12", "address"),
        ("https://github.com/merefold/crewboard/releases/tag/v1.8.1", f"release:{ORG}/crewboard@v1.8.1", "address"),
        ("https://github.com/merefold/floodline/tree/main/floodline/tides", f"dir:{ORG}/floodline/floodline/tides", "address"),
        ("https://github.com/merefold/control-room/blob/main/src/i18n/en.json", f"file:{ORG}/control-room/src/i18n/en.json", "address"),
        ("(https://github.com/merefold/crewboard)", f"repo:{ORG}/crewboard", "address"),
        ("issue:merefold/gatekeeper#10", f"issue:{ORG}/gatekeeper#10", "key"),
        ("person:ekoh", "person:ekoh", "key"),
        ("merefold/gatekeeper#16", f"pr:{ORG}/gatekeeper#16", "number"),
        ("gatekeeper#16", f"pr:{ORG}/gatekeeper#16", "number"),
        ("Gatekeeper #16", f"pr:{ORG}/gatekeeper#16", "number"),
        ("src/i18n/en.json", f"file:{ORG}/control-room/src/i18n/en.json", "path"),
        ("./src/i18n//EN.JSON", f"file:{ORG}/control-room/src/i18n/en.json", "path"),
        ("`i18n/en.json`", f"file:{ORG}/control-room/src/i18n/en.json", "path"),
        ("control-room/src/i18n/nl.json", f"file:{ORG}/control-room/src/i18n/nl.json", "path"),
        ("the tides folder", f"dir:{ORG}/floodline/floodline/tides", "path"),
        ("internal/interlock/", f"dir:{ORG}/gatekeeper/internal/interlock", "path"),
        ("under gatekeeper/internal/modbus", f"dir:{ORG}/gatekeeper/internal/modbus", "path"),
        ("v2.5.1", f"release:{ORG}/gatekeeper@v2.5.1", "tag"),
        ("release 2.5.1", f"release:{ORG}/gatekeeper@v2.5.1", "tag"),
        ("3.0.0-rc1", f"release:{ORG}/gatekeeper@v3.0.0-rc1", "tag"),
        ("Sanna Kivelä", "person:sannakivela", "name"),
        ("SANNA KIVELA", "person:sannakivela", "name"),
        ("@mnakashima", "person:mnakashima", "login"),
        ("中島 美穂", "person:mnakashima", "name"),
        ("hamid-r's", "person:hamid-r", "login"),
        ("gauge stream", f"repo:{ORG}/gauge-stream", "name"),
        ("`fenproto`", f"repo:{ORG}/fenproto", "name"),
        ("merefold/pump-sim", f"repo:{ORG}/pump-sim", "full"),
    ],
)  # fmt: skip
def test_a_thing_is_known_however_it_is_written(link, text, key, how):
    links = link(text)
    assert ((key,), how) in named(links) and not links.unknown


def test_a_curly_apostrophe_is_an_apostrophe(link):
    assert named(link("Aoife O\u2019Rorke wrote it")) == [(("person:ororke",), "name")]


@pytest.mark.parametrize("length", [7, 8, 12, 40])
def test_a_commit_is_known_by_the_beginning_of_its_id(demo, link, length):
    rows = demo.store.read(
        "brain:demo", "MATCH (c:Commit) WHERE c.key STARTS WITH 'commit:merefold/fenproto' RETURN c.key AS k ORDER BY k"
    ).rows
    ids = [str(row["k"]).partition("@")[2] for row in rows]
    sha = next(i for i in ids if not i[:7].isalpha() and not i[:7].isdigit())
    assert named(link(f"who made {sha[:length]}?")) == [((f"commit:merefold/fenproto@{sha}",), "sha")]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("PR 16 of gatekeeper", ["pr:merefold/gatekeeper#16"]),
        ("pull request no. 16 (gatekeeper)", ["pr:merefold/gatekeeper#16"]),
        ("gatekeeper 12 and floodline 43", ["pr:merefold/gatekeeper#12", "pr:merefold/floodline#43"]),
        ("gatekeeper PRs 12, 13 and #15", ["pr:merefold/gatekeeper#12", "pr:merefold/gatekeeper#13", "pr:merefold/gatekeeper#15"]),
        ("fenproto tickets 7 or 21", ["issue:merefold/fenproto#7", "issue:merefold/fenproto#21"]),
        ("fenproto#7 against gatekeeper#7", ["issue:merefold/fenproto#7", "issue:merefold/gatekeeper#7"]),
        ("gatekeeper's 12", ["pr:merefold/gatekeeper#12"]),
        ("the 2026 PRs of gatekeeper", []),
        ("gatekeeper 2026", []),
        ("gatekeeper 12 months", []),
        ("issues 30 days old in gatekeeper", []),
    ],
)
def test_a_number_belongs_to_the_repository_beside_it(link, text, keys):
    links = link(text)
    assert [k for m in links.of("PullRequest", "Issue") for k in m.keys] == keys and not links.unknown


def test_a_number_without_a_repository_belongs_to_what_was_spoken_of_before(link):
    assert named(link("who wrote #12?", ("repo:merefold/gatekeeper",))) == [(("pr:merefold/gatekeeper#12",), "number")]


def test_a_tag_beside_a_number_is_of_the_repository_of_the_number_where_that_has_it(link):
    assert named(link("has gatekeeper#32 been shipped in v2.3.1?"))[1][0] == ("release:merefold/gatekeeper@v2.3.1",)
    assert len(link("what is in v2.3.1?").ambiguous[0].keys) == 2


def test_a_number_without_a_repository_keeps_every_reading(link):
    links = link("who wrote #16?")
    assert len(links.ambiguous) == 1 and {"pr:merefold/gatekeeper#16", "pr:merefold/fenproto#16"} <= set(links.ambiguous[0].keys)


@pytest.mark.parametrize("text", ["README.md", "the docs/ folder", ".github/workflows"])
def test_a_path_of_several_repositories_keeps_every_reading_unless_one_is_named(link, text):
    assert len(link(text).ambiguous[0].keys) > 3
    one = link(f"{text} in floodline")
    assert not one.ambiguous and all("/floodline/" in k for m in one.of("File", "Directory") for k in m.keys)


def test_a_title_of_two_issues_keeps_both_unless_a_repository_is_named(link):
    both = {"issue:merefold/gatekeeper#8", "issue:merefold/gauge-stream#13"}
    assert set(link('about "Rotate the gateway certificates"').ambiguous[0].keys) == both
    assert named(link("'Rotate the gateway certificates' of gauge-stream"))[0][0] == ("issue:merefold/gauge-stream#13",)


@pytest.mark.parametrize("quoted", ["\u201cTreat a stale level like a stale position\u201d", '"treat a stale level like stale position"'])
def test_a_quoted_title_is_found_also_when_it_is_nearly_right(link, quoted):
    assert (("pr:merefold/gatekeeper#12",), "title") in named(link(f"the change {quoted}"))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("gatekeeper#4711", "gatekeeper#4711"),
        ("PR 4711", "PR 4711"),
        ("pr:merefold/gatekeeper#4711", "pr:merefold/gatekeeper#4711"),
        ("src/nowhere/file.rs", "src/nowhere/file.rs"),
        ("Makefile", "Makefile"),
        ("https://github.com/elsewhere/thing/pull/3", "https://github.com/elsewhere/thing/pull/3"),
        ("https://github.com/merefold/gatekeeper/pull/4711", "https://github.com/merefold/gatekeeper/pull/4711"),
        ("commit 1234567abc", "1234567abc"),
        ("PRs by zzgremlin", "zzgremlin"),
        ("what did quux-99 write", "quux-99"),
        ("ask @nosuchperson", "@nosuchperson"),
    ],
)
def test_what_is_not_stored_is_unknown(link, text, what):
    links = link(text)
    assert what in [t for t, _ in links.unknown]


def test_the_tag_or_path_of_another_repository_is_unknown_beside_this_one(link):
    assert [t for t, _ in link("gatekeeper v3.0.0").unknown] == ["v3.0.0"]
    assert [t for t, _ in link("src/i18n/en.json in gatekeeper").unknown] == ["src/i18n/en.json"]
    assert not link("gatekeeper and floodline v3.0.0").unknown


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("open issues in gatekeper", "repo:merefold/gatekeeper"),
        ("floodlien reviews", "repo:merefold/floodline"),
        ("PRs by tdabrowsky", "person:tdabrowski"),
        ("reviews by @lucsain", "person:lucsaint"),
    ],
)
def test_a_slip_of_the_keyboard_is_corrected_and_not_sure(link, text, key):
    mention = link(text).of("Repo", "Person")[0]
    assert (mention.keys, mention.how, mention.sure) == ((key,), "spelling", False)


def test_a_given_name_is_a_person_with_a_capital_or_where_somebody_must_stand(link):
    for text in ("Wren reviews", "issues by wren", "wren's reviews"):
        assert [m.keys for m in link(text).of("Person")] == [("person:wrenokafor",)], text
    assert not link("the wren sings").of("Person")


@pytest.mark.parametrize(
    "text", ["", "?", "12", "#", "''", "the of and", "x" * 3000, "\\ ` \" ' \x00 {} [] (", "🦆 🦆#12", "a/b/c/d" * 300]
)
def test_nonsense_links_to_nothing_and_raises_nothing(link, text):
    assert not link(text).of("Repo", "Person", "Issue", "Release")


def test_mentions_stand_in_order_and_never_overlap(link):
    text = "gatekeeper#12, `gatekeeper` PR 13, Sanna Kivelä and src/i18n/en.json of control-room in v5.3.0"
    mentions = link(text).mentions
    assert all(a.end <= b.start for a, b in pairwise(mentions)) and len(mentions) >= 6
    assert all(text[m.start : m.end] == m.text for m in mentions)


def test_whoever_may_see_nothing_links_nothing(demo):
    nobody = demo.viewer("nobody")
    run = Run(demo.asking(nobody, NOW), demo.tools)
    links = Linker(demo.lexicon(nobody), run.lookup).link("gatekeeper#12 by Sanna Kivelä in merefold/gatekeeper v2.1.1")
    assert not links.mentions
