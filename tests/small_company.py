"""A company small enough to judge by hand, laid over `small_graph`: every claim goes through the checks of real loads, and each
trap the tools must not fall into stands in it once.

`canary` adds what is restricted beside everything else; nothing a viewer without a grant is told may change by it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import small_graph
from small_graph import CANARY, NOW, Rows, at

from brain import catalogue, permissions
from brain.ask import ask
from brain.assertions import Texts, assertion
from brain.known import LEXICON
from brain.spool import Text, chunk_props
from brain.store import Store
from brain.text import lexicon
from brain.text.chunks import chunk
from brain.tools import tools
from brain.tools.asking import Asking
from brain.types import Answer, ClaimRow, Origin, TextRow, Viewer

CATALOGUE, REGISTRY, ONCALL = "doc:catalog/all.yaml", "doc:docs/registry/services.md", "doc:docs/registry/oncall.md"
ROSTER, POLICY, BUS_ADR = "doc:docs/registry/people.md", "doc:docs/policies/ticket-handling.md", "docs/adr/0007-bus-batches-close-quickly"
ANNOUNCED, NOTICE = "message:duty-desk/1757838600.000100", "doc:docs/notices/2025-12-ticket-claim.md"
MAPDESK, TIDEWIRE, SILTWATCH = "merefold/mapdesk", "merefold/tidewire", "merefold/siltwatch"
TEAMS = {"gates": "Gates and Interlocks", "platform": "Platform", "boards": "Boards and Billing", "console": "Console", "duty": "Duty and Field"}
PEOPLE = {
    "leilaf": ("Leila Farahani", "platform"), "mcoelho": ("Mateus Coelho", "platform"), "ayobrandt": ("Ayodele Brandt", "platform"),
    "vhalloran": ("Viktor Halloran", "platform"), "ondrejm": ("Ondřej Malý", "platform"), "opritchard": ("Owen Pritchard", "platform"),
    "jwhitlock": ("Jasper Whitlock", "platform"), "rachterberg": ("Rosalind Achterberg", "boards"), "pnolan": ("Pádraig Nolan", "boards"),
    "hyejinp": ("Park Hye-jin", "boards"), "owenp": ("Owen Pritchard", "console"), "kofid": ("Kofi Danquah", "duty"),
    "wrenokafor": ("Wren Okafor", "duty"),
}  # fmt: skip
# service: (tier, owner, technical lead, what it needs)
SERVICES = {
    "event-bus": (1, "team:platform", "leilaf", ()), "gauge-store": (1, "team:platform", None, ("event-bus",)),
    "threshold-watch": (1, "team:gates", None, ("gauge-store", "notify-dispatch")), "tide-model": (2, "team:gates", None, ("gauge-store",)),
    "site-gateway": (1, "team:platform", "vhalloran", ()), "map-tiles": (2, "team:boards", "hyejinp", ("asset-register",)),
    "asset-register": (2, "person:leoquist", None, ()), "gate-control": (1, "team:gates", "sannakivela", ("event-bus", "site-gateway")),
    "metrics-store": (2, "team:platform", None, ()), "rota": (2, "team:duty", None, ("callout-engine",)), "callout-engine": (1, "team:ghosts", None, ("rota",)),
    "operator-console": (1, "team:console", None, ("map-tiles",)), "left-alone": (3, None, None, ()),
}  # fmt: skip


@dataclass
class Company(Rows):
    """Rows by the calls that make them. What a claim quotes becomes a line of its source's text; `finish` checks them all."""

    lines: dict[str, list[str]] = field(default_factory=dict)
    titles: dict[str, tuple[str, int, str | None, tuple[str, ...]]] = field(default_factory=dict)
    claims: list[ClaimRow] = field(default_factory=list)

    def source(self, key: str, name: str, day: str, access: str | None = "open", aud: tuple[str, ...] = (), text: str = "", **props: Any) -> str:
        """A node that holds text."""
        when = at(day)
        self.node(key, name, access=access, aud=list(aud) or None, at=when, title=name, **props)
        self.titles[key] = (name, when, access, aud)
        self.lines[key] = [f"# {name}", *text.splitlines()]
        return key

    def doc(self, path: str, name: str, day: str, kind: str, **props: Any) -> str:
        """A document."""
        return self.source(f"doc:{path}", name, day, path=path, kind=kind, **props)

    def claim(self, src: str, rel: str, dst: str, on: str, quote: str, read_by: str, authority: str = "record", **more: Any) -> None:
        """A claim that quotes a line of the source `on`; days may be given for `at`, `valid_from` and `valid_to`."""
        if quote not in self.lines[on]:
            self.lines[on].append(quote)
        _, _, access, aud = self.titles[on]
        times = {k: at(more.pop(k)) for k in ("at", "valid_from", "valid_to") if isinstance(more.get(k), str)}
        line = self.lines[on].index(quote) + 1
        self.claims.append(
            ClaimRow(src, rel, dst, on, line, quote, authority, access=access or "", aud=aud, read_by=read_by, origin=Origin("small_company", line), **times, **more)
        )  # fmt: skip

    def finish(self) -> Company:
        """Cuts the texts and turns the claims into edges and evidence, as a load does."""
        texts, proofs = Texts(), {}
        for key, (name, when, access, aud) in self.titles.items():
            row = TextRow(key, "body", name, "\n".join(self.lines[key]), when, access=access or "", aud=aud, origin=Origin("small_company", 1))
            texts.add(row)
            for piece in chunk(row):
                self.chunks.append(chunk_props(Text(row, 0, "test"), piece))
                self.edges.append(small_graph.EdgeRow(piece.key, "PART_OF", key))
        for claim in self.claims:
            edge, proof = assertion(claim, texts, {})
            self.edges.append(edge)
            proofs[proof.id] = asdict(proof)
        self.evidence = list(proofs.values())
        return self


def _people(c: Company) -> None:
    c.doc("docs/registry/people.md", "People", "2025-01-01", "registry")
    for team, name in TEAMS.items():
        c.node(f"team:{team}", name, contact=f"#{team}")
    c.node("team:ghosts", "ghosts", unknown=True)
    for login, (name, team) in PEOPLE.items():
        c.node(f"person:{login}", name, login=login, contact=f"@{login}")
        c.claim(f"person:{login}", "MEMBER_OF", f"team:{team}", ROSTER, f"| {name} | {login} | {TEAMS[team]} |", "markdown:team", "practice")
    c.node("person:leoquist", "Leopold Quist", login="leoquist", departed_at=at("2025-09-14"))
    c.claim("person:leoquist", "MEMBER_OF", "team:boards", ROSTER, "| Leopold Quist | leoquist | boards | until 2025-09-14 |", "markdown:team",
            "practice", valid_to="2025-09-14")  # fmt: skip
    c.node("person:moyelaran", "Marguerite Oyelaran", login="moyelaran")
    for team, until in (("platform", "until 2025-05-31"), ("boards", "from 2025-06-01")):
        days = {"valid_to": "2025-06-01"} if team == "platform" else {"valid_from": "2025-06-01"}
        c.claim("person:moyelaran", "MEMBER_OF", f"team:{team}", ROSTER, f"| Marguerite Oyelaran | {team} | {until} |", "markdown:team", "practice", **days)
    c.claim("person:sannakivela", "MEMBER_OF", "team:gates", ROSTER, "| Sanna Kivelä | gates |", "markdown:team", "practice")
    c.claim("person:sannakivela", "TECH_LEAD_OF", "team:gates", ROSTER, "| Sanna Kivelä | lead of gates |", "markdown:lead", "practice")


def _catalogue(c: Company) -> None:
    c.doc("catalog/all.yaml", "Catalogue", "2025-01-01", "catalogue")
    c.doc("docs/registry/services.md", "Services", "2025-01-01", "registry")
    c.node("system:messaging", "messaging")
    places = {"gate-control": ("merefold/gatekeeper", "internal/command"), "map-tiles": (MAPDESK, "tiles"), "asset-register": (MAPDESK, "assets"),
              "event-bus": (TIDEWIRE, ""), "metrics-store": (SILTWATCH, "")}  # fmt: skip
    for name, (tier, owner, lead, needs) in SERVICES.items():
        repo, folder = places.get(name, (None, ""))
        c.node(f"service:{name}", name, tier=tier, repo=repo, path=folder or None, kind="service")
        if owner:
            c.claim(owner, "OWNS", f"service:{name}", CATALOGUE, f"{name}: owner: {owner}", "catalogue:owner")
            c.claim(owner, "OWNS", f"service:{name}", REGISTRY, f"| {name} | {owner} |", "markdown:owner", "formal_rule", at="2025-03-01")
        if lead:
            c.claim(f"person:{lead}", "TECH_LEAD_OF", f"service:{name}", REGISTRY, f"| {name} | lead {lead} |", "markdown:technical lead", "formal_rule")
        for other in needs:
            c.claim(f"service:{name}", "DEPENDS_ON", f"service:{other}", CATALOGUE, f"{name}: dependsOn: {other}", "catalogue:dependson")
    c.node("service:notify-dispatch", "notify-dispatch", unknown=True)
    c.edge("service:event-bus", "PART_OF", "system:messaging")
    c.node("api:levels-api", "levels-api", kind="openapi")
    c.edge("service:gauge-store", "PROVIDES", "api:levels-api")
    c.claim("service:operator-console", "USES", "api:levels-api", CATALOGUE, "operator-console: consumesApis: levels-api", "catalogue:consumesapis")
    c.node("resource:readings-db", "readings-db", kind="database")
    c.claim("service:gauge-store", "DEPENDS_ON", "resource:readings-db", CATALOGUE, "gauge-store: dependsOn: resource:readings-db", "catalogue:dependson")
    c.claim("service:site-gateway", "DEPENDS_ON", "service:event-bus", CATALOGUE, "site-gateway: dependsOn: event-bus, until June", "catalogue:dependson",
            valid_to="2025-06-01")  # fmt: skip
    c.claim("service:map-tiles", "DEPENDS_ON", "service:event-bus", REGISTRY, "| map-tiles | maybe the bus |", "markdown:depends on", state="candidate")
    c.claim("service:left-alone", "DEPENDS_ON", "service:event-bus", REGISTRY, "| left-alone | once the bus |", "markdown:depends on", state="rejected")
    c.claim("person:moyelaran", "TECH_LEAD_OF", "service:event-bus", REGISTRY, "| event-bus | lead Marguerite, until 2025-06-01 |",
            "markdown:technical lead", "formal_rule", valid_to="2025-06-01")  # fmt: skip


def _duties(c: Company) -> None:
    """Who keeps which document, who is on call, what runbooks say, and what the code owners file says."""
    c.doc("docs/registry/oncall.md", "On call", "2025-08-01", "registry")
    for who, team, rank, start, end in (
        ("ayobrandt", "platform", "primary", "2025-11-24", "2025-12-08"), ("mcoelho", "platform", "secondary", "2025-11-24", "2025-12-08"),
        ("jwhitlock", "platform", "primary", "2025-11-10", "2025-11-24"), ("hyejinp", "boards", "primary", "2025-11-24", "2025-12-08"),
        ("mcoelho", "platform", "primary", "2025-12-08", "2025-12-15"),
    ):  # fmt: skip
        c.claim(f"person:{who}", "ON_CALL_FOR", f"team:{team}", ONCALL, f"| {team} | {rank} {who} | {start} | {end} |", f"markdown:{rank}", "practice",
                valid_from=start, valid_to=end, props={"rank": rank})  # fmt: skip
    keeps = c.doc("docs/runbooks/site-gateway-restart.md", "Restart a site gateway", "2025-04-02", "runbook", reviewed_at=at("2025-04-02"))
    c.claim(keeps, "MAINTAINED_BY", "person:rachterberg", keeps, "maintainer: Rosalind Achterberg", "markdown:maintainer")
    c.edge(keeps, "ABOUT", "service:site-gateway")
    late = c.doc("docs/runbooks/late-thresholds.md", "Late thresholds", "2025-04-02", "runbook", text="Page Marguerite Oyelaran for the bus.")
    c.edge(late, "ABOUT", "service:event-bus")
    c.edge(late, "MENTIONS", "person:moyelaran", line=2)
    owners = c.doc("mapdesk/.github/CODEOWNERS", "CODEOWNERS", "2025-02-01", "codeowners")
    c.claim("team:console", "OWNS", f"dir:{MAPDESK}/tiles", owners, "/tiles/ @merefold/console", "codeowners:owner")
    c.claim("person:leoquist", "OWNS", f"dir:{MAPDESK}/assets", owners, "/assets/ @leoquist", "codeowners:owner")
    c.claim("team:boards", "OWNS", f"repo:{MAPDESK}", owners, "* @merefold/boards", "codeowners:owner")


def _code(c: Company) -> None:
    for repo, files in ((MAPDESK, ("tiles/cache.ts", "tiles/render.ts", "assets/list.ts")), (TIDEWIRE, ("broker/window.go",)), (SILTWATCH, ("metrics/store.py",))):
        c.node(f"repo:{repo}", repo, short=repo.split("/")[1], org="merefold")
        c.node(f"dir:{repo}", repo, repo=repo, path="", depth=0)
        for path in files:
            folder, _, base = path.partition("/")
            c.node(f"dir:{repo}/{folder}", folder, repo=repo, path=folder, depth=1)
            c.edge(f"dir:{repo}/{folder}", "IN_DIR", f"dir:{repo}")
            c.node(f"file:{repo}/{path}", path, repo=repo, path=path, base=base, exists=True)
            c.edge(f"file:{repo}/{path}", "IN_DIR", f"dir:{repo}/{folder}")
            c.edge(f"file:{repo}/{path}", "IN_REPO", f"repo:{repo}")
    c.node(f"dir:{MAPDESK}/free", "free", repo=MAPDESK, path="free", depth=1, unowned=True)
    c.edge(f"dir:{MAPDESK}/free", "IN_DIR", f"dir:{MAPDESK}")
    for number, who, day, path in (
        (1, "ondrejm", "2025-03-03", "tiles/cache.ts"), (2, "ondrejm", "2025-05-05", "tiles/render.ts"), (3, "ondrejm", "2025-09-01", "tiles/cache.ts"),
        (4, "hyejinp", "2025-06-06", "tiles/render.ts"), (5, "leoquist", "2025-02-02", "assets/list.ts"), (6, "leoquist", "2025-05-02", "assets/list.ts"),
        (7, "leoquist", "2025-06-02", "assets/list.ts"), (8, "pnolan", "2025-07-15", "assets/list.ts"), (9, "pnolan", "2025-10-10", "assets/list.ts"),
    ):  # fmt: skip
        c.pr(MAPDESK, number, who, f"Work on {path} {number}", day, merged=day, files=(path,), base="main")
    c.pr(MAPDESK, 10, "ci[bot]", "Bump the tile library", "2025-11-01", merged="2025-11-02", files=("tiles/cache.ts", "assets/list.ts"), base="main")
    c.pr(TIDEWIRE, 1, "mcoelho", "Let batches wait under load", "2025-11-25", merged="2025-11-28", files=("broker/window.go",), base="main")
    c.review("leilaf", f"pr:{TIDEWIRE}#1", "2025-11-27")
    for number, day in ((1, "2025-04-01"), (2, "2025-10-01")):
        c.pr(SILTWATCH, number, "jwhitlock", f"Keep metrics longer {number}", day, merged=day, files=("metrics/store.py",), base="main")


def _rule(c: Company, source: str, name: str, value: str, start: str, authority: str = "formal_rule", until: str | None = None, **props: Any) -> str:
    slot = "-".join(name.lower().split())
    home = source.partition(":")[2].removesuffix(".md").replace("/", "-")
    key = f"rule:{home}/{slot}"
    c.lines[source].append(f"| {name} | {value} | {props.get('conditions', '')} |")
    _, _, access, aud = c.titles[source]
    c.node(key, name, access=access, aud=list(aud) or None, at=at(start), title=name, slot=slot, value=value, valid_from=at(start),
           valid_to=at(until) if until else None, authority=authority, doc=source, **props)  # fmt: skip
    c.edge(key, "PART_OF", source)
    return key


def _rules(c: Company) -> None:
    policy = c.doc("docs/policies/ticket-handling.md", "Ticket handling", "2025-01-05", "policy")
    eight = _rule(c, policy, "Ticket claim deadline", "8 hours", "2025-01-05", subject="Duty and Field")
    _rule(c, policy, "Diagnosis deadline", "24 hours", "2025-01-05", subject="Duty and Field")
    c.claim(eight, "APPLIES_TO", "team:duty", policy, "applies_to: duty", "markdown:applies to", "formal_rule", valid_from="2025-01-05")
    c.node("thread:duty-desk/1757838600.000100", "Claim deadline", access="open", at=at("2025-09-14"), channel="duty-desk", n=1)
    said = _message(c)
    four = _rule(c, said, "Ticket claim deadline", "4 hours", "2025-09-15", "practice")
    c.claim(four, "SUPERSEDES", eight, said, "RULE CHANGE: Ticket claim deadline: 4 hours from 2025-09-15, replaces docs/policies/ticket-handling.md",
            "slack:rule change", "practice", at="2025-09-14", valid_from="2025-09-15")  # fmt: skip
    c.claim("person:wrenokafor", "DECIDED", four, said, "RULE CHANGE: Ticket claim deadline: 4 hours from 2025-09-15, replaces docs/policies/ticket-handling.md",
            "slack:rule change", "practice", at="2025-09-14", valid_from="2025-09-15")  # fmt: skip
    notice = c.doc("docs/notices/2025-12-ticket-claim.md", "Two hours to claim a ticket", "2025-11-20", "notice")
    two = _rule(c, notice, "Ticket claim deadline", "2 hours", "2025-12-15")
    c.claim(two, "SUPERSEDES", four, notice, "replaces: the four hours announced in #duty-desk", "markdown:replaces", "formal_rule", at="2025-11-20",
            valid_from="2025-12-15")  # fmt: skip
    _disagreeing(c)


def _message(c: Company) -> str:
    c.node(ANNOUNCED, "RULE CHANGE", access="open", at=at("2025-09-14"), channel="duty-desk", author="wrenokafor")
    c.titles[ANNOUNCED] = ("#duty-desk", at("2025-09-14"), "open", ())
    c.lines[ANNOUNCED] = []
    c.edge(ANNOUNCED, "IN_THREAD", "thread:duty-desk/1757838600.000100")
    return ANNOUNCED


def _disagreeing(c: Company) -> None:
    """Rules that contradict, and rules that only look as if they did."""
    releases = c.doc("docs/policies/releases.md", "Releases", "2025-01-05", "policy")
    habits = c.doc("docs/guides/habits.md", "How we work", "2025-03-05", "guide")
    _rule(c, releases, "Change freeze window", "Friday 15:00 to Monday 08:00", "2025-01-05")
    _rule(c, habits, "Change freeze window", "Friday 12:00 to Monday 06:00", "2025-03-05", "practice")
    _rule(c, releases, "Retry limit", "240 minutes", "2025-01-05")
    _rule(c, habits, "Retry limit", "4 hours", "2025-03-05", "practice")
    for where, conditions, value in ((releases, "dry season", "60 minutes"), (habits, "flood season", "10 minutes")):
        _rule(c, where, "Sampling interval", value, "2025-01-05", conditions=conditions)
    for where, team, value in ((releases, "boards", "8 hours"), (habits, "duty", "1 hour")):
        key = _rule(c, where, "Response time", value, "2025-01-05", subject=TEAMS[team])
        c.claim(key, "APPLIES_TO", f"team:{team}", where, f"response time is for {team}", "markdown:applies to", "formal_rule")
    ninety = _rule(c, releases, "Key rotation interval", "90 days", "2025-01-05")
    thirty = _rule(c, habits, "Key rotation interval", "30 days", "2025-04-05", conditions="site keys")
    c.claim(thirty, "SUPERSEDES", ninety, habits, "replaces the 90 days for site keys", "markdown:replaces", "practice", valid_from="2025-04-05", scope="site keys")
    one = _rule(c, releases, "Move approval", "one person", "2025-01-05")
    both = _rule(c, habits, "Move approval", "two persons", "2025-10-01", until="2025-11-01")
    c.claim(both, "SUPERSEDES", one, habits, "two persons in October", "markdown:replaces", "practice", valid_from="2025-10-01", valid_to="2025-11-01")


def _decision(c: Company, number: int, slug: str, title: str, day: str, stated: str, reason: str) -> str:
    path = f"docs/adr/{number:04d}-{slug}"
    doc = c.doc(f"{path}.md", title, day, "adr", text=f"Status: {stated}\n{reason}", number=number)
    key = c.node(f"decision:{path}", title, access="open", at=at(day), title=title, number=number, stated=stated, reason=reason, doc=doc)
    c.edge(key, "PART_OF", doc)
    return key


def _decisions(c: Company) -> None:
    two = _decision(c, 2, "poll-every-second", "Poll the controllers every second", "2025-01-10", "superseded", "A second is what the gates need.")
    four = _decision(c, 4, "readings-two-years", "Keep readings for two years in one database", "2025-02-10", "accepted", "Boards ask for two years.")
    seven = _decision(c, 7, "bus-batches-close-quickly", "Batches on the event bus close within two seconds", "2025-03-25", "accepted", "Thresholds read the bus.")
    nine = _decision(c, 9, "poll-by-group", "Poll by group at the pace of the station", "2025-05-10", "accepted", "The old stations cannot keep up.")
    twelve = _decision(c, 12, "minute-readings", "Minute readings of tidal gauges in object storage", "2025-06-22", "accepted", "Five years of minutes are large.")
    _decision(c, 14, "sign-commands", "Sign commands end to end", "2025-08-01", "proposed", "A gateway could lie.")
    _decision(c, 15, "cbor", "CBOR between sites and bus", "2025-08-10", "rejected", "Nobody could read it on the wire.")
    sixteen = _decision(c, 16, "slower-batches", "Batches may wait ten seconds", "2025-09-01", "proposed", "It would be cheaper.")
    for new, old, scope in ((nine, two, ""), (twelve, four, "minute readings of tidal gauges"), (sixteen, seven, "")):
        on = f"doc:{new.partition(':')[2]}.md"
        day = next(n.props["at"] for n in c.nodes if n.key == new)
        c.claim(new, "SUPERSEDES", old, on, f"Supersedes {old}", "markdown:status", at=day, valid_from=day, scope=scope)
    for who in ("leilaf", "mcoelho"):
        c.claim(f"person:{who}", "DECIDED", seven, f"doc:{BUS_ADR}.md", "Deciders: Leila Farahani, Mateus Coelho", "markdown:deciders", valid_from="2025-03-25")
    c.claim("person:leilaf", "WROTE", seven, f"doc:{BUS_ADR}.md", "Author: Leila Farahani", "markdown:author", valid_from="2025-03-25")
    c.claim(seven, "APPLIES_TO", "service:event-bus", f"doc:{BUS_ADR}.md", "Applies to: event-bus", "markdown:applies to", valid_from="2025-03-25")


def _ticket(c: Company, key: str, name: str, day: str, about: str, closed: str | None = None, modifies: bool = False, **props: Any) -> str:
    when, access = at(day), props.pop("access", "open")
    ticket = c.source(f"ticket:{key}", name, day, access, props.pop("aud", ()), created_at=when, closed_at=at(closed) if closed else None,
                      state="Done" if closed else "Open", system=key.split("-")[0], component=about, **props)  # fmt: skip
    c.edge(ticket, "ABOUT", f"service:{about}")
    if modifies:
        c.edge(ticket, "MODIFIES", f"service:{about}")
    return ticket


def _operations(c: Company) -> None:
    def handled(ticket: str, who: str, what: str, day: str, read_by: str = "slack:act") -> None:
        c.claim(ticket, "HANDLED_BY", f"person:{who}", ticket, f"{who} {what}", read_by, "observation", at=day, valid_from=day, props={"what": what})

    for number, who, day in ((1, "pnolan", "2025-08-01"), (2, "pnolan", "2025-09-01"), (3, "pnolan", "2025-10-01")):
        ticket = _ticket(c, f"FLD-{number}", f"Map is blank {number}", day, "map-tiles", closed=day, kind="Problem", priority="high")
        handled(ticket, who, "claimed", day)
        handled(ticket, who, "fixed", day)
    for number, who, day, what in ((1, "hyejinp", "2025-10-05", "verified"), (2, "hyejinp", "2025-11-05", "resolved"), (3, "leoquist", "2025-03-05", "resolved")):
        ticket = _ticket(c, f"OPS-{number}", f"Tile cache is full {number}", day, "map-tiles", closed=day, kind="Task", priority="low")
        handled(ticket, who, what, day, "tickets:assignee")
    config = _ticket(c, "OPS-187", "Config: fetch the tide feed every 60 minutes", "2025-11-27", "tide-model", closed="2025-11-28", modifies=True, kind="Change")
    c.claim(config, "ASSIGNED_TO", "person:kofid", config, "Assignee: Kofi Danquah", "tickets:assignee", at="2025-11-27")
    _ticket(c, "OPS-190", "Look at the bus", "2025-11-29", "event-bus", kind="Task", priority="high")
    for key, service, when, status, access in (
        ("event-bus-20251129-0111", "event-bus", "2025-11-29T01:11:00", "success", "open"), ("threshold-watch-20251129-0233", "threshold-watch", "2025-11-29T02:33:00", "success", "open"),
        ("event-bus-20251015-1000", "event-bus", "2025-10-15T10:00:00", "failure", "open"),
    ):  # fmt: skip
        c.node(f"deploy:{key}", key, access=access, at=at(when), version="v2.9.0", env="production", status=status, author="mcoelho")
        c.edge(f"deploy:{key}", "DEPLOYED_TO", f"service:{service}", at=at(when))
    c.edge("deploy:event-bus-20251129-0111", "INCLUDES", f"pr:{TIDEWIRE}#1")
    c.node("alert:0e06d5f413d88dc9", "ThresholdEvaluationLag", access="open", at=at("2025-11-29T02:41:00"), title="ThresholdEvaluationLag", severity="critical", status="firing")
    c.edge("alert:0e06d5f413d88dc9", "FIRED_ON", "service:threshold-watch", at=at("2025-11-29T02:41:00"))
    incident = c.source("incident:INC-3", "Late thresholds in March", "2025-03-18", severity="SEV1", ended_at=at("2025-03-18T06:19:00"))
    c.edge(incident, "ABOUT", "service:threshold-watch")
    thread = c.source("thread:incidents/1764384240.000100", "thresholds are late again", "2025-11-29T02:44:00", channel="incidents", n=2)
    c.edge(thread, "ABOUT", "service:threshold-watch")
    c.edge("ticket:OPS-190", "DISCUSSED_IN", thread, at=at("2025-11-29"))


def _secret(c: Company, access: str | None, aud: tuple[str, ...]) -> None:
    """What is restricted, linked to all that the others are linked to and saying something else of everything."""
    hidden = c.doc(f"docs/{CANARY}.md", f"{CANARY} ticket claim deadline tiles bus", "2025-02-02", "runbook", access=access, aud=aud, number=7)
    for src, rel, dst in (
        ("team:secret", "OWNS", "service:event-bus"), ("person:dag", "OWNS", "service:map-tiles"), ("team:secret", "OWNS", f"dir:{MAPDESK}/tiles"),
        ("person:dag", "TECH_LEAD_OF", "service:asset-register"), ("person:dag", "ON_CALL_FOR", "team:platform"), ("person:dag", "ON_CALL_FOR", "service:event-bus"),
        ("person:dag", "MEMBER_OF", "team:boards"), ("person:leoquist", "MEMBER_OF", "team:platform"), ("service:event-bus", "DEPENDS_ON", "service:map-tiles"),
        ("service:metrics-store", "DEPENDS_ON", "service:event-bus"), ("service:metrics-store", "USES", "api:levels-api"),
    ):  # fmt: skip
        c.claim(src, rel, dst, hidden, f"{CANARY} {src} {rel} {dst}", "markdown:said", "formal_rule")
    c.claim(hidden, "MAINTAINED_BY", "person:dag", hidden, f"{CANARY} kept by dag", "markdown:maintainer")
    c.edge(hidden, "ABOUT", "service:event-bus")
    c.edge(hidden, "MENTIONS", "person:leoquist", line=1)
    rule = _rule(c, hidden, "Ticket claim deadline", f"{CANARY} 1 hour", "2025-02-02", conditions="")
    freeze = _rule(c, hidden, "Change freeze window", f"{CANARY} never", "2025-02-02")
    for new, old in ((rule, "rule:docs-policies-ticket-handling/ticket-claim-deadline"), (freeze, "rule:docs-policies-releases/change-freeze-window")):
        c.claim(new, "SUPERSEDES", old, hidden, f"{CANARY} replaces {old}", "markdown:replaces", "formal_rule", valid_from="2025-02-02")
    made = c.node(f"decision:docs/{CANARY}", f"{CANARY} batches on the event bus", access=access, aud=list(aud) or None, at=at("2025-04-04"),
                  title=f"{CANARY} batches on the event bus", number=7, stated="accepted", reason=CANARY, doc=hidden)  # fmt: skip
    c.edge(made, "PART_OF", hidden)
    c.claim(made, "SUPERSEDES", f"decision:{BUS_ADR}", hidden, f"{CANARY} supersedes seven", "markdown:status", valid_from="2025-04-04")
    ticket = _ticket(c, f"OPS-9{CANARY}", f"{CANARY} map-tiles tile cache", "2025-10-10", "map-tiles", closed="2025-10-11", modifies=True, access=access, aud=aud,
                     kind=CANARY, priority="high")  # fmt: skip
    c.edge(ticket, "MODIFIES", "service:tide-model")
    for who in ("dag", "pnolan", "hyejinp"):
        c.claim(ticket, "HANDLED_BY", f"person:{who}", ticket, f"{CANARY} {who} fixed", "slack:act", "observation", at="2025-11-30", props={"what": "fixed"})
    c.claim(ticket, "ASSIGNED_TO", "person:kofid", ticket, f"{CANARY} Assignee: kofid", "tickets:assignee")
    when = at("2025-11-29T02:30:00")
    c.node(f"deploy:{CANARY}", CANARY, access=access, aud=list(aud) or None, at=when, status="success", author="dag")
    c.node(f"alert:{CANARY}", CANARY, access=access, aud=list(aud) or None, at=when, title=CANARY, severity="critical")
    for service in ("event-bus", "threshold-watch"):
        c.edge(f"deploy:{CANARY}", "DEPLOYED_TO", f"service:{service}", at=when)
        c.edge(f"alert:{CANARY}", "FIRED_ON", f"service:{service}", at=when)
    for number, path in ((90, "tiles/cache.ts"), (91, "assets/list.ts")):
        c.pr(MAPDESK, number, "dag", f"{CANARY} {path}", "2025-11-20", merged="2025-11-21", files=(path,), access=access, aud=list(aud) or None, base="main")
    c.pr(SILTWATCH, 90, "dag", CANARY, "2025-11-20", merged="2025-11-21", files=("metrics/store.py",), access=access, aud=list(aud) or None, base="main")


def rows(canary: str | None = None) -> Company:
    """All rows of the company; `canary` as in `small_graph.rows`."""
    c = Company([], [], [])
    _people(c)
    _catalogue(c)
    _duties(c)
    _code(c)
    _rules(c)
    _decisions(c)
    _operations(c)
    if canary:
        _secret(c, None if canary == "unlabelled" else "restricted", ("team:secret",) if canary == "aud" else ())
    return c.finish()


def build(store: Store, workspace: str, canary: str | None = None) -> None:
    """Loads `small_graph` and the company over it into a workspace."""
    small_graph.build(store, workspace, canary, rows(canary))



def caller(store: Store, workspace: str) -> Any:
    """Builds the company there and gives `run(tool, as_of=None, viewer=None, known_at=None, **args)`, the tools over it."""
    build(store, workspace)
    known = tools(catalogue.shipped())

    def run(tool: str, as_of: int | None = None, viewer: Viewer | None = None, known_at: int | None = None, **args: Any) -> Any:
        instant = NOW if as_of is None else as_of
        return known[tool].run(Asking(store, workspace, viewer or permissions.guest(), instant, known_at=known_at), **args)

    return run


def asker(store: Store, workspace: str) -> Callable[[str], Answer]:
    """Asks the graph arm of a workspace as its administrator, at the small company's present."""
    queries = catalogue.shipped()
    ctx, known = Asking(store, workspace, permissions.local_admin(), NOW, None, queries), tools(queries)
    names = lexicon.build(*[ctx.run(f"lexicon_{name}").rows for name in LEXICON])
    return lambda question: ask(question, "graph", ctx, known, names)
