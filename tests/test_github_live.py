"""Live loading against a real HTTP server in a thread that behaves, and misbehaves, like GitHub."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from brain.connectors.github_live import fetch_live
from brain.errors import BadInput

TOKEN = "ghs_verysecrettoken"
NOW = 1_700_000_000


def user(login: str, **more: Any) -> dict[str, Any]:
    return {"login": login, "type": "User", **more}


def issue(number: int, pull: bool = False, **more: Any) -> dict[str, Any]:
    base = {"number": number, "title": f"Item {number}", "body": "mail me at ann@example.org", "state": "open", "user": user("ann")}
    base |= {"created_at": "2023-01-01T00:00:00Z", "updated_at": f"2023-02-0{number}T00:00:00Z", "comments": 1}
    base |= {"labels": [{"name": "bug"}], "assignees": [], "html_url": f"https://github.com/acme/app/issues/{number}"}
    return base | ({"pull_request": {"merged_at": None}} if pull else {}) | more


PULL = issue(3) | {
    "state": "closed",
    "merged_at": "2023-02-03T00:00:00Z",
    "merged_by": user("bob"),
    "merge_commit_sha": "a" * 40,
    "head": {"sha": "b" * 40, "ref": "x", "repo": None},
    "base": {"sha": "c" * 40, "ref": "main"},
}


class Github:
    """The data of the stub, what it was asked, and the faults it will show, first one first."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.faults: dict[str, list[Any]] = {}
        self.page_size = 2
        repo = {"full_name": "acme/app", "name": "app", "owner": user("acme"), "private": False, "default_branch": "main"}
        app = "/repos/acme/app"
        api = "https://api.github.com/repos/acme/app"
        self.data: dict[str, Any] = {
            "/orgs/acme/repos": [repo],
            app: repo,
            f"{app}/labels": [{"name": "bug", "color": "f00", "description": ""}],
            f"{app}/releases": [{"tag_name": "v1", "name": "One", "published_at": "2023-03-01T00:00:00Z", "body": "#3"}],
            f"{app}/issues": [issue(1), issue(2), issue(3, pull=True)],
            f"{app}/issues/comments": [self.comment(api, n) for n in (1, 1, 3)],
            f"{app}/issues/1/comments": [self.comment(api, 1), self.comment(api, 1)],
            f"{app}/issues/2/comments": [],
            f"{app}/issues/3/comments": [self.comment(api, 3)],
            f"{app}/pulls/comments": [self.line_comment(api)],
            f"{app}/pulls/3/comments": [self.line_comment(api)],
            f"{app}/pulls/3": PULL,
            f"{app}/pulls/3/reviews": [
                {"id": 70, "user": user("bob"), "state": "APPROVED", "body": "", "submitted_at": "2023-02-02T00:00:00Z"}
                | {"commit_id": "b" * 40, "pull_request_url": f"{api}/pulls/3"}
            ],
            f"{app}/pulls/3/files": [{"filename": f"src/{n}.c", "status": "added", "additions": 1, "deletions": 0} for n in "abc"],
            f"{app}/pulls/3/commits": [
                {"sha": "b" * 40, "commit": {"message": "Do it", "committer": {"date": "2023-02-01T00:00:00Z"}}, "parents": []}
            ],
        }

    def comment(self, api: str, number: int) -> dict[str, Any]:
        self.ids = getattr(self, "ids", 100) + 1
        at = "2023-01-02T00:00:00Z"
        return {"id": self.ids, "user": user("cat"), "body": "hm", "created_at": at, "issue_url": f"{api}/issues/{number}"}

    def line_comment(self, api: str) -> dict[str, Any]:
        line = {"id": 900, "user": user("bob"), "body": "why?", "created_at": "2023-02-02T00:00:00Z", "path": "src/a.c", "line": 4}
        return line | {"pull_request_review_id": 70, "pull_request_url": f"{api}/pulls/3", "diff_hunk": "@@"}

    def paths(self) -> list[str]:
        return [url.partition("?")[0] for url, _ in self.asked]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    github: Github

    def log_message(self, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        self.github.asked.append((self.path, {k.lower(): v for k, v in self.headers.items()}))
        faults = self.github.faults.get(url.path) or self.github.faults.get("*")
        if faults:
            fault = faults.pop(0)
            if fault == "cut":
                self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n[{")
                self.wfile.flush()
                self.close_connection = True
                return
            if fault is not None:
                return self.answer(*fault)
        if url.path not in self.github.data:
            return self.answer(404, {}, {"message": "Not Found"})
        body = self.github.data[url.path]
        headers = {"x-ratelimit-remaining": "4000", "x-ratelimit-reset": str(NOW + 3000)}
        if isinstance(body, list):
            page = int(parse_qs(url.query).get("page", ["1"])[0])
            size = self.github.page_size
            if page * size < len(body):
                rest = "&".join(part for part in url.query.split("&") if part and not part.startswith("page="))
                address = f"http://{self.headers['host']}{url.path}?{rest}&page={page + 1}"
                headers["link"] = f'<{address}>; rel="next", <{address}9>; rel="last"'
            body = body[(page - 1) * size : page * size]
        headers["etag"] = f'W/"{hash(json.dumps(body)) & 0xFFFFFFFF}"'
        if self.headers.get("if-none-match") == headers["etag"]:
            return self.answer(304, headers, None)
        self.answer(200, headers, body)

    def answer(self, status: int, headers: dict[str, str], body: Any) -> None:
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def github() -> Iterator[tuple[Github, str]]:
    stub = Github()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"github": stub}))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield stub, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


class Clock:
    """Time that passes only by sleeping."""

    def __init__(self) -> None:
        self.now = float(NOW)
        self.waits: list[tuple[float, str]] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def told(self, seconds: float, reason: str) -> None:
        self.waits.append((seconds, reason))


def load(root: str, state: Path, clock: Clock | None = None, **more: Any) -> list[dict[str, Any]]:
    clock = clock or Clock()
    options = {"token": TOKEN, "api_root": root, "on_wait": clock.told, "clock": clock, "sleep": clock.sleep, "timeout_s": 5}
    return list(fetch_live("acme", state_dir=state, **(options | more)))


def of(records: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [r for r in records if r["kind"] == kind]


def test_a_whole_organisation_is_loaded_over_all_pages(github: tuple[Github, str], tmp_path: Path) -> None:
    _, root = github
    records = load(root, tmp_path)
    assert records[0] | {"path": ""} == {
        "kind": "source", "format": "github", "source": "github:acme/app", "repo": "acme/app",
        "complete": True, "as_of": NOW, "access": "open", "path": "", "totals": {},
    }  # fmt: skip
    totals = {k: v for k, v in records[-1].items() if v and k != "kind"}
    assert totals == {
        "issues": 2, "pulls": 1, "pulls_merged": 1, "comments": 3, "review_comments": 1,
        "reviews": 1, "labels": 1, "releases": 1, "commits": 1,
    }  # fmt: skip
    (pull,) = of(records, "pull")
    assert (pull["merged_by"], pull["merge_sha"], pull["state"]) == ("bob", "a" * 40, "merged")
    assert [file[1] for file in pull["files"]] == ["src/a.c", "src/b.c", "src/c.c"]
    assert pull["commits"] == ["b" * 40]
    assert [(c["id"], c["path"]) for c in pull["reviews"][0]["comments"]] == [("900", "src/a.c")]
    assert "ann@example.org" not in json.dumps(records)


def test_a_private_repository_is_internal(github: tuple[Github, str], tmp_path: Path) -> None:
    stub, root = github
    stub.data["/repos/acme/app"] = stub.data["/repos/acme/app"] | {"private": True}
    assert load(root, tmp_path, repos=["app"])[0]["access"] == "internal"


def test_the_token_goes_to_the_server_and_into_no_file(github: tuple[Github, str], tmp_path: Path) -> None:
    stub, root = github
    records = load(root, tmp_path)
    assert all(headers["authorization"] == f"Bearer {TOKEN}" for _, headers in stub.asked)
    kept = b"".join(gzip.decompress(f.read_bytes()) if f.suffix == ".gz" else f.read_bytes() for f in tmp_path.iterdir())
    assert kept and TOKEN.encode() not in kept and TOKEN not in json.dumps(records)


def test_a_next_page_on_another_host_is_not_followed(github: tuple[Github, str], tmp_path: Path) -> None:
    stub, root = github
    link = {"link": '<http://evil.invalid/x>; rel="next"'}
    stub.faults["/repos/acme/app/labels"] = [(200, link, [])]
    with pytest.raises(BadInput, match="another host"):
        load(root, tmp_path)


def test_what_has_not_changed_is_asked_on_condition_and_not_sent_again(github: tuple[Github, str], tmp_path: Path) -> None:
    stub, root = github
    first = load(root, tmp_path)
    stub.asked.clear()
    stub.data["/repos/acme/app/issues"][0]["title"] = "Renamed"
    clock = Clock()
    clock.now += 100
    second = load(root, tmp_path, clock)
    assert all("if-none-match" in headers for _, headers in stub.asked)
    assert of(second, "issue")[0]["title"] == "Renamed"
    assert of(second, "pull") == of(first, "pull")
    assert not (tmp_path / "run.json").exists()


def test_pages_that_a_whole_load_no_longer_needs_are_forgotten(github: tuple[Github, str], tmp_path: Path) -> None:
    stub, root = github
    load(root, tmp_path)
    before = len(list(tmp_path.iterdir()))
    stub.data["/repos/acme/app/issues"] = [issue(1)]
    load(root, tmp_path)
    assert len(list(tmp_path.iterdir())) < before


@pytest.mark.parametrize(
    ("fault", "seconds", "reason"),
    [
        (
            (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(NOW + 600)}, {"message": "API rate limit exceeded"}),
            601,
            "rate limit",
        ),
        ((429, {"retry-after": "17"}, {"message": "slow down"}), 17, "rate limit (retry-after)"),
        ((403, {}, {"message": "You have exceeded a secondary rate limit."}), 60, "secondary rate limit"),
        ((502, {}, {"message": "bad gateway"}), 1, "server error 502"),
        ("cut", 1, "no answer (RemoteProtocolError)"),
    ],
)
def test_each_limit_and_failure_is_waited_out_and_told(
    github: tuple[Github, str], tmp_path: Path, fault: Any, seconds: float, reason: str
) -> None:
    stub, root = github
    stub.faults["/repos/acme/app/issues"] = [fault]
    clock = Clock()
    records = load(root, tmp_path, clock)
    assert clock.waits == [(seconds, reason)]
    assert len(of(records, "issue")) == 2


def test_a_used_up_budget_is_waited_for_before_the_next_request(github: tuple[Github, str], tmp_path: Path) -> None:
    stub, root = github
    repo = stub.data["/repos/acme/app"]
    used_up = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(NOW + 50)}
    stub.faults["/orgs/acme/repos"] = [(200, used_up, [repo])]
    clock = Clock()
    load(root, tmp_path, clock)
    assert clock.waits == [(51, "rate limit")]


def test_an_interrupted_load_goes_on_where_it_stopped(github: tuple[Github, str], tmp_path: Path) -> None:
    stub, root = github
    stub.faults["/repos/acme/app/pulls/3/reviews"] = ["cut"] * 6
    with pytest.raises(BadInput, match="run again to continue"):
        load(root, tmp_path)
    done = set(stub.paths()) - {"/repos/acme/app/pulls/3/reviews"}
    stub.asked.clear()
    clock = Clock()
    clock.now += 500
    records = load(root, tmp_path, clock)
    assert not done & set(stub.paths())
    assert len(of(records, "pull")) == 1 and records[-1]["reviews"] == 1
    assert records[0]["as_of"] == NOW


def test_a_page_file_that_was_damaged_is_asked_again(github: tuple[Github, str], tmp_path: Path) -> None:
    _, root = github
    first = load(root, tmp_path)
    for file in tmp_path.glob("*.json.gz"):
        file.write_bytes(file.read_bytes()[:20])
    assert load(root, tmp_path) == first


def test_since_takes_whole_items_and_is_not_complete(github: tuple[Github, str], tmp_path: Path) -> None:
    stub, root = github
    records = load(root, tmp_path, since=1_675_000_000)
    assert records[0]["complete"] is False
    asked = [url for url, _ in stub.asked if url.startswith("/repos/acme/app/issues?")]
    assert "since=2023-01-29T13%3A46%3A40Z" in asked[0]
    assert "/repos/acme/app/issues/comments" not in stub.paths()
    assert [len(r["comments"]) for r in of(records, "issue")] == [2, 0]


def test_switched_off_issues_are_a_skip_and_no_error(github: tuple[Github, str], tmp_path: Path) -> None:
    stub, root = github
    stub.faults["/repos/acme/app/issues"] = [(410, {}, {"message": "Issues are disabled"})]
    records = load(root, tmp_path)
    assert of(records, "skip")[0]["reason"] == "switched off or not there"


@pytest.mark.parametrize(
    ("status", "says"),
    [(401, "refuses the token \\(401\\); set GITHUB_TOKEN"), (404, "no such organisation"), (403, "may not read this \\(403\\)")],
)
def test_a_refusal_is_one_line_that_says_what_to_do(github: tuple[Github, str], tmp_path: Path, status: int, says: str) -> None:
    stub, root = github
    stub.faults["*"] = [(status, {}, {"message": "no"})] * 9
    with pytest.raises(BadInput, match=says) as caught:
        load(root, tmp_path)
    assert "\n" not in str(caught.value) and TOKEN not in str(caught.value)


def test_an_unknown_repository_is_named(github: tuple[Github, str], tmp_path: Path) -> None:
    _, root = github
    with pytest.raises(BadInput, match="acme/nothing: no such repository"):
        load(root, tmp_path, repos=["nothing"])
    with pytest.raises(BadInput, match="not the name of a repository"):
        load(root, tmp_path, repos=["a b"])


def test_a_silent_server_and_a_web_page_are_one_line(github: tuple[Github, str], tmp_path: Path) -> None:
    _, root = github
    with pytest.raises(BadInput, match="gave up after 6 tries"):
        load("http://127.0.0.1:9", tmp_path)
    with pytest.raises(BadInput, match="is this the root of a GitHub API"):
        load(root, tmp_path, transport=httpx.MockTransport(lambda request: httpx.Response(200, text="<html>")))
