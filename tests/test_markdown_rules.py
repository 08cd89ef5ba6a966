"""Rules are read with whom they bind and when; only stated replacement replaces, and two that contradict both stand."""

import pytest
from company_files import Rows, fetched, written

from brain.connectors.dates import moment

HEAD = "| Rule | Value | Applies to | Conditions | From | Until | Replaces |\n|---|---|---|---|---|---|---|\n"
POLICY = f"""\
---
kind: policy
owner: Duty Team
effective_from: 2024-01-05
---
# Ticket handling

{HEAD}| Claim deadline | 8 hours | Duty Team | | 2024-01-05 | | |
| Diagnosis deadline | 24 hours | Duty Team | | | | |
| Answer | 2 hours | all | working days | | 2024-12-31 | |
"""
PEOPLE = "# People\n\n| Name | Team | GitHub |\n|---|---|---|\n| Ada Byron | Duty Team | ada |\n| Bo Berg | Heat Team | bo |\n"


def load(folder, **files):
    for name, text in {"registry_people": PEOPLE, **files}.items():
        written(folder / "docs" / f"{name.replace('_', '/')}.md", text)
    return Rows(fetched("markdown", folder / "docs", base=folder))


def rule(rows, key):
    return rows.nodes[f"rule:docs-{key}"]


def test_a_policy_states_rules(tmp_path):
    rows = load(tmp_path, policies_tickets=POLICY)
    claim = rule(rows, "policies-tickets/claim-deadline")
    assert (claim["slot"], claim["value"], claim["authority"], claim["subject"]) == ("claim-deadline", "8 hours", "formal_rule", "Duty Team")
    assert claim["valid_from"] == claim["at"] == moment("2024-01-05").start and claim["doc"] == "doc:docs/policies/tickets.md"
    answer = rule(rows, "policies-tickets/answer")
    assert (answer["conditions"], answer["valid_to"], answer.get("subject")) == ("working days", moment("2024-12-31").end, None)
    assert rows.of("APPLIES_TO") == {(f"rule:docs-policies-tickets/{n}-deadline", "team:duty-team") for n in ("claim", "diagnosis")}
    assert rule(rows, "policies-tickets/diagnosis-deadline")["valid_from"] == moment("2024-01-05").start


def test_a_notice_is_not_there_before_it_starts(tmp_path):
    notice = f"---\nkind: notice\npublished: 2024-10-08\neffective_from: 2024-11-02\n---\n# Notice\n\n{HEAD}| Claim deadline | 2 hours | Duty Team | | | | Claim deadline |\n"
    rows = load(tmp_path, policies_tickets=POLICY, notices_claim=notice)
    start = moment("2024-11-02").start
    assert rule(rows, "notices-claim/claim-deadline")["at"] == start and rows.nodes["doc:docs/notices/claim.md"]["at"] == start
    assert rows.texts["doc:docs/notices/claim.md", "body"].at == start
    props = rows.props["rule:docs-notices-claim/claim-deadline", "SUPERSEDES", "rule:docs-policies-tickets/claim-deadline"]
    assert props["valid_from"] == start and props["recorded_at"] == moment("2024-10-08").start and props["state"] == "approved"


@pytest.mark.parametrize("said", ["Claim deadline", "docs/policies/tickets.md", "[the policy](../policies/tickets.md)", "Ticket handling", "rule:docs-policies-tickets/claim-deadline", "the old claim deadline"])
def test_what_is_replaced_may_be_named_in_many_ways(tmp_path, said):
    notice = f"---\nkind: notice\n---\n# Notice\n\n{HEAD}| Claim deadline | 2 hours | Duty Team | | 2024-11-02 | | {said} |\n"
    rows = load(tmp_path, policies_tickets=POLICY, notices_claim=notice)
    assert rows.of("SUPERSEDES") == {("rule:docs-notices-claim/claim-deadline", "rule:docs-policies-tickets/claim-deadline")}


def test_a_newer_rule_of_the_same_name_ends_nothing_by_itself(tmp_path):
    newer = f"---\nkind: policy\n---\n# Newer\n\n{HEAD}| Claim deadline | 2 hours | Duty Team | | 2025-01-01 | | |\n"
    assert load(tmp_path, policies_tickets=POLICY, policies_newer=newer).of("SUPERSEDES") == set()


def test_a_rule_for_some_replaces_one_for_all_only_for_them(tmp_path):
    old = f"---\nkind: policy\n---\n# Old\n\n{HEAD}| Claim deadline | 8 hours | all | | 2024-01-01 | | |\n"
    new = f"---\nkind: policy\n---\n# New\n\n{HEAD}| Claim deadline | 2 hours | Duty Team | | 2025-01-01 | | Claim deadline |\n"
    rows = load(tmp_path, policies_old=old, policies_new=new)
    assert rows.props["rule:docs-policies-new/claim-deadline", "SUPERSEDES", "rule:docs-policies-old/claim-deadline"]["scope"] == "Duty Team"


def test_a_rule_for_others_is_not_replaced(tmp_path):
    new = f"---\nkind: policy\n---\n# New\n\n{HEAD}| Claim deadline | 2 hours | Heat Team | | 2025-01-01 | | Claim deadline |\n"
    rows = load(tmp_path, policies_tickets=POLICY, policies_new=new)
    assert rows.of("SUPERSEDES") == set() and any("replaces a rule that nothing else states" in s.reason and s.origin.line == 8 for s in rows.skips)


def test_front_matter_may_state_a_rule(tmp_path):
    rows = load(tmp_path, notices_one="---\nkind: notice\nrule: Site access\nvalue: until 18:00\napplies_to: [Duty Team]\neffective_from: 2024-10-05\n---\n# Contractors\n")
    found = rule(rows, "notices-one/site-access")
    assert found["value"] == "until 18:00" and ("rule:docs-notices-one/site-access", "team:duty-team") in rows.of("APPLIES_TO")


def test_a_list_of_rules_in_front_matter(tmp_path):
    rows = load(tmp_path, policies_two="---\nkind: policy\nrules:\n  - rule: Retry limit\n    value: 3\n    from: 2024-02-03\n  - {rule: Time limit, value: 4 h}\n---\n# Limits\n")
    assert rule(rows, "policies-two/retry-limit")["valid_from"] == moment("2024-02-03").start and rule(rows, "policies-two/time-limit")["value"] == "4 h"


def test_two_of_one_name_under_different_conditions_are_two(tmp_path):
    text = f"---\nkind: policy\n---\n# Gates\n\n{HEAD}| Movement | two people | | normal | | | |\n| Movement | one person | | flood | | | |\n"
    rows = load(tmp_path, policies_gates=text)
    assert {k: n["value"] for k, n in rows.nodes.items() if k.startswith("rule:")} == {
        "rule:docs-policies-gates/movement": "two people", "rule:docs-policies-gates/movement-flood": "one person",
    }  # fmt: skip


@pytest.mark.parametrize("stood", ["draft", "rejected", "retired", "proposed"])
def test_a_document_that_is_not_in_force_binds_nobody(tmp_path, stood):
    rows = load(tmp_path, policies_draft=f"---\nkind: policy\nstatus: {stood}\n---\n# Draft\n\n{HEAD}| Claim deadline | 2 hours | | | | | |\n")
    assert not any(k.startswith("rule:") for k in rows.nodes) and any("a rule of a document that is" in s.reason for s in rows.skips)


def test_a_guide_tells_of_a_practice(tmp_path):
    rows = load(tmp_path, guides_habits=f"# Habits\n\n{HEAD}| Retry limit | 4 | | | | | |\n")
    assert rule(rows, "guides-habits/retry-limit")["authority"] == "practice"


def test_whom_nothing_is_called_stays_in_words_and_is_told(tmp_path):
    rows = load(tmp_path, policies_x=f"---\nkind: policy\n---\n# X\n\n{HEAD}| Retry limit | 4 | the night shift | | | | |\n")
    assert rule(rows, "policies-x/retry-limit")["subject"] == "the night shift" and not rows.of("APPLIES_TO")
    assert any(s.reason.startswith("applies to: nothing known is called 'the night shift'") for s in rows.skips)


def test_a_chat_announcement_is_replaced_where_the_notice_says_so(tmp_path):
    import json

    users = [{"id": "U1", "name": "ada", "real_name": "Ada Byron", "profile": {}}]
    said = [{"type": "message", "user": "U1", "ts": "1726300800.000100", "text": "RULE CHANGE: Claim deadline: 4 hours from 2024-09-15, replaces docs/policies/tickets.md"}]
    for name, content in (("users", users), ("channels", [{"id": "C1", "name": "duty-desk", "members": ["U1"]}]), ("duty-desk/2024-09-14", said)):
        written(tmp_path / "slack" / f"{name}.json", json.dumps(content))
    notice = f"---\nkind: notice\n---\n# Notice\n\n{HEAD}| Claim deadline | 2 hours | Duty Team | | 2024-11-02 | | Claim deadline |\n"
    for name, text in {"registry/people": PEOPLE, "policies/tickets": POLICY, "notices/claim": notice}.items():
        written(tmp_path / "docs" / f"{name}.md", text)
    rows = Rows(fetched("markdown", tmp_path / "docs", base=tmp_path), fetched("slack", tmp_path / "slack", base=tmp_path))
    news = "rule:docs-notices-claim/claim-deadline"
    olds = {dst for src, dst in rows.of("SUPERSEDES") if src == news}
    assert "rule:docs-policies-tickets/claim-deadline" in olds and any("duty-desk" in old for old in olds)
