"""Which checks a query has, and that none of them can be left out without being refused or having a reason."""

from __future__ import annotations

from brain import catalogue
from brain.audit import mutants

CATALOGUE = catalogue.shipped()


def test_deleting_the_only_check_of_a_thing_is_refused():
    made = list(mutants.mutants([CATALOGUE["needed_service"]]))
    assert [str(m) for m in made] == ["visible(s)", "visible(o)", "current(d)"] and all(map(mutants.refused, made))


def test_every_reason_is_about_a_check_that_is_there():
    there = {(m.query.name, str(m)) for m in mutants.mutants(CATALOGUE.queries.values())}
    assert set(mutants._equivalent()) <= there
