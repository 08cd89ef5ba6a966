"""What the queries behind investigations are about and the small company lacks: of each kind of thing that an alert, a change or a
past incident is joined to, one of which only that thing, or only that it is joined, is hidden.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from small_company import Company
from small_graph import at

HIDDEN: Mapping[str, Any] = {"access": "restricted"}
OPEN: Mapping[str, Any] = {}
# Both may be read; only the one end may not; only that they are joined may not.
WAYS = (("told", OPEN, OPEN), ("end", HIDDEN, OPEN), ("link", OPEN, HIDDEN))
REPO, DAY, TITLE = "merefold/quayside", "2025-10-10", "BerthSlow"
BERTH = "service:berth"


def incidents() -> Company:
    """All of it, ready to load."""
    c = Company([], [], [])
    _places(c)
    _alerts(c)
    _rolled_out(c)
    _merged(c)
    _before(c)
    _decided(c)
    _runbooks(c)
    return c.finish()


def _labelled(label: Mapping[str, Any]) -> dict[str, Any]:
    return {"access": "open", **label}


def _places(c: Company) -> None:
    """A service with code in a directory, others that are hidden or are deployed from the same repository."""
    c.node(f"repo:{REPO}", REPO, short="quayside", org="merefold")
    for folder in ("", "berth", "winch", "unseen"):
        c.node(f"dir:{REPO}/{folder}".rstrip("/"), folder or REPO, repo=REPO, path=folder, depth=int(bool(folder)), access="restricted" if folder == "unseen" else "open")
    for path in ("berth/rope.go", "winch/drum.go", "unseen/keel.go", "berth/knot.go"):
        key = c.node(f"file:{REPO}/{path}", path, repo=REPO, path=path, base=path.split("/")[1], exists=True, access="restricted" if "knot" in path else "open")
        c.edge(key, "IN_DIR", f"dir:{REPO}/{path.split('/')[0]}")
        c.edge(key, "IN_REPO", f"repo:{REPO}")
    c.node(BERTH, "berth", tier=1)
    c.node("service:winch", "winch", tier=2)
    c.node("service:keel", "keel", access="restricted")
    c.node("service:anchor", "anchor")
    c.node("resource:quay-db", "quay-db", kind="database")
    c.edge(BERTH, "PART_OF", f"dir:{REPO}/berth")
    c.edge("service:winch", "PART_OF", f"dir:{REPO}/winch")
    c.edge("service:keel", "PART_OF", f"dir:{REPO}/unseen")
    c.node("service:fender", "fender")
    c.edge("service:fender", "PART_OF", f"repo:{REPO}", access="internal")
    c.edge("service:anchor", "PART_OF", f"dir:{REPO}/berth", access="internal")


def _alert(c: Company, name: str, day: str, label: Mapping[str, Any] = OPEN, **props: Any) -> str:
    return c.source(f"alert:{name}", TITLE, day, label.get("access", "open"), text=f"{TITLE} on {name}", severity="critical", status="firing", fingerprint=name, **props)


def _alerts(c: Company) -> None:
    """Alerts on what is open, on what is hidden, and on what only some may know that they fired on; owners of what they fired on."""
    c.doc("docs/registry/quay.md", "Quay", "2025-01-01", "registry")
    c.doc("docs/registry/quay-hidden.md", "Quay, closed", "2025-01-01", "registry", access="restricted")
    c.node("person:stoker", "stoker", login="stoker", access="restricted")
    for n, (way, end, link) in enumerate(WAYS):
        alert = _alert(c, f"berth-{way}", "2025-11-20")
        service = c.node(f"service:slip-{way}", f"slip-{way}", **_labelled(end))
        c.edge(alert, "FIRED_ON", service, at=at("2025-11-20"), **link)
        owned = c.node(f"service:yard-{way}", f"yard-{way}", access="open")
        c.edge(_alert(c, f"yard-{way}", "2025-11-21"), "FIRED_ON", owned, at=at("2025-11-21"))
        c.claim("person:stoker" if end else "person:pnolan", "OWNS", owned, f"doc:docs/registry/quay{'-hidden' if link else ''}.md", f"yard-{way} is owned {n}", "markdown:owner")
        silent = c.node(f"alert:silent-{way}", "Silent", access="open", at=at("2025-11-22"), title="Silent", severity="low")
        c.edge(silent, "FIRED_ON", BERTH, at=at("2025-11-22"))
        c.chunk(silent, "Silent", f"{way} text of an alert", at("2025-11-22"), end.get("access", "open"))
        said = c.node(f"message:quay/{n}", f"said {way}", at=at("2025-11-20"), channel="quay", **_labelled(end))
        c.edge(said, "ABOUT", BERTH, at=at("2025-11-20"), **link)
        c.edge(said, "MENTIONS", "service:winch", **link)
        _termed(c, way, end, link)
    c.edge(_alert(c, "berth", "2025-11-25"), "FIRED_ON", BERTH, at=at("2025-11-25"))
    c.edge(_alert(c, "quay-db", "2025-11-25"), "FIRED_ON", "resource:quay-db", at=at("2025-11-25"))


def _termed(c: Company, way: str, end: Mapping[str, Any], link: Mapping[str, Any]) -> None:
    """Alerts and messages that share a term, of which the term, the message, or that one of them uses it is hidden."""
    for part in ("term", "message", "alert"):
        hides = {name: (end, link) if name == part else (OPEN, OPEN) for name in ("term", "message", "alert")}
        term = c.node(f"concept:{part}-{way}", f"{part} {way}", terms=[part], uses=3, **_labelled(hides["term"][0]))
        alert = _alert(c, f"{part}-{way}-said", "2025-11-26")
        c.edge(alert, "MENTIONS", term, **hides["alert"][1])
        said = c.node(f"message:terms/{part}-{way}", f"{part} {way}", at=at("2025-11-26"), channel="terms", **_labelled(hides["message"][0]))
        c.edge(said, "MENTIONS", term, **hides["message"][1])


def _deploy(c: Company, key: str, on: str, day: str, label: Mapping[str, Any] = OPEN, link: Mapping[str, Any] = OPEN, **props: Any) -> str:
    made = {"env": "production", "status": "success", "repo": REPO, **_labelled(label), **props}
    c.node(f"deploy:{key}", key, at=at(day), **made)
    c.edge(f"deploy:{key}", "DEPLOYED_TO", on, at=at(day), **link)
    return f"deploy:{key}"


def _rolled_out(c: Company) -> None:
    """Roll-outs of one version at several places and times, with what is in them; alerts that went off after some of them."""
    for n, (way, end, link) in enumerate(WAYS):
        dock = c.node(f"service:dock-{way}", f"dock-{way}", repo=REPO, path="berth")
        first = _deploy(c, f"dock-{way}-1", dock, "2025-10-01", end, link, version=f"v1.{n}", sha=f"d1{n}")
        second = _deploy(c, f"dock-{way}-2", dock, "2025-10-20", version=f"v2.{n}", sha=f"d2{n}")
        _deploy(c, f"berth-{way}", BERTH, f"2025-11-0{n + 1}", end, link, version="v3", sha="same")
        _deploy(c, f"tow-{way}", f"service:slip-{way}", "2025-11-05", {}, link, version="v3", sha="same")
        for key, day, at_ in ((first, "2025-09-30", 0), (second, "2025-10-19", 1)):
            commit = c.commit(REPO, f"{n}{at_}e" + "0" * 37, "pnolan", f"Coil the rope {way} {at_}", day, ("berth/rope.go",), access=end.get("access", "open") if at_ else "open")
            c.edge(key, "INCLUDES", commit, how="sha", **(link if at_ else {}))
        ticket = c.source(f"ticket:QUA-{n}", f"Coil {way}", "2025-10-18", end.get("access", "open"), created_at=at("2025-10-18"), state="Open", system="QUA")
        c.edge(second, "REFERENCES", ticket, **link)
        c.edge(ticket, "MODIFIES", "service:winch", **link)
        alert = _alert(c, f"after-{way}", "2025-11-05T00:10:00", end)
        c.edge(alert, "FIRED_ON", "service:slip-told", at=at("2025-11-05T00:10:00"), **link)
    later = c.commit(REPO, "e9" * 20, "pnolan", "Coil it once more", "2025-10-05", ("berth/rope.go",))
    c.edge("deploy:dock-told-1", "INCLUDES", later, how="sha", **HIDDEN)
    unseen = c.commit(REPO, "e8" * 20, "pnolan", "Coil it in secret", "2025-10-06", ("berth/rope.go",), access="restricted")
    c.edge("deploy:dock-told-1", "INCLUDES", unseen, how="sha")
    for n, day in ((40, "2025-09-30T12:00:00"), (41, "2025-10-03")):
        c.pr(REPO, n, "pnolan", f"Between roll-outs {n}", "2025-09-29", merged=day, files=("berth/rope.go",), base="main")
    _deploy(c, "anchor-1", "service:anchor", "2025-11-24", version="v1", sha="anchored")
    _deploy(c, "berth-now", BERTH, "2025-11-24", version="v3", sha="same")
    flag = c.node("deploy:berth-flag", "berth-flag", access="open", at=at("2025-11-23"), kind="flag", env="production")
    c.edge(flag, "MODIFIES", BERTH, at=at("2025-11-23"))


def _merged(c: Company) -> None:
    """Changes in the repository, each hidden in one way more; of commits some that a pull request holds which is hidden, or holds
    them in secret.
    """
    for n, (way, end, link) in enumerate(WAYS):
        own = f"{n}f1" + "0" * 37
        alone = c.commit(REPO, own, "pnolan", f"Splice {way}", "2025-11-10", (), access=end.get("access", "open"))
        c.edge(alone, "TOUCHED", f"file:{REPO}/berth/rope.go", status="M", path="berth/rope.go", **link)
        held = c.commit(REPO, f"{n}f2" + "0" * 37, "pnolan", f"Held {way}", "2025-11-11", ("berth/rope.go",))
        whole = c.pr(REPO, 10 + n, "pnolan", f"Hold {way}", "2025-11-11", merged="2025-11-12", access=end.get("access", "open"), files=("berth/rope.go",), base="main")
        c.edge(whole, "INCLUDES", held, how="head", **link)
        c.edge("deploy:berth-now", "INCLUDES", whole, how="merge", **link)
        c.edge("deploy:berth-flag", "INCLUDES", held, how="sha")
        hides = ("berth/rope.go", "unseen/keel.go", "berth/knot.go")[n]
        c.pr(REPO, 20 + n, "pnolan", f"Touch {hides}", "2025-11-13", merged="2025-11-14", files=(hides,), base="main")
        early = c.pr(REPO, 30 + n, "pnolan", f"Early {way}", "2025-08-13", merged="2025-08-14", base="main", access=end.get("access", "open"))
        c.edge("deploy:berth-now", "INCLUDES", early, how="merge", **link)
        written = c.commit(REPO, f"{n}f3" + "0" * 37, "pnolan", f"Written {way}", "2025-11-15", ("winch/drum.go",))
        del c.edges[-2]  # what the loader of the small graph says of who wrote it
        c.edge("person:stoker" if end else "person:pnolan", "AUTHORED", written, at=at("2025-11-15"), **link)
    c.commit(REPO, "f4" * 20, "pnolan", "Knot", "2025-11-16", ("berth/knot.go",))


def _before(c: Company) -> None:
    """Incidents that were over, with what caused and mended them, where they are told, and the alerts that belong to them."""
    closed = c.doc("docs/registry/mended.md", "Mended", "2025-01-01", "registry", access="restricted")
    for side in ("cause", "fix", "doc", "itself"):
        for n in (0, 1):
            c.edge(_alert(c, f"of-{side}-{n}", "2025-10-09"), "FIRED_ON", BERTH, at=at("2025-10-09"))
    for n, (way, end, link) in enumerate(WAYS):
        for side, (cause, fix, alert, place, about) in {
            "cause": (way, "", "", "", ""), "fix": ("", way, "", "", ""), "alert": ("", "", way, "", ""), "doc": ("", "", "", way, ""), "itself": ("", "", "", "", way),
        }.items():  # fmt: skip
            label = end if about else OPEN
            day = f"2025-10-{10 + n:02}"
            incident = c.source(f"incident:{side}-{way}", f"Late berths {side} {way}", day, label.get("access", "open"), severity="SEV2", ended_at=at(day) + 3600)
            c.edge(incident, "ABOUT", BERTH, **(link if about else {}))
            on = closed if link else incident
            if cause:
                c.claim(incident, "CAUSED_BY", f"deploy:berth-{'end' if end else 'told'}", on, f"{way} caused it", "markdown:cause")
            if fix:
                c.claim(incident, "FIXED_BY", f"ticket:QUA-{1 if end else 0}", on, f"{way} mended it", "markdown:fix")
            if alert:
                first, second = (_alert(c, f"then-{n}-{i}", day, end) for i in (0, 1))
                c.edge(incident, "ABOUT", first, **link)
                c.edge(second, "ABOUT", incident, **link)
            if place:
                report = c.doc(f"docs/postmortems/{way}.md", f"Report {way}", day, "postmortem", access=end.get("access", "open"))
                c.edge(incident, "REPORTED_IN", report, **link)
            if side != "alert":
                c.edge(incident, "ABOUT", f"alert:of-{side}-0", **(link if about else {}))
                c.edge(f"alert:of-{side}-1", "ABOUT", incident, **(link if about else {}))


def _decided(c: Company) -> None:
    """Decisions and rules about the service, or whose record names it; ones that others replace."""
    closed = c.doc("docs/registry/decided.md", "Decided", "2025-01-01", "registry", access="restricted")
    for n, (way, end, link) in enumerate(WAYS):
        doc = c.doc(f"docs/adr/quay-{way}.md", f"Quay {way}", "2025-03-01", "adr", access="open")
        named = c.doc(f"docs/adr/named-{way}.md", f"Named {way}", "2025-03-01", "adr", access=end.get("access", "open"))
        c.edge(named, "MENTIONS", BERTH, line=1, **link)
        for i, (where, about) in enumerate(((doc, True), (named, False))):
            made = c.node(f"decision:quay-{way}-{i}", f"Decided {way} {i}", at=at("2025-03-01"), title=f"Decided {way} {i}", number=100 + 2 * n + i, stated="accepted",
                          doc=where, **_labelled(end if about else OPEN))  # fmt: skip
            c.edge(made, "PART_OF", where)
            if about:
                c.claim(made, "APPLIES_TO", BERTH, closed if link else doc, f"{way} applies to berth", "markdown:applies to")
        old = c.node(f"decision:old-{way}", f"Old {way}", at=at("2025-03-01"), title=f"Old {way}", stated="accepted", access="open", doc=doc)
        c.edge(old, "ABOUT", BERTH)
        new = c.node(f"decision:new-{way}", f"New {way}", at=at("2025-04-01"), title=f"New {way}", stated="accepted", **_labelled(end))
        c.claim(new, "SUPERSEDES", old, closed if link else doc, f"{way} replaces the old", "markdown:status", valid_from="2025-04-01")
        part = c.node(f"decision:part-{way}", f"Part {way}", at=at("2025-03-01"), title=f"Part {way}", stated="accepted", access="open")
        holder = c.doc(f"docs/adr/holder-{way}.md", f"Holder {way}", "2025-03-01", "adr")
        c.edge(holder, "MENTIONS", "service:winch", line=1)
        c.edge(part, "PART_OF", holder, **(link or end))


def _runbooks(c: Company) -> None:
    """Runbooks about the service, and guides that name it and the alert; of some only a passage is hidden."""
    for way, end, link in WAYS:
        about = c.doc(f"docs/runbooks/berth-{way}.md", f"Berths {way}", "2025-03-01", "runbook", access=end.get("access", "open"))
        c.edge(about, "ABOUT", BERTH, **link)
        quiet = c.node(f"doc:docs/runbooks/quiet-{way}.md", f"Quiet {way}", access="open", at=at("2025-03-01"), path=f"docs/runbooks/quiet-{way}.md", kind="runbook")
        c.edge(quiet, "MENTIONS", BERTH, line=1)
        c.chunk(quiet, f"Quiet {way}", f"When {TITLE} goes off, look at the winch", at("2025-03-01"), end.get("access", "open"))
