"""Who took, got, checked and repaired a ticket by what they wrote, and which rule replaces which by what was announced."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from chat_export import T0, export, message, ts
from company_files import Rows, fetched, written

from brain.assertions import aid
from brain.connectors import slack, tickets
from brain.connectors.context import Context
from brain.types import ClaimRow

A, B, C = "U0000001", "U0000002", "U0000003"
ADA, BO, CY = "person:ada-byron", "person:bo-diddley", "person:cy-twombly"
TICKETS = """Issue key,Summary,Status,Created,Description
KIL-7,Kiln cools too fast,Open,2026-05-01 08:00,It cools by forty degrees.
KIL-8,Door sticks,Open,2026-05-02 08:00,The left door.
KIL-9,Glaze cracks,Open,2026-05-03 08:00,Fine cracks.
"""
POLICY = """---
title: Firing
kind: policy
effective_from: 2026-01-05
---

| Rule | Value | Applies to |
|---|---|---|
| Firing window | 8 hours | |
| Cooling time | one day | |
"""


def chat(tmp_path, *messages, csv=TICKETS, docs=None, **channels):
    """The rows of a channel's messages beside the tickets, and the documents given by path."""
    sources = [fetched("slack", export(tmp_path / "slack", {"kilns": list(messages), **channels}, private=("lab",)))]
    sources.append(fetched("tickets", written(tmp_path / "tickets" / "t.csv", csv)))
    for path, text in (docs or {}).items():
        written(tmp_path / path, text)
    if docs:
        sources.append(fetched("markdown", tmp_path / "docs", base=tmp_path))
    return Rows(*sources)


def handled(rows):
    """(ticket, person, what, state) of what chat claims."""
    found = {(s, d): rows.props[s, "HANDLED_BY", d] for s, d in rows.of("HANDLED_BY")}
    return {(s, d, p["what"], p["state"]) for (s, d), p in found.items() if p["rule"].startswith("slack:")}


def day(text):
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


# -- who handled a ticket --------------------------------------------------------------------


def test_taking_a_ticket_by_its_id_is_an_observation_of_the_writer(tmp_path):
    rows = chat(tmp_path, message(A, 1, "Morning.\nI'll take KIL-7"))
    assert handled(rows) == {("ticket:KIL-7", ADA, "claimed", "approved")}
    claim = rows.props["ticket:KIL-7", "HANDLED_BY", ADA]
    assert (claim["authority"], claim["valid_from"], claim["recorded_at"], claim["access_key"]) == ("observation", T0 + 60, T0 + 60, f"message:kilns/{ts(1)}")
    assert (f"message:kilns/{ts(1)}", "ticket:KIL-7") in rows.of("REFERENCES") and ("ticket:KIL-7", f"thread:kilns/{ts(1)}") in rows.of("DISCUSSED_IN")


NUMBERS = """Key,Summary,Status,Created,Description
8117,Lamp flickers,Open,2026-05-01 08:00,The left lamp.
KIL-204,Kiln is cold,Open,2026-05-01 08:00,It stays at 200 C.
KIL-205,Door sticks,Open,2026-05-02 08:00,The left door.
LAB-205,Glaze cracks,Open,2026-05-03 08:00,Fine cracks.
"""


def test_a_number_alone_is_the_ticket_of_that_id_or_the_only_one_of_that_number(tmp_path):
    said = [message(A, 1, "grabbing 8117"), message(B, 2, "grabbing 204"), message(C, 3, "grabbing 205"), message(C, 4, "grabbing 999")]
    assert handled(chat(tmp_path, *said, csv=NUMBERS)) == {("ticket:8117", ADA, "claimed", "approved"), ("ticket:KIL-204", BO, "claimed", "candidate")}


def test_an_answer_means_the_one_ticket_that_the_thread_starts_with(tmp_path):
    rows = chat(tmp_path, message(A, 1, "KIL-7 is back, who knows?", thread=1), message(B, 2, "on it", thread=1), message(C, 3, "verified", thread=1))
    assert handled(rows) == {("ticket:KIL-7", BO, "claimed", "approved"), ("ticket:KIL-7", CY, "verified", "approved")}


def test_where_the_thread_starts_with_two_or_none_it_is_not_plain(tmp_path):
    two = chat(tmp_path / "a", message(A, 1, "KIL-7 and KIL-8 are back", thread=1), message(B, 2, "on it", thread=1))
    assert handled(two) == set()
    later = chat(tmp_path / "b", message(A, 1, "it is back", thread=1), message(A, 2, "KIL-7 I mean", thread=1), message(B, 3, "on it", thread=1))
    assert handled(later) == {("ticket:KIL-7", BO, "claimed", "candidate")}
    assert handled(chat(tmp_path / "c", message(A, 1, "the kiln is cold", thread=1), message(B, 2, "on it", thread=1))) == set()


def test_a_ticket_that_is_only_compared_with_is_not_the_one_taken(tmp_path):
    rows = chat(tmp_path, message(A, 1, "KIL-7 is back", thread=1), message(B, 2, "on it, looks like KIL-8 to me", thread=1))
    assert handled(rows) == {("ticket:KIL-7", BO, "claimed", "approved")}


def test_handing_over_counts_when_the_other_says_yes(tmp_path):
    ask = "<@U0000002> can you take KIL-7?"
    yes = chat(tmp_path / "a", message(A, 1, ask, thread=1), message(C, 2, "ok", thread=1), message(B, 5, "sure, will do", thread=1))
    assert handled(yes) == {("ticket:KIL-7", BO, "transferred", "approved")}
    assert yes.props["ticket:KIL-7", "HANDLED_BY", BO]["valid_from"] == T0 + 300, "from the moment they said yes"
    for n, answer in enumerate(("no, sorry", "ok but I can't today", "why?")):
        no = chat(tmp_path / f"b{n}", message(A, 1, ask, thread=1), message(B, 5, answer, thread=1))
        assert handled(no) == {("ticket:KIL-7", BO, "transferred", "candidate")}
    early = chat(tmp_path / "c", message(B, 1, "ok", thread=1), message(A, 2, ask, thread=1))
    assert handled(early) == {("ticket:KIL-7", BO, "transferred", "candidate")}
    assert handled(chat(tmp_path / "d", message(B, 1, "<@U0000002> can you take KIL-7?"))) == set(), "nobody hands over to themselves"


def test_what_is_said_to_be_repaired_is_its_taker_s(tmp_path):
    rows = chat(tmp_path, message(A, 1, "taking KIL-7"), message(A, 5, "KIL-7 is fixed, the fuse."), message(B, 6, "KIL-8 is fixed"))
    assert handled(rows) == {("ticket:KIL-7", ADA, "fixed", "approved"), ("ticket:KIL-8", BO, "fixed", "candidate")}
    late = chat(tmp_path / "b", message(A, 5, "taking KIL-7"), message(B, 1, "KIL-7 is fixed, the fuse."))
    assert ("ticket:KIL-7", BO, "fixed", "candidate") in handled(late), "another took it"


def test_one_line_may_say_two_things_of_one_ticket(tmp_path):
    source = fetched("slack", export(tmp_path / "slack", {"kilns": [message(A, 1, "fixed KIL-7 and verified on site")]}))
    listed = fetched("tickets", written(tmp_path / "t.csv", TICKETS))
    context = Context.build([iter(source), iter(listed)], knowing={"slack": slack.known, "tickets": tickets.known})
    claims = [r for r in slack.rows(iter(source), context) if isinstance(r, ClaimRow) and r.rel == "HANDLED_BY"]
    assert [c.props["what"] for c in claims] == ["fixed", "verified"]
    assert len({aid(c) for c in claims}) == 2


def test_what_was_done_by_another_is_the_other_s_and_only_a_candidate(tmp_path):
    rows = chat(tmp_path, message(A, 1, "KIL-7 fixed by bo"), message(A, 2, "KIL-8 verified by Cy Twombly"), message(A, 3, "KIL-9 fixed by turning the pot"), message(B, 4, "KIL-9 verified by the vendor"))
    assert handled(rows) == {
        ("ticket:KIL-9", BO, "verified", "candidate"), ("ticket:KIL-7", BO, "fixed", "candidate"), ("ticket:KIL-8", CY, "verified", "candidate"), ("ticket:KIL-9", ADA, "fixed", "approved"),
    }  # fmt: skip


@pytest.mark.parametrize("text", ["I'll take KIL-70", "taking UTF-8", "> I'll take KIL-7", "who takes KIL-7?", "Bo said: I'll take KIL-7"])
def test_unknown_tickets_and_what_is_not_said_give_no_claim(tmp_path, text):
    assert handled(chat(tmp_path, message(A, 1, text))) == set()


def test_a_claim_in_a_private_channel_is_for_its_members(tmp_path):
    rows = chat(tmp_path, lab=[message(A, 1, "taking KIL-7")])
    claim = rows.props["ticket:KIL-7", "HANDLED_BY", ADA]
    assert (claim["access"], claim["aud"]) == ("restricted", ["channel:lab"])


def test_the_words_of_an_edit_are_known_since_the_edit(tmp_path):
    rows = chat(tmp_path, message(A, 1, "taking KIL-7", edited={"user": A, "ts": ts(9)}))
    assert rows.props["ticket:KIL-7", "HANDLED_BY", ADA]["recorded_at"] == T0 + 540


def test_the_order_of_messages_in_the_files_changes_nothing(tmp_path):
    said = [message(A, 1, "KIL-7, <@U0000002> can you take it?", thread=1), message(B, 2, "yes", thread=1), message(C, 3, "fixed", thread=1)]
    there, back = (chat(tmp_path / name, *order) for name, order in (("a", said), ("b", list(reversed(said)))))
    assert there.edges == back.edges and there.props == back.props and there.nodes == back.nodes


# -- announced rules -------------------------------------------------------------------------

SAID = "RULE CHANGE: Firing window: 4 hours from 2026-09-15"
NEW = f"rule:kilns-{T0 + 60}-000100/firing-window"
OLD = "rule:docs-policies-firing/firing-window"


def rules(rows):
    return {(s, d): (p["state"], p["valid_from"], p.get("scope")) for (s, r, d), p in rows.props.items() if r == "SUPERSEDES"}


def test_an_announcement_is_a_rule_of_practice_that_starts_when_it_says(tmp_path):
    rows = chat(tmp_path, message(A, 1, SAID))
    node = rows.nodes[NEW]
    assert (node["title"], node["slot"], node["value"], node["authority"], node["doc"]) == ("Firing window", "firing-window", "4 hours", "practice", f"message:kilns/{ts(1)}")
    assert node["at"] == node["valid_from"] == day("2026-09-15") and "subject" not in node
    assert (ADA, NEW) in rows.of("WROTE") and (NEW, f"message:kilns/{ts(1)}") in rows.of("DISCUSSED_IN") and rules(rows) == {}


def test_it_replaces_the_rule_of_its_name_in_the_document_it_names_and_no_other(tmp_path):
    rows = chat(tmp_path, message(A, 1, f"{SAID}, replaces docs/policies/firing.md"), docs={"docs/policies/firing.md": POLICY})
    assert rules(rows) == {(NEW, OLD): ("approved", day("2026-09-15"), None)}
    assert rows.props[NEW, "SUPERSEDES", OLD]["authority"] == "practice" and "rule:docs-policies-firing/cooling-time" in rows.nodes


def test_without_a_name_it_replaces_the_only_rule_of_its_slot_and_subject(tmp_path):
    rows = chat(tmp_path, message(A, 1, SAID), docs={"docs/policies/firing.md": POLICY})
    assert rules(rows) == {(NEW, OLD): ("approved", day("2026-09-15"), None)}
    other = POLICY.replace("| Firing window | 8 hours | |", "| Firing window | 8 hours | night shift |")
    assert rules(chat(tmp_path / "b", message(A, 1, SAID), docs={"docs/policies/firing.md": other})) == {}, "another subject's rule stays"


def test_a_second_announcement_replaces_the_first(tmp_path):
    rows = chat(
        tmp_path, message(A, 1, f"{SAID}, replaces docs/policies/firing.md"), message(A, 9, "RULE CHANGE: Firing window: 3 hours from 2026-10-01"),
        docs={"docs/policies/firing.md": POLICY},
    )  # fmt: skip
    third = f"rule:kilns-{T0 + 540}-000100/firing-window"
    assert {pair: state for pair, (state, *_) in rules(rows).items()} == {(NEW, OLD): "approved", (third, NEW): "approved"}


def test_it_binds_the_team_it_names_and_keeps_as_a_condition_what_is_not_known(tmp_path):
    rows = chat(tmp_path, message(A, 1, f"{SAID}, for the night shift"))
    assert rows.nodes[NEW]["conditions"] == "for the night shift" and len(rows.skips) == 1
    rows = chat(tmp_path / "b", message(A, 1, f"{SAID}, until 2026-10-01, for #kilns"))
    assert rows.nodes[NEW]["valid_to"] == day("2026-10-02")


def test_a_document_without_a_rule_of_that_name_is_replaced_in_this_alone(tmp_path):
    other = POLICY.replace("Firing window", "Night watch")
    rows = chat(tmp_path, message(A, 1, f"{SAID}, replaces docs/policies/firing.md"), docs={"docs/policies/firing.md": other})
    assert rules(rows) == {(NEW, "doc:docs/policies/firing.md"): ("approved", day("2026-09-15"), "Firing window")}


def test_what_replaces_nothing_that_is_loaded_is_said(tmp_path):
    rows = chat(tmp_path, message(A, 1, f"{SAID}, replaces docs/nowhere.md"))
    assert rules(rows) == {} and [s.reason for s in rows.skips] == ["a rule change that replaces what is not loaded"]


def test_confident_talk_that_mixes_two_rules_makes_none(tmp_path):
    said = "since last week every cooling has to be done within 4 hours, that is the rule now"
    rows = chat(tmp_path, message(A, 1, SAID), message(B, 2, said), docs={"docs/policies/firing.md": POLICY})
    assert {k for k in rows.nodes if k.startswith("rule:")} == {NEW, OLD, "rule:docs-policies-firing/cooling-time"}
    assert {s for s, _ in rules(rows)} == {NEW}


def test_a_line_that_only_resembles_an_announcement_is_reported_with_its_place(tmp_path):
    rows = chat(tmp_path, message(A, 1, "RULE CHANGE: Firing window: 4 hours from next week"))
    assert not any(k.startswith("rule:") for k in rows.nodes)
    assert [(s.origin.file, s.origin.line > 0) for s in rows.skips] == [("slack/kilns/2026-05-28.json", True)]


def test_a_rule_announced_in_a_private_channel_is_for_its_members(tmp_path):
    rows = chat(tmp_path, lab=[message(A, 1, SAID)])
    key = NEW.replace("kilns", "lab")
    assert rows.nodes[key]["aud"] == ["channel:lab"] and (key, "channel:lab") in rows.of("VISIBLE_TO")


# -- threads that describe what a ticket describes -------------------------------------------


def test_a_thread_that_describes_a_ticket_without_naming_it_is_a_candidate_with_its_best_line(tmp_path):
    csv = TICKETS + "KIL-20,Spiral crack under the celadon glaze after the second cooling,Open,2026-05-27 08:00,The crack runs from the foot to the rim.\n"
    story = "Odd thing today.\nThe celadon bowls have a spiral crack under the glaze, from foot to rim, after the second cooling.\nTea?"
    rows = chat(tmp_path, message(A, 1, "Good morning"), message(B, 2, story), message(C, 3, "Lunch at the kiln door? It sticks."), csv=csv)
    assert rows.of("SIMILAR_TO") == {(f"thread:kilns/{ts(2)}", "ticket:KIL-20")}
    claim = rows.props[f"thread:kilns/{ts(2)}", "SIMILAR_TO", "ticket:KIL-20"]
    assert (claim["state"], claim["access_key"]) == ("candidate", f"message:kilns/{ts(2)}")


def test_a_thread_that_names_its_ticket_needs_no_candidate(tmp_path):
    rows = chat(tmp_path, message(A, 1, "KIL-7 again", thread=1), message(B, 2, "kiln cools too fast, it cools by forty degrees", thread=1))
    assert rows.of("SIMILAR_TO") == set()


def test_a_thread_s_first_message_counts_though_it_does_not_tell_that_it_was_answered(tmp_path):
    rows = chat(tmp_path, {**message(A, 1, "KIL-7 again"), "thread_ts": None}, message(B, 2, "on it, taking KIL-7", thread=1), message(C, 3, "verified", thread=1))
    assert handled(rows) == {("ticket:KIL-7", BO, "claimed", "approved"), ("ticket:KIL-7", CY, "verified", "approved")}
