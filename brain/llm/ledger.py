"""What models cost, written down in a graph of its own in the database, so that all processes share one account. Before an exchange
its estimate is claimed, after it what it really cost takes the estimate's place; each in one query, and only one writes at a time.
It holds who asked, when, and how much: never what.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from brain.errors import BudgetSpent, StoreDown, ToolError
from brain.graphs import LEDGER
from brain.llm.limits import DAY, LEAST_USD, MONTH, QUESTION, VIEWER, Cost, Left, Limit, begins, day
from brain.llm.talk import Tokens
from brain.store import Store
from brain.values import header

_CLAIM = (
    "UNWIND $accounts AS c MERGE (a:Account {id: c[0]}) ON CREATE SET a.tokens = 0, a.usd = 0.0, a.runs = 0"
    " WITH c, a, ($tokens > 0 AND c[1] >= 0 AND a.tokens + $tokens > c[1]) OR ($usd > 0 AND c[2] >= 0 AND a.usd + $usd > c[2] + $least)"
    " OR ($runs > 0 AND c[3] >= 0 AND a.runs + $runs > c[3]) AS over"
    " WITH collect([c[0], a.tokens, a.usd, a.runs]) AS found, collect(a) AS accounts, collect(c[0]) AS ids,"
    " sum(CASE WHEN over THEN 1 ELSE 0 END) AS refused"
    " FOREACH (a IN CASE WHEN refused = 0 THEN accounts ELSE [] END |"
    " SET a.tokens = a.tokens + $tokens, a.usd = a.usd + $usd, a.runs = a.runs + $runs)"
    " FOREACH (x IN CASE WHEN refused = 0 THEN [1] ELSE [] END |"
    " CREATE (:Claim {id: $id, accounts: ids, tokens: $tokens, usd: $usd, runs: $runs, day: $day, owner: $owner}))"
    " RETURN refused, found"
)
_SETTLE = (
    "MATCH (c:Claim {id: $id}) WITH c, c.accounts AS ids, c.tokens AS tokens, c.usd AS usd, c.runs AS runs, c.day AS day, c.owner AS owner"
    " MATCH (a:Account) WHERE a.id IN ids SET a.tokens = a.tokens + $tokens - tokens, a.usd = a.usd + $usd - usd"
    " WITH c, day, owner, runs, count(a) AS n DELETE c"
    " MERGE (s:Spent {day: day, owner: owner, model: $model})"
    " ON CREATE SET s.prompt = 0, s.completion = 0, s.cached = 0, s.usd = 0.0, s.unpriced = 0, s.exchanges = 0, s.runs = 0"
    " SET s.prompt = s.prompt + $prompt, s.completion = s.completion + $completion, s.cached = s.cached + $cached, s.usd = s.usd + $usd,"
    " s.unpriced = s.unpriced + $unpriced, s.exchanges = s.exchanges + 1, s.runs = s.runs + runs"
)
_SPENT = (
    "MATCH (s:Spent) WHERE s.day >= $since AND ($all OR s.owner = $owner)"
    " RETURN s.day AS day, s.model AS model, sum(s.prompt) AS prompt, sum(s.completion) AS completion, sum(s.cached) AS cached,"
    " sum(s.usd) AS usd, sum(s.unpriced) AS unpriced, sum(s.exchanges) AS exchanges, sum(s.runs) AS runs ORDER BY day DESC, model"
)
_OPEN = "MATCH (c:Claim) WHERE c.day >= $since AND ($all OR c.owner = $owner) RETURN count(c) AS n, sum(c.tokens) AS tokens"
_INDEX = "CREATE INDEX FOR (a:Account) ON (a.id)"


@dataclass(frozen=True)
class Spent:
    """What one model was asked on one day. `unpriced` are the tokens of exchanges for which no price was known."""

    day: str
    model: str
    prompt: int
    completion: int
    cached: int
    usd: float
    unpriced: int
    exchanges: int
    runs: int


class Ledger:
    """The account of one who asks: `owner` is the one who looks. Those without a name of their own share one."""

    def __init__(self, store: Store, owner: str, limits: Sequence[Limit] = ()) -> None:
        self.store, self.owner = store, owner
        self.limits = tuple(limit for limit in limits if limit.scope != QUESTION)

    def claim(self, cost: Cost, now: float) -> str:
        """Counts an estimate as spent and gives the id of the claim; BudgetSpent, and nothing counted, where a budget refuses."""
        self._prepare()
        ident = uuid.uuid4().hex
        accounts = [[name, *self._caps(scope)] for scope, name in self._accounts(now).items()]
        params: dict[str, Any] = {
            "accounts": accounts, "tokens": cost.tokens, "usd": cost.usd, "runs": cost.runs,
            "id": ident, "day": day(now), "owner": self.owner, "least": LEAST_USD,
        }  # fmt: skip
        refused, found = self.store.write(LEDGER, header(params) + _CLAIM)[0]
        if refused:
            raise self._refusal({str(row[0]): Cost(int(row[1]), float(row[2]), int(row[3])) for row in found}, cost, now)
        return ident

    def settle(self, claim: str, model: str, tokens: Tokens, usd: float | None) -> None:
        """Puts what an exchange cost in the place of its estimate; a claim is settled once."""
        total = tokens.prompt + tokens.completion
        params: dict[str, Any] = {
            "id": claim, "tokens": total, "usd": float(usd or 0.0), "model": model, "prompt": tokens.prompt,
            "completion": tokens.completion, "cached": tokens.cached, "unpriced": total if usd is None else 0,
        }  # fmt: skip
        self.store.write(LEDGER, header(params) + _SETTLE)

    def left(self, now: float) -> list[Left]:
        """What is left of each budget for this one now."""
        accounts = self._accounts(now)
        found = self._balances([*accounts.values()])
        out = []
        for limit in self.limits:
            spent = found.get(accounts[limit.scope], Cost()).of(limit.what)
            out.append(Left(limit.scope, limit.what, limit.amount, spent, max(0.0, limit.amount - spent), begins(limit.scope, now)))
        return out

    def spent(self, since: str = "", everybody: bool = False) -> list[Spent]:
        """What was spent by day and model, the latest day first; this one's own, or everybody's."""
        rows = self._read(_SPENT, since=since, owner=self.owner, all=everybody)
        whole = ("prompt", "completion", "cached", "unpriced", "exchanges", "runs")
        return [Spent(str(r["day"]), str(r["model"]), usd=float(r["usd"]), **{name: int(r[name]) for name in whole}) for r in rows]

    def unsettled(self, since: str = "", everybody: bool = False) -> tuple[int, int]:
        """How many exchanges were begun and never ended, and the tokens that are counted for them. Those that run now are among them."""
        row = next(iter(self._read(_OPEN, since=since, owner=self.owner, all=everybody)), {"n": 0, "tokens": 0})
        return int(row["n"]), int(row["tokens"] or 0)

    def _accounts(self, now: float) -> dict[str, str]:
        """The account of each scope: of this day, and of this one on it, and of this month."""
        today = day(now)
        return {VIEWER: f"viewer:{today}:{quote(self.owner, safe='')}", DAY: f"day:{today}", MONTH: f"month:{today[:7]}"}

    def _caps(self, scope: str) -> list[float]:
        caps = {limit.what: limit.amount for limit in self.limits if limit.scope == scope}
        return [caps.get("tokens", -1.0), caps.get("usd", -1.0), caps.get("runs", -1.0)]

    def _refusal(self, balances: dict[str, Cost], cost: Cost, now: float) -> BudgetSpent:
        """The error of the budget that refused; where the last digit of a sum decides and none seems to, of the fullest."""
        accounts = self._accounts(now)
        found = [(limit, balances.get(accounts[limit.scope], Cost())) for limit in self.limits]
        refusing = [(limit, spent) for limit, spent in found if limit.refuses(spent, cost)]
        limit, spent = next(iter(refusing), None) or max(found, key=lambda x: x[1].of(x[0].what) / max(x[0].amount, LEAST_USD))
        return limit.refusal(spent, cost, now)

    def _balances(self, names: list[str]) -> dict[str, Cost]:
        query = "MATCH (a:Account) WHERE a.id IN $names RETURN a.id AS id, a.tokens AS tokens, a.usd AS usd, a.runs AS runs"
        return {str(r["id"]): Cost(int(r["tokens"]), float(r["usd"]), int(r["runs"])) for r in self._read(query, names=names)}

    def _read(self, query: str, **params: Any) -> Sequence[Any]:
        try:
            return self.store.read(LEDGER, query, params).rows if self.store.exists(LEDGER) else ()
        except StoreDown:
            if self.store.exists(LEDGER):
                raise
            return ()

    def _prepare(self) -> None:
        if not self.store.exists(LEDGER):
            with suppress(ToolError):  # another process was first
                self.store.write(LEDGER, _INDEX)
