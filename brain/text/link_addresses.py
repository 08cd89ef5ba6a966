"""Web addresses, keys and commit ids in a question: written so that nothing else can be meant."""

from __future__ import annotations

import re

from brain import schema
from brain.text.mentions import Links, Mention, Stock

_REPO = r"[A-Za-z0-9][\w.-]*"
_URL = re.compile(rf"https?://[\w.-]+/({_REPO}/{_REPO})/(pull|pulls|issues|commit|releases/tag|tree/[\w.-]+|blob/[\w.-]+)/([^\s?#)\]]+)")
_REPO_URL = re.compile(rf"https?://[\w.-]+/({_REPO}/{_REPO})(?=[\s?)\].,]|$)")
_KEY = re.compile(rf"\b({'|'.join(sorted(schema.LABEL_OF_PREFIX))}):([^\s,;?)\"']+)")
_SHA = re.compile(r"(?<![\w/.#-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?![\w/-])")


def link_addresses(text: str, links: Links, stock: Stock) -> None:
    """Adds what web addresses and keys name; an address of what is not loaded is unknown."""
    for match in _URL.finditer(text):
        repo = stock.repo_key(match[1])
        if repo is None:
            links.unknown.append((match[0], "address of a repository that is not loaded"))
            continue
        keys = _addressed(repo.removeprefix("repo:"), match[2].split("/")[0], match[3].rstrip(".,;/"))
        _link_keys(links, stock, match, keys, "address")
    for match in _REPO_URL.finditer(text):
        if repo := stock.repo_key(match[1]):
            links.add(Mention(match.start(), match.end(), match[0], (repo,), "Repo", "address"))
    for match in _KEY.finditer(text):
        _link_keys(links, stock, match, [match[0].rstrip(".")], "key")


def _addressed(repo: str, what: str, rest: str) -> list[str]:
    """The keys an address may mean, the likeliest first."""
    number = re.match(r"\d+", rest)
    if what in ("pull", "pulls"):
        return [f"pr:{repo}#{number[0]}"] if number else []
    if what == "issues":
        return [f"issue:{repo}#{number[0]}", f"pr:{repo}#{number[0]}"] if number else []
    if what in ("commit", "releases"):
        return [f"{'commit' if what == 'commit' else 'release'}:{repo}@{rest}"]
    return [f"file:{repo}/{rest}", f"dir:{repo}/{rest}"]


def _link_keys(links: Links, stock: Stock, match: re.Match[str], keys: list[str], how: str) -> None:
    there = stock.existing(keys)
    hit = next((there[key.lower()] for key in keys if key.lower() in there), None)
    if hit is None and keys and keys[0].startswith("person:"):
        hit = next((n.key for n in stock.lexicon.get(keys[0][7:]) if n.label == "Person"), None)
    if hit:
        links.add(Mention(match.start(), match.end(), match[0], (hit,), schema.label_of(hit), how))
    else:
        links.missing(match[0], "not loaded", match.start(), match.end())


def link_commits(text: str, links: Links, stock: Stock) -> None:
    """Adds what commit ids name, whole or begun with at least seven digits."""
    for match in _SHA.finditer(text):
        rows = stock.ask("commits_by_prefix", low=match[0], high=match[0] + "g")
        if rows:
            links.add(Mention(match.start(), match.end(), match[0], tuple(str(r["key"]) for r in rows), "Commit", "sha"))
        elif links.free(match.start(), match.end()):
            links.unknown.append((match[0], "no commit with that id"))
