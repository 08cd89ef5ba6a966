"""Deployments of GitHub, Argo CD and lines of JSON brought to one record each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from brain.connectors import flags_shapes
from brain.connectors.record_fields import line, name_in, text, time_in, url

Raw = Mapping[str, Any]
_SERVICE = ("service", "service_name", "serviceName", "app", "application", "component", "project", "name")
_ENV = ("environment", "env", "stage", "target")
_WHAT = ("sha", "commit", "commit_sha", "revision", "version", "tag", "image", "git_sha")
_STARTS = ("created_at", "createdAt", "started_at", "startedAt", "deployed_at", "deployedAt", "start", "timestamp", "time", "at", "date")
_ENDS = ("finished_at", "finishedAt", "completed_at", "ended_at", "deployed_at", "end")
_WHO = ("creator", "deployed_by", "deployedBy", "author", "user", "actor", "triggered_by", "initiated_by", "deployer")
_STATE = ("status", "state", "result", "outcome", "conclusion")
_REPO = re.compile(r"(?:[/:@]|^)([\w.-]+/[\w.-]+?)(?:\.git)?/?$")
_API = re.compile(r"/repos/([\w.-]+/[\w.-]+)")
_STATUS_OF = re.compile(r"/repos/([\w.-]+/[\w.-]+)/deployments/(\d+)")


def kind_of(raw: Any) -> str | None:
    """What an object is: a deployment of GitHub, a status of one, an application of Argo CD, an entry of its history, a
    plain deployment; None for anything else.
    """
    if not isinstance(raw, Mapping):
        return None
    if "deployment_url" in raw and "state" in raw:
        return "status"
    if "sha" in raw and "environment" in raw and ("statuses_url" in raw or "task" in raw):
        return "github"
    if raw.get("kind") == "Application" and str(raw.get("apiVersion", "")).startswith("argoproj.io"):
        return "application" if _history(raw) else None
    if "deployedAt" in raw and ("revision" in raw or "revisions" in raw):
        return "history"
    if flags_shapes.kind_of(raw):
        return None
    told = (any(raw.get(name) for name in names) for names in (_SERVICE, _ENV, _WHAT, _STARTS))
    return "plain" if all(told) and "title" not in raw and "alertname" not in raw else None


def records(raw: Raw, kind: str, app: str) -> Iterator[dict[str, Any]]:
    """The records of an object of that kind. `app` is the application a bare history is of. Raises ValueError."""
    if kind == "status":
        yield _status(raw)
    elif kind == "github":
        yield from _github(raw)
    elif kind == "plain":
        yield _plain(raw)
    elif kind == "history":
        yield _entry(raw, app, "", {})
    else:
        yield from _application(raw)


def deploy(id_: str, service: str, at: int | None, **more: Any) -> dict[str, Any]:
    """A record with everything a deployment may have."""
    known = {
        "version": "", "env": "", "repo": "", "sha": "", "ended_at": None, "author": "", "status": "", "description": "", "rollback_of": "",
        "rollback": False, "url": "", "system": "",
    }  # fmt: skip
    if not id_:
        raise ValueError("has no id")
    record = {"kind": "deploy", "id": id_, "service": service, "at": at, **known, **more}
    return {**record, "newest": max(at or 0, record["ended_at"] or 0, more.get("newest") or 0)}


# -- GitHub ----------------------------------------------------------------------------------


def _github(raw: Raw) -> Iterator[dict[str, Any]]:
    address = _API.search(" ".join(str(raw.get(name)) for name in ("url", "statuses_url", "repository_url")))
    repo = address[1] if address else ""
    stated = raw.get("payload")
    payload: Raw = stated if isinstance(stated, Mapping) else {}
    ref, sha = line(raw.get("ref")), line(raw.get("sha"))
    yield deploy(
        f"{repo}/{line(raw.get('id'))}".lstrip("/"), line(payload.get("service") or payload.get("app")), time_in(raw, ("created_at",)),
        env=line(raw.get("environment")), repo=repo, sha=sha, version=ref if ref != sha else "", author=line(name_in(raw.get("creator"))),
        description=text(raw.get("description")), rollback="rollback" in line(raw.get("task")).lower(), system="github",
        newest=time_in(raw, ("updated_at",)) or 0,
    )  # fmt: skip
    for status in raw.get("statuses") or () if isinstance(raw.get("statuses"), list) else ():
        if isinstance(status, Mapping):
            yield {**_status({"deployment_url": f"/repos/{repo}/deployments/{raw.get('id')}", **status})}


def _status(raw: Raw) -> dict[str, Any]:
    of = _STATUS_OF.search(str(raw.get("deployment_url")))
    if of is None:
        raise ValueError(f"deployment_url is {raw.get('deployment_url')!r:.60}, which names no deployment")
    which = line(raw.get("id")) or line(raw.get("created_at"))
    return {
        "kind": "deploy_status", "id": f"{of[1]}/{of[2]}/{which}", "deploy": f"{of[1]}/{of[2]}",
        "state": line(raw.get("state")).lower(), "at": time_in(raw, ("created_at",)) or 0, "description": text(raw.get("description")),
        "url": url(raw.get("target_url") or raw.get("environment_url")),
    }  # fmt: skip


# -- Argo CD ---------------------------------------------------------------------------------


def _history(raw: Raw) -> list[Any]:
    status = raw.get("status")
    found = status.get("history") if isinstance(status, Mapping) else None
    return found if isinstance(found, list) else []


def _application(raw: Raw) -> Iterator[dict[str, Any]]:
    meta, spec = raw.get("metadata") or {}, raw.get("spec") or {}
    labels = {**(meta.get("labels") or {}), **(meta.get("annotations") or {})}
    app = line(meta.get("name"))
    service = line(labels.get("backstage.io/kubernetes-id") or labels.get("app.kubernetes.io/name"))
    seen: list[str] = []
    for entry in _history(raw):
        if isinstance(entry, Mapping):
            record = _entry(entry, app, service, spec)
            back = bool(seen) and record["sha"] in seen[:-1] and record["sha"] != seen[-1]
            seen.append(record["sha"])
            yield {**record, "rollback": back}


def _entry(raw: Raw, app: str, service: str, spec: Raw) -> dict[str, Any]:
    if not app:
        raise ValueError("does not say which application it is of; name it with the option service")
    sources = [s for s in ([raw.get("source"), *(raw.get("sources") or ())]) if isinstance(s, Mapping)] or [spec.get("source") or {}]
    revision = line(raw.get("revision") or next(iter(raw.get("revisions") or ()), ""))
    is_sha = bool(re.fullmatch(r"[0-9a-f]{7,40}", revision))
    target = line(sources[0].get("targetRevision"))
    version = revision if not is_sha else "" if target == "HEAD" else target
    place = spec.get("destination") or {}
    by = raw.get("initiatedBy")
    done = time_in(raw, ("deployedAt",))
    return deploy(
        f"{app}/{line(raw.get('id')) or done}", service or app, time_in(raw, ("deployStartedAt", "deployedAt")), ended_at=done,
        repo=repo_in(sources[0].get("repoURL")), sha=revision if is_sha else "", version=version,
        env=line(place.get("namespace") or place.get("name")), author=line(by.get("username")) if isinstance(by, Mapping) else "",
        status="success", system="argocd",
    )  # fmt: skip


# -- lines -----------------------------------------------------------------------------------


def _plain(raw: Raw) -> dict[str, Any]:
    what = {name: line(raw.get(name)) for name in _WHAT if line(raw.get(name))}
    sha = next((v for k, v in what.items() if k != "version" and re.fullmatch(r"[0-9a-f]{7,40}", v)), "")
    version = next((what[k] for k in ("version", "tag", "image") if k in what), "") or next((v for v in what.values() if v != sha), "")
    service, at = line(name_in(_first(raw, _SERVICE))), time_in(raw, _STARTS)
    id_ = line(raw.get("id") or raw.get("deploy_id") or raw.get("deployment_id") or raw.get("number"))
    back = line(raw.get("rollback_of") or raw.get("rolled_back_from"))
    return deploy(
        id_ or (f"{service}-{at}" if at else ""), service, at, env=line(_first(raw, _ENV)), sha=sha,
        repo=repo_in(raw.get("repo") or raw.get("repository")), version=version, ended_at=time_in(raw, _ENDS),
        author=line(name_in(_first(raw, _WHO))), status=line(_first(raw, _STATE)).lower(),
        description=text(raw.get("description") or raw.get("message") or raw.get("notes")), rollback_of=back,
        rollback=bool(back) or raw.get("rollback") is True, url=url(raw.get("url")), system="lines",
    )  # fmt: skip


def repo_in(value: Any) -> str:
    """`org/name` in an address or a plain name of a repository; "" without one."""
    found = _REPO.search(line(name_in(value)))
    return found[1] if found else ""


def _first(raw: Raw, names: tuple[str, ...]) -> Any:
    return next((raw[name] for name in names if raw.get(name) not in (None, "", {})), None)
