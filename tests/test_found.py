"""A folder of everything is one graph, however it is loaded: at once, twice, in halves, backwards, or part by part."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from company_files import written
from tiny_org import brain_of, dump, issue, pull

from brain import found, loads
from brain.found import look

SHA_DAY = "2025-03-01T08:00:00Z"
CATALOGUE = {
    "catalog/services.yaml": """apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: kiln-control
  annotations:
    github.com/project-slug: acme/kiln
spec:
  type: service
  lifecycle: production
  owner: heat
  dependsOn: [component:burner]
---
apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: burner
spec:
  type: service
  lifecycle: production
  owner: group:gas
""",
    "catalog/people.yaml": """apiVersion: backstage.io/v1alpha1
kind: Group
metadata:
  name: heat
spec:
  type: team
  children: []
  members: [ada.byron]
---
apiVersion: backstage.io/v1alpha1
kind: User
metadata:
  name: ada.byron
  annotations:
    github.com/user-login: ada
spec:
  profile:
    displayName: Ada Byron
    email: ada@example.org
  memberOf: [heat]
""",
}
DOCS = {
    "docs/adr/0001-gas.md": "# 1. Burn gas\n\nDate: 2024-02-01\n\n## Status\n\nSuperseded by [2. Burn wood](0002-wood.md)\n\n## Context\n\nWe have gas.\n\n## Decision\n\nThe burner burns gas.\n",
    "docs/adr/0002-wood.md": "# 2. Burn wood\n\nDate: 2025-02-01\n\n## Status\n\nAccepted\n\nSupersedes [1. Burn gas](0001-gas.md)\n\n## Context\n\nGas is dear.\n\n## Decision\n\nThe burner burns wood.\n",
    "docs/registry/people.md": "# People\n\n| Name | Role | Team | GitHub | Slack |\n|---|---|---|---|---|\n| Ada Byron | Engineer | heat | ada | U01 |\n| Cy Twombly | Engineer | gas | cyt | U02 |\n",
    "docs/policies/night.md": "---\ntitle: Night rules\nkind: policy\n---\n# Night rules\n\n| Rule | Value | Applies to | From |\n|---|---|---|---|\n| Claim deadline | 8 hours | heat | 2025-01-01 |\n",
    "README.md": "# Everything\n\nSee docs/adr/0002-wood.md and KIL-7.\n",
}
SLACK = {
    "slack/users.json": json.dumps([
        {"id": "U01", "name": "ada", "real_name": "Ada B.", "profile": {"real_name": "Ada B.", "email": "ada@example.org"}},
        {"id": "U02", "name": "cy", "real_name": "Cy Twombly", "profile": {"real_name": "Cy Twombly"}},
    ]),
    "slack/channels.json": json.dumps([{"id": "C01", "name": "kilns", "created": 1700000000, "creator": "U01", "is_archived": False, "members": ["U01", "U02"]}]),
    "slack/kilns/2025-03-02.json": json.dumps([
        {"type": "message", "user": "U02", "text": "KIL-7: who takes it?", "ts": "1740900000.000100", "thread_ts": "1740900000.000100", "reply_count": 1},
        {"type": "message", "user": "U01", "text": "I'll take KIL-7", "ts": "1740900060.000100", "thread_ts": "1740900000.000100"},
        {"type": "message", "user": "U01", "text": "RULE CHANGE: Claim deadline: 4 hours from 2025-03-03, replaces docs/policies/night.md", "ts": "1740903600.000200"},
    ]),
}  # fmt: skip
TICKETS = {
    "tickets/jira.csv": "Issue key,Summary,Issue Type,Status,Assignee,Reporter,Created,Resolved,Component/s,Description,Comment,Comment\n"
    'KIL-7,Kiln cools,Bug,Done,Ada Byron,Cy Twombly,2025-03-02 07:00,2025-03-03 10:00,kiln-control,"It cools, see SUP-4",2025-03-02 08:00;Cy Twombly;Still.,\n'
    "KIL-8,Config: hotter,Change,Done,Cy Twombly,Ada Byron,2025-03-04 07:00,2025-03-04 09:00,burner,,,\n",
    "tickets/support.jsonl": json.dumps({
        "id": "SUP-4", "subject": "Cold pots", "status": "open", "priority": "high", "created_at": "2025-03-02T06:00:00Z", "assignee": "ada",
        "requester": "Pot Shop", "tags": ["kiln-control"], "description": "The pots are cold.",
    }) + "\n",
}  # fmt: skip
EVENTS = {
    "deploys/pipeline.jsonl": json.dumps({"id": "kiln-control-1", "service": "kiln-control", "version": "v1", "environment": "prod", "sha": "SHA", "repo": "acme/kiln",
                                          "created_at": "2025-03-01T10:00:00Z", "finished_at": "2025-03-01T10:02:00Z", "creator": "ada", "status": "success"}) + "\n",
    "deploys/argo.json": json.dumps({"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": {"name": "burner"}, "spec": {},
                                     "status": {"history": [{"id": 0, "revision": "SHA", "deployedAt": "2025-03-01T12:00:00Z", "source": {"repoURL": "https://github.com/acme/kiln"}}]}}),
    "flags/flags.jsonl": json.dumps({"id": "f-1", "flag": "kiln-control.hot", "environment": "prod", "at": "2025-03-01T11:00:00Z", "by": "ada", "action": "enabled"}) + "\n",
    "alerts/am.jsonl": json.dumps({"receiver": "r", "version": "4", "status": "firing", "alerts": [{"status": "firing", "labels": {"alertname": "KilnCold", "service": "kiln-control"},
                                   "annotations": {}, "startsAt": "2025-03-02T05:00:00Z", "fingerprint": "beef"}]}) + "\n",
    "alerts/am-later.json": json.dumps({"receiver": "r", "version": "4", "status": "resolved", "alerts": [{"status": "resolved", "labels": {"alertname": "KilnCold", "service": "kiln-control"},
                                        "annotations": {}, "startsAt": "2025-03-02T05:00:00Z", "endsAt": "2025-03-02T06:00:00Z", "fingerprint": "beef"}]}),
    "alerts/pager.json": json.dumps({"incidents": [{"id": "P1", "incident_number": 1, "title": "Cold", "status": "resolved", "incident_key": "beef", "created_at": "2025-03-02T05:01:00Z",
                                     "resolved_at": "2025-03-02T06:00:00Z", "service": {"summary": "kiln-control"}, "last_status_change_by": {"type": "user_reference", "summary": "Ada Byron"}}]}),
}  # fmt: skip
OWNERS = {"owners/kiln/.github/CODEOWNERS": "* @ada\n/src/ @acme/heat\n"}
ELSE = {"pictures/kiln.png": "png", "pictures/burner.png": "png", "notes.xyz": "nothing"}
SECOND = ("catalog/people.yaml", "docs/adr/0002-wood.md", "docs/policies/night.md", "tickets/support.jsonl", "deploys/argo.json", "alerts/am-later.json", "README.md")


def repository(path: Path) -> str:
    """A git repository with one commit by Ada; gives the id of the commit."""
    written(path / "src" / "heat.py", "x = 1\n")
    me = {"GIT_AUTHOR_NAME": "Ada Byron", "GIT_AUTHOR_EMAIL": "1+ada@users.noreply.github.com", "GIT_AUTHOR_DATE": SHA_DAY, "GIT_COMMITTER_NAME": "Ada Byron",
          "GIT_COMMITTER_EMAIL": "1+ada@users.noreply.github.com", "GIT_COMMITTER_DATE": SHA_DAY, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}  # fmt: skip

    def git(*args: str) -> str:
        done = subprocess.run(["git", "-C", str(path), *args], check=True, capture_output=True, text=True, env={**os.environ, **me})
        return done.stdout.strip()

    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-q", "-m", "Hold the heat (#3)\n\nFixes KIL-8. Nothing to do with XYZ-1.")
    return git("rev-parse", "HEAD")


@pytest.fixture(scope="module")
def company(tmp_path_factory):
    """A folder with something of every format."""
    folder = tmp_path_factory.mktemp("everything") / "acme"
    sha = repository(folder / "kiln")
    for name, text in {**CATALOGUE, **DOCS, **SLACK, **TICKETS, **EVENTS, **OWNERS, **ELSE}.items():
        written(folder / name, text.replace("SHA", sha))
    data = {"magic": "E!vIA5L86J2I", "timestamp": "2025-06-01T06:00:00.000000+00:00", "repo": "acme/kiln", "labels": [],
            "issues": [issue(1, "Glaze cracks")], "pulls": [pull(3, "Hold the heat", "Fixes #1, see KIL-7.", merged="2025-03-01", files=("src/heat.py",))]}  # fmt: skip
    written(folder / "kiln.archive.json", json.dumps(data))
    return folder


@pytest.fixture(scope="module")
def load(home):
    """Loads fetches, one after the other, into a workspace of their own; gives the graph they make."""
    made = []

    def run(name, *parts):
        brain = brain_of(home, f"found_{name}")
        brain.clock = lambda: 1_750_000_000
        made.append(brain)
        for part in parts:
            outcome = brain.load(part(brain.settings))
            assert not outcome.failures
        return dump(brain.store, brain.workspace), brain

    yield run
    for brain in made:
        brain.store.drop(f"brain:{brain.workspace}")
        brain.close()


@pytest.fixture(scope="module")
def whole(company, load):
    return load("whole", lambda s: loads.auto(s, company))


def same(got, wanted):
    for kind in ("nodes", "edges"):
        ours, theirs = set(got[kind]), set(wanted[kind])
        assert sorted(ours - theirs)[:3] == sorted(theirs - ours)[:3] == [] and len(got[kind]) == len(wanted[kind]), kind


def test_every_format_is_found_and_every_file_is_accounted_for(company):
    found = look(company)
    assert {format for format, _ in found.groups} == set(loads.formats())
    assert [p.name for p in found.repositories] == ["kiln"] and [p.name for p in found.archives] == ["kiln.archive.json"]
    skips = {(r["reason"], r["file"], r["count"]) for r in found.tally.records() if r["kind"] == "skip"}
    pictures = {f"pictures/{p.name}" for p in (company / "pictures").iterdir()}
    assert len(pictures) == 2
    assert skips == {(".xyz: of no format that is read", "notes.xyz", 1), *((".png: of no format that is read", p, 1) for p in pictures)}


def test_where_much_is_left_out_the_report_names_its_folders(tmp_path, monkeypatch):
    monkeypatch.setattr(found, "NAMED", 2)
    (tmp_path / "pictures").mkdir()
    for n in range(9):
        (tmp_path / "pictures" / f"{n}.png").write_bytes(b"png")
    skips = [(r["file"], r["count"]) for r in look(tmp_path).tally.records() if r["kind"] == "skip"]
    assert len(skips) == 3 and skips[-1] == ("pictures", 7) and sum(count for _, count in skips) == 9


def test_a_folder_of_everything_is_joined_into_one_graph(whole):
    _, brain = whole
    rows = brain.store.read(f"brain:{brain.workspace}", "MATCH (a)-[e]->(b) RETURN a.key AS a, type(e) AS rel, b.key AS b").rows
    edges = {(r["a"], r["rel"], r["b"]) for r in rows}
    assert ("deploy:kiln-control-1", "DEPLOYED_TO", "service:kiln-control") in edges and ("alert:beef", "FIRED_ON", "service:kiln-control") in edges
    assert ("deploy:flag/lines/f-1", "MODIFIES", "service:kiln-control") in edges
    assert ("ticket:KIL-7", "HANDLED_BY", "person:ada") in edges and ("ticket:SUP-4", "ASSIGNED_TO", "person:ada") in edges
    assert ("ticket:KIL-8", "MODIFIES", "service:burner") in edges and ("incident:P1", "ABOUT", "alert:beef") in edges
    assert any(a == "deploy:kiln-control-1" and rel == "INCLUDES" and b.startswith("commit:acme/kiln@") for a, rel, b in edges)
    assert ("pr:acme/kiln#3", "REFERENCES", "ticket:KIL-7") in edges and not any(b == "ticket:XYZ-1" for _, _, b in edges)
    assert any(a.startswith("commit:acme/kiln@") and (rel, b) == ("CLOSES", "ticket:KIL-8") for a, rel, b in edges)
    assert ("decision:docs/adr/0002-wood", "SUPERSEDES", "decision:docs/adr/0001-gas") in edges and ("team:heat", "OWNS", "service:kiln-control") in edges
    reports = {r.source: r for r in brain.files.reports()}
    assert reports["auto:acme"].totals["read"] == reports["auto:acme"].totals["kept"] + 3
    for report in reports.values():
        if "read" in report.totals:
            assert report.totals["read"] == report.totals["kept"] + report.totals["skipped"], report.source


def test_loaded_twice_it_is_the_same_graph(company, load, whole):
    again, brain = load("twice", lambda s: loads.auto(s, company), lambda s: loads.auto(s, company))
    same(again, whole[0])
    brain.load(loads.again(brain))
    same(dump(brain.store, brain.workspace), whole[0])


def test_loaded_backwards_and_one_source_at_a_time_it_is_the_same_graph(company, load, whole, home):
    labels = list(loads.auto(home, company))
    parts = [lambda s, label=label: {label: loads.auto(s, company)[label]} for label in reversed(labels)]
    same(load("backwards", *parts)[0], whole[0])


def test_each_part_loaded_by_its_format_it_is_the_same_graph(company, load, whole, home):
    named = [(format, name) for format, name in look(company).groups]

    def parts(s):
        org = {"codeowners": {"org": "acme"}}
        fetches = {f"{f} {n}": loads.named(s, f, company / n, options=org.get(f)) for f, n in named if n != "acme"}
        fetches["readme"] = loads.named(s, "markdown", company / "README.md")
        return {**fetches, "kiln": loads.git(s, company / "kiln", "acme"), "archive": loads.github(company / "kiln.archive.json")}

    same(load("parts", parts)[0], whole[0])


def test_loaded_in_two_halves_in_either_order_it_is_the_same_graph(company, load, whole, tmp_path):
    one, two = tmp_path / "1" / "acme", tmp_path / "2" / "acme"
    shutil.copytree(company, one, ignore=lambda folder, names: [n for n in names if (Path(folder) / n).relative_to(company).as_posix() in SECOND])
    for name in SECOND:
        (two / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(company / name, two / name)
    a, b = (lambda s: loads.auto(s, one, "acme")), (lambda s: loads.auto(s, two, "acme"))
    same(load("halves", a, b)[0], whole[0])
    same(load("halves2", b, a)[0], whole[0])
