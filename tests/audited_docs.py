"""What only some checks are about, of people, their accounts and groups, and of the documents that name them: laid over the small
company, so that each such check has something to keep back.
"""

from __future__ import annotations

from small_company import BUS_ADR, MAPDESK, PEOPLE, Company
from small_graph import SHA, F, G, at

AGED, REVIEWED, AGO = "docs/runbooks/aged.md", "docs/runbooks/bus.md", "2024-02-02"


def documents() -> Company:
    """All of it, ready to load."""
    c = Company([], [], [])
    _structure(c)
    _handled(c)
    _groups(c)
    _accounts(c)
    _runbooks(c)
    _replaced(c)
    _numbered(c)
    return c.finish()


def _structure(c: Company) -> None:
    """Systems in a domain, one of which is in it only for those who may know; a service that is in a system and has code at a place
    only for them.
    """
    c.node("domain:field", "field")
    c.node("system:apart", "apart")
    c.edge("system:messaging", "PART_OF", "domain:field")
    c.edge("system:apart", "PART_OF", "domain:field", access="restricted")
    c.edge("service:gauge-store", "PART_OF", "system:messaging")
    c.edge("service:rota", "PART_OF", "system:apart")
    c.edge("service:event-bus", "PART_OF", "system:apart", access="restricted")
    for name in ("rota", "event-bus"):
        c.edge(f"service:{name}", "PART_OF", f"dir:{MAPDESK}/tiles", access="internal")


def _handled(c: Company) -> None:
    """Tickets about what is in a system, for each a way that only some may know; a module and a project."""
    c.node("module:bus-client", "bus-client")
    c.node("project:quay", "quay")
    c.node("service:sluice", "sluice", access="restricted")
    c.edge("service:sluice", "PART_OF", "system:apart")
    c.edge("service:tide-model", "PART_OF", "system:apart", access="restricted")
    about: dict[str, dict[str, str]] = {"rota": {}, "sluice": {}, "tide-model": {}, "left-alone": {"access": "restricted"}}
    for number, (service, label) in enumerate(about.items()):
        ticket = c.source(f"ticket:APT-{number}", f"Apart {number}", "2025-10-10", created_at=at("2025-10-10"), state="Open", system="APT")
        c.edge(ticket, "ABOUT", f"service:{'rota' if label else service}", **label)
        c.claim(ticket, "HANDLED_BY", "person:pnolan", ticket, "pnolan fixed", "slack:act", "observation", at="2025-10-11", props={"what": "fixed"})


def _groups(c: Company) -> None:
    """Teams above teams, roles and channels; a team in which there is somebody only for those who may know of them, and one of
    which only they know that somebody is in it.
    """
    c.doc("docs/registry/groups.md", "Groups", "2025-01-01", "registry")
    groups = "doc:docs/registry/groups.md"
    for key, above in (("delivery", "engineering"), ("engineering", "everyone")):
        c.node(f"team:{key}", key)
        c.node(f"team:{above}", above)
        c.edge(f"team:{key}", "PART_OF", f"team:{above}")
    for key in ("platform", "boards"):
        c.edge(f"team:{key}", "PART_OF", "team:delivery")
    for key, above in (("shore", "coast"), ("platform", "shore")):
        c.node(f"team:{above}", above)
        c.edge(f"team:{key}", "PART_OF", f"team:{above}", access="restricted" if key == "platform" else None)
    c.claim("person:pnolan", "OWNS", "service:metrics-store", groups, "| metrics-store | Pádraig Nolan |", "markdown:owner")
    c.node("role:reviewer", "reviewer")
    c.node("role:deputy", "deputy")
    c.node("channel:duty-desk", "duty-desk")
    for login in ("moyelaran", "sannakivela", "ondrejm", "leoquist"):
        c.claim(f"person:{login}", "HOLDS_ROLE", "role:reviewer", groups, f"| {login} | reviewer |", "markdown:role", "practice")
        c.edge(f"person:{login}", "HAS_ROLE", "role:deputy")
        c.edge(f"person:{login}", "IN_CHANNEL", "channel:duty-desk")
    c.node("team:aground", "Aground")
    c.node("person:aside", "Aside", login="aside", access="restricted")
    c.claim("person:aside", "MEMBER_OF", "team:aground", groups, "| Aside | aground |", "markdown:team", "practice")
    c.node("team:adrift", "Adrift", access="restricted")
    c.claim("person:kofid", "MEMBER_OF", "team:adrift", groups, "| Kofi Danquah | adrift |", "markdown:team", "practice")
    c.claim("team:aground", "OWNS", "service:left-alone", groups, "| left-alone | aground |", "markdown:owner")
    hidden = c.doc("docs/registry/hidden.md", "Hidden", "2025-01-01", "registry", access="restricted")
    c.claim("person:kofid", "MEMBER_OF", "team:aground", hidden, "| Kofi Danquah | aground |", "markdown:team", "practice")


def _accounts(c: Company) -> None:
    """How people are called in the catalogue and on a roster."""
    logins = ("moyelaran", "sannakivela", "ondrejm", "leoquist", "mcoelho", "hyejinp")
    roster = c.doc("docs/registry/accounts.md", "Accounts", "2025-01-01", "registry")
    for login in logins:
        for system in ("catalogue", "roster"):
            c.node(f"account:{system}/{login}.m", login, system=system, handle=f"{login}.m", names=[f"{login} of {system}"])
            c.claim(f"account:{system}/{login}.m", "SAME_AS", f"person:{login}", roster, f"{system} {login}.m is {login}", "markdown:account")


def _runbooks(c: Company) -> None:
    """Documents that link, that name everybody, and that nobody has looked at for long, about what was deployed since; one of
    which only some may know whom it names.
    """
    for i, (path, service, day) in enumerate(((AGED, "site-gateway", AGO), (REVIEWED, "event-bus", "2025-03-01"), ("docs/runbooks/tiles.md", "map-tiles", "2025-03-01"))):
        text = "See [the registry](../registry/people.md) and [what is gone](gone.md)."
        doc = c.doc(path, f"Runbook {i}", day, "runbook", reviewed_at=at(day), text=text)
        c.edge(doc, "ABOUT", f"service:{service}")
        c.edge(doc, "MENTIONS", "service:threshold-watch", line=3)
        for login in (*PEOPLE, "moyelaran", "leoquist", "sannakivela"):
            c.edge(doc, "MENTIONS", f"person:{login}", line=2)
    c.claim(f"doc:{AGED}", "MAINTAINED_BY", "person:leoquist", f"doc:{AGED}", "maintainer: Leopold Quist", "markdown:maintainer")
    quiet = c.doc("docs/runbooks/quiet.md", "Quiet", "2025-03-01", "runbook", reviewed_at=at("2025-03-01"))
    for login in ("moyelaran", "leoquist"):
        c.edge(quiet, "MENTIONS", f"person:{login}", line=1, access="restricted")


def _replaced(c: Company) -> None:
    """A document that another replaces, a decision without a status, and a rule that is hidden though its document is not."""
    old = c.doc("docs/guides/old.md", "The old way", "2025-01-02", "guide")
    new = c.doc("docs/guides/new.md", "The new way", "2025-02-02", "guide")
    c.claim(new, "SUPERSEDES", old, new, "Replaces docs/guides/old.md", "markdown:replaces", valid_from="2025-02-02")
    hidden = c.doc("docs/guides/hidden.md", "The hidden way", "2025-02-02", "guide", access="restricted")
    for number, hides in enumerate(((False, True), (True, False))):
        doc = c.doc(f"docs/guides/alone-{number}.md", f"Alone {number}", "2025-02-02", "guide")
        src, dst = (hidden if hides_it else doc for hides_it in hides)
        c.claim(src, "SUPERSEDES", dst, doc, "One replaces the other", "markdown:replaces", valid_from="2025-02-02")
    c.node("decision:docs/adr/0020-undecided", "Undecided", access="open", at=at("2025-02-02"), title="Undecided", number=20, doc=new)
    c.edge("decision:docs/adr/0020-undecided", "PART_OF", new)
    made = c.node("decision:docs/adr/0021-batches", "Batches", access="open", at=at("2025-10-02"), title="Batches", number=21, stated="accepted", doc=new)
    c.claim(made, "SUPERSEDES", f"decision:{BUS_ADR}", new, "Replaces the quick batches", "markdown:status", valid_from="2025-10-02")
    c.claim(new, "SUPERSEDES", f"doc:{BUS_ADR}.md", new, "Replaces the record of the quick batches", "markdown:replaces", valid_from="2025-10-02")
    c.claim("person:kofid", "WROTE", f"doc:{BUS_ADR}.md", new, "Kofi Danquah wrote that record", "markdown:author", valid_from="2025-03-25")
    plain = c.doc("docs/guides/plain.md", "Plain", "2025-01-02", "guide")
    c.node("rule:docs-guides-plain/limit", "Limit", access="restricted", at=at("2025-01-02"), title="Limit", slot="limit", value="3", doc=plain)
    c.edge("rule:docs-guides-plain/limit", "PART_OF", plain)


def _numbered(c: Company) -> None:
    """Issues in a milestone, a commit that closes one, and pull requests that close and name issues of another repository; for each
    kind of work somebody of whom only some may know that they did it.
    """
    for sha in (SHA, "b" * 40):
        c.edge(f"commit:{G}@{sha}", "CLOSES", f"issue:{G}#8", keyword="fixes", at=at("2025-04-28"))
    c.edge(f"pr:{G}#5", "REFERENCES", f"commit:{G}@{SHA}", at=at("2025-07-01"))
    c.edge(f"issue:{G}#4", "REFERENCES", f"commit:{G}@{'b' * 40}", at=at("2025-07-01"))
    c.edge(f"commit:{G}@{'c' * 40}", "CLOSES", f"issue:{G}#4", keyword="fixes", at=at("2025-07-01"))
    for number in (1, 3, 5):
        c.edge(f"pr:{G}#{number}", "INCLUDES", f"commit:{G}@{'c' * 40}", access="restricted")
    pr, issue, commit = f"pr:{G}#5", f"issue:{G}#4", f"commit:{G}@{SHA}"
    did = {"AUTHORED": (pr, commit), "OPENED": (issue,), "COMMENTED_ON": (pr, issue), "REVIEWED": (pr,), "MERGED": (pr,)}
    for n, (rel, dst) in enumerate((rel, dst) for rel, some in did.items() for dst in some):
        who = c.node(f"person:unseen-{n}", f"unseen-{n}", login=f"unseen-{n}")
        c.edge(who, rel, dst, id=f"unseen-{n}", at=at("2025-06-19"), access="restricted")
    for number in (60, 61):
        c.issue(G, number, "ekoh", f"Seen from the desk {number}", "2025-07-07", milestone="autumn")
        pr = c.pr(F, number, "tdabrowski", f"Mend what was seen {number}", "2025-07-10", merged="2025-07-11", base="main")
        c.edge(pr, "CLOSES", f"issue:{G}#{number}", keyword="fixes", at=at("2025-07-10"))
        c.edge(pr, "REFERENCES", f"issue:{G}#{121 - number}", at=at("2025-07-10"))
