"""The roles of whole questions, over the names of a small organisation. No graph is read."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from brain.agents.filters import described, filters
from brain.agents.understand import mask, understand
from brain.text import lexicon
from brain.text.mentions import Links, Mention
from brain.text.timewords import TimeWords, parse

NOW = int(datetime(2026, 10, 17, tzinfo=UTC).timestamp())
KNOWN = {
    "kiln": ("repo:acme/kiln", "Repo"),
    "wheel": ("repo:acme/wheel", "Repo"),
    "ann": ("person:ann", "Person"),
    "ben": ("person:ben", "Person"),
    "src/fire": ("dir:acme/kiln/src/fire", "Directory"),
    "kiln#5": ("pr:acme/kiln#5", "PullRequest"),
    "v1.0": ("release:acme/kiln@v1.0", "Release"),
    "v2.0": ("release:acme/kiln@v2.0", "Release"),
    "glaze": ("concept:glaze", "Concept"),
}
LEXICON = lexicon.build(
    [], [], [{"key": f"release:acme/kiln@v{n}.0", "repo": "acme/kiln", "tag": f"v{n}.0", "at": n} for n in (1, 2)], [],
    [{"label": "help wanted"}, {"label": "crack"}], [{"milestone": "Spring 2030"}],
)  # fmt: skip


def read(question):
    spots = [
        m for m in re.finditer("|".join(rf"(?<![\w#/]){re.escape(k)}(?![\w#])" for k in sorted(KNOWN, key=len, reverse=True)), question)
    ]
    mentions = [Mention(m.start(), m.end(), m[0], (KNOWN[m[0]][0],), KNOWN[m[0]][1], "name") for m in spots]
    taken = tuple((m.start, m.end) for m in mentions)
    low = question.lower()
    if "spring 2030" in low:
        taken += ((low.index("spring 2030"), low.index("spring 2030") + 11),)
    return understand(question, Links(mentions), parse(question, NOW, taken), LEXICON)


@pytest.mark.parametrize(
    ("question", "want", "flags", "top"),
    [
        ("Who handed in most pull requests to kiln?", "people", {"most"}, 0),
        ("the three busiest reviewers of kiln", "people", {"most"}, 3),
        ("which two repositories got fewest tickets?", "repositories", {"least"}, 2),
        ("newest release of kiln", "releases", {"recent"}, 0),
        ("oldest open issue of kiln", "issues", {"first"}, 0),
        ("PRs nobody has approved in kiln", "prs", {"without_approval"}, 0),
        ("how many reviews did ann do, leaving out her own", "count", {"others"}, 0),
        ("people with the largest diffs", "people", set(), 0),
        ("which PRs were merged by bots", "prs", {"bot_made"}, 0),
    ],
)
def test_turns_of_phrase_are_noticed(question, want, flags, top):
    u = read(question)
    assert u.want == want and flags <= u.flags and u.top == top


@pytest.mark.parametrize(
    ("question", "state"),
    [
        ("open PRs of kiln", "open"),
        ("PRs of kiln waiting to go in", "open"),
        ("which PRs did ann open?", ""),
        ("which PRs does ann have open?", "open"),
        ("merged PRs of kiln", "merged"),
        ("PRs given up in kiln", "unmerged"),
        ("PRs closed without being merged in kiln", "unmerged"),
        ("closed issues of kiln", "closed"),
        ("PRs of kiln, merged or not", ""),
        ("PRs of kiln", ""),
    ],
)
def test_a_state_is_no_deed(question, state):
    assert read(question).state == state


def test_names_and_times_are_masked_and_what_is_left_is_content():
    u = read("Which kiln issue of May 2026 by ann is about hairline fractures near the glaze?")
    assert u.masked.startswith("Which REPO0 issue") and "PERSON1" in u.masked and "2026" not in u.masked
    assert set(u.words) >= {"hairline", "fractures", "near"} and not {"issue", "ann", "kiln", "may"} & set(u.words)


def test_masking_keeps_the_order_of_the_names():
    mentions = [Mention(0, 3, "ann", ("person:ann",), "Person", "login"), Mention(8, 11, "ben", ("person:ben",), "Person", "login")]
    assert mask("ann and ben", mentions, TimeWords()) == ("PERSON0 and PERSON1", {"PERSON0": mentions[0], "PERSON1": mentions[1]})


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("issues labelled help wanted", ("help wanted",)),
        ("issues with the label 'crack'", ("crack",)),
        ("issues tagged crack and labelled `help wanted`", ("help wanted", "crack")),
        ("issues about a crack", ()),
        ("help wanted here", ()),
    ],
)
def test_a_label_is_one_only_where_it_is_called_one(question, labels):
    assert read(question).labels == labels


def test_a_milestone_is_known_by_its_title_and_is_no_date():
    u = read("PRs of milestone Spring 2030")
    assert u.milestone == "Spring 2030" and not u.window


@pytest.mark.parametrize(
    ("question", "kind", "args"),
    [
        ("PRs merged in kiln", "prs", {"repos": ["repo:acme/kiln"], "state": "merged"}),
        ("PRs merged outside kiln", "prs", {"not_repos": ["repo:acme/kiln"], "state": "merged"}),
        ("PRs in kiln but not in wheel", "prs", {"repos": ["repo:acme/kiln"]}),
        ("PRs by ann that ben approved", "prs", {"authors": ["person:ann"], "persons": ["person:ben"], "role": "approver"}),
        ("issues filed by ann", "issues", {"persons": ["person:ann"], "role": "opener"}),
        ("issues ann closed", "issues", {"persons": ["person:ann"], "role": "closer", "state": "closed"}),
        ("reviews on ann's PRs", "reviews", {"authors": ["person:ann"]}),
        ("PRs touching src/fire", "prs", {"path": "dir:acme/kiln/src/fire"}),
        ("PRs merged in 2025", "prs", {"state": "merged", "event": "merged", "since": 1735689600, "until": 1767225600}),
        ("PRs opened in 2025", "prs", {"event": "created", "since": 1735689600, "until": 1767225600}),
        ("issues closed in 2025", "issues", {"state": "closed", "event": "closed", "since": 1735689600, "until": 1767225600}),
        ("PRs merged between v2.0 and v1.0", "prs", {"state": "merged", "from_release": "release:acme/kiln@v1.0",
                                                    "to_release": "release:acme/kiln@v2.0", "repos": ["repo:acme/kiln"]}),
        ("PRs merged after v1.0", "prs", {"state": "merged", "from_release": "release:acme/kiln@v1.0", "repos": ["repo:acme/kiln"]}),
        ("PRs merged up to v1.0", "prs", {"state": "merged", "to_release": "release:acme/kiln@v1.0", "repos": ["repo:acme/kiln"]}),
        ("PRs in v1.0", "prs", {"in_release": "release:acme/kiln@v1.0", "repos": ["repo:acme/kiln"]}),
        ("commits of kiln without merges", "commits", {"repos": ["repo:acme/kiln"], "merges": False}),
        ("draft PRs of kiln", "prs", {"repos": ["repo:acme/kiln"], "draft": True}),
        ("PRs of Spring 2030", "prs", {"milestone": "Spring 2030"}),
        ("self-merged PRs", "prs", {"state": "merged", "self_merged": True}),
        ("PRs merged by somebody else, not self-merged", "prs", {"state": "merged", "self_merged": False}),
        ("issues closed as won't fix", "issues", {"state": "closed", "state_reason": "not_planned"}),
    ],
)  # fmt: skip
def test_the_filters_are_what_the_words_say(question, kind, args):
    assert filters(read(question), kind) == {"kind": kind, **args}


def test_filters_are_said_in_words():
    args = filters(read("PRs by ann merged in kiln in 2025 without approval"), "prs")
    assert described(args) == "merged, author ann, in acme/kiln, merged from 2025-01-01 to 2025-12-31, without any approval"


@pytest.mark.parametrize(
    ("question", "minimum"),
    [("people with at least 3 reviews", 3), ("people with more than two reviews", 3), ("five or more reviews", 5), ("reviews", 0)],
)
def test_a_least_number_is_read(question, minimum):
    assert read(question).minimum == minimum


@pytest.mark.parametrize("question", ["", "PERSON0 REPO3 XLBL ITEM1", "\\" * 50, "labelled " * 50, "who " * 400, "\x00", "🦆"])
def test_odd_questions_have_roles_too(question):
    assert read(question).masked is not None
