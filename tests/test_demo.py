"""The demo organisation: its raw files are what the scripts give, and hold what its README promises."""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from brain import settings
from brain.connectors import github
from brain.demo import build, vectors
from brain.demo.story import StoryError, read
from brain.text.embedding import load_embedder

RAW = build.RAW


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
    chosen = archives().values() if repo is None else [archives()[repo]]
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
    build.write(tmp_path)
    (tmp_path / "users.json").write_text("[]\n")
    (tmp_path / "stray.json").write_text("[]\n")
    assert build.differences(tmp_path) == ["stray.json", "users.json"]


def test_size_and_counts():
    assert sum(path.stat().st_size for path in RAW.rglob("*.json")) < 1_500_000
    things = [thing for archive in archives().values() for thing in archive["issues"] + archive["pulls"]]
    assert (len(archives()), len(pulls(state="MERGED")), len(things)) == (6, 128, 270)
    assert sum(len(releases(repo)) for repo in archives()) == 35
    assert sum(len(commits(repo)) for repo in archives()) == 284


def test_no_two_bodies_are_the_same():
    bodies = Counter(t["body"] for a in archives().values() for t in a["issues"] + a["pulls"] if t["body"])
    assert [body for body, count in bodies.items() if count > 1] == []


def test_addresses_are_reserved_ones():
    text = "".join(path.read_text("utf-8") for path in RAW.rglob("*.json"))
    mail = {m[1] for m in re.finditer(r"[\w+.\[\]-]+@([\w-]+(?:\.[\w-]+)+)", text)}
    assert mail == {"users.noreply.merefold.example", "noreply.merefold.example"}
    hosts = {m[1] for m in re.finditer(r"https?://([\w.-]+)", text)}
    assert hosts == {"github.com", "api.github.com", "pixel.tracker.example"}


def test_time_runs_forward():
    for archive in archives().values():
        assert [p["createdAt"] for p in archive["pulls"]] == sorted(p["createdAt"] for p in archive["pulls"])
        for one in archive["pulls"]:
            ends = one["mergedAt"] or one["closedAt"] or "9"
            assert all(one["createdAt"] < review["createdAt"] < ends for review in one["reviews"])
    for repo in archives():
        known = commits(repo)
        for commit in known.values():
            assert all(known[p["sha"]]["commit"]["committer"]["date"] <= commit["commit"]["committer"]["date"] for p in commit["parents"])


def test_every_merge_commit_and_release_target_exists_and_has_the_files_of_its_change():
    for repo in archives():
        for one in pulls(repo):
            files = {file["filename"] for file in commits(repo)[one["mergeCommit"]["oid"]]["files"]}
            assert files == {file["path"] for file in one["files"]}
        assert all(release["target_commitish"] in commits(repo) for release in releases(repo))


def test_loads_without_a_single_skip():
    records = list(github.fetch(RAW))
    read_ = Counter(record["kind"] for record in records)
    assert (read_["pull"], read_["issue"], read_["release"], read_["commit"], read_["skip"]) == (151, 119, 35, 284, 0)
    assert sum(len(r["reviews"]) for r in records if r["kind"] == "pull") == 432
    assert all(r["files"] for r in records if r["kind"] == "pull")


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
    things = [t for a in archives().values() for t in a["issues"] + a["pulls"]]
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
    files = [file for repo in archives() for commit in commits(repo).values() for file in commit["files"]]
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
    for path in build.SCRIPTS.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    with (tmp_path / "gatekeeper.story").open("a", encoding="utf-8") as script:
        script.write("\n" + extra)
    with pytest.raises(StoryError, match=re.escape(says)):
        build.write(tmp_path / "out", Path(tmp_path))


def test_the_shipped_vectors_are_those_the_model_makes(tmp_path):
    embedder = load_embedder(settings.load({}))
    assert embedder is not None
    assert vectors.differing(embedder, tmp_path, every=8) == []
