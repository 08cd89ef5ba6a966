"""A workspace in one file comes out as the same graph, with the same rights; a file that is cut, altered or made to harm changes nothing."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import zipfile
from base64 import b64encode
from dataclasses import replace
from pathlib import Path

import injected_company as company
import numpy as np
import pytest
from tiny_org import brain_of, dump

from brain import loads, permissions
from brain.brain import Brain
from brain.errors import BadInput, Cancelled
from brain.memory.hearing import hear
from brain.snapshot import chosen, read, reading
from brain.snapshot import load as load_from
from brain.snapshot import save as save_into
from brain.snapshot.writing import uncarried
from brain.store import graph_name

ADMIN, GUEST, ADA = permissions.local_admin(), permissions.guest(), permissions.member("ada", frozenset({"team:heat"}))
ASKED = "Who owns kiln-control?"
FIRST = "person:ada-byron-tickets-kil"
SAID = "I work on kiln-control"
NOW = 1_796_000_000


def brain(home, workspace):
    opened = brain_of(home, workspace)
    opened.clock = lambda: NOW
    return opened


@pytest.fixture(scope="module")
def made(home, shared_store, tmp_path_factory):
    """A company loaded from files of nine formats, one claim decided against, one ticket given away, with a run, a wording that was
    kept, and what somebody told of themselves; and the file with all of it.
    """
    opened, folder = brain(home, "saved"), tmp_path_factory.mktemp("snapshot")
    company.load(opened, company.write(folder / "company", [f"line {n} was warm" for n in range(26)]))
    aid = opened.store.read(graph_name("saved"), "MATCH (:Team)-[r:OWNS]->(:Service {name: 'burner'}) RETURN r.aid AS aid LIMIT 1").rows[0]["aid"]
    opened.files.decisions.add([aid], "rejected", "local", 1, "it is ours")
    opened.load({})
    desk = opened.approvals(ADMIN)
    desk.approve(desk.propose("assign_ticket", {"ticket": "ticket:KIL-1", "assignee": "cy"}, "").id)
    opened.ask(ASKED, viewer=ADA)
    answer, bad = (opened.ask(q, viewer=ADA, save=False) for q in (ASKED, "Who wears the hat of kiln-control?"))
    opened.playbooks(ADA).keep(answer, [bad])
    opened.ask(SAID, viewer=ADA, memory=hear(opened.memory(ADA), SAID, ()))
    save_into(opened, folder / "all.zip", ADMIN, chosen("runs,approvals,playbooks,memory"))
    yield opened, folder
    opened.close()


@pytest.fixture
def into(home, shared_store, request):
    """A workspace with nothing in it, gone at the end."""
    opened = brain(home, f"into-{abs(hash(request.node.name)) % 10**8}")
    yield opened
    for graph in shared_store.graphs(graph_name(opened.workspace)):
        shared_store.drop(graph)
    shutil.rmtree(opened.files.folder, ignore_errors=True)
    opened.close()


def load(opened, path, parts=None, viewer=ADMIN, **how):
    with read(path) as snapshot:
        return load_from(opened, snapshot, viewer, parts, **how)


def state(opened):
    """Everything that a failed load must leave as it was: the graph, and every file by its bytes."""
    files = {str(p): p.read_bytes() for p in sorted(opened.files.folder.rglob("*")) if p.is_file()}
    return dump(opened.store, opened.workspace) if opened.loaded() else None, files, opened.store.graphs(f"brain:{opened.workspace}")


def asked(opened):
    """The run of the one question that was asked."""
    return next(r["run"] for r in opened.recent_runs(ADA) if r["question"] == ASKED)


def assignees(opened):
    rows = opened.tools["expand"].run(opened.looking(ADMIN), key="ticket:KIL-1", rels=["ASSIGNED_TO"]).rows
    return [row["key"] for row in rows]


def remade(path, out, change=None, add=(), **told):
    """The snapshot with entries changed (name -> bytes), its list of contents agreeing; `add` are (ZipInfo or name, bytes) besides."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        contents = {n: old.read(n) for n in old.namelist() if n != "manifest.json"} | (change or {})
        listed = {**json.loads(old.read("manifest.json")), **told}
        listed["files"] = {n: [len(data), hashlib.sha256(data).hexdigest()] for n, data in contents.items()}
        for name, data in [*contents.items(), ("manifest.json", json.dumps(listed).encode()), *add]:
            new.writestr(name, data)
    return out


def test_the_loaded_graph_is_the_saved_one_node_by_node_and_edge_by_edge(made, into):
    source, folder = made
    done = load(into, folder / "all.zip")
    before, after = dump(source.store, "saved"), dump(into.store, into.workspace)
    assert len(before["nodes"]) > 200 and after == before
    assert done.own and done.manifest.workspace == "saved" and into.present() == source.present()
    assert [(r.source, r.read) for r in into.reports(ADMIN)] == [(r.source, r.read) for r in source.reports(ADMIN)]
    for arm in ("graph", "vector"):
        one, two = (b.ask(ASKED, viewer=ADA, arm=arm, save=False) for b in (source, into))
        assert one.state == "answered" and (two.text, two.items, two.claims) == (one.text, one.items, one.claims)
    assert into.load({}) and dump(into.store, into.workspace) == before  # and so it stays when it is made anew


def test_labels_of_access_come_over_and_hide_what_they_hid(made, into):
    source, folder = made
    load(into, folder / "all.zip")
    keys = lambda b, viewer: [r["key"] for r in b.tools["find_entities"].run(b.looking(viewer), names=["Keys of the zanzibarium"]).rows]  # noqa: E731
    assert keys(into, ADMIN) == keys(source, ADMIN) == [company.HIDDEN]
    assert keys(into, GUEST) == keys(into, ADA) == []
    for viewer in (GUEST, ADA, permissions.nobody()):
        assert into.counts(viewer) == source.counts(viewer)


def test_a_decision_stands_and_an_approved_change_stands_where_it_is_carried(made, into):
    source, folder = made
    assert uncarried(source, ["approvals"]) == 0 and uncarried(source, []) == 1
    done = load(into, folder / "all.zip", ["approvals"])
    assert into.ask("Who owns burner?", viewer=ADMIN, save=False).items == source.ask("Who owns burner?", viewer=ADMIN, save=False).items
    assert [(d.state, d.reason) for d in into.files.decisions.history()] == [("rejected", "it is ours")]
    assert assignees(into) == assignees(source) == ["person:cy"] and done.parts == {"approvals": 2}
    one = into.approvals(ADMIN).list()[0]
    into.approvals(ADMIN).undo(one.id)
    assert assignees(into) == [FIRST]
    assert into.recent_runs(ADMIN) == [] and into.playbooks(ADMIN).every() == []


def test_runs_and_wordings_come_over_and_belong_to_whom_they_belonged(made, into):
    source, folder = made
    done = load(into, folder / "all.zip", ["runs", "playbooks"])
    run = asked(source)
    assert into.run(run, ADA) == source.run(run, ADA) and any(s.cypher for s in into.run(run, ADA).steps)
    with pytest.raises(BadInput, match="there is no run"):
        into.run(run, permissions.member("cy"))
    assert [p.title for p in into.playbooks(ADA).every()] == [p.title for p in source.playbooks(ADA).every()] != []
    assert done.parts.keys() == {"runs", "playbooks"} and assignees(into) == [FIRST]
    rows = into.store.read(graph_name(into.workspace, "runs"), "MATCH (n) WHERE n.carried IS NOT NULL RETURN count(n) AS n").rows
    assert rows[0]["n"] == 0


def test_what_somebody_told_of_themselves_is_carried_only_where_it_is_named(made, into, tmp_path):
    source, folder = made
    assert source.memory(ADA).facts()
    plain = save_into(source, tmp_path / "plain.zip", ADMIN, chosen("runs,approvals,playbooks"))
    assert not [name for name in plain.files if "memory" in name] and SAID.encode() not in b"".join(
        zipfile.ZipFile(tmp_path / "plain.zip").read(n) for n in plain.files if n.startswith("memory")
    )
    load(into, folder / "all.zip")
    assert into.memory(ADA).facts() == []
    load(into, folder / "all.zip", ["memory"], replace=True)
    assert [f.words for f in into.memory(ADA).facts()] == [f.words for f in source.memory(ADA).facts()]


def test_what_the_file_does_not_carry_stays_and_what_it_carries_is_replaced(made, into):
    _, folder = made
    load(into, folder / "all.zip", [])
    into.ask("Who owns burner?", viewer=ADA)
    (into.files.folder / "mine.txt").write_text("kept")
    load(into, folder / "all.zip", ["playbooks"], replace=True)
    assert [r["question"] for r in into.recent_runs(ADA)] == ["Who owns burner?"] and into.playbooks(ADA).every()
    assert (into.files.folder / "mine.txt").read_text() == "kept"
    load(into, folder / "all.zip", ["runs"], replace=True)
    assert ASKED in [r["question"] for r in into.recent_runs(ADA)] and into.playbooks(ADA).every()


def test_another_installation_knows_the_file_for_a_strangers(made, home, tmp_path, shared_store):
    """Its secret is another one: addresses are hashed otherwise there, and queries that anybody may have written do not come along."""
    source, folder = made
    elsewhere = replace(home, home=tmp_path / "elsewhere")
    other = Brain(elsewhere, "elsewhere", shared_store, source.catalogue, type(source.files)(elsewhere.workspaces / "elsewhere"), lambda: NOW)
    other._embedder.append(None)
    done = load(other, folder / "all.zip")
    run = other.run(asked(source), ADA)
    assert not done.own and run.steps and not any(s.cypher for s in run.steps)
    assert run.text == source.run(run.run, ADA).text
    for graph in shared_store.graphs("brain:elsewhere"):
        shared_store.drop(graph)


def test_the_secret_that_addresses_are_hashed_with_and_the_places_of_this_machine_stay_here(made, into):
    source, folder = made
    key = loads.identity_key(source.settings)
    with zipfile.ZipFile(folder / "all.zip") as archive:
        whole = b"".join(archive.read(name) for name in archive.namelist())
    assert key not in whole and key.hex().encode() not in whole and b"example.org" not in whole
    load(into, folder / "all.zip")
    assert loads.again(into) == {} and loads.again(source)


def test_vectors_come_over_to_the_bit(home, made, into, tmp_path):
    source, _ = made
    opened = Brain.open(home, "saved")
    cache = opened.vectors
    assert cache is not None
    hashes = sorted({r["hash"] for r in source.store.read(graph_name("saved"), "MATCH (c:Chunk) RETURN c.hash AS hash").rows})[:40]
    rng = np.random.default_rng(3)
    cache.put_many(hashes, rng.normal(size=(len(hashes), cache.dim)).astype(np.float32))
    stored = dict(cache.stored(hashes))
    save_into(opened, tmp_path / "v.zip", ADMIN)
    other = replace(home, home=tmp_path / "elsewhere")
    taker = Brain(other, into.workspace, into.store, into.catalogue, into.files, lambda: NOW)
    assert load(taker, tmp_path / "v.zip").vectors >= len(hashes) and taker.vectors is not None
    assert dict(taker.vectors.stored(hashes)) == stored
    rows = into.store.read(graph_name(into.workspace), "MATCH (c:Chunk) WHERE c.emb IS NOT NULL RETURN count(c) AS n").rows
    assert rows[0]["n"] >= len(hashes)
    opened.close()


@pytest.mark.parametrize("where", [0.05, 0.5, 0.9, 0.999])
def test_a_cut_file_is_refused_in_one_line(made, into, tmp_path, where):
    whole = (made[1] / "all.zip").read_bytes()
    cut = tmp_path / "cut.zip"
    cut.write_bytes(whole[: int(len(whole) * where)])
    with pytest.raises(BadInput, match="cut or damaged, nothing was changed") as told:
        load(into, cut)
    assert "\n" not in str(told.value) and not into.loaded()


def test_what_is_there_stays_whole_when_a_file_turns_out_bad_or_the_load_is_stopped(made, into, tmp_path, monkeypatch):
    _, folder = made
    load(into, folder / "all.zip", ["runs"])
    before = state(into)
    with zipfile.ZipFile(folder / "all.zip") as archive:
        records = archive.read("records/00003.jsonl")
        run, commits = archive.read("runs.jsonl"), archive.read("records/00001.jsonl").partition(b"\n")[0]
    assert b'"git:acme/' in commits
    head, _, _ = records.partition(b"\n")
    bad = {
        "no records": {"records/00003.jsonl": b'{"kind":"source"}\n'},
        "twice": {"records/00099.jsonl": records},
        "not JSON": {"records/00003.jsonl": head + b"\n{nonsense\n"},
        "not an object": {"records/00003.jsonl": head + b"\n[1]\n"},
        "a record a load cannot read": {"records/00001.jsonl": commits + b'\n{"kind":"commit"}\n'},
        "decisions": {"decisions.jsonl": b"{}\n"},
        "a property that is a query": {"runs.jsonl": b'{"n":1,"label":"Run","props":{"id = 1 DETACH DELETE n //":1}}\n'},
        "another label": {"runs.jsonl": b'{"n":1,"label":"Entity","props":{"key":"x"}}\n'},
        "another relationship": {"runs.jsonl": run + b'{"from":1,"rel":"OWNS","to":1,"props":{}}\n'},
        "half a run": {"runs.jsonl": b'{"n":1,"label":"Run","props":{"id":"x","json":"{}"}}\n'},
    }
    for name, change in bad.items():
        with pytest.raises(BadInput) as told:
            load(into, remade(folder / "all.zip", tmp_path / "bad.zip", change), replace=True)
            print(f"{name} was loaded")
        assert state(into) == before and "\n" not in str(told.value), name
    with pytest.raises(Cancelled):
        load(into, folder / "all.zip", replace=True, cancelled=lambda: True)
    assert state(into) == before
    monkeypatch.setattr(type(into.store), "switch", lambda *a: (_ for _ in ()).throw(BadInput("the database went away")))
    with pytest.raises(BadInput, match="went away"):
        load(into, folder / "all.zip", replace=True)
    assert state(into) == before


def test_an_approved_change_may_not_carry_a_query_in_the_name_of_a_property(made, into, tmp_path):
    _, folder = made
    with zipfile.ZipFile(folder / "all.zip") as archive:
        rows = [json.loads(line) for line in archive.read("approvals.jsonl").splitlines()]
    action = next(r for r in rows if r.get("label") == "Action")
    change = json.loads(action["props"]["change"])
    change["edges"][0][4]["at = 1 DETACH DELETE a //"] = 1
    action["props"]["change"] = json.dumps(change)
    forged = remade(folder / "all.zip", tmp_path / "x.zip", {"approvals.jsonl": b"".join(json.dumps(r).encode() + b"\n" for r in rows)})
    with pytest.raises(BadInput, match="a kept Action in it is damaged"):
        load(into, forged)
    assert not into.loaded()


def _link():
    info = zipfile.ZipInfo("records/00077.jsonl")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


@pytest.mark.parametrize(
    ("name", "told"),
    [("../../evil.jsonl", "is in no snapshot"), ("/etc/passwd", "is in no snapshot"), ("records/../../x.jsonl", "is in no snapshot"), ("records\\x.jsonl", "is in no snapshot"),
     ("records/1.jsonl", "is in no snapshot"), ("notes.txt", "is in no snapshot"), ("records/00088.jsonl", "are not those it lists"), (_link(), "not a plain entry")],
)  # fmt: skip
def test_an_entry_that_no_snapshot_has_is_refused_before_anything_is_unpacked(made, into, tmp_path, name, told):
    bad = remade(made[1] / "all.zip", tmp_path / "bad.zip", add=[(name, b"{}\n")])
    with pytest.raises(BadInput, match=told):
        load(into, bad)
    assert not into.loaded() and not into.files.folder.exists() and not (tmp_path.parent / "evil.jsonl").exists()


def test_a_bomb_is_refused_by_what_it_says_it_unpacks_to(made, into, tmp_path, monkeypatch):
    bomb = remade(made[1] / "all.zip", tmp_path / "bomb.zip", {"concepts.yaml": b" " * (reading.RATIO_FROM + 1)})
    with pytest.raises(BadInput, match="times its size; nothing was unpacked"):
        load(into, bomb)
    monkeypatch.setattr(reading, "MOST_BYTES", 1000)
    with pytest.raises(BadInput, match="unpacks to more than"):
        load(into, made[1] / "all.zip")
    monkeypatch.undo()
    monkeypatch.setattr(reading, "LONGEST_LINE", 100)
    with pytest.raises(BadInput, match="longer than it can be"):
        load(into, made[1] / "all.zip")


def test_an_entry_with_other_bytes_is_noticed_although_the_archive_agrees(made, tmp_path):
    with zipfile.ZipFile(made[1] / "all.zip") as old, zipfile.ZipFile(tmp_path / "x.zip", "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, data.replace(b"warm", b"cold") if name.startswith("records/") else data)
    with read(tmp_path / "x.zip") as snapshot, pytest.raises(BadInput, match="was altered after it was written"):
        snapshot.check()


def test_a_newer_format_another_archive_and_no_archive_are_refused_in_one_line(made, tmp_path):
    newer = remade(made[1] / "all.zip", tmp_path / "newer.zip", version=2)
    with pytest.raises(BadInput, match="is a snapshot of format 2, and this version reads up to 1"), read(newer):
        pass
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as other:
        other.writestr("hello.txt", "x")
    (tmp_path / "text.zip").write_text("hello")
    for path, told in ((tmp_path / "other.zip", "not a snapshot"), (tmp_path / "text.zip", "cut or damaged"), (tmp_path / "none.zip", "No such file")):
        with pytest.raises(BadInput, match=told), read(path):
            pass


@pytest.mark.parametrize("told", [{"meta": {"stands_at": "x' DELETE"}}, {"meta": {"stands_at": "9" * 400}}, {"meta": {"loaded_at": "٣"}}, {"made_at": 10**18}, {"made_at": -1}, {"made_at": True}, {"meta": {"home": "/"}}, {"parts": ["secrets"]}, {"sources": ["x"]}, {"more": 1}, {"workspace": 5}])
def test_a_list_of_contents_that_says_what_it_cannot_is_refused(made, tmp_path, told):
    with pytest.raises(BadInput, match="list of contents is damaged"), read(remade(made[1] / "all.zip", tmp_path / "x.zip", **told)):
        pass


def test_a_refused_load_leaves_no_workspace_that_was_not_there_and_one_that_was_as_it_was(made, into, tmp_path):
    bad = remade(made[1] / "all.zip", tmp_path / "bad.zip", {"decisions.jsonl": b"no decision\n"})
    with pytest.raises(BadInput):
        load(into, bad)
    assert not into.files.folder.exists()
    into.files.folder.mkdir()
    (into.files.folder / "concepts.yaml").write_text("concepts: []\n")
    with pytest.raises(BadInput):
        load(into, bad)
    assert (into.files.folder / "concepts.yaml").read_text() == "concepts: []\n"


def test_a_source_whose_time_stands_still_at_no_time_is_refused(made, into, tmp_path):
    with zipfile.ZipFile(made[1] / "all.zip") as old:
        head, _, rest = old.read("records/00001.jsonl").partition(b"\n")
    told = {**json.loads(head), "load": {"stands_at": 10**18}}
    with pytest.raises(BadInput, match="stands still at no time"):
        load(into, remade(made[1] / "all.zip", tmp_path / "x.zip", {"records/00001.jsonl": json.dumps(told).encode() + b"\n" + rest}))


def test_what_is_no_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path(os.devnull)):
        with pytest.raises(BadInput, match="it is no file"), read(path):
            pass


@pytest.mark.parametrize("packed", [b"\0" * 768, np.full(384, np.nan, "<f2").tobytes(), b"\1" * 100], ids=["zero", "no number", "short"])
def test_a_vector_that_is_none_is_refused(made, home, into, tmp_path, packed):
    opened = Brain.open(home, into.workspace)
    cache = opened.vectors
    lines = [{"model": cache.model_id, "dim": cache.dim}, {"hash": "forged", "v": b64encode(packed).decode()}]
    bad = remade(made[1] / "all.zip", tmp_path / "x.zip", {"vectors.jsonl": b"".join(json.dumps(x).encode() + b"\n" for x in lines)})
    with pytest.raises(BadInput, match="its vectors are damaged"):
        load(opened, bad)
    assert not opened.loaded() and cache.missing(["forged"]) == ["forged"]
    opened.close()


def test_a_workspace_that_holds_something_is_replaced_only_when_that_is_said(made, into):
    _, folder = made
    load(into, folder / "all.zip", [])
    before = state(into)
    with pytest.raises(BadInput, match="holds something already; name another workspace, or give --replace"):
        load(into, folder / "all.zip")
    assert state(into) == before


def test_only_an_administrator_saves_and_loads(made, into, tmp_path):
    source, folder = made
    for viewer in (GUEST, ADA, permissions.nobody()):
        with pytest.raises(BadInput, match="only an administrator"):
            save_into(source, tmp_path / "x.zip", viewer)
        with pytest.raises(BadInput, match="only an administrator"):
            load(into, folder / "all.zip", viewer=viewer)
    assert list(tmp_path.iterdir()) == [] and not into.loaded()


def test_a_file_is_written_whole_or_not_at_all_and_for_its_owner_alone(made, tmp_path):
    source, _ = made
    path = tmp_path / "s.zip"
    with pytest.raises(Cancelled):
        save_into(source, path, ADMIN, cancelled=lambda: True)
    assert list(tmp_path.iterdir()) == []
    save_into(source, path, ADMIN)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = path.read_bytes()
    with pytest.raises(BadInput, match="is there already; give another name, or --replace"):
        save_into(source, path, ADMIN)
    assert path.read_bytes() == before and save_into(source, path, ADMIN, replace=True)
    with pytest.raises(BadInput, match="cannot write to"):
        save_into(source, tmp_path / "no" / "such" / "folder.zip", ADMIN)
    lock = source.files.lock()
    with pytest.raises(BadInput, match="under way"):
        save_into(source, tmp_path / "other.zip", ADMIN)
    lock.release()
    assert [p.name for p in tmp_path.iterdir()] == ["s.zip"]


def test_what_a_killed_load_left_is_gone_after_the_next(made, into):
    left = into.files.folder / ".snapshot-0badcafe"
    left.mkdir(parents=True)
    (left / "records").mkdir()
    into.store.write(f"brain:{into.workspace}.snapshot-0badcafe:runs", "CREATE (:Run {id: 1})")
    load(into, made[1] / "all.zip", [])
    assert not left.exists() and into.store.graphs(f"brain:{into.workspace}") == [f"brain:{into.workspace}"]
