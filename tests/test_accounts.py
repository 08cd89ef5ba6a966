"""One person under many accounts, joined by what is stated and by nothing else; every join has its line and can be split again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_context import commit, git, ident

from brain import assertions
from brain.connectors.accounts import Account
from brain.connectors.context import Context


def told(system: str, handle: str, *names: str, **more) -> Account:
    quote = more.pop("quote", f"{handle} {' '.join(names)}")
    return Account(system, handle, names, source=f"doc:{system}", quote=quote, access="open", **more)


def company(*accounts: Account, people=(), decided=None) -> Context:
    """A context in which git knows these people and sources tell of these accounts."""
    records = git("acme/a", *(commit(f"{i:040x}", who=who) for i, who in enumerate(people)))
    head = {"kind": "source", "format": "lists", "source": "lists:x"}
    listed = [head, *({"kind": "account", "told": a} for a in accounts)]

    def know(record, company):
        if record["kind"] == "account":
            company.account(record["told"])

    return Context.build([records, listed], knowing={"lists": know}, decided=decided)


def same(context: Context, *accounts: Account, **wanted) -> dict[str, tuple[str, str]]:
    """Account -> (person, state) of every claim, by (account key, rule)."""
    return {(c.src, c.read_by): (c.dst, c.state) for a in accounts for c in context.company.accounts.claims(a)}


KASIA = ident("Katarzyna Nowicka", "k1", "knowicka")
CATALOGUE = told("catalogue", "katarzyna.nowicka", "Katarzyna Nowicka", login="knowicka")
SLACK = told("slack", "U116", "Kasia N.", "kasia")
ROSTER = told("roster", "Katarzyna Nowicka-Bell", "Katarzyna Nowicka-Bell", login="KNowicka", others=(("slack", "U116"),), title="Engineer")


def test_one_person_under_four_identities():
    context = company(CATALOGUE, SLACK, ROSTER, people=[KASIA])
    who = context.company
    assert {who.person("catalogue", "Katarzyna.Nowicka"), who.person("slack", "u116"), who.person("roster", "katarzyna nowicka-bell"),
            context.person("knowicka"), who.person("github", "KNOWICKA")} == {"person:knowicka"}  # fmt: skip
    assert same(context, CATALOGUE, SLACK, ROSTER) == {
        (CATALOGUE.key, "catalogue:login"): ("person:knowicka", "approved"), (ROSTER.key, "roster:login"): ("person:knowicka", "approved"),
        (SLACK.key, "roster:stated by roster"): ("person:knowicka", "approved"),
    }  # fmt: skip
    props = context.person_props("person:knowicka")
    assert props["title"] == "Engineer" and props["contact"] == "@kasia" and props["login"] == "knowicka"
    assert {"Kasia N.", "Katarzyna Nowicka", "Katarzyna Nowicka-Bell"} <= set(props["names"])


def test_the_line_of_whoever_states_it_is_the_evidence():
    context = company(SLACK, ROSTER, people=[KASIA])
    claim = next(c for c in context.company.accounts.claims(ROSTER) if c.src == SLACK.key)
    assert (claim.source, claim.quote) == ("doc:roster", ROSTER.quote)
    assert list(context.company.accounts.claims(SLACK)) == []


def test_an_address_joins_an_account_to_the_author_who_has_it_and_an_author_to_a_login():
    author = ident("Jane Roe", "j")
    slack = told("slack", "U1", "Jane D.", emails=("h:j",))
    context = company(slack, people=[author])
    assert context.company.person("slack", "U1") == context.person(author) == "person:jane-roe"
    listed = told("catalogue", "jroe", login="jroe99", others=(("slack", "U1"),))
    context = company(slack, listed, people=[author])
    assert context.company.person("slack", "U1") == context.person(author) == context.person("jroe99") == "person:jroe99"
    assert context.person_props("person:jroe99")["names"][:1] == ["Jane Roe"]


def test_an_address_that_accounts_of_one_system_share_joins_nobody():
    one, two = told("slack", "U1", "Ann Ivy", emails=("h:s",)), told("slack", "U2", "Bo Elm", emails=("h:s",))
    context = company(one, two, people=[ident("Ann Ivy", "s")])
    assert len({context.company.person("slack", "U1"), context.company.person("slack", "U2"), "person:ann-ivy"}) == 3


def test_a_handle_spelled_as_a_login_is_that_login_unless_a_name_speaks_against_it():
    login = ident("Georg Pfister", "g", "gpfister")
    ticket, other = told("tickets:FLD", "gpfister"), told("tickets:OPS", "gpfister", "Gilda Marsh")
    context = company(ticket, other, told("slack", "gpfister", "Gus P"), people=[login])
    assert context.company.person("tickets:FLD", "gpfister") == "person:gpfister"
    assert context.company.person("tickets:OPS", "gpfister") != "person:gpfister" != context.company.person("slack", "gpfister")


def test_the_same_name_is_only_a_candidate():
    slack, author = told("slack", "U1", "Jane Roe"), ident("Jane Roe", "j", "jd")
    context = company(slack, people=[author])
    assert context.company.person("slack", "U1") == "person:jane-roe" and context.person(author) == "person:jd"
    assert same(context, slack) == {
        (slack.key, "slack:account"): ("person:jane-roe", "approved"), (slack.key, "slack:name"): ("person:jd", "candidate"),
    }  # fmt: skip


def test_two_people_of_one_name_never_join_and_two_entries_of_one_list_are_no_candidate():
    owens = [told("roster", "owenp", "Owen Pritchard", login="owenp"), told("roster", "opritchard", "Owen Pritchard", login="opritchard")]
    third = told("slack", "U9", "Owen Pritchard")
    context = company(*owens, third, people=[ident("Owen Pritchard", "1", "owenp"), ident("Owen Pritchard", "2", "opritchard")])
    found = {context.company.person("roster", "owenp"), context.company.person("roster", "opritchard"), context.company.person("slack", "U9")}
    assert len(found) == 3 and context.company.person_named("Owen Pritchard") is None
    assert all(state == "approved" for _, state in same(context, *owens, third).values())
    assert list(context.company.accounts.made()) == []
    assert any("several people have" in getattr(row, "reason", "") for row in context.company.accounts.rows(third, "x"))


def test_a_written_name_is_whom_the_list_of_people_knows_by_it_if_nobody_else_has_it():
    listed, ticket = told("roster", "jd", "Jane Roe", login="jd"), told("tickets:OPS", "Jane Roe", "Jane Roe")
    context = company(listed, ticket)
    assert context.company.person("tickets:OPS", "jane roe") == "person:jd"
    context = company(listed, told("roster", "jd2", "Jane Roe", login="jd2"), ticket)
    assert context.company.person("tickets:OPS", "jane roe") not in ("person:jd", "person:jd2")
    pager = told("pagerduty", "P41", "Jane Roe")
    assert company(listed, ticket, pager).company.person("pagerduty", "p41") == "person:jd"
    context = company(ticket, people=[ident("Jane Roe", "j", "jd")])
    assert same(context, ticket)[ticket.key, "tickets:OPS:name"] == ("person:jd", "candidate")


def test_what_many_tell_is_claimed_once_and_decided_once():
    listed = told("roster", "jd", "Jane Roe", login="jd")
    tickets = [replace(told("tickets:OPS", "Jane Roe", "Jane Roe", quote=f"Assignee: Jane Roe ({n})"), source=f"ticket:OPS-{n}") for n in (3, 1, 2)]
    context = company(listed, *tickets)
    claims = [c for a in tickets for c in context.company.accounts.claims(a)]
    assert [(c.source, c.dst, c.state) for c in claims] == [("ticket:OPS-1", "person:jd", "approved")]
    earlier = replace(tickets[0], source="ticket:OPS-0")
    split = company(listed, *tickets, earlier, decided={assertions.aid(claims[0]): "rejected"})
    assert split.company.person("tickets:OPS", "Jane Roe") == "person:jane-roe"
    states = sorted((c.source, c.dst, c.state) for a in (*tickets, earlier) for c in split.company.accounts.claims(a))
    assert states == [("ticket:OPS-0", "person:jane-roe", "approved"), ("ticket:OPS-1", "person:jd", "rejected")]


def test_an_account_that_could_be_anybody_s_makes_no_name_doubtful():
    context = company(told("roster", "jd", "Jane Roe", login="jd"), told("slack", "U1", "Jane Roe"), told("slack", "U2", "Ann Ivy"))
    assert context.company.person("slack", "U1") == "person:jane-roe"
    assert context.company.person_named("Jane Roe") == context.company.find("jane roe", "Person") == "person:jd"
    assert context.company.person_named("Ann Ivy") == "person:ann-ivy"


def test_an_account_stated_to_be_two_logins_joins_neither():
    two = told("roster", "Ada L", "Ada L", login="ada", others=(("github", "bea"),))
    context = company(two, people=[ident("A", "a", "ada"), ident("B", "b", "bea")])
    states = [(c.dst, c.state) for c in context.company.accounts.claims(two)]
    assert sorted(states) == [("person:ada", "candidate"), ("person:ada-l", "approved"), ("person:bea", "candidate")]
    assert any("two people" in getattr(row, "reason", "") for row in context.company.accounts.rows(two, "x"))


def test_an_account_that_two_people_claim_joins_neither():
    chat = told("slack", "U1", "Shared Desk")
    one, two = (told("roster", name, name, login=name, others=(("slack", "U1"),)) for name in ("ada", "bea"))
    context = company(chat, one, two)
    assert context.company.person("slack", "U1") == "person:shared-desk"
    assert {context.company.person("roster", "ada"), context.company.person("roster", "bea")} == {"person:ada", "person:bea"}


@pytest.mark.parametrize("way", ["as told", "backwards"])
def test_the_order_of_telling_changes_nothing(way):
    accounts = [CATALOGUE, SLACK, ROSTER, told("roster", "x", "X Y", login="zz", others=(("slack", "U116"),)), told("slack", "U5", "Katarzyna Nowicka")]
    first, second = company(*accounts, people=[KASIA]), company(*reversed(accounts) if way == "backwards" else accounts, people=[KASIA])
    for account in accounts:
        assert list(first.company.accounts.rows(account, "s")) == list(second.company.accounts.rows(account, "s"))


def aid_of(context: Context, account: Account, rule: str) -> str:
    return next(assertions.aid(c) for c in context.company.accounts.claims(account) if c.read_by.endswith(f":{rule}"))


def everything(context: Context, *accounts: Account):
    """All rows about accounts and people, rejected claims apart."""
    rows = [row for a in accounts for row in context.company.accounts.rows(a, "s")]
    return [row for row in rows if getattr(row, "state", "") != "rejected"], sorted(context.company.accounts._identities.keys())


def test_splitting_a_join_leaves_both_sides_as_if_the_rule_had_not_been():
    slack = told("slack", "U1", "Jay", emails=("h:k1",))
    before = company(CATALOGUE, slack, people=[KASIA])
    assert before.company.person("slack", "U1") == "person:knowicka"
    split = company(CATALOGUE, slack, people=[KASIA], decided={aid_of(before, slack, "e-mail"): "rejected"})
    never = replace(slack, emails=())
    without = company(CATALOGUE, never, people=[KASIA])
    assert everything(split, CATALOGUE, slack) == everything(without, CATALOGUE, never)
    assert ("person:knowicka", "rejected") in same(split, slack).values()


def test_splitting_a_stated_login_leaves_no_trace_of_it():
    before = company(CATALOGUE, SLACK, ROSTER)
    split = company(CATALOGUE, SLACK, ROSTER, decided={aid_of(before, ROSTER, "login"): "rejected"})
    assert split.company.person("roster", ROSTER.handle) == split.company.person("slack", "U116") == "person:katarzyna-nowicka-bell"
    assert split.company.person("catalogue", CATALOGUE.handle) == "person:knowicka"
    without = company(CATALOGUE, SLACK, replace(ROSTER, login=""))
    kept = [r for r in everything(split, CATALOGUE, SLACK, ROSTER)[0]]
    assert kept == everything(without, CATALOGUE, SLACK, replace(ROSTER, login=""))[0]


def test_an_approved_namesake_is_one_person_and_taking_it_back_restores_both():
    slack, author = told("slack", "U1", "Jane Roe"), ident("Jane Roe", "j", "jd")
    before = company(slack, people=[author])
    aid = aid_of(before, slack, "name")
    joined = company(slack, people=[author], decided={aid: "approved"})
    assert joined.company.person("slack", "U1") == "person:jd"
    assert same(joined, slack) == {(slack.key, "slack:name"): ("person:jd", "approved")}
    assert aid_of(joined, slack, "name") == aid
    assert everything(company(slack, people=[author]), slack) == everything(before, slack)


def test_a_rejected_namesake_stays_apart():
    slack, author = told("slack", "U1", "Jane Roe"), ident("Jane Roe", "j", "jd")
    aid = aid_of(company(slack, people=[author]), slack, "name")
    context = company(slack, people=[author], decided={aid: "rejected"})
    assert same(context, slack)[slack.key, "slack:name"] == ("person:jd", "rejected")


def test_an_author_without_login_and_a_login_of_one_name_wait_for_a_decision():
    people = [ident("Kasia Nowicka", "x"), ident("Kasia Nowicka", "y", "knowicka")]
    context = company(people=people)
    made = list(context.company.accounts.made())
    claims = {(c.src, c.dst): c.state for c in made if hasattr(c, "quote")}
    assert claims == {
        ("account:git/kasia-nowicka", "person:kasia-nowicka"): "approved", ("account:git/kasia-nowicka", "person:knowicka"): "candidate",
    }  # fmt: skip
    body = next(row.body for row in made if hasattr(row, "body"))
    for claim in (row for row in made if hasattr(row, "quote")):
        assert claim.quote in body.splitlines()[claim.line - 1]
    waiting = next(c for c in made if getattr(c, "state", "") == "candidate")
    joined = company(people=people, decided={assertions.aid(waiting): "approved"})
    assert joined.person(people[0]) == joined.person(people[1]) == "person:knowicka"


def test_an_author_taken_for_a_login_can_be_split_from_it_and_joined_again():
    people = [ident("Kasia Nowicka", "old"), ident("Katarzyna Nowicka", "new", "knowicka", also="h:old")]
    context = company(people=people)
    assert context.person(people[0]) == "person:knowicka"
    (claim,) = [row for row in context.company.accounts.made() if hasattr(row, "quote")]
    assert (claim.src, claim.dst, claim.state, claim.read_by) == ("account:git/kasia-nowicka", "person:knowicka", "approved", "git:address")
    split = company(people=people, decided={assertions.aid(claim): "rejected"})
    assert split.person(people[0]) == "person:kasia-nowicka" and split.person(people[1]) == "person:knowicka"
    (told,) = [row for row in split.company.accounts.made() if hasattr(row, "quote")]
    assert (assertions.aid(told), told.state) == (assertions.aid(claim), "rejected")
    never = company(people=[people[0], ident("Katarzyna Nowicka", "new", "knowicka")])
    for key in ("person:kasia-nowicka", "person:knowicka"):
        assert split.person_props(key) == never.person_props(key)


def test_an_author_named_like_a_login_can_be_split_from_it():
    people = [ident("knowicka", "old"), ident("Katarzyna Nowicka", "new", "knowicka")]
    (claim,) = [row for row in company(people=people).company.accounts.made() if hasattr(row, "quote")]
    assert claim.read_by == "git:handle"
    split = company(people=people, decided={assertions.aid(claim): "rejected"})
    assert split.person(people[0]) == "person:knowicka-2"


def test_two_logins_of_one_name_wait_for_a_decision():
    people = [ident("Ada Byron", "x", "ada-old"), ident("Ada Byron", "y", "ada-new")]
    context = company(people=people)
    assert context.person(people[0]) != context.person(people[1])
    waiting = [c for c in context.company.accounts.made() if getattr(c, "state", "") == "candidate"]
    assert len(waiting) == 1
    joined = company(people=people, decided={assertions.aid(waiting[0]): "approved"})
    assert joined.person(people[0]) == joined.person(people[1]) == "person:ada-new"


def test_who_left_left_everywhere_and_who_moved_did_not():
    left = told("roster", "neil", "Neil C", login="neil", departed_at=50)
    moved = [told("roster", "mo", "Mo O", login="mo", departed_at=40, quote="old row"), told("roster", "mo", "Mo O", login="mo", quote="new row", title="Lead")]
    context = company(left, *moved, told("slack", "U1", others=(("roster", "neil"),)))
    assert context.person_props("person:neil")["departed_at"] == 50
    assert "departed_at" not in context.person_props("person:mo") and context.person_props("person:mo")["title"] == "Lead"


def test_people_are_found_by_full_name_in_texts_and_by_login_alone():
    context = company(CATALOGUE, SLACK, ROSTER, people=[KASIA, ident("Max Q", "m", "max")])
    assert context.company.person_named("katarzyna  nowicka-bell") == context.company.person_named("@knowicka") == "person:knowicka"
    assert [k for k, *_ in context.company.names_in("ask Katarzyna Nowicka-Bell about the max value", ["Person"])] == ["person:knowicka"]
    assert context.company.find("max", "Person") == "person:max"


def test_a_handle_in_tickets_is_whom_the_companys_lists_call_so_unless_a_name_speaks_against_it():
    listed = told("roster", "jtveit", "Jonas Tveit", login="jtveit")
    user = told("catalogue", "amara-d", "Amara Diallo")
    bare, second = told("tickets:vtk", "jtveit", "jtveit"), told("tickets:vtk", "amara-d", "amara-d")
    other, stranger = told("tickets:help", "jtveit", "Johanna Tveiten"), told("tickets:vtk", "Jtveit2", "jtveit2")
    context = company(listed, user, bare, second, other, stranger)
    who = context.company.person
    assert who("tickets:vtk", "jtveit") == who("roster", "jtveit") == "person:jtveit"
    assert who("tickets:vtk", "amara-d") == who("catalogue", "amara-d")
    assert len({who("roster", "jtveit"), who("tickets:help", "jtveit"), who("tickets:vtk", "jtveit2")}) == 3
    assert same(context, bare)[bare.key, "tickets:vtk:handle"] == ("person:jtveit", "approved")


def test_a_handle_in_chat_that_a_roster_states_is_the_account_that_goes_by_it_if_only_one_does():
    row = told("roster", "freddie-b", "Freddie Baum", login="freddie-b", others=(("slack", "freddie.b"),))
    chat, namesake = told("slack", "U24", "Freddie Baum", "freddie.b"), told("slack", "U25", "Fred Baumann", "freddie.b")
    alone, twice = company(row, chat).company, company(row, chat, namesake).company
    assert alone.person("slack", "U24") == alone.person("roster", "freddie-b") == "person:freddie-b"
    assert twice.person("slack", "U24") != "person:freddie-b" != twice.person("slack", "U25")


def test_of_several_accounts_of_one_name_the_one_in_the_company_s_lists_is_called_by_it():
    listed, handle = told("roster", "ana-gil", "Ana Gil"), told("tickets:old", "ana.gil", "ana.gil")
    who = company(handle, listed).company.person
    assert who("roster", "ana-gil") == "person:ana-gil" and who("tickets:old", "ana.gil") == "person:ana-gil-tickets-old"
