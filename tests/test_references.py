import time

import pytest

from brain.connectors.references import Reference, redact, references, ticket_references


def names(text: str) -> list[tuple[str | None, int, str | None]]:
    return [(r.repo, r.number, r.keyword) for r in references(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see #12", [(None, 12, None)]),
        ("Fixes #12, closes org/name#3 and GH-7", [(None, 12, "fixes"), ("org/name", 3, "closes"), (None, 7, None)]),
        ("fix: #5", [(None, 5, "fix")]),
        ("RESOLVED #5", [(None, 5, "resolved")]),
        ("prefixes #5", [(None, 5, None)]),
        ("Refs: #1, x/y#2", [(None, 1, "refs"), ("x/y", 2, "refs")]),
        ("PR-URL: nodejs#1566", [("nodejs", 1566, "pr-url")]),
        ("PR-URL: https://github.com/libuv/libuv/pull/75/files", [("libuv/libuv", 75, "pr-url")]),
        ("PR-URL: https://github.com/nodejs/node/pull9675", [("nodejs/node", 9675, "pr-url")]),
        ("Fixes: https://github.com/nodejs/node/issues/56248", [("nodejs/node", 56248, "fixes")]),
        ("#3, then fixes #3", [(None, 3, "fixes")]),
        ("https://github.com/o/r/issues/4#issuecomment-99", [("o/r", 4, None)]),
    ],
)
def test_forms(text: str, expected: list) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "`#9`",
        "```\n#5\n```",
        "~~~ text\nfixes #5\n~~~",
        "<!-- Fixes #1 -->",
        "http://example.com/page#12",
        "https://gitlab.com/o/r/issues/3",
        "&#39; and #0 and #012x and ##4 and a/b/c#4x",
        "# 12 heading",
        "colour #12ab34",
    ],
)
def test_what_is_no_reference(text: str) -> None:
    assert references(text) == []


def test_text_after_a_code_block_counts_again() -> None:
    assert names("```\n#5\n```\nand `x` #6") == [(None, 6, None)]


def test_kind_is_known_from_an_address_only() -> None:
    found = references("https://github.com/o/r/pull/1 https://github.com/o/r/issues/2 #3")
    assert [r.kind for r in found] == ["pull", "issue", None]


def test_an_owner_alone_means_that_owners_repository_of_the_same_name() -> None:
    assert Reference("nodejs", 1, None, None).repo_from("acme/libuv") == "nodejs/libuv"
    assert Reference(None, 1, None, None).repo_from("acme/libuv") == "acme/libuv"
    assert Reference("a/b", 1, None, None).repo_from("acme/libuv") == "a/b"


def test_addresses_leave_the_text_and_remotes_stay() -> None:
    text = "Ada <a.b+c@mail.example.co.uk>, x@mac.local; git@github.com:o/r.git ssh://git@host.com/x pkg@1.2.3 @ada"
    assert redact(text) == "Ada <[e-mail]>, [e-mail]; git@github.com:o/r.git ssh://git@host.com/x pkg@1.2.3 @ada"
    assert redact("write to git@github.com.") == "write to [e-mail]."


HOSTILE = ["`" * 300_000 + "#1", "<!--" * 100_000 + "#1", "a." * 300_000 + "@a #1", "#" * 600_000, "a/" * 300_000 + "#1"]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_takes_no_time(text: str) -> None:
    began = time.perf_counter()
    references(text)
    redact(text)
    assert time.perf_counter() - began < 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fixes OPS-12", {"OPS-12": "fixes"}), ("see OPS-12, closes: FLD-3", {"OPS-12": None, "FLD-3": "closes"}),
        ("OPS-12 again. Resolves OPS-12", {"OPS-12": "resolves"}), ("utf-8 and `OPS-12`, v-2, A-1, OPS-0, x/OPS-3, OPS-1.2, OPS-4-5", {}),
        ("feature/OPS-7 and #OPS-8", {}), ("(OPS-9)", {"OPS-9": None}),
    ],
)
def test_ids_of_tickets_and_the_keyword_before_them(text: str, expected: dict) -> None:
    assert ticket_references(text) == expected
