"""Every spelling of a name and what it stands for; rows are small literals."""

from __future__ import annotations

import pytest

from brain.text import lexicon
from brain.text.lexicon import is_plain, plain, tag_forms

REPOS = [
    {"key": "repo:acme/pot-kiln", "aliases": ["acme/old-kiln"]},
    {"key": "repo:acme/wheel", "aliases": None},
]
PEOPLE = [
    {"key": "person:anna", "login": "anna", "name": "Anna Ólafsdóttir", "names": ["Anna O"], "bot": False},
    {"key": "person:ben-b", "login": "Ben-B", "name": "Ben Þór", "names": None, "bot": False},
    {"key": "person:benz", "login": "benz", "name": "Ben Zielinski", "names": [], "bot": False},
    {"key": "person:robo", "login": "robo[bot]", "name": None, "names": None, "bot": True},
]
RELEASES = [
    {"key": "release:acme/wheel@v1.0", "repo": "acme/wheel", "tag": "v1.0", "at": 10},
    {"key": "release:acme/pot-kiln@v1.0", "repo": "acme/pot-kiln", "tag": "v1.0", "at": None},
]
CONCEPTS = [{"key": "concept:glaze", "name": "glaze", "terms": ["slip-glaze"]}]


def built():
    return lexicon.build(REPOS, PEOPLE, RELEASES, CONCEPTS, [{"label": "Good First Issue"}], [{"milestone": "Spring 2030"}])


@pytest.mark.parametrize(
    ("spelling", "keys"),
    [
        ("pot-kiln", ["repo:acme/pot-kiln"]),
        ("Pot Kiln", ["repo:acme/pot-kiln"]),
        ("ACME/Pot-Kiln", ["repo:acme/pot-kiln"]),
        ("old-kiln", ["repo:acme/pot-kiln"]),
        ("anna", ["person:anna"]),
        ("@ben-b", ["person:ben-b"]),
        ("Anna Olafsdottir", ["person:anna"]),
        ("anna  ólafsdóttir", ["person:anna"]),
        ("olafsdottir", ["person:anna"]),
        ("ben", ["person:ben-b", "person:benz"]),
        ("robo[bot]", ["person:robo"]),
        ("robo", ["person:robo"]),
        ("1.0", ["release:acme/wheel@v1.0", "release:acme/pot-kiln@v1.0"]),
        ("slip glaze", ["concept:glaze"]),
        ("kiln", []),
        ("", []),
    ],
)
def test_a_spelling_stands_for_what_bears_it(spelling, keys):
    assert [n.key for n in built().get(spelling)] == keys


def test_a_shared_given_name_keeps_everybody_in_the_same_order():
    assert all([n.key for n in built().get("ben")] == ["person:ben-b", "person:benz"] for _ in range(5))


def test_a_login_is_stronger_than_a_given_name_that_is_spelt_the_same():
    assert [n.how for n in built().get("anna")] == ["login"]


@pytest.mark.parametrize(
    ("word", "label", "key"),
    [("weel", "Repo", "repo:acme/wheel"), ("wheell", "Repo", "repo:acme/wheel"), ("ben-bb", "Person", "person:ben-b")],
)
def test_the_nearest_name_is_found(word, label, key):
    assert [n.key for n in built().nearest(word, label, 80)] == [key]


@pytest.mark.parametrize("word", ["qqqq", "w", "", "bens"])
def test_nothing_is_near_when_none_or_two_are(word):
    assert built().nearest(word, "Person") == []


def test_labels_and_milestones_keep_their_own_spelling():
    lex = built()
    assert lex.labels == {"good first issue": "Good First Issue"} and lex.milestones == {"spring 2030": "Spring 2030"}


def test_releases_are_in_the_order_of_their_instants():
    assert built().tags["release:acme/wheel@v1.0"] == ("acme/wheel", "v1.0", 10)


@pytest.mark.parametrize(
    ("tag", "forms"),
    [
        ("v1.2.3", {"v1.2.3", "1.2.3"}),
        ("release-1.2", {"release-1.2", "1.2", "v1.2"}),
        ("pkg/v2.0", {"pkg/v2.0", "v2.0", "2.0"}),
        ("draft-x-07", {"draft-x-07"}),
        ("Final", {"final"}),
    ],
)
def test_a_tag_is_written_in_several_ways(tag, forms):
    assert forms <= tag_forms(tag)


@pytest.mark.parametrize(("text", "same"), [("Zoë  K", "zoe k"), ("O\u2019Rorke", "o'rorke"), ("ÅNGSTRÖM", "angstrom")])
def test_spellings_are_compared_without_accents_case_and_curls(text, same):
    assert plain(text) == same


def test_english_words_name_nobody():
    assert is_plain("Others") and is_plain("mistake") and not is_plain("tdabrowski")


def test_an_empty_organisation_has_no_names():
    assert lexicon.build([], [], [], [], [], []).get("anything") == []
