"""The company's code: a git repository for each, made by git itself, its pull requests as GitHub archives, and the deployments."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from brain.errors import HopcheckError
from eval.incidents.events import Merge, Timeline
from eval.incidents.plan import HOUR


def write(folder: Path, told: Timeline) -> None:
    """Writes `<repo>.git`, `<repo>.archive.json` and `deploys/deployments.jsonl`; every merge learns its commit."""
    (folder / "deploys").mkdir(parents=True, exist_ok=True)
    starts: dict[str, str] = {}
    for repo in told.org.repos:
        merges = [m for m in told.merges if m.repo == repo]
        starts[repo] = _repository(folder / f"{repo}.git", repo, merges, told)
        (folder / f"{repo}.archive.json").write_text(json.dumps(_archive(repo, merges, told), indent=1) + "\n", encoding="utf-8")
    lines = [json.dumps(_deploy(one, told, starts)) for one in told.deploys]
    (folder / "deploys" / "deployments.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def stamp(at: int) -> str:
    """An instant as the files have it."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%M:%SZ}"


def _repository(target: Path, repo: str, merges: list[Merge], told: Timeline) -> str:
    """Makes the repository; gives the id of its first commit."""
    _git("init", "--quiet", "--bare", "--initial-branch=main", str(target))
    marks = target / "marks"
    _git("-C", str(target), "fast-import", "--quiet", f"--export-marks={marks}", given="".join(_stream(repo, merges, told)).encode())
    shas = dict(line.split() for line in marks.read_text(encoding="utf-8").splitlines())
    marks.unlink()
    for n, merge in enumerate(merges, 2):
        merge.sha = shas[f":{n}"]
    return str(shas[":1"])


def _stream(repo: str, merges: list[Merge], told: Timeline) -> Iterator[str]:
    org = told.org
    inside = [s for s in org.services.values() if s.repo == repo]
    text = f"# {repo}\n\n" + "\n".join(f"{s.folder}/ is {s.name}: {s.about.lower()}." for s in inside) + "\n"
    yield _commit(1, inside[0].lead, org.start - HOUR, "Import", {"README.md": text}, told)
    written: dict[str, list[str]] = {"README.md": text.splitlines()}
    for n, merge in enumerate(merges, 2):
        for path in merge.files:
            written.setdefault(path, []).append(hashlib.sha256(f"{merge.number}{path}".encode()).hexdigest()[:12])
        changed = {path: "\n".join(written[path]) + "\n" for path in merge.files}
        yield _commit(n, merge.author, merge.at, f"{merge.title} (#{merge.number})\n\n{merge.body}".rstrip(), changed, told)


def _commit(mark: int, login: str, at: int, message: str, files: dict[str, str], told: Timeline) -> str:
    who = f"{told.org.people[login][0]} <{login}@users.noreply.github.com> {at} +0000"
    size = len(message.encode())
    parts = [f"commit refs/heads/main\nmark :{mark}\nauthor {who}\ncommitter {who}\ndata {size}\n{message}\n"]
    parts += [f"M 100644 inline {path}\ndata {len(text.encode())}\n{text}\n" for path, text in files.items()]
    return "".join(parts) + "\n"


def _git(*arguments: str, given: bytes = b"") -> None:
    try:
        done = subprocess.run(["git", "-c", "init.templateDir=", *arguments], input=given, capture_output=True, check=False)
    except OSError as error:
        raise HopcheckError(f"git cannot be started ({error.strerror}); install git to write the invented company") from None
    if done.returncode:
        raise HopcheckError(f"git {arguments[-1]} failed: {done.stderr.decode(errors='replace').strip().splitlines()[-1:]}")


def _archive(repo: str, merges: list[Merge], told: Timeline) -> dict[str, Any]:
    full = f"{told.org.name}/{repo}"
    pulls = [_pull(full, merge) for merge in merges]
    return {"magic": "E!vIA5L86J2I", "timestamp": stamp(told.end), "repo": full, "labels": [], "issues": [], "pulls": pulls}


def _pull(repo: str, m: Merge) -> dict[str, Any]:
    opened = m.at - (3 + m.number % 40) * HOUR
    files = [{"path": path, "additions": 4, "deletions": 1, "changeType": "MODIFIED"} for path in m.files]
    review = {
        "id": f"R{m.number}{m.sha[:8]}", "commit": {"abbreviatedOid": m.sha[:7]}, "author": m.reviewer, "authorAssociation": "MEMBER",
        "state": "APPROVED", "body": "", "createdAt": stamp(m.at - HOUR // 2), "updatedAt": stamp(m.at - HOUR // 2), "comments": [],
    }  # fmt: skip
    return {
        "number": m.number, "id": f"PR{m.number}{m.sha[:8]}", "title": m.title, "url": f"https://github.com/{repo}/pull/{m.number}",
        "state": "MERGED", "author": m.author, "authorAssociation": "MEMBER", "assignees": [], "labels": [], "milestone": None,
        "body": m.body, "createdAt": stamp(opened), "updatedAt": stamp(m.at), "closedAt": stamp(m.at), "comments": [], "isDraft": False,
        "baseRepository": repo, "baseRefName": "main", "headRepository": repo, "headRefName": f"{m.author}/{m.number}",
        "mergedAt": stamp(m.at), "mergedBy": m.reviewer, "mergeCommit": {"oid": m.sha}, "files": files, "reviews": [review],
    }  # fmt: skip


def _deploy(one: Any, told: Timeline, starts: dict[str, str]) -> dict[str, Any]:
    repo = told.org.services[one.service].repo
    sha = one.merge.sha if one.merge else starts[repo]
    line = {
        "id": one.id, "service": one.service, "version": one.version, "environment": one.env, "repo": f"{told.org.name}/{repo}",
        "sha": sha, "created_at": stamp(one.at), "finished_at": stamp(one.at + 110), "creator": one.by, "status": one.status,
    }  # fmt: skip
    return {**line, **({"rollback_of": one.back} if one.back else {}), **({"description": one.said} if one.said else {})}
