"""Where paths stand in a question, and which stored paths a typed one means. No graph: rows are small literals."""

from __future__ import annotations

import pytest

from brain.text.link_paths import PathFinder, clean, looks_like_path, quoted_in, spots

FILES = [
    {"key": "file:acme/kiln/src/fire.py", "repo": "acme/kiln", "path": "src/fire.py"},
    {"key": "file:acme/kiln/old/src/fire.py", "repo": "acme/kiln", "path": "old/src/fire.py"},
    {"key": "file:acme/wheel/src/fire.py", "repo": "acme/wheel", "path": "src/fire.py"},
]
DIRS = [{"key": "dir:acme/kiln/src", "repo": "acme/kiln", "path": "src"}]
RENAMED = [{"key": "file:acme/kiln/src/ash.py"}]
REPOS = {"kiln": "repo:acme/kiln", "acme/kiln": "repo:acme/kiln", "wheel": "repo:acme/wheel"}


def finder():
    def ask(query, **params):
        if query == "files_by_base":
            return [r for r in FILES if r["path"].rsplit("/", 1)[-1] in params["bases"]]
        if query == "dirs_by_tail":
            return [r for r in DIRS if any(r["path"] == t or r["path"].endswith("/" + t) for t in params["tails"])]
        assert query == "files_renamed"
        return RENAMED if "src/soot.py" in params["tails"] else []

    return PathFinder(ask, REPOS.get)


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        ("src/fire.py", ["file:acme/kiln/src/fire.py", "file:acme/wheel/src/fire.py"]),
        ("old/src/fire.py", ["file:acme/kiln/old/src/fire.py"]),
        ("fire.py", [r["key"] for r in FILES]),
        ("kiln/src/fire.py", ["file:acme/kiln/src/fire.py"]),
        ("acme/kiln/src/fire.py", ["file:acme/kiln/src/fire.py"]),
        ("wheel/src/fire.py", ["file:acme/wheel/src/fire.py"]),
        ("src", ["dir:acme/kiln/src"]),
        ("kiln/src", ["dir:acme/kiln/src"]),
        ("src/soot.py", ["file:acme/kiln/src/ash.py"]),
        ("ire.py", []),
        ("rc/fire.py", []),
        ("", []),
    ],
)
def test_exact_paths_come_first_then_endings_then_earlier_names(typed, keys):
    assert finder().find([typed]) == {typed: keys}


@pytest.mark.parametrize(
    ("typed", "path"),
    [
        ("./src/A.py", "src/a.py"),
        ("/src/a.py", "src/a.py"),
        ("src//a.py", "src/a.py"),
        ("src/", "src"),
        ("src/**", "src"),
        ("src/*", "src"),
        ("src\\win\\a.py", "src/win/a.py"),
        (" `src/a.py` ", "src/a.py"),
        ("././x", "x"),
        (".github/workflows", ".github/workflows"),
    ],
)
def test_a_path_is_compared_without_its_trimmings(typed, path):
    assert clean(typed) == path


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("who owns src/fire.py?", {"src/fire.py"}),
        ("who owns fire.py.", {"fire.py"}),
        ("the src directory", {"src"}),
        ("everything below kiln/src", {"kiln/src"}),
        ("`.github/workflows`", {".github/workflows"}),
        ("what is in .github?", {".github"}),
        ("Makefile and LICENSE", {"Makefile", "LICENSE"}),
        ("'a b/c.py' here", {"a b/c.py", "b/c.py"}),
        ("nothing at all", set()),
        ("under review and in path order", {"order"}),
    ],
)
def test_stretches_that_may_be_paths_are_found(text, found):
    assert set(spots(text).values()) == found


@pytest.mark.parametrize("raw", ["a/b/c", "src/", "/etc", "x.py", "x.YAML", "Dockerfile"])
def test_some_spellings_can_only_be_paths(raw):
    assert looks_like_path(raw)


@pytest.mark.parametrize("raw", ["a/b", "and/or", "x.quux", "v1.2", "makefiles", ""])
def test_others_need_not_be(raw):
    assert not looks_like_path(raw)


@pytest.mark.parametrize(
    "text",
    [
        'say "two words" now',
        "say `two words` now",
        "say 'two words' now",
        "say \u201ctwo words\u201d now",
        "say \u2018two words\u2019 now",
        "say «two words» now",
    ],
)
def test_every_kind_of_quotation_is_seen(text):
    assert [(text[a:b], words) for a, b, words in quoted_in(text)] == [("two words", "two words")]


def test_an_apostrophe_is_no_quotation():
    assert not list(quoted_in("Ann's and Ben's work isn't done"))
