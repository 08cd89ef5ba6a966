"""The company of one alert with everything that an investigation reads, and beside each thing the same hidden in three ways: for a
team, for those who belong, and for nobody, as it has no label. Each hidden thing would change what is found.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claims_graph import Company
from incident_company import ALERT, CAUSE, FIRED, HOUR, company

from brain.audit.copying import copy
from brain.bulk import Loader
from brain.derive import derived
from brain.store import Store, graph_name
from brain.text.analysis import analyse

TEAM, INTERNAL, UNLABELLED = {"access": "restricted", "aud": ["team:till"]}, {"access": "internal"}, {"access": None}
HIDDEN: Mapping[str, Mapping[str, Any]] = {"quern": TEAM, "osier": INTERNAL, "teasel": UNLABELLED}
OPEN = {"access": "open"}
DAY = 86_400
WORDS = "Totals differ from the till: round every amount after the tax"


def rich(hidden: bool = True) -> Company:
    """All of it; without the hidden things unless asked for."""
    made = company()
    _code(made)
    _things(made, "plain", OPEN)
    for word, label in HIDDEN.items() if hidden else ():
        _things(made, word, label)
        _around(made, word, label)
    return made


def build(store: Store, workspace: str, made: Company, embedder: Any = None) -> None:
    """Loads it with vectors, indexes and derived edges, as real loads have them."""
    for chunk in made.chunks:
        chunk["ft"] = analyse(chunk["text"])
    vectors = list(embedder.embed([c["text"] for c in made.chunks])) if embedder else None
    bare, graph = graph_name(f"{workspace}-bare"), graph_name(workspace)
    made.build(store, f"{workspace}-bare", vectors)
    store.drop(graph)
    copy(store, bare, store, graph, keep=lambda props: True)
    store.drop(bare)
    loader = Loader(store, graph)
    for rel, edges in derived(store, graph):
        loader.edges(rel, edges)


def _code(made: Company) -> None:
    """Code of a service that is deployed, and of one of which nobody records deployments."""
    made.node("service:scale", "scale", tier=2, access="open")
    made.doc("scale.md", "shop needs scale")
    made.claim("service:shop", "DEPENDS_ON", "service:scale", "doc:scale.md", 1, "shop needs scale")
    for name in ("prices", "scale"):
        repo = f"org/{name}"
        made.node(f"repo:{repo}", repo, short=name, org="org", access="open")
        for folder in ("", "src"):
            made.node(f"dir:{repo}/{folder}".rstrip("/"), folder or repo, repo=repo, path=folder, depth=int(bool(folder)), access="open")
        made.edge(f"service:{name}", "PART_OF", f"dir:{repo}/src")
        made.node(f"file:{repo}/src/round.go", "src/round.go", repo=repo, path="src/round.go", base="round.go", exists=True, access="open")
        made.edge(f"file:{repo}/src/round.go", "IN_DIR", f"dir:{repo}/src")


def _change(made: Company, key: str, at: int, label: Mapping[str, Any], repo: str = "org/prices") -> str:
    """A pull request or commit to the code."""
    props = {"number": at % 1000, "merged_at": at, "created_at": at - 600, "state": "merged", "base": "main"} if key.startswith("pr:") else {"on_default": True, "sha": key}
    made.node(key, f"{WORDS} {key}", repo=repo, at=at, **({"title": f"{WORDS} {key}"} if key.startswith("pr:") else {"subject": WORDS}), **props, **label)
    made.edge(key, "TOUCHED", f"file:{repo}/src/round.go", status="M", path="src/round.go")
    _text(made, key, f"{WORDS}, by {key}", label, FIRED - 2 * HOUR)
    return key


def _text(made: Company, key: str, body: str, label: Mapping[str, Any], at: int = 0) -> None:
    made.text(key, body, label["access"])
    made.chunks[-1].update(at=at, **label)


def _things(made: Company, word: str, label: Mapping[str, Any]) -> None:
    """What an investigation reads: changes, decisions, what was before, what runbooks and people say."""
    pr = _change(made, f"pr:org/prices#{word}", FIRED - 2 * HOUR, label)
    made.edge(CAUSE, "INCLUDES", pr, how="merge")
    _change(made, f"commit:org/prices@{word}", FIRED - 3 * HOUR, label)
    _change(made, f"commit:org/scale@{word}", FIRED - 2 * HOUR, label, "org/scale")
    made.node(f"decision:{word}", f"Amounts are rounded once {word}", at=1, title=f"Amounts are rounded before the tax {word}", stated="accepted", reason=WORDS, **label)
    made.edge(f"decision:{word}", "ABOUT", "service:prices")
    made.node(f"rule:{word}/rounding", f"Rounding {word}", at=1, title=f"Rounding {word}", slot=f"rounding-{word}", value="no more than 5 seconds", valid_from=1, **label)
    made.edge(f"rule:{word}/rounding", "ABOUT", "service:prices")
    day = FIRED - 60 * DAY
    made.node(f"alert:then-{word}", "Totals", at=day, title="TotalsDiffer", severity="critical", ended_at=day + 600, **label)
    made.edge(f"alert:then-{word}", "FIRED_ON", "service:shop", at=day)
    made.node(f"deploy:then-{word}", f"prices then {word}", at=day - 600, env="production", status="success", repo="org/prices", sha=f"then-{word}", **label)
    made.edge(f"deploy:then-{word}", "DEPLOYED_TO", "service:prices", at=day - 600)
    report = f"doc:incidents/{word}.md"
    made.node(report, f"Report {word}", path=f"incidents/{word}.md", kind="incident", at=day, **label)
    _text(made, report, f"# Root cause\n\n{WORDS} {word}.", label, day)
    made.node(f"incident:{word}", f"Totals differed {word}", at=day, ended_at=day + HOUR, severity="SEV1", title=f"Totals differed {word}", **label)
    for rel, dst in (("ABOUT", "service:shop"), ("ABOUT", f"alert:then-{word}"), ("REPORTED_IN", report)):
        made.edge(f"incident:{word}", rel, dst)
    book = f"doc:runbooks/{word}.md"
    made.node(book, f"Totals {word}", path=f"runbooks/{word}.md", kind="runbook", at=1, **label)
    made.edge(book, "ABOUT", "service:shop")
    _text(made, book, f"When TotalsDiffer goes off, look at {word}.\n{word} answers for prices.", label)
    made.node(f"message:till/{word}", f"the totals differ {word}", at=FIRED + 60, channel="till", **label)
    made.edge(f"message:till/{word}", "ABOUT", "service:shop", at=FIRED + 60)
    made.node(f"alert:near-{word}", f"Basket {word}", at=FIRED - 60, title=f"Basket {word}", severity="critical", status="firing", fingerprint=word, **label)
    made.edge(f"alert:near-{word}", "FIRED_ON", "service:basket", at=FIRED - 60)


def _around(made: Company, word: str, label: Mapping[str, Any]) -> None:
    """What would move a count, a weight or a rank: roll-outs, a taking back, dependencies, owners, whoever is on call, passages."""
    aud, place = tuple(label.get("aud", ())), label if label["access"] else {"access": "restricted"}  # structure is open without one
    for key, on, at, more in (
        ("near", "shop", FIRED - 300, {"description": WORDS}), ("back", "prices", FIRED + 300, {"rollback": True, "version": "v1"}),
        ("twin", "other", FIRED - 20 * HOUR, {"repo": "org/prices", "sha": f"sha-{CAUSE}"}), ("again", "prices", FIRED - 20 * HOUR, {"sha": f"sha-{CAUSE}"}),
        *((f"pace-{n}", "prices", FIRED - 2 * DAY - n * 6 * HOUR, {"version": f"p{n}"}) for n in range(60)),
    ):  # fmt: skip
        made.node(f"deploy:{word}-{key}", f"{on} {word} {key}", at=at, **{"env": "production", "status": "success", "repo": f"org/{on}", "sha": f"{word}-{key}", **more, **label})
        made.edge(f"deploy:{word}-{key}", "DEPLOYED_TO", f"service:{on}", at=at)
    made.node(f"ticket:{word}-1", f"{WORDS} {word}", at=FIRED - 600, created_at=FIRED - 700, closed_at=FIRED - 600, state="Done", **label)
    made.edge(f"ticket:{word}-1", "MODIFIES", "service:shop", at=FIRED - 600)
    made.node(f"file:org/prices/src/{word}.go", f"src/{word}.go", repo="org/prices", path=f"src/{word}.go", base=f"{word}.go", exists=True, **place)
    made.edge("pr:org/prices#plain", "TOUCHED", f"file:org/prices/src/{word}.go", status="M", path=f"src/{word}.go")
    made.node(f"decision:{word}-new", f"Rounded no more {word}", at=2, title=f"Rounded no more {word}", stated="accepted", **label)
    made.node(f"service:{word}", word, tier=1, **place)
    made.node(f"person:{word}", word, login=word, **place)
    body = (f"{word} needs shop", f"basket needs {word}", f"basket needs other {word}", f"{word} owns prices", f"{word} is on call for money", f"{word} replaces plain", f"{word} caused it", f"{word} mended it")
    hidden = f"doc:{word}.md"
    made.node(hidden, f"{word}.md", path=f"{word}.md", **label)
    _text(made, hidden, "\n".join(body), label)
    ends = (
        (f"service:{word}", "DEPENDS_ON", "service:shop"), ("service:basket", "DEPENDS_ON", f"service:{word}"), ("service:basket", "DEPENDS_ON", "service:other"),
        (f"person:{word}", "OWNS", "service:prices"), (f"person:{word}", "ON_CALL_FOR", "team:money"), (f"decision:{word}-new", "SUPERSEDES", "decision:plain"),
        ("incident:plain", "CAUSED_BY", f"deploy:then-{word}"), ("incident:plain", "FIXED_BY", f"deploy:{word}-back"),
    )  # fmt: skip
    for n, (src, rel, dst) in enumerate(ends, 1):
        made.claim(src, rel, dst, hidden, n, body[n - 1], access=label["access"] or "", aud=aud)
    made.claim("person:cy", "ON_CALL_FOR", "team:money", hidden, 5, body[4], access=label["access"] or "", aud=aud)
    made.edge(f"incident:{word}", "ABOUT", ALERT)
    for n in range(20):
        made.node(f"doc:{word}-{n}.md", f"{word} {n}", path=f"{word}-{n}.md", at=1, **label)
        _text(made, f"doc:{word}-{n}.md", f"round amount tax till totals differ {word} {n}", label)
