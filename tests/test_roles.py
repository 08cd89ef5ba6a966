"""Who does what where, in questions whose names are already placeholders."""

from __future__ import annotations

import pytest

from brain.agents.roles import places, roles
from brain.text.mentions import Mention


def names(*placeholders):
    return {
        name: Mention(0, 1, name, (f"{'repo:o/' if name.startswith('REPO') else 'dir:o/r/'}{name.lower()}",), "", "")
        for name in placeholders
    }


@pytest.mark.parametrize(
    ("masked", "kind", "part"),
    [
        ("pull requests PERSON0 reviewed", "prs", "reviewer"),
        ("pull requests signed off by PERSON0", "prs", "reviewer"),
        ("PERSON0's approvals", "approvals", "reviewer"),
        ("what was merged by PERSON0", "prs", "merger"),
        ("what did PERSON0 actually merge", "prs", "merger"),
        ("PRs that PERSON0 had merged for her", "prs", "author"),
        ("has PERSON0 gotten anything merged", "prs", "author"),
        ("PERSON0's comments in there", "comments", "commenter"),
        ("did PERSON0 chime in on it", "prs", "commenter"),
        ("tickets given to PERSON0", "issues", "assignee"),
        ("issues PERSON0 has recently raised", "issues", "author"),
        ("changes from PERSON0", "prs", "author"),
        ("reviews of PERSON0's pull requests", "reviews", "author"),
        ("reviews PERSON0 received", "reviews", "author"),
        ("reviews from PERSON0", "reviews", "reviewer"),
        ("anything of PERSON0", "prs", "author"),
    ],
)
def test_the_part_of_a_person_is_read_from_the_words_around(masked, kind, part):
    assert roles(masked, names("PERSON0"), kind) == {"PERSON0": part}


def test_each_of_two_people_has_a_part_of_their_own():
    assert roles("PRs by PERSON0 that PERSON1 approved", names("PERSON0", "PERSON1"), "prs") == {"PERSON0": "author", "PERSON1": "reviewer"}
    assert roles("reviewed by PERSON0 and PERSON1", names("PERSON0", "PERSON1"), "prs") == {"PERSON0": "reviewer", "PERSON1": "reviewer"}


def told(masked, *placeholders):
    return [(p.key.rpartition("/")[2], p.role, p.negated) for p in places(masked, names(*placeholders))]


@pytest.mark.parametrize(
    ("masked", "found"),
    [
        ("people who reviewed in REPO0 and in REPO1", [("repo0", "reviewer", False), ("repo1", "reviewer", False)]),
        ("people who reviewed in REPO0 but wrote nothing in REPO1", [("repo0", "reviewer", False), ("repo1", "author", True)]),
        ("who commits to REPO0 yet opened no issues in REPO1", [("repo0", "committer", False), ("repo1", "opener", True)]),
        ("authors of REPO0, leaving out those of REPO1", [("repo0", "author", False), ("repo1", "author", True)]),
        ("who comments on REPO0 without touching PATH1", [("repo0", "commenter", False), ("path1", "commenter", True)]),
        ("issues in REPO0 closed as not planned", [("repo0", "opener", False)]),
    ],
)
def test_a_place_has_the_part_of_its_clause_and_may_be_excluded(masked, found):
    assert told(masked, *(w for w in ("REPO0", "REPO1", "PATH1") if w in masked)) == found


@pytest.mark.parametrize(
    "masked",
    ["closed as not planned in REPO0", "merged without approval in REPO0", "nobody approved them in REPO0", "never merged in REPO0"],
)
def test_the_not_of_a_property_excludes_no_place(masked):
    assert [negated for _, _, negated in told(masked, "REPO0")] == [False]


@pytest.mark.parametrize("masked", ["everything but not in REPO0", "outside REPO0", "anywhere but REPO0", "excluding REPO0"])
def test_the_not_of_a_place_excludes_it(masked):
    assert [negated for _, _, negated in told(masked, "REPO0")] == [True]


def test_a_placeholder_somebody_typed_is_no_place():
    assert told("people of REPO7 and REPO0", "REPO0") == [("repo0", "author", False)]
