"""Reads GitHub data by what a JSON file holds: an archive, REST arrays, or single backed-up items."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from eval.gold.records import Archive, Change, GoldError, Item, Release, Remark, Review, epoch

_REPO = re.compile(r"(?:github\.com|/repos)/([\w.-]+/[\w.-]+)/(?:issues|pull|pulls|releases)\b(?:/(\d+))?")


def read(paths: Iterable[Path]) -> list[Archive]:
    """Every repository found in the JSON files under `paths`, items without repeats."""
    archives: list[Archive] = []
    loose: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for path in sorted(_json_files(paths)):
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except (ValueError, UnicodeDecodeError) as error:
            raise GoldError(f"{path}: not JSON ({error})") from None
        if isinstance(data, dict) and {"issues", "pulls"} <= data.keys() and "repo" in data:
            archives.append(_archive(data))
            continue
        for record in data if isinstance(data, list) else [data]:
            if isinstance(record, dict) and (repo := _repo_of(record)):
                loose[repo].append(record)
    return _merged(archives + [_from_rest(repo, records) for repo, records in sorted(loose.items())])


def _merged(archives: Iterable[Archive]) -> list[Archive]:
    """One archive a repository; of an item in two files the earlier file's stays."""
    out: dict[str, Archive] = {}
    for a in archives:
        old = out.get(a.repo.lower(), Archive(a.repo, a.as_of, {}))
        releases = tuple(dict.fromkeys([*old.releases, *a.releases]))
        out[a.repo.lower()] = Archive(old.repo, old.as_of or a.as_of, {**a.items, **old.items}, releases)
    return list(out.values())


def _json_files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from (p for p in path.rglob("*.json") if p.is_file() and ".git" not in p.parts)
        elif path.suffix == ".json":
            yield path


def _login(user: Any) -> str | None:
    login = user.get("login") if isinstance(user, Mapping) else user
    return login if login and login != "ghost" else None


def _labels(labels: Any) -> tuple[str, ...]:
    return tuple(x["name"] if isinstance(x, Mapping) else x for x in labels or ())


def _archive(data: Mapping[str, Any]) -> Archive:
    repo = data["repo"]
    items = {i["number"]: _archived(repo, "issue", i) for i in data["issues"]}
    items |= {p["number"]: _archived(repo, "pr", p) for p in data["pulls"]}
    return Archive(repo, epoch(data.get("timestamp")), items, tuple(_release(r) for r in data.get("releases") or () if not r.get("draft")))


def _release(raw: Mapping[str, Any]) -> Release:
    return Release(raw["tag_name"], epoch(raw.get("published_at") or raw.get("created_at")) or 0, raw.get("body") or "")


def _archived(repo: str, kind: str, raw: Mapping[str, Any]) -> Item:
    return Item(
        kind, repo, raw["number"], raw["title"] or "", raw.get("body") or "", raw["state"].lower(),
        _login(raw.get("author")), epoch(raw["createdAt"]) or 0, epoch(raw.get("closedAt")),
        epoch(raw.get("mergedAt")), _login(raw.get("mergedBy")), (raw.get("mergeCommit") or {}).get("oid"),
        raw.get("headRefOid"), raw.get("baseRefOid"), _labels(raw.get("labels")),
        tuple(Remark(_login(c["author"]), epoch(c["createdAt"]) or 0, c["body"] or "") for c in raw.get("comments") or ()),
        tuple(_archived_review(r) for r in raw.get("reviews") or ()), _changes(raw.get("files")),
    )


def _archived_review(raw: Mapping[str, Any]) -> Review:
    inline = tuple(c["body"] or "" for c in raw.get("comments") or ())
    at = epoch(raw.get("submittedAt") or raw.get("createdAt")) or 0
    return Review(_login(raw["author"]), at, raw["state"], raw.get("body") or "", inline)


def _repo_of(record: Mapping[str, Any]) -> str | None:
    for name in ("html_url", "url", "issue_url", "pull_request_url"):
        found = _REPO.search(str(record.get(name) or ""))
        if found:
            return found[1]
    return None


def _number_of(record: Mapping[str, Any]) -> int:
    for name in ("issue_url", "pull_request_url", "html_url"):
        found = _REPO.search(str(record.get(name) or ""))
        if found and found[2]:
            return int(found[2])
    raise GoldError(f"comment or review {record.get('id')!r} names no issue or pull request")


def _from_rest(repo: str, records: list[dict[str, Any]]) -> Archive:
    items: dict[int, Item] = {}
    remarks: dict[int, list[dict[str, Any]]] = defaultdict(list)
    reviews: dict[int, list[dict[str, Any]]] = defaultdict(list)
    inline: dict[Any, list[str]] = defaultdict(list)
    releases: list[Release] = []
    for raw in records:
        if "tag_name" in raw:
            releases += [] if raw.get("draft") else [_release(raw)]
        elif "number" in raw and "title" in raw:
            item = _rest_item(repo, raw)
            old = items.get(item.number)
            items[item.number] = item if old is None or item.merge_sha or "head" in raw else old
            for name in ("comment_data", "comment_regular_data"):
                remarks[item.number] += raw.get(name) or []
            reviews[item.number] += [r for r in raw.get("review_data") or [] if isinstance(r, dict)]
        elif "submitted_at" in raw:
            reviews[_number_of(raw)].append(raw)
        elif "pull_request_review_id" in raw:
            inline[raw["pull_request_review_id"]].append(raw.get("body") or "")
        elif "body" in raw:
            remarks[_number_of(raw)].append(raw)
    for number, item in items.items():
        items[number] = replace(
            item,
            remarks=tuple(Remark(_login(c.get("user")), epoch(c["created_at"]) or 0, c.get("body") or "") for c in remarks[number]),
            reviews=tuple(Review(_login(r.get("user")), epoch(r["submitted_at"]) or 0, r["state"], r.get("body") or "",
                                 tuple(inline[r.get("id")])) for r in reviews[number] if r.get("submitted_at")),
        )
    return Archive(repo, None, items, tuple(releases))


def _rest_item(repo: str, raw: Mapping[str, Any]) -> Item:
    pull = "pull_request" in raw or "head" in raw
    merged = raw.get("merged_at") or (raw.get("pull_request") or {}).get("merged_at")
    return Item(
        "pr" if pull else "issue", repo, raw["number"], raw["title"] or "", raw.get("body") or "",
        "merged" if merged else raw["state"].lower(), _login(raw.get("user")), epoch(raw["created_at"]) or 0,
        epoch(raw.get("closed_at")), epoch(merged), _login(raw.get("merged_by")),
        raw.get("merge_commit_sha") if merged else None, (raw.get("head") or {}).get("sha"),
        (raw.get("base") or {}).get("sha"), _labels(raw.get("labels")), changes=_changes(raw.get("files") or raw.get("file_data")),
    )


def _changes(files: Any) -> tuple[Change, ...] | None:
    if not isinstance(files, list) or not files:
        return None
    letters = {"added": "A", "removed": "D", "deleted": "D", "renamed": "R"}
    out = []
    for f in files:
        if isinstance(f, Mapping):
            status = str(f.get("status") or f.get("changeType") or "").lower()
            out.append(Change(letters.get(status, "M"), f.get("filename") or f["path"], f.get("previous_filename")))
    return tuple(out)
