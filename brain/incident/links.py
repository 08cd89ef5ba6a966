"""Why a deployment counts as one of a service, and a change as part of a deployment; and what would fit as well.

Nothing is taken for granted because it was near in time: where only the time speaks for it, that is what is said.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from brain.connectors.company import plain
from brain.incident.findings import Link, Signal
from brain.tools.asking import Asking

MOST, PARTS, OTHERS = 30, 12, 10
REACH = 14 * 86_400
_HOUR = 3600
_HOWS = {
    "name": "it names {on}", "service": "it names {on}", "alias": "it names {on} by another name of it",
    "application": "its application is called after {on} and where it runs",
    "repository": "the code of {on} lies in the repository {repo} that it comes from",
    "tag": "a tag of the flag names {on}", "annotation": "the entry of {on} in the catalogue names the project of the flag",
    "project": "the project of the flag is called {on}", "prefix": "the flag's own name begins with {on}",
}  # fmt: skip

Row = Mapping[str, Any]


def links(asking: Asking, deploy_keys: Sequence[str], signal: Signal) -> dict[str, tuple[Link, ...]]:
    """For each of the deployments (or changes of flags; the first 30) that the asker may see: why it counts as one of what it went
    to, then why each change counts as part of it, the surest first. What came after the signal fits nothing.
    """
    keys = list(dict.fromkeys(key for key in deploy_keys if key.startswith("deploy:")))[:MOST]
    found = list(asking.run("links_of", deploys=keys, until=signal.at + 1).rows) if keys else []
    spans = {str(row["deploy"]): _span(row) for row in reversed(found) if row["repo"]}
    parts = _between(asking, spans)
    made: dict[str, list[Link]] = defaultdict(list)
    for row in found:
        made[str(row["deploy"])].append(_served(row))
    for row in {str(row["deploy"]): row for row in reversed(found)}.values():
        made[str(row["deploy"])] += _parts(row, parts.get(str(row["deploy"]), []))
    return {key: tuple(made[key]) for key in keys if key in made}


def _span(row: Row) -> tuple[str, str, int, int]:
    """The deployment before it, the repository, and between which instants what is merged there belongs to the deployment: after the
    commit of the one before and up to its own; where a commit is not loaded, the deployment's instant stands for it.
    """
    upto = int(row["commit_at"] or row["at"] or 0)
    since = row["before_commit_at"] or row["before_at"] or upto - REACH
    return str(row["before"] or ""), str(row["repo"]), min(int(since), upto), upto


def _between(asking: Asking, spans: Mapping[str, tuple[str, str, int, int]]) -> dict[str, list[Row]]:
    parts: dict[str, list[Row]] = defaultdict(list)
    if spans:
        before, repos, since, until = (list(one) for one in zip(*spans.values(), strict=True))
        spread = {"before": before, "repos": repos, "since": since, "until": until}
        for row in asking.run("links_between", deploys=list(spans), **spread, k=60 * len(spans)).rows:
            parts[str(row["deploy"])].append(row)
    return parts


# -- deployment and service ------------------------------------------------------------------


def _served(row: Row) -> Link:
    """Why the deployment counts as one of what it went to."""
    on = str(row["on"])
    how = str(row["how"] or _likely(row))
    text = _HOWS.get(how, "its record says so").format(on=row["on_name"] or on, repo=row["repo"] or "")
    if on.startswith("repo:"):
        text = f"it names no service, only the repository {row['repo'] or row['on_name']}"
    again, siblings = [str(k) for k in row["again"] or ()], [str(k) for k in row["siblings"] or ()]
    others = again + (siblings if how == "repository" or on.startswith("repo:") else [])
    if row["commit_at"] and row["before_commit_at"] and row["commit_at"] < row["before_commit_at"]:
        text += f"; it went back to an earlier commit than the deployment before ({row['before_name'] or row['before']})"
    if how == "repository" and siblings:
        text += f", as does that of {_many(len(siblings), 'other service')}"
    if again:
        what = "the same commit" if row["commit"] else "the same version"
        text += f"; {what} went out in {_many(len(again), 'other deployment')}" + (" at least" if len(again) == OTHERS else "")
    return Link(str(row["deploy"]), on, "service_matched", text, tuple(dict.fromkeys(others))[: 2 * OTHERS])


def _likely(row: Row) -> str:
    """How it is known where the record was loaded before that was kept."""
    if str(row["kind"] or "") != "flag" and plain(str(row["name"] or "")).startswith(plain(str(row["on_name"] or "?"))):
        return "name"
    return "repository" if row["home"] and row["kind"] != "flag" else ""


# -- change and deployment -------------------------------------------------------------------


def _parts(row: Row, found: Sequence[Row]) -> list[Link]:
    """Why each change counts as part of the deployment, the surest first."""
    said = [str(key) for key in row["said"] or ()]
    made = {str(part["key"]): _placed(_part(row, part, str(part["key"]) in said), row, part) for part in found}
    for key in said:
        made.setdefault(key, Link(key, str(row["deploy"]), "said", "the text of the deployment names it"))
    ranked = sorted(made.values(), key=lambda link: _rank(link, found))
    alike = [link.src for link in ranked if link.why != "said" and _rank(link, found)[0] > 0]
    return [
        Link(link.src, link.dst, link.why, link.text, tuple(k for k in alike if k != link.src)[:OTHERS] if link.src in alike else ())
        for link in ranked[:PARTS]
    ]  # fmt: skip


def _placed(link: Link, row: Row, part: Row) -> Link:
    """The same; where none of the change's files lies where the code of the service does, that is said."""
    if not part["files"] or part["inside"]:
        return link
    return replace(link, text=f"{link.text}; none of its files lies where the code of {row['on_name'] or row['on']} does")


def _rank(link: Link, found: Sequence[Row]) -> tuple[int, int, str]:
    tied = {str(part["key"]): bool(part["tied"]) for part in found}
    at = {str(part["key"]): int(part["at"] or 0) for part in found}
    order = 0 if tied.get(link.src) else {"commit_contained": 1, "said": 2, "time": 3}[link.why]
    return order, -at.get(link.src, 0), link.src


def _part(row: Row, part: Row, said: bool) -> Link:
    key, deploy = str(part["key"]), str(row["deploy"])
    naming = "; the text of the deployment names it too" if said else ""
    if part["tied"] and key == row["commit"]:
        return Link(key, deploy, "commit_contained", f"it is the commit that was deployed{naming}")
    if part["tied"]:
        return Link(key, deploy, "commit_contained", f"it became the commit that was deployed{naming}")
    if row["commit"] and row["commit_default"] and row["before_commit_at"] and row["before_default"]:
        before = row["before_name"] or row["before"]
        text = f"merged after the commit of the deployment before ({before}) and up to the one deployed"
        return Link(key, deploy, "commit_contained", f"{text}{naming}")
    if said:
        return Link(key, deploy, "said", "the text of the deployment names it")
    return Link(key, deploy, "time", "; ".join(_only_time(row, part)))


def _only_time(row: Row, part: Row) -> Iterator[str]:
    """What the time says, and why nothing surer does."""
    hours = max(0, int(row["at"] or 0) - int(part["at"] or 0)) // _HOUR
    yield f"merged {f'{hours // 24} days' if hours >= 48 else _many(hours, 'hour')} before it"
    if not row["commit"]:
        yield "the commit that was deployed is not loaded"
    elif not row["commit_default"]:
        yield "the commit that was deployed is not on the default branch"
    elif not row["before"]:
        yield "no deployment before it is loaded"
    else:
        yield "the commit of the deployment before it is not loaded, or not on the default branch"


def _many(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"
