"""What a model cites stands for a key where what was returned leaves no choice, and for none else."""

from __future__ import annotations

import pytest

from brain.agents.model_cites import Citations
from brain.types import Node, Step

KEYS = {
    "pr:acme/app#12": "Retry the upload", "issue:acme/lib#12": "Upload fails", "issue:acme/lib#40": "Too slow", "release:acme/app@v1.4.0": "v1.4.0",
    "release:acme/lib@v2.0": "v2.0", "commit:acme/app@0123456789abcdef0123456789abcdef01234567": "Retry", "person:ann": "Ann Lee", "person:bo": "Bo Lee",
    "repo:acme/app": "acme/app", "repo:acme/lib": "acme/lib", "service:app": "app", "doc:docs/run/restart.md": "Restarting", "file:acme/app/src/up.c": "up.c",
    "ticket:OPS-208": "OPS-208", "decision:0007-two-phase": "Two phases", "team:payments": "Payments",
}  # fmt: skip


@pytest.fixture(scope="module")
def cites() -> Citations:
    nodes = tuple(Node(key, key.partition(":")[0], name) for key, name in KEYS.items())
    rows = ({"src": "doc:docs/run/restart.md", "chunk": "chunk:doc:docs/run/restart.md/3", "who": ["person:cy"]},)
    return Citations([Step(1, "expand", "", {}, rows=rows, nodes=nodes)], ["service:named-in-the-question"])


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("pr:acme/app#12", "pr:acme/app#12"), ("[pr:acme/app#12]", "pr:acme/app#12"), ("`pr:acme/app#12`.", "pr:acme/app#12"),
        ("PR:ACME/app#12", "pr:acme/app#12"), ("acme/app#12", "pr:acme/app#12"), ("app#12", "pr:acme/app#12"), ("PR app#12", "pr:acme/app#12"),
        ("pr #12", "pr:acme/app#12"), ("pr#12", "pr:acme/app#12"), ("#40", "issue:acme/lib#40"), ("＃40", "issue:acme/lib#40"), ("issue 40", "issue:acme/lib#40"),
        ("【issue:acme/lib#40】", "issue:acme/lib#40"), ("［＃４０］", "issue:acme/lib#40"), ("“#40”", "issue:acme/lib#40"), ("(#40)", "issue:acme/lib#40"),
        ("v1.4.0", "release:acme/app@v1.4.0"), ("1.4.0", "release:acme/app@v1.4.0"), ("release v1.4.0", "release:acme/app@v1.4.0"), ("app@v1.4.0", "release:acme/app@v1.4.0"),
        ("v1.4.0 of acme/app", "release:acme/app@v1.4.0"), ("0123456", "commit:acme/app@0123456789abcdef0123456789abcdef01234567"),
        ("commit:acme/app@0123456789", "commit:acme/app@0123456789abcdef0123456789abcdef01234567"), ("ann", "person:ann"), ("@ann", "person:ann"), ("Ann Lee", "person:ann"),
        ("person:cy", "person:cy"), ("OPS-208", "ticket:OPS-208"), ("ops-208", "ticket:OPS-208"), ("restart.md", "doc:docs/run/restart.md"), ("doc: restart", "doc:docs/run/restart.md"),
        ("chunk:doc:docs/run/restart.md/3", "doc:docs/run/restart.md"), ("src/up.c", "file:acme/app/src/up.c"), ("acme/lib", "repo:acme/lib"), ("repo:lib", "repo:acme/lib"),
        ("0007-two-phase", "decision:0007-two-phase"), ("Payments", "team:payments"), ("service:named-in-the-question", "service:named-in-the-question"),
    ],
)  # fmt: skip
def test_an_abbreviated_or_decorated_citation_stands_for_the_one_key_it_can(cites, written, key):
    assert cites.resolve(written).key == key


@pytest.mark.parametrize("written", ["#12", "12", "app", "Lee", "lib@v1", "v2"])
def test_what_could_be_several_or_is_only_a_part_of_a_name_stands_for_none(cites, written):
    found = cites.resolve(written)
    assert not found.key and found.reason


def test_the_reason_names_what_it_could_be(cites):
    assert cites.resolve("#12").reason == "'#12' could be any of issue:acme/lib#12, pr:acme/app#12; cite the whole key"
    assert "repo:acme/app" in cites.resolve("app").reason and "service:app" in cites.resolve("app").reason


@pytest.mark.parametrize("written", ["pr:acme/app#13", "#99", "v9.9", "person:dora", "deadbee", "repo:other/app", "", "[]", "…", "x" * 5000, "pr:acme/app#12/files"])
def test_what_was_not_returned_stands_for_none(cites, written):
    found = cites.resolve(written)
    assert not found.key and len(found.reason) < 300
