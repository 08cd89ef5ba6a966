"""The filters of a question about many things, as arguments of `measure` and `list_items`, and in words."""

from __future__ import annotations

import re
from typing import Any

from brain.agents.understand import Understanding
from brain.agents.wording import day, listing, short
from brain.schema import LABEL_OF_PREFIX


def filters(u: Understanding, kind: str) -> dict[str, Any]:
    """The arguments of `measure` and `list_items` that the question's filters come to."""
    args: dict[str, Any] = {"kind": kind}
    repos = [k for m in u.links.of("Repo") for k in m.keys]
    excluded = {p.key for p in u.places if p.negated}
    if excluded & set(repos):
        left = sorted(set(repos) - excluded)
        args |= {"repos": left} if left else {"not_repos": sorted(excluded & set(repos))}
    elif repos:
        args["repos"] = repos
    paths = u.links.of("File", "Directory")
    if paths:
        several = len({k.split("/")[1] for k in paths[0].keys}) > 1
        args["path"] = paths[0].text if several else paths[0].keys[0]
    _persons(u, kind, args)
    if u.labels and kind in ("prs", "issues"):
        args["labels"] = list(u.labels)
    if u.state and kind in ("prs", "issues"):
        args["state"] = u.state if kind == "prs" or u.state in ("open", "closed") else "closed"
    if kind == "prs" and args.get("state") == "closed" and not re.search(r"un-?merged|without", u.masked, re.I):
        args["state"] = "ended" if u.kind != "prs" else "closed"
    _window(u, kind, args)
    _tags(u, args)
    if "without_approval" in u.flags:
        args["without_approval"] = True
    if "others" in u.flags:
        args["exclude_own"] = True
    if "once" in u.flags and kind in ("reviews", "approvals", "change_requests", "comments"):
        args["once"] = True
    if "bots" in u.flags:
        args["bots"] = True
    if "self_merged" in u.flags and kind == "prs":
        args["self_merged"] = not re.search(
            r"not (?:\w+ )?(?:self|their own|his own|her own)|by (?:someone|somebody) else|by others", u.masked, re.I
        )
    if "not_planned" in u.flags and kind == "issues":
        args["state_reason"] = "not_planned"
    if u.milestone and kind in ("prs", "issues"):
        args["milestone"] = u.milestone
    if kind == "commits" and re.search(
        r"\b(?:no|without|excluding|except|not counting|leaving out|minus|leave out) (?:the )?merges?\b|merges? (?:left out|excluded|aside|don'?t count)|non-?merge",
        u.masked,
        re.I,
    ):
        args["merges"] = False
    if re.search(r"\bdrafts?\b(?! revision)", u.masked, re.I) and kind == "prs":
        args["draft"] = True
    return args


def _persons(u: Understanding, kind: str, args: dict[str, Any]) -> None:
    if "bot_made" in u.flags:
        args["only_bots"] = True
    people = u.links.of("Person")
    if not people:
        return
    by_role: dict[str, list[str]] = {}
    for m, role in zip(people, u.roles.values(), strict=False):
        by_role.setdefault(role, []).append(m.keys[0])
    if len(by_role) > 1 and "author" in by_role:
        args["authors"] = by_role.pop("author")
    role, keys = next(iter(by_role.items()))
    if kind == "issues" and role == "author":
        role = "closer" if u.has("close") and not u.has("author") else "opener"
    if kind in ("reviews", "approvals", "change_requests") and role == "author":
        theirs = r"PERSON\d+(?:'s|’s)? (?:\w+ )*(?:prs?|pull|patches|changes)|(?:get|gets|got|receiv\w*) |(?:reviews?|approvals?|change requests?) (?:on|of|for|to) (?:\w+ )?PERSON\d"
        if re.search(theirs, u.masked, re.I):
            args["authors"] = keys
            return
        role = "reviewer"
    if kind == "prs" and role == "reviewer" and u.has("approve") and "without_approval" not in u.flags:
        role = "approver"
    args["persons"], args["role"] = keys, role


def _window(u: Understanding, kind: str, args: dict[str, Any]) -> None:
    if u.time.since is None and u.time.until is None:
        return
    if u.time.as_of is not None and u.state == "open":
        return
    if u.time.since is not None:
        args["since"] = u.time.since
    if u.time.until is not None:
        args["until"] = u.time.until
    if kind not in ("prs", "issues"):
        return
    if kind == "prs" and (u.state == "merged" or u.has("merge")) and u.state not in ("unmerged", "open"):
        args["event"] = "merged"
        args.setdefault("state", "merged")
    elif (u.state in ("closed", "unmerged") or (u.has("close") and kind == "issues")) and not re.search(
        r"\b(?:open(?:ed)?|created|filed|raised|submitted|reported)\b", u.masked, re.I
    ):
        args["event"] = "closed"
    else:
        args["event"] = "created"
        if u.state == "open" and not re.search(r"still|currently|remain", u.masked, re.I):
            args.pop("state", None)


def _tags(u: Understanding, args: dict[str, Any]) -> None:
    tags = [m.keys[0] for m in u.links.of("Release")]
    if not tags:
        return
    repo = tags[0].partition(":")[2].partition("@")[0]
    args.setdefault("repos", [f"repo:{repo}"])
    if len(tags) > 1:
        args["from_release"], args["to_release"] = tags[:2] if u.order(tags[0]) <= u.order(tags[1]) else (tags[1], tags[0])
    elif re.search(r"\b(?:not|never|no|none)\b.{0,50}\b(?:before|until|prior to) (?:the )?(?:\w+ )?RELEASE", u.masked, re.I):
        args["in_release"] = tags[0]
    elif re.search(r"(?:since|after|newer than|later than|following) (?:the )?(?:\w+ )?RELEASE", u.masked, re.I):
        args["from_release"] = tags[0]
    elif re.search(r"(?:until|up to|before|by) (?:the )?(?:\w+ )?RELEASE", u.masked, re.I):
        args["to_release"] = tags[0]
    else:
        args["in_release"] = tags[0]


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
    for key, word in (
        ("self_merged", "merged by their own author"),
        ("milestone", f"in milestone {args.get('milestone')}"),
        ("state_reason", "closed as not planned"),
        ("only_bots", "by bots"),
        ("without_approval", "without any approval"),
        ("exclude_own", "not counting their own"),
        ("once", "each once"),
    ):
        if args.get(key):
            parts.append(word)
    return ", ".join(parts)


def anchors(args: dict[str, Any]) -> list[str]:
    """The keys a filter names: what a claim about the result starts from."""
    keys = [*args.get("repos", []), *args.get("persons", []), *args.get("authors", [])]
    keys += [args[k] for k in ("path", "from_release", "to_release", "in_release") if args.get(k)]
    return [k for k in dict.fromkeys(map(str, keys)) if k.partition(":")[0] in LABEL_OF_PREFIX]
