"""What files and labels say about whether a change can have altered anything."""

import pytest

from brain.incident.changes import Part
from brain.incident.harmless import harmless


def part(*files, title="A change", labels=()):
    return Part("pr:o/r#1", title, tuple(labels), tuple(f"file:o/r/{f}" for f in files), "contained")


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ([part("docs/forecast.md", "README.rst")], True),
        ([part("src/i18n/cy.json")], True),
        ([part("tests/test_gate.py", "gate_test.go")], True),
        ([part("templates/footer.html", labels=("i18n",))], True),
        ([part("templates/footer.html")], False),
        ([part("docs/a.md", "src/gate.go")], False),
        ([part("src/gate.go", labels=("documentation",))], False),
        ([part("docs/a.md"), part("window/batch.go")], False),
        ([part("VERSION", "CHANGELOG.md", title="Release v2.9.0")], None),
        ([part("VERSION", title="Release v2.9.0"), part("docs/a.md")], True),
        ([part(title="Something, and no files are known")], False),
        ([], None),
    ],
)
def test_only_a_change_whose_every_part_is_known_to_be_texts_or_tests_is_harmless(parts, said):
    assert harmless(parts) is said
