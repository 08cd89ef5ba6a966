"""Loading: twice, in any order, in parts, with a failure anywhere; the report; one load at a time."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tiny_org import REPO, archive, brain_of, comment, counts, dump, issue, load, pull, two_of_each

from brain import loads
from brain.errors import BadInput, Cancelled
from brain.ingest import Workspace

DEMO = loads.DEMO


@pytest.fixture
def make(home):
    """Workspaces that load without vectors, dropped at the end."""
    made = []

    def new(name: str):
        brain = brain_of(home, f"i_{name}")
        made.append(brain)
        return brain

    yield new
    for brain in made:
        brain.store.drop(f"brain:{brain.workspace}")
        brain.close()


@pytest.fixture
def brain(make, request):
    return make(str(abs(hash(request.node.name)) % 10**8))


@pytest.fixture
def loaded(brain, tmp_path):
    assert not load(brain, archive(tmp_path / "a.json", **two_of_each()), now=1_750_000_000).failures
    return brain


def graph_of(brain):
    return dump(brain.store, brain.workspace)


# -- again, in another order, in parts --------------------------------------------------------


def test_files_loaded_one_by_one_backwards_give_the_same_graph(make):
    one, other = make("forwards"), make("backwards")
    files = sorted(DEMO.glob("*.archive.json"))[:3]
    for path in files:
        load(one, path, now=1)
    load(other, *reversed(files), now=2)
    a, b = graph_of(one), graph_of(other)
    assert len(a["nodes"]) > 300 and a["nodes"] == b["nodes"] and a["edges"] == b["edges"]


def rest(path: Path, rows: list[dict]) -> Path:
    path.write_text(json.dumps(rows), "utf-8")
    return path


def parts_of_a_repository(folder: Path) -> list[Path]:
    """REST arrays, each a part of the picture: issues, pull requests, comments of issues, commits, releases."""
    at, api = "2025-01-02T08:00:00Z", f"https://api.github.com/repos/{REPO}"
    who = {"login": "ada", "type": "User"}
    base = {
        "user": who,
        "state": "open",
        "created_at": at,
        "updated_at": at,
        "closed_at": None,
        "labels": [],
        "assignees": [],
        "milestone": None,
    }
    one = {
        **base,
        "url": f"{api}/issues/1",
        "repository_url": api,
        "html_url": f"https://github.com/{REPO}/issues/1",
        "number": 1,
        "title": "Glaze cracks",
        "body": "b",
    }
    two = {**base, "url": f"{api}/pulls/2", "html_url": f"https://github.com/{REPO}/pull/2", "number": 2, "title": "Mend it", "body": "Fixes #1.", "draft": False,
           "merged_at": at, "merge_commit_sha": "c" * 40, "closed_at": at, "state": "closed", "head": {"ref": "t", "sha": "a" * 40, "repo": {"full_name": REPO}},
           "base": {"ref": "main", "sha": "b" * 40, "repo": {"full_name": REPO}}}  # fmt: skip
    said = {"url": f"{api}/issues/comments/9", "html_url": f"https://github.com/{REPO}/issues/1#issuecomment-9", "issue_url": f"{api}/issues/1", "id": 9,
            "user": {"login": "cy"}, "created_at": at, "updated_at": at, "body": "Seen too."}  # fmt: skip
    person = {"name": "Ada", "email": "ada@example.org", "date": at}
    commit = {"sha": "c" * 40, "url": f"{api}/commits/{'c' * 40}", "html_url": f"https://github.com/{REPO}/commit/{'c' * 40}", "author": who, "committer": who,
              "commit": {"author": person, "committer": person, "message": "Mend it (#2)"}, "parents": [],
              "files": [{"filename": "src/heat.py", "status": "modified", "additions": 1, "deletions": 0}]}  # fmt: skip
    release = {"url": f"{api}/releases/5", "html_url": f"https://github.com/{REPO}/releases/tag/v1", "id": 5, "author": who, "tag_name": "v1", "name": "v1", "draft": False,
               "prerelease": False, "created_at": "2025-02-01T08:00:00Z", "published_at": "2025-02-01T08:00:00Z", "body": "- Mend it (#2)"}  # fmt: skip
    return [rest(folder / f"{name}.json", [row]) for name, row in
            {"issues": one, "pulls": two, "comments": said, "commits": commit, "releases": release}.items()]  # fmt: skip


def test_parts_of_a_repository_in_any_order_give_the_graph_of_the_whole(make, tmp_path):
    paths = parts_of_a_repository(tmp_path)
    whole = make("whole")
    assert not load(whole, *paths, now=1).failures
    wanted = graph_of(whole)
    assert counts(whole.store, whole.workspace)["CLOSES"] == 1 and counts(whole.store, whole.workspace)["SHIPPED_IN"] == 1
    for i, order in enumerate(list(itertools.permutations(paths))[7::50]):
        one = make(f"order{i}")
        for path in order:
            load(one, path, now=1)
        got = graph_of(one)
        assert got["nodes"] == wanted["nodes"] and got["edges"] == wanted["edges"], [p.stem for p in order]


# -- nothing is lost --------------------------------------------------------------------------


def whole_file(path: Path) -> str:
    return archive(path, **two_of_each()).read_text("utf-8")


BAD = {
    "missing": lambda p: None,
    "empty": lambda p: p.write_text(""),
    "cut in the middle": lambda p: p.write_text(whole_file(p)[: len(whole_file(p)) // 2]),
    "cut at the last bracket": lambda p: p.write_text(whole_file(p)[:-1]),
    "no JSON": lambda p: p.write_text("hello"),
    "another encoding": lambda p: p.write_bytes(whole_file(p).encode("utf-16")),
    "not UTF-8": lambda p: p.write_bytes(whole_file(p).replace("Glaze", "Glaze\xe9").encode("latin-1")),
    "an unknown format": lambda p: p.write_text(json.dumps({"what": ["is", "this"]})),
    "a number": lambda p: p.write_text("5"),
    "a folder without anything": lambda p: p.mkdir(),
    "binary": lambda p: p.write_bytes(os.urandom(5000)),
}


@pytest.mark.parametrize("how", BAD)
def test_a_path_that_cannot_be_read_is_one_line_and_loses_nothing(loaded, tmp_path, how):
    before, version = graph_of(loaded), loaded.store.version(f"brain:{loaded.workspace}")
    bad = tmp_path / "bad.json"
    BAD[how](bad)
    outcome = load(loaded, bad, now=1_760_000_000)
    assert len(outcome.failures) == 1 and "\n" not in outcome.failures[0] and str(bad) in outcome.failures[0]
    assert outcome.rebuild is None and not outcome.reports
    assert graph_of(loaded) == before and loaded.store.version(f"brain:{loaded.workspace}") == version


def test_a_bad_path_among_good_ones_costs_only_itself(brain, tmp_path):
    good, bad = archive(tmp_path / "a.json", **two_of_each()), tmp_path / "bad.json"
    BAD["cut in the middle"](bad)
    outcome = load(brain, bad, good, tmp_path / "nowhere")
    assert len(outcome.failures) == 2 and [r.source for r in outcome.reports] == [f"github:{REPO}"]
    assert counts(brain.store, brain.workspace)["Issue"] == 2


def test_a_cut_file_of_a_loaded_source_does_not_make_the_rest_of_it_gone(loaded, tmp_path):
    path = tmp_path / "a.json"
    text = path.read_text("utf-8")
    path.write_text(text[: text.index("Hold the heat")], "utf-8")
    assert load(loaded, path, now=1_760_000_000).failures
    assert loaded.store.read(f"brain:{loaded.workspace}", "MATCH (n) WHERE n.gone IS NOT NULL RETURN n.key AS k").rows == ()
    assert len(list(loaded.files.records.read(f"github:{REPO}"))) >= 5


def test_a_load_stopped_while_it_reads_or_builds_loses_nothing(loaded, tmp_path):
    before = graph_of(loaded)
    paths = [archive(tmp_path / f"more{i}.json", repo=f"acme/more{i}", issues=[issue(1, "x")]) for i in range(3)]
    for stop_at in range(0, 12, 2):
        asked = itertools.count()
        with pytest.raises(Cancelled):
            loaded.load({str(p): loads.github(p) for p in paths}, cancelled=lambda: next(asked) >= stop_at)  # noqa: B023
        assert graph_of(loaded) == before
    assert not loaded.files.lock().release(), "and the next load may come in"


def test_a_load_stopped_while_reading_stops_at_once(loaded):
    """A repository may take minutes to read; whoever presses stop does not wait for its end."""
    taken = []

    def endless():
        yield {
            "kind": "source",
            "format": "github",
            "source": "github:acme/endless",
            "repo": "acme/endless",
            "complete": True,
            "access": "open",
            "as_of": 1,
            "path": "x",
        }
        for i in range(200_000):
            taken.append(i)
            yield {"kind": "label", "repo": "acme/endless", "name": f"l{i}", "description": ""}

    with pytest.raises(Cancelled):
        loaded.load({"endless": endless}, cancelled=lambda: len(taken) > 100)
    assert (
        len(taken) < 5000
        and f"github:{REPO}" in loaded.files.records.sources()
        and "github:acme/endless" not in loaded.files.records.sources()
    )


KILLED = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[4])
from tiny_org import brain_of, load
from brain import rebuild
from brain.settings import Settings
real = rebuild._Pass.{stage}
def wait(self, *args):
    out = real(self, *args)
    print("here", flush=True)
    import time
    time.sleep(60)
rebuild._Pass.{stage} = wait
load(brain_of(Settings(home=Path(sys.argv[1])), sys.argv[2]), Path(sys.argv[3]), now=5)
"""


@pytest.mark.parametrize("stage", ["rows", "derive"])
def test_a_load_that_is_killed_loses_nothing_and_the_next_one_goes_through(loaded, home, tmp_path, stage):
    before = graph_of(loaded)
    more = archive(tmp_path / "more.json", repo="acme/more", issues=[issue(1, "Another")])
    args = [sys.executable, "-c", KILLED.replace("{stage}", stage), str(home.home), loaded.workspace, str(more), str(Path(__file__).parent)]
    with subprocess.Popen(args, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout and other.stdout.readline() == "here\n"
        with pytest.raises(BadInput, match=r"another load of .* is under way"):
            load(loaded, more)
        other.send_signal(signal.SIGKILL)
    assert graph_of(loaded) == before
    outcome = load(loaded, more, now=6)
    assert not outcome.failures and counts(loaded.store, loaded.workspace)["Issue"] == 3
    assert not loaded.store.exists(f"brain:{loaded.workspace}:next")
    assert [p.name for p in loaded.files.records.folder.iterdir() if not p.name.endswith(".jsonl.gz")] == []


# -- one at a time ----------------------------------------------------------------------------


def test_a_second_load_at_once_is_one_clear_line_and_a_reader_goes_on(loaded, tmp_path):
    inside, go_on = threading.Event(), threading.Event()

    def slow():
        inside.set()
        go_on.wait(20)
        yield from loads.github(archive(tmp_path / "s.json", repo="acme/slow", issues=[issue(1, "x")]))()

    first = threading.Thread(target=lambda: loaded.load({"slow": slow}))
    first.start()
    assert inside.wait(20)
    with pytest.raises(BadInput) as err:
        loaded.load({})
    assert str(err.value) == f"another load of {loaded.workspace!r} is under way; wait for it or use another workspace"
    assert first.is_alive() and counts(loaded.store, loaded.workspace)["Issue"] == 2
    go_on.set()
    first.join()
    assert counts(loaded.store, loaded.workspace)["Issue"] == 3


def test_two_workspaces_load_at_once_and_know_nothing_of_each_other(make, tmp_path):
    a, b = make("here"), make("there")
    pa = archive(tmp_path / "a.json", issues=[issue(1, "Only the raku glaze")], repo="acme/first")
    pb = archive(tmp_path / "b.json", issues=[issue(1, "Only the bisque clay")], repo="acme/second")
    threads = [threading.Thread(target=load, args=(x, p)) for x, p in ((a, pa), (b, pb))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert "bisque" not in str(graph_of(a)) and "raku" not in str(graph_of(b))
    assert a.tools["search_text"].run(a.asking(a.viewer()), text="bisque raku", k=50).rows[0]["src"] == "issue:acme/first#1"
    assert [r.source for r in a.files.reports()] == ["github:acme/first"] and [r.source for r in b.files.reports()] == ["github:acme/second"]
    answer = a.ask("Who opened acme/first#1?", viewer=a.viewer())
    with pytest.raises(BadInput, match="there is no run"):
        b.run(answer.run, b.viewer())
    a.store.drop(f"brain:{a.workspace}:runs")


def test_a_folder_without_rights_is_one_line(tmp_path):
    if os.geteuid() == 0:
        (tmp_path / "ws").write_text("a file where the folder should be")
        with pytest.raises(BadInput, match="cannot write to"):
            Workspace(tmp_path / "ws").lock()
    else:
        (tmp_path / "ws").mkdir(mode=0o500)
        with pytest.raises(BadInput, match="cannot write to"):
            Workspace(tmp_path / "ws" / "inner").lock()


# -- the report -------------------------------------------------------------------------------


def test_the_report_says_what_was_read_stored_and_left_out(loaded):
    (report,) = loaded.files.reports()
    assert (report.source, report.format, report.complete, report.at) == (f"github:{REPO}", "github", True, 1_750_000_000)
    assert report.read["issue"] == 2 and report.read["pull"] == 2 and report.totals["pulls_merged"] == 1 and report.totals["reviews"] == 1
    assert report.stored["Issue"] == 2 and report.stored["PullRequest"] == 2 and report.stored["CLOSES"] == 1


def test_a_malformed_record_is_left_out_with_its_reason_and_its_file(brain, tmp_path):
    path = archive(tmp_path / "a.json", issues=[issue(1, "fine"), {**issue(2, "x"), "number": "two"}, {"number": 3}])
    outcome = load(brain, path)
    assert not outcome.failures and counts(brain.store, brain.workspace)["Issue"] >= 1
    left_out = outcome.reports[0].skipped
    assert left_out and all(str(path) in s["where"] and s["reason"] and s["count"] for s in left_out)


def test_links_to_what_is_not_loaded_are_counted_and_leave_the_report_when_it_comes(make, tmp_path):
    brain = make("joins")
    one = archive(tmp_path / "a.json", pulls=[pull(1, "Mend it", "Fixes acme/oven#1.", merged="2025-02-01")])
    load(brain, one)
    before = {r.source: sum(x["count"] for x in r.refused) for r in brain.files.reports()}
    assert before[f"github:{REPO}"] == 1, before
    load(brain, archive(tmp_path / "b.json", repo="acme/oven", issues=[issue(1, "Too hot")]))
    assert {r.source: r.refused for r in brain.files.reports()} == {f"github:{REPO}": [], "github:acme/oven": []}
    assert counts(brain.store, brain.workspace)["CLOSES"] == 1


def test_what_no_longer_goes_wrong_is_no_longer_reported(loaded, monkeypatch):
    """Links without an end are reported under a name of their own, as long as there are any."""
    from brain.connectors import FORMATS
    from brain.types import EdgeRow

    real = FORMATS["github"].rows

    def rows(records, context):
        yield from real(records, context)
        yield EdgeRow("issue:acme/kiln#1", "MENTIONS", "repo:acme/nowhere")

    with monkeypatch.context() as patched:
        patched.setattr(FORMATS["github"], "rows", rows)
        loaded.load({})
        refused = [r for report in loaded.files.reports() for r in report.refused]
        assert [(r["reason"], r["where"]) for r in refused] == [("MENTIONS to something that is not loaded", "repo:acme/nowhere")]
    loaded.load({})
    assert [r for report in loaded.files.reports() for r in report.refused] == [] and [r.source for r in loaded.files.reports()] == [f"github:{REPO}"]


def test_the_report_of_one_source_stays_when_another_is_loaded(loaded, tmp_path):
    before = loaded.files.reports()[0]
    load(loaded, archive(tmp_path / "b.json", repo="acme/oven", issues=[issue(1, "Too hot")]), now=1_770_000_000)
    kept = {r.source: r for r in loaded.files.reports()}
    assert kept[before.source].at == before.at and kept[before.source].read == before.read and kept["github:acme/oven"].at == 1_770_000_000


def test_a_comment_that_comes_later_is_in_the_graph(loaded, tmp_path):
    whole = two_of_each()
    whole["issues"][1]["comments"] = [comment("dee", "Oil helps a little.", "2025-04-01")]
    load(loaded, archive(tmp_path / "a.json", **whole))
    ctx = loaded.asking(loaded.viewer())
    assert [r["author"] for r in loaded.tools["search_text"].run(ctx, text="oil helps").rows][:1] == ["dee"]


def test_progress_names_every_stage_and_never_runs_backwards(brain, tmp_path):
    seen = []
    brain.load(
        {"a": loads.github(archive(tmp_path / "a.json", **two_of_each()))}, lambda stage, done, total: seen.append((stage, done, total))
    )
    assert {s.split()[0] for s, _, _ in seen} >= {"reading", "joining", "cutting", "deriving", "building"}
    assert all(done <= total or total == 0 for _, done, total in seen)


def test_no_e_mail_address_is_kept_anywhere(make, tmp_path):
    """Not in the records, not in the graph, not in the reports."""
    brain = make("mail")
    paths = parts_of_a_repository(tmp_path)
    archive(
        tmp_path / "a.json",
        repo="acme/oven",
        issues=[issue(1, "Write to ada@example.org", "or <bob.b+x@mail.example.org>, git@github.com:acme/oven.git stays")],
    )
    load(brain, *paths, tmp_path / "a.json")
    import gzip

    kept = "".join(gzip.decompress(p.read_bytes()).decode() for p in brain.files.records.folder.glob("*.gz"))
    kept += str(graph_of(brain)) + "".join(p.read_text() for p in (brain.files.folder / "reports").iterdir())
    assert "@example.org" not in kept and "@mail.example.org" not in kept


def test_data_that_stands_still_moves_on_when_something_else_is_loaded_beside_it(make, tmp_path):
    brain = make("stands")
    path = archive(tmp_path / "a.json", **two_of_each())
    still = loads._remembered(loads.github(path), {"format": "demo", "stands_at": 1700000000})
    assert not brain.load({"a": still}).failures and brain.present() == 1700000000
    brain.load({})
    assert brain.present() == 1700000000
    other = archive(tmp_path / "b.json", **two_of_each(), repo="o/other")
    brain.load({"b": loads.github(other)})
    assert brain.present() > 1700000000
