"""Investigations made by hand, one of each outcome: a bakery whose order queue broke its shop."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from brain.incident.findings import (
    Affected,
    Checked,
    Event,
    Followed,
    Investigation,
    Link,
    Paged,
    Passage,
    Past,
    Reason,
    Severity,
    Signal,
    Suspect,
)
from brain.types import Claim, Edge, Node, Quote, Step, Usage

HOSTILE = (
    "*bold* _it_ `code` <!channel> @here <@U1|boo> [go](http://evil.test/x) ![i](http://evil.test/p.png) <b>&amp; | # top\n- item http://evil.test/bare www.evil.test"
)


def at(text: str) -> int:
    """That instant of a day in June, UTC."""
    return int(datetime.fromisoformat(f"2031-06-{text}+00:00").timestamp())


FIRED = at("05T02:40")
SIGNAL = Signal(
    "alert:f00d", "CheckoutSlow", "Checkout takes more than 4 seconds", "service:shop", "shop", FIRED, severity="critical",
    labels={"service": "shop"}, text="Checkout takes more than 4 seconds",
)  # fmt: skip
QUEUE = Suspect(
    "deploy:q-118", "deploy", "order-queue 1.18 to production", at("05T01:10"), "service:order-queue", "order-queue", 2, "Mo Adeyemi",
    7.5, 0.82, "cause",
    (
        Reason("time", 2.0, "It came 90 minutes before the alert.", ("deploy:q-118",), step=2),
        Reason("modified", 3.0, "It changed how long a batch may wait, and the alert speaks of waiting.", ("pr:bakery/queue#40",),
               (Quote("pr:bakery/queue#40", 3, "let a batch wait up to 5 s"),), 3),
        Reason("rule", 2.5, "It breaks the decision that batches close within 200 ms.", ("decision:adr-7",)),
    ),
    ("alert:f00d", "service:shop", "service:cart", "service:order-queue", "deploy:q-118"),
    ("FIRED_ON", "DEPENDS_ON", "DEPENDS_ON", "DEPLOYED_TO"),
    ("pr:bakery/queue#40",),
    (Link("deploy:q-118", "service:order-queue", "service_matched", "The record names the service.", ("deploy:q-118-canary",)),
     Link("pr:bakery/queue#40", "deploy:q-118", "commit_contained", "Its commit is in the deployed one.")),
)  # fmt: skip
SHOP = Suspect(
    "deploy:s-9", "deploy", "shop 9 to production", at("05T02:32"), "service:shop", "shop", 0, "Ida Bright", -1.0, 0.06, "discounted",
    (Reason("time", 3.0, "It came 8 minutes before the alert."),
     Reason("texts_only", -4.0, "It changes a translation only.", ("pr:bakery/shop#12",))),
    ("alert:f00d", "service:shop", "deploy:s-9"), ("FIRED_ON", "DEPLOYED_TO"), ("pr:bakery/shop#12",),
)  # fmt: skip
FLAG = Suspect(
    "ticket:OPS-3", "ticket", "Longer timeouts for the cart", at("04T23:00"), "service:cart", "cart", 1, "Bo Lind", 2.0, 0.3, "rival",
    (Reason("distance", 1.0, "It is one hop away."), Reason("went_on", -0.5, "The shop was well for three hours after it.")),
    ("alert:f00d", "service:shop", "service:cart", "ticket:OPS-3"), ("FIRED_ON", "DEPENDS_ON", "MODIFIES"),
)  # fmt: skip
NAMES = {
    "alert:f00d": "CheckoutSlow", "service:shop": "shop", "service:cart": "cart", "service:order-queue": "order-queue",
    "deploy:q-118": "order-queue 1.18 to production", "deploy:s-9": "shop 9 to production", "pr:bakery/queue#40": "Let batches wait longer",
    "pr:bakery/shop#12": "Fix a typo in Welsh", "decision:adr-7": "Batches close quickly", "person:mo": "Mo Adeyemi", "person:bo": "Bo Lind",
    "team:queue": "Queue team", "incident:I-2": "Orders stood still", "deploy:q-90": "order-queue 0.90 to production",
    "ticket:OPS-3": "Longer timeouts for the cart", "deploy:q-89": "order-queue 0.89 to production", "service:kiosk": "kiosk",
    "deploy:q-118-canary": "order-queue 1.18 to canary", "doc:runbooks/shop.md": "Shop runbook", "message:ops/1": "#ops, Ida Bright",
}  # fmt: skip
_URLS = {"alert:f00d": "https://metrics.bakery.example/a?x=1&y=<2>", "deploy:q-118": "https://deploys.bakery.example/q-118"}


def _nodes() -> tuple[Node, ...]:
    labels = {"alert": "Alert", "service": "Service", "deploy": "Deploy", "pr": "PullRequest", "decision": "Decision", "person": "Person",
              "team": "Team", "incident": "Incident", "ticket": "Ticket", "doc": "Doc", "message": "Message"}  # fmt: skip
    return tuple(Node(k, labels[k.partition(":")[0]], n, {"url": _URLS[k]} if k in _URLS else {}) for k, n in NAMES.items())


def _steps() -> tuple[Step, ...]:
    by_key = {n.key: n for n in _nodes()}
    fired = (Edge("alert:f00d", "FIRED_ON", "service:shop"),)
    way = (Edge("service:shop", "DEPENDS_ON", "service:cart"), Edge("service:cart", "DEPENDS_ON", "service:order-queue"))
    lain = (Edge("deploy:q-118", "DEPLOYED_TO", "service:order-queue"), Edge("deploy:s-9", "DEPLOYED_TO", "service:shop"))
    return (
        Step(1, "details", "what the alert fired on", {"key": "alert:f00d"}, "MATCH (a) RETURN a", {"key": "alert:f00d"}, ({"key": "service:shop"},),
             (by_key["alert:f00d"], by_key["service:shop"]), fired, 3.0),
        Step(2, "recent_changes", "what changed in what shop needs", {"target": "service:shop"}, "MATCH (c) RETURN c", {}, ({"key": "deploy:q-118"},),
             tuple(by_key[k] for k in ("service:shop", "service:cart", "service:order-queue", "deploy:q-118", "deploy:s-9")), way + lain, 9.0),
        Step(3, "search_text", "what the change says", {"query": "wait"}, "CALL x", {}, (), (), (), 2.0),
    )  # fmt: skip


CAUSE = Investigation(
    "inv-1", SIGNAL, "local", "graph", "builtin", at("05T03:00"), 86_400, "complete", "cause", 0.82,
    text="order-queue 1.18 to production most likely broke the shop.",
    suspects=(QUEUE, FLAG, SHOP),
    baseline="deploy:s-9",
    severity=Severity("SEV2", (Reason("tier", 2.0, "shop is of tier 1."), Reason("open", 1.0, "It still fires."))),
    affected=(Affected("service:kiosk", "kiosk", 1, 2, "team:queue", "Queue team"),),
    scope=("service:shop", "service:cart", "service:order-queue"),
    broke="service:order-queue",
    page=(
        Paged(1, "person:mo", "Mo Adeyemi", "on call for order-queue", "team:queue", "#queue-help", cites=("service:order-queue",)),
        Paged(2, "person:bo", "Bo Lind", "technical lead of order-queue"),
        Paged(0, "person:ida", "Ida Bright", "owner of shop", skipped="Shop only felt it."),
    ),
    past=(
        Past("incident:I-2", "Orders stood still", at("01T09:00"), 0.71, "The same service stood still.", ("deploy:q-90",), ("deploy:q-89",),
             ("service:order-queue",), "Roll the queue back first.", (Quote("incident:I-2", 9, "rolled back to 0.89"),)),
    ),
    checked=(Checked("deployments", "cart", 0, True, "No deployment of cart in 24 hours."),
             Checked("tickets", "order-queue", 1, False, "One ticket changes it.")),
    events=(
        Event(at("05T01:10"), "deploy", "deploy:q-118", "order-queue 1.18 to production", "service:order-queue"),
        Event(at("05T02:32"), "deploy", "deploy:s-9", "shop 9 to production", "service:shop"),
        Event(at("04T23:00"), "ticket", "ticket:OPS-3", "Longer timeouts for the cart", "service:cart"),
        Event(FIRED, "alert", "alert:f00d", "CheckoutSlow fired", "service:shop"),
        Event(at("05T02:51"), "message", "message:ops/1", "Ida: the shop is crawling", "service:shop"),
    ),
    claims=(
        Claim("order-queue 1.18 went out 90 minutes before the alert.", ("deploy:q-118",), (), "supported", 3, QUEUE.path),
        Claim("shop needs order-queue.", ("service:order-queue",), (), "supported", 2, QUEUE.path[1:4]),
    ),
    dropped=(Claim("It was all Mo's doing.", ("person:mo",), (), "unsupported", reason="nothing read says so"),),
    followed=Followed("pb-1", "CheckoutSlow by order-queue", True, 4, 11, 120.0, 900.0),
    roles=("triage", "historian", "investigator", "responder"),
    steps=_steps(),
    nodes=_nodes(),
    names=NAMES,
    usage=Usage(640.0),
)  # fmt: skip
RIVALS = replace(
    CAUSE, id="inv-2", outcome="rivals", confidence=0.4, text="Two changes could have done it.", followed=None,
    suspects=(replace(QUEUE, confidence=0.4, standing="rival"), replace(FLAG, confidence=0.34), SHOP),
)  # fmt: skip
NONE = replace(
    CAUSE, id="inv-3", outcome="none", confidence=0.0, text="No cause found in what was searched.", suspects=(SHOP,), broke="", past=(),
    followed=None, claims=(), dropped=(), severity=Severity("SEV4"), affected=(), baseline="", page=(),
)  # fmt: skip
PASSAGES = replace(
    CAUSE, id="inv-4", arm="vector", confidence=0.5, outcome="rivals", suspects=(replace(SHOP, standing="rival", confidence=0.3, path=(), rels=()),), broke="", page=(), affected=(), baseline="",
    past=(), followed=None, checked=(), claims=(),
    passages=(Passage("chunk:deploy:s-9/0", "deploy:s-9", "shop 9", "shop 9 to production", 1, at("05T02:32"), 0.51),),
)  # fmt: skip
INCOMPLETE = replace(
    NONE, id="inv-5", state="incomplete", roles=("triage", "historian"), suspects=(), text="", checked=(), severity=CAUSE.severity, page=(), error="the process ended"
)  # fmt: skip


def hostile() -> Investigation:
    """The one with a cause, with words of others that command, mention, link and mark up everywhere."""
    names = {key: HOSTILE for key in NAMES}
    cause = replace(QUEUE, name=HOSTILE, author=HOSTILE, on_name=HOSTILE, reasons=tuple(replace(r, text=HOSTILE) for r in QUEUE.reasons))
    return replace(
        CAUSE, suspects=(cause, replace(SHOP, name=HOSTILE)), names=names, text=HOSTILE, signal=replace(SIGNAL, name=HOSTILE, title=HOSTILE, service_name=HOSTILE, text=HOSTILE),
        nodes=tuple(replace(n, name=HOSTILE, props={"url": 'https://x.example/">|<@U1>'}) for n in CAUSE.nodes), page=(replace(CAUSE.page[0], name=HOSTILE, why=HOSTILE, contact=HOSTILE),),
        past=(replace(CAUSE.past[0], name=HOSTILE, lesson=HOSTILE, why=HOSTILE),), events=tuple(replace(e, text=HOSTILE) for e in CAUSE.events), checked=(Checked(HOSTILE, HOSTILE, 1, True, HOSTILE),),
        claims=(Claim(HOSTILE, ("deploy:q-118",), (), "supported"),), affected=(Affected("service:kiosk", HOSTILE, 1, 1, "team:queue", HOSTILE),),
    )  # fmt: skip
