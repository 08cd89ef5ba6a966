"""The Access page as a script: for administrators the checks, the meter, the path of grants; for others what is theirs alone."""

from pathlib import Path

import pytest
import small_company
import small_graph
from access_results import EVIL, PROBE, RESULTS
from app_here import app_here
from grants_graph import NOW, PEOPLE, SECRET, company
from streamlit.testing.v1 import AppTest

from brain import identity, permissions, settings
from brain.audit import meter, record
from brain.brain import Brain
from brain.store import graph_name
from brain.ui import access_checks

ROOT = Path(__file__).parent.parent
WHERE = "access-page"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with app_here(tmp_path_factory.mktemp("ui-access"), WHERE):
        yield


@pytest.fixture(scope="module")
def brain(place):
    opened = Brain.open(settings.load())
    opened._embedder.append(None)
    company().build(opened.store, WHERE)
    opened.store.set_meta(WHERE, {"stands_at": str(NOW), "loaded_at": str(NOW)})
    yield opened
    opened.close()


@pytest.fixture
def checked(brain):
    """The last result of every check, over what is loaded now."""
    for name, result in RESULTS.items():
        record.save(brain.files, name, result, at=NOW, graph=brain.store.version(graph_name(WHERE)))
    yield
    for name in RESULTS:
        (brain.files.folder / "access" / f"{name}.json").unlink()


def param(page, name):
    """A parameter of the address: a page that sets it gives text, one that was opened with it a list."""
    found = page.query_params[name]
    return found if isinstance(found, str) else found[0]


def opened(seen_as="", **params):
    page = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60)
    for name, value in params.items():
        page.query_params[name] = value
    if seen_as:
        page.session_state["frame_viewing"] = (WHERE, seen_as)
    page.switch_page("pages/access.py").run()
    assert not page.exception
    return page


def shown(page):
    bodies = [h.proto.body for h in page.get("html") if not h.proto.body.startswith("<style>")]
    return " ".join([*bodies, *(m.value for m in page.markdown), *(h.value for h in page.subheader)])


def test_what_was_never_run_is_said_to_be_not_measured(brain):
    page = opened()
    assert "Not measured yet" in shown(page) and shown(page).count("? not run") == len(record.CHECKS)
    assert [b.label for b in page.button if b.key and b.key.startswith("access_run_")] == ["Run"] * len(record.CHECKS)


def test_the_number_of_leaks_comes_first_then_every_check_with_its_figures_and_findings(brain, checked):
    said = shown(opened())
    assert "<b>201</b>" in said and "leaks in 144 answers about what is loaded now" in said and "0 differences once everything hidden is taken away" in said
    assert said.count("✓ holds") == 4 and said.count("✗ does not hold") == 1 and said.count("what is loaded now") >= 5
    for figure in ("201 leaks in 144 answers", "0 differences in 12 comparisons", "9 of 9 weakened filters of 1 query caught", "graph 0.00 with the filter, 0.75 without", "1.25 times"):
        assert figure in said
    assert "<img" not in said and "onerror=alert(1)&gt;" in said


def test_a_result_over_an_earlier_state_of_the_graph_is_told_apart(brain, checked):
    record.save(brain.files, "probe", PROBE, at=NOW, graph="another")
    said = shown(opened())
    assert "about an earlier state; something was loaded since" in said and "? an earlier state" in said


def test_a_result_that_another_version_left_counts_as_not_run(brain, checked):
    record.save(brain.files, "probe", {"n_leaks": 1}, at=NOW, graph="another")
    record.save(brain.files, "pivot", {"arms": [1]}, at=NOW, graph="another")
    said = shown(opened())
    assert "Not measured yet" in said and said.count("? not run") == 2


def test_a_filter_that_nothing_holds_is_bad_and_one_that_changes_nothing_for_a_reason_is_not(brain):
    check = next(c for c in access_checks.CHECKS if c.name == "mutation")
    idle, bad = ({"query": "expand", "macro": "visible(x)", "why": why} for why in ("the query checks it twice", ""))
    told = {**RESULTS["mutation"], "caught": 8, "missed": [idle]}
    assert check.good(told) and "8 of 9" in check.says(told) and "1 change nothing" in check.says(told)
    told = {**told, "caught": 7, "missed": [idle, bad]}
    assert not check.good(told) and check.findings(told)[1][0][2] == ""


def test_every_check_that_is_kept_is_shown():
    assert [c.name for c in access_checks.CHECKS] == list(record.CHECKS)


def test_a_check_is_run_again_from_the_page_and_its_result_is_kept(brain):
    page = opened()
    page.button(key="access_run_cost").click().run()
    assert "job" in page.query_params
    job = access_checks.session.jobs().get(param(page, "job"), "local")
    assert job is not None and job.future.result(timeout=60) is None
    kept = record.last(brain.files, "cost")
    assert kept is not None and kept.result["calls"] > 0 and kept.graph == brain.store.version(graph_name(WHERE))
    page.run()
    assert "What the filter costs: done" in page.success[0].value
    (brain.files.folder / "access" / "cost.json").unlink()


@pytest.mark.parametrize("login", ["ada", "guest"])
def test_the_meter_of_a_person_says_how_much_is_hidden_from_them(brain, login):
    page = opened(view="person", person=login)
    told = meter.sees(brain.looking(permissions.local_admin()), brain.viewer(login))
    assert f"<b>{told.hidden}</b>" in shown(page) and f"of {told.total} sources hidden from {login}" in shown(page)
    assert page.selectbox(key="access_person").value == login
    chart = page.get("plotly_chart")[0].proto
    assert "restricted sources" in (chart.alt if hasattr(chart, "alt") else chart.spec)


def test_another_person_is_chosen_and_stands_in_the_link(brain):
    page = opened(view="person", person="ada")
    page.selectbox(key="access_person").set_value("bo").run()
    assert param(page, "person") == "bo" and "hidden from bo" in shown(page)
    assert "Bo was in heat until 2025-05-01" in shown(page) and "✗ ended" in shown(page)


def test_a_login_that_nobody_has_is_said_and_somebody_else_is_shown(brain):
    page = opened(view="person", person=EVIL)
    assert "Nobody here has the login" in page.warning[0].value and page.selectbox(key="access_person").value in PEOPLE


def test_why_somebody_may_read_a_thing_is_told_with_its_path_and_everybody_who_reads_it(brain):
    said = shown(opened(view="thing", person="ada", key="doc:works"))
    assert "✓ may read it" in said and "Ada is in heat since 2024-01-01; heat belongs to works" in said
    assert "2 people read it, as members of works" in said and "Ivy" in said
    said = shown(opened(view="thing", person="bo", key="doc:heat"))
    assert "✗ may not read it" in said and "until 2025-05-01" in said


def test_a_thing_is_found_by_its_title_and_one_of_several_is_chosen(brain):
    page = opened(view="thing", person="ada")
    page.text_input(key="access_key").set_value("on works").run()
    assert "✓ may read it" in shown(page) and param(page, "key") == "on works"
    page.text_input(key="access_key").set_value("On ").run()
    assert page.selectbox(key="access_which").value is None
    page.selectbox(key="access_which").set_value("doc:none").run()
    assert "administrators alone read it" in shown(page)
    page.text_input(key="access_key").set_value(EVIL).run()
    assert "Nothing with that key is loaded" in shown(page) and "<img" not in shown(page)


def test_what_has_no_label_is_listed_and_explained(brain):
    assert "doc:bare" in shown(opened(view="data")) and "without access label" in shown(opened(view="data"))
    assert "no access label" in shown(opened(view="thing", person="ada", key="doc:bare"))


def test_a_claim_that_a_hidden_source_makes_is_shown_to_the_administrator_with_that_source(brain):
    said = shown(opened(view="thing", person="ada", key="doc:open"))
    assert "1 claim about it hidden from ada" in said and SECRET.partition(":")[2] in said


def test_who_is_no_administrator_sees_their_own_meter_and_nothing_of_what_is_hidden(brain, checked):
    page = opened(seen_as="di")
    assert [o.content for o in page.get("button_group")[0].proto.options] == ["What you read", "Why you read it", "Access data"]
    said = shown(page)
    seen = meter.own(brain.looking(brain.viewer("di"))).seen
    assert f"<b>{seen}</b>" in said and "hidden" not in said.lower().replace("see nothing", "") and not page.get("plotly_chart")
    for view in ("checks", "person", "thing", "data"):
        page = opened(seen_as="di", view=view, person="ada", key="doc:none")
        assert not any(b.key and b.key.startswith("access_run_") for b in page.button)
        assert "ada" not in shown(page).lower() and "administrators alone" not in shown(page) and "leak" not in shown(page)


def test_no_state_of_a_session_gets_who_is_no_administrator_to_the_checks(brain, checked):
    page = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60)
    for key, value in {"frame_viewing": (WHERE, "di"), "access_view": "checks", "access_asked": {}, "access_person": "ada"}.items():
        page.session_state[key] = value
    page.switch_page("pages/access.py").run()
    assert not page.exception and "leak" not in shown(page) and "ada" not in shown(page).lower()


def test_what_is_hidden_and_what_is_not_there_are_told_in_the_same_words(brain):
    hidden, absent = (shown(opened(seen_as="di", view="thing", key=key)) for key in ("doc:none", "doc:nowhere"))
    assert hidden == absent and "There is nothing of that name that you may read." in hidden
    own = shown(opened(seen_as="di", view="thing", key="doc:two"))
    assert "✓ may read it" in own and "warden" in own and "heat" not in own


def test_a_source_in_a_run_leads_an_administrator_to_who_can_see_it_and_nobody_else(brain):
    admin = brain.viewer("local")
    ada = identity.as_member("ada", admin, brain.settings, brain.company())
    for seen_as, viewer, there in (("", admin, True), ("ada", ada, False)):
        run = brain.ask("Who owns works?", viewer=viewer).run
        page = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60)
        page.query_params["run"], page.query_params["key"] = run, "doc:works"
        if seen_as:
            page.session_state["frame_viewing"] = (WHERE, seen_as)
        page.switch_page("pages/evidence.py").run()
        assert not page.exception and "Source: " in str([h.value for h in page.header])
        assert ("access?view=thing&amp;key=doc%3Aworks" in shown(page)) is there


def test_on_ask_only_an_administrator_who_looks_as_somebody_learns_what_was_hidden(brain):
    small_company.build(brain.store, "asked", "aud")
    brain.store.set_meta("asked", {"stands_at": str(small_graph.NOW)})

    def asked(seen_as):
        page = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60)
        page.query_params["ws"], page.query_params["q"], page.query_params["arm"] = "asked", "Which tickets are about map-tiles?", ["graph"]
        if seen_as:
            page.session_state["frame_viewing"] = ("asked", seen_as)
        page.run()
        assert not page.exception
        return page

    looked = asked("leilaf")
    assert "Hidden from them" in [h.value for h in looked.header]
    assert "hidden from leilaf" in shown(looked) and small_graph.CANARY in shown(looked)
    alone = asked("")
    assert "Hidden from them" not in [h.value for h in alone.header]
    brain.store.drop(graph_name("asked"))
