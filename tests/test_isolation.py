"""Nothing that is kept, for speed or for a session, passes from one viewer, workspace or moment to another; and no call says who asks."""

import itertools
import re
from pathlib import Path

import pytest
import streamlit as st
from app_here import app_here
from claims_graph import Company
from streamlit.testing.v1 import AppTest

from brain import catalogue as queries
from brain import permissions
from brain.agents.run import Run
from brain.brain import Brain
from brain.extract.extraction import Extraction
from brain.ingest import Outcome
from brain.store import graph_name
from brain.tools import search, tools
from brain.types import Viewer
from brain.ui import candidates, catalogue, extract_run, health, session, viewing
from brain.ui.frame import Frame

ROOT = Path(__file__).parent.parent
SECRET = "quillwort"
WORKSPACES = ("iso-a", "iso-b")
LOGIN = {"auth": {"redirect_uri": "http://localhost/oauth2callback", "cookie_secret": "x", "client_id": "x", "client_secret": "x", "server_metadata_url": "http://localhost/x"}}


def company(secret):
    """Restricted things beside open ones of every kind that something is kept of; in another workspace they are called otherwise."""
    made = Company()
    for login in ("ada", "bo"):
        made.node(f"person:{login}", login.capitalize(), login=login, access="open")
    made.node("person:gone", "Gone", login="gone", access="open", departed_at=1)
    made.node("team:heat", "Heat", access="open")
    made.node("team:works", "Works", access="open")
    heat = {"access": "restricted", "aud": ["team:heat"]}
    made.node("service:pump", "pump", access="open")
    made.node("service:plain", "plain", access="open")
    made.node("service:far", "far", access="open")
    made.node(f"service:{secret}", secret, **heat)
    made.doc("people.md", "ada is in heat\nbo is in works\nplain needs pump\nBo fixed 1")
    made.doc("secret.md", f"{secret} needs pump\nfar needs {secret}\nplain needs {secret}\npump needs {secret}\nGone keeps {secret}\nBo owns {secret}", **heat)
    made.chunks[-1]["aud"] = ["team:heat"]
    made.claim("person:ada", "MEMBER_OF", "team:heat", "doc:people.md", 1, "ada is in heat")
    made.claim("person:bo", "MEMBER_OF", "team:works", "doc:people.md", 2, "bo is in works")
    made.claim("service:plain", "DEPENDS_ON", "service:pump", "doc:people.md", 3, "plain needs pump")
    hidden = {"access": "restricted", "aud": ("team:heat",)}
    for n, (src, rel, dst, words) in enumerate((
        (f"service:{secret}", "DEPENDS_ON", "service:pump", f"{secret} needs pump"), ("service:far", "DEPENDS_ON", f"service:{secret}", f"far needs {secret}"),
        ("service:plain", "DEPENDS_ON", f"service:{secret}", f"plain needs {secret}"), ("service:pump", "DEPENDS_ON", f"service:{secret}", f"pump needs {secret}"),
        ("person:gone", "OWNS", f"service:{secret}", f"Gone keeps {secret}"),
    ), 1):  # fmt: skip
        made.claim(src, rel, dst, "doc:secret.md", n, words, **hidden)
    made.claim("person:bo", "OWNS", f"service:{secret}", "doc:secret.md", 6, f"Bo owns {secret}", state="candidate", **hidden)
    return made


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with app_here(tmp_path_factory.mktemp("isolation"), "iso-a", BRAIN_ADMINS="bo") as own:
        yield own


@pytest.fixture
def brains(place):
    """The two workspaces as one process has them open: nothing is kept of them yet."""
    opened = [Brain.open(place, name) for name in WORKSPACES]
    opened[1].store = opened[0].store
    for brain, secret in zip(opened, (SECRET, "spleenwort"), strict=True):
        company(secret).build(brain.store, brain.workspace)
        brain.store._redis.set(f"{graph_name(brain.workspace)}:version", 1)  # as alike as two states can be
        brain._embedder.append(None)
    st.cache_data.clear()
    catalogue._times.clear()
    yield opened
    opened[0].close()


def frame(brain, viewer):
    return Frame(brain, viewer, brain.workspace)


def measured(brain, viewer):
    """What the catalogue page tells of a query that this viewer ran."""
    query = brain.catalogue["by_keys"]
    catalogue.run(frame(brain, viewer), query, {"keys": [f"service:{SECRET}", "service:pump"]})
    return [runs[2] for runs in catalogue.times(frame(brain, viewer))["by_keys"]][:1]


def slices(brain, viewer):
    """What there is for a model to read, which the page on extraction tells an administrator."""
    if not viewer.admin:
        return "only the administrator"
    return [(part.name, part.kind, part.access) for part in extract_run.parts(frame(brain, viewer), Extraction(brain, viewer))]


KEPT = {
    "lexicon": lambda brain, viewer: str(sorted(map(str, vars(brain.lexicon(viewer)).items()))),
    "suggestions": lambda brain, viewer: str(brain.suggestions(viewer)),
    "passages": lambda brain, viewer: search.passages(brain.asking(viewer)),
    "health": lambda brain, viewer: str({k: v for k, v in health.found(frame(brain, viewer)).items() if v}),
    "waiting claims": lambda brain, viewer: str(candidates.counts(frame(brain, viewer), brain.candidates(viewer), "candidate")),
    "times": measured,
    "slices": slices,
}  # fmt: skip
VIEWERS = {"local": permissions.local_admin(), "ada": permissions.member("x", frozenset({"team:heat"})), "bo": permissions.member("x", frozenset({"team:works"})),
           "open": Viewer("x", frozenset({"open"})), "guest": permissions.guest(), "nobody": permissions.nobody()}  # fmt: skip


@pytest.mark.parametrize("what", KEPT)
def test_what_is_kept_is_the_same_for_a_viewer_whoever_asked_before(brains, what):
    brain, _ = brains
    alone = {}
    for name, viewer in VIEWERS.items():
        fresh = Brain(brain.settings, brain.workspace, brain.store, brain.catalogue, brain.files, _embedder=[None])
        st.cache_data.clear()
        catalogue._times.clear()
        search._COUNTED.clear()
        alone[name] = KEPT[what](fresh, viewer)
    assert len({str(v) for v in alone.values()}) > 1, "the viewers must be told different things for this to say anything"
    for order in ((*VIEWERS,), (*reversed(VIEWERS),), *itertools.permutations(("local", "ada", "guest"))):
        st.cache_data.clear()
        catalogue._times.clear()
        for name in order:
            assert KEPT[what](brain, VIEWERS[name]) == alone[name], (what, name, order)


@pytest.mark.parametrize("what", ["lexicon", "health", "waiting claims", "suggestions"])
def test_what_is_kept_of_one_workspace_is_not_told_in_another(brains, what):
    one, other = brains
    for first, second in ((one, other), (other, one)):
        st.cache_data.clear()
        a, b = KEPT[what](first, VIEWERS["local"]), KEPT[what](second, VIEWERS["local"])
        if what != "waiting claims":
            assert a != b
        assert (SECRET in str(a), SECRET in str(b)) in ((first is one, second is one), (False, False))


def test_counts_of_passages_and_of_claims_are_each_workspace_s_own(brains):
    one, other = brains
    more = company("spleenwort")
    more.doc("more.md", "one more")
    more.claim("person:ada", "OWNS", "service:pump", "doc:people.md", 1, "ada is in heat", state="candidate")
    more.build(other.store, other.workspace)
    for what in ("passages", "waiting claims", "slices"):
        assert [KEPT[what](brain, VIEWERS["local"]) for brain in (one, other)] != [KEPT[what](one, VIEWERS["local"])] * 2


def test_a_membership_that_ends_while_the_app_runs_ends_everywhere_at_once(brains):
    brain, _ = brains
    before = {what: KEPT[what](brain, brain.viewer("ada")) for what in ("lexicon", "health", "passages", "waiting claims")}
    run = brain.ask("Who owns pump?", viewer=brain.viewer("ada")).run
    assert "team:heat" in brain.viewer("ada").groups and brain.run(run, brain.viewer("ada"))
    aid = company(SECRET).aids["person:ada", "MEMBER_OF", "team:heat"]
    assert brain.store.set_states(graph_name("iso-a"), "MEMBER_OF", [("person:ada", "team:heat", aid, "rejected")]) == 1
    ada = brain.viewer("ada")
    assert "team:heat" not in ada.groups
    for what, told in before.items():
        assert KEPT[what](brain, ada) != told and SECRET not in str(KEPT[what](brain, ada)), what
    assert brain.recent_runs(ada) == []


def test_a_run_of_one_workspace_is_none_of_another(brains):
    one, other = brains
    run = one.ask("Who owns pump?", viewer=VIEWERS["local"]).run
    assert run not in [r["run"] for r in other.recent_runs(VIEWERS["local"])]
    with pytest.raises(Exception, match="there is no run"):
        other.run(run, VIEWERS["local"])
    with pytest.raises(Exception, match="there is no run"):
        other.ask("And who wrote it?", viewer=VIEWERS["local"], previous=run)


def test_every_store_of_the_pages_was_looked_at():
    """A new one belongs into KEPT above, keyed by workspace, state of the graph, and rights."""
    found = {
        f"{path.stem}.{name}"
        for path in [*ROOT.glob("brain/ui/*.py"), *ROOT.glob("pages/*.py")]
        for name in re.findall(r"^@st\.cache_(?:data|resource)\b.*\n(?:@.*\n)*def (\w+)", path.read_text("utf-8"), re.M)
    }
    assert found == {"session.configured", "session.brain", "session.jobs", "health._found", "candidates._counts", "catalogue._times", "extract_run._parts"}


# -- sessions and jobs ---------------------------------------------------------------------------


def opened(script="ask", user=None, **params):
    page = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60)
    if user is not None:
        page.secrets, page.user = LOGIN, {"is_logged_in": True, "login": user}
    for name, value in params.items():
        page.query_params[name] = value
    page.switch_page(f"pages/{script}.py")
    page.run()
    assert not page.exception
    return page


def test_what_a_session_keeps_does_not_outlast_its_viewer_or_its_workspace(brains):
    page = opened(q=f"Who owns {SECRET}?", arm="graph")
    for change in (
        lambda: page.selectbox(key=viewing.PICKED).set_value("guest").run(),
        lambda: page.button(key="frame_back").click().run(),
        lambda: (page.query_params.__setitem__("ws", "iso-b"), page.run()),
    ):
        page.session_state["whatif_result"] = page.session_state["rules_words"] = page.session_state["own"] = SECRET
        page.session_state["ask_made"] = {("iso-a", SECRET): ("r1",)}
        page.run()
        assert page.session_state["own"] == SECRET
        change()
        assert not page.exception
        assert not [key for key in ("own", "whatif_result", "rules_words") if key in page.session_state]
        assert "ask_made" not in page.session_state or SECRET not in str(page.session_state["ask_made"])


def test_the_names_of_workspaces_are_an_administrators(brains):
    assert [s for s in opened("evidence").selectbox if s.key == "frame_workspace"]
    for login in ("ada", "stranger"):
        page = opened("evidence", login)
        assert not [s for s in page.selectbox if s.key == "frame_workspace"] and "iso-b" not in str([h.proto.body for h in page.get("html")])


def test_a_job_is_its_starter_s_alone(brains):
    held = session.jobs()
    job = held.start("load", f"Loading {SECRET}", "local", lambda job: ("iso-a", Outcome([], [], None, 0.0)))
    job.future.result(10)
    for script, login in (("sources", "ada"), ("sources", "bo"), ("sources", "local"), ("evaluation", "bo")):
        page = opened(script, login, job=job.id)
        assert SECRET not in "".join(str(e.value) for kind in (page.success, page.error, page.warning, page.info, page.markdown) for e in kind)
    assert SECRET in "".join(e.value for e in opened("sources", job=job.id).success)


# -- no call says who asks -----------------------------------------------------------------------

TRIED = ("viewer", "as", "as_", "viewer_id", "viewer_access", "viewer_groups", "viewer_basis", "access", "groups", "clearance", "admin", "as_admin", "user", "login",
         "known_at", "ctx", "self", "tool", "why", "workspace", "catalogue", "store")  # fmt: skip


@pytest.mark.parametrize("name", sorted(tools(queries.shipped())))
def test_a_call_that_says_who_asks_is_refused_and_shown(brains, name):
    brain, _ = brains
    tool, steps = brain.tools[name], []
    assert not {p.name for p in tool.params} & set(TRIED)
    run = Run(brain.asking(permissions.guest()), brain.tools, steps.append)
    for taken in TRIED:
        for value in ("local", permissions.local_admin(), ["team:heat"], True):
            result = run.call(name, "tried", **{taken: value})
            step = steps[-1]
            assert not result.rows and not result.nodes and step.error and taken in step.error and step.args == {taken: value}
    assert run.ctx.viewer == permissions.guest()
