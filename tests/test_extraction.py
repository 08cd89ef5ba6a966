"""From texts to claims that wait: what a model reads of a loaded company, in no answer before a person approves it, and back after a reload."""


from dataclasses import replace

import pytest
from extract_company import NOW, Reads, claim, folder, honest, numbered, reply
from tiny_org import brain_of, dump

from brain import loads
from brain.connectors import extracted
from brain.errors import BadInput
from brain.extract.extraction import Extraction
from brain.extract.texts import KINDS

ADMIN = "local"
BUNKER = ("the Bunker", "service:glaze-store")


@pytest.fixture(scope="module")
def company(home, shared_store, tmp_path_factory):
    """A loaded company whose texts were read once by a good model."""
    brain = brain_of(home, "extraction")
    path = folder(tmp_path_factory.mktemp("extract"))
    brain.clock = lambda: NOW
    brain.load(loads.auto(brain.settings, path, "acme"))
    brain.untouched = dump(brain.store, brain.workspace)
    brain.path, brain.model = path, Reads(honest)
    read(brain, brain.model)
    yield brain
    brain.close()


def extraction(brain):
    return Extraction(brain, brain.viewer(ADMIN))


def read(brain, model, asked="tiny-1", **how):
    x = extraction(brain)
    plan = x.plan(asked, **how)
    return x.read(plan, lambda: model, asked), x.settle(plan.every)


def queue(brain, *states, who=ADMIN):
    return {(c.src, c.rel, c.dst): c for c in brain.candidates(brain.viewer(who)).page(states or ("candidate",))[1]}


def decision_of(brain):
    return next(c.src for c in queue(brain, "candidate", "approved", "rejected").values() if c.rel == "JUSTIFIED_BY")


def test_what_stands_waits_with_its_model_its_sentence_and_its_source(company):
    found = queue(company)
    lead = found["person:ada-byron", "TECH_LEAD_OF", "service:kiln-control"]
    assert (lead.read_by, lead.source, lead.line, lead.authority) == ("model tiny-1", "doc:docs/firing.md", 3, "practice")
    assert lead.quote == "Ada Byron is the tech lead of kiln-control." and lead.recorded_at >= 0
    own = found["person:ada-byron", "OWNS", "service:glaze-store"]
    assert own.source.startswith("message:heat/") and own.authority == "observation" and own.valid_from == own.recorded_at > 0
    assert not any(c.rel == "OWNS" and c.dst == "service:sensor-hub" for c in found.values())


def test_a_claim_against_what_is_approved_is_shown_as_such(company):
    found = queue(company)
    assert found["team:glaze", "OWNS", "service:kiln-control"].against == ("Heat",)
    assert found["person:ada-byron", "OWNS", "service:glaze-store"].against == ()


def test_a_decision_waits_with_the_message_that_justifies_it_and_who_made_it(company):
    key = decision_of(company)
    found = queue(company)
    reason = next(c for c in found.values() if (c.src, c.rel) == (key, "JUSTIFIED_BY"))
    assert reason.quote == "because two hours block the next firing" and reason.dst == reason.source and reason.src_name == "Cool glaze-store for one hour"
    assert ("person:bo-diddley", "DECIDED", key) in found and (key, "APPLIES_TO", "service:glaze-store") in found


def test_a_claim_is_as_restricted_as_its_source(company):
    secret = ("person:cy-twombly", "WORKS_ON", "service:sensor-hub")
    assert secret in queue(company) and secret not in queue(company, who="guest")
    assert {c.source for c in queue(company, who="guest").values()} < {c.source for c in queue(company).values()}


def test_nothing_that_was_read_is_in_any_answer_before_a_person_approves_it(company):
    key = decision_of(company)
    everything = company.looking(company.viewer(ADMIN))
    assert everything.run("by_keys", keys=[key]).rows == () and everything.run("unlabelled").rows == ()
    assert key not in {n.key for ns in company.lexicon(company.viewer(ADMIN)).names.values() for n in ns}
    for name, args in (("details", {"key": "service:glaze-store"}), ("expand", {"key": "service:glaze-store"}), ("expand", {"key": "person:ada-byron"})):
        told = str(company.tools[name].run(everything, **args).rows)
        assert "decision:extracted" not in told and "TECH_LEAD_OF" not in told
    answer = company.ask("Who is the tech lead of kiln-control?", viewer=company.viewer(ADMIN), save=False)
    assert "person:ada-byron" not in answer.items


def test_a_decision_that_is_approved_is_found_and_one_that_is_taken_back_is_not(company):
    key, admin = decision_of(company), company.viewer(ADMIN)
    aid = next(c.aid for c in queue(company).values() if (c.src, c.rel) == (key, "JUSTIFIED_BY"))
    before = dump(company.store, company.workspace)
    made = company.decide([aid], "approved", admin)
    looking = company.looking(company.viewer("guest"))
    assert [r["name"] for r in looking.run("by_keys", keys=[key]).rows] == ["Cool glaze-store for one hour"]
    assert "JUSTIFIED_BY" in str(company.tools["expand"].run(looking, key=key).rows)
    company.undo(made.n, admin)
    assert dump(company.store, company.workspace) == before


def test_a_decision_that_waits_can_be_proposed_for_approval_answers_once_it_is_approved_and_can_be_undone(company):
    key, before = decision_of(company), dump(company.store, company.workspace)
    aid = next(c.aid for c in queue(company).values() if (c.rel, c.dst) == ("DECIDED", key))
    desk = company.approvals(company.viewer(ADMIN))
    proposed = desk.propose("approve_candidate", {"aid": aid})
    assert proposed.id in {a.id for a in desk.list()} and "Cool glaze-store for one hour" in proposed.proposal.does
    desk.approve(proposed.id)
    answer = company.ask("Who decided to cool glaze-store for one hour?", viewer=company.viewer("guest"), save=False)
    assert "person:bo-diddley" in answer.items and all(c.verdict == "supported" for c in answer.claims)
    desk.undo(proposed.id)
    assert dump(company.store, company.workspace) == before


def test_a_second_run_over_unchanged_texts_makes_no_call_and_changes_nothing(company):
    asked, before = len(company.model.asked), dump(company.store, company.workspace)
    spent, settled = read(company, company.model)
    assert spent.asked == 0 and len(company.model.asked) == asked and not settled.loaded
    assert dump(company.store, company.workspace) == before


def test_a_reload_of_everything_brings_the_same_claims_back(company):
    before = {c.aid: replace(c, against=()) for c in queue(company).values()}
    company.load(loads.auto(company.settings, company.path, "acme"))
    assert {c.aid: replace(c, against=()) for c in queue(company).values()} == before
    assert company.present() == NOW


def test_what_is_decided_outlasts_another_reading_that_says_nothing_of_it(company):
    admin = company.viewer(ADMIN)
    found = queue(company)
    yes, no = found["person:ada-byron", "TECH_LEAD_OF", "service:kiln-control"], found["team:glaze", "OWNS", "service:kiln-control"]
    company.decide([yes.aid], "approved", admin)
    company.decide([no.aid], "rejected", admin)
    read(company, Reads(lambda prompt: reply(), "silent"), asked="silent")
    assert queue(company) == {}
    assert list(queue(company, "approved", "rejected")).count((yes.src, yes.rel, yes.dst)) == 1
    assert queue(company, "rejected").keys() == {(no.src, no.rel, no.dst)}
    answer = company.ask("Who is the tech lead of kiln-control?", viewer=admin, save=False)
    assert "person:ada-byron" in answer.items or "Ada" in answer.text
    read(company, Reads(honest), asked="tiny-2")
    assert queue(company, "rejected").keys() == {(no.src, no.rel, no.dst)} and (yes.src, yes.rel, yes.dst) in queue(company, "approved")
    for n in (2, 1):
        company.undo(company.files.decisions.history()[-1].n if n == 2 else yes_number(company, yes.aid), admin)


def yes_number(company, aid):
    history = company.files.decisions.history()
    undone = {d.undoes for d in history}
    return next(d.n for d in history if aid in d.aids and not d.undoes and d.n not in undone)


def test_a_name_waits_until_a_person_says_what_it_means_and_no_model_is_asked_again(company):
    x = extraction(company)
    (waiting,) = x.unsettled()
    assert (waiting["name"], waiting["waiting"], waiting["candidates"]) == ("the Bunker", 1, []) and "Service" in waiting["sorts"]
    for key, why in (("service:nowhere", "nothing with the key"), ("person:ada-byron", "needs one of")):
        with pytest.raises(BadInput, match=why):
            x.align("the Bunker", key)
    with pytest.raises(BadInput, match="no proposal waits"):
        x.align("something else", "service:glaze-store")
    settled = x.align("The  bunker", "service:kiln-control")
    assert settled.counts()["unsettled"] == 0 and x.unsettled() == []
    assert any("states it already" in str(r["reason"]) for r in x.refused())
    assert ("service:kiln-control", "DEPENDS_ON", "service:sensor-hub") not in queue(company)


def test_what_is_said_of_a_name_is_taken_back_and_counts_even_while_things_are_judged(company):
    x, told = extraction(company), []
    assert [(a.name, a.key, a.by) for a in x.aligned()] == [("The  bunker", "service:kiln-control", "local")]
    with pytest.raises(BadInput, match="nobody said"):
        x.unalign("the Attic")
    x.unalign("the Bunker")
    assert [g["name"] for g in x.unsettled()] == ["the Bunker"] and x.aligned() == []
    read(company, Reads(lambda prompt: reply(), "mute"), asked="mute")

    def meanwhile(*how):
        if not told:
            told.append(how)
            x.kept.align("the Bunker", "service:glaze-store", "local", NOW)
            assert x.kept.behind()

    plan = x.plan("tiny-9")
    x.read(plan, lambda: Reads(honest), "tiny-9")
    settled = x.settle(plan.every, meanwhile)
    assert told and settled.counts()["unsettled"] == 0 and not x.kept.behind()
    needs = [(c.src, c.dst, c.source.partition(":")[0]) for c in settled.outcome.claims if c.rel == "DEPENDS_ON"]
    assert ("service:glaze-store", "service:sensor-hub", "message") in needs


def test_a_name_waits_again_when_what_it_was_said_to_mean_is_gone(company):
    x = extraction(company)
    x.kept.align("the Bunker", "service:torn-down", "local", NOW)
    assert x.settle().counts()["unsettled"] == 1 and [g["name"] for g in x.unsettled()] == ["the Bunker"]
    x.align("the Bunker", "service:kiln-control")


def test_every_refusal_is_listed_with_its_reason(company):
    found = {r["said"]: r["reason"] for r in extraction(company).refused()}
    assert "denies" in found["Bo Diddley OWNS sensor-hub"] and "asks" in found["Glaze team OWNS glaze-store"]


def test_only_the_administrator_has_texts_read(company):
    for who in ("guest", "nobody", "bo-diddley"):
        with pytest.raises(BadInput, match="only the administrator"):
            Extraction(company, company.viewer(who))


def test_what_is_read_can_be_chosen_by_kind_key_and_number(company):
    x = extraction(company)
    kinds = {kind: {s.about.partition(":")[0] for s in x.plan("new", [kind]).chosen} for kind in KINDS}
    assert kinds == {"docs": {"doc"}, "chat": {"thread"}, "requests": {"pr"}, "issues": {"issue"}, "tickets": set()}
    assert {s.about for s in x.plan("new", only=["doc:docs/firing.md"]).unread} == {"doc:docs/firing.md"}
    assert len(x.plan("new", limit=2).unread) == 2 and len(x.plan("tiny-2").unread) == 0
    for how, why in (({"kinds": ["mail"]}, "no kind of text"), ({"only": ["doc:gone.md"]}, "nothing can be read")):
        with pytest.raises(BadInput, match=why):
            x.plan("new", **how)


def test_files_that_a_connector_reads_in_full_are_not_read_again(company):
    assert not any("catalog" in s.about for s in extraction(company).plan("new").every)


def test_the_lines_a_model_is_given_are_the_stored_ones_with_who_wrote_them(company):
    talk = next(s for s in extraction(company).plan("new").every if s.about.startswith("thread:heat/"))
    at = numbered(talk.told())
    assert at["I own glaze-store now"] == 1 and "by Ada Byron on 2026-05-28" in talk.told()
    request = next(s for s in extraction(company).plan("new").every if s.about == "pr:acme/kiln#3")
    assert any(ln.part.startswith("review/") and ln.author == "cy" for ln in request.lines)


def test_a_hostile_model_brings_nothing_into_the_graph_but_candidates_with_lines_that_are_there(company):
    def hostile(prompt):
        at = numbered(prompt)
        first = next(iter(at))
        made = [claim(1, "the king owns everything", "the king", "OWNS", "everything"), claim(1, first, "kiln-control", "VISIBLE_TO", "sensor-hub")]
        made += [claim(n, text, "person:ada-byron", "MEMBER_OF", "team:heat") for text, n in at.items()]
        return reply(*made * 2500)

    _, settled = read(company, Reads(hostile, "evil"), asked="evil")
    assert settled.counts()["claims"] == 0 and queue(company) == {}
    assert all(r.reason for r in settled.outcome.refused) and len(settled.outcome.refused) < 1000


def test_what_was_read_elsewhere_stays_where_nobody_was_asked_since(company):
    """The claims of a workspace travel in its records; the replies they came from do not."""
    read(company, Reads(honest), asked="tiny-3")
    before = queue(company)
    kept = extraction(company).kept
    replies = (kept.folder / "replies.jsonl").read_bytes()
    (kept.folder / "replies.jsonl").unlink()
    assert before and extraction(company).settle().counts()["claims"] == 0
    assert queue(company) == before
    (kept.folder / "replies.jsonl").write_bytes(replies)
    extraction(company).settle()
    assert queue(company) == before


def test_forgetting_what_models_read_leaves_the_graph_as_it_was(company):
    company.files.records.remove(extracted.SOURCE)
    company.load({})
    now = dump(company.store, company.workspace)
    assert now == company.untouched


