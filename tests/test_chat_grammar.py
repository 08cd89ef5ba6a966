"""Taking, handing over, checking and repairing are read from what people say of themselves, and from nothing that only looks like it."""

from __future__ import annotations

import pytest

from brain.connectors.chat_grammar import ACTS, FILE, Act, Grammar, grammar, phrases_file
from brain.connectors.chat_words import tickets_in, words
from brain.errors import BadInput


def said(text):
    """(what, tickets, person, sure) of every act."""
    return [(a.what, a.tickets, a.person, a.sure) for a in grammar().acts(text)]


@pytest.mark.parametrize(
    "text",
    ["I'll take KIL-7", "I’ll grab KIL-7 now", "taking KIL-7", "ok, KIL-7 is mine now", "KIL-7: taking it", "KIL-7 - I'm looking into it", "on it: KIL-7", "on it, KIL-7",
     "I'm on KIL-7", "*Taking* <https://acme.example/browse/KIL-7|KIL-7> :eyes:", "`KIL-7` is mine", "I can't take KIL-6, but I'll take KIL-7", "picking up KIL-7",
     "Thanks all! I am taking care of ticket KIL-7 today", "I have picked up KIL-7", "assigning KIL-7 to myself", "<@U0000001> I'll handle KIL-7",
     "I will take KIL-7 over from here", "Morning. I’m dealing with KIL-7.", "I got KIL-7", "dibs on KIL-7", "claimed KIL-7", "KIL-7 mine", "assigning KIL-7 to me",
     "I take KIL-7", "will take KIL-7", "Will take KIL-7 now.", "@bo, will take KIL-7", "going to take KIL-7", "I'm going to take KIL-7 today", "gonna look into KIL-7"],
)  # fmt: skip
def test_taking_a_ticket_is_the_writer_s(text):
    assert said(text) == [("claimed", ("KIL-7",), "", True)]


@pytest.mark.parametrize("text", ["on it", "On it!", "I'm on it", "I'll take this one", "taking it", "thanks, on it", "mine", "I'll look into this", "got this", "assigning to myself"])
def test_what_names_no_ticket_is_about_the_one_of_the_thread(text):
    assert grammar().acts(text) == [Act("claimed", 1)]


@pytest.mark.parametrize(
    ("text", "person"),
    [("<@U0000002> can you take KIL-7?", "U0000002"), ("<@U0000002|bo> please look into KIL-7", "U0000002"), ("@bo could you pick up KIL-7", "@bo"),
     ("handing KIL-7 over to <@U0000002>, I have no key", "U0000002"), ("KIL-7 is yours now <@U0000002>", "U0000002"), ("I assigned KIL-7 to @bo", "@bo"),
     ("KIL-7 goes to <@U0000002>", "U0000002"), ("can you take KIL-7 please, <@U0000002>?", "U0000002"), ("handing KIL-7 off to <@U0000002>", "U0000002"),
     ("could <@U0000002> pick up KIL-7?", "U0000002"), ("KIL-7: reassigning to @bo", "@bo"), ("<@U0000002> is taking over KIL-7 from me", "U0000002")],
)  # fmt: skip
def test_handing_over_is_to_the_one_mentioned(text, person):
    assert said(text) == [("transferred", ("KIL-7",), person, True)]


@pytest.mark.parametrize("text", ["can you take KIL-7?", "@ada @bo can you take KIL-7?", "handing KIL-7 over tomorrow", "<!here> please take KIL-7"])
def test_handing_over_to_nobody_or_to_two_is_none(text):
    assert said(text) == []


@pytest.mark.parametrize(
    "text",
    ["verified KIL-7", "KIL-7 verified", "I have verified KIL-7 on site", "KIL-7: confirmed fixed", "I can confirm that KIL-7 is gone.", "KIL-7 has been verified as fixed",
     "confirmed KIL-7 is resolved", "Verified KIL-7, no alarms since", "KIL-7: can confirm, fixed", "validated KIL-7", "confirming KIL-7 is fixed"],
)  # fmt: skip
def test_checking_a_repair_is_the_writer_s(text):
    assert said(text) == [("verified", ("KIL-7",), "", True)]


@pytest.mark.parametrize(
    "text",
    ["fixed KIL-7", "KIL-7 fixed by turning the antenna", "Resolved KIL-7: cable was loose", "KIL-7: resolved, it was the clock", "KIL-7 - done, it was a loose cable",
     "I merged the fix for KIL-7", "just fixed KIL-7", "KIL-7 fixed in acme/kiln#12", "closing KIL-7, it was the clock"],
)  # fmt: skip
def test_repairing_is_the_writer_s(text):
    assert said(text) == [("fixed", ("KIL-7",), "", True)]


def test_several_tickets_and_several_acts_of_one_message_are_all_said():
    assert said("I'll take KIL-7, KIL-8 and KIL-9 now") == [("claimed", ("KIL-7", "KIL-8", "KIL-9"), "", True)]
    assert said("Fixed KIL-7 and verified on site") == [("fixed", ("KIL-7",), "", True), ("verified", ("KIL-7",), "", True)]
    assert said("taking KIL-7\nfixed KIL-8: it was the fuse") == [("claimed", ("KIL-7",), "", True), ("fixed", ("KIL-8",), "", True)]
    assert grammar().acts("hello\ntaking KIL-7")[0].line == 2


@pytest.mark.parametrize("text", ["KIL-7 is fixed", "KIL-7 has been fixed", "I can take KIL-7", "KIL-7 fixed by <@U0000002>", "I'll have a look at KIL-7", "KIL-7 works again",
                                  "we are on KIL-7", "starting on KIL-7", "checked KIL-7", "KIL-7 done", "KIL-7 is done now", "done with KIL-7", "fix for KIL-7 deployed", "KIL-7 looks resolved"])
def test_what_is_said_less_plainly_is_not_sure(text):
    assert [(a.tickets, a.sure) for a in grammar().acts(text)] == [(("KIL-7",), False)]


NOTHING = {
    "negation": ["I won't take KIL-7", "I can't take KIL-7 today", "not taking KIL-7", "KIL-7 is not fixed", "KIL-7 isn't verified yet", "nobody is taking KIL-7",
                 "never verified KIL-7", "I didn't fix KIL-7", "I cannot take KIL-7", "wont take KIL-7", "KIL-7 is not mine", "I have not verified KIL-7"],
    "question": ["who takes KIL-7?", "can someone take KIL-7?", "should I take KIL-7", "is KIL-7 fixed?", "fixed KIL-7?", "KIL-7 verified?", "did you verify KIL-7",
                 "has anybody verified KIL-7", "taking KIL-7?", "shall we take KIL-7", "I'll take KIL-7, ok?"],
    "quotation": ["> I'll take KIL-7", "&gt; taking KIL-7", ">>> notes\ntaking KIL-7", '"I\'ll take KIL-7"', "“fixed KIL-7”", "he wrote “taking KIL-7” and left", "«taking KIL-7»"],
    "code": ["```\ntaking KIL-7\n```", "`fixed KIL-7`", "```fixed KIL-7"],
    "struck out": ["~I'll take KIL-7~", "~fixed KIL-7~ hm"],
    "reported": ["Bo said he'll take KIL-7", "Bo said: I'll take KIL-7", "Bo said, taking KIL-7", "Bo: I'll take KIL-7", "apparently KIL-7 is fixed by the new gateway",
                 "they told me it was fixed by Bo", "according to Bo, fixed KIL-7", "We were told: fixed by the vendor", "he's taking KIL-7", "Bo is taking KIL-7", "I thought I fixed KIL-7",
                 "I heard that KIL-7 is fixed"],
    "wish or future": ["hope KIL-7 is fixed soon", "KIL-7 should be fixed by tomorrow", "KIL-7 will be fixed by Friday", "I wish I had fixed KIL-7", "I would take KIL-7",
                       "KIL-7 needs to be fixed by Monday", "please verify KIL-7", "would be great: KIL-7 fixed by tonight", "let's get KIL-7 fixed", "I want to take KIL-7",
                       "someone should be taking KIL-7", "KIL-7 must be verified", "KIL-7 fixed by Friday", "KIL-7: fixed by tomorrow", "fixed in the next release, KIL-7"],
    "condition": ["I'll take KIL-7 if nobody else does", "if nobody else does, I'll take KIL-7", "when KIL-7 is fixed, we deploy", "unless Bo is back, I'll take KIL-7",
                  "maybe I'll take KIL-7", "I'll take KIL-7, probably", "I'll take KIL-7 or not", "I'll take KIL-7, just kidding", "fixed KIL-7, I think"],
    "undone": ["verified KIL-7, it still fails", "almost fixed KIL-7", "verified that KIL-7 is broken", "fixed KIL-7 partly", "confirmed KIL-7 is a real bug", "verified KIL-7 is reproducible"],
    "another sense": ["got it", "the sensor on it is broken", "taking KIL-7 off the board", "fixed-price contract for KIL-7", "I was taking KIL-7 when it rang", "taking KIL-7 as an example",
                      "a verified user of KIL-7", "the fixed KIL-7 list", "mine is seven years old", "mine, it fails too", "taking KIL-7 live", "taking KIL-7 to production",
                      "<@U0000002> will take KIL-7", "team will take KIL-7", "he will take KIL-7", "KIL-7 will take two days", "I take it that KIL-7 is closed",
                      "going to take it easy", "not going to take KIL-7", "will take KIL-7 to prod", "we are going to take KIL-7", "KIL-7 will be done"],
}  # fmt: skip


@pytest.mark.parametrize(("why", "text"), [(why, text) for why, texts in NOTHING.items() for text in texts])
def test_what_is_not_said_of_oneself_and_now_is_nothing(why, text):
    sure = [act for act in grammar().acts(text) if act.sure and act.what != "transferred"]
    assert sure == [], why


@pytest.mark.parametrize("text", ["ok", "Sure, will do", "on it", "👍", ":+1: thanks", "<@U0000001> yes, taking it", "okay!", "No problem", "will do", "thanks, got it", "Of course", "ack", "oh, sure"])
def test_saying_yes(text):
    assert grammar().accepts(text)


@pytest.mark.parametrize("text", ["no, sorry", "ok but I can't today", "yes?", "why?", "later", "not me", "okra is a vegetable", "", "ok, but ask somebody else"])
def test_saying_no_or_nothing(text):
    assert not grammar().accepts(text)


def test_ids_are_found_in_every_spelling_and_other_numbers_are_none():
    text = "<https://acme.example/browse/KIL-7> and KIL-8, <https://acme.example/x|KIL-9>, #1234 `KIL-10`"
    assert tickets_in(text) == ["KIL-7", "KIL-8", "KIL-9", "1234", "KIL-10"]
    assert tickets_in("acme/kiln#12, kiln#13, v2-1.5, a@KIL-7, x/KIL-7") == []


@pytest.mark.parametrize("text", ["grabbing 8117", "I'll take 8117", "8117 is mine", "I take 8117 now", "picked up 8117, looks odd", "will take 8117"])
def test_a_number_alone_is_a_ticket_where_nothing_else_can_be_meant(text):
    assert said(text) == [("claimed", ("8117",), "", True)] and tickets_in(text) == ["8117"]


@pytest.mark.parametrize(
    "text", ["taking 100 minutes off", "8104 were opened", "handled 300 requests", "working on 2026 plans", "took 150 to fix", "taking 45", "fixed 404s", "took 8117.5"]
)
def test_a_number_of_something_is_no_ticket(text):
    assert said(text) == [] and tickets_in(text) == []


def test_lines_stay_lines():
    assert [s.line for s in words("one.\n\n```\ncode\n```\n> quoted\ntwo. three").sentences] == [1, 7, 7]


def test_a_phrase_that_is_no_expression_is_refused_by_name():
    said = dict(phrases_file())
    with pytest.raises(BadInput, match=r"chat\.yaml: claimed: 'taking \(' is no regular expression"):
        Grammar({**said, "claimed": {"says": ["taking ("]}}, "chat.yaml")


def test_a_file_without_a_section_is_refused(tmp_path):
    path = tmp_path / "chat.yaml"
    path.write_text("lead_in: ok\n", "utf-8")
    with pytest.raises(BadInput, match="lacks never_before"):
        phrases_file(path)
    assert set(ACTS) <= set(phrases_file(FILE))


def test_a_message_made_to_take_long_does_not():
    """A phrase is tried at every clause; leading words must not multiply the tries."""
    assert grammar().acts("ok " * 3000 + "so, and, but " * 1000) == []
