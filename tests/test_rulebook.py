"""Rules of all sources know of one another by slot, source, time and whom they bind."""

from brain.connectors.context import Context
from brain.connectors.rulebook import KnownRule, RuleBook, meet

POLICY = KnownRule("rule:p/claim", "claim", "doc:p.md", 10, ("duty",))
SAID = KnownRule("rule:m/claim", "claim", "message:desk/1", 20)
NOTICE = KnownRule("rule:n/claim", "claim", "doc:n.md", 30, ("Duty Team",))
OTHER = KnownRule("rule:p/diagnosis", "diagnosis", "doc:p.md", 10, ("duty",))


def company():
    found = Context.build([]).company
    found.thing("team:duty", "Duty Team")
    for rule in (NOTICE, SAID, POLICY, OTHER):
        RuleBook.of(found).tell(rule)
    return found


def test_rules_of_a_slot_come_in_the_order_they_start():
    book = RuleBook.of(company())
    assert book.in_slot("claim") == [POLICY, SAID, NOTICE] and book.get("rule:n/claim") == NOTICE and book.get("x") is None


def test_a_document_has_its_own_rules():
    assert RuleBook.of(company()).of_source("doc:p.md") == [POLICY, OTHER] and RuleBook.of(company()).of_source("doc:x.md") == []


def test_earlier_rules_of_the_slot_that_bind_some_of_the_same():
    known = company()
    assert RuleBook.of(known).before(NOTICE, known) == [POLICY, SAID] and RuleBook.of(known).before(POLICY, known) == []


def test_two_rules_meet_by_what_their_words_mean():
    known = company()
    assert meet(known, ("duty",), ("Duty Team",)) and meet(known, (), ("x",)) and not meet(known, ("duty",), ("heat",)) and meet(known, ("Heat",), ("heat",))


def test_a_change_announced_without_a_word_on_whom_binds_whom_the_rule_bound():
    book = RuleBook.of(company())
    assert book.bound(SAID) == ("duty",)
    assert book.bound(POLICY) == ("duty",) and book.bound(KnownRule("rule:m/x", "x", "message:desk/2", 5)) == ()
