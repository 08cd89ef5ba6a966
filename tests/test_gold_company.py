"""The gold of a company, held against small files whose right answers are plain to see."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from eval.generate import GROUPS, phrasings
from eval.generate_company import HERE
from eval.gold.company_docs import Rule, decisions, documents, in_force, rules
from eval.templates import COMPANY, COMPANY_CATEGORIES


def write(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "incidents").mkdir()
    write(tmp_path, "docs/adr/0001-one.md", "# 1. One\n\nDate: 2025-01-02\n\n## Status\n\nSuperseded by [ADR-0003](0003-three.md)\n")
    write(tmp_path, "docs/adr/0002-two.md", "# 2. Two\n\nDate: 2025-01-03\n\n## Status\n\nPartly superseded\n\nSee it: the hour no longer holds, [3](0003-three.md).\n")
    write(tmp_path, "docs/adr/0003-three.md", "# 3. Three\n\nDate: 2025-02-02\n\n## Status\n\nAccepted\n\nThis ADR in part supersedes [0002](0002-two.md): the hour.\n")
    write(tmp_path, "docs/adr/0004-four.md", "---\nstatus: proposed\ndate: 2025-03-04\n---\n\n# Four\n\nAmends [ADR-0003](0003-three.md)\n")
    head = "| Rule | Value | Applies to | Conditions | From | Until | Replaces |\n|---|---|---|---|---|---|---|\n"
    write(tmp_path, "docs/policies/p.md", f"---\nkind: policy\n---\n\n{head}| Claim | 8 hours | duty | | 2025-01-01 | | |\n| Lunch | noon | all | | 2025-01-01 | 2025-06-30 | |\n")
    write(tmp_path, "docs/notices/n.md", f"---\nkind: notice\n---\n\n{head}| Claim | 2 hours | duty | | 2025-11-02 | | Claim |\n")
    write(tmp_path, "docs/policies/secret.md", f"---\nkind: policy\naccess: restricted\n---\n\n{head}| Key | 5 | x | | 2025-01-01 | | |\n")
    return tmp_path


def test_a_record_replaces_wholly_or_in_part_whichever_side_says_so(folder):
    found = decisions(documents(folder))
    assert found[3].replaces == (1,) and found[3].replaces_part == (2,)
    assert found[4].replaces == () and (found[4].status, found[4].on) == ("proposed", date(2025, 3, 4))


def test_a_rule_holds_from_its_day_until_what_replaces_it_begins(folder):
    every = rules(documents(folder), [("message:c/1", "RULE CHANGE: Claim: 4 hours from 2025-09-15, replaces docs/policies/p.md"), ("message:c/2", "Claim is 1 hour now")])
    held = {day: [r.value for r in in_force(every, "Claim", day)] for day in (date(2025, 9, 14), date(2025, 9, 15), date(2025, 11, 1), date(2025, 11, 2))}
    assert list(held.values()) == [["8 hours"], ["4 hours"], ["4 hours"], ["2 hours"]]
    assert [r.value for r in in_force(every, "Lunch", date(2025, 6, 30))] == ["noon"] and not in_force(every, "Lunch", date(2025, 7, 1))
    assert "Key" not in {r.name for r in every}


def test_two_rules_that_nobody_replaced_both_hold():
    one = Rule("Hold", "15", "g", "", date(2025, 1, 1), None, "doc:a", "")
    two = Rule("Hold", "30", "g", "", date(2025, 2, 1), None, "doc:b", "")
    assert in_force([one, two], "Hold", date(2025, 3, 1)) == [one, two]


def test_every_template_has_wordings_of_both_groups_and_a_category():
    table = phrasings(HERE / "company_phrasings.yaml")
    assert set(table) == set(COMPANY) and all(set(groups) == set(GROUPS) for groups in table.values())
    assert {name.split(".")[0] for name in COMPANY} == set(COMPANY_CATEGORIES)
