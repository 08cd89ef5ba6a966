"""What is asked for, in questions whose names are already placeholders."""

from __future__ import annotations

import pytest

from brain.agents import asked


@pytest.mark.parametrize(
    ("masked", "want", "kind"),
    [
        ("Who has looked through ITEM0?", "people", ""),
        ("ITEM0: who gave it a yes?", "people", ""),
        ("ITEM0 who reviewed it", "people", ""),
        ("Name those who wrote things in REPO0", "people", ""),
        ("By whom was ITEM0 sent in?", "people", ""),
        ("Which engineers look after PATH0?", "people", "people"),
        ("give me the authors of ITEM0", "people", "people"),
        ("How many tickets has REPO0?", "count", "issues"),
        ("Tally of approvals in REPO0", "count", "approvals"),
        ("REPO0 pull requests, count please", "count", "prs"),
        ("how often did PERSON0 comment in REPO1", "count", "comments"),
        ("Count the commits of REPO0", "count", "commits"),
        ("When did ITEM0 land?", "date", ""),
        ("What day was ITEM0 closed on?", "date", ""),
        ("Why was ITEM0 dropped?", "text", ""),
        ("What's the reason behind ITEM0?", "text", ""),
        ("Is ITEM0 closed?", "yesno", ""),
        ("Did PERSON0 sign off ITEM1?", "yesno", ""),
        ("In which release is ITEM0?", "releases", "releases"),
        ("Which folders does ITEM0 alter?", "directories", "directories"),
        ("What files belong to ITEM0?", "files", "files"),
        ("List the labels of ITEM0", "labels", "labels"),
        ("Which repo has most tickets?", "repositories", "repositories"),
        ("In what month were most pull requests merged?", "months", "months"),
        ("What is the biggest pull request of REPO0?", "prs", "prs"),
        ("What's REPO0's newest release?", "releases", "releases"),
        ("open bugs of REPO0", "issues", "issues"),
        ("Tell me about ITEM0", "text", ""),
        ("", "text", ""),
    ],
)
def test_the_asker_decides_what_is_wanted(masked, want, kind):
    assert asked.want(masked) == (want, kind)


@pytest.mark.parametrize(
    ("masked", "want"),
    [
        ("Who filed the ticket that ITEM0 fixes?", "people"),
        ("Which ticket did the author of ITEM0 file?", "issues"),
        ("Which pull requests in REPO0 have reviews by PERSON1?", "prs"),
        ("What release holds the fix for ITEM0?", "releases"),
        ("Which repository is the fix of ITEM0 in?", "repositories"),
    ],
)
def test_a_noun_in_another_clause_is_not_what_is_asked_for(masked, want):
    assert asked.want(masked)[0] == want


@pytest.mark.parametrize(
    ("masked", "thing"),
    [
        ("How many customers does REPO0 have?", "customers"),
        ("Whose birthday is today?", "birthday"),
        ("How much does a gate cost?", "amounts of that kind"),
        ("Who will merge the next one?", "what has not happened yet"),
        ("How many pull requests does REPO0 have?", ""),
        ("Whose reviews are in REPO0?", ""),
        ("How much work is open in REPO0?", "amounts of that kind"),
        ("Who merged ITEM0?", ""),
    ],
)
def test_what_no_repository_can_tell_is_noticed(masked, thing):
    assert asked.unasked(masked) == thing


@pytest.mark.parametrize("masked", ["number of PERSON0", "the phone number of PERSON0?"])
def test_a_persons_number_is_no_count(masked):
    assert asked.want(masked)[0] != "count"


@pytest.mark.parametrize(
    ("masked", "kinds"),
    [("reviewers of pull requests in the repo", ["people"]), ("tickets and commits", ["issues"]), ("pull request authors", ["people"])],
)
def test_heads_are_not_the_nouns_behind_prepositions(masked, kinds):
    assert [kind for _, kind in asked.heads(masked)] == kinds
