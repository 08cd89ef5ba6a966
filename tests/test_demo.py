"""The demo organisation: its raw files are what the scripts give, and hold what its README promises."""

import json
import re
import shutil
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
import yaml

from brain import permissions, settings
from brain.connectors import github
from brain.demo import build, repositories, vectors
from brain.demo import company as company_file
from brain.demo.story import StoryError, read
from brain.errors import HopcheckError
from brain.text.embedding import load_embedder

RAW = build.RAW
BY_HAND = ("control-room", "crewboard", "fenproto", "floodline", "gatekeeper", "gauge-stream")
GROWN = ("keyholder", "ledgerbook", "mapdesk", "siltwatch", "sluiceway", "tidewire")


@cache
def archives() -> dict[str, dict]:
    found = [json.loads(path.read_text("utf-8")) for path in sorted(RAW.glob("*.archive.json"))]
    return {archive["repo"].partition("/")[2]: archive for archive in found}


@cache
def releases(repo: str) -> list[dict]:
    return json.loads((RAW / repo / "releases.json").read_text("utf-8"))


@cache
def commits(repo: str) -> dict[str, dict]:
    return {c["sha"]: c for c in json.loads((RAW / repo / "commits.json").read_text("utf-8"))}


def pulls(repo: str | None = None, state: str = "MERGED") -> list[dict]:
    """Of one repository, or of those that were written by hand."""
    chosen = [archives()[name] for name in (BY_HAND if repo is None else (repo,))]
    return [pull for archive in chosen for pull in archive["pulls"] if pull["state"] == state]


def pull(repo: str, number: int) -> dict:
    return next(p for p in archives()[repo]["pulls"] if p["number"] == number)


def issue(repo: str, number: int) -> dict:
    return next(i for i in archives()[repo]["issues"] if i["number"] == number)


def under(folder: str, one: dict) -> bool:
    return any(file["path"].startswith(folder) for file in one["files"])


def verdicts(one: dict) -> list[tuple[str, str]]:
    return [(r["author"], r["state"]) for r in one["reviews"] if r["author"] != one["author"]]


def written(thing: dict) -> list[str]:
    remarks = [*thing["comments"], *thing.get("reviews", []), *(c for r in thing.get("reviews", []) for c in r["comments"])]
    return [thing["title"], thing["body"], *(remark["body"] for remark in remarks)]


def test_shipped_files_are_what_the_scripts_give():
    assert build.differences() == []


def test_check_names_a_file_that_was_edited_by_hand(tmp_path):
    shutil.copytree(RAW, tmp_path, dirs_exist_ok=True)
    (tmp_path / "users.json").write_text("[]\n")
    (tmp_path / "stray.txt").write_text("[]\n")
    assert build.differences(tmp_path) == ["stray.txt", "users.json"]


def test_size_and_counts():
    assert sum(path.stat().st_size for path in RAW.rglob("*") if path.is_file()) < 9_000_000
    things = [thing for repo in BY_HAND for thing in archives()[repo]["issues"] + archives()[repo]["pulls"]]
    assert (len(archives()), len(pulls(state="MERGED")), len(things)) == (12, 128, 270)
    assert sum(len(releases(repo)) for repo in BY_HAND) == 35
    assert sum(len(commits(repo)) for repo in BY_HAND) == 284
    assert 880 <= sum(len(archive["pulls"]) for archive in archives().values()) <= 960


def test_no_two_bodies_are_the_same():
    bodies = Counter(t["body"] for a in archives().values() for t in a["issues"] + a["pulls"] if t["body"])
    assert [body for body, count in bodies.items() if count > 1] == []


def test_addresses_are_reserved_ones():
    text = "".join(path.read_text("utf-8") for path in RAW.rglob("*") if path.is_file())
    mail = {m[1] for m in re.finditer(r"[\w+.\[\]-]+@([\w-]+(?:\.[\w-]+)+)", text)}
    assert mail == {"users.noreply.github.merefold.example", "noreply.merefold.example", "github.com"}  # the last is GitHub's own, of merges
    hosts = {m[1] for m in re.finditer(r"https?://([\w.-]+)", text)}
    assert {host for host in hosts if not host.endswith(".example")} == {"github.com", "api.github.com"}


def test_time_runs_forward():
    for archive in archives().values():
        assert [p["createdAt"] for p in archive["pulls"]] == sorted(p["createdAt"] for p in archive["pulls"])
        for one in archive["pulls"]:
            ends = one["mergedAt"] or one["closedAt"] or "9"
            assert all(one["createdAt"] < review["createdAt"] < ends for review in one["reviews"])
    for repo in BY_HAND:
        known = commits(repo)
        for commit in known.values():
            assert all(known[p["sha"]]["commit"]["committer"]["date"] <= commit["commit"]["committer"]["date"] for p in commit["parents"])


def test_every_merge_commit_and_release_target_exists_and_has_the_files_of_its_change():
    for repo in BY_HAND:
        for one in pulls(repo):
            files = {file["filename"] for file in commits(repo)[one["mergeCommit"]["oid"]]["files"]}
            assert files == {file["path"] for file in one["files"]}
        assert all(release["target_commitish"] in commits(repo) for release in releases(repo))


def test_github_s_files_load_without_a_single_skip():
    records = list(github.fetch([*sorted(RAW.glob("*.json")), *(RAW / repo for repo in archives())]))
    read_ = Counter(record["kind"] for record in records)
    pulls_, issues = (sum(len(archive[part]) for archive in archives().values()) for part in ("pulls", "issues"))
    assert (read_["pull"], read_["issue"], read_["skip"]) == (pulls_, issues, 0)
    assert read_["release"] == sum(len(releases(repo)) for repo in archives())
    assert all(r["files"] for r in records if r["kind"] == "pull")


# git


@pytest.fixture(scope="module")
def gits(tmp_path_factory):
    """The repositories of the streams, as git makes them."""
    return {path.stem: path for path in repositories.build(tmp_path_factory.mktemp("gits"))}


def git(where: Path, *words: str) -> list[str]:
    return subprocess.run(["git", "-C", str(where), *words], capture_output=True, text=True, check=True).stdout.splitlines()


def test_git_makes_the_very_commits_that_the_archives_name(gits):
    assert list(gits) == sorted(archives())
    for repo, where in gits.items():
        refs = dict(line.split()[::-1] for line in git(where, "for-each-ref", "--format=%(objectname) %(refname)"))
        known = {line.split()[0] for line in git(where, "cat-file", "--batch-all-objects", "--batch-check") if " commit " in line}
        for one in archives()[repo]["pulls"]:
            assert refs[f"refs/pull/{one['number']}/head"] == one["headRefOid"]
            named = {one["baseRefOid"], *(commit["oid"] for commit in one["commits"]), *([one["mergeCommit"]["oid"]] if one["mergeCommit"] else [])}
            assert named <= known
        for release in releases(repo):
            assert refs[f"refs/tags/{release['tag_name']}"] == release["target_commitish"]


def test_git_counts_the_lines_that_the_archives_count(gits):
    for repo, where in gits.items():
        for one in archives()[repo]["pulls"][::9]:
            first = one["commits"][0]["oid"]
            told = git(where, "diff", "-M", "--numstat", f"{first}^", one["headRefOid"])
            assert [sum(int(line.split("\t")[n]) for line in told) for n in (0, 1)] == [
                sum(file[what] for file in one["files"]) for what in ("additions", "deletions")
            ]


def test_every_repository_holds_its_owners_file(gits):
    for repo, where in gits.items():
        shown = "\n".join(git(where, "show", "main:.github/CODEOWNERS"))
        assert shown == (RAW / "codeowners" / repo / ".github" / "CODEOWNERS").read_text("utf-8").rstrip("\n")


def test_a_stream_that_git_refuses_is_one_sentence(tmp_path):
    (tmp_path / "bad.fast-export").write_text("commit refs/heads/main\nnonsense\n")
    with pytest.raises(HopcheckError, match="fast-import"):
        repositories.build(tmp_path / "scratch", tmp_path)


# what brain/demo/README.md promises


def test_planted_issue_to_release_in_two_hops():
    assert "Closes #10." in pull("gatekeeper", 12)["body"]
    notes = next(r for r in releases("gatekeeper") if r["tag_name"] == "v2.1.1")
    assert "#12" in notes["body"]
    assert not any("2.1.1" in text for text in written(issue("gatekeeper", 10)))


@pytest.mark.parametrize(
    ("repo", "number", "closes"),
    [
        ("control-room", 29, "gatekeeper#37"),
        ("crewboard", 19, "floodline#24"),
        ("fenproto", 22, "gauge-stream#30"),
        ("floodline", 32, "crewboard#26"),
        ("gatekeeper", 16, "fenproto#7"),
        ("gauge-stream", 21, "control-room#15"),
    ],
)
def test_planted_fixes_across_repositories(repo, number, closes):
    assert re.search(rf"(?:Fixes|fixes|Closes) merefold/{closes}\b", pull(repo, number)["body"])
    other, _, there = closes.partition("#")
    assert issue(other, int(there))["closedAt"][:16] == pull(repo, number)["mergedAt"][:16]


def test_planted_number_that_means_two_things():
    assert issue("gatekeeper", 7)["stateReason"] == "NOT_PLANNED"
    assert issue("gatekeeper", 7)["closedAt"] < pull("gatekeeper", 16)["createdAt"]


def test_planted_tide_model_has_one_author():
    ever = [p for state in ("MERGED", "OPEN", "CLOSED") for p in pulls("floodline", state)]
    assert {p["author"] for p in ever if under("floodline/tides/", p)} == {"mnakashima"}
    assert {who for p in pulls("floodline") if under("floodline/tides/", p) for who, _ in verdicts(p)} == {"ororke", "dmbeki"}


def test_planted_backfill_belongs_to_someone_who_left():
    assert {p["author"] for p in pulls("gauge-stream") if under("src/backfill/", p)} == {"ncarrowby"}
    things = [t for repo in BY_HAND for t in archives()[repo]["issues"] + archives()[repo]["pulls"]]
    said = [x for t in things for x in (t, *t["comments"], *t.get("reviews", [])) if x["author"] == "ncarrowby"]
    assert max(x["createdAt"] for x in said) < "2025-08-02"


def test_planted_merges_without_an_approval():
    found = {(p["url"].split("/")[4], p["number"]) for p in pulls() if "APPROVED" not in {s for _, s in verdicts(p)}}
    assert len(found) == 16
    assert ("control-room", 40) in found and ("gatekeeper", 32) in found
    assert [r["state"] for r in pull("control-room", 40)["reviews"]][-1] == "CHANGES_REQUESTED"
    merged_own = [p for p in pulls() if p["mergedBy"] == p["author"]]
    assert len(merged_own) == 35


def test_planted_change_requests_are_followed_by_an_approval():
    asked = [(p, who) for p in pulls() for who in {w for w, s in verdicts(p) if s == "CHANGES_REQUESTED"}]
    ends = Counter([s for w, s in verdicts(p) if w == who and s != "COMMENTED"][-1] for p, who in asked)
    assert ends["APPROVED"] >= 25 and ends["CHANGES_REQUESTED"] == 1


def test_planted_reverts():
    for repo, undo, undone, again in (("floodline", 38, 35, 43), ("gatekeeper", 54, 45, 56)):
        assert pull(repo, undo)["title"] == f'Revert "{pull(repo, undone)["title"]}"'
        assert f"#{undone}" in pull(repo, again)["body"]
        message = "".join(c["commit"]["message"] for c in commits(repo).values())
        assert f"This reverts commit {pull(repo, undone)['mergeCommit']['oid']}" in message


def test_planted_reopened_issues():
    fixes = [p["number"] for p in pulls("control-room") if re.search(r"(Closes|Fixes) #42\b", p["body"])]
    assert fixes == [43, 45]
    assert issue("control-room", 42)["closedAt"][:16] == pull("control-room", 45)["mergedAt"][:16]
    assert (issue("gatekeeper", 50)["state"], issue("gatekeeper", 50)["stateReason"]) == ("OPEN", "REOPENED")


def test_planted_release_notes_against_the_clock():
    merged = pull("crewboard", 31)["mergedAt"]
    by_tag = {r["tag_name"]: r for r in releases("crewboard")}
    assert merged < by_tag["v1.8.0"]["published_at"] and "#31" not in by_tag["v1.8.0"]["body"]
    assert "#31" in by_tag["v1.8.1"]["body"]


def test_planted_files_that_change_together():
    together = [p for p in pulls("control-room") if under("src/i18n/en.json", p)]
    assert len(together) == 12
    assert all(under("src/i18n/nl.json", p) and under("src/i18n/cy.json", p) for p in together)


def test_planted_renames():
    files = [file for repo in BY_HAND for commit in commits(repo).values() for file in commit["files"]]
    names = {(f["previous_filename"], f["filename"]) for f in files if "previous_filename" in f}
    assert names == {
        ("src/decode/hydrolog.rs", "src/decode/hydra.rs"),
        ("floodline/notify/sms.py", "floodline/notify/channels/sms.py"),
        ("floodline/notify/email.py", "floodline/notify/channels/email.py"),
    }


def test_planted_open_and_abandoned_changes_of_the_interlock():
    assert [p["number"] for p in pulls("gatekeeper", "OPEN") if under("internal/interlock/", p)] == [59, 61]
    assert [p["number"] for p in pulls("gatekeeper", "CLOSED") if under("internal/interlock/", p)] == [46]
    assert pull("gatekeeper", 61)["body"] == ""


def test_planted_facts_that_only_text_holds():
    for repo, number, words in (
        ("gatekeeper", 28, "340 ms"),
        ("gatekeeper", 45, "40 registers because the oldest PLC"),
        ("crewboard", 17, "drawer under the old modem"),
        ("gauge-stream", 12, "25 minutes"),
    ):
        thing = next(t for t in archives()[repo]["issues"] + archives()[repo]["pulls"] if t["number"] == number)
        assert any(words in text for text in [*written(thing), *(c["commit"]["message"] for c in commits(repo).values())])


def test_planted_untrusted_text():
    hostile = issue("gatekeeper", 62)
    assert hostile["title"].startswith("<b>") and "![](http://pixel.tracker.example/" in hostile["body"]
    assert "<script>" in issue("control-room", 28)["title"]
    assert [i["number"] for a in archives().values() for i in a["issues"] if i["author"] is None] == [22, 47, 18]


# the company around the repositories


@cache
def catalogue() -> dict[tuple[str, str], dict]:
    files = [path.read_text("utf-8") for path in (RAW / "catalog").rglob("*.yaml")]
    return {(one["kind"], one["metadata"]["name"]): one for text in files for one in yaml.safe_load_all(text)}


@cache
def deploys() -> list[dict]:
    return [json.loads(line) for line in (RAW / "deploys" / "deployments.jsonl").read_text("utf-8").splitlines()]


@cache
def alerts() -> dict[str, dict]:
    """Each alert once, by its fingerprint, as last told."""
    payloads = [json.loads(line) for line in (RAW / "alerts" / "alertmanager.jsonl").read_text("utf-8").splitlines()]
    return {one["fingerprint"]: one for payload in payloads for one in payload["alerts"]}


def needs(service: str) -> set[str]:
    spec = catalogue()["Component", service]["spec"]
    return {word.removeprefix("component:") for word in spec.get("dependsOn", []) if word.startswith("component:")}


def chain(service: str) -> set[str]:
    """The service and everything it needs, directly or not."""
    found, todo = set(), {service}
    while todo:
        found |= todo
        todo = {need for one in todo for need in needs(one)} - found
    return found


def deployed(services: set[str], start: str, end: str) -> list[str]:
    return [one["id"] for one in deploys() if one["service"] in services and start <= one["created_at"] <= end]


def test_size_of_the_company():
    company = company_file.load()
    here = [p for p in company.people.values() if not p.bot and (p.until is None or p.until >= company.as_of.date())]
    assert (len(company.teams), len(here), len(company.services), len(company.repos), len(company.channels)) == (8, 60, 25, 13, 12)
    assert sum(kind == "Component" for kind, _ in catalogue()) == 25
    argo = json.loads((RAW / "deploys" / "argocd.json").read_text("utf-8"))["status"]["history"]
    pages = json.loads((RAW / "alerts" / "pagerduty.json").read_text("utf-8"))["incidents"]
    assert 155 <= len(deploys()) + len(argo) <= 170
    assert len(alerts().keys() | {page["incident_key"] for page in pages}) == 40


def test_every_deploy_and_alert_is_of_a_service_in_the_catalogue_and_every_commit_is_there(gits):
    services = {name for kind, name in catalogue() if kind == "Component"}
    assert {one["service"] for one in deploys()} == services - {"metrics-store"}
    assert {one["labels"]["service"] for one in alerts().values()} <= services
    known = {repo: set(git(where, "rev-list", "main")) for repo, where in gits.items()}
    assert all(one["sha"] in known[one["repo"].partition("/")[2]] for one in deploys())


@pytest.mark.parametrize(
    ("fingerprint", "harmless", "cause", "minutes", "pull"),
    [
        ("0e06d5f413d88dc9", "threshold-watch-20261014-0233", "event-bus-20261014-0111", 90, ("tidewire", 158)),
        ("e4dbf1689ef70c9b", "board-portal-20260922-2058", "token-broker-20260922-1944", 93, ("keyholder", 149)),
    ],
)
def test_planted_cause_two_dependencies_away(gits, fingerprint, harmless, cause, minutes, pull):
    alert = alerts()[fingerprint]
    service, by_id = alert["labels"]["service"], {one["id"]: one for one in deploys()}
    far = by_id[cause]["service"]
    assert far not in needs(service) and any(far in needs(near) for near in needs(service))
    start = int(alert["startsAt"][11:13]) * 60 + int(alert["startsAt"][14:16])
    began = by_id[cause]["created_at"]
    assert start - int(began[11:13]) * 60 - int(began[14:16]) == minutes
    day = alert["startsAt"][:10]
    assert deployed(chain(service), f"{day}T00:00:00Z", alert["startsAt"]) == [cause, harmless]
    one = next(p for p in archives()[pull[0]]["pulls"] if p["number"] == pull[1])
    assert one["mergeCommit"]["oid"] in git(gits[pull[0]], "rev-list", by_id[cause]["sha"])
    earlier = [d for d in deploys() if d["service"] == far and d["created_at"] < began and d["status"] == "success"][-1]
    assert one["mergeCommit"]["oid"] not in git(gits[pull[0]], "rev-list", earlier["sha"])


@pytest.mark.parametrize(
    ("fingerprint", "start"),
    [("92c91d03c189d363", "2026-10-05T04:00:00Z"), ("ff96ed0cdd07cf24", "2026-09-30T06:00:00Z")],
)
def test_planted_alerts_without_a_deploy_before_them(fingerprint, start):
    alert = alerts()[fingerprint]
    assert alert["status"] == "resolved"
    assert deployed(chain(alert["labels"]["service"]) - {"rota", "callout-engine"}, start, alert["startsAt"]) == []


@pytest.mark.parametrize(
    ("rolled_back", "cause"),
    [
        ("event-bus-20260318-0612", "event-bus-20260318-0405"),
        ("token-broker-20260507-2020", "token-broker-20260507-1804"),
        ("token-broker-20260922-2251", "token-broker-20260922-1944"),
        ("map-tiles-20260414-0934", "map-tiles-20260414-0731"),
        ("site-gateway-20260624-0502", "site-gateway-20260624-0330"),
        ("sign-in-20260730-0158", "sign-in-20260729-2340"),
    ],
)
def test_planted_rollbacks_go_back_to_something_older(gits, rolled_back, cause):
    by_id = {one["id"]: one for one in deploys()}
    back, forth = by_id[rolled_back], by_id[cause]
    assert back["rollback_of"] == cause
    history = git(gits[forth["repo"].partition("/")[2]], "rev-list", forth["sha"])
    assert back["sha"] in history[1:]


def test_planted_owner_who_left_and_who_really_changed_it_since():
    assert catalogue()["Component", "asset-register"]["spec"]["owner"] == "user:leoquist"
    assert "/assets/  @leoquist" in (RAW / "codeowners" / "mapdesk" / ".github" / "CODEOWNERS").read_text("utf-8")
    since = Counter(p["author"] for p in pulls("mapdesk") if under("assets/", p) and p["createdAt"] > "2026-08-14")
    assert since.most_common(1)[0][0] == "pnolan" and "leoquist" not in since
    assert catalogue()["User", "leoquist"]["spec"]["memberOf"] == []


def test_planted_catalogue_owners_file_and_git_disagree():
    assert catalogue()["Component", "map-tiles"]["spec"]["owner"].rpartition("/")[2].rpartition(":")[2] == "boards"
    assert "/tiles/   @merefold/console" in (RAW / "codeowners" / "mapdesk" / ".github" / "CODEOWNERS").read_text("utf-8")
    authors = Counter(p["author"] for p in pulls("mapdesk") if under("tiles/", p))
    assert authors.most_common(1)[0][0] == "ondrejm" and authors["ondrejm"] > authors.total() / 2


def test_planted_person_under_several_names_and_names_of_several_persons(gits):
    written = [line.split("|") for line in git(gits["siltwatch"], "log", "--all", "--no-mailmap", "--format=%an|%ae")]
    hers = {(name, mail.partition("@")[2]) for name, mail in written if "Nowicka" in name}
    assert ("Kasia Nowicka", "noreply.merefold.example") in hers and {name for name, _ in hers} == {"Kasia Nowicka", "Katarzyna Nowicka"}
    user = catalogue()["User", "katarzyna.nowicka"]
    assert user["metadata"]["annotations"]["github.com/user-login"] == "knowicka"
    people = company_file.load().people.values()
    assert sorted(p.login for p in people if p.name == "Owen Pritchard") == ["opritchard", "owenp"]


def test_who_left_or_moved_does_not_go_on_working_there():
    last = {}
    for archive in archives().values():
        for one in archive["pulls"]:
            last[one["author"]] = max(last.get(one["author"], ""), one["createdAt"])
    assert last["leoquist"] < "2026-08-15" and last["ncarrowby"] < "2025-08-02"
    assert max(p["createdAt"] for p in archives()["tidewire"]["pulls"] if p["author"] == "moyelaran") < "2026-06-01"


# the scripts


def test_a_line_that_does_not_fit_is_refused_with_file_and_line(tmp_path):
    script = tmp_path / "lost.story"
    script.write_text("@@ tree sanna 2025-04-07\nBegin\n\n@@ 1 pr sanna 2025-04-08 perhaps\nTitle\n")
    with pytest.raises(StoryError, match=r"lost\.story:4: state is 'perhaps'; legal: merged"):
        read(script)


@pytest.mark.parametrize(
    ("extra", "says"),
    [
        ("@@ 63 issue sanna 2026-10-14 open\nTitle\n\nSee #99.\n", "names gatekeeper#99, which does not exist"),
        ("@@ 64 issue sanna 2026-10-14 open\nTitle\n", "follows #62"),
        ("@@ 63 issue nobody 2026-10-14 open\nTitle\n", "no person 'nobody'"),
        ("@@ 63 issue sanna 2026-10-14 fixed\nTitle\n", "says fixed, but no merged pull request closes"),
        ("@@ 63 pr sanna 2026-10-14 open\nTitle\nfiles: D:nowhere.go\n", "D nowhere.go does not fit the files"),
    ],
)
def test_a_script_that_contradicts_itself_is_refused(tmp_path, extra, says):
    shutil.copytree(build.SCRIPTS, tmp_path / "script")
    with (tmp_path / "script" / "gatekeeper.story").open("a", encoding="utf-8") as script:
        script.write("\n" + extra)
    with pytest.raises(StoryError, match=re.escape(says)):
        build.write(tmp_path / "out", tmp_path / "script")


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("company.yaml", "lead: sanna", "lead: sana", "no person 'sana'"),
        ("company.yaml", "depends_on: [rota]", "depends_on: [rotor]", "no service 'rotor'"),
        ("operations.yaml", "rollback_of: map-tiles-20260414-0731", "rollback_of: map-tiles-20260414-0700", "takes back map-tiles-20260414-0700"),
        ("tidewire.repo.yaml", "numbers: 161", "numbers: 500", "more numbers than there is to do"),
        ("mapdesk.repo.yaml", "padraig: [5, 2026-07-01, 2026-12-31], tamsin: 1", "", "nobody for 2026"),
    ],
)
def test_a_plan_that_does_not_work_out_is_refused(tmp_path, file, old, new, says):
    shutil.copytree(build.SCRIPTS, tmp_path / "script")
    path = tmp_path / "script" / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(StoryError, match=re.escape(says)):
        build.write(tmp_path / "out", tmp_path / "script")


def test_the_shipped_vectors_are_those_the_model_makes(tmp_path):
    embedder = load_embedder(settings.load({}))
    assert embedder is not None
    assert vectors.differing(embedder, tmp_path, every=40) == []


def test_the_demo_is_asked_as_of_the_day_on_which_its_data_stands(demo):
    assert demo.present() == int(company_file.load().as_of.timestamp()) < demo.now()
    assert demo.asking(permissions.guest()).as_of == demo.present()
