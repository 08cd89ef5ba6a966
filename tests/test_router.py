"""Whole questions over the demo, at least two wordings of each kind, on what its README plants (numbers in brackets)."""

from __future__ import annotations

import pytest

from brain.agents.missing import missing
from brain.agents.run import Run
from brain.agents.understand import understand
from brain.text.mentions import Links, Mention
from brain.text.timewords import TimeWords

NOW = 1_792_195_200
G, S, F, C, B, P = (f"merefold/{name}" for name in ("gatekeeper", "gauge-stream", "floodline", "control-room", "crewboard", "fenproto"))


@pytest.fixture(scope="module")
def ask(demo):
    return lambda question, **kw: demo.ask(question, **{"viewer": demo.viewer(), "as_of": NOW, "save": False, **kw})


def people(*logins):
    return {f"person:{login}" for login in logins}


def prs(repo, *numbers):
    return {f"pr:{repo}#{n}" for n in numbers}


def issues(repo, *numbers):
    return {f"issue:{repo}#{n}" for n in numbers}


@pytest.mark.parametrize(
    ("question", "items"),
    [
        # issue, change, release (1) and notes against the clock (15)
        ("In which version did the repair of gatekeeper issue 10 come out?", {f"release:{G}@v2.1.1"}),
        ("gatekeeper#10: what release carries its cure?", {f"release:{G}@v2.1.1"}),
        ("Which release contains crewboard#31?", {f"release:{B}@v1.8.1"}),
        ("Where was crewboard pull request 31 first released?", {f"release:{B}@v1.8.1"}),
        ("Is crewboard#31 part of v1.8.0?", {"no"}),
        ("Has gatekeeper#32 been shipped in v2.3.1?", {"yes"}),
        ("Which pull requests first shipped in gatekeeper v2.1.1?", prs(G, 9, 12, 13)),
        ("Which issues did release fenproto v1.3.0 resolve?", {f"issue:{P}#21", f"issue:{S}#30"}),
        # fixed in another repository (2)
        ("Where was control-room#15 fixed?", prs(S, 21)),
        ("control-room issue 15 was settled by which pull request?", prs(S, 21)),
        ("Which pull request of another repository solved gatekeeper#37?", prs(C, 29)),
        ("Which repo contains the change that fixed gauge-stream#30?", {f"repo:{P}"}),
        ("What does gatekeeper#16 close?", issues(P, 7)),
        ("Which issues were closed from another repository?", {*issues(C, 15), *issues(G, 37), *issues(F, 24), *issues(B, 26), *issues(S, 30), *issues(P, 7)}),
        # who, for one item
        ("Whose work is control-room#40?", people("lucsaint")),
        ("author of pr:merefold/control-room#40", people("lucsaint")),
        ("Who went through gatekeeper pull request 12 and signed it off?", people("tdabrowski", "ekoh", "yusrahaddad", "wrenokafor")),
        ("https://github.com/merefold/gatekeeper/pull/12 who reviewed it", people("tdabrowski", "ekoh", "yusrahaddad", "wrenokafor")),
        ("Did anybody ask for changes on control-room#40?", {"yes"}),
        ("Who wanted changes requested on control-room#40?", people("priyav")),
        # bus factor one (4), left (5)
        ("Name every author of pull requests below floodline/tides.", people("mnakashima")),
        ("Who is the only author under floodline/tides?", people("mnakashima")),
        ("Who reviewed pull requests touching floodline/tides?", people("ororke", "dmbeki")),
        # who to ask (6)
        ("Which items from other repositories point to fenproto#9?", {*prs(G, 23), *prs(C, 17)}),
        ("What else cites fenproto#9 in other repositories?", {*prs(G, 23), *prs(C, 17)}),
        # open changes under a path (8)
        ("open pull requests that change internal/interlock", prs(G, 59, 61)),
        ("Does anything in flight touch internal/interlock?", prs(G, 59, 61)),
        ("Which PRs under .github/workflows are still waiting?", {*prs(G, 60), *prs(P, 28)}),
        ("Pull requests in flight for crewboard/callout?", prs(B, 34, 35)),
        ("What would I collide with if I changed internal/interlock/eval.go?", prs(G, 59, 61)),
        ("Which pull requests touch the same files as gatekeeper#59?", prs(G, 61)),
        # counting and rules of the house (10-12)
        ("How many pull requests were merged altogether?", {"882"}),
        ("Count the merged PRs of the whole organisation.", {"882"}),
        ("Number of PRs that were closed unmerged?", {"32"}),
        ("How many pull requests stand open?", {"25"}),
        ("How many draft pull requests are open?", {"3"}),
        ("How many merged pull requests lack an approval?", {"37"}),
        ("How many PRs landed without anybody approving them?", {"37"}),
        ("PRs by bots merged without any approval: how many?", {"26"}),
        ("How many PRs were self-merged?", {"255"}),
        ("How many pull requests were merged by the same person that wrote them?", {"255"}),
        ("Who got most pull requests merged?", people("ondrejm")),
        ("Whose merged pull requests are most in number? Who leads?", people("ondrejm")),
        ("How many pull requests has lucsaint had merged?", {"14"}),
        ("Who has handed in the greatest number of reviews?", people("zofiam")),
        ("Who gave most reviews, all repositories together?", people("zofiam")),
        ("In how many repositories does Wren review?", {"6"}),
        # reverted (13)
        ("Which pull request undid floodline#35?", prs(F, 38)),
        ("What took back gatekeeper#45?", prs(G, 54)),
        # how it stands, when, and what the record says
        ("Was gatekeeper#11 merged?", {"no"}),
        ("Is gatekeeper#46 still open?", {"no"}),
        ("When did gatekeeper#12 land?", {"2025-07-03"}),
        ("On which day was gatekeeper#10 reported?", {"2025-07-01"}),
        ("List the labels on gatekeeper#10.", {"bug", "safety", "field-report"}),
        ("Which issue was closed as not planned in gatekeeper?", issues(G, 7)),
        ("gatekeeper tickets nobody will do: which were closed as not planned?", issues(G, 7)),
        ("Show issues labelled field-report that are still open", {*issues(G, 58), *issues(S, 35, 41)}),
        ("What is the newest release of gauge-stream?", {f"release:{S}@v0.11.0"}),
        # two issues of one title (17)
        ('Which issue is called "Rotate the gateway certificates"?', {*issues(G, 8), *issues(S, 13)}),
        # files that change together (9)
        ("The two files that most often change together with src/i18n/nl.json", {f"file:{C}/src/i18n/en.json", f"file:{C}/src/i18n/cy.json"}),
        ("Top 2 files edited along with src/i18n/nl.json", {f"file:{C}/src/i18n/en.json", f"file:{C}/src/i18n/cy.json"}),
        # people in several places (7)
        ("Which people reviewed in both gatekeeper and floodline but never in control-room?", people("ororke")),
        ("Name those who wrote merged PRs in crewboard as well as in fenproto.", people("yusrahaddad", "zofiam")),
        ("Whose pull requests does hamid-r review most?", people("leilaf")),
        ("Who reviews Daudi's pull requests most?", people("ororke")),
        # then and in between
        ("Which pull requests were open in gatekeeper on 1 May 2026?", prs(G, 46)),
        ("As of 2026-05-01, which gatekeeper PRs were open?", prs(G, 46)),
        ("Pull requests opened by Priya between 1 May 2026 and 30 June 2026", {*prs(P, 24), *prs(C, 38, 41)}),
    ],
)  # fmt: skip
def test_a_planted_fact_is_found(ask, question, items):
    a = ask(question)
    assert (set(a.items), a.state) == (items, "answered"), a.text
    assert not a.dropped and all(c.verdict == "supported" for c in a.claims)


@pytest.mark.parametrize(
    ("question", "first", "tool"),
    [
        ("Who is the expert for floodline/tides?", "person:mnakashima", "who_knows"),
        ("Whom should I ask about internal/modbus in gatekeeper?", "person:tdabrowski", "who_knows"),
        ("Which person should look after src/backfill?", "person:bjarki", "who_knows"),
        ("Top 3 reviewers in floodline", "person:dmbeki", "measure"),
        ("Who bridges the repositories?", "person:ondrejm", "rank"),
        ("Which reviewers are the most influential?", "person:zofiam", "rank"),
        ("Suggest reviewers for gauge-stream#41", "person:bjarki", "draft_triage"),
        ("What is the largest pull request in control-room?", f"pr:{C}#23", "list_items"),
        ("Which repository has most open issues?", f"repo:{G}", "measure"),
        ("Pull requests merged per month in floodline", "2025-04", "measure"),
        ("In which repositories does zofiam review?", "repo:merefold/siltwatch", "measure"),
        ("What does Priya work on?", "person:priyav", "details"),
        ("Why did the rules of an interlock not come in CEL?", f"pr:{G}#46", "search_text"),
        ("How many registers may a group have?", "40", "search_text"),
    ],
)
def test_the_tool_fits_the_question(ask, question, first, tool):
    a = ask(question)
    assert a.items[0] == first and tool in [s.tool for s in a.steps], a.text


def test_connected_things_are_connected_by_the_path(ask):
    for question in ("How are gatekeeper#10 and gatekeeper#12 related?", "How does fenproto#7 hang together with gatekeeper#16?"):
        a = ask(question)
        assert a.steps[-1].tool == "connect" and "[CLOSES]" in a.text and len(a.claims[0].cites) == 2, a.text


def test_what_happened_lately_is_told_with_its_window(ask):
    a = ask("What has happened in crewboard lately?")
    assert a.steps[1].tool == "activity" and f"pr:{B}#35" in a.items and "From 2026-09-17 to 2026-10-17" in a.text


# -- it never guesses ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("Who reviewed #16?", [f"{G}#16", f"{P}#16", "Name the repository"]),
        ("Who reviewed pull request 16?", [f"{G}#16", f"{C}#16"]),
        ('Who opened the issue "Rotate the gateway certificates"?', [f"{G}#8", f"{S}#13"]),
        ("Who wrote README.md?", [f"{F}/README.md", f"{G}/README.md"]),
    ],
)
def test_what_could_be_several_things_is_asked_back_with_the_options(ask, question, options):
    a = ask(question)
    assert a.state == "insufficient" and not a.items and all(option in a.text for option in options), a.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who reviewed gatekeeper#4711?", "gatekeeper#4711: no pull request or issue of that number"),
        ("What is in src/nowhere/file.rs?", "src/nowhere/file.rs: no such file or directory"),
        ("How many PRs by zzgremlin?", "zzgremlin: nobody of that name is loaded"),
        ("Which PRs shipped in gatekeeper v3.0.0?", "v3.0.0: no such release in merefold/gatekeeper"),
        ("Who changed src/i18n/en.json in gatekeeper?", "no such file or directory in merefold/gatekeeper"),
        ("https://github.com/other/thing/pull/3 who wrote that", "address of a repository that is not loaded"),
        ("commit 1234567abc who wrote it", "no commit with that id"),
        ("Who will merge the next pull request?", "has not happened yet"),
        ("How much does a gate cost?", "amounts of that kind"),
        ("How many customers does merefold have?", "how many customers"),
        ("How many?", "what is to be counted"),
    ],
)
def test_what_links_to_nothing_or_cannot_be_told_is_said(ask, question, said):
    a = ask(question)
    assert a.state == "insufficient" and not a.items and said in a.text, a.text


@pytest.mark.parametrize(
    "question", ["What is the telephone number of Sanna?", "asdf qwer zxcv", "?", "salary of tdabrowski", "who is on holiday in gatekeeper"]
)
def test_nothing_is_made_up(ask, question):
    a = ask(question)
    assert a.state == "insufficient" and not a.items and len(a.suggestions) >= 3


def test_what_it_suggests_it_can_answer(demo, ask):
    for question in demo.suggestions(demo.viewer()):
        a = ask(question)
        assert a.state == "answered" and a.items, question


def test_a_slip_of_the_keyboard_gives_the_same_answer(ask):
    assert ask("open issues of gatekeper").items == ask("open issues of gatekeeper").items != ()
    assert ask("Who reviewed PRs by tdabrowsky?").items == ask("Who reviewed PRs by tdabrowski?").items != ()


def test_accents_capitals_and_apostrophes_change_nothing(ask):
    asked = ("issues opened by Sanna Kivelä", "issues opened by sanna kivela", "ISSUES OPENED BY SANNA KIVELÄ")
    assert len({ask(q).items for q in asked}) == 1 and ask(asked[0]).items
    assert ask("PRs by Aoife O\u2019Rorke").items == ask("PRs by Aoife O'Rorke").items != ()


def test_a_given_name_of_two_people_is_asked_back_and_not_chosen(demo):
    """In the demo all given names differ, so the mention is written here."""
    me = demo.viewer()
    run, lexicon = Run(demo.asking(me, NOW), demo.tools), demo.lexicon(me)
    for question, asks in (("PRs by Ben", True), ("Why did Ben go?", False)):
        at = question.index("Ben")
        ben = Mention(at, at + 3, "Ben", ("person:ekoh", "person:ororke"), "Person", "given", sure=False)
        draft = missing(understand(question, Links([ben], ambiguous=[ben]), TimeWords(), lexicon), run)
        assert (draft is not None) == asks
        assert not asks or (draft.state == "insufficient" and "ekoh and ororke. Say who" in draft.facts[0].text)
