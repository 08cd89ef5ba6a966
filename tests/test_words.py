"""The words of the engine: refused when they are no expressions, and never the wordings it is measured with."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from brain.agents.words import FILE, SECTIONS, read, words
from brain.errors import DefinitionError

ROOT = Path(__file__).parent.parent


def changed(tmp_path, change):
    data = yaml.safe_load(FILE.read_text("utf-8"))
    change(data)
    path = tmp_path / "words.yaml"
    path.write_text(yaml.safe_dump(data, allow_unicode=True), "utf-8")
    return path


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize(
    ("phrases", "said"),
    [
        (["fine", "(unclosed"], r"'\(unclosed' is no regular expression"),
        (["*"], "no regular expression"),
        (["(group)"], r"write \(\?:...\)"),
        ("a phrase", "write a list of phrases"),
        ([], "write a list of phrases"),
        (None, "write a list of phrases"),
        ([7], "write a list of phrases"),
    ],
)
def test_a_phrase_that_is_no_expression_is_refused_with_file_section_and_name(tmp_path, section, phrases, said):
    path = changed(tmp_path, lambda data: data[section].update({"potter": phrases}))
    with pytest.raises(DefinitionError, match=said) as refused:
        read(path)
    assert str(refused.value).startswith(f"words.yaml: {section}/potter: ")


@pytest.mark.parametrize("text", ["", "[]", "aspects: {}", "aspects: [", "nouns:\n  - x"])
def test_a_file_that_is_no_list_of_sections_is_refused(tmp_path, text):
    path = tmp_path / "words.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(DefinitionError, match=r"words\.yaml: "):
        read(path)


def test_a_synonym_is_taught_by_one_line(tmp_path):
    path = changed(tmp_path, lambda data: data["aspects"]["review"].append("gave it a squint"))
    assert "review" not in words().found("aspects", "who gave it a squint")
    assert read(path).found("aspects", "WHO GAVE IT A SQUINT") == ["review"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("pull-request", "prs"),
        ("Tickets", "issues"),
        ("change requests", "change_requests"),
        ("sign-offs", "approvals"),
        ("folder", "directories"),
        ("versions", "releases"),
    ],
)
def test_a_kind_of_thing_is_found_by_every_name(text, kind):
    assert words().noun.fullmatch(text).lastgroup == kind


def test_every_turn_of_phrase_is_asked_for_somewhere():
    """A name that nothing asks for is a line that teaches nothing."""
    source = "\n".join(path.read_text("utf-8") for path in (ROOT / "brain/agents").glob("*.py"))
    assert [name for name in words().turns if f'"{name}"' not in source] == []


def test_every_turn_that_is_asked_for_is_in_the_file():
    source = "\n".join(path.read_text("utf-8") for path in (ROOT / "brain/agents").glob("*.py"))
    assert set(re.findall(r'\.says\("(\w+)"\)', source)) <= set(words().turns)


def source(*folders):
    files = [p for f in folders for p in (ROOT / f).rglob("*") if p.suffix in (".py", ".yaml") and "demo" not in p.parts]
    return " ".join(" ".join(p.read_text("utf-8").lower().split()) for p in files)


def test_no_wording_of_the_question_sets_stands_in_the_engine():
    """The router has no examples: not one phrasing stands in the product, and no stretch of six words of one in the engine."""
    templates = yaml.safe_load((ROOT / "eval/phrasings.yaml").read_text("utf-8")).values()
    wordings = [" ".join(wording.lower().split()) for template in templates for group in template.values() for wording in group]
    assert len(wordings) > 100
    whole, engine = source("brain"), source("brain/agents", "brain/text")
    assert [wording for wording in wordings if wording in whole] == []
    pieces = {" ".join(piece.split()) for wording in wordings for piece in re.split(r"\{\w+\}|[^\w ]", wording)}
    assert [piece for piece in pieces if len(piece.split()) >= 6 and piece in engine] == []
