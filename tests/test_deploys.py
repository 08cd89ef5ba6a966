"""Deployments as GitHub, Argo CD and pipelines write them: where to, which commit, what became of it."""

from __future__ import annotations

import json

import pytest
from company_files import Rows, fetched, skips, written

from brain.connectors import deploys
from brain.errors import BadInput

SHA, OTHER = "a1b2c3d4" * 5, "b" * 40
CATALOGUE = """apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: kiln-control
  annotations:
    github.com/project-slug: acme/kiln
spec:
  type: service
  owner: heat
"""


def at(text):
    from datetime import UTC, datetime

    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


def git_records(*shas, repo="acme/kiln"):
    """What the git connector fetches of a repository with these commits."""
    head = {"kind": "source", "format": "git", "source": f"git:{repo}", "repo": repo, "complete": True, "as_of": 1, "access": "open", "path": "x"}
    who = {"name": "Ada Byron", "email": None, "login": "ada"}
    commits = [
        {"kind": "commit", "repo": repo, "sha": sha, "parents": [], "at": n, "authored_at": n, "author": who, "committer": who, "subject": f"Heat (#{n})", "body": "",
         "co_authors": [], "reviewers": [], "files": [], "on_default": True, "first_tag": None, "first_tags": [], "pr_refs": [{"repo": None, "number": n, "how": "subject"}], "refs": [], "reverts": None}
        for n, sha in enumerate(shas, 1)
    ]  # fmt: skip
    return [head, {"kind": "repo", "repo": repo, "default_branch": "main", "head": shas[0], "has_pull_refs": False}, *commits, {"kind": "tree", "paths": []}]


def catalogue(tmp_path):
    return fetched("backstage", written(tmp_path / "c" / "catalog-info.yaml", CATALOGUE))


def line(**more):
    return {"id": "d-1", "service": "kiln-control", "version": "v2", "environment": "production", "sha": SHA, "repo": "acme/kiln",
            "created_at": "2025-03-01T10:00:00Z", "finished_at": "2025-03-01T10:05:00Z", "creator": "ada", "status": "success", **more}  # fmt: skip


def lines(path, *values):
    return written(path, "".join(json.dumps(v) + "\n" for v in values))


def test_a_line_says_what_went_where_with_which_commit_and_pull_request(tmp_path):
    file = lines(tmp_path / "d" / "x.jsonl", line(description="Hotter, see KIL-7"))
    assert deploys.recognise(file)
    rows = Rows(fetched("deploys", file), catalogue(tmp_path), git_records(SHA))
    node = rows.nodes["deploy:d-1"]
    assert (node["version"], node["env"], node["status"], node["author"], node["repo"]) == ("v2", "production", "success", "ada", "acme/kiln")
    assert (node["at"], node["ended_at"], node["name"]) == (at("2025-03-01T10:00"), at("2025-03-01T10:05"), "kiln-control v2 to production")
    assert rows.of("DEPLOYED_TO") == {("deploy:d-1", "service:kiln-control")} and "unknown" not in rows.nodes["service:kiln-control"]
    assert ("deploy:d-1", f"commit:acme/kiln@{SHA}") in rows.of("INCLUDES") and ("deploy:d-1", "pr:acme/kiln#1") in rows.of("INCLUDES")
    assert "Commit: " + SHA in rows.texts["deploy:d-1", "body"].body


@pytest.mark.parametrize(
    ("sha", "repo", "found"),
    [(SHA[:9], "acme/kiln", True), (SHA[:9], "", True), (SHA, "", True), ("c" * 40, "acme/kiln", False), (SHA[:9], "acme/other", False), ("a1b2c3d", "acme/kiln", False)],
)  # fmt: skip
def test_a_short_id_is_a_commit_only_where_it_is_the_only_one(tmp_path, sha, repo, found):
    known = (SHA, "a1b2c3d5" + "0" * 32)
    rows = Rows(fetched("deploys", lines(tmp_path / "d" / "x.jsonl", line(sha=sha, repo=repo))), git_records(*known))
    assert (("deploy:d-1", f"commit:acme/kiln@{SHA}") in rows.of("INCLUDES")) == found


def test_a_service_nobody_describes_is_there_and_marked_unknown(tmp_path):
    rows = Rows(fetched("deploys", lines(tmp_path / "d" / "x.jsonl", line(service="Ghost Oven"))))
    assert rows.nodes["service:ghost-oven"] == {"name": "Ghost Oven", "unknown": True}


def test_a_rollback_names_what_it_rolled_back(tmp_path):
    rows = Rows(fetched("deploys", lines(tmp_path / "d" / "x.jsonl", line(), line(id="d-2", rollback_of="d-1"))))
    assert rows.nodes["deploy:d-2"]["rollback"] is True and "rollback" not in rows.nodes["deploy:d-1"]
    assert rows.of("REFERENCES") == {("deploy:d-2", "deploy:d-1")} and rows.props["deploy:d-2", "REFERENCES", "deploy:d-1"]["how"] == "rolls back"


API = "https://api.github.com/repos/acme/kiln"
GITHUB = {
    "url": f"{API}/deployments/41", "id": 41, "sha": SHA, "ref": "v2", "task": "deploy", "payload": {}, "environment": "production", "description": None,
    "creator": {"login": "ada", "type": "User"}, "created_at": "2025-03-01T10:00:00Z", "updated_at": "2025-03-01T10:05:00Z",
    "statuses_url": f"{API}/deployments/41/statuses", "repository_url": API,
}  # fmt: skip


def status(n, state, when):
    return {"id": n, "state": state, "description": f"it is {state}", "created_at": when, "deployment_url": f"{API}/deployments/41", "target_url": ""}


def test_github_s_deployments_and_their_statuses_are_one_thing_in_any_order(tmp_path):
    told = [status(1, "pending", "2025-03-01T10:01:00Z"), status(2, "success", "2025-03-01T10:05:00Z"), status(3, "inactive", "2025-03-09T10:00:00Z")]
    for n, order in enumerate((told, told[::-1], [told[2], told[0], told[1]])):
        a, b = written(tmp_path / str(n) / "a.json", json.dumps([GITHUB])), written(tmp_path / str(n) / "b.json", json.dumps(order))
        assert deploys.recognise(a) and deploys.recognise(b)
        rows = Rows(fetched("deploys", a.parent), catalogue(tmp_path), git_records(SHA))
        node = rows.nodes["deploy:acme/kiln/41"]
        assert (node["status"], node["ended_at"], node["version"], node["description"]) == ("success", at("2025-03-01T10:05"), "v2", "it is success")
    inside = Rows(fetched("deploys", lines(tmp_path / "e" / "x.jsonl", {**GITHUB, "statuses": told})))
    assert inside.nodes["deploy:acme/kiln/41"]["status"] == "success"


def test_a_deployment_that_names_only_a_repository_goes_to_it(tmp_path):
    rows = Rows(fetched("deploys", lines(tmp_path / "d" / "x.jsonl", GITHUB)), git_records(SHA))
    assert rows.of("DEPLOYED_TO") == {("deploy:acme/kiln/41", "repo:acme/kiln")}


def test_a_deployment_out_of_a_repository_goes_to_the_one_component_that_lives_there(tmp_path):
    file = lines(tmp_path / "d" / "x.jsonl", GITHUB)
    assert Rows(fetched("deploys", file), catalogue(tmp_path), git_records(SHA)).of("DEPLOYED_TO") == {("deploy:acme/kiln/41", "service:kiln-control")}
    second = fetched("backstage", written(tmp_path / "c2" / "catalog-info.yaml", CATALOGUE.replace("kiln-control", "kiln-lamp")))
    assert Rows(fetched("deploys", file), catalogue(tmp_path), second, git_records(SHA)).of("DEPLOYED_TO") == {("deploy:acme/kiln/41", "repo:acme/kiln")}


@pytest.mark.parametrize(("name", "service"), [("kiln-control-prod", "kiln-control"), ("staging-kiln-control", "kiln-control"), ("kiln-prod", "kiln-prod")])
def test_an_application_called_after_a_service_and_where_it_runs_is_that_service(tmp_path, name, service):
    file = lines(tmp_path / "d" / "x.jsonl", line(service=name, environment="eu-1"))
    rows = Rows(fetched("deploys", file), catalogue(tmp_path), git_records(SHA))
    assert rows.of("DEPLOYED_TO") == {("deploy:d-1", f"service:{service}")}
    assert rows.props["deploy:d-1", "DEPLOYED_TO", f"service:{service}"]["how"] == ("name" if name == service else "application")


@pytest.mark.parametrize(("service", "how"), [("kiln-control", "name"), ("Kiln Control", "name"), ("oven", "alias"), ("", "repository")])
def test_how_the_service_is_known_stays_with_the_deployment(tmp_path, service, how):
    named = CATALOGUE.replace("github.com/project-slug: acme/kiln", "github.com/project-slug: acme/kiln\n    acme.example/aliases: oven")
    file = lines(tmp_path / "d" / "x.jsonl", {**GITHUB, "payload": {"service": service}})
    rows = Rows(fetched("deploys", file), fetched("backstage", written(tmp_path / "c" / "catalog-info.yaml", named)), git_records(SHA))
    assert rows.props["deploy:acme/kiln/41", "DEPLOYED_TO", "service:kiln-control"]["how"] == how


def test_a_pull_request_that_the_text_of_a_deployment_names_is_referred_to(tmp_path):
    rows = Rows(fetched("deploys", lines(tmp_path / "d" / "x.jsonl", line(sha="", description="Brings #1 and #77"))), git_records(SHA))
    assert rows.of("REFERENCES") == {("deploy:d-1", "pr:acme/kiln#1")}


def entry(n, revision, when):
    return {"id": n, "revision": revision, "deployedAt": when, "deployStartedAt": when, "source": {"repoURL": "https://github.com/acme/kiln.git", "path": "deploy", "targetRevision": "main"},
            "initiatedBy": {"automated": True}}  # fmt: skip


APPLICATION = {
    "apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": {"name": "kiln-control-production", "namespace": "argocd"},
    "spec": {"destination": {"namespace": "production"}, "source": {"repoURL": "git@github.com:acme/kiln.git"}},
    "status": {"history": [entry(0, SHA, "2025-03-01T10:00:00Z"), entry(1, OTHER, "2025-03-02T10:00:00Z"), entry(2, SHA, "2025-03-03T10:00:00Z")], "sync": {"revision": SHA}},
}  # fmt: skip


@pytest.mark.parametrize("form", ["json", "list", "yaml", "yaml list", "documents"])
def test_an_application_of_argo_cd_gives_its_history(tmp_path, form):
    import yaml

    listed = {"apiVersion": "v1", "kind": "List", "items": [APPLICATION]}
    text = {
        "json": json.dumps(APPLICATION, indent=1), "list": json.dumps(listed), "yaml": yaml.safe_dump(APPLICATION), "yaml list": yaml.safe_dump(listed),
        "documents": "kind: ConfigMap\n---\n" + yaml.safe_dump(APPLICATION).replace("'", ""),
    }[form]  # fmt: skip
    file = written(tmp_path / "d" / ("a.json" if form in ("json", "list") else "a.yaml"), text)
    assert deploys.recognise(file)
    rows = Rows(fetched("deploys", file), catalogue(tmp_path), git_records(SHA, OTHER))
    keys = [f"deploy:kiln-control-production/{n}" for n in range(3)]
    assert rows.of("DEPLOYED_TO") == {(key, "service:kiln-control") for key in keys}
    assert [rows.nodes[key].get("rollback") for key in keys] == [None, None, True] and rows.nodes[keys[1]]["sha"] == OTHER
    assert rows.nodes[keys[0]]["at"] == at("2025-03-01T10:00") and (keys[2], f"commit:acme/kiln@{SHA}") in rows.of("INCLUDES")


def test_a_bare_history_needs_the_name_of_its_application(tmp_path):
    file = written(tmp_path / "d" / "history.json", json.dumps([entry(0, SHA, "2025-03-01T10:00:00Z")]))
    assert deploys.recognise(file)
    with pytest.raises(BadInput, match="name it with the option service"):
        fetched("deploys", file)
    assert Rows(fetched("deploys", file, service="kiln-control")).of("DEPLOYED_TO") == {("deploy:kiln-control/0", "service:kiln-control")}


def test_what_cannot_be_read_among_others_costs_itself(tmp_path):
    folder = tmp_path / "d"
    lines(folder / "x.jsonl", line(), {"id": 3}, line(id="d-3", created_at="whenever"))
    written(folder / "broken.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\n  deployedAt: [\n")
    left = {(file, at_): reason for reason, file, at_ in skips(fetched("deploys", folder, base=tmp_path))}
    assert left["d/x.jsonl", 2] == "is no deployment" and left["d/x.jsonl", 3] == "created_at: 'whenever' is not a time"
    assert any(file == "d/broken.yaml" and at_ for file, at_ in left)


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata:\n  name: x\nspec: {}\n"), ("a.yaml", CATALOGUE), ("a.json", '{"hello": 1}'),
     ("a.jsonl", '{"id": 1, "title": "x", "status": "open", "service": "a", "env": "b", "version": "1", "created_at": "2025-01-01"}')],
)  # fmt: skip
def test_what_is_no_deployment_is_not_taken_for_one(tmp_path, name, text):
    assert not deploys.recognise(written(tmp_path / name, text))
