"""What some checks of the queries about work are about and the small company lacks: changes of which only the file, the pull request
or the release they shipped in is hidden, and who opened, was given and keeps what.
"""

from __future__ import annotations

from small_company import Company
from small_graph import at

HIDDEN = "restricted"
REPO, DAY = "merefold/lockbox", "2025-10-10"
RELEASE = f"release:{REPO}@v1.0.0"


def work() -> Company:
    """All of it, ready to load."""
    c = Company([], [], [])
    _places(c)
    _shipped(c)
    _people(c)
    _passages(c)
    _rules(c)
    return c.finish()


def _places(c: Company) -> None:
    """A directory in which only what is hidden was ever changed, one that is hidden itself, and places that are said to hold the code
    of a service where not everybody may read it.
    """
    c.node(f"repo:{REPO}", REPO, short="lockbox", org="merefold")
    c.node("service:lockbox-keeper", "lockbox-keeper", repo=REPO, path="vault")
    c.node("service:lockbox-maker", "lockbox-maker")
    for folder, hidden in (("", False), ("vault", False), ("attic", False), ("cellar", True)):
        c.node(f"dir:{REPO}/{folder}".rstrip("/"), folder or REPO, repo=REPO, path=folder, depth=int(bool(folder)), access=HIDDEN if hidden else "open",
               unowned=folder == "vault" or None)  # fmt: skip
        if folder:
            c.edge(f"dir:{REPO}/{folder}", "IN_DIR", f"dir:{REPO}")
    for path, hidden in (("vault/door.go", True), ("vault/shelf.go", False), ("attic/roof.go", False), ("cellar/stairs.go", False)):
        key = c.node(f"file:{REPO}/{path}", path, repo=REPO, path=path, base=path.split("/")[1], exists=True, access=HIDDEN if hidden else "open")
        c.edge(key, "IN_DIR", f"dir:{REPO}/{path.split('/')[0]}")
        c.edge(key, "IN_REPO", f"repo:{REPO}")
    c.edge("service:lockbox-keeper", "PART_OF", f"dir:{REPO}/vault")
    c.edge("service:lockbox-keeper", "PART_OF", f"dir:{REPO}/attic", access="internal")
    c.edge("service:lockbox-maker", "PART_OF", f"repo:{REPO}", access="internal")
    c.node("deploy:lockbox-maker-1", "lockbox-maker-1", access="open", at=at(DAY), status="success")
    c.edge("deploy:lockbox-maker-1", "DEPLOYED_TO", "service:lockbox-maker", at=at(DAY))
    c.node("api:lids-api", "lids-api")
    c.edge("service:lockbox-keeper", "PROVIDES", "api:lids-api", access="internal")
    used = c.doc("catalog/lids.yaml", "Lids", DAY, "catalogue")
    c.claim("service:lockbox-maker", "USES", "api:lids-api", used, "lockbox-maker: consumesApis: lids-api", "catalogue:consumesapis")
    c.pr(REPO, 4, "hyejinp", "Mend the roof", DAY, merged=DAY, files=("attic/roof.go",), base="main")
    c.edge(f"pr:{REPO}#3", "MODIFIES", "service:lockbox-keeper")
    c.edge(f"pr:{REPO}#1", "MODIFIES", "service:lockbox-keeper", access=HIDDEN)
    c.edge(f"pr:{REPO}#3", "REFERENCES", f"dir:{REPO}/vault")
    c.pr(REPO, 1, "hyejinp", "Hang the door", DAY, merged=DAY, files=("vault/door.go",), base="main")
    c.pr(REPO, 2, "hyejinp", "Take the door down", DAY, closed=DAY, files=("vault/door.go",), base="main")
    c.pr(REPO, 3, "hyejinp", "Sweep the stairs", DAY, merged=DAY, files=("cellar/stairs.go",), base="main")
    for who in ("ekoh", "pnolan", "kofid", "leilaf"):
        c.review(who, f"pr:{REPO}#3", DAY)
    c.commit(REPO, "a1" * 20, "hyejinp", "Hang the door", DAY, ("vault/door.go",))
    c.commit(REPO, "a2" * 20, "hyejinp", "Sweep the stairs", DAY, ("cellar/stairs.go",))


def _shipped(c: Company) -> None:
    """Issues whose way to a release leads over something hidden, each over something else."""
    c.release(REPO, "v1.0.0", "2025-10-20")
    for number in range(10, 19):
        c.issue(REPO, number, "hyejinp", f"The lid sticks {number}", DAY, closed=DAY)
    closing = {n: f"issue:{REPO}#{n}" for n in range(10, 19)}

    def change(number: int, closes: int | None, ships: str = "open", access: str = "open", files: tuple[str, ...] = ()) -> str:
        key = c.pr(REPO, number, "pnolan", f"Oil the lid {number}", DAY, merged=DAY, base="main", access=access, files=files)
        if closes:
            c.edge(key, "CLOSES", closing[closes], keyword="fixes", at=at(DAY))
        if ships:
            c.edge(key, "SHIPPED_IN", RELEASE, how="tag", **({"access": HIDDEN} if ships == HIDDEN else {}))
        return key

    def part(of: str, sha: str, closes: int | None, access: str = "open") -> None:
        key = c.commit(REPO, sha * 20, "pnolan", f"Oil the lid, part {sha}", DAY, access=access)
        c.edge(of, "INCLUDES", key, how="head")
        if closes:
            c.edge(key, "CLOSES", closing[closes], keyword="fixes", at=at(DAY))

    change(20, 10)
    change(21, 11, ships=HIDDEN)
    part(change(22, None), "b2", 12)
    part(change(23, None), "b3", 13, access=HIDDEN)
    part(change(24, None, access=HIDDEN), "b4", 14)
    part(change(25, None, ships=HIDDEN), "b5", 15)
    change(26, 16, ships="", access=HIDDEN, files=("vault/shelf.go",))
    change(27, 17, ships="", files=("cellar/stairs.go",))
    change(28, 18, ships="", files=("vault/door.go",))


def _people(c: Company) -> None:
    """Issues that a program opened, or one that is hidden, or so it is said where one may not read; the like for those who have a
    ticket, opened one, merge their own work or keep a document.
    """
    c.node("person:packer[bot]", "packer[bot]", login="packer[bot]", bot=True)
    c.node("person:crusher[bot]", "crusher[bot]", login="crusher[bot]", bot=True, access=HIDDEN)
    c.node("person:nightowl", "nightowl", login="nightowl", access=HIDDEN)
    opened = {n: c.issue(REPO, n, "packer[bot]" if n == 30 else "ekoh", f"Left open {n}", DAY, assignees=["ekoh", "nightowl"]) for n in (30, 31, 32)}
    c.edge("person:crusher[bot]", "OPENED", opened[31], at=at(DAY))
    c.edge("person:packer[bot]", "OPENED", opened[32], at=at(DAY), access=HIDDEN)
    own = c.pr(REPO, 33, "ekoh", "Merged by another", DAY, merged=DAY, base="main")
    c.edge("person:tdabrowski", "MERGED", own, at=at(DAY))
    c.edge("person:tdabrowski", "AUTHORED", own, at=at(DAY), access=HIDDEN)
    hidden = c.doc("docs/registry/lids.md", "Lids", DAY, "registry", access=HIDDEN)
    for n in (1, 2):
        ticket = c.source(f"ticket:LID-{n}", f"Lid {n}", DAY, created_at=at(DAY), state="Open", system="LID")
        kept = c.doc(f"docs/runbooks/lid-{n}.md", f"Lid {n}", DAY, "runbook")
        c.edge(kept, "ABOUT", "service:lockbox-keeper")
        c.claim(ticket, "ASSIGNED_TO", "person:ekoh", hidden if n == 2 else ticket, f"Lid {n}: ekoh", "tickets:assignee", at=DAY)
        c.claim(kept, "MAINTAINED_BY", "person:ekoh", hidden if n == 2 else kept, f"Lid {n}: kept by ekoh", "markdown:maintainer")
        c.edge(f"person:{('ekoh', 'kofid')[n - 1]}", "OPENED", ticket, at=at(DAY))
        c.edge(f"person:{('kofid', 'ekoh')[n - 1]}", "OPENED", ticket, id="hidden", at=at(DAY), access=HIDDEN)


def _passages(c: Company) -> None:
    """Hidden passages, of what is open and says nothing else, with a word that others of the kind say openly."""
    for n, access in ((0, "open"), (1, HIDDEN)):
        issue = c.node(f"issue:{REPO}#{40 + n}", f"Silent {n}", repo=REPO, number=40 + n, title=f"Silent {n}", created_at=at(DAY), at=at(DAY), access="open", state="open")
        for key in (issue, f"commit:{REPO}@{('a2', 'a1')[n] * 20}", c.release(REPO, "v0.9.0", DAY) if n == 0 else RELEASE):
            c.chunk(key, "Modbus", "Modbus", at(DAY), access)


def _rules(c: Company) -> None:
    """A rule that is announced nowhere but in a document that is hidden, and one whose document another replaces."""
    old, new = (c.doc(f"docs/policies/lid-{n}.md", f"Lid {n}", DAY, "policy") for n in (1, 2))
    c.node("rule:docs-policies-lid-1/lid-wax", "Lid wax", access="open", at=at(DAY), title="Lid wax", slot="lid-wax", value="monthly", valid_from=at(DAY),
           authority="formal_rule", doc=old)  # fmt: skip
    c.claim(new, "SUPERSEDES", old, new, "replaces: lid-1.md", "markdown:replaces", "formal_rule", valid_from=DAY)
    hidden = c.doc("docs/policies/lids.md", "Lids", DAY, "policy", access=HIDDEN)
    rule = c.node("rule:docs-policies-lids/lid-angle", "Lid angle", access="open", at=at("2031-01-01"), title="Lid angle", slot="lid-angle", value="30 degrees",
                  valid_from=at("2031-01-01"), authority="formal_rule", doc=hidden)  # fmt: skip
    c.edge(rule, "MENTIONS", "person:ekoh", line=1)
    c.claim(rule, "APPLIES_TO", "team:duty", hidden, "lid angle: duty", "markdown:applies to", "formal_rule", at=DAY, valid_from=DAY)
    c.node("team:divers", "Divers", access=HIDDEN)
    told = c.node("rule:docs-policies-lids/lid-weight", "Lid weight", access="open", at=at("2031-01-01"), title="Lid weight", slot="lid-weight", value="9 kg",
                  valid_from=at("2031-01-01"), authority="formal_rule")  # fmt: skip
    c.edge(told, "MENTIONS", f"file:{REPO}/attic/roof.go", line=1)
    c.claim(told, "APPLIES_TO", "team:divers", old, "lid weight: divers", "markdown:applies to", "formal_rule", at=DAY, valid_from=DAY)
