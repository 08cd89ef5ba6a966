"""Questions about one thing: a pull request, an issue, a commit or a release, and what hangs on it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from brain import schema
from brain.agents.anchored_people import people
from brain.agents.run import Draft, Fact, Run
from brain.agents.understand import Understanding
from brain.agents.wording import VERB, day, listing, short, state_of, titled
from brain.types import Node, Result

ITEMS = ("PullRequest", "Issue", "Commit", "Release")


def answer(u: Understanding, run: Run, key: str, node: Node | None) -> Draft:
    """The answer about the anchor `key`, by what is asked for and the relations the question names."""
    label = schema.label_of(key)
    want = u.want
    if (
        want == "people"
        or (want in ("reviews", "approvals", "change_requests") and label == "PullRequest")
        or (want == "comments" and u.links.of("Person"))
    ):
        return people(u, run, key, label)
    asked = _property_asked(u)
    if asked and label in ("PullRequest", "Issue", "Release", "Commit"):
        return _stated(run, key, node, asked)
    if want == "text":
        want = _meant(u, label)
    if u.has("revert") and label == "PullRequest" and want in ("prs", "yesno", "text", "commits"):
        return _reverted(run, key)
    if want == "releases" or (want in ("date", "yesno", "text") and u.has("ship") and label != "Release" and not u.has("close")):
        return _release(u, run, key, label)
    if want == "date":
        return _date(u, run, key, node)
    if (
        want in ("items", "text", "issues", "prs")
        and label in ("PullRequest", "Issue")
        and (u.has("mention") or want == "items")
        and ("cross" in u.flags or want == "items")
    ):
        return _mentioning(u, run, key)
    if want in ("issues", "prs", "commits"):
        return _linked(u, run, key, label, want)
    if want in ("files", "directories"):
        return _files(u, run, key, label, want)
    if want == "labels":
        return _property(run, key, node, "labels")
    if want == "repositories":
        return _repositories(u, run, key, label)
    if want == "yesno":
        return _yesno(u, run, key, node)
    return relations(run, key)


_PROPERTIES = (
    ("milestone", r"milestones?"), ("base", r"base branch|target branch|which branch|what branch"), ("merge_sha", r"merge commit|merge sha|sha of the merge"), ("head_sha", r"head (?:commit|sha)"),
    ("title", r"title|what(?:'s| is) .{0,30}called"), ("state", r"merged or (?:closed|open|not)|open or closed|status|what state|which state|state of"), ("url", r"link to|url"), ("n_files", r"how many files"),
    ("author", r"author(?: of)?(?= ITEM| of)"),
)  # fmt: skip


def _property_asked(u: Understanding) -> str:
    """The property of an item that is asked for by its name; empty when none is."""
    if u.want in ("people", "count", "releases", "files") or len(u.words) > 3:
        return ""
    return next((name for name, pattern in _PROPERTIES if name != "author" and re.search(rf"\b(?:{pattern})\b", u.masked, re.I)), "")


def _stated(run: Run, key: str, node: Node | None, name: str) -> Draft:
    """One property of an item, as its record says."""
    got = run.call("details", f"its {name.replace('_', ' ')}", key=key)
    node = next((n for n in got.nodes if n.key == key), node)
    value = node.name if node and name == "title" else (node.props.get(name) if node else None)
    if value in (None, ""):
        return Draft([], [Fact(f"{short(key)} has no {name.replace('_', ' ')}.", (key,), step=run.last)], entries=[key])
    return Draft(
        [str(value)],
        [Fact(f"{titled(key, node.name if node else '')}: {name.replace('_', ' ')} {value}.", (key,), step=run.last)],
        entries=[key],
    )


def _reverted(run: Run, key: str) -> Draft:
    """The pull requests that take an item back: those that refer to it and say so in their title."""
    got = run.call("expand", "what refers to it", key=key, rels=["REFERENCES", "CLOSES"], labels=["PullRequest"], direction="in", k=200)
    rows = [r for r in got.rows if re.match(r"\s*revert\b", str(r["name"]), re.I)]
    back = {
        str(r["key"]) for r in got.rows if re.match(r"\s*(?:revert|reapply|re-?land|reland)\b.{0,6}[\"“']?\s*revert", str(r["name"]), re.I)
    }
    return _rows_draft(run, key, [r for r in rows if str(r["key"]) not in back], f"No pull request that is loaded takes {short(key)} back.")


def _meant(u: Understanding, label: str) -> str:
    """What a plain "what" asks of an anchor, by the relation the question names."""
    if u.words and len(u.words) > 3:
        return "text"
    for aspects, labels, want in (
        (("mention",), ("PullRequest", "Issue"), "items"), (("close",), ("PullRequest", "Commit"), "issues"), (("close",), ("Issue",), "prs"),
        (("touch",), ("PullRequest", "Commit"), "files"), (("ship",), ("PullRequest", "Issue", "Commit"), "releases"), (("ship", "touch"), ("Release",), "prs"),
    ):  # fmt: skip
        if u.has(*aspects) and label in labels:
            return want
    return "text"


def _trace(run: Run, key: str) -> Result:
    return run.call("trace", f"from {short(key)} along what closes, contains and ships it", key=key)


def _release(u: Understanding, run: Run, key: str, label: str) -> Draft:
    got = _trace(run, key)
    ships = [r for r in got.rows if r["rel"] == "SHIPPED_IN"]
    first = sorted({(r["at"] or 0, str(r["dst"])) for r in ships})
    items = _unique(k for _, k in first)
    facts = [
        _link_fact(r, run.last) for r in got.rows if r["rel"] in ("CLOSES", "SHIPPED_IN") and (r["rel"] == "SHIPPED_IN" or _leads(r, ships))
    ]
    if not items:
        why = (
            "is not in any release that is loaded"
            if label != "Issue" or not got.rows
            else "was closed by changes that are in no release yet"
        )
        return Draft([], [Fact(f"{short(key)} {why}.", (key,), step=run.last), *facts[:4]], entries=[key])
    return Draft(items, facts, entries=[key])


def _leads(row: Mapping[str, Any], ships: Sequence[Mapping[str, Any]]) -> bool:
    """Is this a link on the way to a release?"""
    return any(s["src"] in (row["src"], row["dst"]) for s in ships)


def _link_fact(r: Mapping[str, Any], step: int) -> Fact:
    src, dst = str(r["src"]), str(r["dst"])
    how = f" ({r['how']})" if r.get("how") else ""
    at = f" of {day(r['at'])}" if r["rel"] == "SHIPPED_IN" and r.get("at") else ""
    return Fact(
        f"{titled(src, str(r.get('src_name') or ''))} {VERB.get(str(r['rel']), str(r['rel']).lower())} {titled(dst, str(r.get('dst_name') or ''))}{at}{how}.",
        (src, dst),
        step=step,
    )


def _date(u: Understanding, run: Run, key: str, node: Node | None) -> Draft:
    if u.has("close") and key.startswith("issue:") and u.has("ship"):
        return _release(u, run, key, "Issue")
    got = run.call("details", "its dates", key=key)
    node = next((n for n in got.nodes if n.key == key), node)
    if node is None:
        return Draft(state="insufficient")
    p = node.props
    wanted = ("merged_at", "merged") if u.has("merge") else ("closed_at", "closed") if u.has("close") else ("created_at", "opened")
    if key.startswith(("release:", "commit:")):
        wanted = ("at", "published" if key.startswith("release:") else "committed")
    value = p.get(wanted[0]) or (p.get("at") if wanted[0] == "created_at" else None)
    if not value:
        return Draft(
            [], [Fact(f"{titled(key, node.name)} was not {wanted[1]}: it is {state_of(node)}.", (key,), step=run.last)], entries=[key]
        )
    return Draft([day(value)], [Fact(f"{titled(key, node.name)} was {wanted[1]} on {day(value)}.", (key,), step=run.last)], entries=[key])


def _linked(u: Understanding, run: Run, key: str, label: str, want: str) -> Draft:
    """Items that the anchor closes, refers to or contains, or that do so to it."""
    labels = {"issues": ["Issue"], "prs": ["PullRequest"], "commits": ["Commit"]}[want]
    if label == "Release":
        return _in_release(run, key, want)
    if label == "Commit" and want == "prs":
        got = run.call("expand", "the pull request it belongs to", key=key, rels=["INCLUDES"], labels=labels, direction="in", k=50)
    elif want == "commits":
        got = run.call("expand", "its commits", key=key, rels=["INCLUDES", "CLOSES"], labels=labels, k=200)
    elif u.has("revert"):
        got = run.call("expand", "what reverts it or is reverted by it", key=key, rels=["REFERENCES"], labels=labels, k=200)
    else:
        rels = (
            ["CLOSES"]
            if u.has("close") or (not u.has("mention") and {label, *labels} == {"Issue", "PullRequest"})
            else ["CLOSES", "REFERENCES"]
            if not u.has("mention")
            else ["REFERENCES", "CLOSES"]
        )
        direction = "in" if label == "Issue" and rels == ["CLOSES"] else _direction(u)
        got = run.call(
            "expand",
            f"what {'closes' if rels == ['CLOSES'] else 'is linked with'} it",
            key=key,
            rels=rels,
            labels=labels,
            direction=direction,
            k=200,
        )
        if not got.rows and rels == ["CLOSES"]:
            got = (
                run.call("expand", "nothing closes it; what refers to it", key=key, rels=["REFERENCES"], labels=labels, k=200)
                if not u.has("close")
                else got
            )
    rows = _cross(u, key, got.rows)
    return _rows_draft(
        run, key, rows, f"No {want if want != 'prs' else 'pull request'} that is loaded is linked with {short(key)} that way."
    )


_VERBS = r"(?:mention|refer|cit|link|point|reference)\w*"
_DONE = r"(?:mentioned|referenced|cited|linked|referred|pointed)"
_THIS = r"(?:ITEM|COMMIT)\d+"
_IN = (
    rf"\b(?:is|was|are|were|been|gets?|got|being)\b[^.?]{{0,60}}{_THIS}[^.?]{{0,40}}\b{_DONE}",
    rf"{_THIS} (?:is|was|gets|got|has been|being) (?:\w+ )?{_DONE}",
)
_OUT = (
    rf"{_DONE} (?:in|by|from|inside|within) (?:the )?(?:\w+ ){{0,3}}{_THIS}", rf"(?:references?|links|mentions|pointers|citations) (?:of|in|from|made in|inside) (?:\w+ ){{0,3}}{_THIS}",
    rf"{_THIS}(?:['’]s)? (?:\w+ ){{0,3}}{_VERBS}", rf"\b(?:does|do|did|has)\b (?:the )?(?:\w+ ){{0,2}}{_THIS} (?:\w+ ){{0,2}}{_VERBS}",
)  # fmt: skip


def _direction(u: Understanding) -> str:
    """Does the question ask for what refers to the anchor ("in"), or for what the anchor refers to ("out")?"""
    for pattern in _IN:
        if re.search(pattern, u.masked, re.I):
            return "in"
    for pattern in _OUT:
        if re.search(pattern, u.masked, re.I):
            return "out"
    return "in" if re.search(rf"{_VERBS}(?: back)?(?: to| at)? (?:the )?(?:\w+ ){{0,2}}{_THIS}", u.masked, re.I) else "both"


def _mentioning(u: Understanding, run: Run, key: str) -> Draft:
    """What refers to an item or what it refers to, issues and pull requests alike."""
    both = re.search(
        r"\b(?:issues?|tickets?)\b.{0,14}\b(?:prs?|pull)|\b(?:prs?|pull requests?)\b.{0,8}\b(?:issues?|tickets?)", u.masked, re.I
    )
    labels = {"issues": ["Issue"], "prs": ["PullRequest"]}.get(u.want, []) if not both else []
    got = run.call(
        "expand",
        "what refers to it or is referred to",
        key=key,
        rels=["REFERENCES", "CLOSES"],
        labels=labels or ["Issue", "PullRequest"],
        direction=_direction(u),
        k=400,
    )
    return _rows_draft(run, key, _cross(u, key, got.rows), f"Nothing that is loaded is linked with {short(key)} that way.")


def _cross(u: Understanding, key: str, rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Only what lies in other repositories, where the question asks for that."""
    if "cross" not in u.flags:
        return list(rows)
    home = key.partition(":")[2].split("#")[0].split("@")[0]
    return [r for r in rows if not str(r["key"]).partition(":")[2].startswith((f"{home}#", f"{home}@"))]


def _rows_draft(run: Run, key: str, rows: Sequence[Mapping[str, Any]], none: str) -> Draft:
    items = _unique(str(r["key"]) for r in rows)
    facts = []
    for r in rows:
        other, verb = str(r["key"]), VERB.get(str(r["rel"]), "is linked with")
        a, b = (key, other) if r["direction"] == "out" else (other, key)
        name = str(r["name"]) if r["direction"] == "in" else ""
        facts.append(Fact(f"{titled(a, name)} {verb} {titled(b, str(r['name']) if b == other else '')}.", (a, b), step=run.last))
    if not items:
        facts = [Fact(none, (key,), step=run.last)]
    return Draft(items, facts, entries=[key])


def _in_release(run: Run, key: str, want: str) -> Draft:
    got = (
        _trace(run, key)
        if want == "issues"
        else run.call("expand", "what first shipped in it", key=key, rels=["SHIPPED_IN", "INCLUDES"], direction="in", k=400)
    )
    if want == "issues":
        rows = [r for r in got.rows if r["rel"] == "CLOSES" and str(r["dst"]).startswith("issue:")]
        return Draft(_unique(str(r["dst"]) for r in rows), [_link_fact(r, run.last) for r in rows], entries=[key])
    prefix = "pr:" if want == "prs" else "commit:"
    rows = [r for r in got.rows if str(r["key"]).startswith(prefix)]
    return _rows_draft(run, key, rows, f"Nothing that is loaded first shipped in {short(key)}.")


def _files(u: Understanding, run: Run, key: str, label: str, want: str) -> Draft:
    got = run.call("expand", "the files it changes", key=key, rels=["TOUCHED"], labels=["File"], k=400)
    rows = list(got.rows)
    if not rows and label in ("Issue",):
        fixes = run.call("expand", "the changes that close it", key=key, rels=["CLOSES"], direction="in", k=20)
        for fix in fixes.rows:
            rows += run.call(
                "expand", f"the files {short(str(fix['key']))} changes", key=str(fix["key"]), rels=["TOUCHED"], labels=["File"], k=400
            ).rows
    if want == "directories":
        keys = _unique("dir:" + str(r["key"]).partition(":")[2].rpartition("/")[0] for r in rows)
        shown = run.call("expand", "where they lie", key=str(rows[0]["key"]), rels=["IN_DIR"]) if rows else None
        known = {n.key for n in shown.nodes} if shown else set()
        return Draft(
            keys,
            [Fact(f"{short(key)} changes files in {short(k)}.", (key, k) if k in known else (key,), step=run.last) for k in keys],
            entries=[key],
        )
    items = _unique(str(r["key"]) for r in rows)
    facts = [Fact(f"{short(key)} changes {short(k)}.", (key, k), step=run.last) for k in items] or [
        Fact(f"No changed file of {short(key)} is loaded.", (key,), step=run.last)
    ]
    return Draft(items, facts, entries=[key])


def _property(run: Run, key: str, node: Node | None, name: str) -> Draft:
    got = run.call("details", f"its {name}", key=key)
    node = next((n for n in got.nodes if n.key == key), node)
    values = list((node.props.get(name) if node else None) or [])
    text = f"{titled(key, node.name if node else '')} carries {listing(values)}." if values else f"{short(key)} carries no {name}."
    return Draft([str(v) for v in values], [Fact(text, (key,), step=run.last)], entries=[key])


def _repositories(u: Understanding, run: Run, key: str, label: str) -> Draft:
    got = run.call("expand", "what it is linked with", key=key, rels=["CLOSES", "REFERENCES"], k=400)
    home = key.partition(":")[2].split("#")[0].split("@")[0]
    repos: dict[str, Mapping[str, Any]] = {}
    for r in got.rows:
        repo = str(r["key"]).partition(":")[2].split("#")[0].split("@")[0]
        if repo != home:
            repos.setdefault(f"repo:{repo}", r)
    if not repos and not u.has("mention", "close"):
        return Draft([f"repo:{home}"], [Fact(f"{short(key)} belongs to {home}.", (key,), step=run.last)], entries=[key])
    return Draft(
        list(repos),
        [
            Fact(f"{short(str(r['key']))} in {short(k)} is linked with {short(key)}.", (str(r["key"]), key), step=run.last)
            for k, r in repos.items()
        ],
        entries=[key],
    )


def _yesno(u: Understanding, run: Run, key: str, node: Node | None) -> Draft:
    """Yes or no from what the anchor's state and relations say, with the reason."""
    got = run.call("details", "how it stands", key=key)
    node = next((n for n in got.nodes if n.key == key), node)
    if node is None:
        return Draft(state="insufficient")
    if u.has("approve", "changes_requested", "review", "comment") or (u.links.of("Person") and u.has("author", "merge")):
        draft = people(u, run, key, schema.label_of(key))
        asked = {k for m in u.links.of("Person") for k in m.keys}
        yes = bool(asked & set(draft.items)) if asked else bool(draft.items)
        return Draft(["yes" if yes else "no"], draft.facts, entries=[key], lead="Yes." if yes else "No.")
    releases = {k for m in u.links.of("Release") for k in m.keys}
    if u.has("ship") and (releases or re.search(r"\b(?:a|any) (?:release|version|tag)\b|released|shipped", u.masked, re.I)):
        draft = _release(u, run, key, schema.label_of(key))
        yes = bool(releases & set(draft.items)) if releases else bool(draft.items)
        if releases and draft.items and not yes:
            yes = _later(u, draft.items, releases)
        return Draft(["yes" if yes else "no"], draft.facts, entries=[key], lead="Yes." if yes else "No.")
    state = str(node.props.get("state") or "")
    yes = {
        "merged": state == "merged",
        "open": state == "open",
        "closed": state in ("closed", "merged"),
        "unmerged": state == "closed",
    }.get(u.state)
    if yes is None and u.has("merge"):
        yes = state == "merged"
    if yes is None:
        return relations(run, key)
    return Draft(
        ["yes" if yes else "no"],
        [Fact(f"{titled(key, node.name)} is {state_of(node)}.", (key,), step=run.last)],
        entries=[key],
        lead="Yes." if yes else "No.",
    )


def _later(u: Understanding, first: Sequence[str], asked: set[str]) -> bool:
    """A release of the same repository and series that came after the first one holds the change too."""
    at = max(u.order(r) for r in first)
    series = {re.sub(r"[\d.]+$", "", r) for r in first}
    return any(u.order(r) >= at and re.sub(r"[\d.]+$", "", r) in series for r in asked)


def relations(run: Run, key: str) -> Draft:
    """What the graph holds directly about a thing: the answer where no more special one fits."""
    got = run.call("details", f"what is known of {short(key)}", key=key)
    node = next((n for n in got.nodes if n.key == key), None)
    if node is None:
        return Draft(state="insufficient")
    facts = [Fact(f"{titled(key, node.name)} is {state_of(node)}.", (key,), step=run.last)] if node.props.get("state") else []
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for r in got.rows:
        if r["rel"] and r["key"]:
            groups.setdefault((str(r["rel"]), str(r["direction"])), []).append(r)
    for (rel, direction), rows in groups.items():
        others = listing([titled(str(r["key"]), str(r["name"])) for r in rows], 6)
        text = (
            f"{short(key)} {VERB.get(rel, rel.lower().replace('_', ' '))} {others}"
            if direction == "out"
            else f"{others} {VERB.get(rel, rel.lower().replace('_', ' '))} {short(key)}"
        )
        facts.append(
            Fact(
                f"{text} ({rows[0]['total']} in all)." if rows[0]["total"] > len(rows) else f"{text}.",
                (key, *(str(r["key"]) for r in rows)),
                step=run.last,
            )
        )
    return Draft([key], facts, entries=[key])


def _unique(keys: Any) -> list[str]:
    return list(dict.fromkeys(str(k) for k in keys))
