"""Every rule that any source states, so that one source can say that it replaces a rule of another. Told before any record
becomes rows; what it answers depends on no order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from brain.connectors.company import Company


@dataclass(frozen=True)
class KnownRule:
    """A rule: its node's key, its slot (the slug of its name), the key of the document or message that states it, when it
    starts and whom it binds, as keys or, for what nothing is called, words; none for everybody.
    """

    key: str
    slot: str
    source: str
    start: int = 0
    applies: tuple[str, ...] = ()


class RuleBook:
    """The rules of a company."""

    def __init__(self) -> None:
        self._rules: dict[str, KnownRule] = {}
        self._slots: dict[str, list[KnownRule]] | None = None
        self._sources: dict[str, list[KnownRule]] | None = None

    @classmethod
    def of(cls, company: Company) -> RuleBook:
        """The rules of a company, made when first asked for."""
        found = company.facts["rules"].setdefault("book", cls())
        assert isinstance(found, cls)
        return found

    def tell(self, rule: KnownRule) -> None:
        """Notes a rule."""
        self._rules[rule.key] = rule
        self._slots = self._sources = None

    def get(self, key: str) -> KnownRule | None:
        """The rule with this key."""
        return self._rules.get(key)

    def of_source(self, source: str) -> list[KnownRule]:
        """The rules of a document or message, by key."""
        if self._sources is None:
            self._sources = defaultdict(list)
            for key in sorted(self._rules):
                self._sources[self._rules[key].source].append(self._rules[key])
        return self._sources.get(source, [])

    def in_slot(self, slot: str) -> list[KnownRule]:
        """The rules of that slot, the earliest first."""
        if self._slots is None:
            self._slots = defaultdict(list)
            for rule in sorted(self._rules.values(), key=lambda r: (r.start, r.key)):
                self._slots[rule.slot].append(rule)
        return self._slots.get(slot, [])

    def bound(self, rule: KnownRule) -> tuple[str, ...]:
        """Whom a rule binds. A change announced in a message without a word on that binds whom the rules before it bind."""
        if rule.applies or not rule.source.startswith("message:"):
            return rule.applies
        earlier = [r for r in self.in_slot(rule.slot) if r.start <= rule.start and not r.source.startswith("message:")]
        return tuple(sorted({a for r in earlier for a in r.applies})) if earlier and all(r.applies for r in earlier) else ()

    def before(self, rule: KnownRule, company: Company) -> list[KnownRule]:
        """The rules of the same slot that started earlier and bind some of the same."""
        earlier = [r for r in self.in_slot(rule.slot) if r.key != rule.key and r.start <= rule.start]
        return [r for r in earlier if meet(company, rule.applies, r.applies)]


def meet(company: Company, a: Iterable[str], b: Iterable[str]) -> bool:
    """Do two rules bind some of the same? A rule that names nobody binds everybody."""
    one, other = ({company.find(n) or n.strip().lower() for n in names} for names in (a, b))
    return not one or not other or bool(one & other)
