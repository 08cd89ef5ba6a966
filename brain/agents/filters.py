"""The filters of a question about many things, as arguments of `measure` and `list_items`, and in words."""

from __future__ import annotations

from typing import Any

from brain.agents.understand import Understanding
from brain.agents.wording import day, listing, short
from brain.schema import LABEL_OF_PREFIX

_WITH_REVIEWS = ("reviews", "approvals", "change_requests")


def filters(u: Understanding, kind: str) -> dict[str, Any]:
    """The arguments of `measure` and `list_items` that the question's filters come to."""
    args: dict[str, Any] = {"kind": kind}
    _where(u, args)
    _persons(u, kind, args)
    if kind in ("prs", "issues"):
        _stand(u, kind, args)
    _window(u, kind, args)
    _tags(u, args)
    if "without_approval" in u.flags:
        args["without_approval"] = True
    if "others" in u.flags:
        args["exclude_own"] = True
    if "once" in u.flags and kind in (*_WITH_REVIEWS, "comments"):
        args["once"] = True
    if "bots" in u.flags:
        args["bots"] = True
    if kind == "commits" and u.says("without_merges"):
        args["merges"] = False
    return args


def _where(u: Understanding, args: dict[str, Any]) -> None:
    """The repositories and the path; a path that is in several repositories as typed."""
    repos = [key for m in u.links.of("Repo") for key in m.keys]
    excluded = {place.key for place in u.places if place.negated} & set(repos)
    wanted = sorted(set(repos) - excluded) if excluded else repos
    if wanted:
        args["repos"] = wanted
    elif excluded:
        args["not_repos"] = sorted(excluded)
    paths = u.links.of("File", "Directory")
    if paths:
        several = len({key.split("/")[1] for key in paths[0].keys}) > 1
        args["path"] = paths[0].text if several else paths[0].keys[0]


def _stand(u: Understanding, kind: str, args: dict[str, Any]) -> None:
    """How pull requests or issues stand, and what only they have: labels, milestones, drafts."""
    if u.labels:
        args["labels"] = list(u.labels)
    if u.state:
        args["state"] = u.state if kind == "prs" or u.state in ("open", "closed") else "closed"
    if kind == "prs" and args.get("state") == "closed" and u.kind != "prs" and not u.says("unmerged"):
        args["state"] = "ended"
    if "self_merged" in u.flags and kind == "prs":
        args["self_merged"] = not u.says("by_somebody_else")
    if "not_planned" in u.flags and kind == "issues":
        args["state_reason"] = "not_planned"
    if u.milestone:
        args["milestone"] = u.milestone
    if kind == "prs" and u.says("drafts"):
        args["draft"] = True


def _persons(u: Understanding, kind: str, args: dict[str, Any]) -> None:
    if "bot_made" in u.flags:
        args["only_bots"] = True
    by_role: dict[str, list[str]] = {}
    for mention, role in zip(u.links.of("Person"), u.roles.values(), strict=False):
        by_role.setdefault(role, []).append(mention.keys[0])
    if len(by_role) > 1 and "author" in by_role:
        args["authors"] = by_role.pop("author")
    if not by_role:
        return
    role, keys = next(iter(by_role.items()))
    if kind == "issues" and role == "author":
        role = "closer" if u.has("close") and not u.has("author") else "opener"
    if kind in _WITH_REVIEWS and role == "author":
        if u.says("on_their_prs"):
            args["authors"] = keys
            return
        role = "reviewer"
    if kind == "prs" and role == "reviewer" and u.has("approve") and "without_approval" not in u.flags:
        role = "approver"
    args["persons"], args["role"] = keys, role


def _window(u: Understanding, kind: str, args: dict[str, Any]) -> None:
    """The stretch of time, and which event is meant to lie in it."""
    if not u.window or (u.time.as_of is not None and u.state == "open"):
        return
    args |= u.window
    if kind not in ("prs", "issues"):
        return
    if kind == "prs" and (u.state == "merged" or u.has("merge")) and u.state not in ("unmerged", "open"):
        args["event"] = "merged"
        args.setdefault("state", "merged")
    elif (u.state in ("closed", "unmerged") or (u.has("close") and kind == "issues")) and not u.says("opened"):
        args["event"] = "closed"
    else:
        args["event"] = "created"
        if u.state == "open" and not u.says("still"):
            args.pop("state", None)


def _tags(u: Understanding, args: dict[str, Any]) -> None:
    """The releases: between two, after one, up to one, or first shipped in one."""
    tags = [mention.keys[0] for mention in u.links.of("Release")]
    if not tags:
        return
    args.setdefault("repos", [f"repo:{tags[0].partition(':')[2].partition('@')[0]}"])
    if len(tags) > 1:
        args["from_release"], args["to_release"] = tags[:2] if u.order(tags[0]) <= u.order(tags[1]) else (tags[1], tags[0])
    elif u.says("not_before_release"):
        args["in_release"] = tags[0]
    elif u.says("after_release"):
        args["from_release"] = tags[0]
    elif u.says("up_to_release"):
        args["to_release"] = tags[0]
    else:
        args["in_release"] = tags[0]


_SAID = (
    ("self_merged", "merged by their own author"),
    ("state_reason", "closed as not planned"),
    ("only_bots", "by bots"),
    ("without_approval", "without any approval"),
    ("exclude_own", "not counting their own"),
    ("once", "each once"),
)


def described(args: dict[str, Any]) -> str:
    """The filters in words, for the claim."""
    parts = []
    if args.get("state"):
        parts.append({"unmerged": "closed without merging", "ended": "merged or closed"}.get(args["state"], args["state"]))
    if args.get("persons"):
        parts.append(f"{args.get('role', 'author')} {listing([short(k) for k in args['persons']])}")
    if args.get("authors"):
        parts.append(f"author {listing([short(k) for k in args['authors']])}")
    if args.get("labels"):
        parts.append(f"labelled {listing(args['labels'])}")
    if args.get("path"):
        parts.append(f"touching {short(str(args['path']))}")
    if args.get("not_repos"):
        parts.append(f"not in {listing([short(k) for k in args['not_repos']])}")
    if args.get("repos"):
        parts.append(f"in {listing([short(k) for k in args['repos']])}")
    for key, word in (("from_release", "after"), ("to_release", "up to"), ("in_release", "first shipped in")):
        if args.get(key):
            parts.append(f"{word} {short(args[key])}")
    if args.get("since") or args.get("until"):
        last = args["until"] - 1 if args.get("until") else None
        parts.append(f"{args.get('event', '')} from {day(args.get('since'))} to {day(last)}".strip())
    if args.get("milestone"):
        parts.append(f"in milestone {args['milestone']}")
    parts += [word for name, word in _SAID if args.get(name)]
    return ", ".join(parts)


def anchors(args: dict[str, Any]) -> list[str]:
    """The keys a filter names: what a claim about the result starts from."""
    keys = [*args.get("repos", []), *args.get("persons", []), *args.get("authors", [])]
    keys += [args[k] for k in ("path", "from_release", "to_release", "in_release") if args.get(k)]
    return [k for k in dict.fromkeys(map(str, keys)) if k.partition(":")[0] in LABEL_OF_PREFIX]
