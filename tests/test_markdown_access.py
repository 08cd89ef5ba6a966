"""What a document says of who may read it: the strictest of it counts, and what cannot be read opens nothing."""

from __future__ import annotations

import pytest

from brain.connectors.markdown_kind import Document
from brain.connectors.markdown_page import parse
from brain.connectors.markdown_writer import access_of


def label(text, given="open"):
    return access_of(Document("docs/x.md", parse(text), None), given)[0]


@pytest.mark.parametrize(
    "front",
    [
        "access: restricted\nvisible_to: [cellar", '"access" : restricted\ntitle: "a: b": c', "access:\n  level: restricted", "access:", "access: ~\nvisible_to: ~",
        "visible_to:\n  teams: [cellar]", "visible_to: []", "access: open\nclassification: confidential", "classification: secret\naccess: open",
        "access: [internal, restricted]", "access: open\naccess: restricted", "access: restricted\naccess: open", "? access\n: restricted",
        "access: open\nvisible_to: [cellar]", "Visible-To: cellar", "access: nobody knows",
    ],
)  # fmt: skip
def test_what_is_closed_in_any_spelling_stays_closed(front):
    text = f"---\n{front}\n---\n\n# A title\n\nWords.\n"
    assert label(text) == "restricted"
    assert label(f"\n\n{text}") == label(f"<!-- a remark\n of two lines -->\n{text}") == label(f"\ufeff{text}") == "restricted"


@pytest.mark.parametrize("text", ["---\naccess: restricted\n\n# Never closed\n", '+++\n[access]\nlevel = "restricted"\n+++\n# T\n', '+++\naccess = "restricted"\nbroken = \n+++\n# T\n'])
def test_a_fence_without_an_end_or_in_another_notation_opens_nothing(text):
    assert label(text) == "restricted"


@pytest.mark.parametrize(
    ("text", "gives"),
    [
        ("# Plain\n\nAccess: by key card.\n", "open"), ("---\n\nA line across the page, and access: restricted to words.\n", "open"), ("---\ntitle: [broken\n---\n# T\n", "open"),
        ("---\naccess: internal\n---\n# T\n", "internal"), ("---\nvisible_to: everyone\n---\n# T\n", "open"), ("---\naccess: open\n---\n# T\n", "open"),
    ],
)  # fmt: skip
def test_what_says_nothing_of_access_keeps_the_label_it_was_loaded_with(text, gives):
    assert label(text) == gives
    assert label(text, "restricted") == "restricted"
    assert label(text, "internal") == ("internal" if gives == "open" else gives)
