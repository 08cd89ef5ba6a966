"""What GitHub writes: archive records, REST lists. Every field here exists in real data of that shape."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from brain.demo.history import Commit
from brain.demo.play import Change, Played, branch_name
from brain.demo.story import Said
from brain.demo.voice import Signature, Voice

Raw = dict[str, Any]
API, WEB = "https://api.github.com", "https://github.com"
_STATUS = {"A": "added", "M": "modified", "D": "removed", "R": "renamed"}
_CHANGE = {"A": "ADDED", "M": "MODIFIED", "D": "DELETED", "R": "RENAMED"}
_STATES = {"merged": "MERGED", "open": "OPEN", "draft": "OPEN", "reopened": "OPEN"}
_REASONS = {"fixed": "COMPLETED", "closed": "COMPLETED", "reopened": "REOPENED", "duplicate": "DUPLICATE", "not_planned": "NOT_PLANNED"}


def stamp(at: datetime | None) -> str | None:
    """An instant as GitHub writes it."""
    return at.strftime("%Y-%m-%dT%H:%M:%SZ") if at else None


def node_id(kind: str, *parts: object) -> str:
    """An opaque id of the look that GitHub's have."""
    digest = hashlib.sha1("/".join(map(str, parts)).encode()).hexdigest()
    return f"{kind}_kwDO{digest[:14]}"


class Shapes:
    """Turns what was played into records, with the people and the address of one organisation."""

    def __init__(self, voice: Voice) -> None:
        self.voice, self.company, self.people = voice, voice.company, voice.people
        self.org = voice.company.org
        self.owner = {"login": self.org, "id": 40000, "type": "Organization"}

    def user(self, who: str) -> Raw | None:
        """The user object that REST puts beside a record."""
        if who == "ghost":
            return None
        one = self.people[who]
        kind = "Bot" if one.bot else "User"
        return {"login": one.login, "id": one.id, "type": kind, "html_url": f"{WEB}/{one.login}"}

    def users(self) -> list[Raw]:
        """`GET /users/{login}` for everybody."""
        names = [(self.user(who) or {}, one) for who, one in self.people.items()]
        return [{**user, "name": one.name, "company": None if one.bot else f"@{self.org}"} for user, one in names]

    def repos(self) -> list[Raw]:
        """`GET /orgs/{org}/repos`."""
        found = []
        for n, (name, facts) in enumerate(self.company.repos.items()):
            full = f"{self.org}/{name}"
            found.append({
                "id": 70100 + n, "name": name, "full_name": full, "owner": self.owner, "private": False,
                "html_url": f"{WEB}/{full}", "description": facts.description, "fork": False,
                "url": f"{API}/repos/{full}", "language": facts.language, "archived": facts.archived,
                "topics": list(facts.topics), "visibility": "public", "default_branch": "main",
            })  # fmt: skip
        return found

    def archive(self, repo: str, played: list[Played]) -> Raw:
        """The file that i-d-template writes, with the fields of pull requests that GraphQL adds on request."""
        return {
            "magic": "E!vIA5L86J2I",
            "timestamp": self.company.as_of.strftime("%Y-%m-%dT%H:%M:%S.000000+00:00"),
            "repo": f"{self.org}/{repo}",
            "labels": [{"name": name, "description": text, "color": color} for name, (color, text) in self.company.labels.items()],
            "issues": [self.issue(p) for p in played if p.item.kind == "issue"],
            "pulls": [self.pull(p) for p in played if p.item.kind == "pr"],
        }

    def _item(self, p: Played, kind: str, page: str) -> Raw:
        item = p.item
        state = _STATES.get(item.state, "CLOSED")
        last = max([p.at, *(at for at, _ in p.talk), *([p.end] if p.end else [])])
        milestone = item.meta.get("milestone")
        return {
            "number": item.number,
            "id": node_id(kind, item.key),
            "title": item.title,
            "url": f"{WEB}/{self.org}/{item.repo}/{page}/{item.number}",
            "state": state,
            "author": self.voice.login(item.who),
            "authorAssociation": "NONE" if item.who == "ghost" else "MEMBER",
            "assignees": [self.voice.login(who) for who in item.names("assign")],
            "labels": item.names("labels"),
            "milestone": {"title": milestone, "dueOn": f"{self.company.milestones[milestone]}T00:00:00Z"} if milestone else None,
            "body": self.voice.said(item.body),
            "createdAt": stamp(p.at),
            "updatedAt": stamp(last),
            "closedAt": stamp(p.end),
            "comments": [self._comment(at, said) for at, said in p.talk if said.verb == "comment"],
        }

    def issue(self, p: Played) -> Raw:
        """An issue of the archive."""
        return {**self._item(p, "I", "issues"), "stateReason": _REASONS.get(p.item.state)}

    def pull(self, p: Played) -> Raw:
        """A pull request of the archive with its reviews, files and commits."""
        item, full = p.item, f"{self.org}/{p.item.repo}"
        merged = item.state == "merged"
        return {
            **self._item(p, "PR", "pull"),
            "isDraft": item.state == "draft",
            "baseRepository": full,
            "baseRefName": item.meta.get("base", "main"),
            "baseRefOid": p.base,
            "headRepository": None if item.who == "neil" and not merged else full,
            "headRefName": f"{self.voice.login(item.who)}/{branch_name(item)}".replace("[bot]", ""),
            "headRefOid": p.head,
            "mergedAt": stamp(p.end) if merged else None,
            "mergedBy": self.voice.login(item.closer) if merged else None,
            "mergeCommit": {"oid": p.merge} if merged else None,
            "files": [_graphql_file(change) for change in p.files],
            "commits": [{"oid": oid} for oid in p.commits],
            "reviews": list(self._reviews(p)),
        }

    def _comment(self, at: datetime, said: Said) -> Raw:
        body, when = self.voice.said(said.text), stamp(at)
        return {"author": self.voice.login(said.who), "authorAssociation": "MEMBER", "body": body, "createdAt": when, "updatedAt": when}

    def _reviews(self, p: Played) -> Iterator[Raw]:
        """Each verdict is a review; remarks on lines are a review of their own, as GitHub files them."""
        for n, (at, said) in enumerate(p.talk):
            if said.verb == "comment":
                continue
            when, inline = stamp(at), said.verb == "inline"
            remark = {"path": said.path, "originalPosition": 3 + len(said.text) % 40, "body": self.voice.said(said.text)}
            seen = p.commits[min(n, len(p.commits) - 1)]
            yield {
                "id": node_id("PRR", p.item.key, n),
                "commit": {"abbreviatedOid": seen[:7]},
                "author": self.voice.login(said.who),
                "authorAssociation": "MEMBER",
                "state": "COMMENTED" if inline else said.verb,
                "body": "" if inline else self.voice.said(said.text),
                "createdAt": when,
                "updatedAt": when,
                "comments": [{**remark, "createdAt": when, "updatedAt": when}] if inline else [],
            }

    def releases(self, played: list[Played]) -> list[Raw]:
        """`GET /repos/{org}/{repo}/releases`, newest first."""
        found = []
        for p in reversed([p for p in played if p.item.kind == "release"]):
            item, full = p.item, f"{self.org}/{p.item.repo}"
            number = 9000 + int(hashlib.sha1(item.key.encode()).hexdigest()[:5], 16)
            found.append({
                "url": f"{API}/repos/{full}/releases/{number}", "html_url": f"{WEB}/{full}/releases/tag/{item.tag}",
                "id": number, "author": self.user(item.who), "tag_name": item.tag, "target_commitish": p.target,
                "name": f"{item.tag}: {item.title}", "draft": False, "prerelease": "prerelease" in item.meta,
                "created_at": stamp(p.at), "published_at": stamp(p.at), "body": self.voice.said(item.body),
            })  # fmt: skip
        return found

    def commits(self, repo: str, commits: Iterable[Commit]) -> list[Raw]:
        """`GET /repos/{org}/{repo}/commits/{sha}` for each commit, newest first."""
        return [self._commit(f"{self.org}/{repo}", commit) for commit in sorted(commits, key=lambda c: c.at, reverse=True)]

    def _commit(self, full: str, commit: Commit) -> Raw:
        when = stamp(commit.at)
        return {
            "sha": commit.sha,
            "commit": {
                "author": {**_ident(commit.author), "date": when},
                "committer": {**_ident(commit.committer), "date": when},
                "message": commit.message,
            },
            "url": f"{API}/repos/{full}/commits/{commit.sha}",
            "html_url": f"{WEB}/{full}/commit/{commit.sha}",
            "author": self.user(commit.author.who) if commit.author.who else None,
            "parents": [{"sha": parent} for parent in commit.parents],
            "stats": {"additions": sum(c.added for c in commit.files), "deletions": sum(c.deleted for c in commit.files)},
            "files": [_rest_file(change) for change in commit.files],
        }


def _ident(who: Signature) -> Raw:
    return {"name": who.name, "email": who.mail}


def _graphql_file(change: Change) -> Raw:
    return {"path": change.path, "additions": change.added, "deletions": change.deleted, "changeType": _CHANGE[change.status]}


def _rest_file(change: Change) -> Raw:
    total = change.added + change.deleted
    raw = {"filename": change.path, "status": _STATUS[change.status], "additions": change.added, "deletions": change.deleted}
    return {**raw, "changes": total, **({"previous_filename": change.old} if change.old else {})}
