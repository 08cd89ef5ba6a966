"""The verifier against planted lies: each of its three checks must see what is wrong and pass what is right."""

from __future__ import annotations

import dataclasses

import pytest
from small_graph import Rows, at

from brain import permissions
from brain.agents.run import Draft, Fact, Run
from brain.ask import checked as verified
from brain.bulk import Loader
from brain.tools import tools
from brain.tools.asking import Asking
from brain.types import Quote
from brain.verify import Verifier

from brain import catalogue  # isort: skip

R, WS, NOW = "acme/kiln", "verify", at("2025-12-01")
ISSUE, FIX, OTHER, BEHIND, SECRET = f"issue:{R}#1", f"pr:{R}#2", f"pr:{R}#3", f"pr:{R}#4", f"pr:{R}#9"
CHAIN = [f"issue:{R}#{n}" for n in (10, 11, 12, 13)]


def graph(store) -> None:
    """#2 fixes #1. #3 shares nothing with it but the repository. #4 is joined to it by a restricted change alone. #10 to #13 are a chain."""
    r = Rows([], [], [])
    r.node(f"repo:{R}", R, org="acme", short="kiln")
    for who in ("ada", "bob", "cy", "dee", "eve", "p10", "p11", "p12", "p13"):
        r.node(f"person:{who}", who.title(), login=who)
    for name in ("heat", "door", "vent", "lock"):
        r.node(f"file:{R}/src/{name}.py", f"src/{name}.py", repo=R, path=f"src/{name}.py", base=f"{name}.py")
    r.issue(R, 1, "ada", "Glaze cracks after cooling", "2025-01-02", closed="2025-02-01")
    r.pr(R, 2, "bob", "Hold the heat for an hour", "2025-01-03", merged="2025-02-01", files=("src/heat.py",))
    r.pr(R, 3, "cy", "Paint the door", "2025-03-07", files=("src/door.py",))
    r.pr(R, 4, "dee", "Open the vent", "2025-04-01", files=("src/vent.py",))
    r.pr(R, 9, "eve", "Lock the kiln", "2025-04-02", files=("src/lock.py",), access="restricted")
    for n, day in ((10, "2025-05-01"), (11, "2025-05-02"), (12, "2025-05-03"), (13, "2025-05-04")):
        r.issue(R, n, f"p{n}", f"Link {n} of the chain", day)
    r.review("cy", FIX, "2025-01-20")
    r.edge(FIX, "CLOSES", ISSUE, keyword="fixes", at=at("2025-01-03"))
    for a, b in zip([FIX, *CHAIN], CHAIN, strict=False):
        r.edge(a, "REFERENCES", b, at=at("2025-05-05"))
    r.edge(SECRET, "REFERENCES", ISSUE, at=at("2025-04-02"))
    r.edge(SECRET, "REFERENCES", BEHIND, at=at("2025-04-02"))
    loader = Loader(store, f"brain:{WS}")
    loader.prepare()
    for node in r.nodes:
        loader.node(node)
    loader.flush()
    loader.chunks(r.chunks, [None] * len(r.chunks))
    for rel in dict.fromkeys(e.rel for e in r.edges):
        loader.edges(rel, [e for e in r.edges if e.rel == rel])
    assert not loader.missing


@pytest.fixture(scope="module")
def store(shared_store):
    shared_store.drop(f"brain:{WS}")
    graph(shared_store)
    return shared_store


@pytest.fixture
def run(store):
    """A guest's run that was shown the issue, its fix, and everything in the repository."""
    made = Run(Asking(store, WS, permissions.guest(), NOW), tools(catalogue.shipped()))
    made.call("details", "what the issue is", key=ISSUE)
    made.call("details", "what the fix is", key=FIX)
    made.call("list_items", "all pull requests", kind="prs")
    made.call("list_items", "all issues", kind="issues")
    return made


def judge(run, *facts, entries=(ISSUE,)):
    return Verifier(run.ctx, run.steps, list(entries)).check(facts)


def one(run, text, *cites, step=2, entries=(ISSUE,), **more):
    (claim,) = judge(run, Fact(text, cites, step=step, **more), entries=entries)
    return claim


# -- what is right ----------------------------------------------------------------------------


def test_a_true_claim_stands_with_the_path_that_proves_it(run):
    claim = one(run, f"Bob wrote {R}#2, merged 2025-02-01.", FIX)
    assert (claim.verdict, claim.hops, claim.path, claim.reason) == ("supported", 1, (ISSUE, FIX), "")


def test_what_the_question_names_needs_no_path(run):
    claim = one(run, f"{R}#1 was closed on 2025-02-01.", ISSUE, step=1)
    assert (claim.verdict, claim.hops, claim.path) == ("supported", 0, (ISSUE,))


# -- (1) the key was returned by a tool of this run ---------------------------------------------


@pytest.mark.parametrize("key", [f"pr:{R}#77", "person:nobody", f"file:{R}/src/none.py"])
def test_an_invented_key_does_not_stand(run, key):
    claim = one(run, "It is so.", FIX, key)
    assert claim.verdict == "unsupported" and claim.reason == f"{key} was not returned by any tool of this run"


def test_a_key_that_exists_and_that_no_tool_returned_does_not_stand(store):
    run = Run(Asking(store, WS, permissions.guest(), NOW), tools(catalogue.shipped()))
    run.call("details", "the other one", key=OTHER)
    assert "was not returned" in one(run, "It is so.", FIX, step=1).reason
    run.call("details", "now it is shown", key=ISSUE)
    assert one(run, "It is so.", FIX, step=2).verdict == "supported"


def test_a_key_in_a_failed_call_s_arguments_was_not_returned(run):
    run.call("details", "of nothing", key=f"pr:{R}#77")
    assert "was not returned" in one(run, "It is so.", f"pr:{R}#77").reason


# -- (2) a path of at most four hops over work ---------------------------------------------------


def test_a_way_over_the_repository_alone_proves_nothing(run):
    claim = one(run, "It is so.", OTHER, step=3, entries=(CHAIN[0],))
    assert claim.verdict == "supported", "cy reviewed the fix that refers to it"
    run.call("expand", "all of the repository", key=f"repo:{R}")
    assert {e.src for e in run.steps[-1].edges if e.rel == "IN_REPO"} >= {ISSUE, BEHIND}, "the run was shown that way"
    claim = one(run, "It is so.", BEHIND, step=3)
    assert claim.verdict == "unsupported" and claim.reason == f"no path of at most 4 hops leads from what the question names to {BEHIND}"


def test_a_way_through_what_the_viewer_may_not_see_proves_nothing(store, run):
    admin = Run(dataclasses.replace(run.ctx, viewer=permissions.local_admin()), tools(catalogue.shipped()))
    for step in ("details", "expand"):
        admin.call(step, "the issue", key=ISSUE)
    admin.call("list_items", "all", kind="prs")
    assert one(admin, "It is so.", BEHIND, step=3).path == (ISSUE, SECRET, BEHIND)
    smuggled = Run(run.ctx, tools(catalogue.shipped()))
    smuggled.steps = [*admin.steps]
    claim = one(smuggled, "It is so.", BEHIND, step=3)
    assert claim.verdict == "unsupported", "edges that a run was shown are checked again for this viewer"


def test_four_hops_are_near_and_five_are_far(run):
    assert one(run, "It is so.", CHAIN[2], step=4).hops == 4
    assert "no path" in one(run, "It is so.", CHAIN[3], step=4).reason


def test_an_edge_that_came_after_the_instant_proves_nothing(run):
    run.ctx = dataclasses.replace(run.ctx, as_of=at("2025-05-04"))
    assert "no path" in one(run, "It is so.", CHAIN[0], step=4).reason


def test_an_edge_that_was_made_up_proves_nothing(run):
    from brain.types import Edge

    run.steps[0] = dataclasses.replace(run.steps[0], edges=(*run.steps[0].edges, Edge(ISSUE, "REFERENCES", BEHIND)))
    assert "no path" in one(run, "It is so.", BEHIND, step=3).reason


def test_a_claim_that_cites_nothing_does_not_stand(run):
    assert one(run, "It is so.").reason == "it cites nothing"


# -- (3) numbers, dates, names, quotes -----------------------------------------------------------


def test_numbers_and_dates_of_the_rows_stand(run):
    assert one(run, f"{R}#2 by Bob changed 1 file and was opened on 2025-01-03.", FIX).verdict == "supported"
    assert one(run, "4 pull requests are there.", FIX, step=3, entries=(ISSUE, FIX)).verdict != "supported", "a guest sees three"
    assert one(run, "3 pull requests are there.", FIX, step=3, entries=(ISSUE, FIX)).verdict == "supported"


@pytest.mark.parametrize(
    "text",
    [
        "It changed 23 files.",
        "It took 3.5 hours.",
        "It was merged on 2025-02-02.",
        "It was merged on 2024-02-01.",
        "It was done by 2 people in 41 days.",
    ],
)
def test_a_number_or_date_of_no_row_does_not_stand(run, text):
    claim = one(run, text, FIX)
    assert claim.verdict == "unsupported" and claim.reason.endswith("is in no row the claim cites")


def test_the_date_of_another_row_does_not_stand(run):
    """2025-03-07 is when #3 was opened, and both stand in one list."""
    assert one(run, f"{R}#2 was opened on 2025-01-03.", FIX, step=3).verdict == "supported"
    assert one(run, f"{R}#2 was opened on 2025-03-07.", FIX, step=3).reason == "2025-03-07 is in no row the claim cites"


@pytest.mark.parametrize("text", [f"Dee wrote {R}#2.", f"dee wrote {R}#2.", f"{R}#2 is by Bob and Dee."])
def test_the_name_of_another_row_does_not_stand(run, text):
    assert one(run, f"Bob wrote {R}#2.", FIX, step=3).verdict == "supported"
    claim = one(run, text, FIX, step=3)
    assert claim.verdict == "unsupported" and claim.reason.lower() == "dee is in no row the claim cites"


@pytest.mark.parametrize(
    "text", [f"{R}#2 replaced {R}#3.", f"{R}#2 replaced #3.", f"{R}#2 replaced {R}#99.", f"{R}#2 replaced other/repo#2."]
)
def test_an_item_that_the_text_names_and_nothing_cites_does_not_stand(run, text):
    assert "is in no row the claim cites" in one(run, text, FIX, step=3).reason


def quote(text, line=1, source=FIX):
    return (Quote(source, line, text),)


def test_a_quote_from_the_stored_line_stands(run):
    assert one(run, "It says “nothing more”.", FIX, quotes=quote("nothing more", 2)).verdict == "supported"
    assert one(run, "It says “Hold the  heat”.", FIX, quotes=quote("Hold the\nheat", 0)).verdict == "supported", "blanks are blanks"


@pytest.mark.parametrize(
    ("text", "line", "source"),
    [("nothing less", 2, FIX), ("Nothing more", 2, FIX), ("nothing more", 40, FIX), ("Paint the door", 1, FIX), ("Lock the kiln", 1, SECRET), ("nothing more", 1, f"pr:{R}#77")],
)  # fmt: skip
def test_a_quote_that_was_altered_moved_or_hidden_does_not_stand(run, text, line, source):
    claim = one(run, f"It says “{text}”.", FIX, quotes=quote(text, line, source))
    assert claim.verdict == "unsupported" and claim.reason == f"the quote is not in line {line} of {source}"


def test_words_in_quotation_marks_that_no_quote_backs_do_not_stand(run):
    claim = one(run, "It says “burn it all down in 2031”.", FIX)
    assert claim.verdict == "unsupported" and "burn it all down" in claim.reason
    assert one(run, "It is “Hold the heat for an hour”.", FIX).verdict == "supported", "a title is a name"


# -- aggregates ----------------------------------------------------------------------------------


@pytest.fixture
def counted(store):
    run = Run(Asking(store, WS, permissions.guest(), NOW), tools(catalogue.shipped()))
    run.call("measure", "how many", kind="prs")
    run.call("measure", "who", kind="prs", by="person")
    return run


def total(run, text, step=1, cites=()):
    return one(run, text, *cites, step=step, aggregate=True, entries=())


def test_an_aggregate_is_anchored_on_its_own_query(counted):
    claim = total(counted, "3 pull requests.")
    assert (claim.verdict, claim.reason) == ("supported", "its query, run again, gives the same")
    assert total(counted, "Bob wrote 1 of 3.", 2, ("person:bob",)).verdict == "supported"


def test_a_wrong_aggregate_is_contradicted(counted):
    claim = total(counted, "41 pull requests.")
    assert (claim.verdict, claim.reason) == ("contradicted", "41 is in no row the claim cites")


def test_an_aggregate_whose_data_changed_does_not_stand(store, counted):
    """The graph was switched between asking and checking; what was counted is no longer so."""
    store.write(f"brain:{WS}", "MATCH (p:Entity {key:'pr:acme/kiln#3'}) SET p.access='restricted'")
    try:
        claim = total(counted, "3 pull requests.")
        assert (claim.verdict, claim.reason) == ("unsupported", "running its query again gave something else")
    finally:
        store.write(f"brain:{WS}", "MATCH (p:Entity {key:'pr:acme/kiln#3'}) SET p.access='open'")
    assert total(counted, "3 pull requests.").verdict == "supported"


@pytest.mark.parametrize("step", [0, 9])
def test_an_aggregate_without_a_query_to_run_again_does_not_stand(counted, step):
    assert total(counted, "It is so.", step).reason == "running its query again gave something else"


def test_a_made_up_row_is_found_out_by_running_the_query_again(counted):
    counted.steps[0] = dataclasses.replace(counted.steps[0], rows=({"n": 41},))
    assert total(counted, "41 pull requests.").verdict == "unsupported"


# -- handed back once, then dropped --------------------------------------------------------------


def checked(run, *facts, entries=(ISSUE,)):
    return verified(run, Draft(items=[], facts=list(facts), entries=list(entries)))


def test_a_claim_that_cites_too_much_is_kept_on_what_holds(run):
    kept, dropped = checked(run, Fact("It was fixed.", (FIX, BEHIND), step=3))
    assert [(c.cites, c.verdict) for c in kept] == [((FIX,), "supported")] and not dropped


def test_a_claim_that_fails_again_is_dropped_and_shown_with_its_reason(run):
    kept, dropped = checked(run, Fact("It changed 23 files.", (FIX, BEHIND), step=2), Fact("It was fixed.", (FIX,), step=2))
    assert [c.text for c in kept] == ["It was fixed."] and [c.text for c in dropped] == ["It changed 23 files."]
    assert dropped[0].verdict == "unsupported" and dropped[0].reason


def test_one_claim_beyond_repair_takes_no_other_with_it(run):
    kept, dropped = checked(run, Fact("It is so.", (f"pr:{R}#77",), step=3), Fact("It was fixed.", (FIX, BEHIND), step=3))
    assert [c.text for c in kept] == ["It was fixed."] and [c.text for c in dropped] == ["It is so."]


def test_the_key_that_fails_is_taken_away_and_not_one_that_begins_like_it(run):
    kept, _ = checked(run, Fact("It is so.", (ISSUE, CHAIN[3]), step=4))
    assert [c.cites for c in kept] == [(ISSUE,)], f"{CHAIN[3]} failed, {ISSUE} did not"


def test_an_altered_quote_is_not_saved_by_leaving_it_unchecked(run):
    fact = Fact("It says “nothing less”.", (ISSUE, FIX), quotes=quote("nothing less", 2), step=2)
    kept, dropped = checked(run, fact)
    assert not kept and [c.reason for c in dropped] == [f"the quote is not in line 2 of {FIX}"]


def test_a_claim_of_hidden_things_is_not_saved_by_citing_less(run):
    """Without its citation the sentence would still name what it rests on."""
    kept, dropped = checked(run, Fact(f"{R}#2 was undone by {R}#9.", (FIX, SECRET), step=3))
    assert not kept and len(dropped) == 1
