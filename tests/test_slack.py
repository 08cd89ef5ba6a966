"""Exports of Slack, old and new, whole or in a zip: what people said, where, and who may read it; the rest is counted and said."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest
from chat_export import T0, channel, export, message, ts, user, write
from company_files import Rows, fetched, skips, written
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiny_org import brain_of, dump

from brain import loads
from brain.connectors import slack
from brain.connectors.slack_rows import _means
from brain.connectors.slack_text import blocks_text, first_words, readable
from brain.errors import BadInput

A, B, C = "U0000001", "U0000002", "U0000003"
SAMPLES = Path(__file__).parent.parent.parent / "shared" / "formats" / "slack"


def kept(records, kind="message"):
    return [r for r in records if r["kind"] == kind]


def zipped(folder: Path, target: Path, inside: str = "") -> Path:
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, f"{inside}{path.relative_to(folder).as_posix()}")
    return target


@pytest.fixture
def talk(tmp_path):
    return export(
        tmp_path / "slack",
        {
            "kilns": [
                message(A, 1, "The kiln door sticks", thread=1, reply_count=2),
                message(B, 2, "Which one?", thread=1),
                message(A, 3, "the left", thread=1, edited={"user": A, "ts": ts(9)}),
                message(C, 4, "<@U0000001> <@U0000002|bo> see <#C0000000|kilns> &gt; <https://acme.example/x|the page> &amp; <https://acme.example/y>"),
            ],
            "lab": [message(A, 5, "nobody else may read this")],
        },
        private=("lab",),
    )


# -- what is kept ----------------------------------------------------------------------------


def test_threads_messages_and_who_wrote_them(talk):
    rows = Rows(fetched("slack", talk))
    first, lone = f"thread:kilns/{ts(1)}", f"thread:kilns/{ts(4)}"
    assert {(s, d) for s, d in rows.of("IN_THREAD") if d == first} == {(f"message:kilns/{ts(n)}", first) for n in (1, 2, 3)}
    assert (f"message:kilns/{ts(4)}", lone) in rows.of("IN_THREAD"), "a message without answers is a thread of its own"
    assert rows.nodes[first]["n"] == 3 and rows.nodes[first]["title"] == "The kiln door sticks" and rows.nodes[first]["at"] == T0 + 60
    assert rows.nodes[f"message:kilns/{ts(3)}"]["edited_at"] == T0 + 540
    assert rows.of("POSTED") >= {("person:ada-byron", f"message:kilns/{ts(1)}"), ("person:bo-diddley", f"message:kilns/{ts(2)}")}
    assert (first, "channel:kilns") in rows.of("IN_CHANNEL") and ("person:ada-byron", "channel:kilns") in rows.of("IN_CHANNEL")


def test_markup_is_resolved_to_what_people_read(talk):
    text = Rows(fetched("slack", talk)).texts[f"message:kilns/{ts(4)}", "body"]
    assert text.body == "@Ada Byron @Bo Diddley see #kilns > the page (https://acme.example/x) & https://acme.example/y"
    assert text.title.startswith("#kilns: ") and text.at == T0 + 240


def test_an_answer_is_found_by_what_its_thread_is_about(talk):
    rows = Rows(fetched("slack", talk))
    assert {rows.texts[f"message:kilns/{ts(n)}", "body"].title for n in (1, 2, 3)} == {"#kilns: The kiln door sticks"}


def test_a_mention_of_somebody_is_an_edge_to_the_person_with_its_line(talk):
    rows = Rows(fetched("slack", talk))
    assert rows.props[f"message:kilns/{ts(4)}", "MENTIONS", "person:bo-diddley"]["line"] == 1


def test_an_address_is_stored_nowhere(tmp_path):
    folder = export(tmp_path / "s", {"kilns": [message(A, 1, "write to <mailto:ada@example.org|ada@example.org> or dee@example.com")]})
    records = fetched("slack", folder)
    assert "example.org" not in json.dumps(records) and "example.com" not in json.dumps(records)
    assert any(str(r.get("email", "")).startswith("h:") for r in kept(records, "account"))


def test_the_users_are_accounts_and_a_document_whose_lines_they_quote(tmp_path):
    people = [user(A, "ada", "Ada Byron", profile={"title": "Potter", "fields": {"Xf1": {"value": "https://github.com/ada-b"}}}),
              user(B, "robot", "Robot", is_bot=True), user(C, "cy", "Cy Twombly", deleted=True)]  # fmt: skip
    rows = Rows(fetched("slack", export(tmp_path / "s", {"kilns": [message(A, 1, "hello")]}, users=people)))
    body = rows.texts["doc:s/users.json", "body"].body.splitlines()
    assert body == [f"{A} @ada Ada Byron, Potter, github.com/ada-b", f"{B} @robot Robot, bot", f"{C} @cy Cy Twombly, deactivated"]
    assert rows.nodes["doc:s/users.json"]["kind"] == "people" and rows.nodes["person:ada-b"]["title"] == "Potter"
    who = dict(rows.of("SAME_AS"))
    assert who[f"account:slack/{A.lower()}"] == "person:ada-b" and rows.nodes[who[f"account:slack/{B.lower()}"]]["bot"]
    assert "departed_at" not in rows.nodes["person:cy-twombly"], "that an account is closed tells no date"


def test_somebody_who_wrote_and_is_not_listed_is_known_by_the_message(tmp_path):
    folder = export(tmp_path / "s", {"kilns": [message("U0000009", 1, "hi", user_profile={"real_name": "Dee Dee", "name": "dee"}), message("U0000008", 2, "ho")]})
    rows = Rows(fetched("slack", folder))
    assert ("person:dee-dee", f"message:kilns/{ts(1)}") in rows.of("POSTED") and len(rows.of("POSTED")) == 2
    assert "U0000009 @dee Dee Dee, not in the list of users" in rows.texts["doc:s/users.json", "body"].body


def test_an_answer_whose_first_message_is_not_there_still_has_its_thread(tmp_path):
    rows = Rows(fetched("slack", export(tmp_path / "s", {"kilns": [message(B, 7, "second", thread=1), message(A, 5, "first left", thread=1)]})))
    assert rows.nodes[f"thread:kilns/{ts(1)}"]["title"] == "first left" and rows.nodes[f"thread:kilns/{ts(1)}"]["n"] == 2


def test_text_in_blocks_and_titles_of_files_stand_in_for_a_message_without_text(tmp_path):
    block = {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [
        {"type": "text", "text": "ask "}, {"type": "user", "user_id": B}, {"type": "link", "url": "https://acme.example"}]}]}  # fmt: skip
    rows = Rows(fetched("slack", export(tmp_path / "s", {"kilns": [
        message(A, 1, "", blocks=[block]), message(A, 2, "", files=[{"title": "plan.pdf", "url_private": "https://files.slack.com/x?t=xoxe-1"}]),
    ]})))  # fmt: skip
    assert rows.texts[f"message:kilns/{ts(1)}", "body"].body == "ask @Bo Diddleyhttps://acme.example"
    assert rows.texts[f"message:kilns/{ts(2)}", "body"].body == "(a file: plan.pdf)"


@pytest.mark.parametrize(
    ("key", "line", "named"),
    [("service:rota", "the rota is empty", True), ("service:rota", "12 rota entries", False), ("team:boards", "the boards' new levels", False),
     ("team:boards", "She is with Boards since June", True), ("team:boards", "Boards of wood", False), ("team:boards", "ask team boards", True), ("team:boards", "ask #boards", True),
     ("system:readings", "the readings system is slow", True), ("system:readings", "2 readings a second", False), ("service:kiln-control", "kiln-control is down", True)],
)  # fmt: skip
def test_a_plain_word_is_a_name_only_where_it_stands_for_the_thing(key, line, named):
    word = key.partition(":")[2]
    start = line.lower().index(word)
    assert _means(key, line, start, start + len(word)) is named


# -- what is left out ------------------------------------------------------------------------


def test_what_is_no_talk_is_dropped_and_counted_by_reason_with_its_place(tmp_path):
    said = [
        message(A, 1, "joined", subtype="channel_join"), message(B, 2, "joined", subtype="channel_join"), message(A, 3, "topic", subtype="channel_topic"),
        message(A, 4, "beep", subtype="bot_message", bot_id="B1"), {"type": "message", "bot_id": "B1", "text": "beep", "ts": ts(5)},
        message(A, 6, "This message was deleted.", subtype="tombstone"), message(A, 7, ""), "nonsense", message(A, 8, "x", ts="soon"), message(A, 9, "kept"), message(A, 9, "kept"),
    ]  # fmt: skip
    records = fetched("slack", export(tmp_path / "s", {"kilns": said}))
    assert [m["text"] for m in kept(records)] == ["kept"]
    counted = {r["reason"]: (r["count"], r["file"]) for r in records if r["kind"] == "skip"}
    place = "s/kilns/2026-05-28.json"
    assert counted == {
        "channel join messages": (2, place), "channel topic messages": (1, place), "messages of programs": (2, place), "deleted messages": (1, place),
        "a message without words": (1, place), "an entry that is no message": (1, place), "a message without a time": (1, place), "the same message once more": (1, place),
    }  # fmt: skip
    line = next(r["line"] for r in records if r.get("reason") == "channel topic messages")
    assert "topic" in "".join((tmp_path / place).read_text().splitlines()[line - 1 : line + 8])
    assert records[-1]["messages"] == 1


def test_an_edit_and_a_deletion_told_as_events_count_wherever_they_stand(tmp_path):
    folder = export(tmp_path / "s", {"kilns": [message(A, 1, "forty degrees"), message(A, 2, "wrong channel")]})
    write(folder / "kilns" / "2026-05-29.json", [
        message(A, 8, "", subtype="message_changed", message={"user": A, "ts": ts(1), "text": "fifty degrees", "edited": {"user": A, "ts": ts(8)}}),
        message(A, 9, "", subtype="message_deleted", deleted_ts=ts(2)),
    ])  # fmt: skip
    found = kept(fetched("slack", folder))
    assert [(m["text"], m["edited_at"]) for m in found] == [("fifty degrees", T0 + 480)]


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5), lambda x: st.lists(x, max_size=2) | st.dictionaries(
    st.sampled_from(["user", "text", "ts", "id", "name", "title", "real_name", "fields", "type", "elements"]), x, max_size=3), max_leaves=6)  # fmt: skip
FIELDS = ("user", "text", "ts", "thread_ts", "subtype", "edited", "files", "file", "blocks", "comment", "bot_id", "reply_count", "user_profile", "message", "hidden")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=5) | JSON, max_size=4), st.dictionaries(st.sampled_from(
    ["id", "name", "members", "is_private", "is_im", "profile", "real_name", "is_bot", "deleted"]), JSON, max_size=5))  # fmt: skip
def test_nothing_in_an_export_stops_its_load(tmp_path, said, listed):
    known = [{**m, "ts": ts(n)} if isinstance(m, dict) and n % 2 else m for n, m in enumerate(said)]
    folder = export(tmp_path / "odd", {"kilns": known}, users=[user(A, "ada", "Ada Byron"), listed])
    write(folder / "channels.json", [channel("C0000001", "kilns"), listed])
    assert Rows(fetched("slack", folder)).nodes


def test_a_file_that_is_broken_costs_itself_and_names_its_line(tmp_path):
    folder = export(tmp_path / "s", {"kilns": [message(A, 1, "kept")]})
    written(folder / "kilns" / "2026-05-30.json", '[\n {"ts": "1780000000.1", "text": "before", "user": "U0000001"},\n {"ts": nonsense}\n]')
    written(folder / "kilns" / "2026-05-31.json", "")
    written(folder / "kilns" / "canvas.json", "[]")
    records = fetched("slack", folder)
    assert {m["text"] for m in kept(records)} == {"kept", "before"}
    assert {(file, line) for _, file, line in skips(records)} == {
        ("s/kilns/2026-05-30.json", 3), ("s/kilns/2026-05-31.json", 0), ("s/kilns/canvas.json", 0),
    }  # fmt: skip


def test_lists_that_are_broken_cost_themselves(tmp_path):
    folder = export(tmp_path / "s", {"kilns": [message(A, 1, "kept")]})
    written(folder / "users.json", '[{"id": "U0000001", "name": "ada"}, 7, {"name": "x"}]')
    records = fetched("slack", folder)
    assert len(kept(records)) == 1 and len([s for s in skips(records) if s[1] == "s/users.json"]) == 1
    written(folder / "users.json", "{")
    assert len(kept(fetched("slack", folder))) == 1


def test_what_is_no_export_is_refused_in_one_line(tmp_path):
    with pytest.raises(BadInput, match=r"holds neither users\.json"):
        fetched("slack", written(tmp_path / "x" / "a.txt", "hello").parent)
    with pytest.raises(BadInput, match="is no Slack export"):
        fetched("slack", written(tmp_path / "a.txt", "hello"))


# -- who may read it -------------------------------------------------------------------------


def test_a_private_channel_is_for_its_members(talk):
    rows = Rows(fetched("slack", talk))
    for key in (f"message:lab/{ts(5)}", f"thread:lab/{ts(5)}"):
        assert rows.nodes[key]["access"] == "restricted" and rows.nodes[key]["aud"] == ["channel:lab"]
        assert (key, "channel:lab") in rows.of("VISIBLE_TO")
    text = rows.texts[f"message:lab/{ts(5)}", "body"]
    assert (text.access, text.aud) == ("restricted", ("channel:lab",)) and rows.nodes["channel:lab"]["private"]
    assert rows.nodes[f"message:kilns/{ts(1)}"]["access"] == "open" and not rows.nodes["channel:kilns"]["private"]


def test_a_channel_flagged_private_or_in_no_list_is_restricted_too(tmp_path):
    folder = export(tmp_path / "s", {"kilns": [message(A, 1, "x")], "vault": [message(A, 2, "y")], "stray": [message(A, 3, "z")]})
    write(folder / "channels.json", [channel("C0000001", "kilns"), channel("C0000002", "vault", is_private=True)])
    records = fetched("slack", folder, access="internal")
    assert {m["channel"]: m["access"] for m in kept(records)} == {"kilns": "internal", "vault": "restricted", "stray": "restricted"}
    assert records[-1]["channels_in_no_list"] == 1


def test_without_any_list_of_channels_the_chosen_access_counts(tmp_path):
    folder = export(tmp_path / "s", {"kilns": [message(A, 1, "x")]})
    for name in ("channels.json", "groups.json", "users.json"):
        (folder / name).unlink()
    records = fetched("slack", folder)
    assert [m["access"] for m in kept(records)] == ["open"] and "doc:s/writers" in Rows(records).nodes


@pytest.fixture
def direct(tmp_path):
    folder = export(tmp_path / "s", {"kilns": [message(A, 1, "x")]})
    write(folder / "dms.json", [{"id": "D0000001", "members": [A, B]}])
    write(folder / "mpims.json", [channel("G0000009", "mpdm-ada--bo--cy-1", (A, B, C), is_mpim=True)])
    write(folder / "D0000001" / "2026-05-28.json", [message(A, 2, "between us")])
    write(folder / "mpdm-ada--bo--cy-1" / "2026-05-28.json", [message(A, 3, "among us")])
    return folder


def test_direct_messages_stay_out(direct):
    records = fetched("slack", direct)
    assert [m["text"] for m in kept(records)] == ["x"] and "us" not in {m["text"] for m in kept(records)}
    assert sum(r["count"] for r in records if r["kind"] == "skip" and "include_dms" in r["reason"]) == 2
    assert not any("D0000001" in str(r.get("name")) or "mpdm" in str(r.get("name")) for r in records)


def test_direct_messages_that_are_asked_for_are_readable_by_the_people_in_them(direct):
    rows = Rows(fetched("slack", direct, include_dms="yes"))
    assert rows.nodes[f"message:D0000001/{ts(2)}"]["aud"] == ["person:ada-byron", "person:bo-diddley"]
    assert len(rows.nodes[f"message:mpdm-ada--bo--cy-1/{ts(3)}"]["aud"]) == 3
    assert {k for k in rows.nodes if k.startswith("channel:")} == {"channel:kilns"}
    assert (f"thread:D0000001/{ts(2)}", "person:bo-diddley") in rows.of("VISIBLE_TO")


def test_a_renamed_channel_is_known_by_its_earlier_name(tmp_path):
    said = [message(A, 1, "renamed", subtype="channel_name", old_name="ovens", name="kilns"), message(A, 2, "x")]
    assert Rows(fetched("slack", export(tmp_path / "s", {"kilns": said}))).nodes["channel:kilns"]["aliases"] == ["ovens"]


# -- layouts ---------------------------------------------------------------------------------


def test_a_zip_gives_the_same_messages_as_its_folder(talk, tmp_path):
    whole = [{k: v for k, v in m.items() if k != "file"} for m in kept(fetched("slack", talk))]
    for inside in ("", "Acme Slack export/"):
        packed = zipped(talk, tmp_path / "export.zip", inside)
        assert slack.recognise(packed)
        records = fetched("slack", packed)
        assert [{k: v for k, v in m.items() if k != "file"} for m in kept(records)] == whole
        assert {m["file"] for m in kept(records)} == {"export.zip/kilns/2026-05-28.json", "export.zip/lab/2026-05-28.json"}


def test_a_damaged_file_in_a_zip_costs_itself(talk, tmp_path):
    packed = zipped(talk, tmp_path / "export.zip")
    packed.write_bytes(packed.read_bytes().replace(b"nobody else may read", b"NOBODY else may read"))
    records = fetched("slack", packed)
    assert len(kept(records)) == 4 and [(file, "cannot be unpacked" in why) for why, file, _ in skips(records)] == [("export.zip/lab/2026-05-28.json", True)]


def test_one_channel_folder_is_read_with_the_lists_beside_it(talk):
    records = fetched("slack", talk / "lab", base=talk.parent)
    assert [(m["channel"], m["access"]) for m in kept(records)] == [("lab", "restricted")] and len(kept(records, "account")) == 3


def test_a_folder_is_recognised_by_what_stands_in_it(talk, tmp_path):
    assert slack.recognise(talk) and slack.recognise(talk / "kilns")
    shutil.rmtree(talk / "kilns")
    assert slack.recognise(talk), "the lists alone show it"
    assert not slack.recognise(written(tmp_path / "notes" / "2026-05-28.json", '[{"title": "x"}]').parent)
    assert not slack.recognise(written(tmp_path / "app" / "users.json", '[{"id": 1, "name": "x"}]').parent)
    assert not slack.recognise(written(tmp_path / "a.zip", b"PK not really"))


def test_lines_are_those_of_the_file_in_every_layout(tmp_path):
    messages = [message(A, n, f"m{n}") for n in (1, 2)]
    for text, lines in (
        (json.dumps(messages, indent=4), [2, 8]), (json.dumps(messages), [1, 0]),
        ("[" + ",\n".join(json.dumps(m) for m in messages) + "]", [1, 0]), ("[\n" + ",\n".join(json.dumps(m) for m in messages) + "\n]", [2, 3]),
    ):  # fmt: skip
        folder = export(tmp_path / "s", {"kilns": []})
        written(folder / "kilns" / "2026-05-28.json", text)
        assert [m["line"] for m in kept(fetched("slack", folder))] == lines


@pytest.mark.skipif(not SAMPLES.exists(), reason="the samples of real exports are not here")
@pytest.mark.parametrize("sample", sorted(SAMPLES.iterdir()) if SAMPLES.exists() else [], ids=lambda p: p.name)
def test_a_real_export_loads_whole(sample):
    """Every message of the files is kept or dropped with a reason; nothing else of the samples is in this repository."""
    records = fetched("slack", sample)
    raw = [m for path in sample.glob("*/*.json") for m in json.loads(path.read_bytes())]
    joins = sum(m.get("subtype") == "channel_join" for m in raw)
    assert sum(r["count"] for r in records if r.get("reason") == "channel join messages") == joins > 0
    users = len(json.loads((sample / "users.json").read_bytes()))
    assert records[-1]["read"] == len(raw) + users + len(json.loads((sample / "channels.json").read_bytes()))
    rows = Rows(records)
    assert len(rows.of("IN_THREAD")) == records[-1]["messages"] and not rows.skips
    text = " ".join(t.body for t in rows.texts.values())
    assert "<@" not in text and "&gt;" not in text and "@redacted" not in text


# -- the graph -------------------------------------------------------------------------------


def test_twice_in_halves_and_in_another_order_is_the_same_graph(home, tmp_path):
    said = {
        "kilns": [message(A, 1, "RULE CHANGE: Firing window: 4 hours from 2026-09-15", thread=1), message(B, 2, "ok <@U0000001>", thread=1)],
        "lab": [message(A, 5, "RULE CHANGE: Firing window: 3 hours from 2026-10-15", thread=4), message(C, 6, "noted", thread=4)],
    }
    halves = [export(tmp_path / "h" / name / "slack", {name: messages}, private=("lab",)) for name, messages in said.items()]
    brain = brain_of(home, "slack_halves")
    graphs = []
    for order in (halves, halves[::-1], [*halves, *halves]):
        for source in brain.files.records.sources():
            brain.files.records.remove(source)
        for half in order:
            outcome = brain.load({str(half): loads.named(home, "slack", half, name=half.parent.name)})
            assert not outcome.failures
        graphs.append(dump(brain.store, brain.workspace))
    assert graphs[0] == graphs[1] == graphs[2]
    rows = brain.store.read("brain:slack_halves", "MATCH (a:Rule)-[r:SUPERSEDES]->(b:Rule) RETURN a.value AS new, b.value AS old, r.state AS state").rows
    assert rows == ({"new": "3 hours", "old": "4 hours", "state": "approved"},)
    brain.store.drop("brain:slack_halves")
    brain.close()


def test_a_half_without_the_list_of_users_takes_nobody_s_name(home, tmp_path):
    whole, bare = (export(tmp_path / name / "slack", {name: [message(A, n, "hi")]}) for n, name in enumerate(("kilns", "lab"), 1))
    (bare / "users.json").unlink()
    brain = brain_of(home, "slack_bare")
    graphs = []
    for order in ((whole, bare), (bare, whole)):
        for source in brain.files.records.sources():
            brain.files.records.remove(source)
        for half in order:
            assert not brain.load({str(half): loads.named(home, "slack", half)}).failures
        graphs.append(dump(brain.store, brain.workspace))
    assert graphs[0] == graphs[1]
    rows = brain.store.read("brain:slack_bare", "MATCH (p:Person)-[:POSTED]->(m:Message) RETURN DISTINCT p.key AS key, p.name AS name").rows
    assert rows == ({"key": "person:ada-byron", "name": "Ada Byron"},)
    brain.store.drop("brain:slack_bare")
    brain.close()


def test_an_export_torn_apart_anywhere_is_the_whole_again_and_nothing_private_becomes_open(home, tmp_path):
    whole = export(tmp_path / "w" / "slack", {"kilns": [message(A, 1, "hi")], "lab": [message(B, 2, "for us alone")]}, private=("lab",))
    torn = [[("lab", "users.json"), ("groups.json", "channels.json", "kilns")], [("lab", "channels.json"), ("groups.json", "users.json", "kilns")],
            [("kilns", "groups.json"), ("channels.json", "users.json", "lab")]]  # fmt: skip
    brain, graphs = brain_of(home, "slack_torn"), []
    cases = [[whole]]
    for n, parts in enumerate(torn):
        halves = []
        for m, names in enumerate(parts):
            halves.append(tmp_path / f"{n}{m}" / "slack")
            halves[-1].mkdir(parents=True)
            for name in names:
                (shutil.copytree if (whole / name).is_dir() else shutil.copy)(whole / name, halves[-1] / name)
        cases += [halves, halves[::-1]]
    for case in cases:
        for source in brain.files.records.sources():
            brain.files.records.remove(source)
        for part in case:
            assert not brain.load({str(part): loads.named(home, "slack", part)}).failures
        graphs.append(dump(brain.store, brain.workspace))
    assert all(graph == graphs[0] for graph in graphs)
    rows = brain.store.read("brain:slack_torn", "MATCH (m:Message) RETURN m.channel AS channel, m.access AS access ORDER BY channel").rows
    assert rows == ({"channel": "kilns", "access": "open"}, {"channel": "lab", "access": "restricted"})
    brain.store.drop("brain:slack_torn")
    brain.close()


def test_what_is_no_longer_in_the_export_is_gone_from_then_on(home, tmp_path):
    brain = brain_of(home, "slack_gone")
    for messages in ([message(A, 1, "one"), message(A, 2, "two")], [message(A, 1, "one")]):
        assert not brain.load({"s": loads.named(home, "slack", export(tmp_path / "slack", {"kilns": messages}))}).failures
    rows = brain.store.read("brain:slack_gone", "MATCH (m:Message) RETURN m.name AS name, m.gone IS NOT NULL AS gone ORDER BY name").rows
    assert rows == ({"name": "one", "gone": False}, {"name": "two", "gone": True})
    brain.store.drop("brain:slack_gone")
    brain.close()


# -- readable text ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "shown"),
    [("<@U0000001>", "@ada"), ("<@U0000007|dee>", "@dee"), ("<@U0000007>", "@U0000007"), ("<#C1>", "#kilns"), ("<!here> <!subteam^S1|@potters>", "@here @potters"),
     ("<!date^1|2 May>", "2 May"), ("<https://acme.example|acme.example>", "https://acme.example"), ("<https://files.slack.com/a?t=xoxe-1|plan>", "plan"),
     ("a &lt;b&gt; c", "a <b> c"), ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"), ("<tel:+1|+1>", "+1"), ("one\n<@U0000001>\nthree", "one\n@ada\nthree")],
)  # fmt: skip
def test_readable(raw, shown):
    assert readable(raw, {"U0000001": "ada"}.get, lambda id_: "kilns" if id_ == "C1" else "") == shown  # type: ignore[arg-type]


def test_first_words_leave_markup_out_and_end_at_a_word():
    assert first_words("\n*:fire: Kiln* is _hot_") == "Kiln* is _hot"
    assert first_words("word " * 40).endswith("word…") and len(first_words("word " * 40)) <= 80


def test_quoted_blocks_stay_quoted():
    quote = {"type": "rich_text", "elements": [{"type": "rich_text_quote", "elements": [{"type": "text", "text": "taking it\nnow"}]}]}
    assert blocks_text([quote]) == "> taking it\n> now"
