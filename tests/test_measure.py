"""`measure` and `list_items` against counts made by hand on the small graph."""

from __future__ import annotations

from collections import Counter

import pytest
from small_graph import NOW, SHA, F, G, Rows, asking, at, build

from brain import catalogue
from brain.errors import ToolError
from brain.settings import Settings
from brain.store import Store
from brain.tools import tools


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    opened = Store.open(Settings(home=tmp_path_factory.mktemp("home")))
    build(opened, "small")
    yield opened
    opened.close()


def known():
    return tools(catalogue.shipped())


@pytest.fixture
def ask(store):
    return lambda tool, as_of=NOW, **args: known()[tool].run(asking(store, "small", as_of=as_of), **args)


@pytest.fixture
def count(ask):
    return lambda kind, **args: ask("measure", kind=kind, **args).rows[0]["n"]


@pytest.fixture
def groups(ask):
    def run(kind, by, **args):
        return {
            row["name"] if by in ("label", "month", "year", "state") else row["key"]: row["n"]
            for row in ask("measure", kind=kind, by=by, top=100, **args).rows
        }

    return run


@pytest.fixture
def keys(ask):
    return lambda kind, **args: [row["key"].rsplit("/", 1)[1] for row in ask("list_items", kind=kind, order="key", **args).rows]


def test_how_many_of_each_kind(count):
    assert {k: count(k) for k in ("prs", "issues", "reviews", "approvals", "change_requests", "comments", "commits", "releases", "files")} == {
        "prs": 7, "issues": 3, "reviews": 9, "approvals": 4, "change_requests": 2, "comments": 5, "commits": 4, "releases": 2, "files": 8,
    }  # fmt: skip


def test_nothing_found_is_zero_and_not_no_row(count):
    assert count("prs", contains=["no such words"]) == 0
    assert count("reviews", since=NOW) == 0


def test_states_are_those_of_the_instant(count, groups):
    assert count("prs", state="merged") == 5
    assert count("prs", state="merged", as_of=at("2025-05-01")) == 2
    assert count("prs", state="open", as_of=at("2025-05-14")) == 1  # number 5, merged on 20 June
    assert count("prs", state="unmerged") == count("prs", state="closed") == 1
    assert count("prs", state="ended") == 6
    assert count("issues", state="open") == 1
    assert count("issues", state="open", as_of=at("2025-05-10")) == 1


def test_by_state_agrees_with_filtering_by_state(count, groups):
    by = groups("prs", "state")
    assert by == {s: count("prs", state=s) for s in ("open", "merged", "closed")}


def test_default_time_follows_the_state(count):
    april = {"since": at("2025-04-01"), "until": at("2025-05-01")}
    assert count("prs", **april) == 2
    assert count("prs", state="merged", **april) == 2
    june = {"since": at("2025-06-01"), "until": at("2025-07-01")}
    assert count("prs", **june) == 0
    assert count("prs", state="merged", **june) == 1
    assert count("prs", event="merged", **june) == 1
    assert count("issues", state="closed", since=at("2025-05-01")) == 1


def test_window_leaves_out_its_end(count):
    assert count("prs", since=at("2025-04-10"), until=at("2025-04-22")) == 1
    assert count("prs", since=at("2025-04-10"), until=at("2025-04-22") + 1) == 2


def test_people_rankings_leave_programs_out(groups):
    assert groups("prs", "person") == {"person:ncarrowby": 2, "person:sannakivela": 2, "person:tdabrowski": 2}
    assert groups("prs", "person", bots=True)["person:ci[bot]"] == 1
    assert "person:ci[bot]" not in groups("reviews", "person")


def test_ties_are_ordered_by_key(ask):
    rows = ask("measure", kind="prs", by="person").rows
    assert [r["key"] for r in rows] == sorted(r["key"] for r in rows)
    assert rows[0]["total"] == 6 and rows[0]["groups"] == 3


def test_reviews_count_each_and_prs_count_once(groups):
    assert groups("reviews", "person")["person:tdabrowski"] == 5
    assert groups("reviews", "person", once=True)["person:tdabrowski"] == 3
    assert groups("reviews", "person", exclude_own=True)["person:tdabrowski"] == 4
    assert groups("approvals", "person") == {"person:ekoh": 1, "person:ncarrowby": 1, "person:tdabrowski": 2}


def test_who_is_reviewed_most_by_one_person(groups):
    assert groups("reviews", "person", persons=["tdabrowski"], by_role="author", exclude_own=True) == {
        "person:sannakivela": 2,
        "person:ncarrowby": 2,
    }


def test_path_finds_renamed_files_in_any_spelling(keys):
    same = [
        keys("prs", path=p)
        for p in (
            f"file:{G}/internal/modbus/client.go",
            "internal/modbus/Client.go",
            "client.go",
            "modbus/client.go",
            "./internal/modbus/client.go",
        )
    ]
    assert all(k == same[0] for k in same)
    assert same[0] == ["gatekeeper#1", "gatekeeper#11", "gatekeeper#3", "gatekeeper#40"]


def test_directory_in_any_spelling(keys):
    same = [
        keys("prs", path=p)
        for p in (f"dir:{G}/internal/modbus", f"dir:{G}/internal/modbus/", "internal/modbus/", "Internal//Modbus", "/internal/modbus")
    ]
    assert all(k == same[0] for k in same)
    assert same[0] == ["gatekeeper#1", "gatekeeper#11", "gatekeeper#3", "gatekeeper#40"]
    assert keys("prs", path=".github", repos=["floodline"]) == ["floodline#7"]
    assert keys("prs", path="github/", repos=["floodline"]) == ["floodline#7"]


def test_a_whole_repository_is_a_path(count):
    assert count("prs", path=f"dir:{G}") == count("prs", path=f"repo:{G}/") == count("prs", repos=[G]) == 5


def test_repositories_by_any_name(count):
    assert {count("prs", repos=[name]) for name in (G, f"repo:{G}", "gatekeeper", "GateKeeper", "oldorg/gate")} == {5}


def test_roles(count, keys):
    assert count("prs", persons=["sannakivela"]) == 2
    assert keys("prs", persons=["ncarrowby"], role="reviewer") == ["gatekeeper#3"]
    assert keys("prs", persons=["tdabrowski"], role="reviewer") == ["gatekeeper#1", "gatekeeper#5"]
    assert keys("prs", persons=["sannakivela"], role="merger") == ["gatekeeper#1", "gatekeeper#3"]
    assert keys("issues", persons=["person:ekoh"], role="commenter") == ["gatekeeper#2"]
    assert keys("issues", persons=["sannakivela"], role="closer") == ["gatekeeper#2"]
    assert count("commits", persons=["SannaKivela"]) == 2


def test_labels_ignore_case(count, groups):
    assert count("issues", labels=["BUG"]) == 3
    assert groups("issues", "label") == {"bug": 3, "field-report": 1, "safety": 1}


def test_without_approval(keys):
    assert keys("prs", state="merged", without_approval=True) == ["floodline#6", "floodline#7"]
    assert keys("prs", state="merged", without_approval=True, bots=False) == ["floodline#7"]
    assert "gatekeeper#5" in keys("prs", without_approval=True, as_of=at("2025-06-01"))


def test_between_two_releases(keys, count):
    assert keys("prs", to_release=f"release:{G}@v2.1.0") == ["gatekeeper#1", "gatekeeper#3"]
    assert keys("prs", from_release="v2.1.0", to_release="V2.1.1", repos=["gatekeeper"]) == ["gatekeeper#5"]
    assert keys("prs", from_release="v2.1.1") == []
    assert keys("issues", from_release="v2.1.0") == ["gatekeeper#4"]
    assert count("releases", from_release="v2.1.0") == 1
    assert count("commits", to_release="v2.1.0") == 2


def test_in_one_release(keys, count, groups):
    assert keys("prs", in_release="V2.1.0", repos=["gatekeeper"]) == ["gatekeeper#1", "gatekeeper#3"]
    assert keys("commits", in_release=f"release:{G}@v2.1.0") == [f"gatekeeper@{SHA}", f"gatekeeper@{'b' * 40}"]
    assert keys("commits", in_release="v2.1.1") == [f"gatekeeper@{'c' * 40}"]
    assert keys("issues", in_release="v2.1.0") == ["gatekeeper#2"]
    assert count("reviews", in_release="v2.1.0") == 4
    with pytest.raises(ToolError, match="not one release"):
        count("commits", in_release="v2.1.0", as_of=at("2025-06-09"))
    assert groups("commits", "release") == {f"release:{G}@v2.1.0": 2, f"release:{G}@v2.1.1": 1}
    assert groups("commits", "release", in_release="v2.1.0") == {f"release:{G}@v2.1.0": 2}


@pytest.fixture(scope="module")
def ships(store):
    """Commits that ship in every way there is, in a repository of their own."""
    repo, extra = "merefold/ships", Rows([], [], [])
    extra.node(f"repo:{repo}", repo, short="ships", org="merefold")
    one, same, two = (extra.release(repo, tag, day) for tag, day in (("v1", "2025-02-01"), ("v1-b", "2025-02-01"), ("v2", "2025-03-01")))
    early = extra.pr(repo, 1, "dag", "Early", "2025-01-02", merged="2025-01-03")
    late = extra.pr(repo, 2, "dag", "Late", "2025-01-02", merged="2025-02-03")
    unmerged = extra.pr(repo, 3, "dag", "Never", "2025-01-02", closed="2025-01-09")
    hidden = extra.pr(repo, 4, "dag", "Hidden", "2025-01-02", merged="2025-01-03", access="restricted")
    fixes, other = (extra.issue(repo, n, "ekoh", "Broken", "2025-01-01", closed="2025-01-05") for n in (11, 12))
    within = {"1": [early], "2": [early, late], "3": [late], "4": [late], "5": [unmerged], "6": [hidden], "7": []}
    for n, pulls in within.items():
        commit = extra.commit(repo, n * 40, "dag", f"Number {n}", "2025-01-02")
        for pull in pulls:
            extra.edge(pull, "INCLUDES", commit, how="head")
        if n in "12":
            extra.edge(commit, "CLOSES", fixes if n == "2" else other, keyword="fixes", at=at("2025-01-02"))
    for what, release in ((early, one), (early, same), (late, two), (hidden, one), (f"commit:{repo}@{'4' * 40}", one)):
        extra.edge(what, "SHIPPED_IN", release, how="tag")
    build(store, "ships", extra=extra)
    return lambda tool, **args: known()[tool].run(asking(store, "ships"), **args).rows


def test_a_commit_ships_with_its_earliest_pull_request_unless_it_tells_itself(ships):
    def of(kind, **args):
        return [r["key"].rsplit("/", 1)[1][:7] for r in ships("list_items", kind=kind, order="key", repos=["ships"], **args)]

    assert of("commits", in_release="v1") == ["ships@1", "ships@2", "ships@4"]
    assert of("commits", in_release="v1-b") == ["ships@1", "ships@2"]
    assert of("commits", in_release="v2") == ["ships@3"]
    assert of("commits", from_release="v1") == ["ships@3"]
    assert of("commits", to_release="v2") == ["ships@1", "ships@2", "ships@3", "ships@4"]
    assert of("issues", in_release="v1") == ["ships#1", "ships#1"] and of("issues", in_release="v2") == []
    by = {r["name"]: r["n"] for r in ships("measure", kind="commits", by="release", repos=["ships"])}
    assert by == {"v1": 3, "v1-b": 2, "v2": 1}


def test_trace_goes_from_an_issue_over_a_commit_to_the_release_of_its_pull_request(ships):
    def links(key):
        rows = ships("trace", key=key)
        found = [(r["src"].rsplit("/", 1)[1][:7], r["rel"], r["dst"].rsplit("/", 1)[1][:9]) for r in rows]
        assert len(set(found)) == len(found)
        return set(found)

    way = {("ships@2", "CLOSES", "ships#11"), ("ships#1", "INCLUDES", "ships@222"), ("ships#1", "SHIPPED_IN", "ships@v1")}
    assert way <= links("issue:merefold/ships#11")
    assert {("ships@2", "CLOSES", "ships#11"), ("ships#1", "SHIPPED_IN", "ships@v1")} <= links("release:merefold/ships@v1")


def test_words(keys):
    assert keys("prs", contains=["LOCAL", "key"]) == ["gatekeeper#3"]
    assert keys("issues", text="gates moved") == ["gatekeeper#2", "gatekeeper#8"]


def test_drafts_and_branches(count):
    assert count("prs", draft=True) == 1
    assert count("prs", draft=False) == 6
    assert count("prs", base="main") == 7
    assert count("commits", all_branches=True) == 5


def test_months_and_years(groups):
    assert groups("prs", "month") == {"2025-04": 2, "2025-05": 1, "2025-07": 1, "2025-08": 2, "2025-11": 1}
    assert groups("commits", "year") == {"2025": 3, "2023": 1}


def test_civil_calendar_at_its_edges(store):
    days = (
        "1999-12-31T23:59:59",
        "2000-02-29",
        "2000-03-01",
        "2023-12-31T23:59:59",
        "2024-01-01",
        "2024-02-29T12:00:00",
        "2024-03-01",
        "2100-02-28T23:59:59",
        "2100-03-01",
    )
    extra = Rows([], [], [])
    for n, day in enumerate(days):
        extra.node(f"release:merefold/calendar@v{n}", f"v{n}", repo="merefold/calendar", tag=f"v{n}", published_at=at(day), at=at(day))
    build(store, "calendar", extra=extra)
    for unit, width in (("month", 7), ("year", 4)):
        rows = (
            known()["measure"]
            .run(asking(store, "calendar", as_of=at("2200-01-01")), kind="releases", by=unit, repos=[], contains=["v"], top=99)
            .rows
        )
        counted = Counter(d[:width] for d in (*days, "2025-06-10", "2025-07-03"))
        assert {r["key"]: r["n"] for r in rows} == dict(counted)


def test_directories_at_a_depth(groups):
    assert groups("prs", "directory", repos=[G]) == {f"dir:{G}/internal": 5}
    assert groups("prs", "directory", depth=2, repos=[G]) == {f"dir:{G}/internal/modbus": 4, f"dir:{G}/internal/command": 2}
    assert groups("files", "directory", repos=[G]) == {f"dir:{G}/internal": 3, f"dir:{G}/.github": 1, f"dir:{G}": 1}


def test_by_repository_file_and_release(groups):
    assert groups("prs", "repository") == {f"repo:{G}": 5, f"repo:{F}": 2}
    assert groups("prs", "file", repos=[F]) == {f"file:{F}/README.md": 1, f"file:{F}/floodline/alerts.py": 1, f"file:{F}/ci/build.yaml": 1}
    assert groups("prs", "release") == {f"release:{G}@v2.1.0": 2, f"release:{G}@v2.1.1": 1}


def test_files_of_a_person_and_of_a_window(keys, count):
    assert keys("files", persons=["dag"]) == ["alerts.py"]
    assert count("files", since=at("2025-08-01")) == 3


def test_total_is_told_even_when_few_are_shown(ask):
    rows = ask("list_items", kind="prs", limit=2).rows
    assert len(rows) == 2 and rows[0]["total"] == 7
    assert [r["key"] for r in rows] == [f"pr:{G}#40", f"pr:{F}#7"]
    assert rows[0]["state"] == "open" and rows[0]["author"] == "person:ncarrowby"


def test_prs_reviewed_in_a_window_are_its_reviews_each_once(keys):
    assert keys("prs", event="reviewed", persons=["tdabrowski"], since=at("2025-05-01")) == ["gatekeeper#11", "gatekeeper#5"]


def test_reviews_are_listed_with_who_and_what(ask):
    result = ask("list_items", kind="reviews", persons=["sannakivela"])
    assert [(r["key"], r["person"], r["state"]) for r in result.rows] == [(f"pr:{G}#11", "person:sannakivela", "CHANGES_REQUESTED")]
    assert [e.rel for e in result.edges] == ["REVIEWED"]


def test_prs_of_one_that_another_reviewed(keys, count, groups):
    assert keys("prs", authors=["ncarrowby"], persons=["tdabrowski"], role="reviewer") == ["gatekeeper#1"]
    assert keys("prs", authors=["sannakivela"], persons=["tdabrowski"], role="reviewer") == ["gatekeeper#5"]
    assert count("reviews", authors=["sannakivela"], persons=["tdabrowski"]) == 2
    assert count("reviews", authors=["person:tdabrowski"], persons=["tdabrowski"]) == 1
    assert count("comments", authors=["ekoh"], persons=["sannakivela"]) == 1
    assert count("comments", authors=["ekoh"], persons=["sannakivela"], on="issue") == 1
    assert keys("issues", authors=["sannakivela"], persons=["ncarrowby"], role="commenter") == ["gatekeeper#4"]
    assert groups("reviews", "person", authors=["sannakivela"]) == {"person:ncarrowby": 1, "person:ekoh": 1, "person:tdabrowski": 2}
    assert count("commits", authors=["sannakivela"]) == 2


def test_some_repositories_left_out(count):
    assert count("prs", not_repos=["floodline"]) == count("prs", repos=["gatekeeper"]) == 5
    assert count("reviews", not_repos=[G]) == 0
    assert count("files", not_repos=[G, F]) == 0


def test_merged_by_its_own_author(keys, groups):
    assert keys("prs", self_merged=True) == ["floodline#7", "gatekeeper#3"]
    assert keys("prs", self_merged=False) == ["gatekeeper#1", "gatekeeper#5"]
    assert keys("prs", self_merged=True, since=at("2025-08-09")) == ["floodline#7"]
    assert keys("prs", self_merged=True, as_of=at("2025-05-01")) == ["gatekeeper#3"]
    assert groups("prs", "person", self_merged=True) == {"person:sannakivela": 1, "person:tdabrowski": 1}


def test_programs_alone(count, keys, groups):
    assert keys("prs", only_bots=True) == ["floodline#6"]
    assert keys("reviews", only_bots=True) == ["gatekeeper#40"]
    assert groups("prs", "person", only_bots=True) == {"person:ci[bot]": 1}
    assert groups("reviews", "person", only_bots=True) == {"person:ci[bot]": 1}
    assert groups("reviews", "person", only_bots=True, by_role="author") == {"person:ncarrowby": 1}
    assert count("issues", only_bots=True) == count("commits", only_bots=True) == 0


def test_groups_of_at_least_so_many(ask):
    rows = ask("measure", kind="reviews", by="person", min=2).rows
    assert [(r["key"], r["n"]) for r in rows] == [("person:tdabrowski", 5)]
    assert (rows[0]["total"], rows[0]["groups"]) == (5, 1)
    assert not ask("measure", kind="reviews", by="person", min=6).rows


def test_by_item_tells_which_has_the_most(groups, ask):
    assert groups("reviews", "item") == {f"pr:{G}#1": 2, f"pr:{G}#3": 2, f"pr:{G}#5": 2, f"pr:{G}#11": 2, f"pr:{G}#40": 1}
    assert groups("approvals", "item") == {f"pr:{G}#1": 1, f"pr:{G}#3": 2, f"pr:{G}#5": 1}
    assert groups("comments", "item", on="issue") == {f"issue:{G}#2": 2, f"issue:{G}#4": 1, f"issue:{G}#8": 1}
    assert groups("commits", "item") == {f"pr:{G}#1": 1, f"pr:{G}#3": 1}
    top = ask("measure", kind="comments", by="item", top=1)
    assert top.rows[0]["name"] == "Gate shows moving after the local key was used" and top.nodes[0].key == f"issue:{G}#2"


def test_the_largest_and_the_most_discussed_first(ask):
    rows = ask("list_items", kind="prs", order="largest", repos=[G]).rows
    assert [(r["key"], r["n"]) for r in rows] == [
        (f"pr:{G}#1", 2),
        (f"pr:{G}#3", 2),
        (f"pr:{G}#40", 2),
        (f"pr:{G}#11", 1),
        (f"pr:{G}#5", 1),
    ]
    rows = ask("list_items", kind="issues", order="discussed", limit=2).rows
    assert [(r["key"], r["n"], r["total"]) for r in rows] == [(f"issue:{G}#2", 2, 3), (f"issue:{G}#4", 1, 3)]
    assert ask("list_items", kind="prs", order="discussed", limit=1).rows[0]["key"] == f"pr:{G}#40"


def test_milestones_reasons_and_merge_commits(store):
    extra, repo = Rows([], [], []), "merefold/planned"
    extra.node(f"repo:{repo}", repo, short="planned", org="merefold")
    extra.pr(repo, 1, "dag", "One", "2025-09-01", milestone="Winter 2025")
    extra.pr(repo, 2, "dag", "Two", "2025-09-01", milestone="Spring")
    extra.issue(repo, 3, "ekoh", "Three", "2025-09-01", closed="2025-09-05", milestone="Winter 2025", state_reason="completed")
    extra.issue(repo, 4, "ekoh", "Four", "2025-09-01", closed="2025-09-07", state_reason="not_planned")
    for n, merge in enumerate((True, False, False)):
        key = f"commit:{repo}@{n}"
        extra.node(key, "c", repo=repo, sha=str(n), subject="c", at=at("2025-09-02"), access="open", merge=merge)
    build(store, "planned", extra=extra)

    def n(kind, as_of=NOW, **args):
        return known()["measure"].run(asking(store, "planned", as_of=as_of), kind=kind, repos=["planned"], **args).rows[0]["n"]

    assert n("prs", milestone="winter 2025") == 1 and n("issues", milestone="Winter 2025") == 1
    assert n("issues", state_reason="completed") == n("issues", state_reason="not_planned") == 1
    assert n("issues", state_reason="not_planned", since=at("2025-09-06")) == 1
    assert n("issues", state_reason="completed", since=at("2025-09-06")) == 0
    assert n("issues", state_reason="not_planned", as_of=at("2025-09-06")) == 0
    assert (n("commits"), n("commits", merges=False), n("commits", merges=True)) == (3, 2, 1)


def test_nothing_a_person_says_is_query_text(ask):
    evil = "x' RETURN 1 //"
    result = ask("list_items", kind="prs", contains=[evil])
    assert evil.lower() not in result.query.lower()
    assert result.params["contains"] == [evil.lower()]


def test_what_ran_is_told_with_its_parameters(ask):
    result = ask("measure", kind="prs", by="person", path="internal/modbus")
    assert result.params["under"] == [f"file:{G}/internal/modbus/"]
    assert "$under" in result.query


@pytest.mark.parametrize(
    "args",
    [
        {"kind": "prs", "path": "no/such/thing"},
        {"kind": "prs", "repos": ["nope"]},
        {"kind": "prs", "persons": ["nobody at all"]},
        {"kind": "issues", "state": "merged"},
        {"kind": "commits", "state": "open"},
        {"kind": "prs", "from_release": "v9"},
        {"kind": "prs", "in_release": "v9"},
        {"kind": "prs", "in_release": "v2.1.0", "to_release": "v2.1.1"},
        {"kind": "files", "in_release": "v2.1.0"},
        {"kind": "releases", "in_release": "v2.1.0"},
        {"kind": "comments", "in_release": "v2.1.0"},
        {"kind": "releases", "persons": ["sannakivela"]},
        {"kind": "commits", "by": "label"},
        {"kind": "prs", "event": "published"},
        {"kind": "prs", "authors": ["nobody at all"]},
        {"kind": "releases", "authors": ["sannakivela"]},
        {"kind": "files", "authors": ["sannakivela"]},
        {"kind": "prs", "not_repos": ["nope"]},
        {"kind": "issues", "self_merged": True},
        {"kind": "prs", "self_merged": True, "state": "open"},
        {"kind": "prs", "state_reason": "completed"},
        {"kind": "issues", "state_reason": "because"},
        {"kind": "commits", "milestone": "x"},
        {"kind": "prs", "merges": False},
        {"kind": "files", "only_bots": True},
        {"kind": "prs", "only_bots": True, "bots": False},
        {"kind": "prs", "only_bots": True, "bots": False, "by": "person"},
        {"kind": "prs", "min": 3},
        {"kind": "prs", "by": "item"},
        {"kind": "reviews", "by": "item", "once": True},
        {"kind": "nonsense"},
        {"kind": "prs", "top": "many"},
        {"kind": "prs", "colour": "red"},
        {},
    ],
)
def test_arguments_that_do_not_fit_are_refused(ask, args):
    with pytest.raises(ToolError):
        ask("measure", **args)


@pytest.mark.parametrize(
    "args", [{"kind": "releases", "order": "largest"}, {"kind": "reviews", "order": "discussed"}, {"kind": "files", "order": "discussed"}]
)
def test_orders_that_do_not_fit_are_refused(ask, args):
    with pytest.raises(ToolError, match="does not fit"):
        ask("list_items", **args)
