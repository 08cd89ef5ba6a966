"""The search for who is who: rules tier by tier, under what people decided. A decision about one telling of a join holds
for all tellings of it; what was approved comes before every rule, and what was rejected is as if no rule had said it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from brain import assertions
from brain.connectors.account import Account
from brain.connectors.accounts_join import Joins, Link
from brain.connectors.accounts_rules import Rules
from brain.connectors.identities import Identities
from brain.types import ClaimRow


def claim_of(link: Link, account: Account, person: str, state: str = "approved") -> ClaimRow:
    """The claim that a link makes, resting on the line of the telling it comes from."""
    return ClaimRow(
        link.src, "SAME_AS", person, account.source, account.line, account.quote, "record", at=account.at, state=state,
        access=account.access, aud=account.aud, read_by=f"{account.system}:{link.rule}", origin=account.origin, ident=link.ident,
    )  # fmt: skip


def state_of(link: Link, account: Account, decided: Mapping[str, str]) -> str | None:
    """What a person decided about the link as this telling gives it."""
    return decided.get(assertions.aid(claim_of(link, account, link.target))) if decided else None


class Search:
    """One search over everything that was told."""

    def __init__(self, rules: Rules, identities: Identities, decided: Mapping[str, str]) -> None:
        self._rules, self._identities, self._decided = rules, identities, decided
        self._ruled: dict[str, str] = {}

    def run(self) -> tuple[Joins, list[tuple[Link, str]]]:
        """Joins until nothing approved is left to join, and the links that wait for a decision or were rejected."""
        rules = self._rules
        tiers = [list(tier()) for tier in (rules.stated, rules.crossed, rules.addresses)]
        self._note(link for tier in tiers for link in tier)
        approved: set[Link] = set()
        while True:
            joins, rejected = Joins(self._identities.has_login), set[Link]()
            joins.decided([*rules.made(), *approved])
            for tier in tiers:
                self._tier(joins, tier, rejected)
            for later in (rules.handles, rules.listed):
                found = list(later(joins))
                self._note(found)
                self._tier(joins, found, rejected)
            namesakes = [self._picked(links) for links in rules.namesakes(joins)]
            fresh = {link for link in (*joins.conflicts, *(link for link, _ in namesakes)) if self._ruled.get(link.ident) == "approved"}
            if fresh <= approved:
                waiting = [*((link, "candidate") for link in joins.conflicts), *((link, "rejected") for link in rejected), *namesakes]
                return joins, sorted(waiting)
            approved |= fresh

    def _note(self, links: Iterable[Link]) -> None:
        for link in links if self._decided else ():
            state = state_of(link, self._rules.told[link.told], self._decided)
            if state is not None and self._ruled.get(link.ident) != "approved":
                self._ruled[link.ident] = state

    def _tier(self, joins: Joins, links: Iterable[Link], rejected: set[Link]) -> None:
        kept = set(links)
        rejected |= {link for link in kept if self._ruled.get(link.ident) == "rejected"}
        joins.tier(kept - rejected)

    def _picked(self, links: list[Link]) -> tuple[Link, str]:
        """Of all links that say that two are one, the one that was decided about, else the best."""
        self._note(links)
        for wanted in ("approved", "rejected"):
            for link in links:
                if self._ruled.get(link.ident) == wanted:
                    return link, wanted
        return links[0], "candidate"
