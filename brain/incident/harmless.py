"""What files say about a change: whether it can have altered what a service does at all."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain.incident.changes import Part

_TEXT = re.compile(
    r"\.(?:md|mdx|rst|txt|adoc|po|pot|mo|strings|arb|resx|svg|png|jpe?g|gif|webp|ico|pdf|drawio|css|scss|less|woff2?)$"
    r"|(?:^|/)(?:docs?|documentation|i18n|l10n|locales?|translations?|licenses?|changelogs?|\.github|\.vscode|\.idea)/"
    r"|(?:^|/)(?:LICEN[CS]E|NOTICE|AUTHORS|CONTRIBUTORS|CODEOWNERS|CHANGELOG|CHANGES|README|VERSION|\.gitignore|\.editorconfig|\.mailmap)[^/]*$",
    re.I,
)
_TEST = re.compile(
    r"(?:^|/)(?:tests?|specs?|__tests__|testdata|fixtures|e2e)/|(?:_test|\.test|_spec|\.spec|Test|Tests)\.\w+$|(?:^|/)test_[^/]*$"
)
_VERSION = re.compile(
    r"(?:^|/)(?:VERSION|CHANGELOG[^/]*|CHANGES[^/]*|package(?:-lock)?\.json|pyproject\.toml|setup\.(?:py|cfg)|Cargo\.(?:toml|lock)|pom\.xml"
    r"|gradle\.properties|[^/]*version[^/]*)$",
    re.I,
)
_RELEASE = re.compile(r"^(?:chore(?:\([^)]*\))?: ?)?(?:release|bump version|version|prepare release|v?\d+\.\d+)\b", re.I)
_WORDS = frozenset(
    {"docs", "documentation", "i18n", "l10n", "translation", "translations", "wording", "typo", "copy", "localization", "localisation"}
)


def release_only(part: Part) -> bool:
    """Does it do nothing but raise the version?"""
    return bool(_RELEASE.match(part.title)) and all(_VERSION.search(f) for f in part.files)


def texts_only(part: Part) -> bool:
    """Does it touch nothing but texts, translations, pictures and tests? Not known, and so no, without a list of files."""
    if not part.files:
        return False
    return all(_TEXT.search(_path(f)) or _TEST.search(_path(f)) for f in part.files) or _labelled(part)


def _labelled(part: Part) -> bool:
    """A change whose labels say that it is about words, and which touches nothing but what is shown."""
    shown = all(
        re.search(r"\.(?:html?|tmpl|tpl|j2|jinja2?|erb|json|ya?ml|properties|hbs|vue|xml)$", f, re.I) or _TEXT.search(_path(f))
        for f in part.files
    )
    return shown and any(label.lower() in _WORDS for label in part.labels)


def _path(key: str) -> str:
    """The path of a file inside its repository."""
    return key.partition(":")[2].split("/", 2)[-1]


def harmless(parts: Iterable[Part]) -> bool | None:
    """Whether nothing in a change can have altered what the service does; None when it is not known what is in it."""
    real = [p for p in parts if not release_only(p)]
    if not real:
        return None
    return all(texts_only(p) for p in real)
