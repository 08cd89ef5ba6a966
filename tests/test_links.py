"""Why a deployment counts as one of a service and a change as part of it, and what else would fit: judged on a graph small enough to
see it all.
"""

from __future__ import annotations

import pytest
import small_graph
from small_graph import NOW, asking, at

from brain import permissions
from brain.incident.findings import Signal
from brain.incident.links import MOST, OTHERS, links

R = "acme/kiln"
FIRED = Signal("", "KilnCold", "KilnCold", "service:kiln-control", "kiln-control", at("2025-11-20T12:00"))


def rows(hidden: str | None = None):
    r = small_graph.Rows([], [], [])
    r.node(f"repo:{R}", "kiln")
    for who in ("ada", "cy"):
        r.node(f"person:{who}", who, login=who)
    for name in ("kiln-control", "burner", "lamp"):
        r.node(f"service:{name}", name, **({"repo": R, "path": name} if name != "lamp" else {}))
        r.node(f"dir:{R}/{name}", name, repo=R, path=name)
        r.node(f"file:{R}/{name}/main.go", "main.go", repo=R, path=f"{name}/main.go")
    for n in range(1, 7):
        sha = str(n) * 40
        r.pr(R, n, "ada", f"Change {n}", f"2025-11-1{n}T08:00", merged=f"2025-11-1{n}T09:00:02", base="main",
             files=("burner/main.go" if n == 3 else "kiln-control/main.go",) if n in (3, 4) else ())  # fmt: skip
        r.commit(R, sha, "ada", f"Change {n} (#{n})", f"2025-11-1{n}T09:00", on_default=True)
        r.edge(f"pr:{R}#{n}", "INCLUDES", f"commit:{R}@{sha}")
    r.commit(R, "a" * 40, "cy", "Straight to main", "2025-11-13T12:00")
    r.commit(R, "b" * 40, "cy", "On a branch", "2025-11-13T13:00", on_default=False)
    r.node("ticket:KIL-7", "Hotter", access="open", at=at("2025-11-10"), title="Hotter")

    def deploy(key, service, day, sha="", pr=0, how="", **more):
        known = {"repo": R, "env": "production", "status": "success", "author": "ada", "access": "open", **more}
        said = known.pop("said", ())
        r.node(f"deploy:{key}", f"{known.pop('called', service.partition(':')[2])} {key} to {known['env']}", at=at(day), sha=sha or None, **known)
        r.edge(f"deploy:{key}", "DEPLOYED_TO", service, at=at(day), **({"how": how} if how else {}))
        if sha and known.get("loaded", True):
            r.edge(f"deploy:{key}", "INCLUDES", f"commit:{R}@{sha}", how="sha", at=at(day))
        if pr:
            r.edge(f"deploy:{key}", "INCLUDES", f"pr:{R}#{pr}", how="sha", at=at(day))
        for other in said:
            r.edge(f"deploy:{key}", "REFERENCES", other, at=at(day))

    deploy("k-1", "service:kiln-control", "2025-11-12T10:00", "2" * 40, 2, "name")
    deploy("k-2", "service:kiln-control", "2025-11-15T10:00", "5" * 40, 5, "name", said=("ticket:KIL-7", f"pr:{R}#4", f"pr:{R}#1"))
    deploy("k-3", "service:kiln-control", "2025-11-16T10:00", "2" * 40, 2, "application", rollback=True)
    deploy("b-1", "service:burner", "2025-11-15T11:00", "5" * 40, 5, "repository", called=R)
    deploy("b-2", "service:burner", "2025-11-16T11:00", "b" * 40, 0, "name")
    deploy("l-1", "service:lamp", "2025-11-14T10:00", version="v9", said=(f"pr:{R}#1",))
    deploy("l-2", "service:lamp", "2025-11-14T11:00", version="v9", env="staging")
    deploy("r-1", f"repo:{R}", "2025-11-16T12:00", "6" * 40, 6)
    deploy("later", "service:kiln-control", "2025-11-25T10:00", "5" * 40, 5, "name")
    r.node("deploy:flag/x/1", "turned on `burner-hot`", access="open", at=at("2025-11-19"), kind="flag", env="production")
    r.edge("deploy:flag/x/1", "MODIFIES", "service:burner", at=at("2025-11-19"), how="prefix")
    if hidden:
        r.pr(R, 40, "cy", "Secret", "2025-11-14T08:00", merged="2025-11-14T10:00", base="main", access=hidden)
        r.node("deploy:hidden", "hidden", access=hidden, at=at("2025-11-15T09:00"), repo=R, sha="5" * 40, env="production", status="success")
        r.edge("deploy:hidden", "DEPLOYED_TO", "service:kiln-control", at=at("2025-11-15T09:00"))
        r.node("ticket:SEC-1", "Secret", access=hidden, at=at("2025-11-10"), title="Secret")
        r.edge("deploy:k-2", "REFERENCES", "ticket:SEC-1", at=at("2025-11-15T10:00"))
        r.commit(R, "c" * 40, "cy", "Secret commit", "2025-11-14T11:00", access=hidden)
        r.node("service:safe", "safe", repo=R, path="safe", access=hidden)
        r.node(f"dir:{R}/safe", "safe", repo=R, path="safe", access=hidden)
    return r


@pytest.fixture(scope="module")
def store(shared_store):
    small_graph.build(shared_store, "links", None, rows())
    for label in ("restricted", "internal"):
        small_graph.build(shared_store, f"links-{label}", None, rows(label))
    return shared_store


@pytest.fixture
def told(store):
    return lambda *keys: links(asking(store, "links", as_of=NOW), [f"deploy:{key}" for key in keys], FIRED)


def of(found, src):
    return next(link for some in found.values() for link in some if link.src == src)


def test_what_a_deployment_contains_is_what_came_after_the_commit_of_the_one_before(told):
    found = told("k-2")
    assert [link.src for link in found["deploy:k-2"][1:]] == [
        f"commit:{R}@{'5' * 40}", f"pr:{R}#5", f"pr:{R}#4", f"commit:{R}@{'a' * 40}", f"pr:{R}#3", f"pr:{R}#1", "ticket:KIL-7"
    ][1:]  # fmt: skip
    assert of(found, f"pr:{R}#5").text == "it became the commit that was deployed"
    assert of(found, f"pr:{R}#3").why == "commit_contained" and "after the commit of the deployment before (kiln-control k-1" in of(found, f"pr:{R}#3").text
    assert of(found, f"pr:{R}#4").text.endswith("; the text of the deployment names it too")
    assert of(found, "ticket:KIL-7").why == of(found, f"pr:{R}#1").why == "said"


def test_a_change_that_touches_only_the_code_of_another_service_says_so(told):
    end = "; none of its files lies where the code of {} does"
    found, other = told("k-2"), told("b-1")
    assert of(found, f"pr:{R}#3").text.endswith(end.format("kiln-control")) and end.format("kiln-control") not in of(found, f"pr:{R}#4").text
    assert of(other, f"pr:{R}#4").text.endswith(end.format("burner")) and end.format("burner") not in of(other, f"pr:{R}#3").text
    assert not any("lies where" in link.text for link in found["deploy:k-2"] if link.src.endswith("#5"))


def test_beside_each_change_stand_the_others_that_were_merged_in_between(told):
    found = told("k-2")
    assert set(of(found, f"pr:{R}#3").others) == {f"pr:{R}#4", f"commit:{R}@{'a' * 40}"} and not of(found, f"pr:{R}#5").others


def test_a_deployment_that_went_back_brings_nothing_but_its_commit_and_says_so(told):
    found = told("k-3")
    assert {link.src for link in found["deploy:k-3"][1:]} == {f"pr:{R}#2"}
    served = found["deploy:k-3"][0]
    assert "its application is called after kiln-control" in served.text and "went back to an earlier commit than the deployment before (kiln-control k-2" in served.text


def test_the_service_of_a_repository_says_which_others_live_there_and_where_the_commit_went_before_the_alert(told):
    served = told("b-1")["deploy:b-1"][0]
    assert (served.dst, served.why) == ("service:burner", "service_matched")
    assert served.text == f"the code of burner lies in the repository {R} that it comes from, as does that of 1 other service; the same commit went out in 1 other deployment"
    assert set(served.others) == {"service:kiln-control", "deploy:k-2"}
    assert told("k-2")["deploy:k-2"][0].others == ("deploy:b-1",)


def test_of_a_commit_off_the_default_branch_only_the_time_speaks_for_what_was_merged(told):
    found = told("b-2")
    assert {link.why for link in found["deploy:b-2"][1:] if link.src.startswith("pr:")} <= {"time"}
    assert not any(link.why == "commit_contained" and link.src != f"commit:{R}@{'b' * 40}" for link in found["deploy:b-2"])


def test_without_a_loaded_commit_the_time_and_the_text_are_what_there_is(told):
    found = told("l-1")
    assert found["deploy:l-1"][0].text == "it names lamp; the same version went out in 1 other deployment" and found["deploy:l-1"][0].others == ("deploy:l-2",)
    assert of(found, f"pr:{R}#1").why == "said" and of(found, f"pr:{R}#4").why == "time"
    assert of(found, f"pr:{R}#4").text == "merged 0 hours before it; the commit that was deployed is not loaded"
    assert of(found, f"pr:{R}#2").text.startswith("merged 2 days before it")


def test_a_deployment_of_a_repository_alone_names_the_services_that_may_be_meant(told):
    served = told("r-1")["deploy:r-1"][0]
    assert served.text.startswith(f"it names no service, only the repository {R}") and set(served.others) == {"service:burner", "service:kiln-control"}


def test_a_change_of_a_flag_says_how_its_service_is_known_and_has_no_commits(told):
    (only,) = told("flag/x/1")["deploy:flag/x/1"]
    assert (only.dst, only.why, only.text, only.others) == ("service:burner", "service_matched", "the flag's own name begins with burner", ())


def test_what_is_no_deployment_or_not_there_has_no_links(told, store):
    assert not told("nothing") and not links(asking(store, "links"), [f"pr:{R}#1", "ticket:KIL-7"], FIRED) and not links(asking(store, "links"), [], FIRED)


@pytest.mark.parametrize("label", ["restricted", "internal"])
def test_what_is_hidden_changes_nothing_and_who_may_read_it_is_told(store, label):
    keys = [f"deploy:{key}" for key in ("k-2", "b-1", "r-1", "hidden")]
    seen, clean = (links(asking(store, name), keys, FIRED) for name in (f"links-{label}", "links"))
    assert seen == clean and "deploy:hidden" not in seen
    whole = links(asking(store, f"links-{label}", permissions.local_admin()), keys, FIRED)
    told = {key for some in whole.values() for link in some for key in (link.src, link.dst, *link.others)}
    assert told >= {"deploy:hidden", "ticket:SEC-1", f"pr:{R}#40", f"commit:{R}@{'c' * 40}", *(["service:safe"] if label == "internal" else [])}
    assert "deploy:hidden" in whole["deploy:b-1"][0].others
    assert not links(asking(store, "links", permissions.nobody()), keys, FIRED)


def test_a_long_list_is_asked_for_at_once_and_cut(told):
    assert len(told(*(f"x-{n}" for n in range(MOST * 2)), "k-1")) == 0
    assert len(told("k-1", *(f"x-{n}" for n in range(MOST * 2)))) == 1 and all(len(link.others) <= 2 * OTHERS for link in told("k-2")["deploy:k-2"])
